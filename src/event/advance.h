// The first contact of two surfaces that move and turn, guaranteed (conservative advancement).
//
// A gap g(t) between two surfaces, a distance along which nothing is hidden, has a second derivative that
// cannot fall below -a, the bend: the distance of two points that move straight is convex, so only what turns
// or falls makes it bend down. From a time at which the gap is g and changes at the rate r,
//
//     g(t + h) >= g + r h - a h^2 / 2,
//
// and up to the positive root of the right-hand side there is no contact. That is the next time to look at.
// For a = 0 this is Newton's method, from the safe side; it converges quadratically also for a > 0, unless
// the surfaces graze each other, and then geometrically.
//
// A contact is a time at which the surfaces touch or overlap and approach: g <= 0, up to rounding, and r < 0.
// So surfaces that overlap and approach collide at once, and those that part do not, even if they overlap.
// Surfaces that have just collided touch, g is 0 up to rounding, and part, r >= 0. They may come back by
// turning; but where the bound promises nothing, because r is 0 up to rounding, they are left alone until
// they may have sunk by `allowed`, an invisible part of their size. So no pair collides twice at once, and
// none sinks by more than that between two collisions.
//
// The times looked at are a function of the motion alone. Looking begins at `start`, from when the motion is
// known, and every whole number of `window`s later it begins anew: so a search that begins `now`, before
// which there was no contact, finds the same bits as one that began earlier.

#ifndef SCREE_EVENT_ADVANCE_H
#define SCREE_EVENT_ADVANCE_H

#include <math.h>
#include <stdbool.h>

struct scree_event_gap {
    double gap;  // m
    double rate; // of change, m/s
};

// The gap at a time.
typedef struct scree_event_gap scree_event_gap_at(const void *self, double time);

struct scree_event_advance {
    double start, window; // s; the window may be infinite
    double now, end;      // no contact was before `now`, and none after `end` is wanted
    double bend;          // m/s^2, not negative
    double size;          // of the bodies, m: the measure of what is small
};

// Parts of the size: gaps that count as contact, a rounding error; and how deep bodies may sink while nothing
// is known of whether they part.
#define SCREE_EVENT_ADVANCE_TOUCH 0x1p-50
#define SCREE_EVENT_ADVANCE_ALLOWED 1e-12

// How long surfaces that touch and part are left alone at least.
static inline double scree_event_advance_pause(double size, double bend)
{
    return sqrt(2 * SCREE_EVENT_ADVANCE_ALLOWED * size / bend);
}

// The least delay that changes a time.
static inline double scree_event_advance_least(double time)
{
    return 0x1p-52 * (fabs(time) > 0x1p-900 ? fabs(time) : 0x1p-900);
}

// The time for which there is certainly no contact; 0 if there is one now.
static inline double scree_event_advance_by(const struct scree_event_advance *a, struct scree_event_gap at)
{
    const double g = at.gap, r = at.rate, square = r * r + 2 * a->bend * g;
    const bool touches = g <= SCREE_EVENT_ADVANCE_TOUCH * a->size;
    if (r < 0)
        // square >= r^2, except for a gap below 0
        return touches ? 0 : 2 * g / (sqrt(square) - r);
    if (!(a->bend > 0))
        return (double)INFINITY;
    const double way = (square > 0 ? r + sqrt(square) : r) / a->bend;
    const double pause = scree_event_advance_pause(a->size, a->bend);
    return touches && way < pause ? pause : way;
}

// The last of the times at which looking begins anew, up to now; `turn` receives its number.
static inline double scree_event_advance_from(const struct scree_event_advance *a, double *turn)
{
    *turn = 0;
    if (!(a->now > a->start && a->window < (double)INFINITY))
        return a->start;
    *turn = floor((a->now - a->start) / a->window);
    *turn -= *turn > 0 && a->start + *turn * a->window > a->now ? 1 : 0;
    return a->start + *turn * a->window;
}

// The time for which there is certainly no contact from a time on, 0 if there is one then; and the rate of
// change of the gap.
typedef double scree_event_way_at(const void *self, double time, double *rate);

// The time of the first contact; infinite if there is none up to the end.
static inline double scree_event_advance_run(const struct scree_event_advance *a, scree_event_way_at *way_at,
                                             const void *self)
{
    double turn, time = scree_event_advance_from(a, &turn);
    while (time <= a->end && time < (double)INFINITY) {
        const double next = a->start + (turn + 1) * a->window;
        double rate, way = way_at(self, time, &rate);
        // a step below the resolution of the time ends at a contact
        if (!(time + way > time) && rate < 0)
            return time;
        if (!(time + way > time))
            way = scree_event_advance_least(time);
        turn += time + way >= next ? 1 : 0;
        time = time + way >= next ? next : time + way;
    }
    return (double)INFINITY;
}

// The same for a gap that is given with its rate, and whose bend is constant.
struct scree_event_advance_of {
    const struct scree_event_advance *advance;
    scree_event_gap_at *gap_at;
    const void *self;
};

static inline double scree_event_advance_way(const void *self, double time, double *rate)
{
    const struct scree_event_advance_of *of = (const struct scree_event_advance_of *)self;
    const struct scree_event_gap at = of->gap_at(of->self, time);
    *rate = at.rate;
    return scree_event_advance_by(of->advance, at);
}

static inline double scree_event_advance_find(const struct scree_event_advance *a, scree_event_gap_at *gap_at,
                                              const void *self)
{
    return scree_event_advance_run(a, scree_event_advance_way,
                                   &(struct scree_event_advance_of){a, gap_at, self});
}

#endif
