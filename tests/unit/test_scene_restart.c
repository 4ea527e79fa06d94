// Runs restarted from a checkpoint (scene/restart.c). Reference: an uninterrupted run. A restarted run ends
// with the same digest and tables, from any stage; changed settings apply from the restart on.

#include <scree/scree.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// two spheres on a slope, with other settings in each stage, and a flux surface
static const char text[] =
    "scree: 1\n"
    "title: Beads\n"
    "variables: {last: 2, more: 40}\n"
    "gravity: [1, 0, -9.81]\n"
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
    "bodies:\n"
    "  - {sphere: {radius: 5 mm, at: [0, 0, 6 mm], material: glass}, group: first}\n"
    "  - {sphere: {radius: 4 mm, at: [1 mm, 0, 16 mm], material: glass}}\n"
    "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}]\n"
    "run:\n"
    "  - {steps: 100, damping: {local: 0.1}}\n"
    "  - {for: 5 ms, engine: {soft: {step: 20 us}}}\n"
    "  - {until: 20 ms, stop: kinetic < 1e-30 J, damping: {viscous: 10 1/s},\n"
    "     contacts: [{between: [any, any], law: linear, stiffness: 1e4, friction: 0.3, restitution: 0.6}]}\n"
    "  - {steps: \"${more}\", gravity: [0, 0, \"${-9.81 * last}\"]}\n"
    "record:\n"
    "  - {table: kept/table.csv, every: 0.1 ms, columns: [time, kinetic, energy-error,\n"
    "     {measure: flux, through: {disk: {centre: [0, 0, 8 mm], normal: [0, 0, 1], radius: 1 m}}}]}\n"
    "  - {track: kept/track.csv, group: first, every: 7 steps}\n"
    "  - {checkpoint: kept/state.chk, every: 3 ms}\n";

struct files {
    char folder[64], scene[96], table[96], checkpoint[96];
};

static void make_files(struct files *files)
{
    static int number;
    snprintf(files->folder, sizeof files->folder, "restart-%ld-%d", (long)getpid(), ++number);
    snprintf(files->scene, sizeof files->scene, "%s/scene.yaml", files->folder);
    snprintf(files->table, sizeof files->table, "%s/kept/table.csv", files->folder);
    snprintf(files->checkpoint, sizeof files->checkpoint, "%s/kept/state.chk", files->folder);
    assert_int_equal(mkdir(files->folder, 0777), 0);
    FILE *file = fopen(files->scene, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void remove_files(const struct files *files)
{
    static const char *const names[] = {"scene.yaml",     "kept/table.csv",          "kept/track.csv",
                                        "kept/state.chk", "kept/state.chk.previous", "kept"};
    char path[160];
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        snprintf(path, sizeof path, "%s/%s", files->folder, names[n]);
        (void)remove(path);
    }
    assert_int_equal(rmdir(files->folder), 0);
}

static size_t read_table(const struct files *files, char *table, size_t capacity)
{
    FILE *file = fopen(files->table, "r");
    assert_non_null(file);
    const size_t length = fread(table, 1, capacity - 1, file);
    fclose(file);
    table[length] = 0;
    return length;
}

// Ends a run at the first report at or after a step.
struct last_step {
    uint64_t step;
};

static scree_status end_at_step(void *user, const struct scree_progress *progress)
{
    const struct last_step *last_step = (const struct last_step *)user;
    return progress->steps >= last_step->step ? scree_status_fail(SCREE_ERROR_STATE, "enough") : SCREE_OK;
}

// Runs or restarts until a step, or to the end for 0; returns the digest.
static struct scree_digest run_until(const struct files *files, bool restart, uint64_t step,
                                     const struct scree_scene_def *overrides, double until)
{
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_digest digest;
    struct last_step last_step = {step};
    const struct scree_run_def def = {.threads = 1 + (int)(step % 3),
                                      .interval = 1e-9,
                                      .function = step > 0 ? end_at_step : NULL,
                                      .user = &last_step,
                                      .until = until};
    const scree_status read = restart ? scree_scene_restart(files->checkpoint, overrides, &scene)
                                      : scree_scene_load(files->scene, overrides, &scene);
    if (read != SCREE_OK)
        fail_msg("%s", scree_status_message());
    const scree_status status = scree_scene_run(scene, &def, &world);
    if (status != (step > 0 ? SCREE_ERROR_STATE : SCREE_OK))
        fail_msg("%s", scree_status_message());
    assert_int_equal(scree_world_digest(world, &digest), SCREE_OK);
    scree_world_destroy(world);
    scree_scene_free(scene);
    return digest;
}

static void assert_equal_digests(struct scree_digest a, struct scree_digest b)
{
    assert_true(a.low == b.low && a.high == b.high);
}

static void runs_restarted_in_each_stage_end_like_an_uninterrupted_run(void **state)
{
    (void)state;
    static char expected_table[1 << 20], table[1 << 20];
    struct files files;
    make_files(&files);
    const struct scree_digest expected = run_until(&files, false, 0, NULL, 0);
    assert_true(read_table(&files, expected_table, sizeof expected_table) > 5000);
    remove_files(&files);
    static const uint64_t steps[] = {1, 50, 99, 100, 101, 200, 349, 350, 351, 500, 700};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; ++k) {
        make_files(&files);
        (void)run_until(&files, false, steps[k], NULL, 0);
        (void)run_until(&files, true, steps[k] + 31, NULL, 0);
        assert_equal_digests(expected, run_until(&files, true, 0, NULL, 0));
        read_table(&files, table, sizeof table);
        assert_string_equal(expected_table, table);
        // the run has ended: it takes no further step
        assert_equal_digests(expected, run_until(&files, true, 0, NULL, 0));
        remove_files(&files);
    }
}

