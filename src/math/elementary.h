// Elementary functions, used instead of libm, whose results depend on the machine: scree_sin, scree_cos,
// scree_sincos, scree_asin, scree_acos (trigonometry.h), scree_exp, scree_log, scree_pow and scree_cbrt
// (power.h).
#ifndef SCREE_MATH_ELEMENTARY_H
#define SCREE_MATH_ELEMENTARY_H

#include "math/power.h"
#include "math/trigonometry.h"

#endif
