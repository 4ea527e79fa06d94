// Times of the next events of all bodies, in a tree of minima: a node has the least time of eight nodes below
// it, and eight times fill a cache line. A change costs O(log N), in steps of eight. The events of the near
// future are also in a short sorted list, which is filled from the tree, several events at a time: so their
// data can be fetched together before they are due.
//
// Invariants: every node of a level above the lowest is the least of its eight nodes below; padding is
// infinite; every event earlier than `horizon` is in the list. An entry of the list is out of date if the
// event of its body has another time now.

#ifndef SCREE_EVENT_QUEUE_H
#define SCREE_EVENT_QUEUE_H

#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCREE_EVENT_QUEUE_LEVELS = 11, SCREE_EVENT_QUEUE_BATCH = 12, SCREE_EVENT_QUEUE_SOON = 64 };

struct scree_event_soon {
    double time;
    uint32_t body;
};

struct scree_event_queue {
    double *time[SCREE_EVENT_QUEUE_LEVELS]; // in one block; [0]: of each body
    int levels;                             // 0: no bodies
    size_t size;                            // number of all nodes
    struct scree_event_soon soon[SCREE_EVENT_QUEUE_SOON];
    unsigned first, last; // entries of `soon`, by time
    double horizon;
    bool crowded;  // more events have the first time than the list has room for: it has only one of them
    double length; // of time, in which about a batch of events happens
};

// Makes a queue for some bodies, without events.
SCREE_NODISCARD scree_status scree_event_queue_make(struct scree_event_queue *queue, size_t bodies);
void scree_event_queue_free(struct scree_event_queue *queue);

// Enters an event in the list of the near future.
void scree_event_queue_insert(struct scree_event_queue *queue, size_t body, double time);

// Fills the empty list with the next events, in order of time.
void scree_event_queue_fill(struct scree_event_queue *queue);

static inline __attribute__((always_inline)) double scree_event_queue_least(const double *time)
{
    const double a = time[0] < time[1] ? time[0] : time[1], b = time[2] < time[3] ? time[2] : time[3];
    const double c = time[4] < time[5] ? time[4] : time[5], d = time[6] < time[7] ? time[6] : time[7];
    const double e = a < b ? a : b, f = c < d ? c : d;
    return e < f ? e : f;
}

// Sets the time of the next event of a body.
static inline void scree_event_queue_set(struct scree_event_queue *queue, size_t body, double time)
{
    queue->time[0][body] = time;
    if (time < queue->horizon)
        scree_event_queue_insert(queue, body, time);
    for (int level = 0; level + 1 < queue->levels; ++level) {
        const double least = scree_event_queue_least(queue->time[level] + (body & ~(size_t)7));
        body >>= 3;
        if (queue->time[level + 1][body] == least)
            return;
        queue->time[level + 1][body] = least;
    }
}

// Drops entries that are out of date from the front of the list. Returns false if it is empty.
static inline bool scree_event_queue_tidy(struct scree_event_queue *queue)
{
    while (queue->first < queue->last &&
           queue->time[0][queue->soon[queue->first].body] != queue->soon[queue->first].time)
        ++queue->first;
    return queue->first < queue->last;
}

#endif
