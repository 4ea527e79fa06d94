// The record `track`: positions and motion of the bodies of a group over time. Its mark is the length of the
// file.
//
// Invariant: each time has one row for every body that is in the group at that time, by ascending id, so that
// the file does not depend on slots or threads. An empty group has no rows.

#include "base/memory.h"
#include "build/build.h"
#include "file/csv.h"
#include "math/quat.h"
#include "run/host.h"
#include "run/records.h"

#include <scree/body.h>
#include <scree/group.h>
#include <scree/world.h>

#include <string.h>

enum { QUANTITIES = 8, MAX_COLUMNS = 2 + 4 * QUANTITIES };

struct sample {
    struct scree_body_state body;
    double own_spin[3];
};

// The quantities of a body, in the order of the words of the key `motion`.
struct quantity {
    size_t numbers, offset; // number of components, and offset in struct sample
    struct scree_csv_column column[4];
};

#define IN_BODY(member) (offsetof(struct sample, body) + offsetof(struct scree_body_state, member))
static const struct quantity quantities[QUANTITIES] = {
    {3, IN_BODY(position), {{"x", "m"}, {"y", "m"}, {"z", "m"}}},
    {3, IN_BODY(velocity), {{"velocity-x", "m/s"}, {"velocity-y", "m/s"}, {"velocity-z", "m/s"}}},
    {3, IN_BODY(spin), {{"spin-x", "rad/s"}, {"spin-y", "rad/s"}, {"spin-z", "rad/s"}}},
    {4, IN_BODY(orientation), {{"q0", ""}, {"q1", ""}, {"q2", ""}, {"q3", ""}}},
    {3, IN_BODY(momentum), {{"angular-x", "kg m^2/s"}, {"angular-y", "kg m^2/s"}, {"angular-z", "kg m^2/s"}}},
    {3,
     offsetof(struct sample, own_spin),
     {{"own-spin-1", "rad/s"}, {"own-spin-2", "rad/s"}, {"own-spin-3", "rad/s"}}},
    {3, IN_BODY(force), {{"force-x", "N"}, {"force-y", "N"}, {"force-z", "N"}}},
    {3, IN_BODY(moment), {{"moment-x", "N m"}, {"moment-y", "N m"}, {"moment-z", "N m"}}},
};

struct track {
    struct scree_csv csv;
    scree_group_id group;
    size_t quantity[QUANTITIES], count;
    scree_body_id *bodies;
    size_t capacity;
};

static scree_status read_quantities(struct track *track, struct scree_reading *reading,
                                    const struct scree_node *map)
{
    const size_t given = scree_reading_count(map, SCREE_KEY_record_motion);
    for (size_t k = 0; k < given; ++k) {
        const char *text;
        if (!scree_reading_name(reading, map, SCREE_KEY_record_motion, k, &text, &track->quantity[k]))
            return SCREE_ERROR_ARGUMENT;
        for (size_t before = 0; before < k; ++before)
            if (track->quantity[before] == track->quantity[k]) {
                scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_record_motion),
                                     "'%.60s' is given twice", text);
                return SCREE_ERROR_ARGUMENT;
            }
    }
    // default: the first three
    for (size_t k = 0; given == 0 && k < 3; ++k)
        track->quantity[k] = k;
    track->count = given > 0 ? given : 3;
    return SCREE_OK;
}

static scree_status read_track(struct track *track, struct scree_host *host, const struct scree_node *map,
                               const char **name)
{
    struct scree_reading *reading = host->reading;
    SCREE_TRY(scree_build_group(reading, host->world, map, SCREE_KEY_record_group, &track->group));
    if (track->group.value == 0 || !scree_reading_text(reading, map, SCREE_KEY_record_track, name))
        return SCREE_ERROR_ARGUMENT;
    return read_quantities(track, reading, map);
}

static scree_status track_check(void *self, struct scree_host *host, const struct scree_node *map,
                                const uint64_t *mark)
{
    struct track *track = (struct track *)self;
    struct scree_csv_column column[MAX_COLUMNS] = {{"time", "s"}, {"body", ""}};
    size_t columns = 2;
    const char *name;
    SCREE_TRY(read_track(track, host, map, &name));
    for (size_t k = 0; k < track->count; ++k) {
        const struct quantity *quantity = &quantities[track->quantity[k]];
        memcpy(&column[columns], quantity->column, quantity->numbers * sizeof *column);
        columns += quantity->numbers;
    }
    const struct scree_csv_def def = {.folder = host->folder,
                                      .name = name,
                                      .column = column,
                                      .columns = columns,
                                      .force = host->def->force,
                                      .check_only = host->check_only,
                                      .length = mark};
    return scree_csv_check(&track->csv, &def);
}

static scree_status track_begin(void *self)
{
    return scree_csv_begin(&((struct track *)self)->csv);
}

static scree_status write_body(struct track *track, const struct scree_world *world, scree_body_id id)
{
    struct sample sample;
    double value[MAX_COLUMNS] = {scree_world_time(world), (double)id.value};
    size_t values = 2;
    SCREE_TRY(scree_body_get(world, id, &sample.body));
    scree_vec3_store(scree_quat_rotate_inverse(scree_quat_load(sample.body.orientation),
                                               scree_vec3_load(sample.body.spin)),
                     sample.own_spin);
    for (size_t k = 0; k < track->count; ++k) {
        const struct quantity *quantity = &quantities[track->quantity[k]];
        memcpy(&value[values], (const char *)&sample + quantity->offset, quantity->numbers * sizeof *value);
        values += quantity->numbers;
    }
    return scree_csv_write(&track->csv, value, values);
}

static scree_status track_take(void *self, struct scree_host *host)
{
    struct track *track = (struct track *)self;
    size_t count;
    SCREE_TRY(scree_group_bodies(host->world, track->group, track->bodies, track->capacity, &count));
    if (count > track->capacity) {
        SCREE_TRY(
            scree_memory_resize((void **)&track->bodies, track->capacity, count, sizeof *track->bodies));
        track->capacity = count;
        SCREE_TRY(scree_group_bodies(host->world, track->group, track->bodies, track->capacity, &count));
    }
    for (size_t b = 0; b < count; ++b)
        SCREE_TRY(write_body(track, host->world, track->bodies[b]));
    return scree_csv_flush(&track->csv);
}

static scree_status track_mark(void *self, uint64_t *mark)
{
    return scree_csv_length(&((struct track *)self)->csv, mark);
}

static void track_list_files(const void *self, scree_record_visit *visit, void *user)
{
    visit(user, "track", ((const struct track *)self)->csv.append.path);
}

static scree_status track_close(void *self)
{
    struct track *track = (struct track *)self;
    scree_memory_free(track->bodies);
    return scree_csv_close(&track->csv);
}

const struct scree_record_kind scree_track_kind = {.key = SCREE_KEY_record_track,
                                                   .size = sizeof(struct track),
                                                   .check = track_check,
                                                   .begin = track_begin,
                                                   .take = track_take,
                                                   .mark = track_mark,
                                                   .list_files = track_list_files,
                                                   .close = track_close};
