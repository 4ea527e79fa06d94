// Times that are a whole number of steps (base/instant.h): the event happens at that step, and not one step
// later because a product of times was rounded. Expected steps are computed by hand.

#include "support/folder.h"
#include "support/trial.h"

#include <scree/scree.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {a: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"                                        \
    "contacts: [{between: [any, any], law: none}]\n"
#define BALL HEAD "bodies: [sphere: {radius: 1 cm, at: [0, 0, 0], material: a}]\n"

enum { ROWS = 400 };

// Reads rows of two integers, after the header, from the table of a run in `folder`.
static size_t read_rows(const struct scree_folder *folder, unsigned long row[ROWS][2])
{
    char *table = scree_folder_read(folder, "kept/t.csv", NULL), *cursor = strchr(table, '\n') + 1;
    size_t rows = 0;
    for (; *cursor && rows < ROWS; ++rows) {
        row[rows][0] = strtoul(cursor, &cursor, 10);
        row[rows][1] = strtoul(cursor + 1, &cursor, 10);
        cursor += *cursor == '\n';
    }
    assert_true(*cursor == 0);
    free(table);
    return rows;
}

// Runs a scene of a folder, or restarts it, until a time or (for 0) to its end; returns the number of steps.
static uint64_t run_until(const struct scree_folder *folder, bool restart, double until)
{
    const struct scree_run_def def = {.until = until};
    const char *path = scree_folder_path(folder, restart ? "kept/c.chk" : "scene.yaml");
    struct scree_trial trial = restart ? scree_trial_restart(path) : scree_trial_load(path);
    (void)scree_trial_run(&trial, &def);
    struct scree_world *world = scree_trial_take_world(&trial);
    const uint64_t steps = scree_world_steps(world);
    scree_world_destroy(world);
    return steps;
}

static void write_scene(const struct scree_folder *folder, const char *step, const char *lines)
{
    char text[2000];
    snprintf(text, sizeof text, "%sengine: {soft: {step: %s}}\n%s", BALL, step, lines);
    scree_folder_write(folder, "scene.yaml", text);
}

// 3 * 0.1 is more than 0.3, and 1000 * 100 us may be less than 0.1 s.
static void stages_and_rows_of_whole_steps_are_at_their_step(void **state)
{
    (void)state;
    static const char *const steps[][3] = {{"100 us", "0.1 s", "1000"}, {"1 us", "1 ms", "1000"},
                                           {"0.3 ms", "0.3 s", "1000"}, {"7 us", "2.1 ms", "300"},
                                           {"7e-6", "0.0021", "300"},   {"0.00011 s", "0.11 s", "1000"},
                                           {"20 us", "14 ms", "700"},   {"3e-5 s", "6.9 ms", "230"}};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; ++s) {
        struct scree_folder folder = scree_folder_make("instants");
        const unsigned long stage_steps = strtoul(steps[s][2], NULL, 10);
        unsigned long row[ROWS][2];
        char lines[500];
        snprintf(lines, sizeof lines,
                 "run: [{for: %s}, {for: %s}, {for: %s}, {for: %s}, {for: %s}]\n"
                 "record: [{table: kept/t.csv, every: %s, columns: [steps, bodies]}]\n",
                 steps[s][1], steps[s][1], steps[s][1], steps[s][1], steps[s][1], steps[s][1]);
        write_scene(&folder, steps[s][0], lines);
        assert_int_equal(run_until(&folder, false, 0), 5 * stage_steps);
        assert_int_equal(read_rows(&folder, row), 6);
        for (unsigned long r = 0; r < 6; ++r)
            assert_int_equal(row[r][0], r * stage_steps);
        scree_folder_drop(&folder);
    }
}

