// Mass properties of bodies made of spheres and convex polyhedra.

#ifndef SCREE_SHAPE_MASS_PARTS_H
#define SCREE_SHAPE_MASS_PARTS_H

#include "convex/convex.h"
#include "math/mat3.h"
#include "world/records.h"

#include <scree/shape.h>

// A part of a body: a sphere, or a polyhedron with its row and its core about the centre of mass, along the
// principal axes.
struct scree_shape_part {
    struct scree_vec3 centre;        // of mass
    double radius;                   // of a sphere
    const struct scree_shape *shape; // null for a sphere, like the core
    const struct scree_convex *core;
    struct scree_mat3 axes; // from those of the core
};

// Of the union of all parts. Spheres may overlap each other; a polyhedron that overlaps another part is an
// error that names both, or counts twice if `twice`.
SCREE_NODISCARD scree_status scree_shape_mass_parts(const struct scree_shape_part *part, size_t parts,
                                                    bool twice, struct scree_shape_mass *mass);

#endif
