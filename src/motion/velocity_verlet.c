// Velocity Verlet, kick-drift-kick: PFC (2)-(4), EQUATIONS 2.1, with viscous damping as in 2.4. Order 2.
//   v+ = v + h/2 a,  x' = x + h v+,  and, when the forces of the next step are known, v' = v+ + h/2 a'.
// The last line is the pending half-kick: it is done at point 0 of the next step, or when the run ends.

#include "motion/motion.h"

static inline double completed(const struct scree_motion_batch *batch, size_t i, int k, double a)
{
    const double v = batch->grain[i].velocity[k];
    const double pending = scree_motion_kick_in(v, a, scree_motion_damping(batch, i, k), batch->step->last);
    return scree_motion_in_step(batch, i) ? v : pending;
}

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        for (int k = 0; k < 3; ++k) {
            const double a = scree_motion_acceleration(batch, i, k);
            const double c = scree_motion_damping(batch, i, k);
            const double v = scree_motion_kick_out(completed(batch, i, k, a), a, c, h);
            grain->velocity[k] = v;
            grain->position[k] += h * v;
            grain->half_kick[k] = (float)(scree_motion_kick_in(v, a, c, h) - v);
        }
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            out[i].velocity[k] = completed(batch, i, k, scree_motion_acceleration(batch, i, k));
}

const struct scree_motion_law scree_velocity_verlet = {
    .name = "velocity-verlet",
    .about = "kick, drift, kick (PFC 2-4): order 2, velocities on-step between steps",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};
