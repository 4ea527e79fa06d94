// Too many bodies: many overlapping bodies are refused before their pairs are listed, and large fillings
// before a body is placed.

#include "support/trial.h"
#include "support/worlds.h"
#include "world/world.h"

#include <stdio.h>

enum { MANY = 20000 };

struct row_of_spheres {
    enum scree_alarm_policy policy;
    double spacing; // along x, m; radii are 0.1 m
    size_t count;
    bool no_contacts; // materials without a contact law
};

static scree_status run_one_step(const struct row_of_spheres *row_of_spheres, size_t *pairs)
{
    static const struct scree_interaction_value values[] = {{.name = "stiffness", .number = 1e4},
                                                            {.name = "friction", .number = 0},
                                                            {.name = "restitution", .number = 1}};
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    struct scree_engine *engine;
    struct scree_soft_def soft = {.step = 1e-6, .threads = 1};
    scree_body_id id;
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = row_of_spheres->no_contacts ? "none" : "linear",
                                               .values = values,
                                               .count = row_of_spheres->no_contacts ? 0 : 3}));
    for (size_t k = 0; k < row_of_spheres->count; ++k) {
        const struct scree_sphere_def def = {
            .radius = 0.1, .position = {(double)k * row_of_spheres->spacing}, .material = material};
        assert_ok(scree_body_add_sphere(world, &def, &id));
    }
    soft.alarms.policy[SCREE_ALARM_OVERLAP] = row_of_spheres->policy;
    assert_ok(scree_soft_create(world, &soft, &engine));
    const scree_status status = scree_engine_run(engine, 1);
    *pairs = world->contacts.candidates;
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status;
}

static void many_overlapping_bodies_are_refused_before_their_pairs_are_listed(void **state)
{
    (void)state;
    size_t pairs;
    assert_refused(SCREE_ERROR_NUMBER, "20000 bodies are within about one diameter",
                   run_one_step(&(struct row_of_spheres){.count = MANY}, &pairs));
    assert_int_equal(pairs, 0);
    // also if overlaps are allowed, because 2e8 pairs need too much memory
    for (int policy = SCREE_ALARM_WARN; policy <= SCREE_ALARM_IGNORE; ++policy) {
        assert_refused(
            SCREE_ERROR_NUMBER, "the limit of the overlap is 1 for more than 1000 bodies at one place",
            run_one_step(&(struct row_of_spheres){.count = MANY, .policy = (enum scree_alarm_policy)policy},
                         &pairs));
        assert_int_equal(pairs, 0);
    }
    // bodies in many cells of the search
    assert_refused(SCREE_ERROR_NUMBER, "overlap by 1.9",
                   run_one_step(&(struct row_of_spheres){.count = MANY, .spacing = 0.002}, &pairs));
    assert_int_equal(pairs, 0);
}

static void a_few_overlaps_raise_the_alarm(void **state)
{
    (void)state;
    size_t pairs;
    assert_refused(SCREE_ERROR_NUMBER, "alarm 'overlap'",
                   run_one_step(&(struct row_of_spheres){.count = 3}, &pairs));
    assert_true(pairs > 0);
}

static void overlaps_that_are_allowed_are_not_refused(void **state)
{
    (void)state;
    size_t pairs;
    assert_ok(run_one_step(&(struct row_of_spheres){.count = 40, .policy = SCREE_ALARM_IGNORE}, &pairs));
    assert_ok(run_one_step(&(struct row_of_spheres){.count = 40, .no_contacts = true}, &pairs));
    // each sphere overlaps its neighbours by 1 mm
    assert_ok(run_one_step(&(struct row_of_spheres){.count = 400, .spacing = 0.199}, &pairs));
    assert_true(pairs >= 399);
}

