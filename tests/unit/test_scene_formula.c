// Formulas of columns: names, units, rings and other mistakes, conditions that end stages, restarts; and mean
// flows through a surface, which formulas compare with counts.

#include "support/folder.h"
#include "support/table.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A body in free fall from z = 1 m, and one that rises.
#define FALL                                                                                                 \
    "scree: 1\n"                                                                                             \
    "variables: {factor: 3, depth: 2 m}\n"                                                                   \
    "gravity: [0, 0, -10]\n"                                                                                 \
    "materials: {glass: {density: 1000}}\n"                                                                  \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "world: {box: [[-1, -1, -1], [1, 1, 1]], outside: ignore}\n"                                             \
    "bodies:\n"                                                                                              \
    "  - {sphere: {radius: 1 cm, at: [0, 0, 1], material: glass}, group: low}\n"                             \
    "  - {sphere: {radius: 1 cm, at: [0, 0, 2], material: glass, velocity: [1, 0, 4]}, group: high}\n"       \
    "engine: {soft: {step: 1 ms}}\n"

// A row of twenty bodies, 5 cm apart, that fly through a surface at 1 m/s.
#define ROW                                                                                                  \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 1000}}\n"                                                                  \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "bodies: [fill: {shape: {sphere: {radius: 2.5 cm}}, arrange: cubic, material: glass, velocity: [1, 0, "  \
    "0], inside: {box: [[-1, 0, 0], [0, 0.05, 0.05]]}}]\n"                                                   \
    "engine: {soft: {step: 0.1 ms}}\n"
#define THROUGH "through: {disk: {centre: [0, 0, 0], normal: [1, 0, 0], radius: 0.5}}"

enum { ROWS = 400, COLUMNS = 12 };

static struct scree_folder folder;

static int begin(void **state)
{
    (void)state;
    folder = scree_folder_make("scene-formula");
    return 0;
}

static int end(void **state)
{
    (void)state;
    scree_folder_end(&folder, "out.csv more.csv c.chk c.chk.previous");
    return 0;
}

static struct scree_world *run(const char *text)
{
    const struct scree_run_def def = {.force = true, .folder = folder.path};
    return scree_trial_run_text(text, &def);
}

static size_t read_table(char *head, size_t size, double (*row)[COLUMNS])
{
    return scree_table_read_numbers(scree_folder_path(&folder, "out.csv"), head, size, row[0], COLUMNS, ROWS);
}

static void formulas_use_titles_and_quantities(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char head[400];
    scree_world_destroy(run(
        FALL "run: {until: 0.5 s}\n"
             "record: [{table: out.csv, every: 0.1 s, columns: [time, {measure: position-z, of: high, as: "
             "z-high}, {measure: position-z, of: low, as: z}, {formula: z-high-z, as: gap}, {formula: "
             "\"2 * energy / time\", as: power}, {formula: \"rotation * 2\", as: "
             "energy}, {formula: \"max(z, ${depth}) * ${factor}-1 m\", as: top}, {formula: \"(gap - 1 m) / "
             "time\", as: speed-up}, {formula: \"speed-up-1 m/s\", as: less}, {formula: \"kinetic / "
             "kinetic\", as: share}, {formula: \"sqrt(2 * kinetic / mass) * pi\", as: root}]}]\n"));
    const size_t rows = read_table(head, sizeof head, row);
    assert_string_equal(head, "time [s],z-high [m],z [m],gap [m],power [W],energy [J],top [m],speed-up [m/s],"
                              "less [m/s],share,root [m/s]\n");
    assert_int_equal(rows, 6);
    for (size_t r = 0; r < rows; ++r) {
        const double t = row[r][0], high = 2 + 4 * t - 5 * t * t, low = 1 - 5 * t * t;
        assert_true(fabs(row[r][1] - high) < 1e-12 && fabs(row[r][2] - low) < 1e-12);
        assert_true(row[r][3] == row[r][1] - row[r][2] && row[r][5] == 0);
        assert_true(row[r][6] == 3 * (row[r][2] > 2 ? row[r][2] : 2) - 1);
        // at the start both are 0 / 0
        assert_true(r > 0 ? row[r][4] == 0 && fabs(row[r][7] - 4) < 1e-11 : isnan(row[r][4]));
        assert_true(r == 0 || row[r][8] == row[r][7] - 1);
        const double squares = (1 + (4 - 10 * t) * (4 - 10 * t) + 100 * t * t) / 2;
        assert_true(row[r][9] == 1 && fabs(row[r][10] - 3.14159265358979323846 * sqrt(squares)) < 1e-11);
    }
}