static void stages_and_rows_of_whole_steps_are_at_their_step_after_a_restart(void **state)
{
    (void)state;
    static const double ends[][4] = {{0.1, 0.2, 0.3, 0}, {0.05, 0.2, 0.3, 0}, {0.0999, 0.1001, 0.3, 0}};
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; ++e) {
        struct scree_folder folder = scree_folder_make("instants-restart");
        unsigned long row[ROWS][2];
        write_scene(&folder, "100 us",
                    "run: [{for: 0.1 s}, {for: 0.1 s}, {for: 0.1 s}]\n"
                    "record: [{table: kept/t.csv, every: 0.1 s, columns: [steps, bodies]},\n"
                    "  {checkpoint: kept/c.chk, every: 0.1 s}]\n");
        for (int k = 0; ends[e][k] > 0; ++k)
            assert_int_equal(run_until(&folder, k > 0, ends[e][k]), (uint64_t)(ends[e][k] * 1e4 + 0.5));
        assert_int_equal(read_rows(&folder, row), 4);
        for (unsigned long r = 0; r < 4; ++r)
            assert_int_equal(row[r][0], r * 1000);
        scree_folder_drop(&folder);
    }
}

// A body is inserted every 64 steps, and all are deleted from step 64 FROM to step 64 UNTIL.
enum { FROM = 15, UNTIL = 26 };

static void insertions_and_deletions_happen_at_their_step(void **state)
{
    (void)state;
    // for the first time step the time of step 64 FROM is rounded down; for the second that of step 64 UNTIL
    // is rounded up
    static const char *const rows[][3] = {{"1e-6", "15625 1/s", "e-6"}, {"1e-5", "1562.5 1/s", "e-5"}};
    for (size_t s = 0; s < 2; ++s) {
        struct scree_folder folder = scree_folder_make("instants-insert");
        unsigned long row[ROWS][2];
        char text[1500];
        snprintf(text, sizeof text,
                 HEAD "engine: {soft: {step: %s}}\n"
                      "insert: [{shape: {sphere: {radius: 0.1 mm}}, material: a, rate: {bodies: %s}, "
                      "inside: {box: [[0, 0, 0], [1, 1, 1]]}}]\n"
                      "remove: [{inside: {box: [[-1, -1, -1], [2, 2, 2]]}, from: %d%s, until: %d%s}]\n"
                      "run: {steps: 19200}\n"
                      "record: [{table: kept/t.csv, every: 64 steps, columns: [steps, bodies]}]\n",
                 rows[s][0], rows[s][1], 64 * FROM, rows[s][2], 64 * UNTIL, rows[s][2]);
        scree_folder_write(&folder, "scene.yaml", text);
        assert_int_equal(run_until(&folder, false, 0), 19200);
        assert_int_equal(read_rows(&folder, row), 301);
        for (unsigned long k = 0; k <= 300; ++k)
            if (row[k][0] != 64 * k || row[k][1] != (k < FROM ? k + 1 : k <= UNTIL ? 0 : k - UNTIL))
                fail_msg("at step %lu there are %lu bodies", row[k][0], row[k][1]);
        scree_folder_drop(&folder);
    }
}

static void a_time_equal_to_the_limit_does_not_end_a_stage(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 60; ++k) {
        char text[1000];
        snprintf(text, sizeof text,
                 BALL "engine: {soft: {step: 1e-5}}\nrun: {until: 1 s, stop: time > 0.%05u s}\n", 64 * k);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        assert_int_equal(scree_world_steps(world), 64 * (k + 1));
        scree_world_destroy(world);
    }
}

// 8 * 0.1 is less than 0.8.
static void a_stage_that_ends_at_its_start_up_to_rounding_is_reported(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_READ, "this stage begins at 0.8 s",
        BALL "engine: {soft: {step: 10 us}}\nrun: [{for: 0.1}, {for: 0.1}, {for: 0.1}, "
             "{for: 0.1}, {for: 0.1}, {for: 0.1}, {for: 0.1}, {for: 0.1}, {until: 0.8}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_and_rows_of_whole_steps_are_at_their_step),
        cmocka_unit_test(stages_and_rows_of_whole_steps_are_at_their_step_after_a_restart),
        cmocka_unit_test(insertions_and_deletions_happen_at_their_step),
        cmocka_unit_test(a_time_equal_to_the_limit_does_not_end_a_stage),
        cmocka_unit_test(a_stage_that_ends_at_its_start_up_to_rounding_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
