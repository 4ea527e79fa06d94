// Range checks of the numbers that define a body: finite, and small enough that squares do not overflow.

#ifndef SCREE_WORLD_CHECK_H
#define SCREE_WORLD_CHECK_H

#include "base/status.h"

SCREE_NODISCARD static inline scree_status scree_check_numbers(const char *what, const double *v, int count)
{
    for (int k = 0; k < count; ++k)
        if (!(v[k] >= -1e150 && v[k] <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the %s of a body must be finite and at most 1e150 in magnitude; component %d is %g", what, k,
                v[k]);
    return SCREE_OK;
}

SCREE_NODISCARD static inline scree_status scree_check_positive(const char *what, double value)
{
    if (value >= 1e-150 && value <= 1e150)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the %s of a body must be positive, from 1e-150 to 1e150; got %g%s", what, value,
                             value == 0 ? " (zero, or not given)" : "");
}

#endif
