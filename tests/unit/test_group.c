// Groups of bodies and walls: names, members through all operations that move slots, and loads, which are
// compared with the closed form of a compressed ball.

#include "base/memory.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>

static scree_group_id add_group(struct scree_world *world, const char *name)
{
    scree_group_id id;
    assert_ok(scree_group_add(world, name, &id));
    return id;
}

static scree_body_id add_sphere(struct scree_world *world, double x)
{
    const struct scree_sphere_def def = {.radius = 0.1, .material = {1}, .position = {x, 0, 0}};
    scree_body_id id;
    assert_ok(scree_body_add_sphere(world, &def, &id));
    return id;
}

static scree_wall_id add_plane(struct scree_world *world, double z, double normal_z)
{
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {{0, 0, z}, {0, 0, normal_z}}};
    scree_wall_id id;
    assert_ok(scree_wall_add(world, &def, &id));
    return id;
}

static void a_group_is_found_by_its_name(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_group_id found;
    assert_refused(SCREE_ERROR_MISSING, "has no groups", scree_group_find(world, "piston", &found));
    assert_int_equal(scree_group_count(world), 0);
    const scree_group_id piston = add_group(world, "piston"), base = add_group(world, "base");
    assert_int_equal(scree_group_count(world), 2);
    assert_ok(scree_group_find(world, "base", &found));
    assert_true(found.value == base.value && base.value == 2 && piston.value == 1);
    assert_string_equal(scree_group_name(world, piston), "piston");
    assert_null(scree_group_name(world, (scree_group_id){3}));
    assert_null(scree_group_name(world, (scree_group_id){0}));
    assert_refused(SCREE_ERROR_MISSING, "did you mean 'piston'?", scree_group_find(world, "pistn", &found));
    assert_refused(SCREE_ERROR_MISSING, "known groups are piston, base",
                   scree_group_find(world, "left", &found));
    assert_refused(SCREE_ERROR_MISSING, "''", scree_group_find(world, NULL, &found));
    scree_world_destroy(world);
}

