// Distributions, see include/scree/distribution.h: rows of the world, with a row for each bin.
//
// Invariants: rows of distributions and bins are never removed or moved, so those of one distribution are
// consecutive. The sums of one sample are exact before they are rounded; samples are added in their order.

#include "measure/distribution.h"

#include "math/real.h"
#include "measure/part.h"
#include "world/entity.h"

#include <math.h>
#include <string.h>

#define PAIRS SCREE_DISTRIBUTION_PAIRS
#define VALUES SCREE_DISTRIBUTION_VALUES
#define LAYERS SCREE_DISTRIBUTION_LAYERS
#define LAGS SCREE_DISTRIBUTION_LAGS
#define SCREE_DISTRIBUTION(symbol, name, unit, family, about) {name, unit, family, about},
const struct scree_distribution_kind_row scree_distribution_kind_rows[SCREE_DISTRIBUTION_KINDS] = {
#include <scree/distribution.def>
};
#undef SCREE_DISTRIBUTION
#define SCREE_DISTRIBUTION(symbol, name, unit, family, about) name,
const char *const scree_distribution_names[] = {
#include <scree/distribution.def>
    NULL};
#undef SCREE_DISTRIBUTION

enum { MOST_BINS = 10000 };

static struct scree_entity *distributions_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_DISTRIBUTION);
}

static struct scree_distribution *distribution_rows(const struct scree_world *world)
{
    return (struct scree_distribution *)scree_world_column(world, SCREE_ENTITY_DISTRIBUTION,
                                                           SCREE_DISTRIBUTION_DISTRIBUTION);
}

static scree_status find_row(const struct scree_world *world, scree_distribution_id id,
                             struct scree_distribution **row)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(distributions_of(world), id.value, &slot));
    *row = &distribution_rows(world)[slot.index];
    return SCREE_OK;
}

// The first bin of a distribution; fails for a row of a damaged file.
static scree_status find_bins(const struct scree_world *world, const struct scree_distribution *row,
                              struct scree_bin **bin)
{
    const size_t all = scree_world_entity(world, SCREE_ENTITY_BIN)->count;
    *bin = NULL;
    if (row->kind >= SCREE_DISTRIBUTION_KINDS || row->first_bin == 0 || row->bins == 0 || row->bins > all ||
        row->first_bin - 1 > all - row->bins)
        return scree_status_fail(
            SCREE_ERROR_NUMBER,
            "the stored world is inconsistent: a distribution has bins that do not exist");
    *bin =
        (struct scree_bin *)scree_world_column(world, SCREE_ENTITY_BIN, SCREE_BIN_BIN) + (row->first_bin - 1);
    return SCREE_OK;
}

struct scree_measure_region scree_distribution_region(const struct scree_distribution *row)
{
    struct scree_measure_region region = {
        .shape = (enum scree_measure_shape)row->shape, .radius = row->radius, .group = {row->group}};
    memcpy(region.lower, row->lower, sizeof region.lower);
    memcpy(region.upper, row->upper, sizeof region.upper);
    memcpy(region.from, row->from, sizeof region.from);
    memcpy(region.to, row->to, sizeof region.to);
    return region;
}

// --- new distributions

static scree_status check_bins(const struct scree_distribution_def *def)
{
    if ((unsigned)def->kind >= SCREE_DISTRIBUTION_KINDS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no distribution with number %d",
                                 (int)def->kind);
    if (def->bins == 0 || def->bins > MOST_BINS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the number of bins of a distribution must be 1 to %d; got %u",
                                 (int)MOST_BINS, (unsigned)def->bins);
    const struct scree_distribution_kind_row *kind = &scree_distribution_kind_rows[def->kind];
    if (kind->family != LAGS && !(def->to > def->from && def->to - def->from <= 1e150))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the bins of a distribution of '%s' must end above the value at which they begin; got "
            "%g to %g %s",
            kind->name, def->from, def->to, kind->unit);
    return SCREE_OK;
}

// Refuses arguments that the kind does not take.
static scree_status check_arguments(const struct scree_distribution_def *def)
{
    const struct scree_distribution_kind_row *kind = &scree_distribution_kind_rows[def->kind];
    const char *wrong =
        def->partners.value != 0 && kind->family != PAIRS                    ? "partners"
        : (def->wall.value != 0 || def->axis != 0) && kind->family != LAYERS ? "an axis or a wall"
        : def->region.shape != SCREE_MEASURE_EVERYWHERE && (kind->family == PAIRS || kind->family == LAGS)
            ? "a region"
            : NULL;
    if (wrong)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a distribution of '%s' does not take %s", kind->name,
                                 wrong);
    if (def->region.shape == SCREE_MEASURE_MESH)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "the region of a distribution must be a box, a cylinder or a sphere, not a mesh");
    return SCREE_OK;
}

