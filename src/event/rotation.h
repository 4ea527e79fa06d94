// Free rotation: the orientation of a body at any time of a flight, from what it was at its start.
//
// Without moments the angular momentum L, in axes of the world, does not change. Three kinds of bodies turn
// in three ways; R is the orientation, its columns are the principal axes:
//
// - Steady: the spin does not change. Spheres, all bodies in two dimensions, and fixed spins.
// - Symmetric: two principal moments are equal, I; the third is I_a, about the axis a. The spin is L/I, which
//   does not change, plus an own spin about a, which is constant in the body:
//   R(t) = exp(h L/I) R(0) exp(h (1/I_a - 1/I) L_a a).
// - Any other: by the Taylor series of R, in steps of a fixed length from the start of the flight, in each of
//   which the spin is that of L, so that L is exact. With the fastest spin W that its energy and smallest
//   moment allow, the coefficients are below those of 1/(1 - W h): in w' = I^-1 (L x w) differences of
//   moments over moments are at most 1. So in steps of h = 1/(8 W) the terms beyond order 17 are below 7e-17
//   of the orientation, less than its rounding error.
//
// All are functions of the state at the start alone.

#ifndef SCREE_EVENT_ROTATION_H
#define SCREE_EVENT_ROTATION_H

#include "base/status.h"
#include "math/quat.h"

#include <stdbool.h>
#include <stdint.h>

enum scree_event_rotation_kind { SCREE_EVENT_STEADY, SCREE_EVENT_SYMMETRIC, SCREE_EVENT_ASYMMETRIC };

// Series of some steps of an asymmetric body, each at its number modulo their count; and orientations at the
// starts of others, from which series can be made again: of one step that is kept, and of the last ones.
enum { SCREE_EVENT_SERIES_ORDER = 17, SCREE_EVENT_SERIES_STEPS = 16, SCREE_EVENT_SERIES_STARTS = 64 };
struct scree_event_series {
    double kept_step; // number
    struct scree_quat kept;
    double started[SCREE_EVENT_SERIES_STARTS]; // numbers of steps
    struct scree_quat start[SCREE_EVENT_SERIES_STARTS];
    double expanded[SCREE_EVENT_SERIES_STEPS];
    double coefficient[SCREE_EVENT_SERIES_STEPS][SCREE_EVENT_SERIES_ORDER + 1][4]; // of quaternions
};

struct scree_event_rotation {
    enum scree_event_rotation_kind kind;
    int axis;                    // of a symmetric body: 0, 1 or 2
    bool axial;                  // only points on the axis of a symmetric body are of interest
    struct scree_vec3 lightness; // inverse principal moments; zeros if the spin is fixed
    // of the flight
    double time; // of its start
    struct scree_quat orientation;
    struct scree_vec3 momentum; // unless steady
    struct scree_vec3 rate;     // the part of the spin that is constant in the world
    struct scree_vec3 own;      // and in the body
    double uniform;             // the length of `rate`
    double fastest;             // no spin is faster
    // of the points of interest: no one turns faster about the centre, and no one at the distance s has a
    // larger acceleration, or change of it, than these times s
    double turning, bend, jerk;
    double step; // of an asymmetric body
    struct scree_event_series *series;
};

struct scree_event_turned {
    struct scree_quat orientation;
    struct scree_vec3 spin, change; // in axes of the world; angular acceleration
};

// A rotation of a body with these principal moments, which is steady if they are null or the spin is fixed.
struct scree_event_rotation scree_event_rotation_make(const double *inertia);

// Whether the points of interest turn with the constant spin `rate`.
static inline bool scree_event_rotation_is_uniform(const struct scree_event_rotation *rotation)
{
    return rotation->axial || rotation->kind == SCREE_EVENT_STEADY;
}

// Begins a flight; `spin` counts for a steady body, `momentum` for others.
void scree_event_rotation_begin(struct scree_event_rotation *rotation, double time, struct scree_quat start,
                                struct scree_vec3 spin, struct scree_vec3 momentum);

// Orientation, spin and its change at a time of the flight.
struct scree_event_turned scree_event_rotation_at(const struct scree_event_rotation *rotation, double time);

// Earlier times than this are asked for rarely from now on.
void scree_event_rotation_keep(const struct scree_event_rotation *rotation, double time);

#endif
