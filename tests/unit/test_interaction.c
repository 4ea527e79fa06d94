// Contact rules: which law applies to which materials, mistakes in rules, and the constants that follow
// from them. A law of this test shows its parameters as constants.

#include "contact/interaction.h"
#include "law/law.h"
#include "support/worlds.h"

#include <stdio.h>

// A law that does nothing except expose its constants.
static const char *const modes[] = {"loose", "tight", NULL};
static const struct scree_law_parameter show_parameters[] = {
    {"strength", "N", 1, 10, true, 0, "How strong it is.", NULL},
    {"length", "m", -1, 1, false, 0.25, "How long it is.", NULL},
    {"mode", "", 0, 1, false, 1, "How it is.", modes},
    {"extra", "", 0, 5, false, (double)NAN, "An optional parameter.", NULL},
    {0},
};
static const char *const show_properties[] = {"young", "poisson", NULL};
static const struct scree_law_value show_values[] = {{0}};

static const char *show_prepare(const struct scree_law_pair *pair, double *constants)
{
    memcpy(constants, pair->parameter, 3 * sizeof *constants);
    constants[3] = isnan(pair->parameter[3]) ? -1 : pair->parameter[3];
    constants[4] = pair->property[0][0] * pair->property[0][1];
    constants[5] = pair->property[1][0] + pair->property[1][1];
    return pair->parameter[0] == 9 ? "a strength of 9 is not allowed" : NULL;
}

static double show_range(const double *constants, double radius)
{
    return constants[1] * radius;
}

static struct scree_law_reply show_force(const double *constants, const struct scree_law_contact *contact,
                                         const double *before, double *after)
{
    (void)constants, (void)contact, (void)before, (void)after;
    return (struct scree_law_reply){.stiffness = {0, 1}};
}

static void no_loop(const struct scree_kernel_job *job)
{
    (void)job;
}

#define NO_LOOPS                                                                                             \
    {                                                                                                        \
        {no_loop, no_loop, no_loop, no_loop, no_loop, no_loop, no_loop},                                     \
        {                                                                                                    \
            no_loop, no_loop, no_loop, no_loop, no_loop, no_loop, no_loop                                    \
        }                                                                                                    \
    }

static const struct scree_contact_law show_law = {.version = SCREE_LAW_VERSION,
                                                  .name = "show",
                                                  .about = "Shows its parameters.",
                                                  .parameters = show_parameters,
                                                  .properties = show_properties,
                                                  .values = show_values,
                                                  .dimensions = 1 << 3,
                                                  .prepare = show_prepare,
                                                  .range = show_range,
                                                  .force = show_force,
                                                  .kernel = {NO_LOOPS, NO_LOOPS, NO_LOOPS}};

enum { GLASS = 1, STEEL, WOOD, PAPER };

// A world of spheres of glass and steel; the materials wood and paper are unused.
static struct scree_world *make_world(void)
{
    static const char *const names[] = {"glass", "steel", "wood", "paper"};
    struct scree_world *world = scree_test_empty_world();
    scree_material_id id;
    scree_body_id body;
    for (unsigned m = 0; m < 4; ++m) {
        assert_ok(scree_material_add(world, &(struct scree_material_def){names[m], 1000}, &id));
        assert_int_equal(id.value, GLASS + m);
        assert_ok(scree_material_set(world, id, "young", 10 * (m + 1)));
        assert_ok(scree_material_set(world, id, "poisson", 0.1 * (m + 1)));
    }
    for (unsigned m = GLASS; m <= STEEL; ++m)
        assert_ok(scree_body_add_sphere(
            world, &(struct scree_sphere_def){.radius = 1, .material = {m}, .position = {3.0 * m}}, &body));
    assert_ok(scree_law_register(world, &show_law));
    return world;
}

static scree_status add(struct scree_world *world, uint64_t a, uint64_t b, const char *law, size_t count,
                        const struct scree_interaction_value *values)
{
    return scree_interaction_add(world, &(struct scree_interaction_def){{{a}, {b}}, law, values, count});
}

static scree_status add_show(struct scree_world *world, uint64_t a, uint64_t b, double strength)
{
    return add(world, a, b, "show", 1, &(struct scree_interaction_value){"strength", strength, NULL});
}