static void assert_filling_refused(const char *fill, const char *message)
{
    char text[1000];
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    const int length = snprintf(text, sizeof text,
                                "scree: 1\nmaterials: {a: {density: 2500}}\nengine: {soft: {step: 1 us}}\n"
                                "bodies: [fill: {shape: {sphere: {radius: 1 mm}}, material: a, inside: {box: "
                                "[[0, 0, 0], [1, 1, 1]]}, %s}]\n"
                                "run: {for: 1 s}\n",
                                fill);
    const struct scree_scene_def def = {.max_filled = 1000};
    assert_ok(scree_scene_read("fill.yaml", text, (size_t)length, &def, &scene));
    assert_int_equal(scree_scene_build(scene, 1, &world, &engine), SCREE_ERROR_ARGUMENT);
    const char *mistakes = scree_scene_diagnostics(scene);
    if (!mistakes || !strstr(mistakes, message))
        fail_msg("'%s' is not in: %s", message, mistakes ? mistakes : "(nothing)");
    scree_scene_free(scene);
}

static void a_large_filling_is_refused_before_a_body_is_placed(void **state)
{
    (void)state;
    assert_filling_refused("count: 50000000", "5e+07 bodies, but a quick check places at most 1000");
    // 0.4 m^3 divided by the volume of a sphere, 4.18879e-9 m^3
    assert_filling_refused("porosity: 0.6", "about 9.55e+07 bodies");
    assert_filling_refused("arrange: grow, count: 101",
                           "a quick check with `arrange: grow` places at most 100");
    // 1 m^3 divided by the volume of a cell, 8e-9 m^3 or 8e-9 / sqrt(2) m^3
    assert_filling_refused("arrange: cubic", "about 1.25e+08 bodies");
    assert_filling_refused("arrange: hexagonal", "about 1.77e+08 bodies");
}

static void assert_blocks_refused(const char *bodies, const char *message)
{
    char text[1000];
    struct scree_scene *scene;
    struct scree_world *world;
    struct scree_engine *engine;
    const int length = snprintf(text, sizeof text,
                                "scree: 1\nmaterials: {a: {density: 2500}}\nengine: {soft: {step: 1 us}}\n"
                                "bodies:\n%srun: {for: 1 s}\n",
                                bodies);
    const struct scree_scene_def def = {.max_filled = 2000};
    assert_ok(scree_scene_read("blocks.yaml", text, (size_t)length, &def, &scene));
    const scree_status status = scree_scene_build(scene, 1, &world, &engine);
    if (!message) {
        assert_ok(status);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    } else {
        assert_int_equal(status, SCREE_ERROR_ARGUMENT);
        const char *mistakes = scree_scene_diagnostics(scene);
        if (!mistakes || !strstr(mistakes, message))
            fail_msg("'%s' is not in: %s", message, mistakes ? mistakes : "(nothing)");
    }
    scree_scene_free(scene);
}

static void blocks_have_a_smaller_limit_with_their_relaxation(void **state)
{
    (void)state;
#define BLOCKS(keys)                                                                                         \
    "  - blocks: {inside: {box: [[0, 0, 0], [1, 1, 1]]}, material: a, rounding: 1 um, " keys "}\n"
    // a hundredth of 2000
    assert_blocks_refused(BLOCKS("count: 20"), NULL);
    assert_blocks_refused(BLOCKS("count: 21"),
                          "this would cut 21 blocks, but a quick check makes at most 20");
    // 20 * 20 / (20 + 20)
    assert_blocks_refused(BLOCKS("count: 10, relax: 20"), NULL);
    assert_blocks_refused(BLOCKS("count: 11, relax: 20"),
                          "but a quick check with `relax: 20` makes at most 10");
    assert_blocks_refused(BLOCKS("count: 11") BLOCKS("count: 10"),
                          "this would cut 10 blocks beside 11 polyhedra");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_overlapping_bodies_are_refused_before_their_pairs_are_listed),
        cmocka_unit_test(a_few_overlaps_raise_the_alarm),
        cmocka_unit_test(overlaps_that_are_allowed_are_not_refused),
        cmocka_unit_test(a_large_filling_is_refused_before_a_body_is_placed),
        cmocka_unit_test(blocks_have_a_smaller_limit_with_their_relaxation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
