// Bonds in scenes that find no pair in a stage, and bodies that cannot be bonded.

#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SPRING "contact: {normal-stiffness: 1e5, shear-stiffness: 5e4}"

// two spheres with a gap of 2 mm
#define SPHERES                                                                                              \
    "scree: 1\n"                                                                                             \
    "materials: {rock: {density: 2500}}\n"                                                                   \
    "engine: {soft: {step: 1 us}}\n"                                                                         \
    "bodies:\n"                                                                                              \
    "  - {sphere: {radius: 1 mm, at: [0, 0, 0], material: rock}}\n"                                          \
    "  - {sphere: {radius: 1 mm, at: [4 mm, 0, 0], material: rock}}\n"

struct heard {
    char text[300];
    int count;
};

static void hear(void *user, const char *text)
{
    struct heard *heard = (struct heard *)user;
    snprintf(heard->text, sizeof heard->text, "%s", text);
    ++heard->count;
}

// In a later stage bodies may have moved apart, so that no pair is a result and not a mistake.
static void a_stage_without_pairs_warns_and_goes_on(void **state)
{
    (void)state;
    struct heard heard = {.count = 0};
    const struct scree_run_def def = {.warn = hear, .user = &heard};
    struct scree_trial trial =
        scree_trial_read(SCREE_TRIAL_SCENE, SPHERES "run:\n  - {steps: 1}\n  - {steps: 2, bonds: [{" SPRING
                                                    ", gap: 0}]}\nrecord: []\n");
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    assert_true(scree_scene_makes_bonds_later(trial.scene));
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_steps(world), 3);
    assert_true(scree_bond_count(world) == 0 && heard.count >= 1);
    if (!strstr(heard.text,
                "scene.yaml:9: no pair of bodies is within this gap: the smallest gap is 0.00200002 "
                "m, so this stage makes no bond"))
        fail_msg("%s", heard.text);
    scree_world_destroy(world);
}

static void a_rigid_body_without_grains_cannot_be_bonded(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "body 1 is a rigid body without grains, which no bond can join",
        "scree: 1\nmaterials: {rock: {density: 2500}}\nengine: {soft: {step: 1 us}}\nbodies:\n"
        "  - {rigid: {at: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
        "  - {sphere: {radius: 1, at: [3, 0, 0], material: rock}}\nbonds: [{" SPRING ", pairs: [[1, 2]]}]\n");
}

static void a_pair_of_bodies_that_can_never_exist_is_reported_before_the_run(void **state)
{
    (void)state;
    static const char late[] =
        "run:\n  - {steps: 1}\n  - {steps: 2, bonds: [{" SPRING ", pairs: [[1, 3]]}]}\n";
    scree_trial_assert_text_refused(SCREE_TRIAL_RUN,
                                    "scene.yaml:9:89: there is no body 3, and no insertion adds one",
                                    SPHERES "%srecord: []\n", late);
    // an insertion could add it
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE,
        SPHERES "insert: [{shape: {sphere: {radius: 1 mm}}, material: rock, rate: {bodies: "
                "1}, inside: {box: [[0, 1, 0], [1, 2, 1]]}}]\n"
                "run:\n  - {steps: 1}\n  - {steps: 2, bonds: [{" SPRING ", pairs: [[1, 3]]}]}\nrecord: []\n");
    struct scree_world *world;
    struct scree_engine *engine;
    assert_int_equal(scree_scene_build(trial.scene, 1, &world, &engine), SCREE_OK);
    assert_int_equal(scree_scene_check(trial.scene, world, engine, NULL), SCREE_OK);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_trial_free(&trial);
}

// The bond between two spheres of the mass m has the stiffness k, so they vibrate at sqrt(2 k / m): a step
// above 2 / sqrt(2 k / m) is not stable.
static void a_forecast_includes_the_bonds_that_stages_would_make(void **state)
{
    (void)state;
    static const char *const gaps[] = {"1 mm", "3 mm"};
    const double mass = 2500 * 4.0 / 3 * acos(-1) * 1e-9, limit = 2 / sqrt(2 * 1e5 / mass);
    for (int g = 0; g < 2; ++g) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "scree: 1\nmaterials: {rock: {density: 2500}}\n"
            "contacts: [{between: [any, any], law: linear, stiffness: 1e3, restitution: 0.5, friction: 0}]\n"
            "bodies:\n"
            "  - {sphere: {radius: 1 mm, at: [0, 0, 0], material: rock}}\n"
            "  - {sphere: {radius: 1 mm, at: [4 mm, 0, 0], material: rock}}\n"
            "run:\n  - {for: 1 ms}\n  - {for: 1 ms, bonds: [{" SPRING ", gap: %s}]}\n"
            "  - {for: 1 ms, remove-bonds: [{between: [any, any]}]}\nrecord: []\n",
            gaps[g]);
        struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
        struct scree_scene_forecast forecast[3];
        struct scree_world *world;
        struct scree_engine *engine;
        if (scree_scene_build(trial.scene, 1, &world, &engine) != SCREE_OK ||
            scree_scene_foresee(trial.scene, world, engine, forecast, 3) != SCREE_OK)
            fail_msg("%s", scree_trial_message(&trial));
        assert_true(!forecast[0].makes_bonds && forecast[1].makes_bonds && !forecast[2].makes_bonds);
        assert_true(forecast[1].bonds == (uint64_t)g);
        assert_true(forecast[0].step[0] > limit && forecast[2].step[0] == forecast[0].step[0]);
        if (g == 1)
            assert_true(forecast[1].step[0] < limit && forecast[1].limit.kind == SCREE_LIMIT_BOND);
        else
            assert_true(forecast[1].step[0] == forecast[0].step[0]);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
        scree_trial_free(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_without_pairs_warns_and_goes_on),
        cmocka_unit_test(a_rigid_body_without_grains_cannot_be_bonded),
        cmocka_unit_test(a_pair_of_bodies_that_can_never_exist_is_reported_before_the_run),
        cmocka_unit_test(a_forecast_includes_the_bonds_that_stages_would_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