static void invalid_groups_are_refused_and_change_nothing(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_material(world);
    const scree_group_id base = add_group(world, "base");
    const scree_body_id body = add_sphere(world, 0);
    const struct scree_digest before = scree_test_digest(world);
    scree_group_id id;
    size_t count;
    assert_refused(SCREE_ERROR_ARGUMENT, "(null)", scree_group_add(world, NULL, &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "name", scree_group_add(world, "", &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "1 to 31 bytes",
                   scree_group_add(world, "12345678901234567890123456789012", &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "'base' already", scree_group_add(world, "base", &id));
    assert_refused(SCREE_ERROR_MISSING, "no group",
                   scree_group_put_body(world, (scree_group_id){2}, body, true));
    assert_refused(SCREE_ERROR_MISSING, "no group",
                   scree_group_put_body(world, (scree_group_id){0}, body, true));
    assert_refused(SCREE_ERROR_MISSING, "no body",
                   scree_group_put_body(world, base, (scree_body_id){9}, true));
    assert_refused(SCREE_ERROR_MISSING, "no wall",
                   scree_group_put_wall(world, base, (scree_wall_id){1}, true));
    assert_refused(SCREE_ERROR_MISSING, "no group",
                   scree_group_bodies(world, (scree_group_id){65}, NULL, 0, &count));
    assert_refused(SCREE_ERROR_MISSING, "no group",
                   scree_group_load(world, (scree_group_id){65}, NULL, NULL, NULL));
    assert_false(scree_group_has_body(world, (scree_group_id){70}, body));
    assert_false(scree_group_has_body(world, (scree_group_id){0}, body));
    assert_false(scree_group_has_body(world, base, (scree_body_id){0}));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void a_world_has_64_groups_and_no_more(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_material(world);
    const scree_body_id body = add_sphere(world, 0);
    char name[16];
    scree_group_id id;
    for (int g = 1; g <= 64; ++g) {
        snprintf(name, sizeof name, "g%d", g);
        id = add_group(world, name);
        assert_int_equal(id.value, g);
        assert_ok(scree_group_put_body(world, id, body, g % 2 == 0));
    }
    for (uint64_t g = 1; g <= 64; ++g)
        assert_int_equal(scree_group_has_body(world, (scree_group_id){g}, body), g % 2 == 0);
    assert_refused(SCREE_ERROR_LIMIT, "at most 64", scree_group_add(world, "g65", &id));
    scree_world_destroy(world);
}

static void membership_follows_ids_not_slots(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_material(world);
    const scree_group_id odd = add_group(world, "odd"), few = add_group(world, "few");
    scree_body_id body[10], listed[10] = {{0}};
    scree_wall_id wall[3], walls[3];
    uint64_t keys[9];
    size_t count;
    for (int k = 0; k < 10; ++k)
        body[k] = add_sphere(world, k);
    for (int k = 0; k < 3; ++k)
        wall[k] = add_plane(world, -k, 1);
    for (int k = 0; k < 10; k += 2)
        assert_ok(scree_group_put_body(world, odd, body[k], true));
    assert_ok(scree_group_put_body(world, few, body[4], true));
    assert_ok(scree_group_put_body(world, odd, body[6], false));
    assert_ok(scree_group_put_wall(world, odd, wall[1], true));
    assert_ok(scree_group_put_wall(world, odd, wall[2], true));
    // slots are reversed; then the last bodies take the slots of removed ones
    for (size_t k = 0; k < 9; ++k)
        keys[k] = 9 - k;
    assert_ok(scree_body_remove(world, body[0]));
    assert_ok(scree_world_sort(world, keys, 9));
    assert_ok(scree_wall_remove(world, wall[0]));
    const scree_body_id late = add_sphere(world, 20);
    assert_ok(scree_group_bodies(world, odd, listed, 10, &count));
    assert_int_equal(count, 3);
    assert_true(listed[0].value == 3 && listed[1].value == 5 && listed[2].value == 9);
    assert_ok(scree_group_bodies(world, odd, listed, 1, &count));
    assert_true(count == 3 && listed[0].value == 3 && listed[1].value == 5);
    assert_ok(scree_group_bodies(world, few, listed, 10, &count));
    assert_true(count == 1 && listed[0].value == 5);
    assert_ok(scree_group_walls(world, odd, walls, 3, &count));
    assert_true(count == 2 && walls[0].value == wall[1].value && walls[1].value == wall[2].value);
    assert_ok(scree_group_walls(world, few, walls, 3, &count));
    assert_int_equal(count, 0);
    assert_true(scree_group_has_body(world, odd, body[4]) && scree_group_has_body(world, few, body[4]));
    assert_false(scree_group_has_body(world, odd, late));
    assert_false(scree_group_has_body(world, odd, body[0]));
    assert_true(scree_group_has_wall(world, odd, wall[1]) && !scree_group_has_wall(world, odd, wall[0]));
    scree_world_destroy(world);
}

static void group_membership_is_state(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_material(world);
    const scree_body_id first = add_sphere(world, 0);
    const scree_wall_id wall = add_plane(world, -1, 1);
    const struct scree_digest none = scree_test_digest(world);
    const scree_group_id base = add_group(world, "base");
    const struct scree_digest named = scree_test_digest(world);
    assert_false(scree_test_digests_equal(none, named));
    // the new column of group masks does not change the digest, its content does
    assert_ok(scree_group_put_body(world, base, first, false));
    assert_true(scree_test_digests_equal(named, scree_test_digest(world)));
    assert_ok(scree_group_put_body(world, base, first, true));
    const struct scree_digest put = scree_test_digest(world);
    assert_false(scree_test_digests_equal(named, put));
    assert_ok(scree_group_put_wall(world, base, wall, true));
    assert_false(scree_test_digests_equal(put, scree_test_digest(world)));
    struct scree_view view;
    assert_ok(scree_field_view(world, "body.groups", &view));
    assert_int_equal(*(const uint64_t *)view.base, 1);
    void *data;
    assert_refused(SCREE_ERROR_ARGUMENT, "read-only", scree_field_edit(world, "body.groups", &view, &data));
    scree_world_destroy(world);
}

// A ball compressed between two planes: each gets a force of k d, and a group of both gets the sum.
static void the_load_of_a_group_is_that_of_its_walls_together(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_material(world);
    const double k = 1000;
    const struct scree_interaction_value values[] = {
        {"friction", 0, NULL}, {"stiffness", k, NULL}, {"damping", 0, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    const scree_body_id ball = add_sphere(world, 0.5);
    assert_ok(scree_body_fix(world, ball, SCREE_FIX_ALL));
    const scree_wall_id floor = add_plane(world, -0.09, 1), lid = add_plane(world, 0.0875, -1);
    const scree_group_id both = add_group(world, "both"), under = add_group(world, "under"),
                         empty = add_group(world, "empty");
    assert_ok(scree_group_put_wall(world, both, floor, true));
    assert_ok(scree_group_put_wall(world, both, lid, true));
    assert_ok(scree_group_put_wall(world, under, floor, true));
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-4, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 0));
    double force[3], moment[3], wall_force[3];
    assert_ok(scree_group_load(world, under, NULL, force, moment));
    assert_ok(scree_wall_load(world, floor, wall_force, NULL));
    assert_true(memcmp(force, wall_force, sizeof wall_force) == 0);
    // rounding of an overlap that is a hundredth of a coordinate of about 0.1
    assert_true(fabs(force[2] + k * 0.01) < 1e-12);
    // about the origin, at an arm of 0.5 along x: m_y = -x f_z
    assert_true(fabs(moment[1] - 0.5 * k * 0.01) < 1e-12);
    assert_ok(scree_group_load(world, both, (const double[3]){0.25, 0, 0}, force, moment));
    assert_true(fabs(force[2] - k * 0.0025) < 1e-12 && force[0] == 0);
    assert_true(fabs(moment[1] + 0.25 * k * 0.0025) < 1e-12);
    assert_ok(scree_group_load(world, empty, NULL, force, moment));
    assert_true(force[2] == 0 && moment[1] == 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_failed_allocation_is_reported_and_leaves_groups_valid(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    for (uint64_t nth = 1;; ++nth) {
        struct scree_world *world = scree_test_empty_world();
        (void)scree_test_material(world);
        const scree_body_id body = add_sphere(world, 0);
        const scree_wall_id wall = add_plane(world, -1, 1);
        const uint64_t before = scree_memory_count();
        scree_group_id id = {1};
        scree_body_id listed;
        size_t count;
        scree_memory_fail_at(nth);
        scree_status status = scree_group_add(world, "base", &id);
        if (status == SCREE_OK)
            status = scree_group_put_body(world, id, body, true);
        if (status == SCREE_OK)
            status = scree_group_put_wall(world, id, wall, true);
        if (status == SCREE_OK)
            status = scree_group_bodies(world, id, &listed, 1, &count);
        const bool failed = scree_memory_count() - before >= nth;
        scree_memory_fail_at(0);
        assert_int_equal(status, failed ? SCREE_ERROR_MEMORY : SCREE_OK);
        assert_ok(scree_world_validate(world));
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
        if (!failed) {
            assert_true(nth > 4);
            break;
        }
    }
}

// --- in scenes

#define SCENE(bodies, walls, rest)                                                                           \
    "scree: 1\nmaterials: {glass: {density: 2500}}\ncontacts: [{between: [any, any], law: none}]\n"          \
    "bodies:\n" bodies "walls:\n" walls "engine: {soft: {step: 1 ms}}\n" rest

static void a_scene_puts_bodies_and_walls_into_groups(void **state)
{
    (void)state;
    static const char text[] =
        SCENE("  - {sphere: {radius: 1, at: [0, 0, 0], material: glass}, group: seed}\n"
              "  - {fill: {shape: {sphere: {radius: 1}}, count: 5, material: glass, arrange: cubic, "
              "inside: {box: [[10, 10, 10], [20, 20, 20]]}}, group: [grains, all]}\n"
              "  - {sphere: {radius: 1, at: [0, 0, 5], material: glass}}\n",
              "  - {plane: {point: [0, 0, -9], normal: [0, 0, 1], material: glass}, group: [base, all]}\n"
              "  - {plane: {point: [0, 0, 99], normal: [0, 0, -1], material: glass}, group: \"seed\"}\n",
              "run: {steps: 1}\n");
    scree_group_id id;
    scree_body_id body;
    size_t count;
    struct scree_world *world = scree_trial_build_text(text);
    assert_int_equal(scree_group_count(world), 4);
    assert_ok(scree_group_find(world, "all", &id));
    assert_ok(scree_group_bodies(world, id, &body, 1, &count));
    assert_true(count == 5 && body.value == 2);
    assert_true(scree_group_has_wall(world, id, (scree_wall_id){1}));
    assert_ok(scree_group_find(world, "seed", &id));
    assert_ok(scree_group_bodies(world, id, &body, 1, &count));
    assert_true(count == 1 && body.value == 1 && scree_group_has_wall(world, id, (scree_wall_id){2}));
    scree_world_destroy(world);
}

static void invalid_groups_of_scenes_are_reported_at_their_position(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"group: {a: b}", "a name or a list of names"},
        {"group: []", "a list of words"},
        {"group: [a, [b]]", "'group' must be a text"},
        {"group: 12345678901234567890123456789012", "1 to 31 bytes"},
    };
    static const char scene[] =
        "scree: 1\nmaterials: {glass: {density: 2500}}\n"
        "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: glass}, %s}]\nrun: {steps: 1}\n";
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][1], scene, rows[r][0]);
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "scene.yaml:3:", scene, rows[r][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_is_found_by_its_name),
        cmocka_unit_test(invalid_groups_are_refused_and_change_nothing),
        cmocka_unit_test(a_world_has_64_groups_and_no_more),
        cmocka_unit_test(membership_follows_ids_not_slots),
        cmocka_unit_test(group_membership_is_state),
        cmocka_unit_test(the_load_of_a_group_is_that_of_its_walls_together),
        cmocka_unit_test(a_failed_allocation_is_reported_and_leaves_groups_valid),
        cmocka_unit_test(a_scene_puts_bodies_and_walls_into_groups),
        cmocka_unit_test(invalid_groups_of_scenes_are_reported_at_their_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
