// The record `distribution`: averages over bins, see include/scree/distribution.h. Its mark is the length of
// the file.
//
// Each record of it adds a sample. When the time of an average is over, its bins become rows of the file, and
// the next average begins; the last one is written when the record is closed. The sums are part of the world,
// so a restart goes on with them; what was written after the checkpoint is truncated.

#include "measure/distribution.h"

#include "base/instant.h"
#include "build/build.h"
#include "file/csv.h"
#include "language/measurement.h"
#include "run/host.h"
#include "run/records.h"

#include <scree/group.h>

#include <math.h>
#include <string.h>

struct distribution {
    struct scree_csv csv;
    struct scree_world *world;
    scree_distribution_id id;
    struct scree_distribution_def def;
    size_t columns;
    struct scree_reading_every over; // both members 0: the whole run
    bool begun;
};

// --- reading

// Reads a bound of the bins, in the unit of the kind; returns false after a diagnostic.
static bool read_bound(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                       const char *unit, double *bound)
{
    const struct scree_value_rule rule = {.name = scree_key_rows[key].name,
                                          .unit = unit,
                                          .example = scree_key_rows[key].example,
                                          .least = -(double)INFINITY,
                                          .most = (double)INFINITY};
    return scree_value_number(&reading->values, scree_reading_node(map, key), &rule, bound);
}

// Reports a key that the kind does not take, or one that it needs.
static bool check_key(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                      const char *kind, bool allowed, bool needed)
{
    const bool has = scree_reading_has(map, key);
    if (has && !allowed)
        return scree_reading_report(reading, scree_reading_node(map, key),
                                    "a distribution of '%s' does not take '%s'", kind,
                                    scree_key_rows[key].name);
    if (!has && needed)
        return scree_reading_report(reading, map, "a distribution of '%s' needs '%s', as in `%s`", kind,
                                    scree_key_rows[key].name, scree_key_rows[key].example);
    return true;
}

static bool check_keys(struct scree_reading *reading, const struct scree_node *map,
                       const struct scree_distribution_kind_row *kind)
{
    const bool pairs = kind->family == SCREE_DISTRIBUTION_PAIRS,
               lags = kind->family == SCREE_DISTRIBUTION_LAGS,
               layers = kind->family == SCREE_DISTRIBUTION_LAYERS;
    bool good = check_key(reading, map, SCREE_KEY_record_partners, kind->name, pairs, false);
    good = check_key(reading, map, SCREE_KEY_record_from, kind->name, !lags, false) && good;
    good = check_key(reading, map, SCREE_KEY_record_to, kind->name, !lags, !lags) && good;
    good = check_key(reading, map, SCREE_KEY_record_inside, kind->name, !pairs && !lags, false) && good;
    good = check_key(reading, map, SCREE_KEY_record_wall, kind->name, layers, false) && good;
    return check_key(reading, map, SCREE_KEY_record_along, kind->name, layers,
                     layers && !scree_reading_has(map, SCREE_KEY_record_wall)) &&
           good;
}

static bool read_bins(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_distribution_def *def)
{
    const struct scree_distribution_kind_row *kind = &scree_distribution_kind_rows[def->kind];
    uint64_t bins;
    if (!scree_reading_whole(reading, map, SCREE_KEY_record_bins, &bins))
        return false;
    def->bins = (uint32_t)bins;
    if (kind->family == SCREE_DISTRIBUTION_LAGS)
        return true;
    if (!read_bound(reading, map, SCREE_KEY_record_to, kind->unit, &def->to))
        return false;
    const bool both_signs =
        kind->family == SCREE_DISTRIBUTION_VALUES && def->kind != SCREE_DISTRIBUTION_SPEED;
    def->from = both_signs ? -def->to : 0;
    return !scree_reading_has(map, SCREE_KEY_record_from) ||
           read_bound(reading, map, SCREE_KEY_record_from, kind->unit, &def->from);
}

// Finds the wall of a profile.
static scree_status read_wall(struct scree_host *host, const struct scree_node *map,
                              struct scree_distribution_def *def)
{
    const struct scree_node *node = scree_reading_node(map, SCREE_KEY_record_wall);
    scree_group_id group;
    size_t count;
    SCREE_TRY(scree_build_group(host->reading, host->world, map, SCREE_KEY_record_wall, &group));
    if (group.value == 0)
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(scree_group_walls(host->world, group, &def->wall, 1, &count));
    if (count != 1) {
        scree_reading_report(host->reading, node,
                             "the wall of a profile must be a group of one wall; it has %zu", count);
        return SCREE_ERROR_ARGUMENT;
    }
    return SCREE_OK;
}

static scree_status read_groups(struct scree_host *host, const struct scree_node *map,
                                struct scree_distribution_def *def)
{
    const struct scree_node *inside = scree_reading_node(map, SCREE_KEY_record_inside);
    const char *mesh = NULL;
    size_t axis = 0;
    if (inside && !scree_measurement_region(host->reading, inside, &def->region, &mesh))
        return SCREE_ERROR_ARGUMENT;
    if (mesh)
        scree_reading_report(
            host->reading, inside,
            "the region of a distribution must be a box, a cylinder or a sphere, not a mesh");
    if (mesh)
        return SCREE_ERROR_ARGUMENT;
    if (scree_reading_has(map, SCREE_KEY_record_group)) {
        SCREE_TRY(
            scree_build_group(host->reading, host->world, map, SCREE_KEY_record_group, &def->region.group));
        if (def->region.group.value == 0)
            return SCREE_ERROR_ARGUMENT;
    }
    if (scree_reading_has(map, SCREE_KEY_record_partners)) {
        SCREE_TRY(
            scree_build_group(host->reading, host->world, map, SCREE_KEY_record_partners, &def->partners));
        if (def->partners.value == 0)
            return SCREE_ERROR_ARGUMENT;
    }
    if (scree_reading_has(map, SCREE_KEY_record_along) &&
        !scree_reading_word(host->reading, map, SCREE_KEY_record_along, &axis))
        return SCREE_ERROR_ARGUMENT;
    def->axis = (int)axis;
    return scree_reading_has(map, SCREE_KEY_record_wall) ? read_wall(host, map, def) : SCREE_OK;
}

