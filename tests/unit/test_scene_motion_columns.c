// Columns of positions, displacements and turns of bodies and walls, and of strains of samples between walls,
// against closed forms of prescribed motion; since the start of the run and of a stage, and after a restart.

#include "support/folder.h"
#include "support/table.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Two free bodies, of masses 1 : 8, in a periodic box: they pass its faces.
#define FREE                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 1000}}\n"                                                                  \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "world: {box: [[0, 0, 0], [1, 2, 3]], periodic: [x, y, z]}\n"                                            \
    "bodies:\n"                                                                                              \
    "  - {sphere: {radius: 1 cm, at: [0.5, 1, 1], material: glass, velocity: [2.5, 0, 0]}, group: pair}\n"   \
    "  - {sphere: {radius: 2 cm, at: [0.25, 0.5, 2], material: glass, velocity: [-7, 4, 0]}, group: pair}\n" \
    "engine: {soft: {step: 1 ms}}\n"

// A box of six walls whose lid moves down, and whose side moves by a function of time; a drum.
#define BOX                                                                                                  \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 1000, young: 1 MPa, poisson: 0.2}}\n"                                      \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "bodies: [sphere: {radius: 1 cm, at: [0.5, 0.5, 0.5], material: glass}]\n"                               \
    "walls:\n"                                                                                               \
    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: [box]}\n"                    \
    "  - {plane: {point: [9, 9, 2], normal: [0, 0, -1], material: glass}, group: [box, lid], velocity: [0, " \
    "0.3, -0.1]}\n"                                                                                          \
    "  - {rectangle: {corner: [0, 0, 0], edges: [[0, 0, 2], [0, 1, 0]], material: glass}, group: [box]}\n"   \
    "  - {rectangle: {corner: [4, 0, 0], edges: [[0, 1, 0], [0, 0, 2]], material: glass}, group: [box, "     \
    "side], velocity: [0.5 * cos(2 pi * t / (1 s)), 0, 0]}\n"                                                \
    "  - {box: {lower: [-9, 3, -9], upper: [9, 5, 9], material: glass, bodies: outside}, group: solid}\n"    \
    "  - {disk: {centre: [0, 7, 0], normal: [0, 1, 0], radius: 1, material: glass}, group: [box]}\n"         \
    "  - {disk: {centre: [0, 2, 0], normal: [0, -1, 0], radius: 1, material: glass}, group: [box]}\n"        \
    "  - {cylinder: {from: [0, 0, 0], to: [0, 1, 0], radius: 9, material: glass}, group: drum, spin: [0, "   \
    "90 rpm, 0], pivot: [1, 0, 0]}\n"                                                                        \
    "  - {cone: {from: [0, 0, 0], to: [0, 1, 0], radii: [8, 9], material: glass}, group: cone, spin: [0, "   \
    "3 * t^2 * 1 rad/s^3, 0]}\n"                                                                             \
    "engine: {soft: {step: 1 ms}}\n"

enum { ROWS = 100, COLUMNS = 16 };

static struct scree_folder folder;

static int begin(void **state)
{
    (void)state;
    folder = scree_folder_make("scene-motion-columns");
    return 0;
}

static int end(void **state)
{
    (void)state;
    scree_folder_end(&folder, "out.csv c.chk c.chk.previous");
    return 0;
}

static struct scree_world *run(const char *text, int threads)
{
    const struct scree_run_def def = {.force = true, .threads = threads, .folder = folder.path};
    return scree_trial_run_text(text, &def);
}

static size_t read_table(double (*row)[COLUMNS])
{
    char header[2000];
    return scree_table_read_numbers(scree_folder_path(&folder, "out.csv"), header, sizeof header, row[0],
                                    COLUMNS, ROWS);
}

// Positions grow by about 14 m in steps of 1 ms: each step rounds to 1e-15 m, 2000 steps to 2e-12 m at most.
static const double tolerance = 1e-11;

