// Walls (scree/wall.h): definitions, queries, refusals, pivots and areas. References: the values that the
// test has set, and geometry in closed form.

#include "base/memory.h"
#include "plate.h"

static bool equal(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; ++k)
        if (a[k] != b[k])
            return false;
    return true;
}

static void a_wall_is_reported_as_it_was_defined(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    struct scree_wall_def def = plate;
    const double pivot[3] = {7, 8, 9}, velocity[3] = {1, 2, 3}, spin[3] = {4, 5, 6};
    memcpy(def.velocity, velocity, sizeof velocity);
    memcpy(def.spin, spin, sizeof spin);
    const struct scree_wall_state default_pivot = state_of(world, add(world, &def));
    def.pivot = pivot;
    const struct scree_wall_state reported = state_of(world, add(world, &def));
    assert_int_equal(default_pivot.shape, SCREE_WALL_RECTANGLE);
    assert_int_equal(default_pivot.material.value, 1);
    assert_true(equal(default_pivot.position, (const double[3]){1.25, 1, 1}, 3));
    assert_true(equal(reported.position, default_pivot.position, 3));
    // the default pivot is the position
    assert_true(equal(default_pivot.pivot, default_pivot.position, 3) && equal(reported.pivot, pivot, 3));
    assert_true(equal(default_pivot.orientation, (const double[4]){1, 0, 0, 0}, 4));
    assert_true(equal(default_pivot.velocity, velocity, 3) && equal(default_pivot.spin, spin, 3));
    scree_world_destroy(world);
}

