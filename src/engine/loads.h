// Evaluation of the loads on bodies, at point 45 of a step and at mid-step for integration schemes that need
// it.
//
// Invariant: the loads on a body are added in order of registration, for any thread and any block. A
// function that is not declared thread-safe is called only by the thread that runs the step.

#ifndef SCREE_ENGINE_LOADS_H
#define SCREE_ENGINE_LOADS_H

#include "base/array.h"
#include "engine/mover.h"

enum scree_loads_when {
    SCREE_LOADS_PREDICTED, // with predicted on-step motion, for all bodies
    SCREE_LOADS_OUTDATED,  // with the present on-step motion, for bodies whose force is outdated
    SCREE_LOADS_MID_STEP   // in the middle of the current step, for all bodies
};

// A load on a single body: the slot of the body, and 1 + the index of the next such load in the same block,
// 0 for none.
struct scree_loads_single {
    uint32_t slot, next;
};

// The loads of each block of bodies, and the first failure of a load function.
struct scree_loads {
    SCREE_ARRAY(uint32_t) general;                   // indices of the loads on all bodies
    SCREE_ARRAY(uint32_t) head;                      // by block: 1 + the index of its first single load
    SCREE_ARRAY(struct scree_loads_single) single;   // by load
    SCREE_ARRAY(struct scree_force_moment) constant; // the constant loads on all bodies
    enum scree_loads_when when;
    double time;          // at which loads are evaluated
    atomic_flag lock;     // of the three members below
    scree_status status;  // of the first load that failed
    size_t failed;        // its index
    char diagnostic[256]; // its error message
};

// The first returns true if some load is a function, the second if all functions are thread-safe.
bool scree_loads_have_functions(const struct scree_world *world);
bool scree_loads_are_threaded(const struct scree_world *world);

// Forces and moments that loads are added to: pointers to those of the first body, and the distance in
// doubles to those of the next.
struct scree_loads_sum {
    double *force, *moment;
    size_t stride;
};

static inline struct scree_loads_sum scree_loads_of_pending(struct scree_force_moment *sum)
{
    return (struct scree_loads_sum){sum->force, sum->moment, sizeof *sum / sizeof(double)};
}

static inline struct scree_loads_sum scree_loads_of_wrenches(struct scree_wrench *wrench)
{
    return (struct scree_loads_sum){wrench->force, wrench->moment, sizeof *wrench / sizeof(double)};
}

// begin prepares the evaluation for the present loads and bodies; end returns the error of a failed function.
SCREE_NODISCARD scree_status scree_loads_begin(struct scree_loads *loads, const struct scree_world *world,
                                               enum scree_loads_when when, double time);
SCREE_NODISCARD scree_status scree_loads_end(struct scree_loads *loads, const struct scree_world *world);
void scree_loads_free(struct scree_loads *loads);

// Adds the loads on a block of bodies, on the calling thread. On-step motion is predicted from the forces in
// `wrench`, which must not be the sums.
void scree_loads_add_block(struct scree_loads *loads, const struct scree_mover *mover, size_t first,
                           size_t count, struct scree_wrench *wrench, struct scree_loads_sum sum);

// Adds the loads on all bodies, on the thread team if the functions are thread-safe; `load` has a row for
// each body.
void scree_loads_add(struct scree_loads *loads, const struct scree_mover *mover,
                     struct scree_force_moment *load);

// Returns true if the loads on a block are exactly those of loads->constant.
bool scree_loads_are_constant(const struct scree_loads *loads, size_t first);

#endif
