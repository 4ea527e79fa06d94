// Recent steps of a run: processor time per step and mean time step, smoothed over recent steps. It is
// processor time, not wall-clock time, so other programs on the machine do not change the estimate. It is
// smoothed, so single records, searches and changes of the step have little effect.
//
// No result depends on them.

#ifndef SCREE_RUN_RECENT_STEPS_H
#define SCREE_RUN_RECENT_STEPS_H

#include <stdint.h>

struct scree_recent_steps {
    double processor, steps, time; // sums over recent steps, older ones with a smaller weight: s, number, s
    double spent;                  // s: processor time since the start
    double last_processor, last_time;
    uint64_t last_steps;
};

// Begins with these readings: of a clock of processor time, the step number and the time of the world.
void scree_recent_steps_begin(struct scree_recent_steps *recent, double processor, uint64_t steps,
                              double time);

// Adds the steps since the last readings.
void scree_recent_steps_add(struct scree_recent_steps *recent, double processor, uint64_t steps, double time);

// Processor time per step, s, and mean time step, s; 0 before the first step.
double scree_recent_steps_cost(const struct scree_recent_steps *recent);
double scree_recent_steps_length(const struct scree_recent_steps *recent);

#endif
