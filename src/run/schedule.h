// What is to happen on the way of a run, and when: records, and whatever changes the world between two steps.
//
// What always holds: what is due at an instant happens at the first step that is not before it but for
// rounding (base/instant.h), and what is due at a step number at that step. So when something happens is a
// function of the world's time and step number, and neither reports nor pieces of runs nor restarts show in
// it. What is due together happens in the order of `enum scree_schedule_order`, and within that in the order
// in which it was added.

#ifndef SCREE_RUN_SCHEDULE_H
#define SCREE_RUN_SCHEDULE_H

#include "base/array.h"

#include <scree/types.h>

struct scree_host;
struct scree_world;

// Who watches the world comes before what changes it, that before what is kept of it, and what a restart
// begins from comes last.
enum scree_schedule_order {
    SCREE_SCHEDULE_LOOK,
    SCREE_SCHEDULE_CHANGE,
    SCREE_SCHEDULE_KEEP,
    SCREE_SCHEDULE_SAVE
};

struct scree_schedule_item {
    enum scree_schedule_order order;
    double first, every;       // s: due at first + n every; `every` is 0 for what goes by steps
    uint64_t first_step, step; // due at first_step + n step; `step` is 0 for what goes by time
    double last;               // s: not due any more after that; 0 for never
    scree_status (*act)(void *self, struct scree_host *host);
    void *self;

    double due;        // the next time, infinite for none
    uint64_t due_step; // UINT64_MAX for none
};

struct scree_schedule {
    SCREE_ARRAY(struct scree_schedule_item) items;
};

// Adds an item, due for the first time at its first instant, or, when it went on before (`goes_on`), at the
// first that is after the present one.
SCREE_NODISCARD scree_status scree_schedule_add(struct scree_schedule *schedule,
                                                const struct scree_schedule_item *item,
                                                const struct scree_world *world, bool goes_on);

// Takes all items of `self` off.
void scree_schedule_remove(struct scree_schedule *schedule, const void *self);

// Lowers the time (s) and the step number to which a run may go on.
void scree_schedule_limit(const struct scree_schedule *schedule, double *time, uint64_t *step);

// Does what is due by now.
SCREE_NODISCARD scree_status scree_schedule_act(struct scree_schedule *schedule, struct scree_host *host);

void scree_schedule_free(struct scree_schedule *schedule);

#endif
