// The schedule of a run: records, and changes of the world between two steps.
//
// Invariant: an item that is due at a time is processed after the first step that ends at or after that time,
// up to rounding (base/instant.h); an item that is due at a step number is processed after that step. Reports
// and restarts do not change this. Items that are due together are processed in the order of `enum
// scree_schedule_order`, and those of one kind in the order in which they were added.

#ifndef SCREE_RUN_SCHEDULE_H
#define SCREE_RUN_SCHEDULE_H

#include "base/array.h"

#include <scree/types.h>

struct scree_host;
struct scree_world;

enum scree_schedule_order {
    SCREE_SCHEDULE_MEASURE, // updates flux surfaces
    SCREE_SCHEDULE_CHANGE,  // inserts and deletes bodies
    SCREE_SCHEDULE_RECORD,  // writes results
    SCREE_SCHEDULE_SAVE     // writes checkpoints
};

struct scree_schedule_item {
    enum scree_schedule_order order;
    double first, every;       // s: due at times first + n every; `every` is 0 for none
    uint64_t first_step, step; // due at step numbers first_step + n step; `step` is 0 for none
    double last;               // s: not due after this time; 0 for no limit
    scree_status (*act)(void *self, struct scree_host *host);
    void *self;

    double due;        // next due time, infinite for none
    uint64_t due_step; // next due step, UINT64_MAX for none
};

struct scree_schedule {
    SCREE_ARRAY(struct scree_schedule_item) items;
};

// Adds an item. It is first due at its start; after a restart (`restarted`), at its next due time after the
// current time.
SCREE_NODISCARD scree_status scree_schedule_add(struct scree_schedule *schedule,
                                                const struct scree_schedule_item *item,
                                                const struct scree_world *world, bool restarted);

// Lowers the time (s) and the step number up to which the engine may run without interruption.
void scree_schedule_limit(const struct scree_schedule *schedule, double *time, uint64_t *step);

// Processes all items that are due.
SCREE_NODISCARD scree_status scree_schedule_act(struct scree_schedule *schedule, struct scree_host *host);

void scree_schedule_free(struct scree_schedule *schedule);

#endif