static void changed_settings_apply_from_the_restart_on(void **state)
{
    (void)state;
    const struct scree_scene_variable gravity[] = {{"last", "3"}}, steps[] = {{"more", "60"}};
    const struct scree_scene_def overrides = {.variables = gravity, .count = 1},
                                 more_steps = {.variables = steps, .count = 1};
    struct files files;
    make_files(&files);
    const struct scree_digest expected = run_until(&files, false, 0, &overrides, 0);
    remove_files(&files);
    make_files(&files);
    (void)run_until(&files, false, 300, NULL, 0);
    assert_equal_digests(expected, run_until(&files, true, 0, &overrides, 0));
    remove_files(&files);
    // the last stage had 40 steps and now has 60
    make_files(&files);
    const struct scree_digest with_more_steps = run_until(&files, false, 0, &more_steps, 0);
    remove_files(&files);
    make_files(&files);
    (void)run_until(&files, false, 0, NULL, 0);
    assert_equal_digests(with_more_steps, run_until(&files, true, 0, &more_steps, 0));
    remove_files(&files);
}

static void a_finished_run_can_be_continued_to_a_later_end(void **state)
{
    (void)state;
    struct files files;
    make_files(&files);
    const struct scree_digest expected = run_until(&files, false, 0, NULL, 25e-3);
    remove_files(&files);
    make_files(&files);
    (void)run_until(&files, false, 0, NULL, 0);
    assert_equal_digests(expected, run_until(&files, true, 0, NULL, 25e-3));
    remove_files(&files);
    // the same for a run that was ended in an earlier stage
    make_files(&files);
    (void)run_until(&files, false, 0, NULL, 3e-3);
    (void)run_until(&files, true, 0, NULL, 4e-3);
    assert_equal_digests(expected, run_until(&files, true, 0, NULL, 25e-3));
    struct scree_scene *scene;
    struct scree_world *world;
    assert_int_equal(scree_scene_restart(files.checkpoint, NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.until = 20e-3}, &world),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "it can only continue to a later time, not to 0.02 s"));
    scree_world_destroy(world);
    scree_scene_free(scene);
    remove_files(&files);
}

static void store_message(void *user, const char *message)
{
    snprintf((char *)user, 200, "%s", message);
}

// Restarts a run that has no steps left, or is refused; checks the warning.
static void restart_without_steps(const struct files *files, const struct scree_scene_def *overrides,
                                  double until, scree_status expected, const char *warning)
{
    struct scree_scene *scene;
    char message[200] = "";
    const struct scree_run_def def = {.until = until, .warn = store_message, .user = message};
    assert_int_equal(scree_scene_restart(files->checkpoint, overrides, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, &def, NULL), expected);
    if (!strstr(message, warning))
        fail_msg("the warning is '%s', not '%s'", message, warning);
    scree_scene_free(scene);
}

