// A trial: a single body in its own world, under the loads of the reference cases, with given laws of motion.

#ifndef SCREE_VERIFY_TRIAL_H
#define SCREE_VERIFY_TRIAL_H

#include <scree/scree.h>

// A force that acts at a point of the body, and a drag on its spin: moment = R(q) arm x force - drag spin.
struct scree_trial_lever {
    double arm[3];   // m, body axes
    double force[3]; // N, world axes
    double drag;     // N m s
};

struct scree_trial {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_body_id body;
};

// Frees a trial; valid also after a failure, or if it was never started.
void scree_trial_end(struct scree_trial *trial);

// Adds a user load on all bodies; the caller owns `user`.
SCREE_NODISCARD scree_status scree_trial_load(struct scree_trial *trial, scree_load_function *function,
                                              const void *user);

// The load function of a lever, which is its `user`.
scree_status scree_trial_lever(void *user, const struct scree_load_batch *batch);

// Makes a world with a sphere of this mass and radius, with its orientation. `trial` must be zeroed before.
SCREE_NODISCARD scree_status scree_trial_sphere(struct scree_trial *trial, double mass,
                                                const struct scree_sphere_def *def);

// Makes a world with a rigid body.
SCREE_NODISCARD scree_status scree_trial_rigid(struct scree_trial *trial, const struct scree_rigid_def *def);

// Creates the engine, on one thread.
SCREE_NODISCARD scree_status scree_trial_start(struct scree_trial *trial, const struct scree_soft_def *def);

// Runs steps and gets the state of the body.
SCREE_NODISCARD scree_status scree_trial_run(struct scree_trial *trial, uint64_t steps,
                                             struct scree_body_state *state);

#endif
