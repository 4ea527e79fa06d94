// Rigid bodies in scenes (build/rigid.c): orientation by angle or quaternion, spin or angular momentum,
// loads, and refusal of contacts without grains. References: closed forms of rotation and of constant
// acceleration.

#include "base/memory.h"
#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEAD "scree: 1\nengine: {soft: {step: 1 ms}}\n"
#define BODY "mass: 2, inertia: [1, 2, 2.5], at: [0, 0, 1]"

// The trial of a scene with one body, and the state of the body.
struct scene {
    struct scree_trial trial;
    struct scree_body_state body;
};

static void free_scene(struct scene *scene)
{
    scree_trial_free(&scene->trial);
}

static void read_state(struct scene *scene)
{
    assert_int_equal(scree_body_get(scene->trial.world, (scree_body_id){1}, &scene->body), SCREE_OK);
}

static void read_scene(struct scene *scene, const char *text)
{
    scene->trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_build(&scene->trial);
    scree_trial_assert_ok(&scene->trial);
    read_state(scene);
}

static void a_body_has_the_values_of_the_scene(void **state)
{
    (void)state;
    struct scene scene;
    const size_t live = scree_memory_live();
    read_scene(&scene, HEAD "bodies:\n  - rigid: {" BODY ", velocity: [1, 2, 3], spin: [0, 60 rpm, 0],\n"
                            "            fixed: [x, spin-z]}\n");
    assert_true(scene.body.mass == 2 && scene.body.inertia[2] == 2.5 && scene.body.position[2] == 1);
    assert_true(scene.body.velocity[1] == 2 && scene.body.orientation[0] == 1);
    // each operation rounds once
    assert_true(fabs(scene.body.spin[1] - 2 * 3.14159265358979323846) < 1e-14 * 7);
    assert_int_equal(scene.body.fixed, SCREE_FIX_X | SCREE_FIX_SPIN_Z);
    assert_int_equal(scene.body.material.value, 0);
    free_scene(&scene);
    assert_int_equal(scree_memory_live(), live);
}

static void an_axis_and_an_angle_follow_the_right_hand_rule(void **state)
{
    (void)state;
    struct scene scene;
    read_scene(&scene, HEAD "bodies: [rigid: {" BODY ", orientation: {axis: [0, 3, 0], angle: 90 deg}}]\n");
    // sines and cosines are accurate to one unit in the last place
    assert_true(fabs(scene.body.orientation[0] - sqrt(0.5)) < 4e-16);
    assert_true(fabs(scene.body.orientation[2] - sqrt(0.5)) < 4e-16);
    assert_true(scene.body.orientation[1] == 0 && scene.body.orientation[3] == 0);
    free_scene(&scene);
    read_scene(&scene, HEAD "bodies: [rigid: {" BODY ", orientation: {quaternion: [0, 3, 0, 4]}}]\n");
    // the quaternion is normalised with a root and a division
    assert_true(fabs(scene.body.orientation[1] - 0.6) < 4e-16);
    assert_true(fabs(scene.body.orientation[3] - 0.8) < 4e-16);
    free_scene(&scene);
}

static void an_angular_momentum_gives_the_corresponding_spin(void **state)
{
    (void)state;
    struct scene scene;
    // after a quarter turn about z, body x is along y and body y along -x
    read_scene(&scene,
               HEAD "bodies: [rigid: {" BODY ", momentum: [4, 3, 5], orientation: {angle: 90 deg}}]\n");
    const double expected[3] = {4.0 / 2, 3.0 / 1, 5.0 / 2.5};
    // about a dozen operations with a rounding each
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(scene.body.spin[k] - expected[k]) < 12 * 2.3e-16 * 3);
        assert_true(fabs(scene.body.momentum[k] - (double[]){4, 3, 5}[k]) < 12 * 2.3e-16 * 8);
    }
    free_scene(&scene);
}

static void in_two_dimensions_there_is_one_moment_of_inertia(void **state)
{
    (void)state;
    struct scene scene;
    read_scene(&scene,
               HEAD "dimension: 2\nbodies: [rigid: {mass: 1, polar: 2, at: [0, 1], momentum: [0, 0, 3]}]\n");
    assert_true(scene.body.spin[2] == 1.5);
    free_scene(&scene);
}

