// A new or restarted run that is refused (run/records.c) changes nothing on disk, whichever record is the
// obstacle, even the last one. Reference: names and hashes of all files before and after.

#include "support/folder.h"

#include <scree/scree.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const char header[] = "scree: 1\n"
                             "materials: {glass: {density: 2500}}\n"
                             "bodies: [{sphere: {radius: 5 mm, at: [0, 0, 0], velocity: [1, 0, 0], "
                             "material: glass}, group: first}]\n"
                             "engine: {soft: {step: 10 us}}\nrun: {steps: 200}\n";

enum { RECORDS = 6 };

// Every kind of record, and both kinds of dumps.
static const char *const records[RECORDS] = {
    "{table: kept/table.csv, every: 20 steps, columns: [time, kinetic]}",
    "{track: kept/track.csv, every: 20 steps, group: first}",
    "{dump: kept/all.dump, every: 20 steps}",
    "{dump: kept/one.csv, every: 20 steps}",
    "{frames: kept/f, every: 20 steps, of: [bodies, walls]}",
    "{checkpoint: kept/state.chk, every: 70 steps}",
};

// Runs a shell command in the folder.
static void shell(const char *command)
{
    char line[400];
    snprintf(line, sizeof line, "cd %s && %s", scree_test_folder.path, command);
    if (system(line) != 0)
        fail_msg("the command failed: %s", line);
}

static void clear_folder(void)
{
    shell("rm -rf ./*");
}

// --- content of a folder

struct content {
    char text[8000];
    size_t length;
};

static void add_line(struct content *content, const char *path, uint64_t value)
{
    content->length +=
        (size_t)snprintf(content->text + content->length, sizeof content->text - content->length,
                         "%s %016llx\n", path, (unsigned long long)value);
    assert_true(content->length < sizeof content->text);
}

// FNV-1a of the bytes.
static uint64_t hash_of(const char *path)
{
    uint64_t hash = 14695981039346656037u;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int byte; (byte = fgetc(file)) != EOF;)
        hash = (hash ^ (uint64_t)byte) * 1099511628211u;
    fclose(file);
    return hash;
}

// All names below a path, and the bytes of all files.
static void read_content(struct content *content, const char *path)
{
    struct stat status;
    struct dirent **entry;
    assert_int_equal(lstat(path, &status), 0);
    add_line(content, path, S_ISREG(status.st_mode) ? hash_of(path) : (uint64_t)status.st_mode);
    if (!S_ISDIR(status.st_mode))
        return;
    const int count = scandir(path, &entry, NULL, alphasort);
    assert_true(count >= 2);
    for (int k = 0; k < count; ++k) {
        char child[400];
        snprintf(child, sizeof child, "%s/%s", path, entry[k]->d_name);
        if (strcmp(entry[k]->d_name, ".") != 0 && strcmp(entry[k]->d_name, "..") != 0)
            read_content(content, child);
        free(entry[k]);
    }
    free(entry);
}

// --- runs

// Runs a scene from its text or, if that is null, from the checkpoint at a path.
static scree_status run_scene(const char *path, const char *text, const struct scree_scene_def *overrides,
                              const struct scree_run_def *def)
{
    struct scree_scene *scene;
    scree_status status = text ? scree_scene_read(path, text, strlen(text), overrides, &scene)
                               : scree_scene_restart(path, overrides, &scene);
    if (status == SCREE_OK)
        status = scree_scene_run(scene, def, NULL);
    scree_scene_free(scene);
    return status;
}

// Runs a scene with all records, `last` in the last position; or with another record after them.
static scree_status run(int last, const char *extra_record, const struct scree_run_def *def)
{
    char text[2000];
    size_t length = (size_t)snprintf(text, sizeof text, "%srecord:\n", header);
    for (int r = 1; r <= RECORDS; ++r)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "  - %s\n", records[(last + r) % RECORDS]);
    if (extra_record)
        snprintf(text + length, sizeof text - length, "  - %s\n", extra_record);
    return run_scene(scree_folder_path(&scree_test_folder, "scene.yaml"), text, NULL, def);
}

