// Semi-implicit Euler: EQUATIONS 11. Velocities are on-step throughout.
//   v' = v + h (a - c v),  x' = x + h v'. Order 1; an undamped oscillator stays bounded below w h = 2
//   (EQUATIONS 11).

#include "motion/motion.h"

#include <string.h>

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        for (int k = 0; k < 3; ++k) {
            const double a = scree_motion_acceleration(batch, i, k);
            const double c = scree_motion_damping(batch, i, k);
            const double v = grain->velocity[k];
            grain->velocity[k] = v + h * (a - c * v);
            grain->position[k] += h * grain->velocity[k];
            grain->half_kick[k] = 0;
        }
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
