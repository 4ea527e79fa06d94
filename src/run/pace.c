// Pace of a run, see pace.h.

#include "run/pace.h"

#include "math/elementary.h"
#include "math/real.h"

// window of the mean: the processor time after which the weight of a step has decreased to 1 / e; at least
// these seconds, and this fraction of all processor time so far
static const double min_window = 5, window_fraction = 0.2;

void scree_pace_begin(struct scree_pace *pace, double processor, uint64_t steps, double time)
{
    *pace = (struct scree_pace){.last_processor = processor, .last_steps = steps, .last_time = time};
}

void scree_pace_add(struct scree_pace *pace, double processor, uint64_t steps, double time)
{
    const double spent = processor - pace->last_processor;
    pace->spent += spent;
    const double window = scree_real_max(window_fraction * pace->spent, min_window);
    const double weight = scree_exp(-spent / window);
    pace->processor = weight * pace->processor + spent;
    pace->steps = weight * pace->steps + (double)(steps - pace->last_steps);
    pace->time = weight * pace->time + (time - pace->last_time);
    pace->last_processor = processor;
    pace->last_steps = steps;
    pace->last_time = time;
}

double scree_pace_cost(const struct scree_pace *pace)
{
    return pace->steps > 0 ? pace->processor / pace->steps : 0;
}

double scree_pace_step(const struct scree_pace *pace)
{
    return pace->steps > 0 ? pace->time / pace->steps : 0;
}
