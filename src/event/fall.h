// The first time at which something that falls meets a plane that moves steadily or vibrates, guaranteed.
//
// Without vibration that is a root of a parabola. From the mean place of the plane it is at m(t), a parabola,
// and the gap is f(t) = m(t) - S sin(w t + p). From a time at which f, f' and f'' are known, and with |f'''|
// <= J = S w^3, the gap is not below
//
//     f + f' h + (f'' - J H / 3) h^2 / 2   for 0 <= h <= H,
//     f + f' h + (m'' - S w^2) h^2 / 2,
//     m(t + h) - S,
//
// and up to the largest of the first roots of these it does not close. That is the next time to look at. With
// H near the root the first bound has an error of order H^3, so few times are needed; the last one passes
// over all periods in which the plane is not reached.
//
// As for other walls, what begins a rounding error deep touches when it gets deeper, and what rests on the
// plane and is pressed against it touches at once. What begins in touch with a plane that moves, up to
// rounding errors of the gap, and does not leave it by more than these, touches it again when it approaches:
// otherwise a body that the plane carries would fall by a rounding error, in some 1e-9 s, again and again.
// The times looked at are a function of the motion alone.

#ifndef SCREE_EVENT_FALL_H
#define SCREE_EVENT_FALL_H

#include "event/delay.h"

struct scree_event_fall {
    double from;             // the time from which the motion is known
    double mean, rate, pull; // m and its derivatives then
    double swing;            // S; 0: the plane does not vibrate
    double angular, phase;   // w, p
    double touch;            // gaps above 0 that are rounding errors; 0 for a plane that does not move
};

// The gap at a time, with its derivatives; and m with its own.
struct scree_event_falling {
    double gap, speed, acceleration;
    double mean, rate, pull;
    double swing, angular;
};

// A delay in which a gap does not close; infinite if it never does. `gap` may be larger than that of the
// state, by as much as is allowed to close.
double scree_event_fall_way(const struct scree_event_falling *at, double gap);

// The time; infinite if there is none up to `until`, on which it does not depend.
double scree_event_fall_time(const struct scree_event_fall *self, double until);

// The gap, and its rate of change, at a time.
double scree_event_fall_gap(const struct scree_event_fall *self, double time, double *rate);

#endif
