// Loads, checks, builds, runs and restarts scenes, see scree/scene.h.

#include "scene/scene.h"

#include "base/memory.h"
#include "base/suggestion.h"
#include "build/build.h"
#include "file/atomic.h"
#include "file/path.h"
#include "language/check.h"
#include "language/clumps.h"
#include "language/columns.h"
#include "language/polyhedra.h"
#include "language/print.h"
#include "run/insert_delete.h"
#include "run/records.h"
#include "run/run.h"
#include "run/save.h"
#include "run/stage.h"
#include "scene/forecast.h"

#include <scree/engine.h>
#include <scree/scene.h>
#include <scree/world.h>

#include <stdio.h>
#include <string.h>

struct scree_scene {
    struct scree_reading reading;
    const char *title;
    char *mistakes;
    struct scree_checkpoint checkpoint; // of a restart; its image is null for a new run
    struct scree_save save;             // state of the run in the checkpoint
    char *path;                         // of the checkpoint
    bool relocated;                     // the checkpoint was moved from the run's output folder
    bool has_new_variables;             // restarted with new values of variables
    struct scree_scene *previous;       // with the previous variables; null if it cannot be read
};

void scree_scene_free(struct scree_scene *scene)
{
    if (!scene)
        return;
    scree_clumps_free(scene->reading.clumps);
    scree_polyhedra_free(scene->reading.polyhedra);
    scree_reading_free(&scene->reading);
    scree_checkpoint_close(&scene->checkpoint);
    scree_save_free(&scene->save);
    scree_memory_free(scene->mistakes);
    scree_memory_free(scene->path);
    scree_scene_free(scene->previous);
    scree_memory_free(scene);
}

const char *scree_scene_diagnostics(const struct scree_scene *scene)
{
    return scene->mistakes;
}

const char *scree_scene_title(const struct scree_scene *scene)
{
    return scene->title;
}

// Fails if there are diagnostics, with all of them.
static scree_status fail_if_mistakes(struct scree_scene *scene)
{
    const size_t all = scene->reading.diagnostics.all;
    scree_memory_free(scene->mistakes);
    scene->mistakes = NULL;
    if (all == 0)
        return SCREE_OK;
    SCREE_TRY(scree_diagnostic_text(&scene->reading.diagnostics, &scene->mistakes));
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the scene has %zu mistake%s:\n%.600s", all,
                             all == 1 ? "" : "s", scene->mistakes);
}

// Declares a variable given by the caller, before those of the scene, with a diagnostic source of its
// own.
static scree_status declare(struct scree_reading *reading, const struct scree_scene_variable *variable)
{
    struct scree_node *name, *value;
    char *text;
    const size_t name_length = strlen(variable->name), length = strlen(variable->value);
    uint32_t source;
    SCREE_TRY(scree_memory_new(name_length + length + 4, 1, (void **)&text));
    memcpy(text, variable->name, name_length);
    text[name_length] = '=';
    memcpy(text + name_length + 1, variable->value, length);
    SCREE_TRY(scree_diagnostic_source(&reading->diagnostics, "-D", text, name_length + 1 + length, &source));
    SCREE_TRY(scree_tree_node(&reading->tree, SCREE_NODE_TEXT, &name));
    SCREE_TRY(scree_tree_node(&reading->tree, SCREE_NODE_TEXT, &value));
    SCREE_TRY(scree_tree_text(&reading->tree, variable->name, name_length, &text));
    *name = (struct scree_node){.kind = SCREE_NODE_TEXT,
                                .place = {source, 0, 0, (uint32_t)name_length},
                                .text = text,
                                .length = name_length};
    SCREE_TRY(scree_tree_text(&reading->tree, variable->value, length, &text));
    *value = (struct scree_node){.kind = SCREE_NODE_TEXT,
                                 .place = {source, 0, (uint32_t)name_length + 1, (uint32_t)length},
                                 .text = text,
                                 .length = length};
    return scree_value_declare(&reading->values, name, value);
}

