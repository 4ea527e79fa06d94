// Velocity Verlet and `spherical` at once, for round bodies that nothing damps and whose orientation nobody
// follows, eight at a time; see velocity_verlet.c and spherical.c, whose bits these are. EQUATIONS 2.1 and 3.

#include "motion/round.h"

#include "base/processor.h"

#include <scree/kernel.h>

#include <assert.h>

#define SCREE_KERNEL_BODY "motion/round.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

typedef void advance(const struct scree_motion_batch *batch);

static advance *const sets[SCREE_KERNEL_SETS] = {
    scree_kernel_advance_v2,
#if defined __x86_64__
    scree_kernel_advance_v3,
    scree_kernel_advance_v4,
#endif
};

void scree_round_advance(const struct scree_motion_batch *batch)
{
    // whole records are read at once
    assert((uintptr_t)batch->grain % 64 == 0 && (uintptr_t)batch->wrench % 64 == 0);
    sets[scree_processor_set()](batch);
}