static scree_status read_distribution(struct distribution *distribution, struct scree_host *host,
                                      const struct scree_node *map)
{
    struct scree_reading *reading = host->reading;
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    struct scree_distribution_def *def = &distribution->def;
    size_t kind, number = 0;
    if (!scree_reading_word(reading, map, SCREE_KEY_record_quantity, &kind) ||
        !check_keys(reading, map, &scree_distribution_kind_rows[kind]))
        return SCREE_ERROR_ARGUMENT;
    while (records->item[number] != map)
        ++number;
    def->kind = (enum scree_distribution_kind)kind;
    def->number = number + 1;
    if (!read_bins(reading, map, def) ||
        (scree_reading_has(map, SCREE_KEY_record_over) &&
         !scree_reading_value(reading, map, SCREE_KEY_record_over, &distribution->over)))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(read_groups(host, map, def));
    SCREE_TRY(scree_reading_report_status(reading, scree_reading_node(map, SCREE_KEY_record_quantity),
                                          scree_distribution_add(host->world, def, &distribution->id)));
    return distribution->id.value != 0 ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

static scree_status distribution_check(void *self, struct scree_host *host, const struct scree_node *map,
                                       const uint64_t *mark)
{
    struct distribution *distribution = (struct distribution *)self;
    struct scree_distribution_column column[SCREE_DISTRIBUTION_COLUMNS];
    struct scree_csv_column title[SCREE_DISTRIBUTION_COLUMNS + 2] = {{"time", "s"}, {"samples", ""}};
    const char *name;
    distribution->world = host->world;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_distribution, &name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(read_distribution(distribution, host, map));
    const size_t columns =
        scree_distribution_columns(distribution->def.kind, scree_world_dimension(host->world), column);
    for (size_t c = 0; c < columns; ++c)
        title[c + 2] = (struct scree_csv_column){column[c].name, column[c].unit};
    distribution->columns = columns + 2;
    const struct scree_csv_def def = {.folder = host->folder,
                                      .name = name,
                                      .column = title,
                                      .columns = distribution->columns,
                                      .force = host->def->force,
                                      .check_only = host->check_only,
                                      .length = mark};
    return scree_csv_check(&distribution->csv, &def);
}

// --- records

static scree_status distribution_begin(void *self)
{
    struct distribution *distribution = (struct distribution *)self;
    SCREE_TRY(scree_csv_begin(&distribution->csv));
    distribution->begun = true;
    return SCREE_OK;
}

// Writes the bins of the present average, unless it has no sample.
static scree_status write_bins(struct distribution *distribution)
{
    struct scree_distribution_state state;
    double value[SCREE_DISTRIBUTION_COLUMNS + 2] = {scree_world_time(distribution->world)};
    SCREE_TRY(scree_distribution_get(distribution->world, distribution->id, &state));
    value[1] = (double)state.samples;
    for (uint32_t b = 0; b < distribution->def.bins && state.samples > 0; ++b) {
        SCREE_TRY(scree_distribution_bin(distribution->world, distribution->id, b, value + 2));
        SCREE_TRY(scree_csv_write(&distribution->csv, value, distribution->columns));
    }
    return scree_csv_flush(&distribution->csv);
}

static bool is_over(const struct distribution *distribution, const struct scree_distribution_state *state)
{
    const struct scree_reading_every *over = &distribution->over;
    const struct scree_world *world = distribution->world;
    if (over->steps > 0)
        return scree_world_steps(world) - state->steps >= over->steps;
    return over->time > 0 && scree_instant_has_come(scree_world_time(world), state->begin + over->time);
}

static scree_status distribution_take(void *self, struct scree_host *host)
{
    struct distribution *distribution = (struct distribution *)self;
    struct scree_distribution_state state;
    SCREE_TRY(scree_distribution_sample(host->world, distribution->id));
    SCREE_TRY(scree_distribution_get(host->world, distribution->id, &state));
    if (!is_over(distribution, &state))
        return SCREE_OK;
    SCREE_TRY(write_bins(distribution));
    return scree_distribution_reset(host->world, distribution->id);
}

static scree_status distribution_mark(void *self, uint64_t *mark)
{
    return scree_csv_length(&((struct distribution *)self)->csv, mark);
}

static void distribution_list_files(const void *self, scree_record_visit *visit, void *user)
{
    visit(user, "distribution", ((const struct distribution *)self)->csv.append.path);
}

static scree_status distribution_close(void *self)
{
    struct distribution *distribution = (struct distribution *)self;
    const scree_status status = distribution->begun ? write_bins(distribution) : SCREE_OK;
    const scree_status closed = scree_csv_close(&distribution->csv);
    return status == SCREE_OK ? closed : status;
}

const struct scree_record_kind scree_distribution_kind = {.key = SCREE_KEY_record_distribution,
                                                          .size = sizeof(struct distribution),
                                                          .check = distribution_check,
                                                          .begin = distribution_begin,
                                                          .take = distribution_take,
                                                          .mark = distribution_mark,
                                                          .list_files = distribution_list_files,
                                                          .close = distribution_close};
