// The record `dump`: all bodies of a run in files of other programs, equal on any number of threads and
// after a restart. Reference: the world itself.

#include "base/memory.h"
#include "exchange/formats.h"
#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <scree/checkpoint.h>
#include <scree/convert.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct scree_folder folder;

static const char *path_of(const char *name)
{
    return scree_folder_path(&folder, name);
}

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("dump");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder,
                     "a.dump b.dump a.xyz a-000000.csv a-000001.csv a-000002.csv b-000000.csv b-000001.csv "
                     "b-000002.csv cut.dump f-bodies/000000.hdf f-bodies/000001.hdf f-bodies/000002.hdf "
                     "f-bodies.hdf.series f-bodies c.dump c.xyz c-000000.csv c-000001.csv c-000002.csv "
                     "c-000003.csv c-000004.csv run.chk run.chk.previous a.chk complete.csv converted.csv");
    return 0;
}

#define SCENE                                                                                                \
    "scree: 1\nmaterials: {glass: {density: 2500, young: 500 MPa, poisson: 0.25}, steel: {density: 7800, "   \
    "young: 500 MPa, poisson: 0.25}}\n"                                                                      \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"               \
    "gravity: [0, 0, -9.81]\nworld: {box: [[0, 0, 0], [0.2, 0.2, 0.3]], periodic: [x]}\n"                    \
    "bodies:\n  - fill: {shape: {sphere: {radius: 1 cm}}, count: 20, material: steel, inside: {box: [[0, "   \
    "0, 0], [0.2, 0.2, 0.3]]}, velocity: [3, 1, 0]}\n"                                                       \
    "  - fill: {shape: {sphere: {radius: 5 mm}}, count: 30, material: glass, inside: {box: [[0, 0, 0], "     \
    "[0.2, 0.2, 0.3]]}, velocity: [-3, 0, 0]}\n"                                                             \
    "engine: {soft: {step: 20 us}}\nrun: {steps: 400}\n"

// Runs the scene with a record; returns null if it was refused, with the message in `message`.
static struct scree_world *try_run(const char *record, const struct scree_run_def *def, char *message,
                                   size_t size)
{
    char text[2000];
    snprintf(text, sizeof text, "%srecord: [{%s, every: 200 steps}]\n", SCENE, record);
    struct scree_trial trial = scree_trial_read(path_of("scene.yaml"), text);
    (void)scree_trial_run(&trial, def);
    snprintf(message, size, "%s", scree_trial_message(&trial));
    if (trial.status == SCREE_OK)
        return scree_trial_take_world(&trial);
    scree_trial_free(&trial);
    return NULL;
}

