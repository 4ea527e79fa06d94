// The elementary functions, in place of libm, whose bits depend on the machine: scree_sin, scree_cos,
// scree_sincos, scree_asin and scree_acos in trigonometry.h.
#ifndef SCREE_MATH_ELEMENTARY_H
#define SCREE_MATH_ELEMENTARY_H

#include "math/trigonometry.h"

#endif
