// Areas of servos given by formulas of columns: the same motion as with a number or the cross-section between
// the walls, in all stages and after a restart; mistakes, and results that are no area.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <scree/servo.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Balls in a box whose lid has a servo, and whose side moves; the box is larger than the balls need.
#define SCENE(bodies)                                                                                        \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                                     \
    "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, friction: 0.2, restitution: 0.2}]\n"  \
    "bodies: [" bodies "]\n"                                                                                 \
    "walls:\n"                                                                                               \
    "  - {plane: {point: [0, 0, 0], normal: [1, 0, 0], material: glass}, group: box}\n"                      \
    "  - {plane: {point: [4 cm, 0, 0], normal: [-1, 0, 0], material: glass}, group: box, velocity: [-5 "     \
    "mm/s, 0, 0]}\n"                                                                                         \
    "  - {plane: {point: [0, 0, 0], normal: [0, 1, 0], material: glass}, group: box}\n"                      \
    "  - {plane: {point: [0, 4 cm, 0], normal: [0, -1, 0], material: glass}, group: box}\n"                  \
    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: base}\n"                     \
    "  - {plane: {point: [0, 0, 4 cm], normal: [0, 0, -1], material: glass}, group: lid%s}\n"                \
    "engine: {soft: {step: 20 us}}\n"                                                                        \
    "run: [{steps: 700%s}, {steps: 800%s}]\n"                                                                \
    "record: [{table: out.csv, every: 50 steps, columns: [{measure: wall-position-z, of: lid}, {measure: "   \
    "force-z, of: lid}, {measure: extent-x, of: box, as: width}, {measure: extent-y, of: box}]}, "           \
    "{checkpoint: c.chk, every: 600 steps}]\n"
#define SAMPLE                                                                                               \
    SCENE("fill: {shape: {sphere: {radius: 5 mm}}, arrange: cubic, material: glass, inside: {box: [[0, 0, "  \
          "0], [4 cm, 4 cm, 4 cm]]}}")
#define SERVO(area) "servo: {stress: -2 kPa, direction: [0, 0, -1], max-velocity: 0.2 m/s, area: " area "}"

static struct scree_folder folder;

static int begin(void **state)
{
    (void)state;
    folder = scree_folder_make("scene-servo-area");
    return 0;
}

static int end(void **state)
{
    (void)state;
    scree_folder_end(&folder, "out.csv c.chk c.chk.previous");
    return 0;
}

static const struct scree_run_def *run_def(int threads)
{
    static struct scree_run_def def;
    def = (struct scree_run_def){.force = true, .threads = threads, .folder = folder.path};
    return &def;
}

// Runs the sample with a servo of the lid, and changes of the walls in both stages; returns its table.
static char *run(const char *servo, const char *first, const char *second)
{
    char text[4000];
    snprintf(text, sizeof text, SAMPLE, servo, first, second);
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_run(&trial, run_def(1));
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    return scree_folder_read(&folder, "out.csv", NULL);
}

static void a_formula_gives_the_same_motion_as_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *servo, *first, *second;
    } same[][2] = {
        {{", " SERVO("16 cm^2"), "", ""}, {", " SERVO("0.8 m * 2 mm"), "", ""}},
        // columns of contacts and bodies can be measured too when a servo is updated
        {{", " SERVO("16 cm^2"), "", ""},
         {", " SERVO("16 cm^2 + 0 cm^2 / 1 N * force-z + 0 m * position-z + 0 m * displacement-x"), "", ""}},
        {{", " SERVO("auto"), "", ""}, {", " SERVO("width * 4 cm"), "", ""}},
        {{"", ", walls: [{group: lid, " SERVO("auto") "}]", ""},
         {"", ", walls: [{group: lid, " SERVO("width * 4 cm") "}]", ""}},
        {{", " SERVO("9 cm^2"), "", ", walls: [{group: lid, " SERVO("auto") "}]"},
         {", " SERVO("3 cm * 3 cm"), "", ", walls: [{group: lid, " SERVO("width * 40 mm") "}]"}},
    };
    for (size_t k = 0; k < sizeof same / sizeof same[0]; ++k) {
        char *number = run(same[k][0].servo, same[k][0].first, same[k][0].second);
        char *formula = run(same[k][1].servo, same[k][1].first, same[k][1].second);
        assert_string_equal(formula, number);
        free(number);
        free(formula);
    }
}