// Restarts from the previous checkpoint; all other records have data of later steps.
static scree_status restart(void)
{
    return run_scene(scree_folder_path(&scree_test_folder, "kept/state.chk.previous"), NULL, NULL, NULL);
}

static void assert_nothing_changed(const struct content *before, const char *action)
{
    struct content after = {.length = 0};
    read_content(&after, scree_test_folder.path);
    if (strcmp(before->text, after.text) != 0)
        fail_msg("after '%s' the folder changed from\n%sto\n%s", action, before->text, after.text);
}

struct obstacle {
    int record; // the record in the last position
    const char *command;
    const char *message;
};

// Restarts a run, starts a new one, or starts one that may overwrite files.
enum run_kind { RESTART, NEW_RUN, OVERWRITE };

static scree_status run_again(enum run_kind run_kind, int last)
{
    if (run_kind == RESTART)
        return restart();
    return run(last, NULL, &(struct scree_run_def){.force = run_kind == OVERWRITE});
}

// Each of these runs is refused with its message and changes nothing.
static void assert_refused_unchanged(enum run_kind run_kind, const struct obstacle *row, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        struct content before = {.length = 0};
        if (run_kind != NEW_RUN && run(row[k].record, NULL, NULL) != SCREE_OK)
            fail_msg("%s", scree_status_message());
        shell(row[k].command);
        read_content(&before, scree_test_folder.path);
        const scree_status status = run_again(run_kind, row[k].record);
        assert_true(run_kind == OVERWRITE ? status == SCREE_ERROR_IO : status != SCREE_OK);
        if (!strstr(scree_status_message(), row[k].message))
            fail_msg("%s: %s", row[k].command, scree_status_message());
        assert_nothing_changed(&before, row[k].command);
        clear_folder();
    }
}

static void a_refused_restart_changes_no_file(void **state)
{
    (void)state;
    static const struct obstacle rows[] = {
        {0, "truncate -s 30 kept/table.csv", "has 30 bytes but had"},
        {0, "sed -i 1s/kinetic/mass/ kept/table.csv", "does not have the columns"},
        {0, "sed -i 2s/^/0/ kept/table.csv", "no row ends after"},
        {0, "rm kept/table.csv; mkdir kept/table.csv", "cannot open the table"},
        {0, "rm kept/table.csv; mkfifo kept/table.csv", "not a regular file"},
        {0, "mv kept/table.csv other; ln -s ../other kept/table.csv", "is a link"},
        {1, "truncate -s 0 kept/track.csv", "has 0 bytes but had"},
        {1, "cp kept/table.csv kept/track.csv", "but had"},
        {2, "truncate -s 400 kept/all.dump", "snapshots, but had 8"},
        {2, "echo mine > kept/all.dump", "has only 0 snapshots, but had 8"},
        {2, "rm kept/all.dump; mkdir kept/all.dump", "cannot open the dump"},
        {2, "rm kept/all.dump; mkfifo kept/all.dump", "not a regular file"},
        {3, "rm kept/one-000009.csv; mkdir kept/one-000009.csv", "it is a folder"},
        {3, "mkdir kept/one-000011.csv.part", "it is a folder"},
        {4, "truncate -s 150 kept/f-walls.hdf.series", "fewer frames"},
        {4, "echo mine > kept/f-walls.hdf.series", "is not an index of frames"},
        {4, "cp kept/f-bodies.hdf.series kept/f-walls.hdf.series", "is not one of its frames"},
        {4, "sed -i 4d kept/f-walls.hdf.series", "skips frames"},
        {4, "sed -i s/000003/000004/ kept/f-walls.hdf.series", "skips frames"},
        {4, "rm kept/f-walls.hdf.series; mkdir kept/f-walls.hdf.series", "not a regular file"},
        {4, "rm kept/f-walls.hdf.series", "already exists"},
        {4, "rm kept/f-walls/000003.hdf", "lists missing frames"},
        {4, "rm -r kept/f-walls; echo mine > kept/f-walls", "is not a folder"},
        {4, "rm -r kept/f-walls", "lists missing frames"},
        {4, "rm kept/f-walls/000010.hdf; mkdir kept/f-walls/000010.hdf", "it is a folder"},
        {4, "mkdir kept/f-walls.hdf.series.part", "it is a folder"},
        {5, "rm kept/state.chk; mkdir kept/state.chk", "it is a folder"},
        {5, "mkdir kept/state.chk.part", "it is a folder"},
    };
    assert_refused_unchanged(RESTART, rows, sizeof rows / sizeof rows[0]);
}

