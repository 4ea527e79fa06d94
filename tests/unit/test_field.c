// Fields added at run time behave like built-in ones: they grow, are sorted, stored and viewed. Edits of
// fields enter the energy ledger, and are refused if they make the world inconsistent.

#include "support/worlds.h"

#include <math.h>

enum { BODIES = 300 };

static struct scree_world *make_bodies(unsigned count)
{
    struct scree_world *world;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = count, .oriented = true}, &world));
    return world;
}

static double *column(struct scree_world *world, const char *name)
{
    struct scree_view view;
    void *data;
    assert_ok(scree_field_edit(world, name, &view, &data));
    assert_int_equal(view.stride, view.width * sizeof(double));
    return (double *)data;
}

static const uint64_t *ids(const struct scree_world *world)
{
    struct scree_view view;
    assert_ok(scree_field_view(world, "body.id", &view));
    return (const uint64_t *)view.base;
}

static const struct scree_field_def heat_field = {.entity = "body",
                                                  .name = "heat",
                                                  .type = SCREE_F64,
                                                  .width = 2,
                                                  .unit = "K",
                                                  .flags = SCREE_PERSISTED,
                                                  .about = "Two temperatures."};
static const struct scree_field_def shade_field = {.entity = "body",
                                                   .name = "shade",
                                                   .type = SCREE_F64,
                                                   .width = 1,
                                                   .flags = SCREE_DERIVED,
                                                   .about = "Colour."};

// Writes the id of each body into its row.
static void write_ids(struct scree_world *world)
{
    double *values = column(world, "body.heat");
    for (size_t i = 0; i < scree_body_count(world); ++i) {
        values[2 * i] = (double)ids(world)[i];
        values[2 * i + 1] = -1;
    }
}

static void assert_ids_in_rows(const struct scree_world *world)
{
    struct scree_view view;
    assert_ok(scree_field_view(world, "body.heat", &view));
    for (size_t i = 0; i < view.count; ++i) {
        const double *row = (const double *)(const void *)((const char *)view.base + i * view.stride);
        if (row[1] != 0)
            assert_true(row[0] == (double)ids(world)[i] && row[1] == -1);
    }
}

