// Internals of distributions, see include/scree/distribution.h: their kinds, rows and bins. The sums of a bin
// depend on the family of the kind; each family has its own way to sample.

#ifndef SCREE_MEASURE_DISTRIBUTION_H
#define SCREE_MEASURE_DISTRIBUTION_H

#include "world/world.h"

#include <scree/distribution.h>

enum scree_distribution_family {
    SCREE_DISTRIBUTION_PAIRS,  // count: ordered pairs; weight: pairs per volume
    SCREE_DISTRIBUTION_VALUES, // count: values; weight: number of bodies, also outside of the bins
    // count: bodies; sums: enum scree_distribution_layer; weight: volume of a bin
    SCREE_DISTRIBUTION_LAYERS,
    SCREE_DISTRIBUTION_LAGS // count: bodies; sums: enum scree_distribution_lag
};

// Sums of layers: volume of bodies, momentum, mass, mass times square of velocity.
enum scree_distribution_layer {
    SCREE_LAYER_VOLUME,
    SCREE_LAYER_MOMENTUM,
    SCREE_LAYER_MASS = SCREE_LAYER_MOMENTUM + 3,
    SCREE_LAYER_SQUARE,
    SCREE_LAYER_SUMS
};

// Sums of displacements: squares along the axes, product of velocities, times.
enum scree_distribution_lag {
    SCREE_LAG_SQUARE,
    SCREE_LAG_VELOCITIES = SCREE_LAG_SQUARE + 3,
    SCREE_LAG_TIME,
    SCREE_LAG_SUMS
};
_Static_assert((int)SCREE_LAYER_SUMS <= (int)SCREE_BIN_SUMS && (int)SCREE_LAG_SUMS <= (int)SCREE_BIN_SUMS,
               "sums of a bin");

struct scree_distribution_kind_row {
    const char *name, *unit;
    enum scree_distribution_family family;
    const char *about;
};
extern const struct scree_distribution_kind_row scree_distribution_kind_rows[SCREE_DISTRIBUTION_KINDS];
extern const char *const scree_distribution_names[]; // ends with null

static inline enum scree_distribution_family
scree_distribution_family_of(const struct scree_distribution *row)
{
    return scree_distribution_kind_rows[row->kind].family;
}

// The region of a distribution, with the group of its bodies.
struct scree_measure_region scree_distribution_region(const struct scree_distribution *row);

// Returns the bin of a value, or -1 if it is outside of all.
static inline int64_t scree_distribution_bin_of(const struct scree_distribution *row, double value)
{
    if (!(value >= row->first && value < row->last))
        return -1;
    const int64_t bin = (int64_t)((value - row->first) / (row->last - row->first) * (double)row->bins);
    return bin < (int64_t)row->bins ? bin : (int64_t)row->bins - 1;
}

// Finds the axis of a profile along the normal of its wall.
SCREE_NODISCARD scree_status scree_distribution_wall_axis(const struct scree_world *world,
                                                          struct scree_distribution *row);

// Check a new definition of a family; add the present state to the bins.
SCREE_NODISCARD scree_status scree_distribution_check_pairs(const struct scree_world *world,
                                                            const struct scree_distribution *row);
SCREE_NODISCARD scree_status scree_distribution_check_layers(const struct scree_world *world,
                                                             const struct scree_distribution *row);
SCREE_NODISCARD scree_status scree_distribution_check_lags(const struct scree_world *world,
                                                           const struct scree_distribution *row);
SCREE_NODISCARD scree_status scree_distribution_sample_pairs(const struct scree_world *world,
                                                             struct scree_distribution *row,
                                                             struct scree_bin *bin);
SCREE_NODISCARD scree_status scree_distribution_sample_values(struct scree_world *world,
                                                              struct scree_distribution *row,
                                                              struct scree_bin *bin);
SCREE_NODISCARD scree_status scree_distribution_sample_layers(struct scree_world *world,
                                                              struct scree_distribution *row,
                                                              struct scree_bin *bin);
SCREE_NODISCARD scree_status scree_distribution_sample_lags(struct scree_world *world, uint64_t id,
                                                            struct scree_distribution *row,
                                                            struct scree_bin *bin);

#endif