static void bodies_are_followed_across_periodic_faces(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    scree_world_destroy(run(
        FREE "run: [{until: 0.5 s}, {until: 2 s}]\n"
             "record: [{table: out.csv, every: 0.1 s, columns: [time, {measure: position-x, of: pair}, "
             "position-y, {measure: displacement-x, of: pair}, {measure: displacement-y, since: stage}]}]\n",
        1));
    const size_t rows = read_table(row);
    assert_int_equal(rows, 21);
    for (size_t r = 0; r < rows; ++r) {
        const double t = row[r][0], move = (2.5 - 8 * 7) / 9 * t, y = 8 * 4.0 / 9;
        assert_true(fabs(row[r][1] - ((0.5 + 8 * 0.25) / 9 + move)) < tolerance);
        assert_true(fabs(row[r][2] - ((1 + 8 * 0.5) / 9 + y * t)) < tolerance);
        assert_true(fabs(row[r][3] - move) < tolerance);
        // the row at the end of a stage belongs to it
        assert_true(fabs(row[r][4] - y * (t > 0.5 + 1e-9 ? t - 0.5 : t)) < tolerance);
    }
}

// Bodies fall from where they were inserted, each by g t^2 / 2.
static void a_displacement_begins_where_a_body_was_inserted(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    struct scree_world *world =
        run("scree: 1\ngravity: [0, 0, -10]\nmaterials: {glass: {density: 1000}}\n"
            "contacts: [{between: [any, any], law: none}]\n"
            "insert: [{shape: {sphere: {radius: 1 cm}}, material: glass, inside: {box: [[0, 0, 0], [1, 1, "
            "1]]}, rate: {bodies: 1e6}, count: 5, from: 9.6 s}]\n"
            "engine: {soft: {step: 10 ms}}\nrun: {until: 20.48 s}\n"
            "record: [{table: out.csv, every: 5.12 s, columns: [time, {measure: displacement-z}, bodies]}]\n",
            1);
    assert_int_equal(read_table(row), 5);
    // one body is due at once, the others 64 steps later; the scheme is exact for a constant acceleration
    for (size_t r = 0; r < 5; ++r) {
        const double t = row[r][0], one = t - 9.6, other = t - 10.24;
        assert_true(row[r][2] == (t > 10 ? 5 : 0));
        assert_true(fabs(row[r][1] + (t > 10 ? one * one + 4 * other * other : 0)) < 1e-9);
    }
    scree_world_destroy(world);
}

static void walls_have_displacements_turns_and_strains(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    scree_world_destroy(run(
        BOX "run: [{until: 0.8 s}, {until: 4 s}]\n"
            "record: [{table: out.csv, every: 0.1 s, columns: [time, {measure: wall-position-z, of: lid}, "
            "{measure: wall-displacement-z, of: lid, since: stage}, {measure: wall-displacement-y, of: "
            "lid}, {measure: extent-x, of: box}, {measure: extent-y, of: box}, {measure: strain-x, of: "
            "box}, {measure: strain-z, of: box}, {measure: log-strain-z, of: box}, {measure: "
            "strain-volume, of: box}, {measure: log-strain-volume, of: box}, {measure: wall-turn-y, of: "
            "drum}, {measure: wall-turn-y, of: drum, since: stage, as: turn}, {measure: wall-turn-y, of: "
            "cone, as: sine}, {measure: extent-y, of: solid, as: inner}, {measure: strain-z, of: box, "
            "since: stage, as: late}]}]\n",
        1));
    const double pi = 3.14159265358979323846;
    const size_t rows = read_table(row);
    assert_int_equal(rows, 41);
    for (size_t r = 0; r < rows; ++r) {
        const double t = row[r][0], stage_time = t > 0.8 + 1e-9 ? t - 0.8 : t, z = 2 - 0.1 * t;
        // a step of h s by the velocity in its middle has a relative error of (2 pi h)^2 / 24
        const double x = 4 + 0.5 / (2 * pi) * sin(2 * pi * t), start_height = stage_time == t ? 2 : 2 - 0.08;
        const double volume = x / 4 * (z / 2);
        assert_true(fabs(row[r][1] - z) < tolerance && fabs(row[r][2] + 0.1 * stage_time) < tolerance);
        assert_true(fabs(row[r][3] - 0.3 * t) < tolerance && fabs(row[r][4] - x) < 2e-7);
        assert_true(row[r][5] == 5 && fabs(row[r][6] - (x - 4) / 4) < 5e-8);
        assert_true(fabs(row[r][7] + 0.05 * t) < tolerance && fabs(row[r][8] - log(z / 2)) < tolerance);
        assert_true(fabs(row[r][9] - (volume - 1)) < 5e-8 && fabs(row[r][10] - log(volume)) < 1e-7);
        assert_true(fabs(row[r][11] - 3 * pi * t) < tolerance &&
                    fabs(row[r][12] - 3 * pi * stage_time) < tolerance);
        // the sum of 3 (middle)^2 h is t^3 - t h^2 / 4
        assert_true(fabs(row[r][13] - (t * t * t - 0.25e-6 * t)) < tolerance);
        assert_true(row[r][14] == 2 && fabs(row[r][15] - (z - start_height) / start_height) < tolerance);
    }
}

