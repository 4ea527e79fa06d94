// Columns of tables in scenes (measure/column.c): names, parameters, headers, mistakes, comparisons, and
// counts of flux surfaces, which do not depend on records. References: weights, masses and crossing times in
// closed form.

#include "support/folder.h"
#include "support/table.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

// A stack of three balls, which settle on a floor.
#define STACK                                                                                                \
    "scree: 1\n"                                                                                             \
    "gravity: [0, 0, -10]\n"                                                                                 \
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                                     \
    "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, friction: 0, restitution: 0.2}]\n"    \
    "world: {box: [[-1, -1, -1], [1, 1, 1]], outside: ignore}\n"                                             \
    "bodies:\n"                                                                                              \
    "  - {sphere: {radius: 1 cm, at: [0, 0, 1 cm], material: glass}, group: low}\n"                          \
    "  - sphere: {radius: 1 cm, at: [0, 0, 3 cm], material: glass}\n"                                        \
    "  - sphere: {radius: 1 cm, at: [0, 0, 5 cm], material: glass}\n"                                        \
    "walls:\n"                                                                                               \
    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor}\n"                    \
    "  - {box: {lower: [-1, -1, -1], upper: [1, 1, 1], material: glass}, group: room}\n"                     \
    "engine: {soft: {step: 20 us}}\n"

// Balls that fly along z, through a disk or past it, some of them backward.
#define FLYING_BALLS                                                                                         \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 1000}}\n"                                                                  \
    "bodies:\n"                                                                                              \
    "  - sphere: {radius: 1 cm, at: [0, 0, 1], material: glass, velocity: [0, 0, -1]}\n"                     \
    "  - sphere: {radius: 2 cm, at: [0.1, 0, 0.5], material: glass, velocity: [0, 0, -1]}\n"                 \
    "  - sphere: {radius: 1 cm, at: [0, 0.1, -0.25], material: glass, velocity: [0, 0, 1]}\n"                \
    "  - sphere: {radius: 3 cm, at: [2, 0, 1], material: glass, velocity: [0, 0, -1]}\n"                     \
    "engine: {soft: {step: 1 ms}}\n"
#define THROUGH "through: {disk: {centre: [0, 0, 0], normal: [0, 0, -2], radius: 0.5}}"

enum { ROWS = 1600, COLUMNS = 10 };

static struct scree_folder folder;

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("scene-columns");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "out.csv c.chk c.chk.previous");
    return 0;
}

static int threads = 1;

// Runs a scene, whose table is out.csv.
static struct scree_world *run(const char *text, double interval)
{
    const struct scree_run_def def = {
        .force = true, .interval = interval, .threads = threads, .folder = folder.path};
    return scree_trial_run_text(text, &def);
}

static size_t read_table(char *header, size_t size, double (*row)[COLUMNS])
{
    return scree_table_read_numbers(scree_folder_path(&folder, "out.csv"), header, size, row[0], COLUMNS,
                                    ROWS);
}

