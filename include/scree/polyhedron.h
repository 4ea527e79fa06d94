// Convex polyhedra as bodies. Any number of bodies can have a shape, see polyhedron_shape.h.
//
// A body that is a polyhedron moves as a general rigid body. Its contacts with other polyhedra, spheres and
// flat walls are those of docs/theory/polyhedra.md: a pair has several at a time, at vertices and at pairs of
// edges, each with its own history of friction.
//
// In two dimensions the shapes are convex polygons in the plane z = 0, and contacts are at vertices only.
#ifndef SCREE_POLYHEDRON_H
#define SCREE_POLYHEDRON_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A body with a shape. */
struct scree_polyhedron_def {
    scree_shape_id shape;
    scree_material_id material; /**< gives the mass by its density */
    double position[3];         /**< centre of mass, m */
    double orientation[4];      /**< of the axes in which the vertices were given; all zero means identity */
    double velocity[3];         /**< m/s */
    double spin[3];             /**< angular velocity, rad/s, world axes */
    unsigned fixed;             /**< of enum scree_freedom; a fixed degree of freedom keeps its velocity */
    double thickness;           /**< m, positive; only in two dimensions, where the body is a polygon */
};

/** A copy of the data of a shape. */
struct scree_polyhedron_shape {
    size_t vertices;
    double volume;     /**< m^3; of a polygon the area, m^2 */
    double inertia[3]; /**< principal moments of inertia divided by the density, m^5; of a polygon the third
                          one is that about z divided by density and thickness, m^4, and the others are 0 */
    double axes[4];    /**< from the principal axes to those in which the vertices were given */
    double centre[3];  /**< centre of mass in these axes, m */
    double reach;      /**< distance of the farthest point of the body from it, m */
    double rounding;   /**< m */
};

/** Copies the data of a shape to `shape`, not null. */
SCREE_NODISCARD scree_status scree_polyhedron_get_shape(const struct scree_world *world, scree_shape_id id,
                                                        struct scree_polyhedron_shape *shape);

/** Adds a body; `id` (not null) receives its id. In struct scree_body_state its orientation is that of the
 * principal axes, and its radius that of the sphere of equal volume. */
SCREE_NODISCARD scree_status scree_polyhedron_add(struct scree_world *world,
                                                  const struct scree_polyhedron_def *def, scree_body_id *id);

/** Writes the vertices of the core of a body in world axes, m, at most `capacity` of them; returns their
 * number, 0 if the body is no polyhedron. The body is all points within the rounding of the core. */
size_t scree_polyhedron_vertices(const struct scree_world *world, scree_body_id id, double (*vertex)[3],
                                 size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
