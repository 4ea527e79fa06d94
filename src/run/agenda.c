// When things happen on the way of a run, see agenda.h.

#include "run/agenda.h"

#include "base/instant.h"
#include "run/host.h"

#include <scree/world.h>

#include <math.h>
#include <string.h>

// The first instant of an item after `time`.
static double next_time(const struct scree_agenda_item *item, double time)
{
    if (!(item->every > 0))
        return (double)INFINITY;
    double due = item->first;
    if (scree_instant_has_come(time, due)) {
        // those that fell between two steps are one; a quotient that is rounded may be one too many or too
        // few
        const double about = floor((time - item->first) / item->every) - 1;
        for (int n = 0; n < 4 && scree_instant_has_come(time, due); ++n)
            due = item->first + (about + n) * item->every;
        // intervals too short to be told apart are due with the next step
        if (scree_instant_has_come(time, due))
            due = time * (1 + 0x1p-45);
    }
    return item->last > 0 && !scree_instant_has_come(item->last, due) ? (double)INFINITY : due;
}

static uint64_t next_step(const struct scree_agenda_item *item, uint64_t step)
{
    if (item->step == 0)
        return UINT64_MAX;
    if (step < item->first_step)
        return item->first_step;
    return step + item->step - (step - item->first_step) % item->step;
}

static void advance(struct scree_agenda_item *item, const struct scree_world *world)
{
    item->due = next_time(item, scree_world_time(world));
    item->due_step = next_step(item, scree_world_steps(world));
}

scree_status scree_agenda_add(struct scree_agenda *agenda, const struct scree_agenda_item *item,
                              const struct scree_world *world, bool goes_on)
{
    SCREE_TRY(scree_array_reserve(&agenda->items, agenda->items.count + 1));
    size_t place = agenda->items.count;
    while (place > 0 && agenda->items.data[place - 1].order > item->order)
        --place;
    struct scree_agenda_item *added = &agenda->items.data[place];
    memmove(added + 1, added, (agenda->items.count - place) * sizeof *added);
    *added = *item;
    ++agenda->items.count;
    added->due = item->every > 0 ? item->first : (double)INFINITY;
    added->due_step = item->step > 0 ? item->first_step : UINT64_MAX;
    if (goes_on)
        advance(added, world);
    return SCREE_OK;
}

void scree_agenda_remove(struct scree_agenda *agenda, const void *self)
{
    size_t kept = 0;
    for (size_t k = 0; k < agenda->items.count; ++k)
        if (agenda->items.data[k].self != self)
            agenda->items.data[kept++] = agenda->items.data[k];
    agenda->items.count = kept;
}

void scree_agenda_limit(const struct scree_agenda *agenda, double *time, uint64_t *step)
{
    for (size_t k = 0; k < agenda->items.count; ++k) {
        const struct scree_agenda_item *item = &agenda->items.data[k];
        *time = item->due < *time ? item->due : *time;
        *step = item->due_step < *step ? item->due_step : *step;
    }
}

scree_status scree_agenda_act(struct scree_agenda *agenda, struct scree_host *host)
{
    for (size_t k = 0; k < agenda->items.count; ++k) {
        struct scree_agenda_item *item = &agenda->items.data[k];
        if (!scree_instant_has_come(scree_world_time(host->world), item->due) &&
            item->due_step > scree_world_steps(host->world))
            continue;
        advance(item, host->world);
        SCREE_TRY(item->act(item->self, host));
    }
    return SCREE_OK;
}

void scree_agenda_free(struct scree_agenda *agenda)
{
    scree_array_free(&agenda->items);
}