static void a_stack_has_the_forces_and_stresses_of_its_weight(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char header[400];
    struct scree_world *world =
        run(STACK
            "run: {until: 2 s, stop: {measure: speed, percentile: 100, below: 1e-9}}\n"
            "record:\n"
            "  - table: out.csv\n"
            "    every: 1600 steps\n"
            "    columns:\n"
            "      - time\n"
            "      - {measure: force-z, of: floor}\n"
            "      - {measure: stress-zz, inside: {box: [[-0.1, -0.1, 2.5 cm], [0.1, 0.1, 2.6 cm]]}, "
            "as: middle}\n"
            "      - {measure: mass, inside: {sphere: {centre: [0, 0, 0], radius: 4 cm}}, as: low}\n"
            "      - {measure: mass}\n"
            "      - {measure: diameter, percentile: 50, by: mass, as: d50}\n"
            "      - unbalanced\n"
            "      - {measure: deviatoric-stress, inside: {box: [[-0.1, -0.1, 2.5 cm], [0.1, 0.1, 2.6 cm]]}, "
            "as: q}\n"
            "      - {measure: void-ratio, inside: {box: [[-2 cm, -2 cm, 0], [2 cm, 2 cm, 2 cm]]}}\n"
            "      - {measure: void-ratio, inside: {box: [[1, 1, 1], [2, 2, 2]]}, as: empty}\n",
            0);
    const size_t rows = read_table(header, sizeof header, row);
    assert_string_equal(header, "time [s],force-z [N],middle [Pa],low [kg],mass [kg],d50 [m],unbalanced,"
                                "q [Pa],void-ratio,empty\n");
    // the stop condition ended the run early, at a multiple of 64 steps, where conditions are evaluated
    assert_true(scree_world_time(world) < 1.9 && scree_world_steps(world) % 64 == 0 && rows > 2);
    const double ball = 2500 * 4.0 / 3 * 3.14159265358979323846 * 1e-6, *last = row[rows - 1];
    double force[3];
    scree_group_id floor;
    assert_int_equal(scree_group_find(world, "floor", &floor), SCREE_OK);
    assert_int_equal(scree_group_load(world, floor, NULL, force, NULL), SCREE_OK);
    // residual speeds of 1e-9 m/s times a frequency of about 500 1/s
    assert_true(fabs(force[2] + 30 * ball) < 1e-5 * 30 * ball);
    // at the last row the balls still move slightly
    assert_true(fabs(last[1] + 30 * ball) < 0.01 * 30 * ball && last[6] < 0.01);
    assert_true(fabs(last[2] + 20 * ball / 0.04) < 0.01 * 20 * ball / 0.04);
    assert_true(fabs(last[3] - 2 * ball) < 1e-12 * ball && fabs(last[4] - 3 * ball) < 1e-12 * ball);
    assert_true(last[5] == 0.02);
    // under a vertical load alone q is its magnitude; the box contains one ball of a box of 16 by 2 cm^3,
    // which overlaps by its share of the weight at most
    assert_true(fabs(last[7] + last[2]) < 1e-9 * last[7]);
    const double ball_volume = 4.0 / 3 * 3.14159265358979323846 * 1e-6;
    assert_true(fabs(last[8] - (32e-6 - ball_volume) / ball_volume) < 1e-3);
    assert_true(isinf(last[9]));
    scree_world_destroy(world);
}

// Balls in slight contact that hardly move: the energy input is their potential energy, and all other
// energies are almost zero. The balance is then a rounding error of the energy input, so the error must be
// relative to the energy input too, not only to kinetic and elastic energy.
static void the_energy_error_is_relative_to_the_energy_input_too(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char header[400];
    scree_world_destroy(
        run("scree: 1\n"
            "materials: {a: {density: 2500, young: 10 MPa, poisson: 0.3}}\n"
            "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.3}]\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies: [fill: {shape: {sphere: {radius: 2 mm}}, arrange: hexagonal, count: 500, material: a, "
            "velocity: [0, 4e-9, 0], inside: {box: [[0, 0, -17 mm], [3 cm, 3 cm, 5 cm]]}}]\n"
            "walls: [box: {lower: [0, 0, -17 mm], upper: [3 cm, 3 cm, 10 cm], bodies: inside, material: a}]\n"
            "run: {for: 2 ms}\n"
            "record: [{table: out.csv, every: 1 ms, columns: [time, energy-error, balance, translation, "
            "energy-input]}]\n",
            0));
    const size_t rows = read_table(header, sizeof header, row);
    assert_true(rows > 2 && row[0][0] == 0 && fabs(row[0][4]) > 1e-4);
    // the balance is not small compared with the kinetic energy, otherwise this would test nothing
    assert_true(row[0][3] > 0 && fabs(row[0][2]) > 0.1 * row[0][3]);
    assert_true(row[0][1] == 0);
    for (size_t r = 1; r < rows; ++r)
        assert_true(row[r][1] != 0 && fabs(row[r][1]) < 1e-3);
}

