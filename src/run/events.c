// The record `events`: the bonds that broke, one row each, see csv.h. Its mark is the length of the file.
//
// Invariant: whenever the record gives its position, the file has all events up to the present state of the
// world. A run that continues a checkpoint therefore goes on with the first event after those of the
// checkpoint's world: none is missing or written twice.

#include "file/csv.h"
#include "run/host.h"
#include "run/records.h"

#include <scree/bond.h>

struct events {
    struct scree_csv csv;
    const struct scree_host *host;
    uint64_t written; // number of the last event in the file
    bool begun;
};

static const struct scree_csv_column columns[] = {
    {"event", ""}, {"time", "s"},    {"step", ""},      {"bond", ""},     {"kind", ""}, {"mode", ""},
    {"first", ""}, {"pebble-1", ""}, {"second", ""},    {"pebble-2", ""}, {"wall", ""}, {"x", "m"},
    {"y", "m"},    {"z", "m"},       {"released", "J"}, {"damage", "J"},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const kinds[SCREE_BOND_KINDS] = {"none", "contact", "parallel", "euler-beam",
                                                    "timoshenko-beam"};
static const char *const modes[SCREE_BOND_MODES] = {"tension", "shear", "bending", "torsion"};

static scree_status events_check(void *self, struct scree_host *host, const struct scree_node *map,
                                 const uint64_t *mark)
{
    struct events *events = (struct events *)self;
    const char *name;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_events, &name))
        return SCREE_ERROR_ARGUMENT;
    events->host = host;
    // earlier events are in the file that is continued, or belong to an earlier run
    events->written = scree_bond_last_event(host->world);
    const struct scree_csv_def def = {.folder = host->folder,
                                      .name = name,
                                      .column = columns,
                                      .columns = COLUMNS,
                                      .force = host->def->force,
                                      .check_only = host->check_only,
                                      .length = mark};
    return scree_csv_check(&events->csv, &def);
}

static scree_status events_begin(void *self)
{
    struct events *events = (struct events *)self;
    SCREE_TRY(scree_csv_begin(&events->csv));
    events->begun = true;
    return SCREE_OK;
}

static scree_status write_event(struct events *events, const struct scree_bond_event *event)
{
    const double number[COLUMNS] = {
        (double)event->number,
        event->time,
        (double)event->step,
        (double)event->bond.value,
        0,
        0,
        (double)event->side[0].body.value,
        event->side[0].part,
        (double)event->side[1].body.value,
        event->side[1].part,
        (double)event->wall.value,
        event->point[0],
        event->point[1],
        event->point[2],
        event->energy,
        event->lost,
    };
    const char *const word[COLUMNS] = {[4] = kinds[event->kind], [5] = modes[event->mode]};
    return scree_csv_write_words(&events->csv, number, word, COLUMNS);
}

// Writes the events that are not in the file yet.
static scree_status write_all(struct events *events)
{
    struct scree_bond_event event;
    while (scree_bond_next_event(events->host->world, events->written, &event)) {
        SCREE_TRY(write_event(events, &event));
        events->written = event.number;
    }
    return scree_csv_flush(&events->csv);
}

static scree_status events_take(void *self, struct scree_host *host)
{
    (void)host;
    return write_all((struct events *)self);
}

static scree_status events_mark(void *self, uint64_t *mark)
{
    struct events *events = (struct events *)self;
    SCREE_TRY(write_all(events));
    return scree_csv_length(&events->csv, mark);
}

static void events_list_files(const void *self, scree_record_visit *visit, void *user)
{
    visit(user, "events", ((const struct events *)self)->csv.append.path);
}

static scree_status events_close(void *self)
{
    struct events *events = (struct events *)self;
    const scree_status status = events->begun ? write_all(events) : SCREE_OK;
    const scree_status closed = scree_csv_close(&events->csv);
    return status == SCREE_OK ? closed : status;
}

const struct scree_record_kind scree_events_kind = {.key = SCREE_KEY_record_events,
                                                    .size = sizeof(struct events),
                                                    .steps = 64,
                                                    .check = events_check,
                                                    .begin = events_begin,
                                                    .take = events_take,
                                                    .mark = events_mark,
                                                    .list_files = events_list_files,
                                                    .close = events_close};
