// The record `frames`, see frames.h. Its mark is the number of frames.

#include "run/frames.h"

#include "base/memory.h"
#include "build/build.h"
#include "file/series.h"
#include "file/writer.h"
#include "run/host.h"
#include "run/records.h"
#include "world/wall_facets.h"

#include <scree/measure.h>
#include <scree/world.h>

#include <stdio.h>
#include <string.h>

// maximum number of arrays that a scene chooses, of all arrays, and size of a file name
enum { MAX_CHOSEN = 64, MAX_FIELDS = 128, MAX_NAME = 1100 };

typedef scree_status make_grid(const struct scree_frames_source *source, const size_t *field, size_t fields,
                               struct scree_vtk_grid *grid);

static make_grid *const makers[SCREE_FRAMES_SERIES] = {
    [SCREE_FRAMES_BODIES] = scree_frames_bodies, [SCREE_FRAMES_CONTACTS] = scree_frames_contacts,
    [SCREE_FRAMES_WALLS] = scree_frames_walls,   [SCREE_FRAMES_PEBBLES] = scree_frames_pebbles,
    [SCREE_FRAMES_BONDS] = scree_frames_bonds,   [SCREE_FRAMES_POLYHEDRA] = scree_frames_polyhedra,
    [SCREE_FRAMES_CELL] = scree_frames_cell,
};

struct frames {
    struct scree_writer *writer;
    struct scree_series
        series[SCREE_FRAMES_SERIES]; // except for paths, used only by the thread of the writer
    bool wanted[SCREE_FRAMES_SERIES];
    size_t field[MAX_FIELDS], fields;
    bool needs_contacts, has_bonds;
    bool without_forces; // the engine has no contacts
    scree_type real;
    int deflate;
    uint64_t count; // of frames written so far
};

// A frame to be written.
struct job {
    struct frames *frames;
    struct scree_vtk_grid grid[SCREE_FRAMES_SERIES];
};

// --- reading the scene

static const char *const default_fields[SCREE_FRAMES_SERIES][12] = {
    [SCREE_FRAMES_BODIES] = {"id", "radius", "material", "velocity", "spin"},
    [SCREE_FRAMES_CONTACTS] = {"contact.first", "contact.second", "contact.wall", "contact.overlap",
                               "contact.force", "contact.normal_force", "contact.shear_force"},
    [SCREE_FRAMES_WALLS] = {"wall.id", "wall.material", "wall.force", "wall.velocity"},
    [SCREE_FRAMES_PEBBLES] = {"pebble.body", "pebble.part", "pebble.shape", "pebble.radius",
                              "pebble.material", "pebble.velocity"},
    [SCREE_FRAMES_BONDS] = {"bond.id", "bond.first", "bond.second", "bond.kind", "bond.force",
                            "bond.normal_force", "bond.shear_force", "bond.bending_moment",
                            "bond.twisting_moment", "bond.damage", "bond.stress_ratio"},
    [SCREE_FRAMES_POLYHEDRA] = {"polyhedron.body", "polyhedron.material", "polyhedron.velocity"},
    [SCREE_FRAMES_CELL] = {"cell.velocity"},
};

// more default arrays of bodies in a scene with clumps or polyhedra, and in one with bonds
static const char *const shape_fields[] = {"shape", "orientation", NULL}, *const bonded_fields[] = {
                                                                              "fragment", "fragment_size",
                                                                              NULL};

// Whether an array is measured from contacts or their forces.
static bool needs_forces(const struct scree_frames_field *field)
{
    return field->quantity == SCREE_FRAMES_COORDINATION || field->quantity == SCREE_FRAMES_STRESS ||
           field->quantity == SCREE_FRAMES_WALL_FORCE || field->quantity == SCREE_FRAMES_WALL_MOMENT ||
           field->series == SCREE_FRAMES_CONTACTS || scree_frames_field_is_of_facets(field->quantity);
}

static void add_fields(struct frames *frames, const char *const *name)
{
    for (; *name; ++name) {
        size_t number = 0;
        while (strcmp(scree_frames_field_names[number], *name) != 0)
            ++number;
        if (!frames->without_forces || !needs_forces(&scree_frames_field_rows[number]))
            frames->field[frames->fields++] = number;
    }
}