// Reports a variable given by the caller that the scene does not have.
static void report_unknown_variable(struct scree_reading *reading, size_t v)
{
    const struct scree_variable *variable = &reading->values.variables.data[v];
    struct scree_suggestion known = {.wanted = variable->name};
    // a wrong variable was reported already
    if (variable->redeclared || variable->state == SCREE_VARIABLE_WRONG)
        return;
    for (size_t other = 0; other < reading->values.variables.count; ++other)
        if (other >= reading->values.caller_count || reading->values.variables.data[other].redeclared)
            scree_suggestion_add(&known, reading->values.variables.data[other].name);
    struct scree_place place = variable->node->place;
    place.column = 0;
    place.length = (uint32_t)strlen(variable->name);
    scree_diagnostic_add(&reading->diagnostics, &place, "the scene has no variable '%.60s'%s", variable->name,
                         scree_suggestion_hint(&known, ""));
}

static scree_status read_all(struct scree_scene *scene, const char *shown_name, char *text, size_t length,
                             const struct scree_scene_def *def)
{
    struct scree_reading *reading = &scene->reading;
    reading->tree.diagnostics = &reading->diagnostics;
    reading->values.tree = &reading->tree;
    reading->max_filled = def ? def->max_filled : 0;
    SCREE_TRY(scree_tree_read(&reading->tree, shown_name, text, length, &reading->root));
    SCREE_TRY(scree_include(reading, length));
    // the last value of a name counts, so declare it first
    for (size_t v = def ? def->count : 0; v-- > 0;)
        SCREE_TRY(declare(reading, &def->variables[v]));
    reading->values.caller_count = reading->values.variables.count;
    if (reading->root)
        SCREE_TRY(scree_check(reading));
    for (size_t v = 0; reading->root && v < reading->values.caller_count; ++v)
        report_unknown_variable(reading, v);
    if (reading->root && reading->diagnostics.all == 0)
        (void)scree_reading_text(reading, reading->root, SCREE_KEY_scene_title, &scene->title);
    return fail_if_mistakes(scene);
}

// Reads a scene. Diagnostics show `shown_name`; `folder` is null for the folder of `name`.
static scree_status read_text(const char *name, const char *shown_name, const char *folder, char *text,
                              size_t length, const struct scree_scene_def *def, struct scree_scene **scene)
{
    struct scree_scene *new_scene;
    scree_status status = scree_memory_new(1, sizeof *new_scene, (void **)&new_scene);
    if (status != SCREE_OK) {
        scree_memory_free(text);
        return status;
    }
    new_scene->reading.name = name;
    status = folder ? scree_path_folder(folder, &new_scene->reading.folder)
                    : scree_path_folder(name, &new_scene->reading.folder);
    if (status == SCREE_OK)
        status = read_all(new_scene, shown_name, text, length, def);
    else
        scree_memory_free(text);
    if (status != SCREE_OK && !new_scene->mistakes)
        scree_scene_free(new_scene);
    else
        *scene = new_scene;
    return status;
}

// Refuses scenes read from a device or file descriptor: results would be written to its folder.
static scree_status refuse_descriptors(const char *path)
{
    static const char *const places[] = {"/dev", "/dev/fd", "/proc/self/fd"};
    char *folder;
    bool is_device = false;
    SCREE_TRY(scree_path_folder(path, &folder));
    for (size_t k = 0; k < sizeof places / sizeof places[0]; ++k)
        is_device = is_device || scree_path_is_same(folder, places[k]);
    scree_memory_free(folder);
    return is_device ? scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "'%s' is a device, and results are written beside a scene: give the "
                                         "file itself",
                                         path)
                     : SCREE_OK;
}

scree_status scree_scene_load(const char *path, const struct scree_scene_def *def, struct scree_scene **scene)
{
    void *text;
    size_t length;
    *scene = NULL;
    SCREE_TRY(refuse_descriptors(path));
    SCREE_TRY(scree_atomic_read(path, SCREE_TREE_BYTES, &text, &length));
    return read_text(path, path, NULL, text, length, def, scene);
}

scree_status scree_scene_read(const char *name, const char *text, size_t length,
                              const struct scree_scene_def *def, struct scree_scene **scene)
{
    char *copy;
    *scene = NULL;
    if (length > SCREE_TREE_BYTES)
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' has %zu bytes, but the limit for scenes is %d",
                                 name, length, (int)SCREE_TREE_BYTES);
    SCREE_TRY(scree_memory_new(length + 1, 1, (void **)&copy));
    memcpy(copy, text, length);
    return read_text(name, name, NULL, copy, length, def, scene);
}