static struct scree_world *run_scene(const char *record, int threads)
{
    char message[1000];
    struct scree_world *world =
        try_run(record, &(struct scree_run_def){.threads = threads, .force = true}, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    return world;
}

// Compares the last snapshot of a file with the world, and the number of snapshots.
static void assert_equal_to_world(const char *path, const struct scree_world *world, uint64_t snapshots)
{
    struct scree_diagnostics diagnostics = {0};
    struct scree_formats_file file;
    struct scree_format_table table = {0};
    struct scree_convert_report report;
    bool found;
    assert_ok(scree_formats_open(&file, path, path, &(struct scree_formats_selection){0}, &diagnostics));
    assert_ok(scree_formats_next(&file, &table, &found));
    assert_true(found && table.count == scree_body_count(world));
    for (size_t row = 0; row < table.count; ++row) {
        struct scree_body_state body;
        assert_int_equal(table.id[row], row + 1);
        assert_ok(scree_body_get(world, (scree_body_id){row + 1}, &body));
        for (int k = 0; k < 3; ++k) {
            assert_true(table.number[SCREE_FORMAT_X + k][row] == body.position[k]);
            assert_true(table.number[SCREE_FORMAT_VELOCITY_X + k][row] == body.velocity[k]);
            assert_true(table.number[SCREE_FORMAT_SPIN_X + k][row] == body.spin[k]);
            assert_true(table.number[SCREE_FORMAT_FORCE_X + k][row] == body.force[k]);
        }
        assert_true(table.number[SCREE_FORMAT_RADIUS][row] == body.radius);
        assert_true(table.number[SCREE_FORMAT_MASS][row] == body.mass);
    }
    scree_formats_close(&file);
    scree_format_free(&table);
    scree_diagnostic_free(&diagnostics);
    assert_ok(scree_convert_file(path, NULL, &(struct scree_convert_def){.all = true}, &report));
    assert_int_equal(report.snapshots, snapshots);
    assert_int_equal(report.types, 2);
}

static void a_dump_contains_the_exact_state_at_each_instant(void **state)
{
    (void)state;
    struct scree_world *world = run_scene("dump: a.dump", 1);
    assert_equal_to_world(path_of("a.dump"), world, 3);
    scree_world_destroy(world);
    world = run_scene("dump: a.xyz", 1);
    assert_equal_to_world(path_of("a.xyz"), world, 3);
    scree_world_destroy(world);
    // formats with one snapshot per file get one file per instant
    world = run_scene("dump: a.csv", 1);
    assert_equal_to_world(path_of("a-000002.csv"), world, 1);
    assert_int_not_equal(access(path_of("a-000003.csv"), F_OK), 0);
    assert_int_not_equal(access(path_of("a.csv"), F_OK), 0);
    scree_world_destroy(world);
}

// The bounds of LAMMPS and LIGGGHTS files exclude bodies beyond them or on the upper bound, which these
// programs would lose.
static void bounds_that_are_not_periodic_include_all_bodies(void **state)
{
    (void)state;
    static const char scene[] =
        "scree: 1\nmaterials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"
        "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
        "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x], outside: ignore}\nbodies:\n"
        "  - sphere: {radius: 0.0625, at: [0.5, 0.5, 1.5], material: glass}\n"
        "  - sphere: {radius: 0.0625, at: [0.5, 1, 0.25], material: glass}\n"
        "  - sphere: {radius: 0.0625, at: [0.5, 0.25, -0.25], material: glass}\n"
        "  - sphere: {radius: 0.0625, at: [0.96875, 0, 0.5], material: glass}\n"
        "engine: {soft: {step: 20 us}}\nrun: {steps: 1}\nrecord: [{dump: a.dump, every: 1 steps}]\n";
    struct scree_trial trial = scree_trial_read(path_of("scene.yaml"), scene);
    assert_ok(scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true}));
    scree_trial_free(&trial);
    struct scree_convert_report report;
    assert_ok(
        scree_convert_file(path_of("a.dump"), NULL, &(struct scree_convert_def){.snapshot = 1}, &report));
    assert_true(report.lower[0] == 0 && report.upper[0] == 1);
    assert_true(report.lower[1] == 0 && report.upper[1] == 1.0625);
    assert_true(report.lower[2] == -0.3125 && report.upper[2] == 1.5625);
}

static void frames_and_checkpoints_convert_to_the_same_bodies_as_dumps(void **state)
{
    (void)state;
    struct scree_convert_report report;
    struct scree_world *world = run_scene(
        "frames: f, of: [bodies], precision: double, fields: [id, radius, material, mass, velocity, "
        "spin, force]",
        1);
    assert_equal_to_world(path_of("f-bodies.hdf.series"), world, 3);
    assert_equal_to_world(path_of("f-bodies/000002.hdf"), world, 1);
    assert_ok(scree_convert_file(path_of("f-bodies.hdf.series"), NULL,
                                 &(struct scree_convert_def){.by_step = true, .step = 200}, &report));
    assert_true(report.step == 200 && report.bodies == 50 && report.time > 0);
    assert_ok(scree_checkpoint_write(world, path_of("a.chk")));
    assert_equal_to_world(path_of("a.chk"), world, 1);
    scree_world_destroy(world);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "can only be read",
                   scree_convert_file(path_of("a.chk"), path_of("b.chk"), NULL, NULL));
}

