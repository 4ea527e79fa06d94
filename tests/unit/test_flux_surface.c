// Flux surfaces: each crossing is counted once, with its direction and position, also across the faces of a
// periodic cell; counts are state. Reference: crossings of straight paths in closed form.

#include "base/memory.h"
#include "support/worlds.h"

static scree_flux_surface_id add_disk(struct scree_world *world, double x, double radius)
{
    scree_flux_surface_id id;
    assert_ok(scree_flux_surface_add(
        world, &(struct scree_flux_surface_def){.centre = {x, 0, 0}, .normal = {2, 0, 0}, .radius = radius},
        &id));
    return id;
}

static scree_body_id add_ball(struct scree_world *world, scree_material_id material, double radius,
                              const double *position, const double *velocity)
{
    scree_body_id id;
    struct scree_sphere_def def = {.radius = radius, .material = material};
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    assert_ok(scree_body_add_sphere(world, &def, &id));
    return id;
}

static struct scree_engine *engine_of(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-3, .threads = 1}, &engine));
    return engine;
}

static void run_with_updates(struct scree_world *world, struct scree_engine *engine, uint64_t updates)
{
    for (uint64_t k = 0; k < updates; ++k) {
        assert_ok(scree_engine_run(engine, 16));
        assert_ok(scree_flux_surface_update(world));
    }
}

