// Scenes with wanted stresses of the cell (build/cell_servo.c): what the servo gets, stages, restarts, and
// mistakes.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <scree/cell.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, friction: 0.5, restitution: 0.3}]\n"  \
    "engine: {soft: {step: 0.1 ms}}\nalarms: {overlap: {policy: ignore}}\n"                                  \
    "bodies: [{fill: {shape: {sphere: {radius: 6 cm}}, count: 300, material: glass, inside: "                \
    "{box: [[0, 0, 0], [1, 1, 1]]}, seed: 1}}]\n"
#define BOX "box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y, z]"

static void keys_set_the_servo(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_run_text(
        HEAD "world: {" BOX "}\n"
             "run:\n"
             "  - {steps: 20, deform: {pressure: 2 kPa, largest-rate: 0.5 1/s, gain: 0.2}}\n"
             "  - steps: 20\n"
             "    deform: {compressive-stress: {x: 3 kPa, z: \"1 kPa + 100 Pa/s * t\"}, shear-stress: {yz: "
             "10 Pa},\n"
             "             strain-rate: [0, -0.25, 0], largest-rate: 1 1/s, every: 4, tolerance: 0.01}\n",
        &(struct scree_run_def){0});
    struct scree_cell_servo_state servo;
    struct scree_cell_state cell;
    assert_ok(scree_cell_get_servo(world, &servo));
    assert_ok(scree_cell_get_state(world, &cell));
    static const bool controlled[9] = {true, false, false, false, false, true, false, false, true};
    for (int k = 0; k < 9; ++k)
        assert_true(servo.def.controlled[k] == controlled[k]);
    // the last update is that of step 40; a positive shear stress is negative where compression is positive
    scree_test_near(servo.def.stress[0], 3000, 1e-9);
    scree_test_near(servo.def.stress[8], 1000 + 100 * 40e-4, 1e-9);
    scree_test_near(servo.def.stress[5], -10, 1e-12);
    assert_true(servo.def.every == 4 && servo.def.tolerance == 0.01 && servo.largest == 1 &&
                servo.def.gain == 0.5);
    assert_true(!servo.def.common && cell.gradient[4] == -0.25);
    // a loose sample: the largest rates
    assert_true(cell.gradient[0] == -1 && cell.gradient[8] == -1 && cell.gradient[5] == 1);
    // the first stage compressed all axes alike, from its first update at step 10 on
    // in whose step they begin linearly
    scree_test_near(cell.strain[4], -9.5e-4 * 0.5 - 20e-4 * 0.25, 1e-6);
    scree_world_destroy(world);
}

// Wanted stresses may begin with 0: an automatic largest rate belongs to the largest one so far.
static void an_automatic_rate_follows_the_largest_stress(void **state)
{
    (void)state;
    static const struct {
        int steps;
        double stress; // largest so far, Pa
    } cases[] = {{10, 2000}, {20, 4000}, {40, 4000}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        char text[3000];
        struct scree_cell_servo_state servo;
        snprintf(text, sizeof text,
                 HEAD "world: {" BOX
                      ", deform: {pressure: {table: [[0 s, 0], [2 ms, 4 kPa], [4 ms, 1 kPa]]}}}\n"
                      "run: {steps: %d}\n",
                 cases[c].steps);
        struct scree_world *world = scree_trial_run_text(text, &(struct scree_run_def){0});
        assert_ok(scree_cell_get_servo(world, &servo));
        // grains have a diameter of 0.12 m and a density of 2500 kg/m^3
        scree_test_near(servo.largest, 1e-3 * sqrt(cases[c].stress / 2500) / 0.12, 1e-12);
        scree_world_destroy(world);
    }
}

// A servo that reverses a deformation.
static void rates_stay_within_the_largest(void **state)
{
    (void)state;
    struct scree_cell_state cell;
    struct scree_world *world =
        scree_trial_run_text(HEAD "world: {" BOX "}\n"
                                  "run:\n"
                                  "  - {steps: 10, deform: {strain-rate: [0.5, 0.5, 0.5]}}\n"
                                  "  - {steps: 20, deform: {pressure: 2 kPa, largest-rate: 0.5 1/s}}\n",
                             &(struct scree_run_def){0});
    assert_ok(scree_cell_get_state(world, &cell));
    for (int k = 0; k < 9; k += 4)
        assert_true(cell.gradient[k] == -0.5);
    scree_world_destroy(world);
}

static void a_stage_without_stresses_has_no_servo(void **state)
{
    (void)state;
    static const char *const stages[] = {"deform: {strain-rate: [0, 0, 0.1]}", "end-deform: true"};
    for (int s = 0; s < 2; ++s) {
        char text[3000];
        struct scree_cell_servo_state servo;
        struct scree_cell_state cell;
        snprintf(text, sizeof text,
                 HEAD "world: {" BOX ", deform: {pressure: 2 kPa, largest-rate: 0.5 1/s}}\n"
                      "run: [{steps: 11}, {steps: 11, %s}]\n",
                 stages[s]);
        struct scree_world *world = scree_trial_run_text(text, &(struct scree_run_def){0});
        assert_int_equal(scree_cell_get_servo(world, &servo), SCREE_ERROR_MISSING);
        assert_ok(scree_cell_get_state(world, &cell));
        assert_true(cell.gradient[0] == 0 && cell.gradient[8] == (s == 0 ? 0.1 : 0.0));
        scree_world_destroy(world);
    }
}