// Whether the files complete.csv and converted.csv differ.
static int files_differ(void)
{
    size_t first, second;
    char *complete = scree_folder_read(&folder, "complete.csv", &first),
         *converted = scree_folder_read(&folder, "converted.csv", &second);
    const int differ = first != second || memcmp(complete, converted, first) != 0;
    free(complete);
    free(converted);
    return differ;
}

static void a_truncated_frame_is_refused_unless_its_data_are_complete(void **state)
{
    (void)state;
    size_t length;
    char *image = scree_folder_read(&folder, "f-bodies/000002.hdf", &length);
    const size_t live = scree_memory_live();
    size_t refused = 0;
    assert_ok(scree_convert_file(path_of("f-bodies/000002.hdf"), path_of("complete.csv"), NULL, NULL));
    for (size_t kept = 9; kept < length; kept += length / 60) {
        FILE *file = fopen(path_of("f-bodies/000000.hdf"), "w");
        assert_true(file && fwrite(image, 1, kept, file) == kept && fclose(file) == 0);
        // the end of a file may be unused
        if (scree_convert_file(path_of("f-bodies/000000.hdf"), path_of("converted.csv"),
                               &(struct scree_convert_def){.force = true}, NULL) == SCREE_OK)
            assert_int_equal(files_differ(), 0);
        else
            ++refused;
        assert_int_equal(scree_memory_live(), live);
    }
    free(image);
    assert_true(refused > 40);
}

static void a_dump_does_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    size_t length_of_a, length_of_b;
    scree_world_destroy(run_scene("dump: a.dump", 1));
    scree_world_destroy(run_scene("dump: b.dump, format: lammps-dump", 3));
    char *a = scree_folder_read(&folder, "a.dump", &length_of_a),
         *b = scree_folder_read(&folder, "b.dump", &length_of_b);
    assert_true(length_of_a == length_of_b && length_of_a > 10000 && memcmp(a, b, length_of_a) == 0);
    free(a);
    free(b);
}

static void a_restart_continues_a_dump_and_gives_the_same_file(void **state)
{
    (void)state;
    static const char *const names[] = {"c.dump", "c.xyz", "c-000003.csv", "c-000004.csv"};
    char *complete[4];
    size_t lengths[4], length;
    struct scree_scene *scene;
    scree_world_destroy(
        run_scene("dump: c.dump, every: 100 steps}, {dump: c.xyz, every: 100 steps}, {dump: c.csv, "
                  "every: 100 steps}, {checkpoint: run.chk",
                  1));
    for (int n = 0; n < 4; ++n)
        complete[n] = scree_folder_read(&folder, names[n], &lengths[n]);
    // the previous checkpoint is of step 200; after it comes an incomplete snapshot, as if the run had been
    // killed
    FILE *file = fopen(path_of("c.dump"), "a");
    assert_true(file && fputs("ITEM: TIMES", file) >= 0 && fclose(file) == 0);
    assert_ok(scree_scene_restart(path_of("run.chk.previous"), NULL, &scene));
    assert_ok(scree_scene_run(scene, &(struct scree_run_def){.threads = 2}, NULL));
    scree_scene_free(scene);
    for (int n = 0; n < 4; ++n) {
        char *text = scree_folder_read(&folder, names[n], &length);
        assert_true(length == lengths[n] && memcmp(text, complete[n], length) == 0);
        free(text);
        free(complete[n]);
    }
    // a dump whose snapshots are missing cannot be continued
    assert_int_equal(truncate(path_of("c.dump"), 1000), 0);
    assert_ok(scree_scene_restart(path_of("run.chk.previous"), NULL, &scene));
    assert_refused(SCREE_ERROR_IO, "snapshots, but had",
                   scree_scene_run(scene, &(struct scree_run_def){.threads = 2}, NULL));
    scree_scene_free(scene);
}

