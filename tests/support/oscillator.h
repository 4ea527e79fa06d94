// A body of 1 kg on a spring along x, moved by a scheme of translation in the engine:
// x'' = -k x - k3 x^3 - d x' + g, with the damping of the engine in addition.

#ifndef SCREE_SUPPORT_OSCILLATOR_H
#define SCREE_SUPPORT_OSCILLATOR_H

#include "motion/motion.h"

#include <scree/scree.h>

struct scree_oscillator {
    double stiffness, cubic; // of the spring
    double dashpot;          // a load proportional to the velocity, as it is predicted for loads
    double gravity;
    double position, velocity; // at the start
    struct scree_damping damping;
};

struct scree_oscillator_state {
    double position, velocity;
};

struct scree_oscillator_run {
    const char *name;                         // of a registered scheme
    const struct scree_motion_scheme *scheme; // or a scheme that is not registered
    double step;                              // the mean step
    size_t steps;
    bool uneven;                          // steps vary in a repeating pattern of three
    struct scree_oscillator_state *trace; // the state after every step, or null
};

// Runs the scheme; returns the status of the run.
scree_status scree_oscillator_move(const struct scree_oscillator *oscillator,
                                   const struct scree_oscillator_run *run,
                                   struct scree_oscillator_state *out);

// Closed form without cubic term, gravity and local damping, for damping below critical.
struct scree_oscillator_state scree_oscillator_exact(const struct scree_oscillator *oscillator, double time);

// A prediction for schemes of translation that gives loads the mid-step velocity unchanged.
void scree_oscillator_predict_lagged(const struct scree_motion_batch *batch, struct scree_on_step *out);

#endif