// The run is ended in the first, second and third stage.
static void a_run_with_nothing_to_do_reports_it_and_can_still_be_continued(void **state)
{
    (void)state;
    static const double ends[] = {1e-6, 3e-3, 15e-3};
    struct files files;
    make_files(&files);
    const struct scree_digest expected = run_until(&files, false, 0, NULL, 25e-3);
    restart_without_steps(&files, NULL, 0, SCREE_OK,
                          "the end time of --until: give a later --until to continue");
    remove_files(&files);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; ++e) {
        struct scree_checkpoint_facts facts;
        make_files(&files);
        (void)run_until(&files, false, 0, NULL, ends[e]);
        restart_without_steps(&files, NULL, 0, SCREE_OK,
                              "the end time of --until: give a later --until to continue");
        restart_without_steps(&files, NULL, ends[e], SCREE_OK, "the end time of --until");
        assert_int_equal(scree_checkpoint_info(files.checkpoint, &facts), SCREE_OK);
        if (facts.time > ends[e])
            restart_without_steps(&files, NULL, facts.time, SCREE_ERROR_ARGUMENT, "");
        assert_equal_digests(expected, run_until(&files, true, 0, NULL, 25e-3));
        remove_files(&files);
    }
    make_files(&files);
    (void)run_until(&files, false, 0, NULL, 0);
    restart_without_steps(&files, NULL, 0, SCREE_OK, "the run had already finished, at ");
    remove_files(&files);
}

static void a_requested_end_overrides_variables_with_a_warning(void **state)
{
    (void)state;
    const struct scree_scene_variable longer[] = {{"more", "60"}};
    const struct scree_scene_def overrides = {.variables = longer, .count = 1};
    struct files files;
    struct scree_scene *scene;
    char message[200] = "";
    make_files(&files);
    (void)run_until(&files, false, 300, NULL, 15e-3);
    assert_int_equal(scree_scene_restart(files.checkpoint, &overrides, &scene), SCREE_OK);
    const struct scree_run_def def = {.warn = store_message, .user = message};
    assert_int_equal(scree_scene_run(scene, &def, NULL), SCREE_OK);
    assert_non_null(strstr(message, "the run ends at 0.015 s, because it was started with --until"));
    scree_scene_free(scene);
    remove_files(&files);
}

// With this time step, quotients of times are rounded down or up; each row is at its step nevertheless.
static void every_instant_of_a_table_has_one_row_also_after_restarts(void **state)
{
    (void)state;
    static char table[1 << 20];
    struct files files;
    make_files(&files);
    FILE *file = fopen(files.scene, "w");
    assert_true(file &&
                fputs("scree: 1\nmaterials: {a: {density: 1000}}\n"
                      "bodies: [sphere: {radius: 1 cm, at: [0, 0, 0], material: a}]\n"
                      "engine: {soft: {step: 1 us}}\nrun: {until: 200 ms}\nrecord:\n"
                      "  - {table: kept/table.csv, every: 7 us, columns: [steps]}\n"
                      "  - {checkpoint: kept/state.chk, every: 20000 steps}\n",
                      file) >= 0 &&
                fclose(file) == 0);
    // far from the end, since reports, which end these runs, may be up to 50 times their cost apart
    static const uint64_t stops[] = {40003, 84207, 126303, 0};
    for (size_t k = 0; k < sizeof stops / sizeof stops[0]; ++k)
        (void)run_until(&files, k > 0, stops[k], NULL, 0);
    read_table(&files, table, sizeof table);
    unsigned long rows = 0;
    for (char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const unsigned long step = strtoul(line, NULL, 10);
        assert_int_equal(step, 7 * rows);
        ++rows;
    }
    assert_int_equal(rows, 200000 / 7 + 1);
    remove_files(&files);
}

static void results_are_found_from_any_path_to_the_checkpoint(void **state)
{
    (void)state;
    char path[400], folder[200], moved[200];
    struct scree_scene *scene;
    struct files files;
    make_files(&files);
    (void)run_until(&files, false, 300, NULL, 0);
    assert_non_null(getcwd(folder, sizeof folder));
    const char *const names[] = {"%s/%s/kept/state.chk", "%s//%s/./kept//state.chk"};
    for (size_t n = 0; n < 2; ++n) {
        snprintf(path, sizeof path, names[n], folder, files.folder);
        snprintf(files.checkpoint, sizeof files.checkpoint, "%.95s", path);
        if (strlen(path) < sizeof files.checkpoint)
            (void)run_until(&files, true, 310 + 10 * n, NULL, 0);
    }
    // the folder of the run may be given by another path
    struct last_step last_step = {350};
    snprintf(path, sizeof path, "%s/../%s/.", files.folder, files.folder);
    const struct scree_run_def def = {
        .interval = 1e-9, .function = end_at_step, .user = &last_step, .folder = path};
    assert_int_equal(scree_scene_restart(files.checkpoint, NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, &def, NULL), SCREE_ERROR_STATE);
    assert_string_equal(scree_status_message(), "enough");
    scree_scene_free(scene);
    // from a path relative to another folder
    snprintf(path, sizeof path, "%s/kept", files.folder);
    assert_int_equal(chdir(path), 0);
    snprintf(files.checkpoint, sizeof files.checkpoint, "state.chk");
    (void)run_until(&files, true, 400, NULL, 0);
    assert_int_not_equal(access("kept", F_OK), 0);
    assert_int_equal(chdir(folder), 0);
    // the results are not found from a moved checkpoint
    snprintf(path, sizeof path, "%s/kept/state.chk", files.folder);
    snprintf(moved, sizeof moved, "%s/other.chk", files.folder);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(scree_scene_restart(moved, NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, NULL, NULL), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "has been moved"));
    scree_scene_free(scene);
    assert_int_equal(unlink(moved), 0);
    remove_files(&files);
}

