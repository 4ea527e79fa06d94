// Shapes of clumps: mass properties of spheres, disks and meshes, a library of shapes, and spheres inside of
// a mesh.
//
// Pebbles are spheres, or disks in two dimensions; their offsets are from any origin. They may overlap, and
// their common volume counts once. All results scale with the size of the shape, without other change than
// round-off.
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Mass properties of a body of uniform density. */
struct scree_shape_values {
    double volume;     /**< m^3; in two dimensions the area, m^2 */
    double centre[3];  /**< of mass, m */
    double inertia[6]; /**< inertia tensor about the centre, over the mass: xx yy zz yz zx xy, m^2 */
};

/** Mass properties with the error of each: a bound of exact methods, the standard error of a sample. */
struct scree_shape_mass {
    struct scree_shape_values value, error;
};

/** How mass properties were found. */
enum scree_shape_method { SCREE_SHAPE_EXACT, SCREE_SHAPE_SAMPLED, SCREE_SHAPE_OF_MESH, SCREE_SHAPE_GIVEN };

/** A closed surface of triangles in three dimensions, each anticlockwise as seen from outside. */
struct scree_shape_mesh {
    const double (*vertex)[3];     /**< m */
    size_t vertices;               /**< number of vertices */
    const uint32_t (*triangle)[3]; /**< numbers of vertices, from 0 */
    size_t triangles;              /**< number of triangles */
};

/** Mass properties of the union of spheres (disks), by exact integration along arcs of circles, and in three
 * dimensions adaptive integration over latitudes. See docs/theory/clump-mass.md. */
SCREE_NODISCARD scree_status scree_shape_mass_exact(const struct scree_pebble *pebble, size_t pebbles,
                                                    int dimension, struct scree_shape_mass *mass);

/** The same from random points in the bounding box, of which at least two must be inside. */
SCREE_NODISCARD scree_status scree_shape_mass_sampled(const struct scree_pebble *pebble, size_t pebbles,
                                                      int dimension, uint64_t samples, uint64_t seed,
                                                      struct scree_shape_mass *mass);

/** Mass properties of the union of the pebbles of a clump, polyhedra among them, which have shapes of
 * `world`: the sum of all, since a polyhedron that overlaps another pebble is an error that names both. Only
 * spheres may overlap each other. */
SCREE_NODISCARD scree_status scree_shape_mass_clump(const struct scree_world *world,
                                                    const struct scree_pebble *pebble, size_t pebbles,
                                                    struct scree_shape_mass *mass);

/** Completes a clump of uniform density whose pebbles are given in any axes, in which `mass` was found: moves
 * `pebble` to the centre of mass and the principal axes, and sets it with mass, inertia, equal radius and
 * axes. In `clump` the orientation is that of the axes in which the pebbles are given; it becomes that of the
 * principal axes. */
SCREE_NODISCARD scree_status scree_shape_place_clump(const struct scree_shape_mass *mass, double density,
                                                     struct scree_pebble *pebble, size_t pebbles,
                                                     struct scree_clump_def *clump);

/** Mass properties of the inside of a closed mesh. A mesh that is open or not oriented outwards is an error
 * that names an edge. A mesh that cuts itself is not noticed. */
SCREE_NODISCARD scree_status scree_shape_mass_mesh(const struct scree_shape_mesh *mesh,
                                                   struct scree_shape_mass *mass);

/** The shapes of the library. In two dimensions there is no tetrahedron, cube and ellipsoid. */
enum scree_shape_kind {
    SCREE_SHAPE_ROD,   /**< a row along x, from end to end `length[0]` */
    SCREE_SHAPE_DIMER, /**< two pebbles along x at the distance `length[0]` */
    SCREE_SHAPE_CROSS, /**< rows along x, y and z (x and y) with equal arms, from end to end `length[0]` */
    SCREE_SHAPE_TETRAHEDRON, /**< rows in a tetrahedron, with `length[0]` between the centres at its corners
                              */
    SCREE_SHAPE_CUBE,        /**< rows in a cube, with `length[0]` between the centres at its corners */
    SCREE_SHAPE_ELLIPSOID,   /**< spheres that touch an ellipsoid from inside; `length` are its half axes */
    SCREE_SHAPE_TRIANGLE,    /**< two dimensions: as the tetrahedron */
    SCREE_SHAPE_SQUARE,      /**< two dimensions: as the cube */
    SCREE_SHAPE_ELLIPSE,     /**< two dimensions: disks that touch an ellipse from inside */
    SCREE_SHAPE_PEBBLE,      /**< an irregular body within the radius `radius`, from random numbers */
    SCREE_SHAPE_KINDS
};

/** A shape of the library; its axes are those of symmetry, and its centre of symmetry is the origin. */
struct scree_shape_def {
    enum scree_shape_kind kind; /**< the shape */
    int dimension;              /**< 2 or 3 */
    size_t pebbles;             /**< number of pebbles; some shapes allow certain numbers only */
    double length[3];           /**< m, see the shapes */
    double radius;              /**< of the pebbles, m; not used by the ellipsoid and the ellipse */
    uint64_t seed;              /**< of the irregular body */
};

/** Makes a shape of the library: fills `pebble`, which has `def->pebbles` elements. */
SCREE_NODISCARD scree_status scree_shape_make(const struct scree_shape_def *def, struct scree_pebble *pebble);

/** How closely pebbles shall follow a mesh. Pebbles are added until both errors are reached, at most
 * `pebbles`. */
struct scree_shape_packing {
    size_t pebbles;       /**< most pebbles, at least 1 */
    double volume_error;  /**< wanted, see struct scree_shape_fidelity; 0 for the smallest possible */
    double surface_error; /**< wanted */
};

/** How closely pebbles follow a mesh. */
struct scree_shape_fidelity {
    double volume;  /**< |volume of the pebbles - volume of the mesh| / volume of the mesh */
    double inertia; /**< largest difference of an element of the inertia tensors about the own centres over
                       the largest element of that of the mesh, for bodies of equal mass */
    double surface; /**< largest distance of a point of the mesh from the pebbles, over the radius of the
                       sphere with the volume of the mesh; from points on all triangles */
};

/** Fills a closed mesh with overlapping spheres that touch it from inside. `pebble` has `wanted->pebbles`
 * elements, and `pebbles` receives the number used. Each next sphere is the one that covers most of the
 * volume that is not yet covered. */
SCREE_NODISCARD scree_status scree_shape_pack(const struct scree_shape_mesh *mesh,
                                              const struct scree_shape_packing *wanted,
                                              struct scree_pebble *pebble, size_t *pebbles,
                                              struct scree_shape_fidelity *fidelity);

#ifdef __cplusplus
}
#endif
#endif