static scree_status restart_from(const char *checkpoint)
{
    struct scree_trial trial = scree_trial_restart(path_of(checkpoint));
    const scree_status status = scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_free(&trial);
    return status;
}

// A dump is continued if all its snapshots exist, or begun again if all are missing.
static void a_dump_with_missing_files_is_not_continued(void **state)
{
    (void)state;
    static const char *const files[] = {"c-000000.csv", "c-000001.csv", "c-000002.csv", "c-000003.csv",
                                        "c-000004.csv"};
    char *text;
    scree_world_destroy(run_scene(
        "dump: c.csv, every: 100 steps}, {dump: c.dump, every: 100 steps}, {checkpoint: run.chk", 2));
    // the previous checkpoint, of step 200, needs three snapshots, of which the first or the second is
    // missing
    for (int n = 0; n < 2; ++n) {
        text = scree_folder_read(&folder, files[n], NULL);
        assert_int_equal(unlink(path_of(files[n])), 0);
        assert_refused(SCREE_ERROR_IO, "', a snapshot of the dump at the time of the checkpoint, is missing",
                       restart_from("run.chk.previous"));
        assert_non_null(strstr(scree_status_message(), files[n]));
        assert_false(scree_folder_has(&folder, files[n]));
        assert_true(scree_folder_has(&folder, files[4]));
        scree_folder_write(&folder, files[n], text);
        free(text);
    }
    // snapshots later than the checkpoint may be missing
    assert_int_equal(unlink(path_of(files[4])), 0);
    assert_ok(restart_from("run.chk.previous"));
    for (int n = 0; n < 5; ++n)
        assert_int_equal(unlink(path_of(files[n])), 0);
    assert_int_equal(unlink(path_of("c.dump")), 0);
    assert_ok(restart_from("run.chk.previous"));
    assert_true(scree_folder_has(&folder, files[0]) && !scree_folder_has(&folder, files[3]));
    assert_ok(restart_from("run.chk"));
    assert_int_equal(unlink(path_of(files[0])), 0);
    assert_refused(SCREE_ERROR_IO, "', a snapshot of the dump at the time of the checkpoint, is missing",
                   restart_from("run.chk"));
}

static void existing_files_and_unknown_formats_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"dump: a.dump", "already exists"},
                                          {"dump: a.csv", "a-000000.csv' already exists"},
                                          {"dump: a.foo", "no format has the file extension of 'a.foo'"},
                                          {"dump: a.foo, format: xzy", "did you mean 'xyz'"},
                                          {"table: a.csv, format: xyz", "format"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char message[1000];
        assert_null(try_run(rows[r][0], &(struct scree_run_def){.threads = 1}, message, sizeof message));
        if (!strstr(message, rows[r][1]))
            fail_msg("%s: %s", rows[r][0], message);
    }
}

static bool exists(const char *name)
{
    return scree_folder_has(&folder, name);
}

static void make_file(const char *name)
{
    scree_folder_write(&folder, name, "");
}

// Files of a dump without the first one still belong to another run: a new run is refused, or removes them
// if it may overwrite.
static void remaining_files_of_a_dump_are_an_existing_dump(void **state)
{
    (void)state;
    static const char *const unrelated[] = {"b-00000.csv", "b-0000001.csv", "bb-000001.csv",
                                            "b-000001.csv.bz2"};
    static const char *const remaining[] = {"b-000001.csv", "b-000007.csv", "b-1000000.csv"};
    char message[1000];
    for (size_t n = 0; n < 4; ++n)
        make_file(unrelated[n]);
    for (size_t n = 0; n < 3; ++n) {
        make_file(remaining[n]);
        assert_null(try_run("dump: b.csv", &(struct scree_run_def){.threads = 1}, message, sizeof message));
        assert_non_null(strstr(message, "already exists"));
        assert_true(exists(remaining[n]) && !exists("b-000000.csv"));
        unlink(path_of(remaining[n]));
    }
    for (size_t n = 0; n < 3; ++n)
        make_file(remaining[n]);
    scree_world_destroy(run_scene("dump: b.csv", 1));
    assert_true(exists("b-000002.csv") && !exists(remaining[1]) && !exists(remaining[2]));
    for (uint64_t n = 0; n < 3; ++n) {
        static const char *const new_files[] = {"b-000000.csv", "b-000001.csv", "b-000002.csv"};
        unlink(path_of(new_files[n]));
    }
    scree_world_destroy(
        try_run("dump: b.csv", &(struct scree_run_def){.threads = 1}, message, sizeof message));
    assert_string_equal(message, "");
    for (size_t n = 0; n < 4; ++n)
        assert_int_equal(unlink(path_of(unrelated[n])), 0);
}

