// The queue of events, see queue.h.

#include "event/queue.h"

#include "base/memory.h"

#include <string.h>

scree_status scree_event_queue_make(struct scree_event_queue *queue, size_t bodies)
{
    size_t rows[SCREE_EVENT_QUEUE_LEVELS], size = 0;
    int levels = 0;
    scree_event_queue_free(queue);
    for (size_t count = bodies; count > 0; count = rows[levels - 1] / 8) {
        rows[levels] = (count + 7) / 8 * 8;
        size += rows[levels++];
        if (count <= 8)
            break;
    }
    SCREE_TRY(scree_memory_new(size, sizeof(double), (void **)&queue->time[0]));
    for (size_t i = 0; i < size; ++i)
        queue->time[0][i] = (double)INFINITY;
    for (int level = 1; level < levels; ++level)
        queue->time[level] = queue->time[level - 1] + rows[level - 1];
    queue->levels = levels;
    queue->size = size;
    queue->horizon = -(double)INFINITY;
    return SCREE_OK;
}

void scree_event_queue_free(struct scree_event_queue *queue)
{
    scree_memory_free(queue->time[0]);
    *queue = (struct scree_event_queue){0};
}

void scree_event_queue_insert(struct scree_event_queue *queue, size_t body, double time)
{
    // keep the entries at the front of the array
    if (queue->last == SCREE_EVENT_QUEUE_SOON && queue->first > 0) {
        for (unsigned k = queue->first; k < queue->last; ++k)
            queue->soon[k - queue->first] = queue->soon[k];
        queue->last -= queue->first;
        queue->first = 0;
    }
    // the list is full: the last event, and those at the same time, wait in the tree
    if (queue->last == SCREE_EVENT_QUEUE_SOON) {
        queue->horizon = queue->soon[queue->last - 1].time;
        while (queue->last > 0 && queue->soon[queue->last - 1].time == queue->horizon)
            --queue->last;
        if (!(time < queue->horizon))
            return;
    }
    unsigned at = queue->last++;
    for (; at > queue->first && queue->soon[at - 1].time > time; --at)
        queue->soon[at] = queue->soon[at - 1];
    queue->soon[at] = (struct scree_event_soon){time, (uint32_t)body};
}

// Enters the events that are earlier than the horizon, level by level: so the nodes of a level come into the
// cache together. Returns false if there are too many.
static bool gather(struct scree_event_queue *queue)
{
    uint32_t node[SCREE_EVENT_QUEUE_SOON] = {0}, below[SCREE_EVENT_QUEUE_SOON];
    unsigned count = 1;
    for (int level = queue->levels - 1; level >= 0; --level) {
        unsigned found = 0;
        for (unsigned n = 0; n < count; ++n) {
            const double *times = queue->time[level] + 8 * (size_t)node[n];
            if (found + 8 > sizeof below / sizeof *below)
                return false;
            for (unsigned k = 0; k < 8; ++k) {
                below[found] = 8 * node[n] + k;
                found += times[k] < queue->horizon;
            }
        }
        if (level == 0)
            for (unsigned n = 0; n < found; ++n)
                scree_event_queue_insert(queue, below[n], queue->time[0][below[n]]);
        else
            for (unsigned n = 0; n < found; ++n)
                __builtin_prefetch(queue->time[level - 1] + 8 * (size_t)below[n]);
        count = found;
        memcpy(node, below, count * sizeof *node);
    }
    return queue->last > 0;
}

// A body whose event has the first time.
static uint32_t body_at(const struct scree_event_queue *queue, double first)
{
    size_t node = 0;
    for (int level = queue->levels - 1; level >= 0; --level) {
        size_t k = 0;
        while (queue->time[level][8 * node + k] != first)
            ++k;
        node = 8 * node + k;
    }
    return (uint32_t)node;
}

void scree_event_queue_fill(struct scree_event_queue *queue)
{
    queue->first = queue->last = 0;
    if (queue->levels == 0)
        return;
    const double first = scree_event_queue_least(queue->time[queue->levels - 1]);
    if (!(first < (double)INFINITY))
        return;
    // a little after the first event at least
    const double least = fabs(first) * 0x1p-52 + 0x1p-1070;
    queue->length = queue->length > least ? queue->length : least;
    for (queue->horizon = first + queue->length; !gather(queue); queue->horizon = first + queue->length) {
        queue->first = queue->last = 0;
        queue->crowded = queue->length == least;
        if (queue->crowded) {
            queue->soon[queue->last++] = (struct scree_event_soon){first, body_at(queue, first)};
            return;
        }
        queue->length = 0.25 * queue->length > least ? 0.25 * queue->length : least;
    }
    queue->crowded = false;
    const unsigned count = queue->last;
    queue->length *= count < SCREE_EVENT_QUEUE_BATCH / 4 ? 4 : count > SCREE_EVENT_QUEUE_BATCH ? 0.75 : 1.25;
}
