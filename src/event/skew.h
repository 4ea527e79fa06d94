// A periodic cell with cell vectors, as the predictions and lists of the event engine see it: vectors that
// move straight. The image n periods away is at x + H(t) n and moves with the velocities of the vectors,
// V n, so that two bodies have a quadratic equation for their collision in any such cell.
//
// Matrices are stored by rows; the columns of H and V are the cell vectors and their velocities. `here` and
// `inverse` are H and its inverse at the present time of the engine. The inverse finds which image is near,
// which are whole numbers; positions and times come from the vectors of the start of the course, so that
// times of collisions do not depend on when they are predicted.

#ifndef SCREE_EVENT_SKEW_H
#define SCREE_EVENT_SKEW_H

#include "world/lattice.h"

struct scree_event_skew {
    bool present; // the world has cell vectors
    bool steady;  // the velocity gradient is constant: its square is 0
    double time;  // of the start of the course
    double vectors[9], velocities[9];
    double gradient[9]; // of the velocity, in a steady course
    double here[9], inverse[9];
    double corner[3];
    struct scree_vec3 spin; // of the mean motion in the present step
};

// The whole numbers of periods of a displacement now.
static inline void scree_event_skew_periods(const struct scree_event_skew *skew, const double d[3],
                                            double n[3])
{
    const double magic = 6755399441055744.0; // 1.5 * 2^52: adding and subtracting it rounds to an integer
    const double *m = skew->inverse;
    for (int k = 0; k < 3; ++k)
        n[k] = ((m[3 * k] * d[0] + m[3 * k + 1] * d[1] + m[3 * k + 2] * d[2]) + magic) - magic;
}

// A position now, in periods from the corner.
static inline struct scree_vec3 scree_event_skew_fraction(const struct scree_event_skew *skew,
                                                          const double position[3])
{
    return scree_mat3_apply(scree_lattice_load(skew->inverse),
                            scree_vec3_sub(scree_vec3_load(position), scree_vec3_load(skew->corner)));
}

// The displacement of an image n periods away at a time; and its velocity.
static inline void scree_event_skew_shift(const struct scree_event_skew *skew, const double n[3], double time,
                                          double shift[3], double velocity[3])
{
    const double *h = skew->vectors, *v = skew->velocities, t = time - skew->time;
    for (int k = 0; k < 9; k += 3) {
        velocity[k / 3] = v[k] * n[0] + v[k + 1] * n[1] + v[k + 2] * n[2];
        shift[k / 3] =
            (h[k] + t * v[k]) * n[0] + (h[k + 1] + t * v[k + 1]) * n[1] + (h[k + 2] + t * v[k + 2]) * n[2];
    }
}

// Moves the displacement d of a body from another one at a time, and its relative velocity u, to the image
// that is nearest `since` later, which is now.
static inline void scree_event_skew_nearest(const struct scree_event_skew *skew, double time, double since,
                                            double d[3], double u[3])
{
    const double now[3] = {d[0] + since * u[0], d[1] + since * u[1], d[2] + since * u[2]};
    double n[3], shift[3], velocity[3];
    scree_event_skew_periods(skew, now, n);
    scree_event_skew_shift(skew, n, time, shift, velocity);
    for (int k = 0; k < 3; ++k) {
        d[k] = d[k] - shift[k];
        u[k] = u[k] - velocity[k];
    }
}

#endif
