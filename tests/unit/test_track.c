// Tracks: a row for each body of a group at each instant, by ascending id, of the quantities that were asked
// for.

#include "base/memory.h"

#include <scree/scene.h>
#include <scree/scree.h>

#include <math.h>
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

// The second and third body are in the group; the latter is turned by a quarter about z.
#define BODIES                                                                                               \
    "scree: 1\n"                                                                                             \
    "engine: {soft: {step: 1 ms}}\n"                                                                         \
    "run: {until: 10 ms}\n"                                                                                  \
    "bodies:\n"                                                                                              \
    "  - rigid: {mass: 1, inertia: [1, 1, 1], at: [7, 7, 7]}\n"                                              \
    "  - {group: pair, rigid: {mass: 2, inertia: [1, 1, 1], at: [1, 2, 3], velocity: [0.5, 0, -2]}}\n"       \
    "  - {group: pair, rigid: {mass: 4, inertia: [2, 2, 2], at: [0, 0, 0], spin: [3, 0, 0],\n"               \
    "                          orientation: {angle: 90 deg}}}\n"

#define RECORD(what) "record: [{track: kept/track.csv, every: 5 ms, group: pair" what "}]\n"

// A scene in a folder of its own, which is gone afterwards.
struct place {
    char folder[64], scene[96], track[96];
    struct scree_scene *read;
};

