// Euler's methods: EQUATIONS 11. Velocities are on-step throughout. Order 1.
//   euler                explicit (Bagi): x' = x + h v,  v' = v + h (a - c v), all of step n. Each step
//                        multiplies the amplitude of an undamped oscillator by sqrt(1 + (w h)^2): unstable
//                        at any step (errata 75), so it is refused for bodies that touch.
//   euler-semi-implicit  v' = v + h (a - c v),  x' = x + h v': stable for an undamped oscillator below
//                        w h = 2.

#include "motion/motion.h"

#include <string.h>

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool explicit)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const scree_lanes a = scree_motion_acceleration(batch, i);
        const scree_lanes v = scree_lanes_load(grain->velocity);
        const scree_lanes next = v + scree_lanes_all(h) * (a - scree_motion_damping(batch, i) * v);
        scree_lanes_store(scree_motion_drifted(grain, explicit ? v : next, h), grain->position);
        scree_lanes_store(next, grain->velocity);
        scree_lanes_store_floats(scree_lanes_all(0), grain->half_kick);
    }
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    move(batch, true);
}

SCREE_MOTION_WIDE static void advance_semi_implicit(const struct scree_motion_batch *batch)
{
    move(batch, false);
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i)
        memcpy(out[i].velocity, batch->grain[i].velocity, sizeof out[i].velocity);
}

const struct scree_motion_scheme scree_euler = {
    .name = "euler",
    .about = "explicit Euler (Bagi): order 1, not for bodies that touch",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_ON_STEP,
    .advance = advance,
    .complete = complete,
};

const struct scree_motion_scheme scree_euler_semi_implicit = {
    .name = "euler-semi-implicit",
    .about = "semi-implicit Euler, velocity first, then position: order 1, stable for oscillators",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_ON_STEP,
    .contacts = true,
    .advance = advance_semi_implicit,
    .complete = complete,
};
