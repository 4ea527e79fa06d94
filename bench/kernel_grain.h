// How a grain may lie in memory: the candidates that the probe compares, and the tile that every loader
// fills.
//
// A grain carries the mid-step velocity and spin, and the half-kick corrections that turn them into on-step
// values. The short record keeps the corrections as floats (they are h/2 times an acceleration, so their
// error is 6e-8 of a small number); the long one keeps the finished on-step values as doubles.

#ifndef SCREE_BENCH_KERNEL_GRAIN_H
#define SCREE_BENCH_KERNEL_GRAIN_H

#include <stddef.h>
#include <stdint.h>

// two cache lines
struct grain128 {
    double centre[3], radius, velocity[3], mass;
    double spin[3];
    float kick[6];
    uint32_t kind, material, owner, flags;
};

// three cache lines
struct grain192 {
    double centre[3], radius, velocity[3], mass;
    double spin[3], full_velocity[3];
    uint32_t kind, material, owner, flags;
    double full_spin[3], inverse_mass, inverse_inertia, spare[3];
};

_Static_assert(sizeof(struct grain128) == 128, "the short record is two cache lines");
_Static_assert(sizeof(struct grain192) == 192, "the long record is three cache lines");

// plain arrays, one per value
struct columns {
    double *value[11];
    float *kick[6];
};

// rows of the tile that a loader fills for one side of a batch: the words of the short record, then the
// on-step values
enum {
    ROW_CENTRE = 0,
    ROW_RADIUS = 3,
    ROW_VELOCITY = 4,
    ROW_MASS = 7,
    ROW_SPIN = 8,
    ROW_KICK = 11,
    ROW_FULL_VELOCITY = 16,
    ROW_FULL_SPIN = 19,
    ROW_COUNT = 24
};

// the slots of the two grains of a candidate, the one of lower id first
struct pair {
    uint32_t low, high;
};

enum load { LOAD_ROWS128, LOAD_ROWS192, LOAD_ELEMENTS, LOAD_COLUMNS };

// how eight flags pack: the lanes that are set, one behind the other
struct squeeze {
    uint32_t lane[8];
    uint8_t count;
};

static inline void squeeze_fill(struct squeeze table[256])
{
    for (unsigned bits = 0; bits < 256; bits++) {
        table[bits] = (struct squeeze){0};
        for (unsigned l = 0; l < 8; l++) {
            if (bits >> l & 1)
                table[bits].lane[table[bits].count++] = l;
        }
    }
}

// always eight, of which the caller counts the first few
static inline __attribute__((always_inline)) void squeeze_put(uint32_t *restrict out,
                                                              const uint32_t *restrict lane, uint32_t base)
{
#pragma omp simd
    for (int l = 0; l < 8; l++)
        out[l] = base + lane[l];
}

// what a step does with its candidates: the law on every one, or on a list of the live ones; and there with
// the pushes: a record each, summed later in fixed order, or added at once to the loads of both grains in
// list order
enum walk { WALK_EVERY, WALK_LIVE, WALK_ADDED };

// where the candidates of a range lie: between tiles, inside one, or anywhere because there are no tiles
enum place { PLACE_BETWEEN, PLACE_INSIDE, PLACE_WHOLE };

// everything that a step reads and writes; records of pushes are numbered as in struct list
struct probe {
    size_t grains;
    struct grain128 *grain128;
    struct grain192 *grain192;
    struct columns columns;
    const struct list *list;
    double (*history)[4];
    // the list's records, and behind them one that nobody reads
    double (*push)[8];
    uint32_t lost_record;
    // per batch: which candidates were live in the last step
    uint8_t *was_live;
    // scratch of a walk: the live candidates, their records, and the records of the others
    uint32_t *live, *live_record, *dead_record;
    struct squeeze squeeze[256];
    // per grain: force and moment (rows of 4) of a walk that adds at once, and dissipation by friction and by
    // dashpot
    double (*load)[8];
    double (*loss)[2];
};

// grain i of whichever records a step runs on, seen as the short one: the first eleven values lie alike in
// both
static inline __attribute__((always_inline)) struct grain128 *grain_at(const struct probe *p, size_t i,
                                                                       enum load load)
{
    return load == LOAD_ROWS192 ? (struct grain128 *)(void *)&p->grain192[i] : &p->grain128[i];
}

static inline struct grain192 grain_long(const struct grain128 *g)
{
    struct grain192 wide = {.radius = g->radius, .mass = g->mass};
    for (int k = 0; k < 3; k++) {
        wide.centre[k] = g->centre[k];
        wide.velocity[k] = g->velocity[k];
        wide.spin[k] = g->spin[k];
        wide.full_velocity[k] = g->velocity[k] + (double)g->kick[k];
        wide.full_spin[k] = g->spin[k] + (double)g->kick[3 + k];
    }
    const double inverse = 1.0 / (g->mass * g->radius * g->radius);
    wide.inverse_mass = g->radius * g->radius * inverse;
    wide.inverse_inertia = 2.5 * inverse;
    return wide;
}

#endif
