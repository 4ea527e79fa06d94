// Recent steps of a run, see recent_steps.h.

#include "run/recent_steps.h"

#include "math/elementary.h"
#include "math/real.h"

// window of the mean: the processor time after which the weight of a step has decreased to 1 / e; at least
// these seconds, and this fraction of all processor time so far
static const double min_window = 5, window_fraction = 0.2;

void scree_recent_steps_begin(struct scree_recent_steps *recent, double processor, uint64_t steps,
                              double time)
{
    *recent =
        (struct scree_recent_steps){.last_processor = processor, .last_steps = steps, .last_time = time};
}

void scree_recent_steps_add(struct scree_recent_steps *recent, double processor, uint64_t steps, double time)
{
    const double spent = processor - recent->last_processor;
    recent->spent += spent;
    const double window = scree_real_max(window_fraction * recent->spent, min_window);
    const double weight = scree_exp(-spent / window);
    recent->processor = weight * recent->processor + spent;
    recent->steps = weight * recent->steps + (double)(steps - recent->last_steps);
    recent->time = weight * recent->time + (time - recent->last_time);
    recent->last_processor = processor;
    recent->last_steps = steps;
    recent->last_time = time;
}

double scree_recent_steps_cost(const struct scree_recent_steps *recent)
{
    return recent->steps > 0 ? recent->processor / recent->steps : 0;
}

double scree_recent_steps_length(const struct scree_recent_steps *recent)
{
    return recent->steps > 0 ? recent->time / recent->steps : 0;
}
