// Shapes of convex polyhedra. The edges and corners of a shape may be rounded; its faces stay where they are.
#ifndef SCREE_POLYHEDRON_SHAPE_H
#define SCREE_POLYHEDRON_SHAPE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A convex polyhedron, in two dimensions a convex polygon: the hull of its vertices. */
struct scree_polyhedron_shape_def {
    const double (*vertex)[3]; /**< m, in axes of your choice; copied */
    size_t vertices;           /**< at least 4, of a polygon 3; none may be inside the hull of the others */
    double vertex_error; /**< largest error of the coordinates, m: faces in one plane within it are one face;
                            0: 1e-12 of the largest coordinate */
    double rounding; /**< radius of rounded edges and corners, m. Laws such as hertz, which need a radius of
                        curvature, need one above 0. Several times the largest overlap is best */
};

/** Adds a shape; `id` (not null) receives its id. In two dimensions z of the vertices is 0. */
SCREE_NODISCARD scree_status scree_polyhedron_add_shape(struct scree_world *world,
                                                        const struct scree_polyhedron_shape_def *def,
                                                        scree_shape_id *id);

/** Adds a box with edges of these lengths, m, along the axes, with the given radius of rounded edges. In two
 * dimensions it is a rectangle, and the third length is 0. */
SCREE_NODISCARD scree_status scree_polyhedron_add_box(struct scree_world *world, const double length[3],
                                                      double rounding, scree_shape_id *id);

#ifdef __cplusplus
}
#endif
#endif