static scree_status check_row(const struct scree_world *world, const struct scree_distribution *row)
{
    const struct scree_measure_region region = scree_distribution_region(row);
    struct scree_part part;
    uint64_t mask;
    SCREE_TRY(scree_part_begin(world, &region, &part));
    if (row->partners != 0)
        SCREE_TRY(scree_group_mask(world, (scree_group_id){row->partners}, &mask));
    switch (scree_distribution_family_of(row)) {
    case PAIRS:
        return scree_distribution_check_pairs(world, row);
    case LAYERS:
        return scree_distribution_check_layers(world, row);
    case LAGS:
        return scree_distribution_check_lags(world, row);
    case VALUES:
        break;
    }
    return SCREE_OK;
}

static struct scree_distribution row_of(const struct scree_distribution_def *def)
{
    const struct scree_measure_region *region = &def->region;
    struct scree_distribution row = {.kind = (uint64_t)def->kind,
                                     .number = def->number,
                                     .group = region->group.value,
                                     .partners = def->partners.value,
                                     .wall = def->wall.value,
                                     .axis = (uint64_t)def->axis,
                                     .shape = (uint64_t)region->shape,
                                     .radius = region->radius,
                                     .first = def->from,
                                     .last = def->to,
                                     .bins = def->bins};
    memcpy(row.lower, region->lower, sizeof row.lower);
    memcpy(row.upper, region->upper, sizeof row.upper);
    memcpy(row.from, region->from, sizeof row.from);
    memcpy(row.to, region->to, sizeof row.to);
    return row;
}

static scree_status insert(struct scree_world *world, struct scree_distribution *row, uint64_t *id)
{
    struct scree_entity *bins = scree_world_entity(world, SCREE_ENTITY_BIN);
    scree_slot slot;
    uint64_t bin;
    SCREE_TRY(scree_entity_reserve(distributions_of(world), distributions_of(world)->count + 1));
    SCREE_TRY(scree_entity_reserve(bins, bins->count + row->bins));
    row->first_bin = bins->pool.last + 1;
    for (uint64_t b = 0; b < row->bins; ++b) {
        const scree_status status = scree_entity_insert(bins, &slot, &bin);
        if (status == SCREE_OK)
            continue;
        for (; b > 0; --b)
            scree_entity_remove(bins, (scree_slot){(uint32_t)bins->count - 1});
        return status;
    }
    SCREE_TRY(scree_entity_insert(distributions_of(world), &slot, id));
    distribution_rows(world)[slot.index] = *row;
    return SCREE_OK;
}

scree_status scree_distribution_add(struct scree_world *world, const struct scree_distribution_def *def,
                                    scree_distribution_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    id->value = 0;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(check_bins(def));
    SCREE_TRY(check_arguments(def));
    struct scree_distribution row = row_of(def);
    if (row.wall != 0)
        SCREE_TRY(scree_distribution_wall_axis(world, &row));
    SCREE_TRY(check_row(world, &row));
    for (size_t d = 0; d < distributions_of(world)->count; ++d)
        if (memcmp(&distribution_rows(world)[d], &row, offsetof(struct scree_distribution, first_bin)) == 0) {
            id->value = scree_entity_ids(distributions_of(world))[d];
            return SCREE_OK;
        }
    row.begin_time = scree_world_clock(world)->time;
    row.begin_steps = scree_world_clock(world)->steps;
    return insert(world, &row, &id->value);
}

// --- samples

scree_status scree_distribution_sample(struct scree_world *world, scree_distribution_id id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_distribution *row;
    struct scree_bin *bin;
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(find_row(world, id, &row));
    SCREE_TRY(find_bins(world, row, &bin));
    switch (scree_distribution_family_of(row)) {
    case PAIRS:
        status = scree_distribution_sample_pairs(world, row, bin);
        break;
    case VALUES:
        status = scree_distribution_sample_values(world, row, bin);
        break;
    case LAYERS:
        status = scree_distribution_sample_layers(world, row, bin);
        break;
    case LAGS:
        status = scree_distribution_sample_lags(world, id.value, row, bin);
        break;
    }
    row->samples += status == SCREE_OK;
    return status;
}

scree_status scree_distribution_reset(struct scree_world *world, scree_distribution_id id)
{
    struct scree_distribution *row;
    struct scree_bin *bin;
    SCREE_TRY(find_row(world, id, &row));
    SCREE_TRY(find_bins(world, row, &bin));
    memset(bin, 0, row->bins * sizeof *bin);
    row->samples = 0;
    row->weight = 0;
    row->begin_time = scree_world_clock(world)->time;
    row->begin_steps = scree_world_clock(world)->steps;
    return SCREE_OK;
}

// --- results