// Restores the world; with new values of variables, the remaining stages are checked again.
static scree_status read_world(struct scree_scene *scene, struct scree_world **world)
{
    SCREE_TRY(scree_world_create(NULL, world));
    SCREE_TRY(scree_checkpoint_get(&scene->checkpoint, *world));
    return scene->has_new_variables ? scree_dry_run(&scene->reading, *world, (size_t)scene->save.stage)
                                    : SCREE_OK;
}

static scree_status read_stored(const char *path, const struct scree_save *save,
                                const struct scree_scene_def *def, struct scree_scene **scene)
{
    char *text = NULL, *beside, shown_name[300];
    SCREE_TRY(scree_restart_find(path, save->record, &beside));
    scree_status status = scree_memory_new(save->length + 1, 1, (void **)&text);
    if (status == SCREE_OK) {
        memcpy(text, save->scene, save->length);
        snprintf(shown_name, sizeof shown_name, "the scene in %.250s", path);
        status = read_text(save->name, shown_name, beside ? beside : path, text, save->length, def, scene);
    }
    if (*scene)
        (*scene)->relocated = !beside;
    scree_memory_free(beside);
    return status;
}

// Clears the marks of records whose file name has changed with the variables, so that an existing file with
// the new name is not truncated. Does nothing if the scene with the previous variables cannot be read.
static scree_status find_renamed(struct scree_scene *scene)
{
    const struct scree_save *save = &scene->save;
    char *text;
    SCREE_TRY(scree_memory_new(save->length + 1, 1, (void **)&text));
    memcpy(text, save->scene, save->length);
    const scree_status status =
        read_text(save->name, save->name, scene->reading.folder, text, save->length, NULL, &scene->previous);
    for (size_t k = 0; status == SCREE_OK && k < save->records; ++k) {
        struct scree_scene_record now, before;
        if (scree_scene_record_at(scene, k, &now) && scree_scene_record_at(scene->previous, k, &before) &&
            strcmp(now.file, before.file) != 0)
            save->marks[k] = SCREE_RECORDS_NO_MARK;
    }
    if (status != SCREE_OK) {
        scree_scene_free(scene->previous);
        scene->previous = NULL;
    }
    return status == SCREE_ERROR_MEMORY ? status : SCREE_OK;
}

scree_status scree_scene_restart(const char *path, const struct scree_scene_def *def,
                                 struct scree_scene **scene)
{
    struct scree_checkpoint checkpoint;
    struct scree_save save = {0};
    *scene = NULL;
    SCREE_TRY(scree_save_open(&checkpoint, path));
    scree_status status = scree_save_read(&checkpoint, &save);
    if (status == SCREE_OK)
        status = read_stored(path, &save, def, scene);
    if (!*scene) {
        scree_checkpoint_close(&checkpoint);
        scree_save_free(&save);
        return status;
    }
    (*scene)->checkpoint = checkpoint;
    (*scene)->save = save;
    (*scene)->reading.name = (*scene)->save.name;
    if (status == SCREE_OK)
        status = scree_path_concat(path, "", "", &(*scene)->path);
    if (status == SCREE_OK && (save.stage < 1 || save.stage > scree_reading_stages(&(*scene)->reading)))
        status = scree_status_fail(SCREE_ERROR_NUMBER,
                                   "the checkpoint '%s' is of stage %llu, but its scene has %zu stages", path,
                                   (unsigned long long)save.stage, scree_reading_stages(&(*scene)->reading));
    (*scene)->has_new_variables = def && def->count > 0;
    return status == SCREE_OK && (*scene)->has_new_variables ? find_renamed(*scene) : status;
}

// Builds the initial world, and checks insertions, deletions, measurements and stages in it.
static scree_status make_world(struct scree_reading *reading, struct scree_world **world)
{
    SCREE_TRY(scree_build_world(reading, world));
    SCREE_TRY(scree_insert_delete_check(reading, *world));
    if (reading->diagnostics.all == 0)
        SCREE_TRY(scree_columns_bind_all(reading, *world));
    if (reading->diagnostics.all == 0)
        SCREE_TRY(scree_build_servo_areas(reading, *world, 0));
    if (reading->diagnostics.all == 0)
        SCREE_TRY(scree_dry_run(reading, *world, 0));
    return reading->diagnostics.all == 0 ? scree_overlap_checks_walls(reading, *world) : SCREE_OK;
}

// Returns the failure of reading a value for lack of memory, if any.
static scree_status reading_status(const struct scree_scene *scene)
{
    const scree_status status = scene->reading.values.status;
    return status == SCREE_OK ? SCREE_OK : scree_status_fail(status, "out of memory while reading the scene");
}

