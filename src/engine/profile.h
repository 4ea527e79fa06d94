// Profile of a soft engine: there are marks between the parts of a step; each mark adds the time since the
// last mark to a part.
//
// Invariant: results of the simulation do not depend on the profile.

#ifndef SCREE_ENGINE_PROFILE_H
#define SCREE_ENGINE_PROFILE_H

#include "base/clock.h"

#include <scree/profile.h>

struct scree_profile_watch {
    double part[SCREE_PROFILE_PARTS];       // s, from sampled steps, times the weight of the sample
    double occasional[SCREE_PROFILE_PARTS]; // s, of occasional work, which is timed each time
    double total;                           // s, of all runs
    uint64_t steps;
    double last;   // time of the last mark, s
    double weight; // number of steps that the present sample represents
    unsigned wait; // steps until the next sample
    bool sampled;  // the present step is sampled
    bool running;  // a run is in progress
};

// Adds the time since the last mark to a part.
static inline void scree_profile_mark(struct scree_profile_watch *watch, scree_profile_part part)
{
    if (!watch->sampled)
        return;
    const double now = scree_clock_now();
    watch->part[part] += watch->weight * (now - watch->last);
    watch->last = now;
}

// Adds the time of occasional work since `begun` to a part, also in steps that are not sampled; does nothing
// outside of a run.
void scree_profile_add(struct scree_profile_watch *watch, scree_profile_part part, double begun);

// Call at the start of a run, which returns the present time, and at its end.
double scree_profile_begin(struct scree_profile_watch *watch);
void scree_profile_end(struct scree_profile_watch *watch, double begun);

// Call at the start of a step, with the number of bodies.
void scree_profile_step(struct scree_profile_watch *watch, size_t bodies);

// Divides the time since the last mark among parts in proportion to `spent`.
void scree_profile_split(struct scree_profile_watch *watch, const scree_profile_part *part,
                         const double *spent, size_t parts);

// Returns the time by part; the samples are scaled so that the parts add up to the total.
void scree_profile_report(const struct scree_profile_watch *watch, struct scree_profile *profile);

#endif
