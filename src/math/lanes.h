// Three components at a time: vectors are stored in groups of four doubles, so one wide register contains a
// vector and the number after it, and an integration scheme is written once for all three axes.
//
// Invariant: lane 3 contains that number (radius, mass, an energy account). Arithmetic leaves it unchanged,
// because accelerations and damping rates are 0 there. Each lane has the bits of scalar arithmetic.

#ifndef SCREE_MATH_LANES_H
#define SCREE_MATH_LANES_H

#include <stdint.h>
#include <string.h>

// vectors are never passed in a call: these functions are inlined, so the calling convention does not matter
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double scree_lanes __attribute__((vector_size(32)));
typedef int64_t scree_lanes_mask __attribute__((vector_size(32)));

// Mask of the free axes, by the three bits of the fixed ones.
static const scree_lanes_mask scree_lanes_free[8] = {{-1, -1, -1, 0}, {0, -1, -1, 0}, {-1, 0, -1, 0},
                                                     {0, 0, -1, 0},   {-1, -1, 0, 0}, {0, -1, 0, 0},
                                                     {-1, 0, 0, 0},   {0, 0, 0, 0}};

static inline __attribute__((always_inline)) scree_lanes scree_lanes_load(const double *from)
{
    scree_lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline __attribute__((always_inline)) void scree_lanes_store(scree_lanes lanes, double *to)
{
    memcpy(to, &lanes, sizeof lanes);
}

// Does not write lane 3. Stored lane by lane: a copy through memory would need a slow reload.
static inline __attribute__((always_inline)) void scree_lanes_store_three(scree_lanes lanes, double *to)
{
    to[0] = lanes[0];
    to[1] = lanes[1];
    to[2] = lanes[2];
}

static inline __attribute__((always_inline)) void scree_lanes_store_floats(scree_lanes lanes, float *to)
{
    to[0] = (float)lanes[0];
    to[1] = (float)lanes[1];
    to[2] = (float)lanes[2];
}

static inline __attribute__((always_inline)) scree_lanes scree_lanes_all(double value)
{
    return (scree_lanes){value, value, value, value};
}

// The lanes where the mask is set, zero elsewhere.
static inline __attribute__((always_inline)) scree_lanes scree_lanes_keep(scree_lanes_mask mask,
                                                                          scree_lanes lanes)
{
    return (scree_lanes)((scree_lanes_mask)lanes & mask);
}

static inline __attribute__((always_inline)) scree_lanes scree_lanes_select(scree_lanes_mask mask,
                                                                            scree_lanes yes, scree_lanes no)
{
    return (scree_lanes)(((scree_lanes_mask)yes & mask) | ((scree_lanes_mask)no & ~mask));
}

// Axes y, z, x, and lane 3.
static inline __attribute__((always_inline)) scree_lanes scree_lanes_next(scree_lanes a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

// Each axis as scree_vec3_cross; lane 3 is 0 if it is finite in both.
static inline __attribute__((always_inline)) scree_lanes scree_lanes_cross(scree_lanes a, scree_lanes b)
{
    const scree_lanes after_a = scree_lanes_next(a), after_b = scree_lanes_next(b);
    return after_a * scree_lanes_next(after_b) - scree_lanes_next(after_a) * after_b;
}

#endif