static void a_name_is_as_long_as_possible(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char head[400];
    scree_world_destroy(
        run(FALL "run: {steps: 1}\n"
                 "record: [{table: out.csv, every: 1 s, columns: [{formula: \"7\", as: a}, {formula: \"2\", "
                 "as: b}, {formula: \"100\", as: a-b}, {formula: a-b, as: one}, {formula: a -b, as: two}, "
                 "{formula: b-a, as: three}, {formula: stress-xx-1 Pa, as: four}, {formula: a-b-1, as: "
                 "five}, {formula: bodies-2*a, as: six}]}]\n"));
    assert_int_equal(read_table(head, sizeof head, row), 1);
    assert_true(row[0][3] == 100 && row[0][4] == 5 && row[0][5] == -5 && row[0][6] == -1);
    assert_true(row[0][7] == 99 && row[0][8] == -12);
    assert_non_null(strstr(head, "four [Pa],five,six\n"));
}

static void stages_end_by_formulas_and_titles(void **state)
{
    (void)state;
    // v = g t is 3 m/s after 300 steps; conditions are evaluated every 64 steps
    static const struct {
        const char *stop;
        uint64_t steps;
    } conditions[] = {{"speed > 2.999 m/s", 320},
                      {"speed-1 m/s > 1.999 m/s", 320},
                      {"{formula: 2 * speed, above: 5998 mm/s}", 320},
                      {"-speed < -2.999 m/s", 320},
                      {"1-share < 0.01", 320},
                      {"kinetic / gravity - 1 < 0", 64},
                      {"0.3 s - time < 0", 320}};
    for (size_t k = 0; k < sizeof conditions / sizeof conditions[0]; ++k) {
        char text[2000];
        snprintf(text, sizeof text,
                 FALL "run: {until: 9 s, stop: %s}\n"
                      "record: [{table: out.csv, every: 1 s, columns: [{measure: velocity-z, of: low, as: "
                      "down}, {formula: -down, as: speed}, {formula: speed / 3.02 m/s, as: share}]}]\n",
                 conditions[k].stop);
        struct scree_world *world = run(text);
        assert_int_equal(scree_world_steps(world), conditions[k].steps);
        scree_world_destroy(world);
    }
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *columns, *message;
    } refused[] = {
        {"{formula: b + 1, as: a}, {formula: 2 * c, as: b}, {formula: a, as: c}",
         "formulas must not use each other in a ring: a -> b -> c -> a"},
        {"{formula: a, as: a}", "in a ring: a -> a"},
        {"{formula: kinetik * 2, as: a}", "there is no column 'kinetik': did you mean 'kinetic'?"},
        {"{formula: time + kinetic, as: a}", "the units do not match"},
        {"{formula: time^bodies, as: a}", "a quantity with a unit takes only whole powers"},
        {"{formula: 2 * t, as: a}", "there is no column 't': the time is the column 'time'"},
        {"{formula: a, as: b}]}, {table: more.csv, every: 1 s, columns: [{formula: bodies, as: a}",
         "'a' is a column of another table: add it to this one to use it here"},
        {"{formula: 2 * flux, as: a}", "'flux' needs a surface: make it a column of the table"},
        {"{formula: time}", "'as'"},
        {"{formula: time, as: a, of: low}", "'of'"},
        {"{formula: time, measure: time, as: a}", "'measure'"},
        {"{as: a}", "measure"},
        {"time, {formula: bodies, as: time}", "there are two columns 'time'"},
        {"{formula: time +, as: a}", "expected here"},
        {"[time]", "a column must be a name, as in `time`, or a map"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; ++k)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, refused[k].message,
                                        FALL "run: {steps: 1}\nrecord: [{table: out.csv, every: 1 s, "
                                             "columns: [%s]}]\n",
                                        refused[k].columns);
    static const struct {
        const char *stop, *message;
    } wrong[] = {
        {"lower > 1", "there is no column 'lower'"},
        {"twice * lower > 1", "there is no column 'lower'"},
        {"twice > 1 kg", "s"},
        {"{formula: both, below: 1}", "several tables have different columns with the title 'both'"},
        {"{formula: twice}", "above"},
        {"'> 1'", "'stop' must be a comparison"},
        {"twice >= 1 s", "'stop' must be a comparison"},
        {"1 s < twice", "'stop' must be a comparison"},
        {"twice < time", "'stop' must be a comparison"},
        {"[twice < 1 s]", "'stop' must be a comparison"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k)
        scree_trial_assert_text_refused(
            SCREE_TRIAL_BUILD, wrong[k].message,
            FALL
            "run: {steps: 1, stop: %s}\n"
            "record: [{table: out.csv, every: 1 s, columns: [{formula: 2 * time, as: twice}, {measure: "
            "time, as: both}]}, {table: more.csv, every: 1 s, columns: [{measure: bodies, as: both}]}]\n",
            wrong[k].stop);
}