static void the_count_of_a_flux_surface_does_not_depend_on_records(void **state)
{
    (void)state;
    static const char *const records[3] = {"every: 10 ms, columns: [time, {measure: flux, " THROUGH
                                           "}, {measure: flux-bodies, " THROUGH ", as: net}]}]\n",
                                           "every: 1 ms, columns: [time, {measure: flux, " THROUGH
                                           "}, {measure: flux-bodies, " THROUGH ", as: net}]}]\n",
                                           "every: 7 steps, columns: [time, {measure: flux, " THROUGH
                                           "}, {measure: flux-bodies, " THROUGH ", as: net}]}]\n"};
    struct scree_digest digest[3];
    for (int e = 0; e < 3; ++e) {
        char text[2000], header[200];
        static double row[ROWS][COLUMNS];
        snprintf(text, sizeof text, "%srun: {until: 1.28 s}\nrecord: [{table: out.csv, %s", FLYING_BALLS,
                 records[e]);
        threads = e + 1;
        struct scree_world *world = run(text, e == 1 ? 1e-9 : 0);
        threads = 1;
        const size_t rows = read_table(header, sizeof header, row);
        assert_string_equal(header, "time [s],flux [kg],net\n");
        const double small = 1000 * 4.0 / 3 * 3.14159265358979323846 * 1e-6;
        // bodies cross downward at 1 s and 0.5 s and upward at 0.25 s, and are counted at the next multiple
        // of 64 steps
        for (size_t r = 0; r < rows; ++r) {
            const double last_update = 0.064 * floor((row[r][0] + 1e-9) / 0.064);
            const double mass = (last_update > 1 ? small : 0) + (last_update > 0.5 ? 8 * small : 0) -
                                (last_update > 0.25 ? small : 0);
            assert_true(fabs(row[r][1] - mass) < 1e-12 * small);
            assert_true(row[r][2] == (last_update > 1) + (last_update > 0.5) - (last_update > 0.25));
        }
        assert_true(rows > 100);
        assert_int_equal(scree_flux_surface_count(world), 1);
        digest[e] = scree_test_digest(world);
        assert_true(scree_test_digests_equal(digest[e], digest[0]));
        scree_world_destroy(world);
    }
}

// The run is restarted from its checkpoint of step 800; flux surfaces were updated last at step 768.
static void a_restarted_run_continues_the_counts_of_flux_surfaces(void **state)
{
    (void)state;
    struct scree_world *world =
        run(FLYING_BALLS
            "run: {steps: 1100}\nrecord: [{table: out.csv, every: 50 steps, columns: [time, {measure: "
            "flux, " THROUGH "}]}, {checkpoint: c.chk, every: 400 steps}]\n",
            0);
    char *expected = scree_folder_read(&folder, "out.csv", NULL);
    const struct scree_digest digest = scree_test_digest(world);
    scree_world_destroy(world);
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&folder, "c.chk.previous"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_assert_ok(&trial);
    char *restarted = scree_folder_read(&folder, "out.csv", NULL);
    assert_string_equal(restarted, expected);
    assert_int_equal(scree_flux_surface_count(trial.world), 1);
    assert_true(scree_test_digests_equal(scree_test_digest(trial.world), digest));
    scree_trial_free(&trial);
    free(expected);
    free(restarted);
}

// The surface is just above the lower bound of the box, below which bodies are deleted.
static void bodies_deleted_beyond_a_flux_surface_are_counted(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char header[200];
    struct scree_world *world = run(
        "scree: 1\ngravity: [0, 0, -10]\nmaterials: {glass: {density: 1000}}\n"
        "contacts: [{between: [any, any], law: none}]\n"
        "world: {box: [[-1, -1, 0], [1, 1, 1]], outside: delete}\n"
        "bodies: [fill: {shape: {sphere: {radius: {uniform: [1 cm, 2 cm]}}}, count: 100, material: glass, "
        "inside: {box: [[-0.9, -0.9, 0.1], [0.9, 0.9, 0.9]]}}]\n"
        "engine: {soft: {step: 0.2 ms}}\nrun: {until: 0.5 s}\n"
        "record: [{table: out.csv, every: 0.25 s, columns: [mass, {measure: flux, through: {disk: {centre: "
        "[0, "
        "0, 0.1 mm], normal: [0, 0, -1], radius: 9}}}, {measure: count}]}]\n",
        0);
    const size_t rows = read_table(header, sizeof header, row);
    assert_int_equal(rows, 3);
    assert_true(row[0][2] == 100 && row[1][2] > 0 && row[1][2] < 100 && row[2][2] == 0);
    for (size_t r = 0; r < rows; ++r)
        assert_true(fabs(row[r][0] + row[r][1] - row[0][0]) < 1e-13 * row[0][0]);
    scree_world_destroy(world);
}

