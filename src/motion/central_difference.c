// Central differences: Bagi, with the start of errata 73. Velocities rest at mid-step from the outset.
// Order 2.
//   start v- = v - h/2 a, so that the velocity given is the mean of its neighbours; then v+ = v- + h a, x' =
//   x + h v+.
// The document's start, v- := v, is of order 1. Damping enters as in a leapfrog (EQUATIONS 2.3), which the
// method is from its second step on.

#include "motion/motion.h"

// the mid-step velocity half a step before an on-step one, damping included: undoes scree_motion_leap_in
static inline double step_back(double v, double a, double c, double h)
{
    return (1 + 0.5 * h * c) * v - 0.5 * h * a;
}

static inline __attribute__((always_inline)) void move(const struct scree_motion_batch *batch,
                                                       bool as_document)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const bool starts = scree_motion_in_step(batch, i);
        for (int k = 0; k < 3; ++k) {
            const double a = scree_motion_acceleration(batch, i, k);
            const double c = scree_motion_damping(batch, i, k);
            const double given = grain->velocity[k];
            const double before = starts && !as_document ? step_back(given, a, c, h) : given;
            const double v = scree_motion_leap(before, a, c, starts ? h : batch->step->last, h);
            grain->velocity[k] = v;
            grain->position[k] += h * v;
            grain->half_kick[k] = (float)(scree_motion_leap_in(v, a, c, h) - v);
        }
    }
}

static void advance(const struct scree_motion_batch *batch)
{
    move(batch, false);
}

static void advance_as_document(const struct scree_motion_batch *batch)
{
    move(batch, true);
}

// the mean of the two mid-step velocities around the step
static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    const double last = batch->step->last;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double v = batch->grain[i].velocity[k];
            const double next = scree_motion_leap(v, scree_motion_acceleration(batch, i, k),
                                                  scree_motion_damping(batch, i, k), last, last);
            out[i].velocity[k] = scree_motion_in_step(batch, i) ? v : 0.5 * (v + next);
        }
}

const struct scree_motion_law scree_central_difference = {
    .name = "central-difference",
    .about = "central differences with half a step back to start (Bagi, corrected): order 2",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .leaps = true,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};

const struct scree_motion_law scree_central_difference_document = {
    .name = "central-difference-document",
    .about = "central differences with the start of the document (Bagi): order 1, for comparison",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .leaps = true,
    .contacts = true,
    .advance = advance_as_document,
    .complete = complete,
};
