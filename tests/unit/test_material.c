// Materials (scree/material.h): search by name, properties without a value, and invalid definitions.
// Expected values are the values that the test has set.

#include "support/worlds.h"

#include <math.h>
#include <stdio.h>

static void a_material_is_found_by_its_name(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_material_id glass, steel, found;
    double value;
    assert_ok(scree_material_add(world, &(struct scree_material_def){"glass", 2500}, &glass));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"steel", 7800}, &steel));
    assert_ok(scree_material_find(world, "steel", &found));
    assert_int_equal(found.value, steel.value);
    assert_ok(scree_material_get(world, found, "density", &value));
    assert_true(value == 7800);
    assert_refused(SCREE_ERROR_MISSING, "'wood'", scree_material_find(world, "wood", &found));
    assert_refused(SCREE_ERROR_MISSING, "(null)", scree_material_find(world, NULL, &found));
    scree_world_destroy(world);
}

static void a_property_is_unknown_until_it_is_given(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_material_id before = scree_test_material(world), after;
    double value = 17;
    const struct scree_field_def def = {.entity = "material",
                                        .name = "cohesion",
                                        .type = SCREE_F64,
                                        .width = 1,
                                        .flags = SCREE_PERSISTED,
                                        .about = "Cohesion."};
    assert_refused(SCREE_ERROR_MISSING, "'plain' has no 'young' yet",
                   scree_material_get(world, before, "young", &value));
    assert_ok(scree_material_set(world, before, "young", 5e7));
    assert_ok(scree_material_get(world, before, "young", &value));
    assert_true(value == 5e7);
    assert_ok(scree_field_add(world, &def));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"late", 1}, &after));
    value = 17;
    // for a material added before the property, and for one added after it
    assert_refused(SCREE_ERROR_MISSING, "'plain' has no 'cohesion' yet",
                   scree_material_get(world, before, "cohesion", &value));
    assert_refused(SCREE_ERROR_MISSING, "'late' has no 'cohesion' yet",
                   scree_material_get(world, after, "cohesion", &value));
    assert_true(value == 17);
    assert_ok(scree_material_set(world, before, "cohesion", 0));
    assert_ok(scree_material_get(world, before, "cohesion", &value));
    assert_true(value == 0);
    scree_world_destroy(world);
}

static void invalid_materials_and_values_are_refused_and_change_nothing(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id plain = scree_test_material(world);
    const struct scree_digest before = scree_test_digest(world);
    scree_material_id id;
    double value;
    const struct {
        struct scree_material_def def;
        const char *word;
    } defs[] = {
        {{NULL, 1}, "name"},
        {{"", 1}, "name"},
        {{"a name of thirty-two characters.", 1}, "name"},
        {{"plain", 1}, "already"},
        {{"m", 0}, "'density' of material 'm'"},
        {{"m", -1}, "density"},
        {{"m", NOT_A_NUMBER}, "density"},
        {{"m", INFINITE}, "density"},
        {{"m", 1e200}, "density"},
    };
    for (size_t d = 0; d < sizeof defs / sizeof defs[0]; ++d)
        assert_refused(SCREE_ERROR_ARGUMENT, defs[d].word, scree_material_add(world, &defs[d].def, &id));
    const struct {
        const char *name;
        double value;
        scree_status status;
    } sets[] = {
        {"young", 0, SCREE_ERROR_ARGUMENT},
        {"young", NOT_A_NUMBER, SCREE_ERROR_ARGUMENT},
        {"poisson", -1, SCREE_ERROR_ARGUMENT},
        {"poisson", 0.51, SCREE_ERROR_ARGUMENT},
        {"density", -INFINITE, SCREE_ERROR_ARGUMENT},
        {"beauty", 1, SCREE_ERROR_MISSING},
        {"name", 1, SCREE_ERROR_MISSING},
        {"id", 1, SCREE_ERROR_MISSING},
        {NULL, 1, SCREE_ERROR_MISSING},
    };
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; ++s)
        assert_refused(sets[s].status, sets[s].name ? sets[s].name : "(null)",
                       scree_material_set(world, plain, sets[s].name, sets[s].value));
    assert_refused(SCREE_ERROR_MISSING, "no material with id 0",
                   scree_material_set(world, (scree_material_id){0}, "young", 1));
    assert_refused(SCREE_ERROR_MISSING, "no material with id 2",
                   scree_material_get(world, (scree_material_id){2}, "young", &value));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_material_set(world, plain, "poisson", 0.5));
    assert_ok(scree_material_set(world, plain, "poisson", -0.999));
    scree_world_destroy(world);
}

static void only_the_stiffness_of_a_material_may_be_infinite(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id plain = scree_test_material(world);
    const struct scree_field_def def = {
        .entity = "material", .name = "cohesion", .type = SCREE_F64, .width = 1, .about = "Cohesion."};
    double value;
    assert_ok(scree_field_add(world, &def));
    assert_ok(scree_material_set(world, plain, "young", INFINITE));
    assert_ok(scree_material_get(world, plain, "young", &value));
    assert_true(value == INFINITE);
    static const char *const finite[] = {"density", "poisson", "cohesion"};
    for (size_t f = 0; f < 3; ++f)
        assert_refused(SCREE_ERROR_ARGUMENT, finite[f],
                       scree_material_set(world, plain, finite[f], INFINITE));
    assert_refused(SCREE_ERROR_ARGUMENT, "infinite for a rigid material",
                   scree_material_set(world, plain, "young", -INFINITE));
    assert_refused(SCREE_ERROR_ARGUMENT, "at most 1e150, in Pa",
                   scree_material_set(world, plain, "young", 1e200));
    scree_world_destroy(world);
}

static void a_world_can_have_more_than_256_materials(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_material_id id;
    char name[32];
    for (unsigned m = 1; m <= 300; ++m) {
        snprintf(name, sizeof name, "material %u", m);
        assert_ok(scree_material_add(world, &(struct scree_material_def){name, 1}, &id));
        assert_int_equal(id.value, m);
    }
    assert_ok(scree_material_find(world, "material 257", &id));
    assert_int_equal(id.value, 257);
    scree_body_id body;
    struct scree_body_state body_state;
    assert_ok(scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = id}, &body));
    assert_ok(scree_body_get(world, body, &body_state));
    assert_int_equal(body_state.material.value, 257);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_material_is_found_by_its_name),
        cmocka_unit_test(a_property_is_unknown_until_it_is_given),
        cmocka_unit_test(invalid_materials_and_values_are_refused_and_change_nothing),
        cmocka_unit_test(only_the_stiffness_of_a_material_may_be_infinite),
        cmocka_unit_test(a_world_can_have_more_than_256_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