static void a_printed_scene_with_formulas_prints_the_same_text(void **state)
{
    (void)state;
    char *once, *twice;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE,
        ROW "run: {until: 1 s, stop: {formula: a * 2, below: 3 m}}\n"
            "record: [{table: out.csv, every: 1 s, columns: [{measure: flow, " THROUGH ", over: 64 steps}, "
            "{formula: position-x + 1 m, as: a}, {measure: displacement-x, since: stage}]}]\n");
    scree_trial_assert_ok(&trial);
    assert_ok(scree_trial_print(&trial, &once));
    scree_trial_free(&trial);
    trial = scree_trial_read(SCREE_TRIAL_SCENE, once);
    scree_trial_assert_ok(&trial);
    assert_ok(scree_trial_print(&trial, &twice));
    scree_trial_free(&trial);
    assert_string_equal(once, twice);
    assert_non_null(strstr(once, "position-x + 1 m"));
    assert_non_null(strstr(once, "a * 2"));
    free(once);
    free(twice);
}

// --- flows

static void a_mean_flow_is_the_difference_of_counts_over_its_window(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char head[600];
    scree_world_destroy(
        run(ROW "run: {until: 1.2 s}\n"
                "record: [{table: out.csv, every: 64 steps, columns: [time, {measure: flux, " THROUGH
                "}, {measure: flux-bodies, " THROUGH "}, {measure: flow, " THROUGH
                ", over: 640 steps}, {measure: flow-bodies, " THROUGH
                ", over: 64 ms, as: n}, {measure: flow, " THROUGH
                ", as: last}, {measure: flow-bodies, " THROUGH ", over: 0.8 s, as: long}]}]\n"));
    const size_t rows = read_table(head, sizeof head, row);
    assert_non_null(strstr(head, "flow [kg/s],n [1/s],last [kg/s],long [1/s]\n"));
    assert_true(rows > 180);
    bool any = false;
    // the last row is at the end of the run, between two counts
    for (size_t r = 1; r + 1 < rows; ++r) {
        const size_t before = r < 10 ? 0 : r - 10;
        const double time = row[r][0] - row[before][0];
        assert_true(fabs(row[r][3] * time - (row[r][1] - row[before][1])) < 1e-12);
        assert_true(fabs(row[r][4] * time - (row[r][2] - row[before][2])) < 1e-9);
        assert_true(fabs(row[r][5] * 6.4e-3 - (row[r][1] - row[r - 1][1])) < 1e-12);
        any = any || row[r][3] > 0;
    }
    assert_true(any);
    // at 0.96 s (row 150): the counts in a window of 0.8 s are up to 1/60 of it apart, so the mean is over
    // 0.8 s to 0.8134 s plus 64 steps; of 20 bodies per second, 16 or 17 pass in this time
    assert_true(row[150][6] > 15 / 0.8 && row[150][6] < 17 / 0.8);
}

static void flows_do_not_depend_on_records_and_restarts(void **state)
{
    (void)state;
    const char *text = ROW "run: [{steps: 3000}, {steps: 9000, stop: {measure: flow, " THROUGH
                           ", over: 0.1 s, below: 1e-9}}]\n"
                           "record: [{table: out.csv, every: 100 steps, columns: [{measure: flow, " THROUGH
                           ", over: 0.1 s}, {measure: flow-bodies, " THROUGH
                           "}, {formula: flow * time, as: sum}]}, {checkpoint: c.chk, every: 4000 steps}]\n";
    struct scree_world *world = run(text);
    char *uninterrupted = scree_folder_read(&folder, "out.csv", NULL);
    const struct scree_digest digest = scree_test_digest(world);
    // the last body passes after 0.975 s, 9750 steps. The flow is 0 one window of 1000 steps later, or up to
    // 1/60 of it and some updates of 64 steps more
    const uint64_t steps = scree_world_steps(world);
    assert_true(steps >= 9750 + 1000 - 64 && steps <= 9750 + 1000 + 17 + 3 * 64);
    scree_world_destroy(world);
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

static void a_condition_on_a_flow_needs_a_window(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_READ, "a condition on a mean over time needs its window, as in `over: 0.1 s`",
        ROW "run: {steps: 1, stop: {measure: flow, " THROUGH ", below: 1}}\n%s", "");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_READ, "column 'flux' does not take 'over'",
        ROW "run: {steps: 1, stop: {measure: flux, over: 1 s, " THROUGH ", below: 1}}\n%s", "");
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    static const char text[] =
        FALL "run: {steps: 64, stop: twice > 1 s}\n"
             "record: [{table: out.csv, every: 1 s, columns: [{formula: 2 * time, as: twice}, {measure: "
             "displacement-z, of: low}, {measure: flow, " THROUGH "}]}]\n";
    scree_trial_starve(SCREE_TRIAL_RUN, text, &(struct scree_run_def){.force = true, .folder = folder.path});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_use_titles_and_quantities),
        cmocka_unit_test(a_name_is_as_long_as_possible),
        cmocka_unit_test(stages_end_by_formulas_and_titles),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(a_printed_scene_with_formulas_prints_the_same_text),
        cmocka_unit_test(a_mean_flow_is_the_difference_of_counts_over_its_window),
        cmocka_unit_test(flows_do_not_depend_on_records_and_restarts),
        cmocka_unit_test(a_condition_on_a_flow_needs_a_window),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
