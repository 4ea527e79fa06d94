// A body of 1 kg on a spring along x, moved by a law of translation through the engine: x'' = -k x - k3 x^3 -
// d x' + g, and the damping of the engine besides.

#ifndef SCREE_SUPPORT_OSCILLATOR_H
#define SCREE_SUPPORT_OSCILLATOR_H

#include "motion/motion.h"

#include <scree/scree.h>

struct scree_oscillator {
    double stiffness, cubic; // of the spring
    double dashpot;          // a load that follows the velocity it is shown
    double gravity;
    double position, velocity; // at the start
    struct scree_damping damping;
};

struct scree_oscillator_state {
    double position, velocity;
};

struct scree_oscillator_run {
    const char *name;                   // of a law in the list
    const struct scree_motion_law *law; // or one that is in no list
    double step;                        // the mean one
    size_t steps;
    bool uneven;                          // steps change all the time, by a pattern of three
    struct scree_oscillator_state *trace; // the state after every step, or null
};

// Where the law takes it; a failure of the run is handed on.
scree_status scree_oscillator_move(const struct scree_oscillator *oscillator,
                                   const struct scree_oscillator_run *run,
                                   struct scree_oscillator_state *out);

// Closed form without cubic term, gravity and local damping, for less than critical damping.
struct scree_oscillator_state scree_oscillator_exact(const struct scree_oscillator *oscillator, double time);

// A prediction for laws of translation that shows loads the mid-step velocity as it is.
void scree_oscillator_predict_lagged(const struct scree_motion_batch *batch, struct scree_on_step *out);

#endif