scree_status scree_distribution_get(const struct scree_world *world, scree_distribution_id id,
                                    struct scree_distribution_state *state)
{
    struct scree_distribution *row;
    SCREE_TRY(find_row(world, id, &row));
    *state = (struct scree_distribution_state){row->samples, row->begin_time, row->begin_steps};
    return SCREE_OK;
}

size_t scree_distribution_columns(enum scree_distribution_kind kind, int dimension,
                                  struct scree_distribution_column column[SCREE_DISTRIBUTION_COLUMNS])
{
    static const struct scree_distribution_column columns[][SCREE_DISTRIBUTION_COLUMNS] = {
        [PAIRS] = {{"distance", "m"}, {"pairs", ""}, {"g", ""}},
        [VALUES] = {{"value", ""}, {"count", ""}, {"density", ""}},
        [LAYERS] = {{"place", "m"},
                    {"count", ""},
                    {"number-density", "1/m^3"},
                    {"solid-fraction", ""},
                    {"velocity-x", "m/s"},
                    {"velocity-y", "m/s"},
                    {"velocity-z", "m/s"},
                    {"temperature", "m^2/s^2"}},
        [LAGS] = {{"lag", "s"},
                  {"count", ""},
                  {"square-displacement", "m^2"},
                  {"square-displacement-x", "m^2"},
                  {"square-displacement-y", "m^2"},
                  {"square-displacement-z", "m^2"},
                  {"velocity-correlation", "m^2/s^2"}}};
    const struct scree_distribution_kind_row *row = &scree_distribution_kind_rows[kind];
    size_t count = 0;
    for (; count < SCREE_DISTRIBUTION_COLUMNS && columns[row->family][count].name; ++count)
        column[count] = columns[row->family][count];
    if (row->family == VALUES) {
        column[0] = (struct scree_distribution_column){row->name, row->unit};
        column[2].unit = strcmp(row->unit, "m/s") == 0 ? "s/m" : "s/rad";
    } else if (row->family == LAYERS && dimension == 2) {
        column[2].unit = "1/m^2";
    }
    return count;
}

// The volume between two spheres, the area between two circles.
static double shell(int dimension, double first, double last)
{
    return dimension == 2
               ? SCREE_PI * (last - first) * (last + first)
               : 4.0 / 3.0 * SCREE_PI * (last - first) * (last * last + last * first + first * first);
}

static void layer_of(const struct scree_bin *bin, double weight, int dimension, double *value)
{
    const double mass = bin->sum[SCREE_LAYER_MASS];
    double square = 0;
    value[2] = weight > 0 ? (double)bin->count / weight : 0;
    value[3] = weight > 0 ? bin->sum[SCREE_LAYER_VOLUME] / weight : 0;
    for (int k = 0; k < 3; ++k) {
        value[4 + k] = mass > 0 ? bin->sum[SCREE_LAYER_MOMENTUM + k] / mass : 0;
        square += value[4 + k] * value[4 + k];
    }
    const double fluctuation = mass > 0 ? bin->sum[SCREE_LAYER_SQUARE] / mass - square : 0;
    value[7] = fluctuation > 0 ? fluctuation / dimension : 0;
}

static void lag_of(const struct scree_bin *bin, double *value)
{
    const double count = bin->count > 0 ? (double)bin->count : 1;
    value[0] = bin->sum[SCREE_LAG_TIME] / count;
    for (int k = 0; k < 3; ++k) {
        value[3 + k] = bin->sum[SCREE_LAG_SQUARE + k] / count;
        value[2] += value[3 + k];
    }
    value[6] = bin->sum[SCREE_LAG_VELOCITIES] / count;
}

scree_status scree_distribution_bin(const struct scree_world *world, scree_distribution_id id, uint32_t bin,
                                    double value[SCREE_DISTRIBUTION_COLUMNS])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_distribution *row;
    struct scree_bin *first;
    memset(value, 0, SCREE_DISTRIBUTION_COLUMNS * sizeof *value);
    SCREE_TRY(find_row(world, id, &row));
    SCREE_TRY(find_bins(world, row, &first));
    if (bin >= row->bins)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a distribution of %llu bins has no bin %u",
                                 (unsigned long long)row->bins, (unsigned)bin);
    const struct scree_bin *at = &first[bin];
    const double width = (row->last - row->first) / (double)row->bins, lower = row->first + bin * width;
    value[0] = row->first + (bin + 0.5) * width;
    value[1] = (double)at->count;
    switch (scree_distribution_family_of(row)) {
    case PAIRS:
        if (row->weight > 0)
            value[2] = (double)at->count / (row->weight * shell(world->dimension, lower, lower + width));
        break;
    case VALUES:
        if (row->weight > 0)
            value[2] = (double)at->count / (row->weight * width);
        break;
    case LAYERS:
        layer_of(at, row->weight, world->dimension, value);
        break;
    case LAGS:
        lag_of(at, value);
        break;
    }
    return SCREE_OK;
}