static void a_load_is_a_constant_force_and_moment(void **state)
{
    (void)state;
    struct scene scene;
    read_scene(&scene,
               HEAD "bodies:\n  - {rigid: {" BODY "}, load: {force: [0, 0, 6 N], moment: [0, 0, 5 N m]}}\n");
    assert_int_equal(scree_engine_run(scene.trial.engine, 200), SCREE_OK);
    read_state(&scene);
    // constant acceleration is exact up to a rounding per step; so is the spin about a principal axis
    assert_true(fabs(scene.body.velocity[2] - 6.0 / 2 * 0.2) < 200 * 2.3e-16);
    assert_true(fabs(scene.body.position[2] - (1 + 0.5 * 3 * 0.2 * 0.2)) < 200 * 2.3e-16);
    assert_true(fabs(scene.body.spin[2] - 5 / 2.5 * 0.2) < 400 * 2.3e-16);
    free_scene(&scene);
    // a load in a filling acts on each of its bodies, and not on earlier bodies
    read_scene(&scene, HEAD "materials: {a: {density: 1000}}\n"
                            "bodies:\n  - {rigid: {" BODY "}}\n"
                            "  - fill: {shape: {sphere: {radius: 1 cm}}, count: 3, material: a,\n"
                            "           inside: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                            "    load: {force: [1 mN, 0, 0]}\n");
    assert_int_equal(scree_engine_run(scene.trial.engine, 1), SCREE_OK);
    for (uint64_t id = 1; id < 5; ++id) {
        assert_int_equal(scree_body_get(scene.trial.world, (scree_body_id){id}, &scene.body), SCREE_OK);
        assert_true((scene.body.velocity[0] > 0) == (id > 1));
    }
    free_scene(&scene);
}

static void mistakes_in_rigid_bodies_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {HEAD "bodies: [rigid: {" BODY "}]\ncontacts: [{between: [any, any], law: none}]\n",
         "scene.yaml:3:17: a rigid body has no contacts"},
        {HEAD "bodies: [rigid: {" BODY "}]\nrun: [{steps: 1}, {steps: 1, contacts: []}]\n",
         "leave 'contacts' out of this scene"},
        {HEAD "bodies: [rigid: {" BODY "}]\nrun: {steps: 1, contacts: []}\n", "a rigid body has no contacts"},
        {HEAD "bodies: [{rigid: {" BODY "}, load: {force: [1, 0, 0 m]}}]\n", "'force' must be in N"},
        {HEAD "bodies: [rigid: {" BODY ", material: a}]\n", "a rigid body has no key 'material'"},
        {HEAD "bodies: [rigid: {" BODY ", spin: [1, 0, 0], momentum: [1, 0, 0]}]\n",
         "'spin' and 'momentum' exclude each other"},
        {HEAD "bodies: [rigid: {" BODY ", orientation: {axis: [0, 0, 0], angle: 1}}]\n",
         "scene.yaml:3:84: 'axis' must have a finite length above 0"},
        {HEAD "bodies: [rigid: {" BODY ", orientation: {quaternion: [0, 0, 0, 0]}}]\n",
         "the zero quaternion is not a rotation"},
        {HEAD "bodies: [rigid: {" BODY ", orientation: {quaternion: [1, 0, 0]}}]\n",
         "'quaternion' must be a list of four numbers"},
        {HEAD "bodies: [rigid: {" BODY ", orientation: {quaternion: [1, 0, 0, 0], axis: [1, 0, 0]}}]\n",
         "'axis' and 'quaternion' exclude each other"},
        {HEAD "bodies: [rigid: {" BODY ", orientation: {axis: [1, 0, 0]}}]\n",
         "exactly one of angle, quaternion"},
        {HEAD "bodies: [rigid: {mass: 1, inertia: [1, 1, 3], at: [0, 0, 0]}]\n",
         "each must be at most the sum of the other two"},
        {HEAD "bodies: [rigid: {mass: 1, polar: 1, at: [0, 0, 0]}]\n", "either its principal moments"},
        {HEAD "bodies: [rigid: {mass: 0, inertia: [1, 1, 1], at: [0, 0, 0]}]\n", "'mass' must be above 0 kg"},
        {HEAD "dimension: 2\nbodies: [rigid: {mass: 1, polar: 1, at: [0, 0], momentum: [1, 0]}]\n",
         "rotate about z only"},
        {"scree: 1\nbodies: [rigid: {" BODY "}]\nengine: {soft: {}}\n",
         "an automatic time step needs contacts"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][1], "%s", rows[r][0]);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    scree_trial_starve(SCREE_TRIAL_BUILD,
                       HEAD "bodies: [{rigid: {" BODY ", momentum: [4, 3, 5], orientation: {angle: 1}}, "
                            "load: {force: [1, 0, 0]}}]\n",
                       NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_has_the_values_of_the_scene),
        cmocka_unit_test(an_axis_and_an_angle_follow_the_right_hand_rule),
        cmocka_unit_test(an_angular_momentum_gives_the_corresponding_spin),
        cmocka_unit_test(in_two_dimensions_there_is_one_moment_of_inertia),
        cmocka_unit_test(a_load_is_a_constant_force_and_moment),
        cmocka_unit_test(mistakes_in_rigid_bodies_are_reported),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
