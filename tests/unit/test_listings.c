// Listings for the help: units have their documented values, and laws and materials are listed with their
// names and parameters.

#include "text/quantity.h"

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void every_listed_unit_has_its_documented_value(void **state)
{
    (void)state;
    struct scree_scene_unit unit;
    struct scree_quantity quantity;
    struct scree_parse_error error;
    size_t count = 0;
    bool pascal = false;
    for (; scree_scene_unit_at(count, &unit); ++count) {
        char text[64];
        snprintf(text, sizeof text, "1 %s", unit.symbol);
        assert_true(scree_quantity_read(text, strlen(text), &quantity, &error));
        // a value given by a division has at most one rounding
        assert_true(fabs(quantity.value / unit.factor - 1) < 1e-15);
        if (strcmp(unit.base, "a plain number") != 0)
            assert_true(scree_dimension_equal(quantity.dimension, scree_quantity_dimension(unit.base)));
        snprintf(text, sizeof text, "1 k%s", unit.symbol);
        assert_true(scree_quantity_read(text, strlen(text), &quantity, &error) == unit.prefixed);
        pascal = pascal || (strcmp(unit.symbol, "Pa") == 0 && strcmp(unit.base, "kg/(m s^2)") == 0);
    }
    assert_true(pascal && count > 20);
    assert_false(scree_scene_unit_at(count + 1, &unit));
}

static void laws_are_listed_with_their_parameters(void **state)
{
    (void)state;
    const struct scree_contact_law *law;
    const struct scree_law_parameter *extra;
    size_t laws = 0, extras = 0;
    bool hertz = false, rolling = false;
    for (; (law = scree_law_at(laws)); ++laws) {
        assert_true(law->name[0] && law->about[0] && law->parameters);
        hertz = hertz || strcmp(law->name, "hertz") == 0;
    }
    for (; (extra = scree_law_extra_at(extras)); ++extras) {
        assert_true(extra->name[0] && extra->about[0]);
        rolling = rolling || strcmp(extra->name, "rolling-friction") == 0;
    }
    assert_true(hertz && rolling);
    assert_null(scree_law_at(laws + 1));
    assert_null(scree_law_extra_at(extras + 1));
}

static void materials_are_named(void **state)
{
    (void)state;
    struct scree_world *world;
    scree_material_id id;
    assert_int_equal(scree_world_create(NULL, &world), SCREE_OK);
    assert_int_equal(scree_material_add(world, &(struct scree_material_def){"glass", 2500}, &id), SCREE_OK);
    assert_string_equal(scree_material_name(world, id), "glass");
    assert_null(scree_material_name(world, (scree_material_id){0}));
    assert_null(scree_material_name(world, (scree_material_id){id.value + 1}));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_listed_unit_has_its_documented_value),
        cmocka_unit_test(laws_are_listed_with_their_parameters),
        cmocka_unit_test(materials_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
