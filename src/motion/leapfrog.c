// Leapfrog: Woo (28), EQUATIONS 2.2 and 2.4. Velocities rest at mid-step. Order 2.
//   v+ = v- + h a,  x' = x + h v+;  a velocity given on-step starts with half a kick, v+ = v + h/2 a.
// When the step changes, the kick is the mean of the two. The on-step velocity is v = v- + h/2 a.

#include "motion/motion.h"

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped)
{
    const double h = batch->step->h, last = batch->step->last;
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes a = scree_motion_acceleration(batch, i);
        const scree_lanes c = scree_motion_damping(batch, i);
        const scree_lanes given = scree_lanes_load(batch->grain[i].velocity);
        // no half-step lies behind a velocity given on-step
        const double behind = !scree_motion_in_step(batch, i) ? last : 0;
        const scree_lanes v = scree_motion_leap(given, a, c, behind, h, damped);
        scree_motion_drift(&batch->grain[i], v, h, scree_motion_leap_in(v, a, c, h, damped) - v);
    }
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    if (batch->damping)
        move(batch, true);
    else
        move(batch, false);
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes v = scree_lanes_load(batch->grain[i].velocity);
        const scree_lanes on_step = scree_motion_leap_in(
            v, scree_motion_acceleration(batch, i), scree_motion_damping(batch, i), batch->step->last, true);
        scree_lanes_store_three(scree_motion_in_step(batch, i) ? v : on_step, out[i].velocity);
    }
}

const struct scree_motion_law scree_leapfrog = {
    .name = "leapfrog",
    .about = "mid-step velocities, the first kick halved (Woo 28): order 2",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .leaps = true,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};