static void a_refused_new_run_creates_no_file(void **state)
{
    (void)state;
    static const struct obstacle rows[] = {
        {0, "mkdir kept; echo mine > kept/table.csv", "already exists"},
        {1, "mkdir -p kept/track.csv", "already exists"},
        {2, "mkdir kept; echo mine > kept/all.dump", "already exists"},
        {3, "mkdir kept; echo mine > kept/one-000007.csv", "already exists"},
        {4, "mkdir kept; echo mine > kept/f-walls.hdf.series", "already exists"},
        {4, "mkdir -p kept/f-walls; echo mine > kept/f-walls/000000.hdf", "already exists"},
        {5, "mkdir kept; echo mine > kept/state.chk", "already exists"},
        {5, "mkdir kept; echo mine > kept/state.chk.previous", "already exists"},
        {5, "mkdir -p kept/state.chk.part", "it is a folder"},
        {0, "echo mine > kept", "is not a folder"},
    };
    assert_refused_unchanged(NEW_RUN, rows, sizeof rows / sizeof rows[0]);
}

// A folder or pipe at the path of a file cannot be overwritten.
static void a_refused_run_with_force_changes_no_file(void **state)
{
    (void)state;
    static const struct obstacle rows[] = {
        {0, "rm kept/table.csv; mkdir kept/table.csv", "cannot open the table"},
        {1, "rm kept/track.csv; mkfifo kept/track.csv", "not a regular file"},
        {2, "rm kept/all.dump; mkdir kept/all.dump", "cannot open the dump"},
        {3, "rm kept/one-000000.csv; mkdir kept/one-000000.csv", "it is a folder"},
        {4, "rm kept/f-walls.hdf.series; mkdir kept/f-walls.hdf.series", "it is a folder"},
        {4, "rm kept/f-walls/000000.hdf; mkdir kept/f-walls/000000.hdf", "it is a folder"},
        {5, "rm kept/state.chk; mkdir kept/state.chk", "it is a folder"},
        {5, "rm kept/state.chk.previous; mkdir kept/state.chk.previous", "it is a folder"},
    };
    assert_refused_unchanged(OVERWRITE, rows, sizeof rows / sizeof rows[0]);
}