static void a_stage_can_end_at_a_count_of_a_flux_surface(void **state)
{
    (void)state;
    struct scree_world *world =
        run(FLYING_BALLS "run: [{until: 9 s, stop: {measure: flux-bodies, " THROUGH ", above: 0.5}}]\n", 0);
    // bodies cross upward at 0.25 s, downward at 0.5 s and 1 s, and are counted at the next multiple of 64
    // steps
    assert_int_equal(scree_world_steps(world), 1024);
    scree_world_destroy(world);
}

static void mistakes_in_columns_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"columns: [time, force-z]",
         "1:53: column 'force-z' needs a group of walls, as in `{measure: force-z, of: "},
        {"columns: [tyme]", "there is no column 'tyme': did you mean 'time'?"},
        {"columns: [inner]", "there is no column 'inner': it is called 'internal-dissipation' now"},
        {"columns: [fed]", "there is no column 'fed': it is called 'energy-input' now"},
        {"columns: [{measure: presure}]", "did you mean 'pressure'?"},
        {"columns: [{inside: {box: [[0, 0, 0], [1, 1, 1]]}}]",
         "a column needs at least one of measure, formula"},
        {"columns: [time, time]", "there are two columns 'time': give this one another name"},
        {"columns: [time, {measure: steps, as: time}]", "there are two columns 'time'"},
        {"columns: [{measure: speed, percentile: 9}, {measure: speed, percentile: 9.0}]",
         "there are two columns 'speed-p9': give this one another name"},
        {"columns: [{measure: time, as: 'a,b'}]", "the name of a column must have 1 to 60 characters"},
        {"columns: [{measure: time, of: floor}]", "column 'time' does not take 'of'"},
        {"columns: [{measure: pressure, of: floor}]", "column 'pressure' does not take 'of'"},
        {"columns: [{measure: flux}]", "'flux' needs 'through', as in"},
        {"columns: [{measure: speed, inside: {sphere: {centre: [0, 0, 0], radius: 1}}}]",
         "'speed' needs 'percentile'"},
        {"columns: [{measure: force-x, of: flor}]", "did you mean 'floor'?"},
        {"columns: [{measure: mass, percentile: 3}]", "column 'mass' does not take 'percentile'"},
        {"columns: [{measure: mass, by: mass}]", "'by' requires at least one of percentile, grid"},
        {"columns: [mixing]", "'mixing' needs a group of bodies and a grid, as in `{measure: mixing, of: "},
        {"columns: [{measure: mixing, of: floor}]",
         "column 'mixing' needs 'grid', as in `grid: [10, 10, 20]`"},
        {"columns: [{measure: mixing, grid: [2, 2, 2]}]", "column 'mixing' needs 'of'"},
        {"columns: [{measure: mixing, of: floor, grid: [2, 2.5, 2]}]", "must be a whole number, not 2.5"},
        {"columns: [{measure: mass, grid: [2, 2, 2]}]", "column 'mass' does not take 'grid'"},
        {"columns: [{measure: overlap, percentile: 9, by: mass}]", "contacts have no mass"},
        {"columns: [{measure: overlap, percentile: 101}]", "at least 0 and at most 100"},
        {"columns: [{measure: mass, inside: {box: [[0, 0, 0], [0, 1, 1]]}}]",
         "upper corner of a region must be above the lower"},
        {"columns: [{measure: flux, through: {disk: {centre: [0, 0, 0], normal: [1, 0, 0]}}}]",
         "a disk needs 'radius'"},
        {"columns: []", "'columns' must have 1 to 64 columns, not 0"},
        {"columns: time", "'columns' must be a list of columns"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, rows[r][1],
                                        "record: [{table: o.csv, every: 1 s, %s}]\n%srun: {steps: 1}\n",
                                        rows[r][0], STACK);
}