static void ids_of_walls_are_never_reused(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    struct scree_wall_def def = plate;
    for (uint64_t w = 1; w <= 5; ++w) {
        def.velocity[0] = (double)w;
        assert_int_equal(add(world, &def).value, w);
    }
    assert_ok(scree_wall_remove(world, (scree_wall_id){2}));
    assert_ok(scree_wall_remove(world, (scree_wall_id){5}));
    assert_int_equal(scree_wall_count(world), 3);
    assert_false(scree_wall_exists(world, (scree_wall_id){2}));
    assert_true(scree_wall_exists(world, (scree_wall_id){4}));
    assert_true(state_of(world, (scree_wall_id){4}).velocity[0] == 4);
    assert_int_equal(add(world, &def).value, 6);
    assert_refused(SCREE_ERROR_MISSING, "no wall with id 5: it has been removed",
                   scree_wall_remove(world, (scree_wall_id){5}));
    struct scree_wall_state removed;
    const double zero[3] = {0};
    assert_refused(SCREE_ERROR_MISSING, "no wall with id 9",
                   scree_wall_get(world, (scree_wall_id){9}, &removed));
    assert_refused(SCREE_ERROR_MISSING, "id 0", scree_wall_set_velocity(world, (scree_wall_id){0}, zero));
    assert_refused(SCREE_ERROR_MISSING, "id 2", scree_wall_set_spin(world, (scree_wall_id){2}, zero));
    assert_refused(SCREE_ERROR_MISSING, "id 2", scree_wall_load(world, (scree_wall_id){2}, NULL, NULL));
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

#define PLANE(...)                                                                                           \
    {                                                                                                        \
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = __VA_ARGS__                                     \
    }
#define RECTANGLE(...)                                                                                       \
    {                                                                                                        \
        .shape = SCREE_WALL_RECTANGLE, .material = {1}, .rectangle = __VA_ARGS__                             \
    }
#define DISK(...)                                                                                            \
    {                                                                                                        \
        .shape = SCREE_WALL_DISK, .material = {1}, .disk = __VA_ARGS__                                       \
    }
#define BOX(...)                                                                                             \
    {                                                                                                        \
        .shape = SCREE_WALL_BOX, .material = {1}, .box = __VA_ARGS__                                         \
    }
#define CYLINDER(...)                                                                                        \
    {                                                                                                        \
        .shape = SCREE_WALL_CYLINDER, .material = {1}, .cylinder = __VA_ARGS__                               \
    }
#define CONE(...)                                                                                            \
    {                                                                                                        \
        .shape = SCREE_WALL_CONE, .material = {1}, .cone = __VA_ARGS__                                       \
    }
#define SPHERE(...)                                                                                          \
    {                                                                                                        \
        .shape = SCREE_WALL_SPHERE, .material = {1}, .sphere = __VA_ARGS__                                   \
    }

struct refusal {
    struct scree_wall_def def;
    const char *word;
};

static void assert_all_refused(int dimension, const struct refusal *refusals, size_t count)
{
    struct scree_world *world = make_world(dimension);
    const struct scree_digest before = scree_test_digest(world);
    scree_wall_id id;
    for (size_t r = 0; r < count; ++r)
        assert_refused(refusals[r].def.material.value == 9 ? SCREE_ERROR_MISSING : SCREE_ERROR_ARGUMENT,
                       refusals[r].word, scree_wall_add(world, &refusals[r].def, &id));
    assert_int_equal(scree_wall_count(world), 0);
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void invalid_walls_are_refused_and_change_nothing(void **state)
{
    (void)state;
    const double not_finite[3] = {0, NOT_A_NUMBER, 0};
    const struct refusal refusals[] = {
        {{.shape = (enum scree_wall_shape)0, .material = {1}}, "shape of a wall must be"},
        {{.shape = (enum scree_wall_shape)9, .material = {1}}, "got 9"},
        {{.shape = SCREE_WALL_PLANE, .plane = {.normal = {1}}}, "needs a material"},
        {{.shape = SCREE_WALL_PLANE, .material = {9}, .plane = {.normal = {1}}}, "no material with id 9"},
        {{.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .velocity = {INFINITE}},
         "velocity of a wall must be finite"},
        {{.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .spin = {0, 0, 1e200}},
         "spin of a wall must be finite and at most 1e150 in magnitude; component 2 is 1e+200"},
        {{.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .pivot = not_finite},
         "pivot of a wall must be finite"},
        {PLANE({.point = {0}}), "normal of a plane must not be zero"},
        {PLANE({.normal = {0, NOT_A_NUMBER}}), "normal of a plane must be finite"},
        {PLANE({.point = {0, -INFINITE}, .normal = {1}}), "point of a plane must be finite"},
        {RECTANGLE({.edge = {{1}}}), "length of the second edge of a rectangle must be positive"},
        {RECTANGLE({.edge = {{0}, {1}}}), "length of the first edge"},
        {RECTANGLE({.edge = {{1, 2, 3}, {-2, -4, -6}}}), "perpendicular, but they are parallel"},
        {RECTANGLE({.edge = {{1, 0, 0}, {1, 1, 0}}}), "the cosine of the angle between them is 0.707107"},
        {RECTANGLE({.edge = {{1, 0, 0}, {0, NOT_A_NUMBER, 0}}}), "edge of a rectangle must be finite"},
        {RECTANGLE({.corner = {1e151}, .edge = {{1, 0, 0}, {0, 1, 0}}}), "corner of a rectangle"},
        {DISK({.normal = {1}}), "radius of a disk must be positive"},
        {DISK({.normal = {1}, .radius = -1}), "got -1"},
        {DISK({.normal = {1}, .radius = 1, .hole = 1}), "below the radius of the disk, 1; it is 1"},
        {DISK({.normal = {1}, .radius = 1, .hole = NOT_A_NUMBER}), "hole radius of a disk"},
        {DISK({.normal = {1}, .radius = 1, .hole = -0.5}), "hole radius of a disk"},
        {DISK({.radius = 1}), "normal of a disk must not be zero"},
        {DISK({.centre = {INFINITE}, .normal = {1}, .radius = 1}), "centre of a disk"},
        {BOX({.upper = {1, 1, 1}}), "SCREE_WALL_INSIDE or SCREE_WALL_OUTSIDE; got 0"},
        {BOX({.upper = {1, 1}, .side = SCREE_WALL_INSIDE}), "along z lower and upper are 0 and 0"},
        {BOX({.upper = {1, -1, 1}, .side = SCREE_WALL_INSIDE}), "along y lower and upper are 0 and -1"},
        {BOX({.upper = {1, NOT_A_NUMBER, 1}, .side = SCREE_WALL_INSIDE}), "upper corner of a box must be"},
        {BOX({.lower = {-INFINITE}, .upper = {1, 1, 1}, .side = SCREE_WALL_INSIDE}), "lower corner of a box"},
        {BOX({.upper = {1, 1, 1}, .orientation = {0, 1e-180}, .side = SCREE_WALL_INSIDE}), "unit quaternion"},
        {BOX({.upper = {1, 1, 1}, .orientation = {NOT_A_NUMBER}, .side = SCREE_WALL_INSIDE}), "orientation"},
        {CYLINDER({.to = {1}}), "radius of a cylinder must be positive"},
        {CYLINDER({.radius = 1}), "axis of a cylinder has no length"},
        {CYLINDER({.to = {0, INFINITE}, .radius = 1}), "second end of a cylinder"},
        {CYLINDER({.from = {0, NOT_A_NUMBER}, .radius = 1}), "first end of a cylinder"},
        {CYLINDER({.to = {1}, .radius = INFINITE}), "radius of a cylinder"},
        {CONE({.to = {1}}), "both 0, or not given: at most one may be 0"},
        {CONE({.to = {1}, .radius = {1, -1}}), "got 1 and -1"},
        {CONE({.to = {1}, .radius = {NOT_A_NUMBER, 1}}), "radii of a cone"},
        {CONE({.radius = {1, 2}}), "for a flat ring use a disk"},
        {SPHERE({.radius = 1}), "the side of a sphere that bodies are on"},
        {SPHERE({.radius = 1, .side = (enum scree_wall_side)3}), "got 3"},
        {SPHERE({.side = SCREE_WALL_INSIDE}), "radius of a sphere must be positive"},
        {SPHERE({.centre = {NOT_A_NUMBER}, .radius = 1, .side = SCREE_WALL_INSIDE}), "centre of a sphere"},
    };
    assert_all_refused(3, refusals, sizeof refusals / sizeof refusals[0]);
}

static void walls_in_two_dimensions_must_be_symmetric_about_the_plane(void **state)
{
    (void)state;
    const double above[3] = {0, 0, 1};
    const struct refusal refusals[] = {
        {{.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .velocity = {0, 0, 1}},
         "velocity of a wall must have z = 0"},
        {{.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .spin = {0, 1, 0}},
         "rotates about z only"},
        {{.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .pivot = above},
         "pivot of a wall must lie in the plane z = 0; its z is 1"},
        {PLANE({.normal = {0, 1, 1}}), "normal of a plane must lie in the plane z = 0"},
        {PLANE({.point = {0, 0, 1}, .normal = {1}}), "point of a plane must lie"},
        {RECTANGLE({.edge = {{1, 0, 0}, {0, 1, 0}}}), "a rectangle is a segment"},
        {RECTANGLE({.edge = {{1, 0, 1e-12}, {0, 0, 1}}}), "a rectangle is a segment"},
        {DISK({.normal = {0, 0, 1}, .radius = 1}), "normal of a disk must lie"},
        {DISK({.centre = {0, 0, 1}, .normal = {1}, .radius = 1}), "centre of a disk must lie"},
        {BOX({.upper = {1, 1, 1}, .side = SCREE_WALL_INSIDE}), "upper corner of a box must lie"},
        {BOX({.lower = {0, 0, -1}, .upper = {1, 1}, .side = SCREE_WALL_INSIDE}),
         "lower corner of a box must"},
        {BOX({.upper = {1, 1}, .orientation = {1, 1}, .side = SCREE_WALL_INSIDE}), "rotates about z only"},
        {CYLINDER({.to = {1, 0, 1}, .radius = 1}), "unless it is along z, must lie"},
        {CONE({.to = {1, 0, 1}, .radius = {1, 2}}), "axis of a cone must lie"},
        {CONE({.to = {0, 0, 1}, .radius = {1, 2}}), "for a circle use a cylinder along z"},
        {SPHERE({.centre = {0, 0, 1}, .radius = 1, .side = SCREE_WALL_INSIDE}),
         "centre of a sphere must lie"},
    };
    assert_all_refused(2, refusals, sizeof refusals / sizeof refusals[0]);
}

static void advancing_a_wall_at_rest_changes_no_bit(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    struct scree_wall_def def = plate;
    (void)add(world, &def);
    const struct scree_digest at_rest = scree_test_digest(world);
    for (int s = 0; s < 10; ++s)
        scree_wall_advance(world, 0.1);
    assert_true(scree_test_digests_equal(at_rest, scree_test_digest(world)));
    def.spin[1] = 1;
    (void)add(world, &def);
    const struct scree_digest before = scree_test_digest(world);
    scree_wall_advance(world, 0.1);
    assert_false(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static struct scree_digest digest_of(const struct scree_wall_def *def)
{
    struct scree_world *world = make_world(3);
    scree_material_id other;
    assert_ok(scree_material_add(world, &(struct scree_material_def){"other", 1}, &other));
    if (def)
        (void)add(world, def);
    const struct scree_digest digest = scree_test_digest(world);
    scree_world_destroy(world);
    return digest;
}

static void all_properties_of_a_wall_are_in_the_digest(void **state)
{
    (void)state;
    const double pivot[3] = {1, 2, 3};
    struct scree_wall_def defs[] = {
        BOX({.upper = {1, 2, 3}, .side = SCREE_WALL_INSIDE}),
        BOX({.upper = {1, 2, 3}, .side = SCREE_WALL_OUTSIDE}),
        BOX({.upper = {1, 2, 4}, .side = SCREE_WALL_INSIDE}),
        BOX({.lower = {0, 0, 1}, .upper = {1, 2, 4}, .side = SCREE_WALL_INSIDE}),
        BOX({.upper = {1, 2, 3}, .orientation = {1, 1}, .side = SCREE_WALL_INSIDE}),
        BOX({.upper = {1, 2, 3}, .side = SCREE_WALL_INSIDE}),
        BOX({.upper = {1, 2, 3}, .side = SCREE_WALL_INSIDE}),
        BOX({.upper = {1, 2, 3}, .side = SCREE_WALL_INSIDE}),
        BOX({.upper = {1, 2, 3}, .side = SCREE_WALL_INSIDE}),
        CYLINDER({.to = {0, 0, 1}, .radius = 1}),
        CONE({.to = {0, 0, 1}, .radius = {1, 1}}),
    };
    enum { COUNT = sizeof defs / sizeof defs[0] };
    defs[5].material.value = 2;
    defs[6].velocity[1] = 1;
    defs[7].spin[1] = 1;
    defs[8].pivot = pivot;
    struct scree_digest digest[COUNT + 1];
    digest[COUNT] = digest_of(NULL);
    for (int d = 0; d < COUNT; ++d) {
        digest[d] = digest_of(&defs[d]);
        assert_true(scree_test_digests_equal(digest[d], digest_of(&defs[d])));
    }
    for (int d = 0; d <= COUNT; ++d)
        for (int e = 0; e < d; ++e)
            assert_false(scree_test_digests_equal(digest[d], digest[e]));
}

static void a_wall_without_contacts_has_no_load(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    const scree_wall_id id = add(world, &plate);
    double force[3] = {1, 1, 1}, moment[3] = {1, 1, 1};
    assert_ok(scree_wall_load(world, id, force, moment));
    assert_true(equal(force, (const double[3]){0}, 3) && equal(moment, (const double[3]){0}, 3));
    // the load in its row is published data, not state
    const struct scree_digest digest = scree_test_digest(world);
    memcpy(scree_wall_row(world, 0)->force, (const double[3]){1, 2, 3}, sizeof force);
    memcpy(scree_wall_row(world, 0)->moment, (const double[3]){4, 5, 6}, sizeof moment);
    assert_ok(scree_wall_load(world, id, force, NULL));
    assert_ok(scree_wall_load(world, id, NULL, moment));
    assert_true(equal(force, (const double[3]){0}, 3) && equal(moment, (const double[3]){0}, 3));
    assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
    scree_world_destroy(world);
}

static uint32_t clear_outdated(struct scree_world *world)
{
    const uint32_t flags = scree_world_grains(world)[0].flags;
    scree_world_grains(world)[0].flags = flags & ~(uint32_t)SCREE_FLAG_OUTDATED;
    return flags & SCREE_FLAG_OUTDATED;
}

static void a_change_of_a_wall_between_steps_marks_the_forces_as_outdated(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    const double one[3] = {1, 0, 0};
    scree_body_id body;
    assert_ok(scree_body_add_sphere(world, &(struct scree_sphere_def){.radius = 1, .material = {1}}, &body));
    assert_true(clear_outdated(world));
    assert_false(clear_outdated(world));
    const scree_wall_id id = add(world, &plate);
    assert_true(clear_outdated(world));
    assert_ok(scree_wall_set_velocity(world, id, one));
    assert_true(clear_outdated(world));
    assert_ok(scree_wall_set_spin(world, id, one));
    assert_true(clear_outdated(world));
    assert_ok(scree_wall_remove(world, id));
    assert_true(clear_outdated(world));
    scree_world_destroy(world);
}

static void walls_cannot_be_changed_while_loads_are_evaluated(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    const double one[3] = {1, 0, 0};
    scree_wall_id id = add(world, &plate), other;
    const struct scree_digest before = scree_test_digest(world);
    world->in_load = true;
    assert_refused(SCREE_ERROR_STATE, "use a callback", scree_wall_add(world, &plate, &other));
    assert_refused(SCREE_ERROR_STATE, "use a callback", scree_wall_remove(world, id));
    assert_refused(SCREE_ERROR_STATE, "use a callback", scree_wall_set_velocity(world, id, one));
    assert_refused(SCREE_ERROR_STATE, "use a callback", scree_wall_set_spin(world, id, one));
    world->in_load = false;
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static void invalid_motions_are_refused_and_change_nothing(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        struct scree_world *world = make_world(dimension);
        const struct scree_wall_def line = {
            .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {1}}, .spin = {0, 0, 1}};
        const scree_wall_id id = add(world, &line);
        scree_wall_advance(world, 0.5);
        const struct scree_digest before = scree_test_digest(world);
        const double infinite[3] = {0, INFINITE, 0}, nan[3] = {NOT_A_NUMBER, 0, 0},
                     out_of_plane[3] = {1, 0, 1};
        assert_refused(SCREE_ERROR_ARGUMENT, "velocity", scree_wall_set_velocity(world, id, infinite));
        assert_refused(SCREE_ERROR_ARGUMENT, "spin", scree_wall_set_spin(world, id, nan));
        if (dimension == 2) {
            assert_refused(SCREE_ERROR_ARGUMENT, "must have z = 0; got (1, 0, 1)",
                           scree_wall_set_velocity(world, id, out_of_plane));
            assert_refused(SCREE_ERROR_ARGUMENT, "about z only",
                           scree_wall_set_spin(world, id, out_of_plane));
        }
        assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
        scree_world_destroy(world);
    }
}

static void a_world_can_have_65535_walls(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    scree_wall_id id;
    for (int w = 0; w < UINT16_MAX; ++w)
        assert_ok(scree_wall_add(world, &plate, &id));
    assert_refused(SCREE_ERROR_LIMIT, "at most 65535 walls", scree_wall_add(world, &plate, &id));
    assert_int_equal(scree_wall_count(world), UINT16_MAX);
    scree_world_destroy(world);
}

static void a_failed_allocation_keeps_the_existing_walls(void **state)
{
    (void)state;
    unsigned failures = 0;
    struct scree_world *world = make_world(3);
    for (int w = 0; w < 100; ++w) {
        const struct scree_digest before = scree_test_digest(world);
        scree_wall_id id;
        scree_memory_fail_at(1);
        const scree_status status = scree_wall_add(world, &plate, &id);
        scree_memory_fail_at(0);
        if (status == SCREE_OK)
            continue;
        ++failures;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
        assert_ok(scree_world_validate(world));
        (void)add(world, &plate);
    }
    // rows and ids were reallocated several times
    assert_true(failures >= 4);
    assert_int_equal(scree_wall_count(world), 100);
    scree_world_destroy(world);
}

static void validation_finds_a_wall_that_has_moved_too_far(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    struct scree_wall_def def = plate;
    def.velocity[0] = 1e150;
    (void)add(world, &def);
    assert_ok(scree_world_validate(world));
    scree_wall_advance(world, 1e160);
    assert_refused(SCREE_ERROR_NUMBER, "wall 1: its position or motion is not finite",
                   scree_world_validate(world));
    scree_world_destroy(world);
}

static void flat_walls_report_their_area(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3), *flat = make_world(2);
    struct scree_wall_def ring = {.shape = SCREE_WALL_DISK,
                                  .material = {1},
                                  .disk = {.normal = {0, 1, 1}, .radius = 0.5, .hole = 0.25}};
    double area = 7;
    assert_ok(scree_wall_area(world, add(world, &plate), &area));
    assert_true(area == 2);
    assert_ok(scree_wall_area(world, add(world, &ring), &area));
    assert_true(fabs(area - 3.14159265358979323846 * (0.25 - 0.0625)) < 1e-15);
    const struct scree_wall_def plane = {
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 1, 0}}};
    assert_refused(SCREE_ERROR_UNSUPPORTED, "plane", scree_wall_area(world, add(world, &plane), &area));
    assert_refused(SCREE_ERROR_MISSING, "no wall", scree_wall_area(world, (scree_wall_id){99}, &area));
    struct scree_wall_def segment = plate;
    segment.rectangle = (struct scree_wall_rectangle){{0, 0, 0}, {{2, 0, 0}, {0, 0, 1}}};
    assert_refused(SCREE_ERROR_UNSUPPORTED, "two dimensions",
                   scree_wall_area(flat, add(flat, &segment), &area));
    scree_world_destroy(world);
    scree_world_destroy(flat);
}