static void a_restarted_run_measures_from_the_same_start(void **state)
{
    (void)state;
    static const char *const texts[] = {
        FREE "run: [{steps: 700}, {steps: 500}]\n"
             "record: [{table: out.csv, every: 50 steps, columns: [position-x, displacement-x, {measure: "
             "displacement-y, since: stage}]}, {checkpoint: c.chk, every: 400 steps}]\n",
        BOX
        "run: [{steps: 700}, {steps: 500, walls: [{group: lid, remove: true}]}]\n"
        "record: [{table: out.csv, every: 50 steps, columns: [{measure: strain-z, of: box}, {measure: "
        "strain-x, of: box, since: stage}, {measure: wall-turn-y, of: cone}]}, {checkpoint: c.chk, every: "
        "400 steps}]\n"};
    for (size_t k = 0; k < 2; ++k) {
        struct scree_world *world = run(texts[k], 1);
        char *uninterrupted = scree_folder_read(&folder, "out.csv", NULL);
        const struct scree_digest digest = scree_test_digest(world);
        scree_world_destroy(world);
        // without the lid there is no height
        assert_true(k == 0 || strstr(uninterrupted, "nan"));
        struct scree_trial trial = scree_trial_restart(scree_folder_path(&folder, "c.chk.previous"));
        (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
        scree_trial_assert_ok(&trial);
        char *restarted = scree_folder_read(&folder, "out.csv", NULL);
        assert_string_equal(restarted, uninterrupted);
        assert_true(scree_test_digests_equal(scree_test_digest(trial.world), digest));
        scree_trial_free(&trial);
        free(uninterrupted);
        free(restarted);
    }
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *column, *message;
    } refused[] = {
        {"{measure: strain-z, of: side}", "needs two opposite faces normal to z among the walls of 'side'"},
        {"{measure: strain-volume, of: solid, since: yesterday}", "yesterday"},
        {"{measure: wall-position-z, of: box, since: stage}",
         "column 'wall-position-z' does not take 'since'"},
        {"wall-turn-y",
         "column 'wall-turn-y' needs a group of walls, as in `{measure: wall-turn-y, of: piston}`"},
        {"{measure: position-x, of: lid}", "'lid'"},
        {"{measure: log-strain-volume, of: lid}", "normal to each axis that is not periodic"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; ++k)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, refused[k].message,
                                        BOX "run: {steps: 1}\nrecord: [{table: out.csv, every: 1 steps, "
                                            "columns: [%s]}]\n",
                                        refused[k].column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_followed_across_periodic_faces),
        cmocka_unit_test(a_displacement_begins_where_a_body_was_inserted),
        cmocka_unit_test(walls_have_displacements_turns_and_strains),
        cmocka_unit_test(a_restarted_run_measures_from_the_same_start),
        cmocka_unit_test(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
