// Shapes of polyhedra before they belong to a world, see include/scree/polyhedron_shape.h.

#ifndef SCREE_SHAPE_POLYHEDRON_H
#define SCREE_SHAPE_POLYHEDRON_H

#include "convex/convex.h"
#include "world/records.h"

#include <scree/polyhedron_shape.h>

// Makes the hull of the given points, all of which must be its vertices; `error` receives the largest error
// of their coordinates.
SCREE_NODISCARD scree_status scree_shape_polyhedron_hull(int dimension,
                                                         const struct scree_polyhedron_shape_def *def,
                                                         struct scree_convex *body, double *error);

// Makes a shape of a convex body: `body` becomes its core about the centre of mass, of which the vertices are
// along the principal axes, and `shape` its row without the numbers of vertices and what follows from the
// hull. Free the body also after a failure.
SCREE_NODISCARD scree_status scree_shape_polyhedron(struct scree_convex *body, double error, double rounding,
                                                    struct scree_shape *shape);

#endif