static void a_field_added_later_follows_its_bodies_through_growth_removal_and_sorting(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(BODIES);
    assert_ok(scree_field_add(world, &heat_field));
    write_ids(world);
    // growth: several reallocations
    for (unsigned i = 0; i < 3 * BODIES; ++i)
        (void)scree_test_sphere(world);
    assert_ids_in_rows(world);
    for (uint64_t id = 1; id <= BODIES; id += 3)
        assert_ok(scree_body_remove(world, (scree_body_id){id}));
    assert_ids_in_rows(world);
    uint64_t keys[4 * BODIES], seed = 3;
    const size_t count = scree_body_count(world);
    assert_true(count < 4 * BODIES);
    for (size_t i = 0; i < count; ++i)
        keys[i] = splitmix_next(&seed) % 50;
    const struct scree_digest before = scree_test_digest(world);
    assert_ok(scree_world_sort(world, keys, count));
    assert_ids_in_rows(world);
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void sorting_orders_slots_by_key_and_is_stable(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(BODIES);
    uint64_t keys[BODIES], before[BODIES], key_of[BODIES + 1], seed = 5;
    memcpy(before, ids(world), sizeof before);
    for (size_t i = 0; i < BODIES; ++i)
        key_of[before[i]] = keys[i] = splitmix_next(&seed) % 7 << 40;
    assert_ok(scree_world_sort(world, keys, BODIES));
    for (size_t i = 1; i < BODIES; ++i) {
        const uint64_t a = ids(world)[i - 1], b = ids(world)[i];
        // ids were ascending, so equal keys keep ascending ids
        assert_true(key_of[a] < key_of[b] || (key_of[a] == key_of[b] && a < b));
    }
    scree_world_destroy(world);
}

static void a_sort_needs_one_key_for_each_body(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(3);
    const uint64_t keys[4] = {0};
    assert_refused(SCREE_ERROR_ARGUMENT, "got 4 keys for 3", scree_world_sort(world, keys, 4));
    assert_refused(SCREE_ERROR_ARGUMENT, "got 0 keys for 3", scree_world_sort(world, NULL, 0));
    scree_world_destroy(world);
    world = scree_test_empty_world();
    assert_ok(scree_world_sort(world, NULL, 0));
    scree_world_destroy(world);
}

static void the_digest_includes_persisted_fields_and_no_derived_ones(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(5);
    assert_ok(scree_field_add(world, &heat_field));
    assert_ok(scree_field_add(world, &shade_field));
    // an edit marks forces as outdated, which is state; so both compared worlds were edited
    write_ids(world);
    const struct scree_digest with_ids = scree_test_digest(world);
    assert_refused(SCREE_ERROR_ARGUMENT, "computed from other fields",
                   scree_field_edit(world, "body.shade", &(struct scree_view){0}, &(void *){NULL}));
    struct scree_view view;
    assert_ok(scree_field_view(world, "body.shade", &view));
    ((double *)(uintptr_t)view.base)[2] = 8;
    assert_true(scree_test_digests_equal(with_ids, scree_test_digest(world)));
    column(world, "body.heat")[5] = 3;
    assert_false(scree_test_digests_equal(with_ids, scree_test_digest(world)));
    column(world, "body.heat")[5] = -1;
    assert_true(scree_test_digests_equal(with_ids, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void an_entity_added_later_has_rows_and_ids_and_enters_the_digest(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    assert_ok(scree_field_add_entity(world, "spring"));
    const struct scree_digest empty = scree_test_digest(world);
    assert_ok(scree_field_add(world, &(struct scree_field_def){.entity = "spring",
                                                               .name = "length",
                                                               .type = SCREE_F64,
                                                               .width = 1,
                                                               .unit = "m",
                                                               .flags = SCREE_PERSISTED,
                                                               .about = "Length at rest."}));
    assert_true(scree_test_digests_equal(empty, scree_test_digest(world)));
    uint64_t id[100];
    for (uint64_t i = 0; i < 100; ++i) {
        assert_ok(scree_field_add_row(world, "spring", &id[i]));
        assert_int_equal(id[i], i + 1);
        column(world, "spring.length")[i] = (double)id[i];
    }
    const struct scree_digest full = scree_test_digest(world);
    assert_false(scree_test_digests_equal(empty, full));
    assert_ok(scree_field_remove_row(world, "spring", 40));
    assert_refused(SCREE_ERROR_MISSING, "no spring with id 40", scree_field_remove_row(world, "spring", 40));
    assert_refused(SCREE_ERROR_MISSING, "it never existed", scree_field_remove_row(world, "spring", 4000));
    assert_ok(scree_field_add_row(world, "spring", &id[0]));
    assert_int_equal(id[0], 101);
    struct scree_view values, names;
    assert_ok(scree_field_view(world, "spring.length", &values));
    assert_ok(scree_field_view(world, "spring.id", &names));
    assert_int_equal(values.count, 100);
    for (size_t i = 0; i + 1 < 100; ++i)
        assert_true(((const double *)values.base)[i] == (double)((const uint64_t *)names.base)[i]);
    assert_true(((const double *)values.base)[99] == 0);
    assert_false(scree_test_digests_equal(full, scree_test_digest(world)));
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void the_digest_does_not_depend_on_the_order_in_which_fields_were_added(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    struct scree_field_def other = heat_field;
    other.name = "glow";
    for (int w = 0; w < 2; ++w) {
        struct scree_world *world = make_bodies(5);
        assert_ok(scree_field_add(world, w ? &heat_field : &other));
        assert_ok(scree_field_add(world, w ? &other : &heat_field));
        column(world, "body.heat")[3] = 1;
        column(world, "body.glow")[3] = 2;
        digest[w] = scree_test_digest(world);
        scree_world_destroy(world);
    }
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
}

static void equal_rows_of_different_entities_have_different_digests(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    static const char *const names[] = {"spring", "string"};
    for (int w = 0; w < 2; ++w) {
        struct scree_world *world = scree_test_empty_world();
        uint64_t id;
        assert_ok(scree_field_add_entity(world, "spring"));
        assert_ok(scree_field_add_entity(world, "string"));
        assert_ok(scree_field_add_row(world, names[w], &id));
        digest[w] = scree_test_digest(world);
        scree_world_destroy(world);
    }
    assert_false(scree_test_digests_equal(digest[0], digest[1]));
}

static void rows_of_built_in_entities_are_added_by_their_own_functions_only(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(2);
    static const char *const names[] = {"body", "grain", "material", "engine"};
    for (size_t e = 0; e < 4; ++e) {
        uint64_t id;
        assert_refused(SCREE_ERROR_ARGUMENT, names[e], scree_field_add_row(world, names[e], &id));
        assert_refused(SCREE_ERROR_ARGUMENT, names[e], scree_field_remove_row(world, names[e], 1));
        assert_refused(SCREE_ERROR_ARGUMENT, "already", scree_field_add_entity(world, names[e]));
    }
    uint64_t id;
    assert_refused(SCREE_ERROR_MISSING, "no entity 'moon'", scree_field_add_row(world, "moon", &id));
    assert_refused(SCREE_ERROR_MISSING, "no entity", scree_field_add_row(world, NULL, &id));
    scree_world_destroy(world);
}

static void invalid_definitions_of_fields_are_refused_and_named(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(2);
    const size_t count = scree_field_count(world);
    const struct {
        struct scree_field_def def;
        scree_status status;
        const char *word;
    } cases[] = {
        {{NULL, "a", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_MISSING, "no entity"},
        {{"moon", "a", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_MISSING, "moon"},
        {{"body", NULL, SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "name"},
        {{"body", "", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "name"},
        {{"body", "Heat", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "Heat"},
        {{"body", "7up", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "7up"},
        {{"body", "a.b", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "a.b"},
        {{"body", "a234567890123456789012345678901x", SCREE_F64, 1, NULL, 0, 0, 1, "A."},
         SCREE_ERROR_ARGUMENT,
         "31"},
        {{"body", "position", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "already"},
        {{"body", "id", SCREE_F64, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "already"},
        {{"body", "a", (scree_type)99, 1, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "known type"},
        {{"body", "a", SCREE_F64, 0, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "width 0"},
        {{"body", "a", SCREE_F64, 4000000000u, NULL, 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "4000000000"},
        {{"body", "a", SCREE_F64, 1, "an overlong unit", 0, 0, 1, "A."}, SCREE_ERROR_ARGUMENT, "unit"},
        {{"body", "a", SCREE_F64, 1, NULL, (scree_transform)9, 0, 1, "A."},
         SCREE_ERROR_ARGUMENT,
         "transform"},
        {{"body", "a", SCREE_F64, 1, NULL, 0, (scree_level)99, 1, "A."}, SCREE_ERROR_ARGUMENT, "level"},
        {{"body", "a", SCREE_F64, 1, NULL, 0, 0, 64, "A."}, SCREE_ERROR_ARGUMENT, "flags"},
        {{"body", "a", SCREE_F64, 1, NULL, 0, 0, 5, "A."},
         SCREE_ERROR_ARGUMENT,
         "both persisted and derived"},
        {{"body", "a", SCREE_F64, 1, NULL, 0, 0, 1, NULL}, SCREE_ERROR_ARGUMENT, "description"},
        {{"body", "a", SCREE_F64, 1, NULL, 0, 0, 1, ""}, SCREE_ERROR_ARGUMENT, "description"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        assert_refused(cases[c].status, cases[c].word, scree_field_add(world, &cases[c].def));
    static const char *const names[] = {NULL, "", "Moon", "two words",
                                        "a23456789012345678901234567890123456789012345678901234567890123x"};
    for (size_t n = 0; n < 5; ++n)
        assert_refused(SCREE_ERROR_ARGUMENT, "name", scree_field_add_entity(world, names[n]));
    assert_int_equal(scree_field_count(world), count);
    scree_world_destroy(world);
}

static void unknown_field_names_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(2);
    struct scree_view view;
    assert_refused(SCREE_ERROR_ARGUMENT, "entity.field", scree_field_view(world, NULL, &view));
    assert_refused(SCREE_ERROR_ARGUMENT, "'body'", scree_field_view(world, "body", &view));
    assert_refused(SCREE_ERROR_MISSING, "no entity", scree_field_view(world, ".", &view));
    assert_refused(SCREE_ERROR_MISSING, "no field ''", scree_field_view(world, "body.", &view));
    assert_refused(SCREE_ERROR_MISSING, "no field 'mood'", scree_field_view(world, "body.mood", &view));
    assert_refused(SCREE_ERROR_MISSING, "no entity",
                   scree_field_view(world, "a_name_that_no_entity_can_have_for_its_length.id", &view));
    scree_world_destroy(world);
    world = make_bodies(1);
    assert_refused(SCREE_ERROR_MISSING, "body.pending_force",
                   scree_field_view(world, "body.pending_force", &view));
    scree_world_destroy(world);
}

static void a_view_is_invalid_when_its_version_has_changed(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(20);
    struct scree_view view, now;
    assert_ok(scree_field_view(world, "body.position", &view));
    assert_int_equal(view.count, 20);
    assert_int_equal(view.width, 3);
    assert_int_equal(view.stride, 128);
    assert_int_equal(view.level, SCREE_ON_STEP);
    assert_ok(scree_field_view(world, "body.mass", &now));
    assert_int_equal(now.version, view.version);
    assert_int_equal(now.level, SCREE_TIMELESS);
    (void)scree_test_sphere(world);
    assert_ok(scree_field_view(world, "body.position", &now));
    assert_true(now.version != view.version);
    view = now;
    assert_ok(scree_body_remove(world, (scree_body_id){1}));
    assert_ok(scree_field_view(world, "body.position", &now));
    assert_true(now.version != view.version);
    view = now;
    uint64_t keys[20] = {0};
    assert_ok(scree_world_sort(world, keys, 20));
    assert_ok(scree_field_view(world, "body.position", &now));
    assert_true(now.version != view.version);
    view = now;
    assert_ok(scree_world_reserve(world, 5000));
    assert_ok(scree_field_view(world, "body.position", &now));
    assert_true(now.version != view.version);
    scree_world_destroy(world);
}

static void internal_fields_cannot_be_written(void **state)
{
    (void)state;
    struct scree_world *world = make_bodies(4);
    static const char *const names[] = {"body.id",        "body.kind",           "body.flags",
                                        "body.owner",     "body.part",           "body.material",
                                        "body.half_kick", "material.name",       "material.id",
                                        "engine.steps",   "engine.anchor_steps", "engine.translation"};
    const struct scree_digest before = scree_test_digest(world);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        struct scree_view view;
        void *data;
        assert_refused(SCREE_ERROR_ARGUMENT, names[n], scree_field_edit(world, names[n], &view, &data));
    }
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void an_edit_adds_its_change_of_energy_to_the_energy_input(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    struct scree_view view;
    void *data;
    struct scree_energy energy;
    assert_ok(scree_field_edit(world, "body.velocity", &view, &data));
    ((double *)data)[0] = 3;
    // a second edit while the first is open
    assert_ok(scree_field_edit(world, "body.mass", &view, &data));
    *(double *)data = 2;
    assert_ok(scree_energy_get(world, &energy));
    assert_true(energy.translation == 9 && energy.energy_input == 9 && energy.balance == 0);
    assert_ok(scree_body_remove(world, id));
    assert_ok(scree_energy_get(world, &energy));
    assert_true(energy.energy_input == 0 && energy.balance == 0);
    scree_world_destroy(world);
}

static void assert_close(const double *a, const double *b, double tolerance)
{
    for (int k = 0; k < 3; ++k)
        if (!(fabs(a[k] - b[k]) <= tolerance))
            fail_msg("(%.17g, %.17g, %.17g) is not (%.17g, %.17g, %.17g)", a[0], a[1], a[2], b[0], b[1],
                     b[2]);
}

// Moments 1, 2, 3 about the world axes, so spin and momentum differ in direction.
static void spin_and_momentum_of_a_rigid_body_stay_consistent_in_an_edit(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_body_id id;
    struct scree_body_state body;
    struct scree_view view;
    void *data;
    struct scree_engine *engine;
    assert_ok(scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 2, 3}}, &id));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 1e-6}, world, &engine));
    assert_ok(scree_field_edit(world, "body.spin", &view, &data));
    memcpy(data, (const double[3]){4, 5, 6}, 3 * sizeof(double));
    assert_ok(scree_engine_run(engine, 0));
    assert_ok(scree_body_get(world, id, &body));
    assert_close(body.momentum, (const double[3]){4, 10, 18}, 1e-14);
    assert_ok(scree_field_edit(world, "body.momentum", &view, &data));
    memcpy(data, (const double[3]){1, 1, 1}, 3 * sizeof(double));
    assert_ok(scree_engine_run(engine, 0));
    assert_ok(scree_body_get(world, id, &body));
    assert_close(body.spin, (const double[3]){1, 1 / 2.0, 1 / 3.0}, 1e-15);
    // a quarter turn about z: the spin is kept, and the axes of moments 1 and 2 are exchanged
    assert_ok(scree_field_edit(world, "body.orientation", &view, &data));
    memcpy(data, (const double[4]){0.70710678118654752440, 0, 0, 0.70710678118654752440}, 4 * sizeof(double));
    assert_ok(scree_engine_run(engine, 0));
    assert_ok(scree_body_get(world, id, &body));
    assert_close(body.spin, (const double[3]){1, 1 / 2.0, 1 / 3.0}, 1e-15);
    assert_close(body.momentum, (const double[3]){2, 0.5, 1}, 4e-15);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_value_edited_out_of_its_range_is_reported_with_the_range(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        double value;
        const char *words;
    } cases[] = {{"body.radius", -1, "radius must be from 1e-150 to 1e150 m; it is -1"},
                 {"body.radius", INFINITE, "it is inf"},
                 {"body.mass", 0, "mass must be positive, in kg; it is 0"}};
    for (int c = 0; c < 3; ++c) {
        struct scree_world *world = scree_test_empty_world();
        const struct scree_sphere_def ball = {.radius = 1, .material = scree_test_material(world)};
        struct scree_view view;
        void *data;
        scree_body_id id;
        assert_ok(scree_body_add_sphere(world, &ball, &id));
        assert_ok(scree_field_edit(world, cases[c].field, &view, &data));
        *(double *)data = cases[c].value;
        assert_refused(SCREE_ERROR_NUMBER, cases[c].words, scree_field_commit(world));
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_added_later_follows_its_bodies_through_growth_removal_and_sorting),
        cmocka_unit_test(sorting_orders_slots_by_key_and_is_stable),
        cmocka_unit_test(a_sort_needs_one_key_for_each_body),
        cmocka_unit_test(the_digest_includes_persisted_fields_and_no_derived_ones),
        cmocka_unit_test(an_entity_added_later_has_rows_and_ids_and_enters_the_digest),
        cmocka_unit_test(the_digest_does_not_depend_on_the_order_in_which_fields_were_added),
        cmocka_unit_test(equal_rows_of_different_entities_have_different_digests),
        cmocka_unit_test(rows_of_built_in_entities_are_added_by_their_own_functions_only),
        cmocka_unit_test(invalid_definitions_of_fields_are_refused_and_named),
        cmocka_unit_test(unknown_field_names_are_refused),
        cmocka_unit_test(a_view_is_invalid_when_its_version_has_changed),
        cmocka_unit_test(internal_fields_cannot_be_written),
        cmocka_unit_test(an_edit_adds_its_change_of_energy_to_the_energy_input),
        cmocka_unit_test(spin_and_momentum_of_a_rigid_body_stay_consistent_in_an_edit),
        cmocka_unit_test(a_value_edited_out_of_its_range_is_reported_with_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