// Balls move straight, and each crosses the plane x = 0.3 once or not at all, at a known position.
static void crossings_are_counted_by_their_position(void **state)
{
    (void)state;
    uint64_t seed = 11;
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    double mass[2] = {0};
    uint64_t bodies[2] = {0};
    const double time = 20 * 16e-3;
    for (int b = 0; b < 200; ++b) {
        double position[3], velocity[3];
        for (int k = 0; k < 3; ++k) {
            position[k] = splitmix_signed(&seed);
            velocity[k] = 5 * splitmix_signed(&seed);
        }
        const double radius = 0.01 * (2 + splitmix_signed(&seed));
        const scree_body_id id = add_ball(world, material, radius, position, velocity);
        const double crossing_time = (0.3 - position[0]) / velocity[0];
        const double y = position[1] + crossing_time * velocity[1],
                     z = position[2] + crossing_time * velocity[2];
        struct scree_body_state body;
        assert_ok(scree_body_get(world, id, &body));
        if (crossing_time > 0 && crossing_time < time && y * y + z * z < 0.49) {
            mass[velocity[0] < 0] += body.mass;
            ++bodies[velocity[0] < 0];
        }
    }
    const scree_flux_surface_id flux_surface = add_disk(world, 0.3, 0.7);
    struct scree_engine *engine = engine_of(world);
    run_with_updates(world, engine, 10);
    // the order of bodies in memory changes between two updates
    uint64_t keys[200];
    for (int k = 0; k < 200; ++k)
        keys[k] = splitmix_next(&seed);
    assert_ok(scree_world_sort(world, keys, 200));
    run_with_updates(world, engine, 10);
    struct scree_flux_surface_crossings crossings;
    assert_ok(scree_flux_surface_get(world, flux_surface, &crossings));
    assert_true(bodies[0] > 10 && bodies[1] > 10);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(crossings.bodies[k], bodies[k]);
        assert_true(fabs(crossings.mass[k] - mass[k]) < 1e-12 * mass[k]);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// A rectangle counts crossings within its edges, and a position on the plane is on the side of the normal.
static void a_rectangle_counts_within_its_edges(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    scree_flux_surface_id flux_surface;
    // the normal is first edge x second edge
    const struct scree_flux_surface_def def = {.corner = {1, 1, 0}, .edge = {{2, 0, 0}, {0, 1, 0}}};
    static const double positions[5][3] = {
        {1.5, 1.5, 0}, {2.9, 1.1, 1}, {0.9, 1.5, 1}, {1.5, 2.1, 1}, {2, 1.5, -1}};
    static const double rest[3];
    scree_body_id id[5];
    for (int b = 0; b < 5; ++b)
        id[b] = add_ball(world, material, 0.1, positions[b], rest);
    assert_ok(scree_flux_surface_add(world, &def, &flux_surface));
    for (int b = 0; b < 5; ++b) {
        const double to[3] = {positions[b][0], positions[b][1], positions[b][2] > 0 || b == 0 ? -0.5 : 0};
        assert_ok(scree_body_set_position(world, id[b], to));
    }
    struct scree_flux_surface_crossings crossings;
    assert_ok(scree_flux_surface_update(world));
    assert_ok(scree_flux_surface_update(world));
    assert_ok(scree_flux_surface_get(world, flux_surface, &crossings));
    assert_true(crossings.bodies[0] == 1 && crossings.bodies[1] == 2);
    // a ball added later counts from the next update on
    static const double under[3] = {2, 1.5, -1}, above[3] = {2, 1.5, 1};
    const scree_body_id added_later = add_ball(world, material, 0.1, under, rest);
    assert_ok(scree_body_set_position(world, added_later, above));
    assert_ok(scree_flux_surface_update(world));
    assert_ok(scree_body_set_position(world, added_later, under));
    assert_ok(scree_flux_surface_update(world));
    assert_ok(scree_flux_surface_get(world, flux_surface, &crossings));
    assert_true(crossings.bodies[0] == 1 && crossings.bodies[1] == 3);
    // an oblique crossing counts where the path meets the plane, at a quarter of the path, not at its middle
    static const double high[3] = {1.5, 1.5, 0.5}, out[3] = {5.5, 1.5, -1.5};
    assert_ok(scree_body_set_position(world, added_later, high));
    assert_ok(scree_flux_surface_update(world));
    assert_ok(scree_body_set_position(world, added_later, out));
    assert_ok(scree_flux_surface_update(world));
    assert_ok(scree_flux_surface_get(world, flux_surface, &crossings));
    assert_true(crossings.bodies[0] == 2 && crossings.bodies[1] == 4);
    scree_world_destroy(world);
}

// A ball that goes round a periodic cell crosses once per round, wherever the flux surface is, also on the
// face.
static void a_flux_surface_counts_every_round_through_a_periodic_cell(void **state)
{
    (void)state;
    static const double positions[4] = {0, 0.37, 0.9999, 0.5};
    for (int direction = -1; direction <= 1; direction += 2) {
        struct scree_world *world = scree_test_empty_world();
        const scree_material_id material = scree_test_material(world);
        const struct scree_cell_def cell = {
            .lower = {0, -1, -1}, .upper = {1, 1, 1}, .periodic = {true, true, false}};
        const double position[3] = {0.511, 0.02, 0}, velocity[3] = {direction * 3.0, 0, 0};
        scree_flux_surface_id flux_surface[4];
        assert_ok(scree_cell_set(world, &cell));
        add_ball(world, material, 0.1, position, velocity);
        for (int g = 0; g < 4; ++g)
            flux_surface[g] = add_disk(world, positions[g], 0.1);
        // 3 m/s for 1.6 s: a path of 4.8 periods
        struct scree_engine *engine = engine_of(world);
        run_with_updates(world, engine, 100);
        for (int g = 0; g < 4; ++g) {
            struct scree_flux_surface_crossings crossings;
            double rounds = 0;
            for (int k = -6; k < 7; ++k) {
                const double distance = direction * (positions[g] + k - 0.511);
                rounds += distance > 0 && distance < 4.8;
            }
            assert_ok(scree_flux_surface_get(world, flux_surface[g], &crossings));
            assert_int_equal(crossings.bodies[direction < 0], (uint64_t)rounds);
            assert_int_equal(crossings.bodies[direction > 0], 0);
        }
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

static struct scree_world *periodic_world(void)
{
    struct scree_world *world = scree_test_empty_world();
    const struct scree_cell_def cell = {.upper = {1, 1, 1}, .periodic = {true, true, true}};
    assert_ok(scree_cell_set(world, &cell));
    return world;
}

// Number of crossings of a straight path through the periodic images of a flux surface perpendicular to
// `axis`, within its edges, which are along the axes, or within its radius. The period is 1 m.
static int count_crossings(const double *position, const double *velocity, double time,
                           const struct scree_flux_surface_def *def, int axis)
{
    const double height = position[axis] - (def->radius > 0 ? def->centre[axis] : def->corner[axis]);
    int count = 0;
    for (int n = -20; n <= 20; ++n) {
        const double crossing_time = (n - height) / velocity[axis];
        bool inside = crossing_time > 0 && crossing_time < time;
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            const double coordinate = position[k] + crossing_time * velocity[k],
                         edge = def->edge[0][k] + def->edge[1][k];
            const double low = coordinate - def->corner[k], mid = coordinate - def->centre[k];
            inside = inside && (def->radius > 0 || k == axis || low - floor(low) < edge);
            square += pow(mid - floor(mid + 0.5), 2);
        }
        count += inside && (def->radius == 0 || square < def->radius * def->radius);
    }
    return count;
}

// Images of the surface in all periodic directions count, and a path through overlapping images counts once.
static void a_flux_surface_repeats_with_the_cell(void **state)
{
    (void)state;
    static const struct {
        struct scree_flux_surface_def def;
        int axis;
    } rows[] = {
        {{.corner = {0, 0, 0.2}, .edge = {{1, 0, 0}, {0, 1, 0}}}, 2},
        {{.corner = {0.5, 0.3, 0.2}, .edge = {{1, 0, 0}, {0, 1, 0}}}, 2},
        {{.corner = {-3.5, 7.3, 1.2}, .edge = {{1, 0, 0}, {0, 1, 0}}}, 2},
        {{.corner = {0, 0, 0.2}, .edge = {{2, 0, 0}, {0, 30, 0}}}, 2},
        {{.corner = {0.7, 0.4, -0.2}, .edge = {{0.5, 0, 0}, {0, 0.8, 0}}}, 2},
        {{.corner = {-0.4, 1.4, 0.9}, .edge = {{0, 0.8, 0}, {0, 0, 0.7}}}, 0},
        {{.centre = {0, 0, 1}, .normal = {0, 0, 3}, .radius = 0.4}, 2},
        {{.centre = {0.9, 2.4, 0}, .normal = {1, 0, 0}, .radius = 0.6}, 0},
        {{.centre = {0.3, 0.4, 0.5}, .normal = {0, 1, 0}, .radius = 500}, 1},
    };
    enum { SURFACES = sizeof rows / sizeof rows[0], BALLS = 200 };
    uint64_t seed = 5, expected[SURFACES][2] = {0};
    struct scree_world *world = periodic_world();
    const scree_material_id material = scree_test_material(world);
    scree_flux_surface_id flux_surface[SURFACES];
    for (int b = 0; b < BALLS; ++b) {
        double position[3], velocity[3];
        for (int k = 0; k < 3; ++k) {
            position[k] = 0.5 + 0.5 * splitmix_signed(&seed);
            velocity[k] = 5 * splitmix_signed(&seed);
        }
        add_ball(world, material, 0.01, position, velocity);
        for (size_t g = 0; g < SURFACES; ++g) {
            const bool backwards = velocity[rows[g].axis] < 0;
            expected[g][backwards] +=
                (uint64_t)count_crossings(position, velocity, 0.32, &rows[g].def, rows[g].axis);
        }
    }
    for (size_t g = 0; g < SURFACES; ++g)
        assert_ok(scree_flux_surface_add(world, &rows[g].def, &flux_surface[g]));
    struct scree_engine *engine = engine_of(world);
    run_with_updates(world, engine, 20);
    for (size_t g = 0; g < SURFACES; ++g) {
        struct scree_flux_surface_crossings crossings;
        assert_ok(scree_flux_surface_get(world, flux_surface[g], &crossings));
        for (int k = 0; k < 2; ++k)
            if (expected[g][k] < 20 || crossings.bodies[k] != expected[g][k])
                fail_msg("flux surface %zu, direction %d: %llu instead of %llu", g, k,
                         (unsigned long long)crossings.bodies[k], (unsigned long long)expected[g][k]);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// The surfaces are as wide as the cell, so that their images share edges, through which some balls fall.
static void a_crossing_on_the_edge_of_two_images_counts_once(void **state)
{
    (void)state;
    static const double downward[3] = {0, 0, -1};
    struct scree_world *world = periodic_world();
    const scree_material_id material = scree_test_material(world);
    scree_flux_surface_id flux_surface[30];
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y) {
            const double position[3] = {0.1 * x, 0.1 * y, 0.5};
            add_ball(world, material, 0.01, position, downward);
        }
    for (int g = 0; g < 30; ++g) {
        const double side = g % 3 == 0 ? -1 : 1, shift = 0.1 * g - 1.5;
        const struct scree_flux_surface_def def = {.corner = {shift, 2 * shift, 0.3},
                                                   .edge = {{side, 0, 0}, {0, side, 0}}};
        assert_ok(scree_flux_surface_add(world, &def, &flux_surface[g]));
    }
    struct scree_engine *engine = engine_of(world);
    run_with_updates(world, engine, 20);
    for (int g = 0; g < 30; ++g) {
        struct scree_flux_surface_crossings crossings;
        assert_ok(scree_flux_surface_get(world, flux_surface[g], &crossings));
        assert_true(crossings.bodies[0] == 0 && crossings.bodies[1] == 100);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void counts_of_flux_surfaces_are_state(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id ball = scree_test_sphere(world);
    static const double far[3] = {1, 0, 0}, near[3] = {0, 0, 0};
    const scree_flux_surface_id flux_surface = add_disk(world, 0.5, 1);
    const struct scree_digest before = scree_test_digest(world);
    assert_int_equal(add_disk(world, 0.5, 1).value, flux_surface.value);
    assert_int_equal(scree_flux_surface_count(world), 1);
    assert_ok(scree_flux_surface_update(world));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    for (int k = 0; k < 2; ++k) {
        assert_ok(scree_body_set_position(world, ball, k ? near : far));
        assert_ok(scree_flux_surface_update(world));
    }
    assert_false(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_true(scree_body_remove(world, ball) == SCREE_OK && scree_flux_surface_update(world) == SCREE_OK);
    scree_world_destroy(world);
}

static void invalid_flux_surfaces_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_flux_surface_id id;
    const struct scree_flux_surface_def rows[] = {
        {.radius = 1},
        {.radius = -1, .normal = {1, 0, 0}},
        {.radius = NOT_A_NUMBER, .normal = {1, 0, 0}},
        {.radius = 1, .normal = {1, 0, 0}, .centre = {INFINITE, 0, 0}},
        {.edge = {{1, 0, 0}, {1, 1, 0}}},
        {.edge = {{1, 0, 0}}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_refused(SCREE_ERROR_ARGUMENT, "flux surface", scree_flux_surface_add(world, &rows[r], &id));
    struct scree_world *cell = periodic_world();
    const struct scree_flux_surface_def oblique[] = {
        {.radius = 0.1, .normal = {1, 1, 0}},
        {.radius = 0.1, .normal = {1, 1e-9, 0}},
        {.edge = {{1, 1, 0}, {0, 0, 1}}},
        {.edge = {{1, 1, 0}, {1, -1, 0}}},
    };
    for (size_t r = 0; r < sizeof oblique / sizeof oblique[0]; ++r)
        assert_refused(SCREE_ERROR_ARGUMENT, "parallel or perpendicular to x",
                       scree_flux_surface_add(cell, &oblique[r], &id));
    assert_refused(SCREE_ERROR_ARGUMENT, "periods of the periodic cell",
                   scree_flux_surface_add(
                       cell,
                       &(struct scree_flux_surface_def){.radius = 1, .normal = {1}, .centre = {0, 0, 1e200}},
                       &id));
    assert_int_equal(scree_flux_surface_count(cell), 0);
    // surfaces oblique to y and z are accepted until y becomes periodic
    const struct scree_cell_def one_axis = {.upper = {1, 1, 1}, .periodic = {true, false, false}};
    assert_ok(scree_cell_set(cell, &one_axis));
    assert_ok(scree_flux_surface_add(cell, &(struct scree_flux_surface_def){.radius = 1, .normal = {0, 1, 1}},
                                     &id));
    assert_ok(
        scree_flux_surface_add(cell, &(struct scree_flux_surface_def){.edge = {{0, 1, 1}, {0, 1, -1}}}, &id));
    const struct scree_cell_def two_axes = {.upper = {1, 1, 1}, .periodic = {true, true, false}};
    assert_ok(scree_cell_set(cell, &two_axes));
    assert_refused(SCREE_ERROR_ARGUMENT, "parallel or perpendicular to y", scree_flux_surface_update(cell));
    scree_world_destroy(cell);
    struct scree_flux_surface_crossings crossings;
    assert_refused(SCREE_ERROR_MISSING, "flux_surface",
                   scree_flux_surface_get(world, (scree_flux_surface_id){1}, &crossings));
    const size_t live = scree_memory_live();
    scree_memory_fail_at(1);
    const scree_status status =
        scree_flux_surface_add(world, &(struct scree_flux_surface_def){.edge = {{1, 0, 0}, {0, 1, 0}}}, &id);
    scree_memory_fail_at(0);
    assert_true(status == SCREE_ERROR_MEMORY && scree_memory_live() == live &&
                scree_flux_surface_count(world) == 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings_are_counted_by_their_position),
        cmocka_unit_test(a_rectangle_counts_within_its_edges),
        cmocka_unit_test(a_flux_surface_counts_every_round_through_a_periodic_cell),
        cmocka_unit_test(a_flux_surface_repeats_with_the_cell),
        cmocka_unit_test(a_crossing_on_the_edge_of_two_images_counts_once),
        cmocka_unit_test(counts_of_flux_surfaces_are_state),
        cmocka_unit_test(invalid_flux_surfaces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
