// The time profile of a run (engine/profile.h): parts add up to the total, and measured steps represent the
// others. References: the clock, and times that the test has set.

#include "engine/profile.h"

#include <scree/scree.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char balls[] =
    "scree: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
    "bodies: [fill: {shape: {sphere: {radius: 2 mm}}, count: 300, material: glass, arrange: cubic,\n"
    "         inside: {box: [[0, 0, 0], [4 cm, 4 cm, 10 cm]]}, velocity: [0.1, 0.2, 0]}]\n"
    "walls: [box: {lower: [0, 0, 0], upper: [4 cm, 4 cm, 1], material: glass}]\n"
    "engine: {soft: {step: 2 us}}\n";

static const char cubes[] =
    "scree: 1\n"
    "materials: {stone: {density: 2500}}\n"
    "polyhedra: {die: {box: [1 cm, 1 cm, 1 cm], rounding: 1 mm}}\n"
    "contacts: [{between: [any, any], law: linear, stiffness: 100 kN/m, friction: 0.5, restitution: 0.7}]\n"
    "bodies:\n"
    "  - polyhedron: {shape: die, at: [0, 0, 0], material: stone}\n"
    "  - polyhedron: {shape: die, at: [0, 0, 9.99 mm], material: stone}\n"
    "engine: {soft: {step: 2 us}}\n";

static void build(const char *text, struct scree_scene **scene, struct scree_world **world,
                  struct scree_engine **engine)
{
    if (scree_scene_read("text", text, strlen(text), NULL, scene) != SCREE_OK ||
        scree_scene_build(*scene, 1, world, engine) != SCREE_OK)
        fail_msg("%s", scree_status_message());
}

static void parts_add_up_to_the_total_and_work_is_assigned_to_its_part(void **state)
{
    (void)state;
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_profile profile;
    build(balls, &scene, &world, &engine);
    assert_int_equal(scree_engine_profile(engine, &profile), SCREE_OK);
    assert_true(profile.total == 0 && profile.steps == 0);
    const double start = scree_clock_now();
    assert_int_equal(scree_engine_run(engine, 200), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, 100), SCREE_OK);
    const double elapsed = scree_clock_now() - start;
    assert_int_equal(scree_engine_profile(engine, &profile), SCREE_OK);
    assert_int_equal(profile.steps, 300);
    assert_true(profile.total > 0 && profile.total <= elapsed);
    double sum = 0;
    for (size_t part = 0; part < SCREE_PROFILE_PARTS; ++part) {
        assert_true(profile.seconds[part] >= 0);
        sum += profile.seconds[part];
    }
    // about a dozen terms, each rounded once
    assert_true(sum > (1 - 1e-14) * profile.total && sum < (1 + 1e-14) * profile.total);
    assert_true(profile.seconds[SCREE_PROFILE_LISTS] > 0 && profile.seconds[SCREE_PROFILE_WALLS] > 0 &&
                profile.seconds[SCREE_PROFILE_MOTION] > 0);
    assert_true(profile.seconds[SCREE_PROFILE_POLYHEDRA] == 0);
    assert_true(profile.seconds[SCREE_PROFILE_CALLBACKS] == 0 && profile.seconds[SCREE_PROFILE_RECORDS] == 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_scene_free(scene);
}

static scree_status busy_wait(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    for (const double start = scree_clock_now(); scree_clock_now() - start < 1e-3;)
        ;
    return SCREE_OK;
}