static void a_restarted_run_has_the_same_area(void **state)
{
    (void)state;
    char *uninterrupted =
        run(", " SERVO("width * 4 cm"), "", ", walls: [{group: lid, " SERVO("width * 3 cm") "}]");
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&folder, "c.chk"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    for (size_t k = 0; k < 2; ++k) {
        trial = scree_trial_restart(scree_folder_path(&folder, "c.chk.previous"));
        (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1 + (int)k});
        scree_trial_assert_ok(&trial);
        scree_trial_free(&trial);
        char *restarted = scree_folder_read(&folder, "out.csv", NULL);
        assert_string_equal(restarted, uninterrupted);
        free(restarted);
    }
    free(uninterrupted);
}

static void a_result_that_is_no_area_ends_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *servo, *message;
    } wrong[] = {
        {", " SERVO("1 cm^2 - time * 1 m^2/s"), "scene.yaml:11:161: the area of the servo of 'lid' must be "
                                                "above 0 m^2 and finite, but `1 cm^2 - time * "
                                                "1 m^2/s` is "},
        {", " SERVO("1 m^2 * (time - time) / (time - time)"), "is nan m^2 at "},
    };
    for (size_t k = 0; k < 2; ++k) {
        char text[4000];
        snprintf(text, sizeof text, SAMPLE, wrong[k].servo, "", "");
        struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
        (void)scree_trial_run(&trial, run_def(1));
        assert_int_equal(trial.status, SCREE_ERROR_ARGUMENT);
        if (!strstr(scree_status_message(), wrong[k].message))
            fail_msg("%s", scree_status_message());
        scree_trial_free(&trial);
    }
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *servo, *second, *message;
    } refused[] = {
        {", " SERVO("widht * 4 cm"), "", "there is no column 'widht': did you mean 'width'?"},
        {", " SERVO("-width"), "", "the result of `-width` is in m, but must be in m^2"},
        {", " SERVO("width * 2"), "", "the result of `width * 2` is in m, but must be in m^2"},
        {", " SERVO("3 kg"), "", "area"},
        {", " SERVO("-3 cm^2"), "", "above"},
        {"", ", walls: [{group: lid, " SERVO("4 cm * high") "}]", "there is no column 'high'"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; ++k)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, refused[k].message, SAMPLE, refused[k].servo, "",
                                        refused[k].second);
}

// The function of a servo in C.
static scree_status give_area(void *user, struct scree_world *world, double *area)
{
    (void)world;
    *area = *(const double *)user;
    return SCREE_OK;
}

static void a_servo_needs_its_function(void **state)
{
    (void)state;
    char text[4000];
    double area = 0.5;
    scree_group_id lid;
    struct scree_servo_state servo;
    snprintf(text, sizeof text, SAMPLE, "", "", "");
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_build(&trial);
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_group_find(trial.world, "lid", &lid), SCREE_OK);
    struct scree_servo_def def = {
        .group = lid, .direction = {0, 0, -1}, .stress = 10, .velocity = 0.1, .area_by_function = true};
    const struct scree_servo_area_def function = {give_area, &area, NULL};
    assert_int_equal(scree_servo_set_area(trial.world, lid, &function), SCREE_ERROR_MISSING);
    assert_int_equal(scree_servo_set(trial.world, &def), SCREE_OK);
    assert_int_equal(scree_engine_run(trial.engine, 1), SCREE_ERROR_STATE);
    assert_non_null(strstr(scree_status_message(), "scree_servo_set_area"));
    assert_int_equal(scree_servo_set_area(trial.world, lid, &function), SCREE_OK);
    assert_int_equal(scree_engine_run(trial.engine, 1), SCREE_OK);
    assert_int_equal(scree_servo_get(trial.world, lid, &servo), SCREE_OK);
    assert_true(servo.target == 5 && servo.def.area_by_function);
    area = 0;
    assert_int_equal(scree_engine_run(trial.engine, 1), SCREE_ERROR_ARGUMENT);
    def.stress = 0;
    assert_int_equal(scree_servo_set(trial.world, &def), SCREE_ERROR_ARGUMENT);
    scree_trial_free(&trial);
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    char text[4000];
    // the free volume of a filled box takes long to measure
    snprintf(text, sizeof text, SCENE("sphere: {radius: 5 mm, at: [2 cm, 2 cm, 5 mm], material: glass}"),
             ", " SERVO("width * 4 cm"), "", ", walls: [{group: lid, " SERVO("width * 2 cm") "}]");
    scree_trial_starve(SCREE_TRIAL_BUILD, text, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_gives_the_same_motion_as_a_number),
        cmocka_unit_test(a_restarted_run_has_the_same_area),
        cmocka_unit_test(a_result_that_is_no_area_ends_the_run),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(a_servo_needs_its_function),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
