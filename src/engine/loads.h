// Evaluating the world's loads, at point 45 and wherever else a law of motion wants them.
//
// What always holds: a body gets its loads in order of registration, whoever evaluates them and in which
// blocks. A function that is not said to bear threads is called by the thread that runs the step alone.

#ifndef SCREE_ENGINE_LOADS_H
#define SCREE_ENGINE_LOADS_H

#include "base/array.h"
#include "engine/mover.h"

enum scree_loads_when {
    SCREE_LOADS_AHEAD, // with predicted on-step motion, for all bodies
    SCREE_LOADS_NOW,   // with the on-step motion there is, for bodies whose force is outdated
    SCREE_LOADS_MIDDLE // in the middle of the step under way, for all bodies
};

// A load on a single body: its slot, and one more than the number of the next load in its block, 0 for none.
struct scree_loads_single {
    uint32_t slot, next;
};

// Which loads act on which block of bodies, and what became of the functions among them.
struct scree_loads {
    SCREE_ARRAY(uint32_t) general;                   // loads on all bodies
    SCREE_ARRAY(uint32_t) head;                      // by block: one more than the number of its first load
    SCREE_ARRAY(struct scree_loads_single) single;   // by load
    SCREE_ARRAY(struct scree_force_moment) constant; // what those on all bodies give where none is a function
    enum scree_loads_when when;
    double time;          // for which loads are evaluated
    atomic_flag telling;  // held by the thread that tells of a failure
    scree_status status;  // of the first load that failed
    size_t failed;        // its number
    char diagnostic[256]; // and what it said
};

// Whether some load is a function, and whether threads may call all that are.
bool scree_loads_call(const struct scree_world *world);
bool scree_loads_bear_threads(const struct scree_world *world);

// Where the sums of a block of bodies lie: force and moment of each, `stride` numbers from one to the next.
struct scree_loads_sum {
    double *force, *moment;
    size_t stride;
};

static inline struct scree_loads_sum scree_loads_of_pending(struct scree_force_moment *push)
{
    return (struct scree_loads_sum){push->force, push->moment, sizeof *push / sizeof(double)};
}

static inline struct scree_loads_sum scree_loads_of_wrenches(struct scree_wrench *wrench)
{
    return (struct scree_loads_sum){wrench->force, wrench->moment, sizeof *wrench / sizeof(double)};
}

// Gets ready for the loads and bodies that there are now, and tells whether a function has failed since.
SCREE_NODISCARD scree_status scree_loads_begin(struct scree_loads *loads, const struct scree_world *world,
                                               enum scree_loads_when when, double time);
SCREE_NODISCARD scree_status scree_loads_end(struct scree_loads *loads, const struct scree_world *world);
void scree_loads_free(struct scree_loads *loads);

// Adds what the loads give a block of bodies, on the calling thread. On-step motion is predicted from the
// forces in `wrench`, where the sums must not lie.
void scree_loads_add_block(struct scree_loads *loads, const struct scree_mover *mover, size_t first,
                           size_t count, struct scree_wrench *wrench, struct scree_loads_sum sum);

// The same for all bodies, on the team where functions allow it; `push`: a row for each body.
void scree_loads_add(struct scree_loads *loads, const struct scree_mover *mover,
                     struct scree_force_moment *push);

// Whether the loads on a block are constant ones on all bodies alone, or none: those of loads->constant.
bool scree_loads_are_constant(const struct scree_loads *loads, size_t first);

#endif
