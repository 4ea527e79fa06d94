// Round bodies in one pass, see round.h: one body per lane of a register; records are transposed to columns
// and back. EQUATIONS 2.1, 2.3, 2.4 and 3, with the bits of velocity_verlet.c and spherical.c; sums as in
// contact/sums.inc, accounts as in engine/account.c.

// functions that are not forced inline are called from the loops for the widest registers
#define SCREE_FN static inline __attribute__((always_inline))

#include "motion/round.h"

#include "base/processor.h"
#include "math/quat.h"

#include <scree/kernel.h>

#include <assert.h>
#include <string.h>

// Options of a pass, compile-time constants of one loop for each combination.
struct parts {
    bool accounts, local, viscous, flow;
};

// Rotates the orientation in lane `l` of columns, as spherical.c.
static inline __attribute__((always_inline)) void turn_lane(const double *restrict turn, double *restrict q,
                                                            size_t lanes, size_t l, bool small)
{
    const struct scree_vec3 t = {turn[l], turn[lanes + l], turn[2 * lanes + l]};
    const struct scree_quat old = {q[l], q[lanes + l], q[2 * lanes + l], q[3 * lanes + l]};
    const struct scree_quat now =
        scree_quat_normalise(scree_quat_product(small ? scree_quat_exp_small(t) : scree_quat_exp(t), old));
    q[l] = now.w;
    q[lanes + l] = now.x;
    q[2 * lanes + l] = now.y;
    q[3 * lanes + l] = now.z;
}

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
