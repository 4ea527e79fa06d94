// A convex polyhedron that is cut by planes: for Voronoi cells, and for shapes given by planes.

#ifndef SCREE_CONVEX_CELL_H
#define SCREE_CONVEX_CELL_H

#include "convex/convex.h"
#include "convex/wrap.h"

#include <stdbool.h>

// Each face has the number of the plane that made it. Vertices are shared by faces, so a cut keeps the
// arrangement whatever the round-off; heights up to `tolerance` count as 0.
struct scree_convex_cell {
    struct scree_vec3 *vertex;
    size_t vertices, vertex_capacity;
    struct scree_convex_loops loops;
    uint32_t *plane; // of each face
    size_t plane_capacity;
    double tolerance;
    // work space of a cut
    struct scree_convex_cell_work *work;
};

// Begins with a box, whose faces have the number UINT32_MAX.
SCREE_NODISCARD scree_status scree_convex_cell_box(struct scree_vec3 lower, struct scree_vec3 upper,
                                                   struct scree_convex_cell *cell);

// Keeps what is below a plane. The cell may become empty: it then has no vertices.
SCREE_NODISCARD scree_status scree_convex_cell_cut(struct scree_convex_cell *cell, struct scree_vec3 normal,
                                                   double offset, uint32_t plane);

// The square of the largest distance of a vertex from the origin.
double scree_convex_cell_reach(const struct scree_convex_cell *cell);

SCREE_NODISCARD scree_status scree_convex_cell_shape(const struct scree_convex_cell *cell,
                                                     struct scree_convex *shape);
// The top of a cell that is a prism along z, of which all vertices are at one height or the opposite one, as
// a polygon in the plane z = 0.
SCREE_NODISCARD scree_status scree_convex_cell_top(const struct scree_convex_cell *cell,
                                                   struct scree_convex *shape);
void scree_convex_cell_free(struct scree_convex_cell *cell);

// The part of a polyhedron at least `depth` below all of its faces. Rounded with the radius `depth` its faces
// are those of the polyhedron. Fails if nothing is left.
SCREE_NODISCARD scree_status scree_convex_erode(const struct scree_convex *shape, double depth,
                                                struct scree_convex *eroded);

#endif
