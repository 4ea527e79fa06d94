// Couples of members, see couples.h.

#include "event/couples.h"

#include "base/processor.h"
#include "event/advance.h"

#include <scree/kernel.h>

#define SCREE_KERNEL_BODY "event/couples.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

scree_event_couples_look *scree_event_couples_set(void)
{
    static scree_event_couples_look *const sets[SCREE_KERNEL_SETS] = {
        scree_kernel_look_v2,
#if SCREE_WIDE_SETS
        scree_kernel_look_v3,
        scree_kernel_look_v4,
#endif
    };
    return sets[scree_processor_set()];
}
