// Rules with the built-in laws: which material properties they require, rolling and twisting resistance,
// lever arms compared with closed forms, and the limit on contact classes.

#include "contact/interaction.h"
#include "support/worlds.h"

#include <scree/contact.h>

#include <stdio.h>

enum { GLASS = 1, STEEL };

// A world of spheres of two materials that have all properties.
static struct scree_world *make_world(void)
{
    static const char *const names[] = {"glass", "steel"};
    struct scree_world *world = scree_test_empty_world();
    scree_material_id id;
    scree_body_id body;
    for (unsigned m = 0; m < 2; ++m) {
        assert_ok(scree_material_add(world, &(struct scree_material_def){names[m], 1000}, &id));
        assert_int_equal(id.value, GLASS + m);
        assert_ok(scree_material_set(world, id, "young", 10 * (m + 1)));
        assert_ok(scree_material_set(world, id, "poisson", 0.1 * (m + 1)));
        assert_ok(
            scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = id}, &body));
    }
    return world;
}

static scree_status add(struct scree_world *world, uint64_t a, uint64_t b, const char *law, size_t count,
                        const struct scree_interaction_value *values)
{
    return scree_interaction_add(world, &(struct scree_interaction_def){{{a}, {b}}, law, values, count});
}

// Rules for copper without any property, and the property that is missing first.
static const struct {
    const char *law;
    const char *missing; // the missing property; null for none
    struct scree_interaction_value values[5];
} property_cases[] = {
    {"linear", NULL, {{"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"stiffness", 1e3, NULL}}},
    {"hertz", "young", {{"restitution", 1, NULL}}},
    {"hertz", NULL, {{"restitution", 1, NULL}, {"stiffness", 1e3, NULL}}},
    {"hertz-mindlin", "young", {{"friction", 0.3, NULL}, {"restitution", 1, NULL}}},
    {"hertz-mindlin", NULL, {{"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"stiffness", 1, NULL}}},
    {"hertz-mindlin-secant", "young", {{"friction", 0.3, NULL}, {"restitution", 1, NULL}}},
    {"hertz-mindlin-secant",
     NULL,
     {{"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"stiffness", 1, NULL}}},
    {"linear-cohesion", "young", {{"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"cohesion", 1, NULL}}},
    {"linear-cohesion",
     NULL,
     {{"friction", 0.3, NULL}, {"damping-normal", 1, NULL}, {"stiffness", 1, NULL}, {"cohesion", 1, NULL}}},
    {"plastic", NULL, {{"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"stiffness", 1e3, NULL}}},
    {"jkr", "young", {{"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"work-of-adhesion", 1, NULL}}},
};

// A law lists the properties that it may use; which of them it uses depends on its parameters.
static void a_property_is_required_only_if_it_is_used(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof property_cases / sizeof property_cases[0]; ++k) {
        struct scree_world *world = make_world();
        struct scree_law_classes classes = {0};
        scree_material_id copper;
        scree_body_id body;
        size_t count = 0;
        while (property_cases[k].values[count].name)
            ++count;
        assert_ok(scree_material_add(world, &(struct scree_material_def){"copper", 9000}, &copper));
        assert_ok(
            scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = copper}, &body));
        assert_ok(add(world, copper.value, 0, property_cases[k].law, count, property_cases[k].values));
        assert_ok(add(world, 0, 0, "none", 0, NULL));
        if (!property_cases[k].missing)
            assert_ok(scree_interaction_resolve(world, &classes));
        else
            for (int round = 0; round < 2; ++round) {
                char words[128];
                snprintf(words, sizeof words,
                         "law '%s' between 'glass' and 'copper': material 'copper' has no '%s'",
                         property_cases[k].law, round ? "poisson" : property_cases[k].missing);
                assert_refused(SCREE_ERROR_MISSING, words, scree_interaction_resolve(world, &classes));
                assert_ok(scree_material_set(world, copper, "young", 1e6));
            }
        // a rigid material needs no Poisson's ratio
        assert_ok(scree_material_set(world, copper, "young", INFINITE));
        assert_ok(scree_interaction_clear(world));
        assert_ok(add(world, copper.value, copper.value, "none", 0, NULL));
        assert_ok(add(world, 0, 0, property_cases[k].law, count, property_cases[k].values));
        assert_ok(scree_interaction_resolve(world, &classes));
        scree_interaction_free(&classes);
        scree_world_destroy(world);
    }
}

static void resistance_without_a_tangential_stiffness_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        struct scree_interaction_value values[5];
    } cases[] = {
        {"hertz", {{"restitution", 1, NULL}, {"rolling-friction", 0.1, NULL}}},
        {"hertz", {{"restitution", 1, NULL}, {"twisting-friction", 0.1, NULL}}},
        {"linear",
         {{"friction", 0.1, NULL},
          {"restitution", 1, NULL},
          {"stiffness", 1e3, NULL},
          {"stiffness-tangential", 0, NULL},
          {"rolling-friction", 0.1, NULL}}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        struct scree_world *world = make_world();
        struct scree_law_classes classes = {0};
        char words[128];
        const size_t count = k < 2 ? 2 : 5;
        assert_ok(add(world, STEEL, GLASS, cases[k].law, count, cases[k].values));
        assert_ok(add(world, 0, 0, cases[k].law, count - 1, cases[k].values));
        snprintf(words, sizeof words,
                 "law '%s' between 'glass' and 'steel': rolling and twisting resistance need", cases[k].law);
        assert_refused(SCREE_ERROR_ARGUMENT, words, scree_interaction_resolve(world, &classes));
        scree_world_destroy(world);
    }
}

// The tangential stiffness does not depend on the overlap, or is proportional to its square root.
static void resistance_gets_the_exponent_of_the_stiffness(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {{"friction", 0.3, NULL},
                                                            {"restitution", 1, NULL},
                                                            {"stiffness", 1e3, NULL},
                                                            {"rolling-friction", 0.1, NULL}};
    static const char *const laws[] = {"linear", "plastic", "hertz-mindlin", "hertz-mindlin-secant"};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; ++k) {
        struct scree_world *world = make_world();
        struct scree_law_class class;
        assert_ok(add(world, 0, 0, laws[k], 4, values));
        assert_ok(scree_interaction_pair(world, GLASS, STEEL, &class));
        // half of the exponent 0 or 1/2, up to the round-off of a logarithm
        assert_true(fabs(class.constants[SCREE_LAW_CONSTANTS + 4] - (k < 2 ? 0 : 0.25)) < 1e-15);
        scree_world_destroy(world);
    }
}

// Two spinning spheres of radius 1 that overlap by 0.1, one of them 0.1 deep in a wall: moments are
// proportional to the lever arms.
static void lever_arms_end_at_the_contact_or_equal_the_radii(void **state)
{
    (void)state;
    for (int radii = 0; radii < 2; ++radii) {
        struct scree_world *world = scree_test_empty_world();
        struct scree_engine *engine;
        struct scree_contact contact[3];
        scree_material_id id;
        scree_body_id body;
        scree_wall_id wall;
        size_t count;
        assert_ok(scree_material_add(world, &(struct scree_material_def){"glass", 1000}, &id));
        for (int k = 0; k < 2; ++k)
            assert_ok(scree_body_add_sphere(
                world,
                &(struct scree_sphere_def){
                    .radius = 1, .material = id, .position = {0, 0, 0.9 + 1.9 * k}, .spin = {0, k, 0}},
                &body));
        assert_ok(scree_wall_add(
            world,
            &(struct scree_wall_def){
                .shape = SCREE_WALL_PLANE, .material = id, .plane.normal = {0, 0, 1}, .velocity = {0, 1, 0}},
            &wall));
        const struct scree_interaction_value values[] = {
            {"friction", 0.5, NULL}, {"stiffness", 1e6, NULL}, {"damping", 10, NULL}, {"arms", 0, "radius"}};
        assert_ok(add(world, 0, 0, "linear", radii ? 4 : 3, values));
        assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5}, &engine));
        assert_ok(scree_engine_run(engine, 0));
        // the force is along x between the spheres, of which the upper one spins at 1 rad/s, and along y at
        // the moving wall
        const double arm_between = radii ? 1 : 0.95, arm_at_wall = radii ? 1 : 0.9, force = 10 * arm_between;
        const struct scree_wrench *wrench = scree_world_wrenches(world);
        // two contacts, and quanta of at most 2^-44 of the largest force, for overlaps up to 0.1 m
        const double rounded = 2 * 0x1p-45 * 1e6 * 0.1;
        assert_true(fabs(fabs(wrench[0].force[0]) - force) < rounded);
        assert_true(fabs(fabs(wrench[0].moment[1]) - arm_between * force) < rounded);
        assert_true(fabs(fabs(wrench[1].moment[1]) - arm_between * force) < rounded);
        assert_true(fabs(wrench[0].force[1] - 10) < rounded);
        assert_true(fabs(fabs(wrench[0].moment[0]) - arm_at_wall * 10) < rounded);
        // the point is in the middle of the overlap in both cases, or on the wall
        assert_ok(scree_contact_list(world, contact, 3, &count));
        assert_int_equal(count, 2);
        assert_true(fabs(contact[0].point[2] - 1.85) < 1e-14 && fabs(contact[1].point[2]) < 1e-14);
        assert_true(fabs(contact[0].force[0] - wrench[0].force[0]) < 1e-12);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// 22 materials make 253 pairs; a 23rd material would add 23 more.
static void more_than_254_contact_classes_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_interaction_value values[] = {
        {"friction", 0, NULL}, {"restitution", 1, NULL}, {"stiffness", 1e3, NULL}};
    for (unsigned m = 1; m <= 23; ++m) {
        char name[16];
        scree_material_id id;
        scree_body_id body;
        snprintf(name, sizeof name, "m%u", m);
        assert_ok(scree_material_add(world, &(struct scree_material_def){name, 1000}, &id));
        const struct scree_sphere_def ball = {.radius = 1, .material = id, .position = {3.0 * m}};
        assert_ok(scree_body_add_sphere(world, &ball, &body));
        for (unsigned other = 1; other <= m; ++other) {
            values[0].number += 0.001;
            assert_ok(add(world, m, other, "linear", 3, values));
        }
        if (m == 22) {
            assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-3}, &engine));
            assert_ok(scree_engine_run(engine, 1));
            scree_engine_destroy(engine);
        }
    }
    assert_refused(SCREE_ERROR_LIMIT, "more than 254 different contact classes (law and constants)",
                   scree_soft_create(world, &(struct scree_soft_def){.step = 1e-3}, &engine));
    assert_non_null(strstr(scree_status_message(), "the same properties and parameters"));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_property_is_required_only_if_it_is_used),
        cmocka_unit_test(resistance_without_a_tangential_stiffness_is_refused),
        cmocka_unit_test(resistance_gets_the_exponent_of_the_stiffness),
        cmocka_unit_test(lever_arms_end_at_the_contact_or_equal_the_radii),
        cmocka_unit_test(more_than_254_contact_classes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