// Adds the default arrays of a series if the scene chooses none of its arrays.
static void add_default_fields(struct frames *frames, int series, bool shapes)
{
    for (size_t f = 0; f < frames->fields; ++f)
        if (scree_frames_field_rows[frames->field[f]].series == series)
            return;
    add_fields(frames, default_fields[series]);
    if (series == SCREE_FRAMES_BODIES && shapes)
        add_fields(frames, shape_fields);
    if (series == SCREE_FRAMES_BODIES && frames->has_bonds)
        add_fields(frames, bonded_fields);
}

// Returns true if the scene makes bonds, at the start or in a stage.
static bool makes_bonds(const struct scree_reading *reading)
{
    bool makes = scree_reading_has(reading->root, SCREE_KEY_scene_bonds);
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s)
        makes = makes || scree_reading_has(scree_reading_stage(reading, s), SCREE_KEY_stage_bonds);
    return makes;
}

static bool has_polyhedra(const struct scree_reading *reading)
{
    const struct scree_node *bodies = scree_reading_node(reading->root, SCREE_KEY_scene_bodies);
    bool has = scree_reading_has(reading->root, SCREE_KEY_scene_polyhedra);
    for (size_t k = 0; bodies && k < bodies->count; ++k)
        has = has || scree_reading_has(bodies->item[k], SCREE_KEY_bodies_polyhedron) ||
              scree_reading_has(bodies->item[k], SCREE_KEY_bodies_blocks);
    return has;
}

static scree_status read_fields(struct frames *frames, struct scree_reading *reading,
                                const struct scree_node *map)
{
    const size_t chosen = scree_reading_count(map, SCREE_KEY_record_fields);
    const bool shapes = scree_reading_has(reading->root, SCREE_KEY_scene_clumps) || has_polyhedra(reading);
    for (size_t f = 0; f < chosen && f < MAX_CHOSEN; ++f) {
        const char *text;
        size_t number;
        if (!scree_reading_name(reading, map, SCREE_KEY_record_fields, f, &text, &number))
            return SCREE_ERROR_ARGUMENT;
        for (size_t k = 0; k < frames->fields; ++k)
            if (frames->field[k] == number) {
                scree_reading_report(reading, map, "'fields' contains '%s' twice", text);
                return SCREE_ERROR_ARGUMENT;
            }
        frames->field[frames->fields++] = number;
    }
    for (int series = 0; series < SCREE_FRAMES_SERIES; ++series)
        add_default_fields(frames, series, shapes);
    return SCREE_OK;
}

static scree_status read_series(struct frames *frames, struct scree_reading *reading,
                                const struct scree_node *map)
{
    const size_t chosen = scree_reading_count(map, SCREE_KEY_record_of);
    frames->has_bonds = makes_bonds(reading);
    for (int series = 0; series < SCREE_FRAMES_SERIES; ++series)
        frames->wanted[series] =
            chosen == 0 &&
            (series != SCREE_FRAMES_PEBBLES || scree_reading_has(reading->root, SCREE_KEY_scene_clumps)) &&
            (series != SCREE_FRAMES_CONTACTS || !reading->engine_without_forces) &&
            (series != SCREE_FRAMES_BONDS || frames->has_bonds) &&
            (series != SCREE_FRAMES_POLYHEDRA || has_polyhedra(reading)) &&
            (series != SCREE_FRAMES_CELL || scree_build_deforms(reading));
    for (size_t k = 0; k < chosen; ++k) {
        const char *text;
        size_t series;
        if (!scree_reading_name(reading, map, SCREE_KEY_record_of, k, &text, &series))
            return SCREE_ERROR_ARGUMENT;
        frames->wanted[series] = true;
    }
    return SCREE_OK;
}

