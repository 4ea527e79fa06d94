// Schedule of a run, see schedule.h.

#include "run/schedule.h"

#include "base/instant.h"
#include "run/host.h"

#include <scree/world.h>

#include <math.h>
#include <string.h>

// Returns the first due time of an item after `time`.
static double next_time(const struct scree_schedule_item *item, double time)
{
    if (!(item->every > 0))
        return (double)INFINITY;
    double due = item->first;
    if (scree_instant_has_come(time, due)) {
        // skip all due times up to `time`; the rounded quotient can be off by one, so start one interval
        // earlier
        const double skipped = floor((time - item->first) / item->every) - 1;
        for (int n = 0; n < 4 && scree_instant_has_come(time, due); ++n)
            due = item->first + (skipped + n) * item->every;
        // an interval below the resolution of time is due in every step
        if (scree_instant_has_come(time, due))
            due = time * (1 + 0x1p-45);
    }
    return item->last > 0 && !scree_instant_has_come(item->last, due) ? (double)INFINITY : due;
}

static uint64_t next_step(const struct scree_schedule_item *item, uint64_t step)
{
    if (item->step == 0)
        return UINT64_MAX;
    if (step < item->first_step)
        return item->first_step;
    return step + item->step - (step - item->first_step) % item->step;
}

static void advance(struct scree_schedule_item *item, const struct scree_world *world)
{
    item->due = next_time(item, scree_world_time(world));
    item->due_step = next_step(item, scree_world_steps(world));
}

scree_status scree_schedule_add(struct scree_schedule *schedule, const struct scree_schedule_item *item,
                                const struct scree_world *world, bool restarted)
{
    SCREE_TRY(scree_array_reserve(&schedule->items, schedule->items.count + 1));
    size_t index = schedule->items.count;
    while (index > 0 && schedule->items.data[index - 1].order > item->order)
        --index;
    struct scree_schedule_item *added = &schedule->items.data[index];
    memmove(added + 1, added, (schedule->items.count - index) * sizeof *added);
    *added = *item;
    ++schedule->items.count;
    added->due = item->every > 0 ? item->first : (double)INFINITY;
    added->due_step = item->step > 0 ? item->first_step : UINT64_MAX;
    if (restarted)
        advance(added, world);
    return SCREE_OK;
}

void scree_schedule_limit(const struct scree_schedule *schedule, double *time, uint64_t *step)
{
    for (size_t k = 0; k < schedule->items.count; ++k) {
        const struct scree_schedule_item *item = &schedule->items.data[k];
        *time = item->due < *time ? item->due : *time;
        *step = item->due_step < *step ? item->due_step : *step;
    }
}

scree_status scree_schedule_act(struct scree_schedule *schedule, struct scree_host *host)
{
    for (size_t k = 0; k < schedule->items.count; ++k) {
        struct scree_schedule_item *item = &schedule->items.data[k];
        if (!scree_instant_has_come(scree_world_time(host->world), item->due) &&
            item->due_step > scree_world_steps(host->world))
            continue;
        advance(item, host->world);
        SCREE_TRY(item->act(item->self, host));
    }
    return SCREE_OK;
}

void scree_schedule_free(struct scree_schedule *schedule)
{
    scree_array_free(&schedule->items);
}
