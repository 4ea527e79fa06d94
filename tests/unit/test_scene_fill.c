// Fillings as scenes have them: what they come to, and what is said of those that cannot be.

#include "base/memory.h"

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"                                    \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"               \
    "engine: {soft: {step: 10 us}}\n"
#define FILL(radius, more)                                                                                   \
    HEAD "bodies: [fill: {shape: {sphere: {radius: " radius "}}, material: glass, "                          \
         "inside: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}, " more "}]\n"

static scree_status build(const char *text, struct scree_scene **scene, struct scree_world **world,
                          struct scree_engine **engine)
{
    *world = NULL;
    *engine = NULL;
    scree_status status = scree_scene_read("scene.yaml", text, strlen(text), NULL, scene);
    if (status == SCREE_OK)
        status = scree_scene_build(*scene, 1, world, engine);
    return status;
}

static struct scree_world *build_world(const char *text)
{
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    if (build(text, &scene, &world, &engine) != SCREE_OK)
        fail_msg("%s",
                 scene && scree_scene_mistakes(scene) ? scree_scene_mistakes(scene) : scree_status_message());
    scree_engine_destroy(engine);
    scree_scene_free(scene);
    return world;
}

static void sieve_curves_and_classes_are_read(void **state)
{
    (void)state;
    struct scree_world *world =
        build_world(FILL("{classes: [[1 mm, 40 %], [2 mm, 60 %]], by: mass}", "count: 900"));
    size_t small = 0;
    for (uint64_t id = 1; id <= 900; ++id) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        assert_true(body.radius == 1e-3 || body.radius == 2e-3);
        small += body.radius == 1e-3;
    }
    scree_world_destroy(world);
    // 0.4 / 0.475 of the number are small; six deviations of a binomial of 900
    assert_true(fabs((double)small / 900 - 0.4 / 0.475) < 6 * sqrt(0.842 * 0.158 / 900));
    world = build_world(FILL("{sieve: [[2 mm, 0 %], [3 mm, 35 %], [6 mm, 100 %]]}", "count: 200"));
    for (uint64_t id = 1; id <= 200; ++id) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        assert_true(body.radius >= 1e-3 && body.radius <= 3e-3);
    }
    scree_world_destroy(world);
}

static void fillings_that_cannot_be_are_told_at_their_place(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {FILL("{sieve: [[1 mm, 0 %], [1 mm, 100 %]]}", "count: 1"),
         "scene.yaml:5:64: the opening of each sieve is larger than the one before"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 60 %], [3 mm, 40 %], [4 mm, 100 %]]}", "count: 1"),
         "what passes a sieve passes a larger one too"},
        {FILL("{sieve: [[1 mm, 5 %], [2 mm, 100 %]]}", "count: 1"),
         "a sieve curve begins with the sieve that nothing passes, 0 %"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 90 %]]}", "count: 1"),
         "a sieve curve ends with a sieve that all passes, 100 %"},
        {FILL("{sieve: [[1 mm, 100 %]]}", "count: 1"), "a sieve curve has two sieves or more"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 100 kg]]}", "count: 1"),
         "'a share' is a number without a unit, and this is in kg"},
        {FILL("{sieve: [[1 mm, 0 %], [2 s, 100 %]]}", "count: 1"), "'sieve' is in m, and this is in s"},
        {FILL("{sieve: [1 mm, 2 mm]}", "count: 1"), "'sieve' is a list of pairs of a number and a share"},
        {FILL("{sieve: [[1 mm, 0 %], [2 mm, 100 %]], limits: [1 mm, 2 mm]}", "count: 1"),
         "a table has its own limits"},
        {FILL("{classes: [[1 mm, 30 %], [2 mm, 60 %]]}", "count: 1"),
         "the shares of all classes come to 100 %, not to 90 %"},
        {FILL("{classes: [[2 mm, 30 %], [1 mm, 70 %]]}", "count: 1"),
         "each radius is larger than the one before"},
        {FILL("{classes: [[1 nm, 30 %], [1, 70 %]]}", "count: 1"),
         "the largest radius is at most 1e+06 times the smallest"},
        {FILL("{classes: [[1 mm, 30 %], [1, 130 %]]}", "count: 1"), "'a share' is from 0 to 1, not 1.3"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_scene *scene;
        struct scree_world *world;
        struct scree_engine *engine;
        const scree_status status = build(rows[r][0], &scene, &world, &engine);
        if (status != SCREE_ERROR_ARGUMENT || !strstr(scree_scene_mistakes(scene), rows[r][1]))
            fail_msg("'%s': %s", rows[r][1],
                     scene && scree_scene_mistakes(scene) ? scree_scene_mistakes(scene) : "no mistake");
        scree_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sieve_curves_and_classes_are_read),
        cmocka_unit_test(fillings_that_cannot_be_are_told_at_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
