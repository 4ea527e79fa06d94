// Couples: members of two rigid bodies in flight, up to four of each, and the time for which they do not
// touch, for all couples of them at once, for each instruction set.
//
// With the displacement x of two members, its rate u and second derivative a at a time, and a bound J of the
// third one, the distance after h is above that of y = x + u h + a h^2 / 2 minus J h^3 / 6, and with the
// direction n of x
//
//     |y| >= n . y + y_t^2 / (2 |y|),    y_t^2 >= u_t^2 h^2 / 2 - (A h^2 / 2)^2,
//
// where t denotes what is across n, and A bounds |a|, for (p + q)^2 >= p^2 / 2 - q^2. So for h <= H the gap
// g, which changes at the rate r = n . u, is above a parabola,
//
//     g(h) >= g + r h - (J H / 3 - n . a - (u_t^2 / 2 - (A H / 2)^2) / D) h^2 / 2,    D = |x| + U H + A H^2 /
//     2,
//
// where U bounds |u|, without the last term where it is negative. Up to its root, and up to H, there is no
// contact. Where the root is much nearer than H it is found again with a shorter H, so that the search
// converges cubically. Where members touch, what follows is that of advance.h, with A.

#ifndef SCREE_EVENT_COUPLES_H
#define SCREE_EVENT_COUPLES_H

#include "math/lanes.h"

#include <stdbool.h>

enum { SCREE_EVENT_LANES = 4 };

// Up to four members of a body, one in each lane, about its centre in a flight: bounds of the velocity and of
// its derivatives. If they turn uniformly, their circles: the centre, the radius at the start of the flight,
// and that after a quarter of a turn.
struct scree_event_orbits {
    double radius[SCREE_EVENT_LANES];
    double speed[SCREE_EVENT_LANES], bend[SCREE_EVENT_LANES], jerk[SCREE_EVENT_LANES];
    double centre[3][SCREE_EVENT_LANES], out[3][SCREE_EVENT_LANES], across[3][SCREE_EVENT_LANES];
};

// The same members relative to the centre at a time, with velocities and accelerations. Of a body that turns
// uniformly they follow from the sine and cosine of the angle since the start of the flight.
struct scree_event_pose {
    bool uniform;
    double rate, sin, cos;
    double at[3][SCREE_EVENT_LANES], speed[3][SCREE_EVENT_LANES], bend[3][SCREE_EVENT_LANES];
};

// Both bodies. Vectors are those of the second relative to the first.
struct scree_event_couples {
    const struct scree_event_orbits *orbits[2];
    uint32_t count[2];
    // all couples of two and two members are in one row of lanes; else each member of the first body has a
    // row, in which those of the second are
    bool packed;
    int64_t collides[SCREE_EVENT_LANES][SCREE_EVENT_LANES]; // -1 if both can collide, else 0
    double fall[3], falls;                                  // acceleration, and its length
    double ahead;                                           // H
};

// All couples at a time, by rows and lanes.
struct scree_event_ways {
    double least; // of the ways below, and H
    double way[SCREE_EVENT_LANES][SCREE_EVENT_LANES], gap[SCREE_EVENT_LANES][SCREE_EVENT_LANES],
        rate[SCREE_EVENT_LANES][SCREE_EVENT_LANES];
};

// Looks at all couples of bodies in these poses, at the displacement x and with the relative velocity u.
// Returns false, without an answer, if certainly none of them meet within the time `left`.
typedef bool scree_event_couples_look(const struct scree_event_couples *couples,
                                      const struct scree_event_pose pose[2], const double x[3],
                                      const double u[3], double left, struct scree_event_ways *ways);

// Number of rows; and the members in a lane.
static inline uint32_t scree_event_couples_rows(const struct scree_event_couples *couples)
{
    return couples->packed ? 1 : couples->count[0];
}

static inline void scree_event_couples_members(const struct scree_event_couples *couples, uint32_t row,
                                               uint32_t lane, uint32_t member[2])
{
    member[0] = couples->packed ? lane / 2 : row;
    member[1] = couples->packed ? lane % 2 : lane;
}

// The one for this processor.
scree_event_couples_look *scree_event_couples_set(void);

#endif