static void contacts_of_polyhedra_are_a_part(void **state)
{
    (void)state;
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_profile profile;
    build(cubes, &scene, &world, &engine);
    assert_int_equal(scree_engine_run(engine, 1000), SCREE_OK);
    assert_int_equal(scree_engine_profile(engine, &profile), SCREE_OK);
    assert_true(profile.seconds[SCREE_PROFILE_POLYHEDRA] > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_scene_free(scene);
}

static void the_time_of_callbacks_is_assigned_to_them(void **state)
{
    (void)state;
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_profile profile;
    build(balls, &scene, &world, &engine);
    assert_int_equal(scree_engine_set_callback(engine, SCREE_POINT_TIME, busy_wait, NULL, NULL), SCREE_OK);
    // every callback takes 1 ms; the first step of a run is always measured
    assert_int_equal(scree_engine_run(engine, 34), SCREE_OK);
    assert_int_equal(scree_engine_profile(engine, &profile), SCREE_OK);
    assert_true(profile.total > 34e-3);
    assert_true(profile.seconds[SCREE_PROFILE_CALLBACKS] > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_scene_free(scene);
}

static void times_are_scaled_from_the_measured_steps(void **state)
{
    (void)state;
    struct scree_profile_watch watch = {.total = 8, .steps = 3};
    struct scree_profile profile;
    watch.part[SCREE_PROFILE_SEARCH] = 1;
    watch.part[SCREE_PROFILE_LISTS] = 3;
    scree_profile_report(&watch, &profile);
    assert_true(profile.seconds[SCREE_PROFILE_SEARCH] == 2 && profile.seconds[SCREE_PROFILE_LISTS] == 6);
    assert_true(profile.total == 8 && profile.steps == 3);
}

static void rare_work_is_measured_fully_and_the_rest_is_scaled(void **state)
{
    (void)state;
    struct scree_profile_watch watch = {.total = 8, .last = 100};
    struct scree_profile profile;
    watch.part[SCREE_PROFILE_LISTS] = 1;
    watch.part[SCREE_PROFILE_MOTION] = 2;
    watch.occasional[SCREE_PROFILE_SEARCH] = 5;
    scree_profile_report(&watch, &profile);
    assert_true(profile.seconds[SCREE_PROFILE_SEARCH] == 5);
    assert_true(profile.seconds[SCREE_PROFILE_LISTS] == 1 && profile.seconds[SCREE_PROFILE_MOTION] == 2);
    // outside a run no time is added
    scree_profile_add(&watch, SCREE_PROFILE_SEARCH, scree_clock_now() - 3);
    assert_true(watch.occasional[SCREE_PROFILE_SEARCH] == 5);
    watch.running = true;
    // time added directly is not time of the part that is running
    scree_profile_add(&watch, SCREE_PROFILE_SEARCH, scree_clock_now() - 3);
    assert_true(watch.occasional[SCREE_PROFILE_SEARCH] >= 8 && watch.last >= 103);
}

static void some_steps_are_measured_and_represent_the_others(void **state)
{
    (void)state;
    static const struct {
        size_t bodies;
        int period;
    } rows[] = {{1, 997}, {100, 149}, {100000, 17}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_profile_watch watch = {0};
        int samples = 0;
        for (int step = 0; step < 10 * rows[r].period; ++step) {
            scree_profile_step(&watch, rows[r].bodies);
            assert_true(!watch.sampled || watch.weight == rows[r].period);
            samples += watch.sampled;
        }
        assert_int_equal(samples, 10);
        assert_int_equal(watch.steps, 10 * rows[r].period);
    }
}

static void every_part_has_a_name_and_a_description(void **state)
{
    (void)state;
    for (size_t part = 0; part < SCREE_PROFILE_PARTS; ++part) {
        assert_true(scree_profile_name(part)[0]);
        assert_true(scree_profile_about(part)[0]);
    }
    assert_null(scree_profile_name(SCREE_PROFILE_PARTS));
    assert_null(scree_profile_about(SCREE_PROFILE_PARTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up_to_the_total_and_work_is_assigned_to_its_part),
        cmocka_unit_test(contacts_of_polyhedra_are_a_part),
        cmocka_unit_test(the_time_of_callbacks_is_assigned_to_them),
        cmocka_unit_test(times_are_scaled_from_the_measured_steps),
        cmocka_unit_test(rare_work_is_measured_fully_and_the_rest_is_scaled),
        cmocka_unit_test(some_steps_are_measured_and_represent_the_others),
        cmocka_unit_test(every_part_has_a_name_and_a_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
