// Round bodies in one pass, see round.h: one body per lane of a register; records are transposed to columns
// and back. EQUATIONS 2.1, 2.3, 2.4 and 3, with the bits of velocity_verlet.c and spherical.c; sums as in
// contact/sums.inc, accounts as in engine/account.c.

#include "motion/round.h"

#include "base/processor.h"

#include <scree/kernel.h>

#include <assert.h>
#include <string.h>

// Options of a pass, compile-time constants of one loop for each combination.
struct parts {
    bool accounts, local, viscous;
};

#define SCREE_KERNEL_BODY "motion/round.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

typedef void advance(struct scree_round *round);

static advance *const sets[SCREE_KERNEL_SETS] = {
    scree_kernel_advance_v2,
#if SCREE_WIDE_SETS
    scree_kernel_advance_v3,
    scree_kernel_advance_v4,
#endif
};

// whole records are loaded at once
#define IS_WHOLE(records) ((uintptr_t)(records) % 64 == 0)

void scree_round_advance(struct scree_round *round)
{
    assert(round->count <= SCREE_ROUND_MAX_BODIES && (round->sum || !round->accounts));
    assert(IS_WHOLE(round->grain) && IS_WHOLE(round->wrench) && IS_WHOLE(round->sum) &&
           IS_WHOLE(round->loss));
    sets[scree_processor_set()](round);
}