static const struct scree_law_class *class_of(const struct scree_law_classes *classes, uint64_t a, uint64_t b)
{
    const uint8_t number = classes->table[a * classes->materials + b];
    assert_int_equal(number, classes->table[b * classes->materials + a]);
    if (number == SCREE_CONTACTS_NO_CLASS)
        return NULL;
    assert_true(number < classes->count);
    return &classes->class[number];
}

static void the_first_rule_that_matches_a_pair_in_either_order_wins(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    assert_ok(add_show(world, STEEL, GLASS, 2));
    assert_ok(add_show(world, GLASS, STEEL, 3));
    assert_ok(add_show(world, 0, STEEL, 4));
    assert_ok(add_show(world, 0, 0, 5));
    assert_int_equal(scree_interaction_count(world), 4);
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_int_equal(classes.count, 3);
    assert_int_equal(classes.materials, 5);
    assert_true(class_of(&classes, GLASS, STEEL)->constants[0] == 2);
    assert_true(class_of(&classes, STEEL, STEEL)->constants[0] == 4);
    assert_true(class_of(&classes, GLASS, GLASS)->constants[0] == 5);
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void a_class_contains_the_constants_that_its_law_prepared(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    const struct scree_interaction_value values[] = {
        {"mode", 0, "loose"}, {"strength", 7, NULL}, {"extra", 5, NULL}, {"length", -0.5, NULL}};
    assert_ok(add(world, GLASS, STEEL, "show", 4, values));
    assert_ok(add_show(world, 0, 0, 1));
    assert_ok(scree_interaction_resolve(world, &classes));
    const struct scree_law_class *found = class_of(&classes, STEEL, GLASS);
    assert_ptr_equal(found->law, &show_law);
    assert_true(found->constants[0] == 7 && found->constants[1] == -0.5 && found->constants[2] == 0);
    // Young's modulus of glass times that of steel, and the sum of their Poisson's ratios
    assert_true(found->constants[3] == 5 && found->constants[4] == 200);
    assert_true(found->constants[5] == 0.1 + 0.2);
    assert_int_equal(found->material[0], GLASS);
    assert_int_equal(found->material[1], STEEL);
    assert_false(found->resists);
    // a parameter that is left out has its default, or is passed as unknown
    const struct scree_law_class *rest = class_of(&classes, GLASS, GLASS);
    assert_true(rest->constants[1] == 0.25 && rest->constants[2] == 1 && rest->constants[3] == -1);
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void every_law_accepts_rolling_and_twisting_resistance(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    const struct scree_interaction_value values[] = {{"strength", 1, NULL},
                                                     {"twisting-friction", 0.3, NULL},
                                                     {"rolling-damping", 0.2, NULL},
                                                     {"rolling-friction", 0.1, NULL}};
    assert_ok(add(world, GLASS, STEEL, "show", 4, values));
    assert_ok(add(world, STEEL, STEEL, "show", 2, values));
    assert_ok(add_show(world, 0, 0, 1));
    assert_refused(SCREE_ERROR_MISSING, "has no effect without 'rolling-friction'",
                   add(world, 0, 0, "show", 3, values));
    assert_ok(scree_interaction_resolve(world, &classes));
    const double *constants = class_of(&classes, GLASS, STEEL)->constants + SCREE_LAW_CONSTANTS;
    assert_true(class_of(&classes, GLASS, STEEL)->resists && class_of(&classes, STEEL, STEEL)->resists);
    assert_true(constants[0] == 0.1 && constants[1] == 0.2 && constants[2] == 0.3 && constants[3] == 0);
    assert_false(class_of(&classes, GLASS, GLASS)->resists);
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void only_properties_of_used_materials_are_required(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    scree_wall_id wall;
    scree_body_id body;
    // without rules there are no contacts, and no properties are required
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_int_equal(classes.count, 0);
    assert_null(class_of(&classes, GLASS, GLASS));
    assert_ok(add_show(world, GLASS, 0, 1));
    assert_refused(SCREE_ERROR_MISSING, "'steel' and 'steel'", scree_interaction_resolve(world, &classes));
    assert_ok(add(world, STEEL, STEEL, "none", 0, NULL));
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_null(class_of(&classes, STEEL, STEEL));
    assert_non_null(class_of(&classes, STEEL, GLASS));
    assert_null(class_of(&classes, WOOD, GLASS));
    // a wall is in contact with bodies, but not with itself or other walls
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = {WOOD}, .plane.normal = {0, 0, 1}};
    assert_ok(scree_wall_add(world, &floor, &wall));
    assert_refused(SCREE_ERROR_MISSING, "'steel' and 'wood'", scree_interaction_resolve(world, &classes));
    // a failure keeps the previous result
    assert_non_null(class_of(&classes, STEEL, GLASS));
    assert_ok(add_show(world, WOOD, STEEL, 2));
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_non_null(class_of(&classes, WOOD, GLASS));
    assert_null(class_of(&classes, WOOD, WOOD));
    assert_ok(
        scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = {WOOD}}, &body));
    assert_refused(SCREE_ERROR_MISSING, "'wood' and 'wood'", scree_interaction_resolve(world, &classes));
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void pairs_of_equal_constants_share_a_class(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_law_classes classes = {0};
    scree_material_id id;
    scree_body_id body;
    char name[32];
    assert_ok(scree_law_register(world, &show_law));
    // these materials have 45,150 pairs; the sum of Poisson's ratios is 0, 0.25 or 0.5
    for (unsigned m = 0; m < 300; ++m) {
        snprintf(name, sizeof name, "grade %u", m);
        assert_ok(scree_material_add(world, &(struct scree_material_def){name, 1000}, &id));
        assert_ok(scree_material_set(world, id, "young", 1));
        assert_ok(scree_material_set(world, id, "poisson", 0.25 * (m % 2)));
        assert_ok(
            scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = id}, &body));
    }
    assert_ok(add_show(world, 0, 0, 1));
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_int_equal(classes.count, 3);
    assert_true(class_of(&classes, 300, 1)->constants[5] == 0.25);
    // now every pair has its own constants
    for (unsigned m = 1; m <= 300; ++m)
        assert_ok(scree_material_set(world, (scree_material_id){m}, "young", m));
    assert_refused(SCREE_ERROR_LIMIT, "254", scree_interaction_resolve(world, &classes));
    assert_int_equal(classes.count, 3);
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void missing_properties_are_named_with_law_and_materials(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    scree_material_id copper;
    scree_body_id body;
    assert_ok(add_show(world, 0, 0, 1));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"copper", 9000}, &copper));
    assert_ok(scree_material_set(world, copper, "young", 1));
    assert_ok(
        scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = copper}, &body));
    assert_refused(SCREE_ERROR_MISSING, "law 'show' between 'glass' and 'copper'",
                   scree_interaction_resolve(world, &classes));
    assert_refused(SCREE_ERROR_MISSING, "'copper' has no 'poisson'",
                   scree_interaction_resolve(world, &classes));
    assert_ok(scree_material_set(world, copper, "poisson", 0.25));
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_ok(scree_interaction_clear(world));
    assert_ok(add_show(world, copper.value, STEEL, 9));
    assert_ok(add_show(world, 0, 0, 1));
    assert_refused(SCREE_ERROR_ARGUMENT,
                   "law 'show' between 'steel' and 'copper': a strength of 9 is not allowed",
                   scree_interaction_resolve(world, &classes));
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void every_mistake_in_a_rule_is_named_and_changes_nothing(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    const struct scree_digest before = scree_test_digest(world);
    const struct scree_interaction_value valid_value = {"strength", 1, NULL};
    const struct {
        struct scree_interaction_value value;
        scree_status status;
        const char *word;
    } values[] = {
        {{"strenght", 2, NULL},
         SCREE_ERROR_ARGUMENT,
         "no parameter 'strenght': the closest name is 'strength'"},
        {{"", 2, NULL},
         SCREE_ERROR_ARGUMENT,
         "known parameters are strength, length, mode, extra, rolling-friction, rolling-damping, "
         "twisting-friction, "
         "twisting-damping, arms"},
        {{NULL, 2, NULL}, SCREE_ERROR_ARGUMENT, "has no name"},
        {{"strength", 2, NULL}, SCREE_ERROR_ARGUMENT, "'strength' of the contact law 'show' is given twice"},
        {{"length", 1.5, NULL}, SCREE_ERROR_ARGUMENT, "must be from -1 to 1 m; got 1.5"},
        {{"length", NOT_A_NUMBER, NULL}, SCREE_ERROR_ARGUMENT, "must be from -1 to 1 m"},
        {{"extra", INFINITE, NULL}, SCREE_ERROR_ARGUMENT, "must be from 0 to 5; got inf"},
        {{"length", 0, "long"}, SCREE_ERROR_ARGUMENT, "a number from -1 to 1 m; got the word 'long'"},
        {{"mode", 0, "losse"}, SCREE_ERROR_ARGUMENT, "cannot be 'losse': the closest word is 'loose'"},
        {{"mode", 0, ""}, SCREE_ERROR_ARGUMENT, "valid words are loose, tight"},
        {{"mode", 1, NULL}, SCREE_ERROR_ARGUMENT, "takes a word: loose, tight; got a number"},
        {{"rolling-friction", -1, NULL},
         SCREE_ERROR_ARGUMENT,
         "'rolling-friction' of the contact law 'show'"},
    };
    for (size_t v = 0; v < sizeof values / sizeof values[0]; ++v) {
        const struct scree_interaction_value both[] = {valid_value, values[v].value};
        assert_refused(values[v].status, values[v].word, add(world, 0, 0, "show", 2, both));
    }
    assert_refused(SCREE_ERROR_MISSING,
                   "law 'show' between 'glass' and 'any material' needs 'strength': How strong it is.",
                   add(world, GLASS, 0, "show", 0, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "needs an array of values", add(world, 0, 0, "show", 1, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "do not touch have no parameters",
                   add(world, 0, 0, "none", 1, &valid_value));
    assert_refused(SCREE_ERROR_ARGUMENT, "'hertz-mindli': the closest name is 'hertz-mindlin'",
                   add(world, 0, 0, "hertz-mindli", 0, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "none, ", add(world, 0, 0, "", 0, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "needs the name", add(world, 0, 0, NULL, 0, NULL));
    assert_refused(SCREE_ERROR_MISSING, "no material with id 7", add_show(world, 0, 7, 1));
    assert_refused(SCREE_ERROR_MISSING, "no material with id 9", add_show(world, 9, 0, 1));
    char endless[5000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = 0;
    assert_refused(SCREE_ERROR_ARGUMENT, "closest", add(world, 0, 0, endless, 0, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "closest",
                   add(world, 0, 0, "show", 1, &(struct scree_interaction_value){endless, 1, NULL}));
    assert_int_equal(scree_interaction_count(world), 0);
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void a_law_for_three_dimensions_is_refused_in_two(void **state)
{
    (void)state;
    struct scree_world *world;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_law_register(world, &show_law));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "'show' is not defined in two dimensions",
                   add_show(world, 0, 0, 1));
    scree_world_destroy(world);
}

static void rules_are_part_of_the_state(void **state)
{
    (void)state;
    struct scree_world *world = make_world(), *other = make_world();
    struct scree_view view;
    assert_ok(add_show(world, GLASS, STEEL, 2));
    assert_ok(add_show(other, GLASS, STEEL, 2));
    assert_true(scree_test_digests_equal(scree_test_digest(world), scree_test_digest(other)));
    assert_ok(add_show(world, 0, 0, 2));
    assert_ok(add_show(other, 0, 0, 3));
    assert_false(scree_test_digests_equal(scree_test_digest(world), scree_test_digest(other)));
    assert_ok(scree_field_view(world, "interaction.law", &view));
    assert_int_equal(view.count, 2);
    assert_string_equal((const char *)view.base, "show");
    scree_world_destroy(world);
    scree_world_destroy(other);
}

static void rules_with_a_law_are_counted_and_can_be_removed_together(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    assert_int_equal(world->contact_laws, 0);
    assert_ok(add(world, GLASS, 0, "none", 0, NULL));
    assert_int_equal(world->contact_laws, 0);
    assert_ok(add_show(world, 0, 0, 2));
    assert_int_equal(world->contact_laws, 1);
    assert_ok(scree_interaction_clear(world));
    assert_int_equal(scree_interaction_count(world), 0);
    assert_int_equal(world->contact_laws, 0);
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static scree_status change_rules(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    assert_refused(SCREE_ERROR_STATE, "inside a step", add_show(world, 0, 0, 2));
    assert_refused(SCREE_ERROR_STATE, "inside a step", scree_interaction_clear(world));
    assert_refused(SCREE_ERROR_STATE, "inside a step", scree_law_register(world, &show_law));
    ++*(int *)user;
    return SCREE_OK;
}

static void rules_cannot_be_changed_inside_a_step(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_callback_id id;
    int called = 0;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-3}, &engine));
    assert_ok(scree_engine_set_callback(engine, 20, change_rules, &called, &id));
    assert_ok(scree_engine_run(engine, 1));
    assert_int_equal(called, 1);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_interaction_range_of_a_world_is_the_largest_of_its_laws(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    const struct scree_interaction_value values[] = {{"strength", 1, NULL}, {"length", 0.75, NULL}};
    assert_ok(add(world, GLASS, STEEL, "show", 2, values));
    assert_ok(add_show(world, 0, 0, 1));
    assert_true(scree_interaction_range(&classes, 2) == 0);
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_true(scree_interaction_range(&classes, 2) == 1.5);
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

static void built_in_laws_use_properties_of_materials(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    const struct scree_contact_law *law;
    size_t laws = 0;
    for (; (law = scree_law_at(laws)); ++laws)
        for (size_t p = 0; law->properties && law->properties[p]; ++p)
            assert_ok(scree_material_set(world, (scree_material_id){GLASS}, law->properties[p], 0.25));
    assert_true(laws > 0);
    scree_world_destroy(world);
}

// Registers a law, adds rules and resolves them.
static scree_status register_and_resolve(struct scree_world **world, struct scree_law_classes *classes)
{
    scree_material_id id;
    scree_body_id body;
    SCREE_TRY(scree_world_create(NULL, world));
    SCREE_TRY(scree_material_add(*world, &(struct scree_material_def){"glass", 1}, &id));
    SCREE_TRY(scree_material_set(*world, id, "young", 1));
    SCREE_TRY(scree_material_set(*world, id, "poisson", 0));
    SCREE_TRY(scree_body_add_sphere(*world, &(struct scree_sphere_def){.radius = 1, .material = id}, &body));
    SCREE_TRY(scree_law_register(*world, &show_law));
    for (int r = 0; r < 40; ++r)
        SCREE_TRY(add_show(*world, 0, 0, 1 + 0.1 * r));
    return scree_interaction_resolve(*world, classes);
}

static void every_failed_allocation_is_reported_and_changes_nothing(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t nth = 1; failed; ++nth) {
        const size_t live = scree_memory_live();
        struct scree_world *world = NULL;
        struct scree_law_classes classes = {0};
        const uint64_t before = scree_memory_count();
        scree_memory_fail_at(nth);
        const scree_status status = register_and_resolve(&world, &classes);
        failed = scree_memory_count() - before >= nth;
        scree_memory_fail_at(0);
        assert_int_equal(status, failed ? SCREE_ERROR_MEMORY : SCREE_OK);
        assert_int_equal(classes.count, failed ? 0 : 1);
        if (world) {
            const size_t rules = scree_interaction_count(world);
            assert_int_equal(world->contact_laws, rules);
            assert_ok(scree_world_validate(world));
            if (rules > 0) {
                assert_ok(add_show(world, 0, 0, 2));
                assert_ok(scree_interaction_resolve(world, &classes));
            }
        }
        // there are more than 60 allocations, since the arrays of rules and classes grow
        assert_true(failed || nth > 60);
        scree_interaction_free(&classes);
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_rule_that_matches_a_pair_in_either_order_wins),
        cmocka_unit_test(a_class_contains_the_constants_that_its_law_prepared),
        cmocka_unit_test(every_law_accepts_rolling_and_twisting_resistance),
        cmocka_unit_test(only_properties_of_used_materials_are_required),
        cmocka_unit_test(pairs_of_equal_constants_share_a_class),
        cmocka_unit_test(missing_properties_are_named_with_law_and_materials),
        cmocka_unit_test(every_mistake_in_a_rule_is_named_and_changes_nothing),
        cmocka_unit_test(a_law_for_three_dimensions_is_refused_in_two),
        cmocka_unit_test(rules_are_part_of_the_state),
        cmocka_unit_test(rules_with_a_law_are_counted_and_can_be_removed_together),
        cmocka_unit_test(rules_cannot_be_changed_inside_a_step),
        cmocka_unit_test(the_interaction_range_of_a_world_is_the_largest_of_its_laws),
        cmocka_unit_test(every_failed_allocation_is_reported_and_changes_nothing),
        cmocka_unit_test(built_in_laws_use_properties_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