// Another value of a variable may change the names of records.
static void a_restart_with_other_names_of_records_does_not_truncate_existing_files(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        "table: \"kept/a-${n}.csv\"", "track: \"kept/a-${n}.csv\", group: first",
        "dump: \"kept/a-${n}.dump\"", "dump: \"kept/a-${n}.csv\"",
        "frames: \"kept/a-${n}\"",    "checkpoint: \"kept/a-${n}.chk\""};
    const struct scree_scene_variable other_name = {"n", "2"};
    const struct scree_scene_def overrides = {.variables = &other_name, .count = 1};
    const struct scree_run_def first = {.until = 1e-3};
    for (size_t k = 0; k < RECORDS; ++k) {
        struct content before = {.length = 0};
        char record[100], scene[1000];
        snprintf(record, sizeof record, "{%s, every: 10 steps}", kinds[k]);
        snprintf(scene, sizeof scene, "%svariables: {n: 1}\nrecord:\n  - %s\n  - %s\n", header, records[5],
                 record);
        const char *path = scree_folder_path(&scree_test_folder, "scene.yaml");
        assert_int_equal(run_scene(path, scene, &overrides, NULL), SCREE_OK);
        shell("rm kept/state*");
        assert_int_equal(run_scene(path, scene, NULL, &first), SCREE_OK);
        read_content(&before, scree_test_folder.path);
        path = scree_folder_path(&scree_test_folder, "kept/state.chk");
        assert_int_equal(run_scene(path, NULL, &overrides, &(struct scree_run_def){.until = 2e-3}),
                         SCREE_ERROR_EXISTS);
        assert_nothing_changed(&before, record);
        // with the original names the run continues its own files; with the others it overwrites files if
        // allowed
        const struct scree_run_def same_names = {.until = 2e-3}, overwrite = {.until = 3e-3, .force = true};
        assert_int_equal(run_scene(path, NULL, NULL, &same_names), SCREE_OK);
        assert_int_equal(run_scene(path, NULL, &overrides, &overwrite), SCREE_OK);
        clear_folder();
    }
}

// Other values of variables may make a later stage invalid.
static void a_restart_with_invalid_later_stages_changes_nothing(void **state)
{
    (void)state;
    static const char scene[] =
        "scree: 1\nvariables: {n: 2, step: 10 us}\n"
        "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.3}}\n"
        "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
        "bodies: [sphere: {radius: 5 mm, at: [0, 0, 6 mm], material: glass}]\n"
        "walls:\n"
        "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: lid-1}\n"
        "  - {plane: {point: [0, 0, 1], normal: [0, 0, -1], material: glass}, group: lid-2,\n"
        "     servo: {force: 1 N, direction: [0, 0, -1], max-velocity: 1 m/s}}\n"
        "engine: {soft: {step: 10 us}}\n"
        "run:\n  - {steps: 100}\n  - {steps: 100, walls: [{group: \"lid-${n}\", end-servo: true}]}\n"
        "  - {steps: 100, engine: {soft: {step: \"${step}\"}}}\n"
        "record:\n  - {table: kept/table.csv, every: 10 steps}\n"
        "  - {checkpoint: kept/state.chk, every: 70 steps}\n";
    static const struct scree_scene_variable values[] = {{"n", "1"}, {"step", "1 s"}, {"step", "20 us"}};
    struct content before = {.length = 0};
    const char *path = scree_folder_path(&scree_test_folder, "scene.yaml");
    assert_int_equal(run_scene(path, scene, NULL, &(struct scree_run_def){.until = 0.95e-3}), SCREE_OK);
    // the restart is from the earlier checkpoint, so that it would have to truncate the table
    shell("mv kept/state.chk.previous kept/state.chk");
    read_content(&before, scree_test_folder.path);
    path = scree_folder_path(&scree_test_folder, "kept/state.chk");
    for (size_t k = 0; k < 3; ++k) {
        const struct scree_scene_def overrides = {.variables = &values[k], .count = 1};
        const scree_status status = run_scene(path, NULL, &overrides, &(struct scree_run_def){.until = 3e-3});
        if (status != (k < 2 ? SCREE_ERROR_ARGUMENT : SCREE_OK))
            fail_msg("%s = %s: %s", values[k].name, values[k].value, scree_status_message());
        if (k < 2)
            assert_nothing_changed(&before, values[k].name);
    }
    clear_folder();
}

// All files, checkpoints too, equal those of an uninterrupted run.
static void a_restart_from_the_previous_checkpoint_gives_the_same_files(void **state)
{
    (void)state;
    struct content before = {.length = 0};
    assert_int_equal(run(0, NULL, NULL), SCREE_OK);
    read_content(&before, scree_test_folder.path);
    assert_int_equal(restart(), SCREE_OK);
    assert_nothing_changed(&before, "a restart");
    clear_folder();
}

