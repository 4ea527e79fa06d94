// Worlds (world/world.h): creation, refusals, validation and digests. Reference: the state and the digest
// before each change.

#include "base/memory.h"
#include "support/worlds.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void an_empty_world_is_at_time_zero_in_three_dimensions(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    double gravity[3] = {1, 1, 1};
    scree_world_gravity(world, gravity);
    assert_true(gravity[0] == 0 && gravity[1] == 0 && gravity[2] == 0);
    assert_int_equal(scree_world_dimension(world), 3);
    assert_true(scree_world_time(world) == 0);
    assert_int_equal(scree_world_steps(world), 0);
    assert_int_equal(scree_world_level(world), SCREE_ON_STEP);
    assert_int_equal(scree_body_count(world), 0);
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
    scree_world_destroy(NULL);
}

static void invalid_definitions_are_refused_and_leak_nothing(void **state)
{
    (void)state;
    const struct {
        struct scree_world_def def;
        const char *word;
    } cases[] = {
        {{.dimension = 1}, "got 1"},
        {{.dimension = -3}, "got -3"},
        {{.dimension = 4}, "got 4"},
        {{.gravity = {NOT_A_NUMBER}}, "gravity"},
        {{.gravity = {0, -INFINITE}}, "gravity"},
        {{.gravity = {0, 0, 1e200}}, "gravity"},
        {{.dimension = 2, .gravity = {0, 0, -9.81}}, "z component is -9.81"},
    };
    const size_t live = scree_memory_live();
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct scree_world *world = (struct scree_world *)&world;
        assert_refused(SCREE_ERROR_ARGUMENT, cases[c].word, scree_world_create(&cases[c].def, &world));
        assert_null(world);
    }
    assert_int_equal(scree_memory_live(), live);
    struct scree_world *world = scree_test_empty_world();
    const struct scree_digest before = scree_test_digest(world);
    assert_refused(SCREE_ERROR_ARGUMENT, "gravity",
                   scree_world_set_gravity(world, (const double[3]){0, NOT_A_NUMBER}));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

// Runs in a separate process, because the limit cannot be removed. Exit status 0: refused correctly.
static int reserve_in_little_memory(void)
{
    struct scree_world *world;
    if (scree_test_world_build(&(struct scree_test_world){.bodies = 10}, &world) != SCREE_OK)
        return 2;
    struct scree_digest before, after;
    if (scree_world_digest(world, &before) != SCREE_OK)
        return 2;
    const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    if (scree_world_reserve(world, 1000000000) != SCREE_ERROR_MEMORY ||
        !strstr(scree_status_message(), "memory"))
        return 3;
    if (scree_world_digest(world, &after) != SCREE_OK || after.low != before.low || after.high != before.high)
        return 4;
    if (scree_world_reserve(world, 10000) != SCREE_OK || scree_world_validate(world) != SCREE_OK)
        return 5;
    scree_world_destroy(world);
    return 0;
}

static void a_thousand_million_bodies_in_one_gigabyte_are_refused(void **state)
{
    (void)state;
#ifdef UNDER_SANITIZER
    // the memory of a sanitizer exceeds the limit
    skip();
#endif
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(reserve_in_little_memory());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void more_rows_than_32_bit_slots_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    static const size_t counts[] = {UINT32_MAX, (size_t)UINT32_MAX + 1, SIZE_MAX / 64, SIZE_MAX};
    for (size_t c = 0; c < 4; ++c)
        assert_refused(SCREE_ERROR_LIMIT, "'body'", scree_world_reserve(world, counts[c]));
    assert_ok(scree_world_reserve(world, 0));
    assert_ok(scree_world_reserve(world, 1000));
    (void)scree_test_sphere(world);
    scree_world_destroy(world);
}

// --- validation

static void break_position(struct scree_world *world)
{
    scree_world_grains(world)[1].position[2] = NOT_A_NUMBER;
}

static void break_spin(struct scree_world *world)
{
    scree_world_grains(world)[1].spin[0] = INFINITE;
}

static void break_force(struct scree_world *world)
{
    scree_world_wrenches(world)[1].force[1] = NOT_A_NUMBER;
}

static void break_mass(struct scree_world *world)
{
    scree_world_grains(world)[1].mass = 0;
}

static void break_owner(struct scree_world *world)
{
    scree_world_grains(world)[1].owner = 0;
}

static void break_radius(struct scree_world *world)
{
    scree_world_grains(world)[1].radius = 1;
}

static void break_kind(struct scree_world *world)
{
    scree_world_grains(world)[1].kind = SCREE_KIND_DISK;
    scree_world_grains(world)[1].radius = 1;
}

static void break_orientation(struct scree_world *world)
{
    scree_world_rotors(world)[1].orientation[0] += 1e-6;
}

static void break_momentum(struct scree_world *world)
{
    scree_world_rotors(world)[1].momentum[0] = NOT_A_NUMBER;
}