static void results_of_another_run_are_not_truncated(void **state)
{
    (void)state;
    static char before[1 << 20], after[1 << 20];
    struct scree_scene *scene;
    struct scree_world *world;
    struct files files, other;
    make_files(&files);
    make_files(&other);
    (void)run_until(&files, false, 300, NULL, 0);
    (void)run_until(&other, false, 500, NULL, 0);
    read_table(&other, before, sizeof before);
    assert_int_equal(scree_scene_restart(files.checkpoint, NULL, &scene), SCREE_OK);
    assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.folder = other.folder}, &world),
                     SCREE_ERROR_EXISTS);
    assert_non_null(strstr(scree_status_message(), "already exists"));
    read_table(&other, after, sizeof after);
    assert_string_equal(before, after);
    scree_world_destroy(world);
    scree_scene_free(scene);
    remove_files(&files);
    remove_files(&other);
}

static void a_restarted_run_continues_to_the_requested_end(void **state)
{
    (void)state;
    struct files files;
    make_files(&files);
    const struct scree_digest expected = run_until(&files, false, 0, NULL, 25e-3);
    remove_files(&files);
    make_files(&files);
    (void)run_until(&files, false, 600, NULL, 25e-3);
    assert_equal_digests(expected, run_until(&files, true, 0, NULL, 0));
    remove_files(&files);
}

static void a_misspelt_variable_is_reported_with_the_right_name(void **state)
{
    (void)state;
    const struct scree_scene_variable wrong[] = {{"lats", "3"}};
    struct scree_scene *scene;
    struct files files;
    make_files(&files);
    (void)run_until(&files, false, 0, NULL, 0);
    assert_int_equal(scree_scene_restart(files.checkpoint,
                                         &(struct scree_scene_def){.variables = wrong, .count = 1}, &scene),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "did you mean 'last'?"));
    scree_scene_free(scene);
    remove_files(&files);
}

// A long title in a checkpoint is truncated at the end of a character.
static void a_long_title_is_truncated_between_characters(void **state)
{
    (void)state;
    for (size_t start = 90; start <= 100; ++start) {
        struct scree_checkpoint_facts facts;
        struct scree_scene *scene;
        char path[96], long_title[200] = "", scene_text[400];
        snprintf(path, sizeof path, "title-%ld.yaml", (long)getpid());
        memset(long_title, 'a', start);
        // characters of two, three and four bytes
        strcat(long_title, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80zzzzzzzzzz");
        const int length = snprintf(scene_text, sizeof scene_text,
                                    "scree: 1\ntitle: %s\nengine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n"
                                    "record: [{checkpoint: title.chk, every: 1 steps}]\n",
                                    long_title);
        assert_int_equal(scree_scene_read(path, scene_text, (size_t)length, NULL, &scene), SCREE_OK);
        assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.force = true}, NULL), SCREE_OK);
        scree_scene_free(scene);
        assert_int_equal(scree_checkpoint_info("title.chk", &facts), SCREE_OK);
        static const size_t ends[] = {0, 2, 5, 9};
        size_t expected = start < 91 ? 100 : start;
        for (size_t e = 0; e < 4 && start >= 91; ++e)
            expected = start + ends[e] <= 100 ? start + ends[e] : expected;
        assert_int_equal(strlen(facts.title), expected);
        assert_memory_equal(facts.title, long_title, expected);
    }
    unlink("title.chk");
    unlink("title.chk.previous");
}

static void write_scene(const struct files *files, const char *scene_text)
{
    FILE *file = fopen(files->scene, "w");
    assert_true(file && fputs(scene_text, file) >= 0 && fclose(file) == 0);
}