static void the_length_up_to_a_snapshot_excludes_an_incomplete_one_after_it(void **state)
{
    (void)state;
    static const char *const names[] = {"a.dump", "a.xyz"};
    for (int k = 0; k < 2; ++k) {
        const struct scree_format *format;
        size_t length, truncated_length = 0;
        uint64_t snapshots[3], bytes[3];
        assert_ok(scree_formats_of_path(names[k], &format));
        char *text = scree_folder_read(&folder, names[k], &length);
        for (uint64_t n = 0; n < 3; ++n) {
            snapshots[n] = n + 1;
            assert_ok(scree_formats_size(path_of(names[k]), format, &snapshots[n], &bytes[n]));
            assert_int_equal(snapshots[n], n + 1);
        }
        assert_true(bytes[0] > 0 && bytes[1] > bytes[0] && bytes[2] == length);
        assert_true(text[bytes[0] - 1] == '\n' && text[bytes[1] - 1] == '\n');
        // a killed run leaves an incomplete snapshot
        for (truncated_length = bytes[1] + 1; truncated_length < length; truncated_length += 997) {
            FILE *file = fopen(path_of("cut.dump"), "w");
            uint64_t two = 2, length_of_b = 3, found;
            assert_true(file && fwrite(text, 1, truncated_length, file) == truncated_length &&
                        fclose(file) == 0);
            assert_ok(scree_formats_size(path_of("cut.dump"), format, &two, &found));
            assert_true(two == 2 && found == bytes[1]);
            assert_ok(scree_formats_size(path_of("cut.dump"), format, &length_of_b, &found));
            assert_true(length_of_b == 2 && found == bytes[1]);
        }
        free(text);
    }
}

static void a_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    size_t failures = 0;
    const uint64_t before = scree_memory_count();
    scree_world_destroy(run_scene("dump: b.dump", 1));
    const uint64_t allocations = scree_memory_count() - before;
    // the first failure is in reading the scene, the last in closing the files of the run
    for (uint64_t k = 1; k <= 40; ++k) {
        char message[1000];
        scree_memory_fail_at(1 + k * (allocations - 1) / 41);
        struct scree_world *world = try_run(
            "dump: b.dump", &(struct scree_run_def){.threads = 1, .force = true}, message, sizeof message);
        scree_memory_fail_at(0);
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
        failures += world == NULL;
    }
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dump_contains_the_exact_state_at_each_instant),
        cmocka_unit_test(bounds_that_are_not_periodic_include_all_bodies),
        cmocka_unit_test(frames_and_checkpoints_convert_to_the_same_bodies_as_dumps),
        cmocka_unit_test(a_truncated_frame_is_refused_unless_its_data_are_complete),
        cmocka_unit_test(a_dump_does_not_depend_on_the_number_of_threads),
        cmocka_unit_test(a_restart_continues_a_dump_and_gives_the_same_file),
        cmocka_unit_test(a_dump_with_missing_files_is_not_continued),
        cmocka_unit_test(existing_files_and_unknown_formats_are_refused),
        cmocka_unit_test(remaining_files_of_a_dump_are_an_existing_dump),
        cmocka_unit_test(the_length_up_to_a_snapshot_excludes_an_incomplete_one_after_it),
        cmocka_unit_test(a_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
