// Distributions over bins, averaged over samples: radial distribution functions, histograms of velocities,
// profiles along an axis, and displacements against time. Each call of scree_distribution_sample adds the
// present state.
//
// A distribution and its sums are part of the world and of its digest, so averages go on after a restart.
// Sums of one sample are exact before they are rounded, so no result depends on threads or on the order of
// bodies. Positions are those of centres of mass.
#ifndef SCREE_DISTRIBUTION_H
#define SCREE_DISTRIBUTION_H

#include <scree/measure.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Kinds of distributions, as distribution.def lists them. */
enum scree_distribution_kind {
#define SCREE_DISTRIBUTION(symbol, name, unit, family, about) SCREE_DISTRIBUTION_##symbol,
#include <scree/distribution.def>
#undef SCREE_DISTRIBUTION
    SCREE_DISTRIBUTION_KINDS
};

/** Id of a distribution in its world. */
typedef struct scree_distribution_id {
    uint64_t value;
} scree_distribution_id;

/** Definition of a distribution. */
struct scree_distribution_def {
    enum scree_distribution_kind kind;
    /** Bodies that count, by their centres and their group: of a radial distribution only a group; of a
     * profile a box, or a cylinder along its axis, or everywhere, which is the box of the world; of
     * displacements only a group. */
    struct scree_measure_region region;
    scree_group_id partners; /**< of a radial distribution: the group of the partners, value 0 for all */
    double from, to;         /**< first and last bound of the bins; not for displacements */
    uint32_t bins;           /**< their number, 1 to 10000; of displacements the number of samples until
                                  positions are compared with new starts */
    int axis;                /**< of a profile without a wall: 0, 1 or 2 for x, y or z */
    scree_wall_id wall;      /**< of a profile: a plane wall whose normal is along the axis; bins are of the
                                  distance from it, on the side of its normal. Value 0 for none */
    uint64_t number; /**< chosen by the caller: definitions with other numbers are other distributions */
};

/** Adds a distribution; `id` (not null) receives its id. If one with an identical definition exists, its id
 * is returned. Refused if the world cannot have it: a radial distribution needs a cell that is periodic along
 * all axes. */
SCREE_NODISCARD scree_status scree_distribution_add(struct scree_world *world,
                                                    const struct scree_distribution_def *def,
                                                    scree_distribution_id *id);

/** Adds the present state of the world to the sums; between steps or in a callback from point 60 on. */
SCREE_NODISCARD scree_status scree_distribution_sample(struct scree_world *world, scree_distribution_id id);

/** Begins new averages at the present time. */
SCREE_NODISCARD scree_status scree_distribution_reset(struct scree_world *world, scree_distribution_id id);

/** What a distribution has averaged. */
struct scree_distribution_state {
    uint64_t samples; /**< since the averages began */
    double begin;     /**< when they began, s */
    uint64_t steps;   /**< number of steps at that time */
};

/** Copies the state to `state`, not null. */
SCREE_NODISCARD scree_status scree_distribution_get(const struct scree_world *world, scree_distribution_id id,
                                                    struct scree_distribution_state *state);

enum { SCREE_DISTRIBUTION_COLUMNS = 8 };

/** A number for each bin. */
struct scree_distribution_column {
    const char *name;
    const char *unit; /**< empty for plain numbers */
};

/** Names and units of the numbers of a bin in a world of 2 or 3 dimensions, in `column`; returns how many
 * there are. */
size_t scree_distribution_columns(enum scree_distribution_kind kind, int dimension,
                                  struct scree_distribution_column column[SCREE_DISTRIBUTION_COLUMNS]);

/** Computes the numbers of bin `bin`, from 0, in the order of its columns. The first is its middle; of
 * displacements the mean of the times. A mean over nothing is 0. */
SCREE_NODISCARD scree_status scree_distribution_bin(const struct scree_world *world, scree_distribution_id id,
                                                    uint32_t bin, double value[SCREE_DISTRIBUTION_COLUMNS]);

#ifdef __cplusplus
}
#endif
#endif
