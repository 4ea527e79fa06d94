// Bonds in scenes that find no pair in a stage, and bodies that cannot be bonded.

#include "support/trial.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_without_pairs_warns_and_goes_on),
        cmocka_unit_test(a_rigid_body_without_grains_cannot_be_bonded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
