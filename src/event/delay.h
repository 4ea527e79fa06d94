// The delay until a gap closes, for collisions with walls.

#ifndef SCREE_EVENT_DELAY_H
#define SCREE_EVENT_DELAY_H

#include <math.h>

// The delay until a gap with this speed and acceleration closes, in the form without cancellation; infinite
// if it never does.
static inline double scree_event_delay(double gap, double speed, double acceleration)
{
    if (gap <= 0 && speed < 0)
        return 0;
    const double square = speed * speed - 2 * acceleration * gap;
    if (!(square >= 0))
        // a body at rest on the surface, a rounding error deep, does not rise above it any more
        return gap <= 0 && acceleration < 0 ? 0 : (double)INFINITY;
    const double root = sqrt(square);
    if (speed < 0)
        return 2 * gap / (root - speed) < 0 ? 0 : 2 * gap / (root - speed);
    return acceleration < 0 ? -(speed + root) / acceleration : (double)INFINITY;
}

#endif