scree_status scree_scene_build(struct scree_scene *scene, int threads, struct scree_world **world,
                               struct scree_engine **engine)
{
    *world = NULL;
    *engine = NULL;
    SCREE_TRY(fail_if_mistakes(scene));
    scree_build_engine_check_scene(&scene->reading);
    SCREE_TRY(fail_if_mistakes(scene));
    scree_status status =
        scene->checkpoint.image ? read_world(scene, world) : make_world(&scene->reading, world);
    if (status == SCREE_OK && scene->reading.diagnostics.all == 0 && scene->checkpoint.image)
        status = scree_build_resume_wall_motions(&scene->reading, *world, (size_t)scene->save.stage);
    if (status == SCREE_OK && scene->reading.diagnostics.all == 0 && scene->checkpoint.image)
        status = scree_build_resume_deform(&scene->reading, *world, (size_t)scene->save.stage);
    if (status == SCREE_OK && scene->reading.diagnostics.all == 0 && scene->checkpoint.image)
        status = scree_build_servo_areas(&scene->reading, *world, (size_t)scene->save.stage);
    if (status == SCREE_OK && scene->reading.diagnostics.all == 0)
        status = scree_build_engine(&scene->reading, *world, threads, (size_t)scene->save.stage, engine);
    status = status == SCREE_OK ? reading_status(scene) : status;
    const scree_status result = status == SCREE_OK ? fail_if_mistakes(scene) : status;
    if (result == SCREE_OK)
        return SCREE_OK;
    scree_engine_destroy(*engine);
    scree_world_destroy(*world);
    *engine = NULL;
    *world = NULL;
    return result;
}

// Reports a scene without stages, along with its other mistakes.
static scree_status report_no_run(struct scree_scene *scene, const struct scree_run_def *def)
{
    struct scree_world *world = NULL;
    struct scree_engine *engine = NULL;
    const scree_status status =
        scene->mistakes ? SCREE_OK : scree_scene_build(scene, def ? def->threads : 0, &world, &engine);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    if (status != SCREE_OK && status != SCREE_ERROR_ARGUMENT)
        return status;
    scree_diagnostic_add(&scene->reading.diagnostics, &scene->reading.root->place,
                         "this scene has no 'run', so its duration is unknown: give one, as in `%s`",
                         scree_key_rows[SCREE_KEY_scene_run].example);
    return fail_if_mistakes(scene);
}

// Warns of values that the new variables no longer affect, and of renamed output files.
static void warn_of_changes(struct scree_scene *scene, const struct scree_run_def *def)
{
    char text[700];
    if (!scene->previous || !def->warn)
        return;
    scree_changed_variables_warn(&scene->reading, &scene->previous->reading, (size_t)scene->save.stage,
                                 def->warn, def->user);
    for (size_t k = 0; k < scene->save.records; ++k) {
        struct scree_scene_record now, before;
        if (def->folder || !scree_scene_record_at(scene, k, &now) ||
            !scree_scene_record_at(scene->previous, k, &before) || strcmp(now.file, before.file) == 0)
            continue;
        snprintf(text, sizeof text,
                 "the %s continues as '%.250s'; '%.250s' is not changed and keeps its output from after the "
                 "checkpoint",
                 now.kind, now.file, before.file);
        def->warn(def->user, text);
    }
}

// Uses the end time of the original run's --until, which overrides the scene.
static void use_saved_until(const struct scree_scene *scene, struct scree_run_def *def)
{
    char text[200];
    def->until = scene->save.until;
    if (!(def->until > 0) || !scene->has_new_variables || !def->warn)
        return;
    snprintf(text, sizeof text,
             "the run ends at %g s, because it was started with --until; variables do not change this: give "
             "--until again for another end",
             def->until);
    def->warn(def->user, text);
}

// Checks the folder of the results; sets `def->folder` to null if it is that of the original run.
static scree_status find_results(const struct scree_scene *scene, struct scree_run_def *def)
{
    if (scene->relocated && !def->folder)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the checkpoint was written as '%s' beside its scene and has been moved: move it back to the "
            "results of its run, or give a folder for new results (--to)",
            scene->save.record);
    // --to may name the run's own folder
    if (scene->checkpoint.image && !scene->relocated && def->folder &&
        scree_path_is_same(def->folder, scene->reading.folder))
        def->folder = NULL;
    return SCREE_OK;
}

