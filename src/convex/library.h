// Library of convex shapes. The reference point of each is its centre of mass.

#ifndef SCREE_CONVEX_LIBRARY_H
#define SCREE_CONVEX_LIBRARY_H

#include "convex/convex.h"

enum scree_convex_kind {
    SCREE_CONVEX_CUBE,         // `length[0]`: edge
    SCREE_CONVEX_BOX,          // `length`: edges along x, y, z
    SCREE_CONVEX_TETRAHEDRON,  // regular, `length[0]`: edge
    SCREE_CONVEX_OCTAHEDRON,   // the same
    SCREE_CONVEX_DODECAHEDRON, // the same
    SCREE_CONVEX_ICOSAHEDRON,  // the same
    SCREE_CONVEX_PRISM,        // along z; `sides` corners at the distance `length[0]` from the axis; height
                               // length[1]
    SCREE_CONVEX_POLYGON,      // two dimensions: regular, `sides` corners at the distance `length[0]`
    SCREE_CONVEX_RECTANGLE,    // two dimensions: `length`: edges along x, y
    SCREE_CONVEX_KINDS
};

struct scree_convex_def {
    enum scree_convex_kind kind;
    double length[3]; // m
    uint32_t sides;   // of prisms and polygons
};

SCREE_NODISCARD scree_status scree_convex_library(const struct scree_convex_def *def,
                                                  struct scree_convex *shape);

#endif