static void mistakes_in_comparisons_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"stop: force-z < 1 N", "'force-z' needs a group of walls"},
        {"stop: {measure: force-z, of: floor}", "a comparison needs exactly one of above, below"},
        {"stop: {measure: force-z, of: floor, above: 1, below: 2}", "exactly one of above, below"},
        {"stop: {measure: force-z, of: floor, above: 1 J}", "'above' must be in N, but this is in"},
        {"stop: {measure: pressure, below: 1 N/m}", "'below' must be in Pa, but this is in"},
        {"stop: [1]", "'stop' must be a comparison"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, rows[r][1], "%srun: {steps: 1, %s}\n", STACK,
                                        rows[r][0]);
}

// Most of these mistakes can be found only in the world.
static void invalid_regions_are_reported_when_the_world_is_built(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{measure: pressure}", "2:53: the volume of the whole world is known only with a cell"},
        {"{measure: solid-fraction, inside: {cylinder: {from: [0, 0, 0], to: [0, 0, 0], radius: 1}}}",
         "axis"},
        {"{measure: flux, through: {disk: {centre: [0, 0, 0], normal: [0, 0, 0], radius: 1}}}", "normal"},
        {"{measure: flux, through: {rectangle: {corner: [0, 0, 0], edges: [[1, 0, 0], [1, 1, 0]]}}}",
         "perpendicular edges"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(
            SCREE_TRIAL_BUILD, rows[r][1],
            "scree: 1\nrecord: [{table: o.csv, every: 1 s, columns: [time, %s]}]\nrun: {steps: 1}\n",
            rows[r][0]);
}

// Columns that a report cannot have are refused before the first step.
static void columns_that_a_report_cannot_have_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"force-z", "needs a group of walls"},
                                          {"kinetik", "did you mean 'kinetic'?"},
                                          {"displacement-z", "only be reported if the scene measures"},
                                          {"pressure", "the volume of the whole world"}};
    static const char text[] =
        "scree: 1\nmaterials: {glass: {density: 1}}\nbodies: [sphere: {radius: 1, at: "
        "[0, 0, 0], material: glass}]\nengine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n";
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const struct scree_run_def def = {.columns = &rows[r][0], .column_count = 1, .threads = 1};
        struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
        scree_trial_assert_ok(&trial);
        assert_int_not_equal(scree_trial_run(&trial, &def), SCREE_OK);
        if (!strstr(scree_status_message(), rows[r][1]))
            fail_msg("%s", scree_status_message());
        scree_trial_free(&trial);
    }
}

static void in_two_dimensions_stress_is_force_per_length(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS];
    char header[200];
    struct scree_world *world =
        run("scree: 1\ndimension: 2\nmaterials: {glass: {density: 1000}}\nworld: {box: [[0, 0], [1, 1]]}\n"
            "bodies: [disk: {radius: 10 cm, thickness: 1 cm, at: [0.5, 0.5], material: glass}]\n"
            "engine: {soft: {step: 1 ms}}\nrun: {steps: 64, stop: pressure > 1 N/m}\n"
            "record: [{table: out.csv, every: 1 s, columns: [pressure, solid-fraction]}]\n",
            0);
    assert_int_equal(read_table(header, sizeof header, row), 1);
    assert_string_equal(header, "pressure [N/m],solid-fraction\n");
    assert_true(fabs(row[0][1] - 3.14159265358979323846 * 0.01) < 1e-15);
    scree_world_destroy(world);
}