// Warns of what is allowed in a new run, but probably not meant.
static scree_status warn_of_new_run(struct scree_scene *scene, const struct scree_world *world,
                                    const struct scree_run_def *def)
{
    struct scree_reading *reading = &scene->reading;
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    char text[300];
    if (!def->warn)
        return SCREE_OK;
    if (!records || records->count == 0) {
        snprintf(text, sizeof text,
                 "this scene has no 'record', so nothing of the run will be kept: add one, as in `%s`",
                 scree_key_rows[SCREE_KEY_scene_record].example);
        def->warn(def->user, text);
    }
    scree_size_checks_warn(reading, world, def->warn, def->user);
    return scree_wall_checks_warn(reading, world, def->warn, def->user);
}

scree_status scree_scene_check(struct scree_scene *scene, struct scree_world *world,
                               struct scree_engine *engine, const struct scree_run_def *def)
{
    struct scree_run_def run_def = def ? *def : (struct scree_run_def){0};
    SCREE_TRY(fail_if_mistakes(scene));
    SCREE_TRY(find_results(scene, &run_def));
    const scree_status status = scree_run_check(&scene->reading, world, engine, &run_def,
                                                scene->checkpoint.image ? &scene->save : NULL);
    if (status == SCREE_OK && !scene->checkpoint.image)
        return warn_of_new_run(scene, world, &run_def);
    return status == SCREE_ERROR_ARGUMENT && scene->reading.diagnostics.all > 0 ? fail_if_mistakes(scene)
                                                                                : status;
}

// Adds the name of a better checkpoint if a restart was refused because the results do not fit.
static scree_status advise(struct scree_scene *scene, struct scree_world *world,
                           const struct scree_run_def *def, scree_status status)
{
    const struct scree_values *values = &scene->reading.values;
    struct scree_scene_variable *variable;
    char message[1024];
    snprintf(message, sizeof message, "%s", scree_status_message());
    SCREE_TRY(scree_memory_new(values->caller_count, sizeof *variable, (void **)&variable));
    // read_all has declared the last one first
    for (size_t v = 0; v < values->caller_count; ++v) {
        const struct scree_variable *given = &values->variables.data[values->caller_count - 1 - v];
        variable[v] = (struct scree_scene_variable){given->name, given->node->text};
    }
    const struct scree_scene_def variables = {.variables = variable, .count = values->caller_count};
    // not if another run is writing the results, or if the run failed later
    const bool misfit = scree_run_check(&scene->reading, world, NULL, def, &scene->save) != SCREE_OK;
    status = scree_status_fail(status, "%s", message);
    if (misfit)
        status = scree_newest_advise(scene->path, &variables, status);
    scree_memory_free(variable);
    return status;
}

scree_status scree_scene_run(struct scree_scene *scene, const struct scree_run_def *def,
                             struct scree_world **world)
{
    struct scree_world *built;
    struct scree_engine *engine;
    if (world)
        *world = NULL;
    if (scene->reading.root && scree_reading_stages(&scene->reading) == 0)
        return report_no_run(scene, def);
    SCREE_TRY(fail_if_mistakes(scene));
    struct scree_run_def run_def = def ? *def : (struct scree_run_def){0};
    SCREE_TRY(find_results(scene, &run_def));
    if (run_def.until == 0)
        use_saved_until(scene, &run_def);
    if (def)
        scene->reading.callbacks = (struct scree_reading_callbacks){
            .function = def->alarm, .warn = def->warn, .cancelled = def->cancelled, .user = def->user};
    scree_status status = scree_scene_build(scene, def ? def->threads : 0, &built, &engine);
    if (status == SCREE_OK)
        warn_of_changes(scene, &run_def);
    if (status == SCREE_OK && !scene->checkpoint.image)
        status = warn_of_new_run(scene, built, &run_def);
    // the callbacks are for this run only
    scene->reading.callbacks.function = status == SCREE_OK ? scene->reading.callbacks.function : NULL;
    scene->reading.callbacks.warn = NULL;
    scene->reading.callbacks.cancelled = NULL;
    if (status != SCREE_OK) {
        scree_engine_destroy(engine);
        scree_world_destroy(built);
        return status;
    }
    const uint64_t steps = scree_world_steps(built);
    status =
        scree_run(&scene->reading, built, engine, &run_def, scene->checkpoint.image ? &scene->save : NULL);
    if (status == SCREE_ERROR_IO && scene->checkpoint.image && scree_world_steps(built) == steps)
        status = advise(scene, built, &run_def, status);
    // the changes of a stage can be refused during the run
    if (status == SCREE_ERROR_ARGUMENT && scene->reading.diagnostics.all > 0)
        status = fail_if_mistakes(scene);
    else if (status == SCREE_ERROR_ARGUMENT && reading_status(scene) != SCREE_OK)
        status = reading_status(scene);
    scree_engine_destroy(engine);
    scene->reading.callbacks.function = NULL;
    if (world)
        *world = built;
    else
        scree_world_destroy(built);
    return status;
}

