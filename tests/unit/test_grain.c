// Grains carried by bodies: they are placed by the body, rotate with it, and are removed with it.
// Reference: positions and velocities of a rotated body in closed form.

#include "base/memory.h"
#include "support/worlds.h"
#include "world/grain.h"

#include <math.h>

static struct scree_world *make_carrier(scree_body_id *id)
{
    struct scree_world *world = scree_test_empty_world();
    const struct scree_rigid_def def = {.mass = 2,
                                        .inertia = {1, 1.5, 2},
                                        .position = {1, 2, 3},
                                        .orientation = {1, 0, 0, 1},
                                        .velocity = {1, 0, 0},
                                        .spin = {0, 0, 2}};
    (void)scree_test_sphere(world);
    assert_ok(scree_body_add_rigid(world, &def, id));
    return world;
}

static struct scree_grain *grains(struct scree_world *world)
{
    return (struct scree_grain *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_GRAIN);
}

static void assert_vector(const double *got, double x, double y, double z)
{
    // a rotation by a quaternion is about a dozen operations on numbers of order one
    if (!(fabs(got[0] - x) < 1e-14 && fabs(got[1] - y) < 1e-14 && fabs(got[2] - z) < 1e-14))
        fail_msg("(%.17g, %.17g, %.17g) is not (%g, %g, %g)", got[0], got[1], got[2], x, y, z);
}

static void the_position_of_a_grain_follows_from_its_body(void **state)
{
    (void)state;
    scree_body_id body;
    uint64_t id;
    struct scree_world *world = make_carrier(&body);
    assert_ok(scree_grain_add(world, body, 0.25, (const double[3]){0.5, 0, 1}, &id));
    scree_grain_update_records(world, 0, NULL);
    const struct scree_grain *grain = &grains(world)[0];
    // the body is rotated by 90 degrees about z: its x axis points along y
    assert_vector(grain->position, 1, 2.5, 4);
    assert_vector(grain->velocity, 1 - 2 * 0.5, 0, 0);
    assert_vector(grain->spin, 0, 0, 2);
    assert_true(grain->radius == 0.25 && grain->mass == 2);
    assert_int_equal(grain->part, 1);
    assert_int_equal(grain->kind, SCREE_KIND_SPHERE);
    scree_world_destroy(world);
}

static void grains_follow_their_bodies_through_sorting_and_removal(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_body_id body[20];
    uint64_t id, keys[20], seed = 2;
    const struct scree_rigid_def def = {.mass = 1, .inertia = {1, 1, 1}};
    for (int b = 0; b < 20; ++b)
        assert_ok(scree_body_add_rigid(world, &def, &body[b]));
    for (int g = 0; g < 60; ++g)
        assert_ok(scree_grain_add(world, body[g % 20], 1 + g % 20, (const double[3]){0}, &id));
    for (int k = 0; k < 20; ++k)
        keys[k] = splitmix_next(&seed);
    assert_ok(scree_world_sort(world, keys, 20));
    for (int removed = 0; removed < 20; removed += 2)
        assert_ok(scree_body_remove(world, body[removed]));
    const size_t count = scree_world_entity(world, SCREE_ENTITY_GRAIN)->count;
    assert_int_equal(count, 30);
    unsigned parts = 0;
    scree_grain_update_records(world, 0, NULL);
    for (size_t g = 0; g < count; ++g) {
        const struct scree_grain *grain = &grains(world)[g];
        // the radius of a grain identifies its body
        assert_int_equal(scree_world_ids(world)[grain->owner], (uint64_t)grain->radius);
        parts += grain->part;
    }
    assert_int_equal(parts, 10 * (1 + 2 + 3));
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void read_grains(struct scree_world *world, double position[3])
{
    struct scree_view view;
    assert_ok(scree_field_view(world, "grain.position", &view));
    assert_true(view.base == scree_world_grains(world)[scree_world_bodies(world)].position);
    memcpy(position, view.base, 3 * sizeof *position);
}

// Each allocation also fails once.
static void grain_positions_stay_correct_when_bodies_are_reallocated(void **state)
{
    (void)state;
    scree_body_id body, other;
    uint64_t id;
    double before[3], after[3];
    struct scree_world *world = make_carrier(&body);
    assert_ok(scree_grain_add(world, body, 0.25, (const double[3]){0.5, 0, 1}, &id));
    read_grains(world, before);
    assert_ok(scree_world_reserve(world, 100));
    read_grains(world, after);
    assert_memory_equal(before, after, sizeof before);
    while (scree_body_count(world) < 200) {
        scree_status status = SCREE_ERROR_MEMORY;
        for (uint64_t nth = 1; status != SCREE_OK; ++nth) {
            scree_memory_fail_at(nth);
            status = scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 1, 1}},
                                          &other);
            scree_memory_fail_at(0);
            read_grains(world, after);
            assert_memory_equal(before, after, sizeof before);
        }
    }
    scree_world_destroy(world);
}