static void break_inertia(struct scree_world *world)
{
    scree_world_rotors(world)[1].inertia[2] = -1;
}

static void break_id(struct scree_world *world)
{
    scree_world_ids(world)[1] = 1;
}

// Body 2 is a general rigid body in slot 1.
static void validation_finds_every_invalid_value_and_reports_its_body(void **state)
{
    (void)state;
    const struct {
        void (*break_field)(struct scree_world *world);
        const char *word;
    } cases[] = {
        {break_position, "body 2: its position"},
        {break_spin, "body 2: its position, velocity or spin"},
        {break_force, "body 2: the force"},
        {break_mass, "body 2: its mass"},
        {break_owner, "body 2: its grain"},
        {break_radius, "body 2: its radius"},
        {break_kind, "body 2: its kind"},
        {break_orientation, "body 2: its orientation"},
        {break_momentum, "body 2: its angular"},
        {break_inertia, "body 2: a moment of inertia"},
        {break_id, "body with id 1 is not the one"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct scree_world *world;
        assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 4}, &world));
        assert_ok(scree_world_validate(world));
        cases[c].break_field(world);
        assert_refused(SCREE_ERROR_NUMBER, cases[c].word, scree_world_validate(world));
        scree_world_destroy(world);
    }
}

// --- digest

// Changes the lowest bit of each byte of every field of every row: persisted, derived and neutral fields.
static void the_digest_changes_with_every_byte_of_persisted_state_and_with_no_other(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    const struct scree_test_world setup = {.bodies = 3,
                                           .loads = true,
                                           .own_damping = true,
                                           .damping = {0.1, 0.1},
                                           .translation = "leapfrog",
                                           .rotation = "pcdm-leapfrog"};
    assert_ok(scree_test_world_build(&setup, &world));
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_run(engine, 3));
    const struct scree_digest before = scree_test_digest(world);
    for (size_t e = 0; e < world->registry.entities.count; ++e) {
        const struct scree_entity *entity = &world->registry.entities.data[e];
        for (size_t f = 0; f < entity->fields.count; ++f) {
            const struct scree_field *field = &entity->fields.data[f];
            if (!entity->columns.data[field->column].present)
                continue;
            for (size_t row = 0; row < entity->count; ++row)
                for (size_t byte = 0; byte < field->width * scree_field_size(field->type); ++byte) {
                    char *changed = (char *)(uintptr_t)scree_registry_at(entity, field, row) + byte;
                    *changed = (char)(*changed ^ 1);
                    const bool same = scree_test_digests_equal(before, scree_test_digest(world));
                    *changed = (char)(*changed ^ 1);
                    const unsigned stored = field->flags & (SCREE_PERSISTED | SCREE_NEUTRAL);
                    if (same == (stored == SCREE_PERSISTED))
                        fail_msg("byte %zu of '%s.%s' %s", byte, entity->name, field->name,
                                 same ? "does not change the digest" : "changes the digest");
                }
        }
    }
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void an_added_column_of_zeros_does_not_change_the_digest(void **state)
{
    (void)state;
    struct scree_world *world;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 3}, &world));
    const struct scree_digest before = scree_test_digest(world);
    const double zero[3] = {0};
    struct scree_view view;
    assert_int_equal(scree_field_view(world, "body.pending_force", &view), SCREE_ERROR_MISSING);
    assert_ok(scree_body_add_force(world, (scree_body_id){1}, zero, zero));
    assert_ok(scree_field_view(world, "body.pending_force", &view));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_body_add_force(world, (scree_body_id){1}, (const double[3]){1}, NULL));
    assert_false(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void exchanging_two_bodies_changes_the_digest(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    for (int w = 0; w < 2; ++w) {
        struct scree_world *world = scree_test_empty_world();
        const scree_body_id a = scree_test_sphere(world), b = scree_test_sphere(world);
        assert_ok(scree_body_set_position(world, w ? a : b, (const double[3]){1}));
        assert_ok(scree_body_set_position(world, w ? b : a, (const double[3]){2}));
        digest[w] = scree_test_digest(world);
        scree_world_destroy(world);
    }
    assert_false(scree_test_digests_equal(digest[0], digest[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_world_is_at_time_zero_in_three_dimensions),
        cmocka_unit_test(invalid_definitions_are_refused_and_leak_nothing),
        cmocka_unit_test(a_thousand_million_bodies_in_one_gigabyte_are_refused),
        cmocka_unit_test(more_rows_than_32_bit_slots_are_refused),
        cmocka_unit_test(validation_finds_every_invalid_value_and_reports_its_body),
        cmocka_unit_test(the_digest_changes_with_every_byte_of_persisted_state_and_with_no_other),
        cmocka_unit_test(an_added_column_of_zeros_does_not_change_the_digest),
        cmocka_unit_test(exchanging_two_bodies_changes_the_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