scree_status scree_scene_print(struct scree_scene *scene, scree_text_function *write, void *user)
{
    SCREE_TRY(fail_if_mistakes(scene));
    return scree_print(&scene->reading, write, user);
}

// Returns item `index` of a key whose value is a list, or the single value; null past the last.
static const struct scree_node *item_at(const struct scree_scene *scene, enum scree_key_id key, size_t index)
{
    const struct scree_node *root = scene->reading.root;
    const struct scree_node *list = root && !scene->mistakes ? scree_reading_node(root, key) : NULL;
    if (!list || list->kind != SCREE_NODE_LIST)
        return index == 0 ? list : NULL;
    return index < list->count ? list->item[index] : NULL;
}

bool scree_scene_stage_at(struct scree_scene *scene, size_t index, struct scree_scene_stage *stage)
{
    const struct scree_node *map = item_at(scene, SCREE_KEY_scene_run, index);
    *stage = (struct scree_scene_stage){0};
    return map && scree_stage_read(&scene->reading, map, stage);
}

bool scree_scene_makes_bonds_later(struct scree_scene *scene)
{
    bool any = false;
    const struct scree_node *map;
    for (size_t s = 0; (map = item_at(scene, SCREE_KEY_scene_run, s)); ++s)
        any = any || scree_reading_has(map, SCREE_KEY_stage_bonds);
    return any;
}

bool scree_scene_record_at(struct scree_scene *scene, size_t index, struct scree_scene_record *record)
{
    struct scree_reading *reading = &scene->reading;
    const struct scree_node *map = item_at(scene, SCREE_KEY_scene_record, index);
    struct scree_reading_every every = {0};
    *record = (struct scree_scene_record){0};
    if (!map || (scree_reading_has(map, SCREE_KEY_record_every) &&
                 !scree_reading_value(reading, map, SCREE_KEY_record_every, &every)))
        return false;
    record->every = every.time;
    record->steps = every.steps;
    // the key with a path gives the kind of the record
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == SCREE_SECTION_record && scree_key_rows[k].type == SCREE_KEY_PATH &&
            scree_reading_has(map, (enum scree_key_id)k)) {
            record->kind = scree_key_rows[k].name;
            return scree_reading_text(reading, map, (enum scree_key_id)k, &record->file);
        }
    return false;
}

bool scree_scene_clump_at(struct scree_scene *scene, size_t index, struct scree_scene_clump *clump)
{
    *clump = (struct scree_scene_clump){0};
    return scene->reading.root && !scene->mistakes && scree_shapes_clump(&scene->reading, index, clump);
}

bool scree_scene_polyhedron_at(struct scree_scene *scene, size_t index,
                               struct scree_scene_polyhedron *polyhedron)
{
    *polyhedron = (struct scree_scene_polyhedron){0};
    return scene->reading.root && !scene->mistakes &&
           scree_shapes_polyhedron(&scene->reading, index, polyhedron);
}

scree_status scree_scene_arrivals(struct scree_scene *scene, struct scree_world *world, double time,
                                  double *bodies)
{
    *bodies = 0;
    SCREE_TRY(fail_if_mistakes(scene));
    return scree_insert_delete_expected(&scene->reading, world, time, bodies);
}

scree_status scree_scene_foresee(struct scree_scene *scene, struct scree_world *world,
                                 struct scree_engine *engine, struct scree_scene_forecast *forecast,
                                 size_t stages)
{
    SCREE_TRY(fail_if_mistakes(scene));
    const scree_status status = scree_forecast(&scene->reading, world, engine, forecast, stages);
    return status == SCREE_ERROR_ARGUMENT && scene->reading.diagnostics.all > 0 ? fail_if_mistakes(scene)
                                                                                : status;
}
