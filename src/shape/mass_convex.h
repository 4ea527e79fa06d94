// Mass properties of convex polyhedra and polygons with a rounding radius.

#ifndef SCREE_SHAPE_MASS_CONVEX_H
#define SCREE_SHAPE_MASS_CONVEX_H

#include "convex/convex.h"

#include <scree/shape.h>

// Of all points within `rounding` of the shape, in closed form, about its reference point. Errors are bounds
// of the round-off.
SCREE_NODISCARD scree_status scree_shape_mass_convex(const struct scree_convex *shape, double rounding,
                                                     struct scree_shape_mass *mass);

#endif