// Old checkpoints would belong to results that no longer exist.
static void a_run_that_overwrites_another_removes_its_checkpoints(void **state)
{
    (void)state;
    static const char scene[] = "scree: 1\nmaterials: {glass: {density: 2500}}\n"
                                "bodies: [sphere: {radius: 5 mm, at: [0, 0, 0], material: glass}]\n"
                                "engine: {soft: {step: 10 us}}\nrun: [{steps: 100}, {steps: 100}]\n"
                                "record: [{checkpoint: state.chk, every: 30 steps, stages: [2]}]\n";
    const char *path = scree_folder_path(&scree_test_folder, "scene.yaml");
    assert_int_equal(run_scene(path, scene, NULL, NULL), SCREE_OK);
    shell("test -e state.chk -a -e state.chk.previous");
    // this run writes only one checkpoint, at its end
    assert_int_equal(run_scene(path, scene, NULL, &(struct scree_run_def){.force = true, .until = 0.5e-3}),
                     SCREE_OK);
    shell("test -e state.chk -a ! -e state.chk.previous");
    clear_folder();
}

static void names_that_are_too_long_are_reported_before_the_run(void **state)
{
    (void)state;
    static const char *const kinds[] = {"table", "dump", "frames", "checkpoint"};
    struct content before = {.length = 0};
    char name[240], extra_record[400];
    memset(name, 'x', sizeof name);
    read_content(&before, scree_test_folder.path);
    for (size_t k = 0; k < 8; ++k) {
        // first in a folder that would be created, then in an existing one
        snprintf(extra_record, sizeof extra_record, "{%s: %s%.235s%s, every: 1 ms}", kinds[k % 4],
                 k < 4 ? "new/" : "", name, k % 4 == 1 ? ".csv" : "");
        assert_int_not_equal(run(0, extra_record, NULL), SCREE_OK);
        assert_non_null(strstr(scree_status_message(), "a name can have at most 228 characters"));
        assert_nothing_changed(&before, extra_record);
    }
}

static void mistakes_are_reported_before_anything_is_created(void **state)
{
    (void)state;
    struct content before = {.length = 0};
    char missing_folder[100];
    snprintf(missing_folder, sizeof missing_folder, "%s/not/there", scree_test_folder.path);
    read_content(&before, scree_test_folder.path);
    // mistakes that are found only when the record is created
    assert_int_equal(run(0, "{dump: a.unknown, every: 1 ms}", NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(run(0, "{track: b.csv, group: first, every: 1 ms, motion: [spin, spin]}",
                         &(struct scree_run_def){.folder = missing_folder}),
                     SCREE_ERROR_ARGUMENT);
    assert_nothing_changed(&before, "mistakes");
    // a folder that cannot be created
    shell("echo mine > not");
    memset(&before, 0, sizeof before);
    read_content(&before, scree_test_folder.path);
    assert_int_equal(run(0, NULL, &(struct scree_run_def){.folder = missing_folder}), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "not' is not a folder"));
    assert_nothing_changed(&before, "a file at the path of a folder");
    clear_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_restart_changes_no_file),
        cmocka_unit_test(a_refused_new_run_creates_no_file),
        cmocka_unit_test(a_refused_run_with_force_changes_no_file),
        cmocka_unit_test(a_restart_with_other_names_of_records_does_not_truncate_existing_files),
        cmocka_unit_test(a_restart_with_invalid_later_stages_changes_nothing),
        cmocka_unit_test(a_restart_from_the_previous_checkpoint_gives_the_same_files),
        cmocka_unit_test(a_run_that_overwrites_another_removes_its_checkpoints),
        cmocka_unit_test(names_that_are_too_long_are_reported_before_the_run),
        cmocka_unit_test(mistakes_are_reported_before_anything_is_created),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
