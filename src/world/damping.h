// Check of damping coefficients, for the engine's and for those of a body.

#ifndef SCREE_WORLD_DAMPING_H
#define SCREE_WORLD_DAMPING_H

#include "base/status.h"

#include <scree/body.h>

SCREE_NODISCARD static inline scree_status scree_damping_check(const struct scree_damping *damping)
{
    if (!(damping->local >= 0 && damping->local < 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "local damping must be in [0, 1); got %g",
                                 damping->local);
    if (!(damping->viscous >= 0 && damping->viscous <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "viscous damping must be from 0 to 1e150 1/s; got %g",
                                 damping->viscous);
    return SCREE_OK;
}

#endif
