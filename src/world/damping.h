// Damping coefficients: the check that the engine's and a body's own share.

#ifndef SCREE_WORLD_DAMPING_H
#define SCREE_WORLD_DAMPING_H

#include "base/status.h"

#include <scree/body.h>

SCREE_NODISCARD static inline scree_status scree_damping_check(const struct scree_damping *damping)
{
    if (!(damping->local >= 0 && damping->local < 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "local damping lies in [0, 1); got %g",
                                 damping->local);
    if (!(damping->viscous >= 0 && damping->viscous <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "viscous damping is a rate in 1/s and not negative; got %g",
                                 damping->viscous);
    return SCREE_OK;
}

#endif