// More characters than one line of a checkpoint may have.
static void a_scene_of_more_than_a_million_characters_can_be_restarted(void **state)
{
    (void)state;
    static char scene_text[2000000];
    size_t length =
        (size_t)snprintf(scene_text, sizeof scene_text,
                         "scree: 1\nmaterials: {a: {density: 1000}}\nengine: {soft: {step: 1 us}}\n"
                         "run: [{steps: 4}, {steps: 6}]\n"
                         "record: [{checkpoint: kept/state.chk, every: 1000 steps}]\nbodies:\n");
    for (int k = 0; k < 2200; ++k)
        length += (size_t)snprintf(scene_text + length, sizeof scene_text - length,
                                   "- sphere: {radius: 1 mm, at: [%.55f, %.55f, %.55f], material: a,\n"
                                   "    velocity: [%.55f, %.55f, %.55f], spin: [%.55f, %.55f, %.55f]}\n",
                                   0.1 * k, -0.3 * k, 0.2, 1.0, 0.1, 0.3, 1.1, 1.2, 1.3);
    assert_true(length > 1000000 && length < sizeof scene_text);
    struct files files;
    make_files(&files);
    write_scene(&files, scene_text);
    const struct scree_digest expected = run_until(&files, false, 0, NULL, 0);
    remove_files(&files);
    make_files(&files);
    write_scene(&files, scene_text);
    (void)run_until(&files, false, 5, NULL, 0);
    assert_equal_digests(expected, run_until(&files, true, 0, NULL, 0));
    remove_files(&files);
}

static void count_warning(void *user, const char *message)
{
    *(int *)user += strstr(message, "this run could not be restarted from a checkpoint") != NULL;
}

// The scene has the list of changes once; a checkpoint would repeat it in each stage that uses it.
static void a_scene_that_is_too_long_for_a_checkpoint_is_reported_before_the_run(void **state)
{
    (void)state;
    static char scene_text[100000];
    size_t length =
        (size_t)snprintf(scene_text, sizeof scene_text,
                         "scree: 1\nmaterials: {a: {density: 1000}}\nengine: {soft: {step: 1 us}}\n"
                         "bodies: [{sphere: {radius: 1 cm, at: [0, 0, 0], material: a}, group: g}]\nrun:\n- "
                         "steps: 2\n  bodies: &b\n");
    for (int k = 0; k < 1000; ++k)
        length += (size_t)snprintf(scene_text + length, sizeof scene_text - length,
                                   "  - {group: g, velocity: [0, 0, 0]}\n");
    for (int k = 0; k < 150; ++k)
        length +=
            (size_t)snprintf(scene_text + length, sizeof scene_text - length, "- {steps: 1, bodies: *b}\n");
    struct files files;
    make_files(&files);
    for (int has_checkpoint = 0; has_checkpoint < 2; ++has_checkpoint) {
        struct scree_scene *scene;
        int warnings = 0;
        const struct scree_run_def def = {.until = 1e-6, .warn = count_warning, .user = &warnings};
        if (has_checkpoint)
            snprintf(scene_text + length, sizeof scene_text - length,
                     "record: [{checkpoint: kept/state.chk, every: 1 steps}]\n");
        assert_int_equal(scree_scene_read(files.scene, scene_text, strlen(scene_text), NULL, &scene),
                         SCREE_OK);
        assert_int_equal(scree_scene_run(scene, &def, NULL), has_checkpoint ? SCREE_ERROR_LIMIT : SCREE_OK);
        assert_int_equal(warnings, 1 - has_checkpoint);
        assert_true(!has_checkpoint || strstr(scree_status_message(), "a scene has too many values"));
        scree_scene_free(scene);
    }
    remove_files(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_restarted_in_each_stage_end_like_an_uninterrupted_run),
        cmocka_unit_test(changed_settings_apply_from_the_restart_on),
        cmocka_unit_test(a_finished_run_can_be_continued_to_a_later_end),
        cmocka_unit_test(a_run_with_nothing_to_do_reports_it_and_can_still_be_continued),
        cmocka_unit_test(a_requested_end_overrides_variables_with_a_warning),
        cmocka_unit_test(every_instant_of_a_table_has_one_row_also_after_restarts),
        cmocka_unit_test(results_are_found_from_any_path_to_the_checkpoint),
        cmocka_unit_test(results_of_another_run_are_not_truncated),
        cmocka_unit_test(a_restarted_run_continues_to_the_requested_end),
        cmocka_unit_test(a_misspelt_variable_is_reported_with_the_right_name),
        cmocka_unit_test(a_long_title_is_truncated_between_characters),
        cmocka_unit_test(a_scene_of_more_than_a_million_characters_can_be_restarted),
        cmocka_unit_test(a_scene_that_is_too_long_for_a_checkpoint_is_reported_before_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