static scree_status run(struct place *place, const char *text)
{
    memset(place, 0, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "track-%ld", (long)getpid());
    mkdir(place->folder, 0777);
    snprintf(place->scene, sizeof place->scene, "%s/scene.yaml", place->folder);
    snprintf(place->track, sizeof place->track, "%s/kept/track.csv", place->folder);
    FILE *file = fopen(place->scene, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    const scree_status status = scree_scene_load(place->scene, NULL, &place->read);
    return status == SCREE_OK ? scree_scene_run(place->read, &(struct scree_run_def){.threads = 1}, NULL)
                              : status;
}

static void end(struct place *place)
{
    char kept[96];
    snprintf(kept, sizeof kept, "%s/kept", place->folder);
    scree_scene_free(place->read);
    unlink(place->track);
    rmdir(kept);
    unlink(place->scene);
    assert_int_equal(rmdir(place->folder), 0);
}

// Reads the numbers of a row; how many.
static size_t read_row(FILE *file, double *number, size_t most)
{
    char line[1024];
    if (!fgets(line, sizeof line, file))
        return 0;
    size_t count = 0;
    for (char *at = line; count < most; ++count) {
        char *after;
        number[count] = strtod(at, &after);
        if (after == at)
            break;
        at = after + (*after == ',');
    }
    return count;
}

static void every_body_of_the_group_has_a_row(void **state)
{
    (void)state;
    struct place place;
    char header[512];
    double row[16];
    if (run(&place, BODIES RECORD("")) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    FILE *file = fopen(place.track, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    assert_string_equal(header, "time [s],body,x [m],y [m],z [m],velocity-x [m/s],velocity-y [m/s],"
                                "velocity-z [m/s],spin-x [rad/s],spin-y [rad/s],spin-z [rad/s]\n");
    for (int instant = 0; instant < 3; ++instant)
        for (int body = 2; body < 4; ++body) {
            assert_int_equal(read_row(file, row, 16), 11);
            // a step adds its own way, with a rounding of a number of at most 3
            const double time = 0.005 * instant, round_off = 10 * 3 * 2.3e-16;
            assert_true(fabs(row[0] - time) <= round_off && row[1] == body);
            assert_true(fabs(row[2] - (body == 2 ? 1 + 0.5 * time : 0)) <= round_off);
            assert_true(fabs(row[4] - (body == 2 ? 3 - 2 * time : 0)) <= round_off);
            assert_true(row[7] == (body == 2 ? -2 : 0) && fabs(row[8] - (body == 2 ? 0 : 3)) <= round_off);
        }
    assert_int_equal(read_row(file, row, 16), 0);
    fclose(file);
    end(&place);
}

static void what_is_kept_can_be_chosen(void **state)
{
    (void)state;
    struct place place;
    char header[512];
    double row[16];
    if (run(&place, BODIES RECORD(", motion: [own-spin, momentum, orientation]")) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    FILE *file = fopen(place.track, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    assert_non_null(strstr(header, "time [s],body,own-spin-1 [rad/s],"));
    assert_non_null(strstr(header, ",angular-z [kg m^2/s],q0,q1,q2,q3\n"));
    assert_int_equal(read_row(file, row, 16), 12);
    assert_int_equal(read_row(file, row, 16), 12);
    fclose(file);
    // a spin along the world's x lies against the body's y; a dozen roundings
    assert_true(fabs(row[2]) < 1e-14 && fabs(row[3] + 3) < 1e-14 && fabs(row[5] - 6) < 1e-14);
    assert_true(fabs(row[8] - sqrt(0.5)) < 1e-15 && fabs(row[11] - sqrt(0.5)) < 1e-15);
    end(&place);
}

// Reads a file whole into a text; how long it is.
static size_t read_file(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, room, file);
    fclose(file);
    assert_true(length > 0 && length < room);
    return length;
}

static void a_track_goes_on_from_a_checkpoint_as_if_nothing_had_been(void **state)
{
    (void)state;
    static char whole[1 << 14], cut[1 << 14];
    struct place place;
    struct scree_scene *scene;
    char checkpoint[96], before[128];
    const char *text = BODIES "  - {group: pair, rigid: {mass: 1, inertia: [1, 2, 3], at: [9, 0, 0]},\n"
                              "     load: {force: [0, 1, 0], moment: [1, 0, 0.5]}}\n"
                              "record:\n"
                              "  - {track: kept/track.csv, every: 1 ms, group: pair}\n"
                              "  - {checkpoint: kept/run.chk, every: 4 ms}\n";
    if (run(&place, text) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    snprintf(checkpoint, sizeof checkpoint, "%s/kept/run.chk", place.folder);
    snprintf(before, sizeof before, "%s.previous", checkpoint);
    const size_t length = read_file(place.track, whole, sizeof whole);
    // the one before was written at 8 ms, so two rows of each body are cut off and come again
    if (scree_scene_restart(before, NULL, &scene) != SCREE_OK ||
        scree_scene_run(scene, &(struct scree_run_def){.threads = 2}, NULL) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    scree_scene_free(scene);
    assert_int_equal(read_file(place.track, cut, sizeof cut), length);
    assert_memory_equal(cut, whole, length);
    unlink(checkpoint);
    unlink(before);
    end(&place);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {BODIES "record: [{track: a.csv, every: 1}]\n", "'track' goes with 'group', which is not here"},
        {BODIES "record: [{track: a.csv, every: 1, group: pear}]\n", "pair"},
        {BODIES "record: [{track: a.csv, every: 1, group: pair, columns: [time]}]\n",
         "scene.yaml:9:48: 'columns' goes with 'table'"},
        {BODIES "record: [{table: a.csv, every: 1, group: pair}]\n",
         "'group' goes with 'track', which is not here"},
        {BODIES "record: [{table: a.csv, every: 1}, {track: a.csv, every: 1, group: pair}]\n",
         "'a.csv' is there already, as another record"},
        {BODIES RECORD(", motion: [spin, orientatoin]"), "did you mean 'orientation'?"},
        {BODIES RECORD(", motion: [spin, spin]"), "'spin' stands here twice"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct place place;
        const scree_status status = run(&place, rows[r][0]);
        const char *said = place.read ? scree_scene_mistakes(place.read) : NULL;
        if (status != SCREE_ERROR_ARGUMENT || !said || !strstr(said, rows[r][1]))
            fail_msg("'%s': %s", rows[r][0], said ? said : "no mistake");
        end(&place);
    }
}

static void no_failed_allocation_loses_anything(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    for (uint64_t nth = 1;; ++nth) {
        struct place place;
        scree_memory_fail_at(nth);
        const scree_status status = run(&place, BODIES RECORD(", motion: [position]"));
        scree_memory_fail_at(0);
        end(&place);
        if (scree_memory_live() != live)
            fail_msg("allocation %llu leaks", (unsigned long long)nth);
        if (status == SCREE_OK)
            break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_true(nth < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_of_the_group_has_a_row),
        cmocka_unit_test(what_is_kept_can_be_chosen),
        cmocka_unit_test(a_track_goes_on_from_a_checkpoint_as_if_nothing_had_been),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(no_failed_allocation_loses_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