// Refuses files and arrays of contacts, if the engine has none.
static scree_status refuse_contacts(const struct frames *frames, struct scree_reading *reading,
                                    const struct scree_node *map)
{
    const size_t before = reading->diagnostics.all;
    if (!reading->engine_without_forces)
        return SCREE_OK;
    if (frames->wanted[SCREE_FRAMES_CONTACTS])
        scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_record_of),
                             "the engine '%s' has no contacts to write: its collisions take no time",
                             reading->engine_without_forces);
    for (size_t f = 0; f < frames->fields; ++f)
        if (needs_forces(&scree_frames_field_rows[frames->field[f]]))
            scree_reading_report(
                reading, scree_reading_node(map, SCREE_KEY_record_fields),
                "'%s' is measured from contacts and their forces, which the engine '%s' does "
                "not have",
                scree_frames_field_names[frames->field[f]], reading->engine_without_forces);
    return reading->diagnostics.all == before ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

static scree_status read_all(struct frames *frames, struct scree_reading *reading,
                             const struct scree_node *map)
{
    size_t precision;
    uint64_t deflate;
    frames->without_forces = reading->engine_without_forces != NULL;
    SCREE_TRY(read_series(frames, reading, map));
    SCREE_TRY(read_fields(frames, reading, map));
    SCREE_TRY(refuse_contacts(frames, reading, map));
    if (!scree_reading_word(reading, map, SCREE_KEY_record_precision, &precision) ||
        !scree_reading_whole(reading, map, SCREE_KEY_record_deflate, &deflate))
        return SCREE_ERROR_ARGUMENT;
    frames->real = precision == 0 ? SCREE_F32 : SCREE_F64;
    frames->deflate = (int)deflate;
    frames->needs_contacts = !frames->without_forces &&
                             (frames->wanted[SCREE_FRAMES_CONTACTS] || frames->wanted[SCREE_FRAMES_WALLS]);
    for (size_t f = 0; f < frames->fields; ++f) {
        const enum scree_frames_quantity quantity = scree_frames_field_rows[frames->field[f]].quantity;
        if (quantity == SCREE_FRAMES_COORDINATION || quantity == SCREE_FRAMES_STRESS)
            frames->needs_contacts = true;
    }
    return SCREE_OK;
}

// Arrays of facets need a mesh; some need its wear, which is kept from now on.
static scree_status prepare_facets(const struct frames *frames, struct scree_host *host,
                                   const struct scree_node *map)
{
    bool wear = false;
    for (size_t f = 0; f < frames->fields && frames->wanted[SCREE_FRAMES_WALLS]; ++f) {
        const enum scree_frames_quantity quantity = scree_frames_field_rows[frames->field[f]].quantity;
        if (scree_frames_field_is_of_facets(quantity) && scree_wall_facets_count(host->world) == 0) {
            scree_reading_report(
                host->reading, scree_reading_node(map, SCREE_KEY_record_fields),
                "'%s' is an array of the facets of meshes, and no wall of the scene is a mesh",
                scree_frames_field_names[frames->field[f]]);
            return SCREE_ERROR_ARGUMENT;
        }
        wear = wear || quantity == SCREE_FRAMES_WALL_FRICTION_WORK || quantity == SCREE_FRAMES_WALL_IMPACTS ||
               quantity == SCREE_FRAMES_WALL_IMPACT_ENERGY;
    }
    return wear ? scree_facet_keep_wear(host->world) : SCREE_OK;
}

static scree_status frames_check(void *self, struct scree_host *host, const struct scree_node *map,
                                 const uint64_t *mark)
{
    struct frames *frames = (struct frames *)self;
    const char *name;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_frames, &name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(read_all(frames, host->reading, map));
    SCREE_TRY(prepare_facets(frames, host, map));
    frames->writer = host->writer;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k) {
        char full[MAX_NAME];
        if (!frames->wanted[k])
            continue;
        snprintf(full, sizeof full, "%s-%s", name, scree_key_words("series")[k]);
        const bool force = host->def->force;
        frames->series[k].check_only = host->check_only;
        SCREE_TRY(mark ? scree_series_check_restart(&frames->series[k], host->folder, full, force, *mark)
                       : scree_series_check(&frames->series[k], host->folder, full, force));
        frames->count = frames->series[k].frames;
    }
    return SCREE_OK;
}

