// Leapfrogs: velocities at mid-step. Order 2. When the step changes, a kick uses the mean of both steps.
//   leapfrog            Woo (28), EQUATIONS 2.2 and 2.4: v+ = v- + h a,  x' = x + h v+. From an on-step
//                       velocity the first kick is a half-kick, v+ = v + h/2 a. The on-step velocity is
//                       v = v- + h/2 a.
//   central-difference  Bagi, started as in errata 73: v- = v - h/2 a, so that the initial velocity is the
//                       mean of its two mid-step velocities, as every on-step velocity; then the same steps.
// Damping as in EQUATIONS 2.3.

#include "motion/motion.h"

// the mid-step velocity half a step before an on-step one: the inverse of scree_motion_leapfrog_in
SCREE_MOTION_INLINE scree_lanes step_back(scree_lanes v, scree_lanes a, scree_lanes c, double h)
{
    const scree_lanes half = scree_lanes_all(0.5 * h);
    return (1 + half * c) * v - half * a;
}

// `back`: an on-step velocity is first taken half a step back
SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped, bool back)
{
    const double h = batch->step->h, last = batch->step->last;
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes a = scree_motion_acceleration(batch, i);
        const scree_lanes c = scree_motion_damping(batch, i);
        const scree_lanes v_before = scree_lanes_load(batch->grain[i].velocity);
        const bool starts = scree_motion_is_on_step(batch, i);
        const scree_lanes v_half = starts && back ? step_back(v_before, a, c, h) : v_before;
        // an on-step velocity needs no second half of the last kick
        const double previous = !starts ? last : back ? h : 0;
        const scree_lanes v = scree_motion_leapfrog(v_half, a, c, previous, h, damped);
        scree_motion_drift(&batch->grain[i], v, h, scree_motion_leapfrog_in(v, a, c, h, damped) - v);
    }
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    if (batch->damping)
        move(batch, true, false);
    else
        move(batch, false, false);
}

SCREE_MOTION_WIDE static void advance_central(const struct scree_motion_batch *batch)
{
    if (batch->damping)
        move(batch, true, true);
    else
        move(batch, false, true);
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes v = scree_lanes_load(batch->grain[i].velocity);
        const scree_lanes on_step = scree_motion_leapfrog_in(
            v, scree_motion_acceleration(batch, i), scree_motion_damping(batch, i), batch->step->last, true);
        scree_lanes_store_three(scree_motion_is_on_step(batch, i) ? v : on_step, out[i].velocity);
    }
}

// the mean of the two mid-step velocities around the step
static void complete_central(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    const double last = batch->step->last;
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes v = scree_lanes_load(batch->grain[i].velocity);
        const scree_lanes next = scree_motion_leapfrog(v, scree_motion_acceleration(batch, i),
                                                       scree_motion_damping(batch, i), last, last, true);
        scree_lanes_store_three(scree_motion_is_on_step(batch, i) ? v : 0.5 * (v + next), out[i].velocity);
    }
}

const struct scree_motion_scheme scree_leapfrog = {
    .name = "leapfrog",
    .about = "mid-step velocities, first kick halved (Woo 28): order 2",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .leapfrog = true,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};

const struct scree_motion_scheme scree_leapfrog_central = {
    .name = "central-difference",
    .about = "central differences with half a step back to start (Bagi, corrected): order 2",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .leapfrog = true,
    .contacts = true,
    .advance = advance_central,
    .complete = complete_central,
};
