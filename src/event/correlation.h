// The pair correlation of hard spheres and disks at contact, chi: collisions in a gas are chi times as
// frequent as those of points with the same density. With the diameters d of n bodies in a volume V (in two
// dimensions an area), the solid fraction f and s = 2 d1 d2 / (d1 + d2),
//
//     3D: chi = 1/(1 - f) + 3 s z / (2 (1 - f)^2) + (s z)^2 / (2 (1 - f)^3),    z = pi/6 sum d^2 / V,
//     2D: chi = 1/(1 - f) + 9 s z / (16 (1 - f)^2),                             z = pi/4 sum d / V.
//
// T. Boublik, J. Chem. Phys. 53, 471 (1970), G. A. Mansoori and others, J. Chem. Phys. 54, 1523 (1971); J. T.
// Jenkins and F. Mancini, J. Appl. Mech. 54, 27 (1987). For equal bodies these are the values of Carnahan and
// Starling, and of Henderson.
#ifndef SCREE_EVENT_CORRELATION_H
#define SCREE_EVENT_CORRELATION_H

#include "math/real.h"

// What bodies fill of their volume; z in 1/m.
struct scree_event_crowd {
    double fraction, inverse_length;
};

// A larger solid fraction, which a gas of this engine does not have, counts as this one.
#define SCREE_EVENT_CROWDED 0.6

// The part of one body of a radius in a volume.
static inline struct scree_event_crowd scree_event_crowd_of(int dimension, double radius, double volume)
{
    const double d = 2 * radius;
    if (dimension == 2)
        return (struct scree_event_crowd){0.25 * SCREE_PI * d * d / volume, 0.25 * SCREE_PI * d / volume};
    return (struct scree_event_crowd){SCREE_PI / 6 * d * d * d / volume, SCREE_PI / 6 * d * d / volume};
}

// chi of bodies with these radii. It grows with all of its arguments.
static inline double scree_event_correlation(int dimension, struct scree_event_crowd crowd, double radius_1,
                                             double radius_2)
{
    const double f = crowd.fraction < SCREE_EVENT_CROWDED ? crowd.fraction : SCREE_EVENT_CROWDED;
    const double room = 1 / (1 - f), mean = 4 * radius_1 * radius_2 / (radius_1 + radius_2);
    const double x = mean * crowd.inverse_length * room;
    return room * (dimension == 2 ? 1 + 9.0 / 16 * x : 1 + 1.5 * x + 0.5 * x * x);
}

#endif