// Ends of a run and restarts leave the bits of a servo whose wanted stresses depend on time.
static struct scree_digest run_until(bool restart, double until)
{
    struct scree_digest digest;
    struct scree_trial trial = restart
                                   ? scree_trial_restart(scree_folder_path(&scree_test_folder, "state.chk"))
                                   : scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    if (scree_trial_run(&trial, &(struct scree_run_def){.until = until, .force = true}) != SCREE_OK)
        fail_msg("%s", scree_trial_message(&trial));
    assert_ok(scree_world_digest(trial.world, &digest));
    scree_trial_free(&trial);
    return digest;
}

static void a_restart_continues_the_servo_exactly(void **state)
{
    (void)state;
    scree_folder_write(
        &scree_test_folder, "scene.yaml",
        HEAD "world: {" BOX "}\n"
             "run:\n"
             "  - {for: 20 ms, deform: {pressure: \"2 kPa + 10 kPa/s * t\", largest-rate: 10 1/s}}\n"
             "  - {for: 20 ms, deform: {compressive-stress: {x: 2 kPa, y: \"1 kPa + 10 kPa/s * t\"}, "
             "strain-rate: [0, 0, -5], largest-rate: 10 1/s}}\n"
             "record: [{checkpoint: state.chk, every: 1 s}]\n");
    const struct scree_digest expected = run_until(false, 0);
    static const double ends[] = {0.011, 0.0305};
    for (size_t e = 0; e < 2; ++e) {
        assert_false(scree_test_digests_equal(run_until(false, ends[e]), expected));
        assert_true(scree_test_digests_equal(run_until(true, 0.04), expected));
    }
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *deform, *message;
    } cases[] = {
        {"pressure: 1 kPa, compressive-stress: {x: 1 kPa}", "'compressive-stress'"},
        {"compressive-stress: {x: 1 kPa}, strain-rate: [0.1, 0, 0]", "its stress is given too"},
        {"shear-stress: {xy: 1 kPa}, shear: {rate: 1, of: x, along: y}", "its stress is given too"},
        // a rate that is 0 at the start
        {"shear-stress: {xy: 1 kPa}, shear: {rate: \"1 1/s * sin(t * 1 Hz)\", of: x, along: y}",
         "its stress is given too"},
        {"compressive-stress: {x: 1 m}", "must be in Pa"},
        {"compressive-stress: {}", "a set of normal stresses needs at least one of x, y, z"},
        {"compressive-stress: {z: 0}", "largest rate"},
        {"gain: 0.1", "strain-rate"},
        {"pressure: 1 kPa, gain: 2", "gain"},
        {"pressure: 1 kPa, tolerance: 1", "tolerance"},
        {"strain-rate: [0.1, 0, 0], largest-rate: 1 1/s",
         "'largest-rate' belongs to wanted stresses, and this deformation has none"},
        {"pressure: \"1 kPa * sqrt(-1 - t * 1 Hz)\"", "finite"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, cases[c].message,
                                        HEAD "world: {" BOX ", deform: {%s}}\nrun: {until: 1 s}\n",
                                        cases[c].deform);
}

// The place is that of the deformation.
static void copy_warning(void *user, const char *text)
{
    snprintf((char *)user, 400, "%s", text);
}

static void a_stage_that_ends_while_the_cell_deforms_at_its_largest_rate_gives_a_warning(void **state)
{
    (void)state;
    char warning[400] = "";
    struct scree_run_def def = {.warn = copy_warning, .user = warning};
    scree_world_destroy(scree_trial_run_text(
        HEAD "world: {" BOX "}\nrun: {steps: 40, deform: {pressure: 2 kPa, largest-rate: 0.01 1/s}}\n",
        &def));
    assert_non_null(strstr(warning, "stage 1 ends while the cell deforms at its largest rate, 0.01 1/s: its "
                                    "stress xx is "));
    assert_non_null(strstr(warning, "not 2000 Pa (compression positive). Let the stage last longer, or raise "
                                    "'largest-rate'"));
}

static void a_stress_that_becomes_nan_is_reported_with_its_place(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE, HEAD "world: {" BOX "}\n"
                                "run:\n"
                                "  - for: 10 ms\n"
                                "    deform: {pressure: \"1 kPa * sqrt(1 - t * 1000 Hz)\"}\n");
    scree_trial_assert_ok(&trial);
    assert_refused(SCREE_ERROR_ARGUMENT,
                   SCREE_TRIAL_SCENE ":10:13: the function that gives the wanted stresses",
                   scree_trial_run(&trial, &(struct scree_run_def){0}));
    scree_trial_free(&trial);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN,
                                   "scree: 1\nmaterials: {glass: {density: 2500}}\n"
                                   "engine: {soft: {step: 0.1 ms}}\n"
                                   "world: {" BOX ", deform: {pressure: \"1 kPa + 1 Pa/s * t\"}}\n"
                                   "run: [{steps: 2}, {steps: 2, deform: {compressive-stress: "
                                   "{x: [[0, 1], [1, 2]]}}}]\n",
                                   &(struct scree_run_def){0}) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_set_the_servo),
        cmocka_unit_test(an_automatic_rate_follows_the_largest_stress),
        cmocka_unit_test(rates_stay_within_the_largest),
        cmocka_unit_test(a_stage_without_stresses_has_no_servo),
        cmocka_unit_test_setup_teardown(a_restart_continues_the_servo_exactly, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(a_stage_that_ends_while_the_cell_deforms_at_its_largest_rate_gives_a_warning),
        cmocka_unit_test(a_stress_that_becomes_nan_is_reported_with_its_place),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
