// Tracks (run/track.c): one row per body of a group at each instant, by ascending id, with the requested
// quantities. References: uniform motion in closed form, and an uninterrupted run.

#include "support/folder.h"
#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The second and third body are in the group; the third is rotated by a quarter turn about z.
#define BODIES                                                                                               \
    "scree: 1\n"                                                                                             \
    "engine: {soft: {step: 1 ms}}\n"                                                                         \
    "run: {until: 10 ms}\n"                                                                                  \
    "bodies:\n"                                                                                              \
    "  - rigid: {mass: 1, inertia: [1, 1, 1], at: [7, 7, 7]}\n"                                              \
    "  - {group: pair, rigid: {mass: 2, inertia: [1, 1, 1], at: [1, 2, 3], velocity: [0.5, 0, -2]}}\n"       \
    "  - {group: pair, rigid: {mass: 4, inertia: [2, 2, 2], at: [0, 0, 0], spin: [3, 0, 0],\n"               \
    "                          orientation: {angle: 90 deg}}}\n"

#define RECORD(keys) "record: [{track: kept/track.csv, every: 5 ms, group: pair" keys "}]\n"

static struct scree_folder folder;

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("track");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "kept/track.csv kept/run.chk kept/run.chk.previous kept");
    return 0;
}

static void run(const char *text)
{
    scree_world_destroy(
        scree_trial_run_text(text, &(struct scree_run_def){.threads = 1, .folder = folder.path}));
}

// Runs the scene with a track, and reads its first line.
static FILE *open_track(const char *text, char *header, int capacity)
{
    run(text);
    FILE *file = fopen(scree_folder_path(&folder, "kept/track.csv"), "r");
    assert_non_null(file);
    assert_non_null(fgets(header, capacity, file));
    return file;
}

// Reads the numbers of a row; returns their count.
static size_t read_row(FILE *file, double *number, size_t capacity)
{
    char line[1024];
    if (!fgets(line, sizeof line, file))
        return 0;
    size_t count = 0;
    for (char *cursor = line; count < capacity; ++count) {
        char *end;
        number[count] = strtod(cursor, &end);
        if (end == cursor)
            break;
        cursor = end + (*end == ',');
    }
    return count;
}

static void every_body_of_the_group_has_a_row(void **state)
{
    (void)state;
    char header[512];
    double row[16];
    FILE *file = open_track(BODIES RECORD(""), header, sizeof header);
    assert_string_equal(header, "time [s],body,x [m],y [m],z [m],velocity-x [m/s],velocity-y [m/s],"
                                "velocity-z [m/s],spin-x [rad/s],spin-y [rad/s],spin-z [rad/s]\n");
    for (int instant = 0; instant < 3; ++instant)
        for (int body = 2; body < 4; ++body) {
            assert_int_equal(read_row(file, row, 16), 11);
            // each step adds a displacement, with a rounding of a number of at most 3
            const double time = 0.005 * instant, round_off = 10 * 3 * 2.3e-16;
            assert_true(fabs(row[0] - time) <= round_off && row[1] == body);
            assert_true(fabs(row[2] - (body == 2 ? 1 + 0.5 * time : 0)) <= round_off);
            assert_true(fabs(row[4] - (body == 2 ? 3 - 2 * time : 0)) <= round_off);
            assert_true(row[7] == (body == 2 ? -2 : 0) && fabs(row[8] - (body == 2 ? 0 : 3)) <= round_off);
        }
    assert_int_equal(read_row(file, row, 16), 0);
    fclose(file);
}

static void quantities_can_be_chosen(void **state)
{
    (void)state;
    char header[512];
    double row[16];
    FILE *file =
        open_track(BODIES RECORD(", motion: [own-spin, momentum, orientation]"), header, sizeof header);
    assert_non_null(strstr(header, "time [s],body,own-spin-1 [rad/s],"));
    assert_non_null(strstr(header, ",angular-z [kg m^2/s],q0,q1,q2,q3\n"));
    assert_int_equal(read_row(file, row, 16), 12);
    assert_int_equal(read_row(file, row, 16), 12);
    fclose(file);
    // a spin along world x is along -y of the body; about a dozen roundings
    assert_true(fabs(row[2]) < 1e-14 && fabs(row[3] + 3) < 1e-14 && fabs(row[5] - 6) < 1e-14);
    assert_true(fabs(row[8] - sqrt(0.5)) < 1e-15 && fabs(row[11] - sqrt(0.5)) < 1e-15);
}

static void a_restarted_track_equals_an_uninterrupted_one(void **state)
{
    (void)state;
    size_t length, restarted_length;
    const char *text = BODIES "  - {group: pair, rigid: {mass: 1, inertia: [1, 2, 3], at: [9, 0, 0]},\n"
                              "     load: {force: [0, 1, 0], moment: [1, 0, 0.5]}}\n"
                              "record:\n"
                              "  - {track: kept/track.csv, every: 1 ms, group: pair}\n"
                              "  - {checkpoint: kept/run.chk, every: 4 ms}\n";
    run(text);
    char *expected = scree_folder_read(&folder, "kept/track.csv", &length);
    // the previous checkpoint is of 8 ms, so two rows of each body are deleted and written again
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&folder, "kept/run.chk.previous"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *restarted = scree_folder_read(&folder, "kept/track.csv", &restarted_length);
    assert_true(length > 0 && restarted_length == length);
    assert_memory_equal(restarted, expected, length);
    free(expected);
    free(restarted);
}

static void mistakes_in_tracks_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {BODIES "record: [{track: a.csv, every: 1}]\n", "'track' requires 'group', which is missing"},
        {BODIES "record: [{track: a.csv, every: 1, group: pear}]\n", "pair"},
        {BODIES "record: [{track: a.csv, every: 1, group: pair, columns: [time]}]\n",
         "scene.yaml:9:48: 'columns' requires 'table'"},
        {BODIES "record: [{table: a.csv, every: 1, group: pair}]\n",
         "'group' requires at least one of track, distribution"},
        {BODIES "record: [{table: a.csv, every: 1}, {track: a.csv, every: 1, group: pair}]\n",
         "'a.csv' is written by another record too"},
        {BODIES RECORD(", motion: [spin, orientatoin]"), "did you mean 'orientation'?"},
        {BODIES RECORD(", motion: [spin, spin]"), "'spin' is given twice"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s", rows[r][0]);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    scree_trial_starve(SCREE_TRIAL_RUN, BODIES RECORD(", motion: [position]"),
                       &(struct scree_run_def){.threads = 1, .force = true, .folder = folder.path});
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(every_body_of_the_group_has_a_row),
        TEST(quantities_can_be_chosen),
        TEST(a_restarted_track_equals_an_uninterrupted_one),
        TEST(mistakes_in_tracks_are_reported),
        TEST(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
