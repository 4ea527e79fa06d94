// Where the time of a soft engine goes: marks between the parts of a step, each of which takes the time since
// the one before.
//
// What always holds: nothing that is computed depends on what is measured here.

#ifndef SCREE_ENGINE_PROFILE_H
#define SCREE_ENGINE_PROFILE_H

#include "base/clock.h"

#include <scree/profile.h>

struct scree_profile_watch {
    double part[SCREE_PROFILE_PARTS]; // s, of what was looked at, each weighed by what it stands for
    double rare[SCREE_PROFILE_PARTS]; // s, of what happens now and then and is timed each time
    double total;                     // s, of all runs
    uint64_t steps;
    double last;   // moment of the last mark, s
    double weight; // steps that the present one stands for
    unsigned wait; // steps until the next look
    bool on;       // marks are taken
    bool running;  // between the beginning of a run and its end
};

// The time since the last mark was spent on a part.
static inline void scree_profile_mark(struct scree_profile_watch *watch, scree_profile_part part)
{
    if (!watch->on)
        return;
    const double now = scree_clock_now();
    watch->part[part] += watch->weight * (now - watch->last);
    watch->last = now;
}

// What began at that moment, and happens now and then, was spent on a part, whether marks are taken or
// not; outside of runs nothing is told.
void scree_profile_add(struct scree_profile_watch *watch, scree_profile_part part, double begun);

// Between these two a run is under way, which returns the moment that it began at.
double scree_profile_begin(struct scree_profile_watch *watch);
void scree_profile_end(struct scree_profile_watch *watch, double begun);

// A step begins, in a world of so many bodies.
void scree_profile_step(struct scree_profile_watch *watch, size_t bodies);

// The time since the last mark was spent on parts in the proportion of `spent`.
void scree_profile_split(struct scree_profile_watch *watch, const scree_profile_part *part,
                         const double *spent, size_t parts);

// All of it, laid out over the total.
void scree_profile_tell(const struct scree_profile_watch *watch, struct scree_profile *profile);

#endif