// Two balls, or disks, that overlap along a line at an angle to all axes: the stress is a pressure along this
// line alone. Its mean is a third or half of it, q is all or half of it.
static void the_deviatoric_stress_does_not_depend_on_axes(void **state)
{
    (void)state;
    static const char *const scene[2] = {
        "dimension: 2\nworld: {box: [[-1, -1], [1, 1]]}\nbodies:\n"
        "  - disk: {radius: 10 cm, thickness: 1 cm, at: [0, 0], material: glass}\n"
        "  - disk: {radius: 10 cm, thickness: 1 cm, at: [0.1, 0.17], material: glass}\n",
        "world: {box: [[-1, -1, -1], [1, 1, 1]]}\nbodies:\n"
        "  - sphere: {radius: 10 cm, at: [0, 0, 0], material: glass}\n"
        "  - sphere: {radius: 10 cm, at: [0.08, 0.1, -0.15], material: glass}\n"};
    for (int n = 0; n < 2; ++n) {
        static double row[ROWS][COLUMNS];
        char text[1000], header[200];
        snprintf(text, sizeof text,
                 "scree: 1\n%smaterials: {glass: {density: 1000}}\n"
                 "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, friction: 0, "
                 "restitution: 1}]\nengine: {soft: {step: 10 us}}\nrun: {steps: 1}\n"
                 "record: [{table: out.csv, every: 1 s, columns: [pressure, deviatoric-stress]}]\n",
                 scene[n]);
        scree_world_destroy(run(text, 0));
        assert_true(read_table(header, sizeof header, row) > 0);
        assert_string_equal(header, n == 0 ? "pressure [N/m],deviatoric-stress [N/m]\n"
                                           : "pressure [Pa],deviatoric-stress [Pa]\n");
        const double expected = n == 0 ? row[0][0] : 3 * row[0][0];
        assert_true(row[0][0] > 0 && fabs(row[0][1] - expected) < 1e-12 * expected);
    }
}

static void every_column_has_a_unique_name_and_a_finite_value(void **state)
{
    (void)state;
    struct scree_scene_column column, other;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c) {
        char text[3000], header[200];
        static double row[ROWS][COLUMNS];
        for (size_t o = 0; o < c; ++o)
            assert_true(scree_scene_column_at(o, &other) && strcmp(other.name, column.name) != 0);
        const char *argument = column.argument ? column.argument : "";
        // no wall of this scene is a mesh: unit.scene_facets has these columns
        if (strstr(argument, "mesh"))
            continue;
        // those of the periodic cell are in unit.scene_cell and physics.deforming_servo
        if (strncmp(column.name, "cell-", 5) == 0 || strncmp(column.name, "deformation-", 12) == 0 ||
            strncmp(column.name, "gradient-", 9) == 0 || strcmp(column.name, "inertial-number") == 0)
            continue;
        // collisions are counted by the event engine: unit.scene_event, unit.distribution
        if (strstr(column.name, "collision") || strcmp(column.name, "mean-free-path") == 0)
            continue;
        snprintf(
            text, sizeof text,
            STACK
            "run: {steps: 700}\nrecord: [{table: out.csv, every: 700 steps, columns: [{measure: %s%s}]}]\n",
            column.name,
            strstr(argument, "opposite")     ? ", of: room"
            : strstr(argument, "of walls")   ? ", of: floor"
            : strstr(argument, "grid")       ? ", of: low, grid: [1, 2, 3]"
            : strstr(argument, "of bodies")  ? ", of: low"
            : strstr(argument, "surface")    ? ", " THROUGH
            : strstr(argument, "percentile") ? ", percentile: 100"
                                             : "");
        scree_world_destroy(run(text, 0));
        assert_int_equal(read_table(header, sizeof header, row), 2);
        assert_int_equal(strncmp(header, column.name, strlen(column.name)), 0);
        assert_true(strlen(column.about) > 4 && isfinite(row[1][0]));
    }
}

static void percentiles_have_different_names_in_the_table_header(void **state)
{
    (void)state;
    char header[300];
    static double row[ROWS][COLUMNS];
    scree_world_destroy(run(FLYING_BALLS
                            "run: {steps: 1}\nrecord: [{table: out.csv, every: 1 s, columns: [{measure: "
                            "diameter, percentile: 50}, {measure: diameter, percentile: 50, by: mass}, "
                            "{measure: diameter, percentile: 97.5}, {measure: diameter, percentile: 0, "
                            "as: least}]}]\n",
                            0));
    assert_int_equal(read_table(header, sizeof header, row), 1);
    assert_string_equal(header, "diameter-p50 [m],diameter-p50-mass [m],diameter-p97.5 [m],least [m]\n");
    // of the radii 1, 1, 2 and 3 cm the largest has more than half of the mass
    assert_true(row[0][0] == 0.02 && row[0][1] == 0.06 && row[0][2] == 0.06 && row[0][3] == 0.02);
}