static scree_status frames_lock(void *self)
{
    struct frames *frames = (struct frames *)self;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k)
        if (frames->wanted[k])
            SCREE_TRY(scree_series_lock(&frames->series[k]));
    return SCREE_OK;
}

static scree_status frames_begin(void *self)
{
    struct frames *frames = (struct frames *)self;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k)
        if (frames->wanted[k])
            SCREE_TRY(scree_series_begin(&frames->series[k]));
    return SCREE_OK;
}

// --- in the thread of the writer

static scree_status write_job(void *context)
{
    const struct job *job = (const struct job *)context;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k) {
        void *image;
        size_t size;
        if (!job->frames->wanted[k])
            continue;
        SCREE_TRY(scree_vtk_write(&job->grid[k], job->frames->deflate, &image, &size));
        const scree_status status = scree_series_add(&job->frames->series[k], job->grid[k].time, image, size);
        scree_memory_free(image);
        SCREE_TRY(status);
    }
    return SCREE_OK;
}

static void free_job(void *context)
{
    struct job *job = (struct job *)context;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k)
        scree_vtk_free(&job->grid[k]);
    scree_memory_free(job);
}

// --- in the calling thread

static scree_status gather_contacts(struct scree_frames_source *source, struct scree_contact **contact)
{
    const size_t count = scree_contact_count(source->world);
    SCREE_TRY(scree_memory_new(count, sizeof **contact, (void **)contact));
    const scree_status status = scree_contact_list(source->world, *contact, count, &source->contacts);
    source->contact = *contact;
    return status;
}

static scree_status fill_job(struct job *job, const struct scree_host *host)
{
    const struct frames *frames = job->frames;
    struct scree_contact *contact = NULL;
    struct scree_frames_source source = {
        .world = host->world, .team = {host->def->threads}, .real = frames->real};
    scree_status status = frames->needs_contacts ? gather_contacts(&source, &contact) : SCREE_OK;
    for (int k = 0; k < SCREE_FRAMES_SERIES && status == SCREE_OK; ++k) {
        job->grid[k].time = scree_world_time(host->world);
        job->grid[k].step = (int64_t)scree_world_steps(host->world);
        if (frames->wanted[k])
            status = makers[k](&source, frames->field, frames->fields, &job->grid[k]);
    }
    scree_memory_free(contact);
    return status;
}

static scree_status frames_take(void *self, struct scree_host *host)
{
    struct frames *frames = (struct frames *)self;
    struct job *job;
    SCREE_TRY(scree_memory_new(1, sizeof *job, (void **)&job));
    job->frames = frames;
    const struct scree_team_float saved = scree_team_float_enter();
    const scree_status status = fill_job(job, host);
    scree_team_float_leave(saved);
    if (status != SCREE_OK) {
        free_job(job);
        return status;
    }
    ++frames->count;
    return scree_writer_submit(frames->writer, write_job, free_job, job);
}

static scree_status frames_mark(void *self, uint64_t *mark)
{
    *mark = ((const struct frames *)self)->count;
    return SCREE_OK;
}

static void frames_list_files(const void *self, scree_record_visit *visit, void *user)
{
    const struct frames *frames = (const struct frames *)self;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k)
        if (frames->wanted[k])
            visit(user, "frames", frames->series[k].path);
}

static scree_status frames_close(void *self)
{
    struct frames *frames = (struct frames *)self;
    // wait for the jobs that still use the memory freed below
    const scree_status status = frames->writer ? scree_writer_wait(frames->writer) : SCREE_OK;
    for (int k = 0; k < SCREE_FRAMES_SERIES; ++k)
        scree_series_free(&frames->series[k]);
    return status;
}

const struct scree_record_kind scree_frames_kind = {.key = SCREE_KEY_record_frames,
                                                    .size = sizeof(struct frames),
                                                    .check = frames_check,
                                                    .lock = frames_lock,
                                                    .begin = frames_begin,
                                                    .take = frames_take,
                                                    .mark = frames_mark,
                                                    .list_files = frames_list_files,
                                                    .close = frames_close};
