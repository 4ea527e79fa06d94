// Parts of passes over the grains that bodies carry: bounds of the cell, and largest motions. The passes in
// columns are in pebbles.inc.

#ifndef SCREE_WORLD_PEBBLES_H
#define SCREE_WORLD_PEBBLES_H

#include "math/real.h"
#include "world/cell.h"
#include "world/grain.h"

#include <math.h>

// Of the word with kind, material and part of a carried grain: what is in the last word of its record. The
// rest of that word is from the record of the body.
#define SCREE_PEBBLES_OWN (UINT64_C(0xFFFFFFFF00000000) | SCREE_KIND_POLYHEDRON)
static_assert((int)SCREE_KIND_POLYHEDRON == (int)SCREE_FLAG_SHAPED, "the kind is the flag");

// The arrays of a pass: records of all grains, those of bodies first; rows of carried grains; and integer
// sums of all grains (contact/sums.h), which are not needed to write records. `internal` may be null.
struct scree_pebbles {
    size_t bodies;
    struct scree_grain *grain;
    const struct scree_local_grain *local;
    int64_t *sum, *internal;
};

static inline struct scree_pebbles scree_pebbles_of(const struct scree_world *world, int64_t *sum,
                                                    int64_t *internal)
{
    return (struct scree_pebbles){scree_world_bodies(world), scree_world_grains(world),
                                  scree_grain_locals(world), sum, internal};
}

// Moves the record of a grain into a cell with cell vectors.
void scree_pebbles_enter(const struct scree_pebbles_flow *flow, struct scree_grain *grain);

// The square of the displacement of a grain without the mean motion, from its position `before`, which may be
// that of another image; and the square of its speed without the mean velocity. `place` and `velocity` are
// those of the same image.
struct scree_pebbles_motion {
    double displacement, speed;
};
struct scree_pebbles_motion scree_pebbles_motion_of(const struct scree_pebbles_flow *flow,
                                                    struct scree_vec3 place, struct scree_vec3 before,
                                                    struct scree_vec3 velocity, bool middle);

// Wraps a position into the periodic cell.
static inline void scree_pebbles_wrap(const struct scree_cell *cell, double *position)
{
    int64_t image;
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0 && !(position[k] >= cell->lower[k] && position[k] < cell->upper[k]))
            (void)scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &position[k],
                                             &image);
}

// The cell, infinite where it is not periodic. In a cell with cell vectors a record that several lanes repeat
// enters the cell once: round-off could move it on.
struct scree_pebbles_bounds {
    const struct scree_cell *cell;
    const struct scree_pebbles_flow *flow; // null without cell vectors
    double lower[3], upper[3];
    double near; // square of half the shortest period
};

static inline struct scree_pebbles_bounds scree_pebbles_bounds_of(const struct scree_cell *cell,
                                                                  const struct scree_pebbles_flow *flow)
{
    const double infinite = (double)INFINITY;
    struct scree_pebbles_bounds bounds = {.cell = cell, .flow = flow, .near = infinite};
    for (int k = 0; k < 3; ++k) {
        const bool periodic = cell->period[k] > 0;
        const double square = periodic ? 0.25 * cell->period[k] * cell->period[k] : infinite;
        bounds.lower[k] = periodic ? cell->lower[k] : -infinite;
        bounds.upper[k] = periodic ? cell->upper[k] : infinite;
        bounds.near = square < bounds.near ? square : bounds.near;
    }
    return bounds;
}

static inline double scree_pebbles_square_of_nearest(const struct scree_cell *cell,
                                                     const double *displacement)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double length = cell->period[k] > 0 ? cell->period[k] : (double)INFINITY;
        const double nearest = scree_kernel_nearest_image(displacement[k], length);
        square += nearest * nearest;
    }
    return square;
}

// Raises a largest value that several threads share.
static inline void scree_pebbles_raise(_Atomic uint64_t *largest, double value)
{
    const uint64_t bits = scree_real_bits(value);
    uint64_t old = atomic_load_explicit(largest, memory_order_relaxed);
    while (bits > old && !atomic_compare_exchange_weak_explicit(largest, &old, bits, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
}

#endif