// A change of the pivot does not move the wall; later rotation is about the new pivot.
static void a_wall_rotates_about_the_pivot_that_was_set_last(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    const scree_wall_id id = add(world, &plate);
    const double pivot[3] = {1.25, 2, 1}, half_turn = 3.14159265358979323846;
    assert_ok(scree_wall_set_spin(world, id, (const double[3]){0, 0, half_turn}));
    scree_wall_advance(world, 0.5);
    const struct scree_wall_state before = state_of(world, id);
    assert_ok(scree_wall_set_pivot(world, id, pivot));
    const struct scree_wall_state after = state_of(world, id);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(after.position[k] - before.position[k]) < 1e-15 && after.pivot[k] == pivot[k]);
    assert_true(equal(after.velocity, (const double[3]){0}, 3) && after.spin[2] == half_turn);
    assert_true(equal(after.orientation, before.orientation, 4));
    scree_wall_advance(world, 1);
    // a point one below the pivot is one above it after half a turn
    const struct scree_wall_state rotated = state_of(world, id);
    assert_true(fabs(rotated.position[0] - 1.25) < 1e-14 && fabs(rotated.position[1] - 3) < 1e-14);
    assert_refused(SCREE_ERROR_ARGUMENT, "pivot",
                   scree_wall_set_pivot(world, id, (const double[3]){0, INFINITE, 0}));
    struct scree_world *flat = make_world(2);
    struct scree_wall_def segment = plate;
    segment.rectangle = (struct scree_wall_rectangle){{0, 0, 0}, {{2, 0, 0}, {0, 0, 1}}};
    const scree_wall_id segment_id = add(flat, &segment);
    assert_refused(SCREE_ERROR_ARGUMENT, "z = 0",
                   scree_wall_set_pivot(flat, segment_id, (const double[3]){0, 0, 1}));
    scree_world_destroy(world);
    scree_world_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_reported_as_it_was_defined),
        cmocka_unit_test(ids_of_walls_are_never_reused),
        cmocka_unit_test(invalid_walls_are_refused_and_change_nothing),
        cmocka_unit_test(walls_in_two_dimensions_must_be_symmetric_about_the_plane),
        cmocka_unit_test(advancing_a_wall_at_rest_changes_no_bit),
        cmocka_unit_test(all_properties_of_a_wall_are_in_the_digest),
        cmocka_unit_test(a_wall_without_contacts_has_no_load),
        cmocka_unit_test(a_change_of_a_wall_between_steps_marks_the_forces_as_outdated),
        cmocka_unit_test(walls_cannot_be_changed_while_loads_are_evaluated),
        cmocka_unit_test(invalid_motions_are_refused_and_change_nothing),
        cmocka_unit_test(a_world_can_have_65535_walls),
        cmocka_unit_test(a_failed_allocation_keeps_the_existing_walls),
        cmocka_unit_test(validation_finds_a_wall_that_has_moved_too_far),
        cmocka_unit_test(flat_walls_report_their_area),
        cmocka_unit_test(a_wall_rotates_about_the_pivot_that_was_set_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
