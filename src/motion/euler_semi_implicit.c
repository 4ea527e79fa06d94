// Semi-implicit Euler: EQUATIONS 11. Velocities are on-step throughout.
//   v' = v + h (a - c v),  x' = x + h v'. Order 1; an undamped oscillator stays bounded below w h = 2
//   (EQUATIONS 11).

#include "motion/motion.h"

#include <string.h>

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const scree_lanes a = scree_motion_acceleration(batch, i);
        const scree_lanes v = scree_lanes_load(grain->velocity);
        const scree_lanes next = v + scree_lanes_all(h) * (a - scree_motion_damping(batch, i) * v);
        scree_lanes_store(next, grain->velocity);
        scree_lanes_store(scree_motion_drifted(grain, next, h), grain->position);
        scree_lanes_store_floats(scree_lanes_all(0), grain->half_kick);
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i)
        memcpy(out[i].velocity, batch->grain[i].velocity, sizeof out[i].velocity);
}

const struct scree_motion_law scree_euler_semi_implicit = {
    .name = "euler-semi-implicit",
    .about = "velocity first, then place: order 1, stable for oscillators",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_ON_STEP,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};