static void a_body_with_grains_rotates_in_two_dimensions(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    scree_body_id body;
    uint64_t id;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1, .polar = 1, .spin = {0, 0, 1}},
                                   &body));
    assert_ok(scree_grain_add(world, body, 0.1, (const double[3]){1, 0, 0}, &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "with z = 0",
                   scree_grain_add(world, body, 0.1, (const double[3]){1, 0, 1}, &id));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 1e-3}, world, &engine));
    assert_ok(scree_engine_run(engine, 1000));
    assert_true(fabs(grains(world)[0].position[0] - cos(1.0)) < 1e-12);
    assert_true(fabs(grains(world)[0].position[1] - sin(1.0)) < 1e-12);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void invalid_grains_are_refused(void **state)
{
    (void)state;
    scree_body_id body;
    uint64_t id;
    struct scree_world *world = make_carrier(&body);
    const double origin[3] = {0}, not_finite[3] = {0, NOT_A_NUMBER, 0};
    const struct scree_digest before = scree_test_digest(world);
    assert_refused(SCREE_ERROR_ARGUMENT, "is a sphere or disk",
                   scree_grain_add(world, (scree_body_id){1}, 1, origin, &id));
    assert_refused(SCREE_ERROR_MISSING, "no body with id 9",
                   scree_grain_add(world, (scree_body_id){9}, 1, origin, &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "radius", scree_grain_add(world, body, 0, origin, &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "radius", scree_grain_add(world, body, NOT_A_NUMBER, origin, &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "offset", scree_grain_add(world, body, 1, not_finite, &id));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

// Invalid values that no function accepts, but that an edit or a file can contain.
static void invalid_values_of_grains_are_found_by_validation(void **state)
{
    (void)state;
    static const struct {
        const char *field, *word;
        double value;
    } cases[] = {{"grain.radius", "radius", 0},
                 {"grain.radius", "radius", -0.25},
                 {"grain.radius", "radius", NOT_A_NUMBER},
                 {"grain.radius", "radius", INFINITE},
                 {"grain.offset", "offset", NOT_A_NUMBER},
                 {"grain.offset", "offset", -1e200}};
    scree_body_id body;
    uint64_t id;
    struct scree_view view;
    struct scree_world *world = make_carrier(&body);
    assert_ok(scree_grain_add(world, body, 0.25, (const double[3]){0.5, 0, 1}, &id));
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        double *data;
        assert_ok(scree_field_edit(world, cases[c].field, &view, (void **)&data));
        const double before = *data;
        *data = cases[c].value;
        assert_refused(SCREE_ERROR_NUMBER, cases[c].word, scree_field_commit(world));
        *data = before;
        assert_ok(scree_world_validate(world));
    }
    struct scree_local_grain *local = scree_grain_locals(world);
    const struct scree_local_grain valid = *local;
    local->body = 3;
    assert_refused(SCREE_ERROR_NUMBER, "the body does not exist", scree_world_validate(world));
    local->body = 1;
    assert_refused(SCREE_ERROR_NUMBER, "is a sphere or disk", scree_world_validate(world));
    *local = valid;
    local->part = 0;
    assert_refused(SCREE_ERROR_NUMBER, "65535", scree_world_validate(world));
    *local = valid;
    local->kind = SCREE_KIND_DISK;
    assert_refused(SCREE_ERROR_NUMBER, "dimension", scree_world_validate(world));
    *local = valid;
    local->material = 7;
    assert_refused(SCREE_ERROR_NUMBER, "material", scree_world_validate(world));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_position_of_a_grain_follows_from_its_body),
        cmocka_unit_test(grains_follow_their_bodies_through_sorting_and_removal),
        cmocka_unit_test(grain_positions_stay_correct_when_bodies_are_reallocated),
        cmocka_unit_test(a_body_with_grains_rotates_in_two_dimensions),
        cmocka_unit_test(invalid_grains_are_refused),
        cmocka_unit_test(invalid_values_of_grains_are_found_by_validation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
