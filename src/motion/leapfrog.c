// Leapfrog: Woo (28), EQUATIONS 2.2 and 2.4. Velocities rest at mid-step. Order 2.
//   v+ = v- + h a,  x' = x + h v+;  a velocity given on-step starts with half a kick, v+ = v + h/2 a.
// Without that adjustment the given velocity counts as v-, which is of order 1 (errata 73). When the step
// changes, the kick is the mean of the two. The on-step velocity is v = v- + h/2 a.

#include "motion/motion.h"

static inline __attribute__((always_inline)) void move(const struct scree_motion_batch *batch, bool adjust)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const bool starts = scree_motion_in_step(batch, i);
        for (int k = 0; k < 3; ++k) {
            const double a = scree_motion_acceleration(batch, i, k);
            const double c = scree_motion_damping(batch, i, k);
            const double given = grain->velocity[k];
            const double start =
                adjust ? scree_motion_leap_out(given, a, c, h) : scree_motion_leap(given, a, c, h, h);
            const double v = starts ? start : scree_motion_leap(given, a, c, batch->step->last, h);
            grain->velocity[k] = v;
            grain->position[k] += h * v;
            grain->half_kick[k] = (float)(scree_motion_leap_in(v, a, c, h) - v);
        }
    }
}

static void advance(const struct scree_motion_batch *batch)
{
    move(batch, true);
}

static void advance_unadjusted(const struct scree_motion_batch *batch)
{
    move(batch, false);
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double v = batch->grain[i].velocity[k];
            const double on_step = scree_motion_leap_in(v, scree_motion_acceleration(batch, i, k),
                                                        scree_motion_damping(batch, i, k), batch->step->last);
            out[i].velocity[k] = scree_motion_in_step(batch, i) ? v : on_step;
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

const struct scree_motion_law scree_leapfrog_unadjusted = {
    .name = "leapfrog-unadjusted",
    .about = "leapfrog that takes given velocities for mid-step ones (Woo without adjVel0): order 1 from its "
             "start",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .leaps = true,
    .contacts = true,
    .advance = advance_unadjusted,
    .complete = complete,
};
