// Something that falls onto a plane that vibrates, see fall.h.

#include "event/fall.h"

#include "math/trigonometry.h"

#include <stdbool.h>

// Times looked at for one collision: far more than ever needed, so that the search ends.
enum { TIMES = 100000 };

static struct scree_event_falling look(const struct scree_event_fall *self, double time)
{
    const double since = time - self->from;
    const struct scree_sincos at = scree_sincos(self->angular * time + self->phase);
    const double mean = self->mean + since * (self->rate + 0.5 * since * self->pull);
    const double rate = self->rate + since * self->pull;
    return (struct scree_event_falling){.gap = mean - self->swing * at.sin,
                                        .speed = rate - self->angular * self->swing * at.cos,
                                        .acceleration =
                                            self->pull + self->angular * self->angular * self->swing * at.sin,
                                        .mean = mean,
                                        .rate = rate,
                                        .pull = self->pull,
                                        .swing = self->swing,
                                        .angular = self->angular};
}

double scree_event_fall_gap(const struct scree_event_fall *self, double time, double *rate)
{
    const double since = time - self->from;
    *rate = self->rate + since * self->pull;
    if (self->swing == 0)
        return self->mean + since * (self->rate + 0.5 * since * self->pull);
    const struct scree_event_falling at = look(self, time);
    *rate = at.speed;
    return at.gap;
}

// By the bound with the third derivative, as far as the curvature does not change by more than itself.
static double way_nearby(const struct scree_event_falling *at, double gap, double jerk)
{
    const double bend = at->acceleration, angular = at->angular;
    double longest = scree_event_delay(gap, at->speed, bend);
    if (!(longest * angular < 1))
        longest = bend > 0 && 1.5 * bend * angular < jerk ? 1.5 * bend / jerk : 1 / angular;
    const double way = scree_event_delay(gap, at->speed, bend - jerk * longest / 3);
    return way < longest ? way : longest;
}

double scree_event_fall_way(const struct scree_event_falling *at, double gap)
{
    const double size = fabs(at->swing), force = at->angular * at->angular * size, clear = at->mean - size;
    if (size == 0)
        return scree_event_delay(gap, at->speed, at->pull);
    const double nearby = way_nearby(at, gap, at->angular * force);
    const double whole = scree_event_delay(gap, at->speed, at->pull - force);
    const double outside = clear > 0 ? scree_event_delay(clear, at->rate, at->pull) : 0;
    const double way = nearby > whole ? nearby : whole;
    return outside > way ? outside : way;
}

double scree_event_fall_time(const struct scree_event_fall *self, double until)
{
    if (self->swing == 0) {
        const bool touches = self->mean > 0 && self->mean <= self->touch;
        return self->from + scree_event_delay(touches ? 0 : self->mean, self->rate, self->pull);
    }
    double time = self->from, deep = 0;
    const double clear = self->mean - fabs(self->swing);
    const double outside = clear > 0 ? scree_event_delay(clear, self->rate, self->pull) : 0;
    time += outside;
    for (int k = 0; k < TIMES && time <= until && time < (double)INFINITY; ++k) {
        const struct scree_event_falling at = look(self, time);
        // once it is outside, it is stopped there: otherwise many bounces sink
        if (k == 0 && !(outside > 0) && at.gap <= self->touch)
            deep = at.gap + self->touch;
        else if (at.gap > 2 * self->touch)
            deep = 0;
        const double gap = at.gap > deep ? at.gap - deep : 0;
        if (gap <= 0 && at.speed < 0)
            return time;
        const double next = time + scree_event_fall_way(&at, gap);
        if (next > time) {
            time = next;
            continue;
        }
        // so near that the time does not tell them apart, or at rest on a plane that presses
        if (at.speed < 0 || at.acceleration < 0)
            return time;
        time += 0x1p-52 * (fabs(time) > 0x1p-900 ? fabs(time) : 0x1p-900);
    }
    return (double)INFINITY;
}
