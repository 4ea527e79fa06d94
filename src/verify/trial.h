// A trial: the world in which a case runs, often with a single body, under given loads and integration
// schemes.
//
// Invariant: a trial has at most one world, and frees it at the end of the case or before it makes the next
// one.

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
    struct scree_report *report;
    const char *name; // name and data of the row of the case
    const void *data;
    struct scree_world *world;
    struct scree_engine *engine;
    scree_body_id body;                // the body that was added last
    scree_wall_id wall;                // the wall that was added last
    scree_material_id material, rigid; // of balls and of walls, see balls.h
    double density;                    // of balls
    bool clumps; // single bodies get two pebbles, and balls are added as clumps of one pebble
    double mesh; // planes are disks of triangles with this radius, m; 0: they are planes
};

// Frees the world and the engine.
void scree_trial_clear(struct scree_trial *trial);

// Makes an empty world.
SCREE_NODISCARD scree_status scree_trial_world(struct scree_trial *trial, const struct scree_world_def *def);

// Makes a world with one rigid body, or a clump of the same mass and motion, or if `is_sphere`, with a sphere
// of 0.5 m radius and the same mass and motion.
SCREE_NODISCARD scree_status scree_trial_body(struct scree_trial *trial, bool is_sphere,
                                              const struct scree_rigid_def *def);

// Adds a sphere of the material of the trial, in two dimensions a disk of thickness 1.
SCREE_NODISCARD scree_status scree_trial_add_round(struct scree_trial *trial, double radius,
                                                   const double position[3], unsigned fixed);

// Adds a user load on all bodies; the caller owns `user`.
SCREE_NODISCARD scree_status scree_trial_load(struct scree_trial *trial, scree_load_function *function,
                                              const void *user);

// The load function of a lever; `user` is a struct scree_trial_lever.
scree_status scree_trial_lever(void *user, const struct scree_load_batch *batch);

// Adds a constant force and moment on the body that `def` names, or on all bodies if it names none.
SCREE_NODISCARD scree_status scree_trial_constant_load(struct scree_trial *trial,
                                                       const struct scree_load_def *def);

// Creates the engine, on one thread.
SCREE_NODISCARD scree_status scree_trial_start(struct scree_trial *trial, const struct scree_soft_def *def);

// Runs steps and gets the state of the body.
SCREE_NODISCARD scree_status scree_trial_run(struct scree_trial *trial, uint64_t steps,
                                             struct scree_body_state *state);

// Gets the states of `count` bodies in order of creation, which is the order of ids.
SCREE_NODISCARD scree_status scree_trial_states(const struct scree_trial *trial, uint64_t count,
                                                struct scree_body_state *states);

#endif