static void a_printed_scene_is_printed_the_same_again(void **state)
{
    (void)state;
    char *first, *second;
    const char *text =
        STACK "variables: {far: 4 cm}\n"
              "run: {until: 1 s, stop: {measure: speed, percentile: 90, by: mass, below: 1 mm/s}}\n"
              "record: [{table: out.csv, every: 1 s, columns: [time, {measure: mass, inside: {sphere: "
              "{centre: [0, 0, 0], radius: \"${far}\"}}, as: low}, {measure: flux, " THROUGH "}]}]\n";
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    scree_trial_assert_ok(&trial);
    assert_ok(scree_trial_print(&trial, &first));
    scree_trial_free(&trial);
    trial = scree_trial_read(SCREE_TRIAL_SCENE, first);
    scree_trial_assert_ok(&trial);
    assert_ok(scree_trial_print(&trial, &second));
    scree_trial_free(&trial);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "radius: 0.04\n"));
    assert_non_null(strstr(first, "below: 0.001\n"));
    free(first);
    free(second);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    static const char text[] =
        STACK "run: {steps: 64, stop: {measure: speed, percentile: 90, above: 1}}\n"
              "record: [{table: out.csv, every: 1 s, columns: [time, {measure: coordination}, {measure: "
              "flux, " THROUGH "}, {measure: force-z, of: floor}, {measure: speed, percentile: 9}]}]\n";
    scree_trial_starve(SCREE_TRIAL_RUN, text,
                       &(struct scree_run_def){.force = true, .threads = 1, .folder = folder.path});
}

// The alarm uses the same error as the column: at first all energies are of the size of rounding errors.
static void a_start_at_rest_raises_no_energy_alarm(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE, "scree: 1\ngravity: [0, 0, -9.81]\n"
                           "materials: {a: {density: 2500, young: 10 MPa, poisson: 0.2}}\n"
                           "contacts: [{between: [any, any], law: hertz-mindlin, restitution: 0.5, friction: "
                           "0.5}]\n"
                           "bodies:\n"
                           "  - sphere: {radius: 1 cm, at: [0, 0, 9.99 mm], material: a}\n"
                           "  - sphere: {radius: 1 cm, at: [1, 0, 9.999 mm], material: a}\n"
                           "  - sphere: {radius: 1 cm, at: [10, 0, 1 km], material: a}\n"
                           "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: a}}]\n"
                           "alarms: {energy: {limit: 1e-4, policy: stop}}\n"
                           "engine: {soft: {safety: 0.1}}\n"
                           "run: {until: 10 ms}\n");
    (void)scree_trial_run(&trial, NULL);
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_at_rest_raises_no_energy_alarm),
        cmocka_unit_test(a_stack_has_the_forces_and_stresses_of_its_weight),
        cmocka_unit_test(the_energy_error_is_relative_to_the_energy_input_too),
        cmocka_unit_test(the_count_of_a_flux_surface_does_not_depend_on_records),
        cmocka_unit_test(a_restarted_run_continues_the_counts_of_flux_surfaces),
        cmocka_unit_test(bodies_deleted_beyond_a_flux_surface_are_counted),
        cmocka_unit_test(a_stage_can_end_at_a_count_of_a_flux_surface),
        cmocka_unit_test(mistakes_in_columns_are_reported),
        cmocka_unit_test(mistakes_in_comparisons_are_reported),
        cmocka_unit_test(invalid_regions_are_reported_when_the_world_is_built),
        cmocka_unit_test(columns_that_a_report_cannot_have_are_refused),
        cmocka_unit_test(in_two_dimensions_stress_is_force_per_length),
        cmocka_unit_test(the_deviatoric_stress_does_not_depend_on_axes),
        cmocka_unit_test(every_column_has_a_unique_name_and_a_finite_value),
        cmocka_unit_test(percentiles_have_different_names_in_the_table_header),
        cmocka_unit_test(a_printed_scene_is_printed_the_same_again),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
