// The periodic cell: which cells are accepted, how positions are wrapped, and that unwrapped motion is
// continuous. Reference: wrapping in long double, and the same motion without a cell.

#include "base/memory.h"
#include "engine/drift.h"
#include "support/worlds.h"

#include <float.h>
#include <stdio.h>

static const struct scree_cell_def unit = {{0, 0, 0}, {1, 1, 1}, {true, true, true}};

static struct scree_world *make_world(const struct scree_cell_def *cell)
{
    struct scree_world *world = scree_test_empty_world();
    assert_ok(scree_cell_set(world, cell));
    return world;
}

static scree_body_id add_sphere(struct scree_world *world, double x, double y, double z)
{
    scree_material_id material;
    scree_body_id id;
    if (scree_material_find(world, "plain", &material) != SCREE_OK)
        material = scree_test_material(world);
    assert_ok(scree_body_add_sphere(
        world, &(struct scree_sphere_def){.radius = 0.01, .material = material, .position = {x, y, z}}, &id));
    return id;
}

static void assert_at(const struct scree_world *world, scree_body_id id, double x, double y, double z)
{
    struct scree_body_state state;
    assert_ok(scree_body_get(world, id, &state));
    if (state.position[0] != x || state.position[1] != y || state.position[2] != z)
        fail_msg("body %u is at (%.17g, %.17g, %.17g)", (unsigned)id.value, state.position[0],
                 state.position[1], state.position[2]);
}

static void assert_unwrapped(const struct scree_world *world, scree_body_id id, double x, double y, double z)
{
    double unwrapped[3];
    assert_ok(scree_cell_unwrapped_position(world, id, unwrapped));
    if (unwrapped[0] != x || unwrapped[1] != y || unwrapped[2] != z)
        fail_msg("body %u has the unwrapped position (%.17g, %.17g, %.17g)", (unsigned)id.value, unwrapped[0],
                 unwrapped[1], unwrapped[2]);
}

static void a_cell_is_reported_as_it_was_set(void **state)
{
    (void)state;
    const struct scree_cell_def cell_def = {{-1, -2, 5}, {1, 3, 5}, {true, false, false}};
    struct scree_world *world = scree_test_empty_world();
    struct scree_cell_def got;
    scree_cell_get(world, &got);
    for (int k = 0; k < 3; ++k)
        assert_true(got.lower[k] == 0 && got.upper[k] == 0 && !got.periodic[k]);
    assert_ok(scree_cell_set(world, &cell_def));
    scree_cell_get(world, &got);
    for (int k = 0; k < 3; ++k)
        assert_true(got.lower[k] == cell_def.lower[k] && got.upper[k] == cell_def.upper[k] &&
                    got.periodic[k] == cell_def.periodic[k]);
    scree_world_destroy(world);
}

static void invalid_cells_are_refused_and_change_nothing(void **state)
{
    (void)state;
    struct scree_world *world = make_world(&(struct scree_cell_def){{-3}, {3}, {true}}), *two_dimensional;
    add_sphere(world, 1, 0, 0);
    const struct scree_digest before = scree_test_digest(world);
    const struct {
        struct scree_cell_def def;
        const char *word;
    } rows[] = {
        {{{NOT_A_NUMBER}, {1, 1, 1}, {true}}, "must be finite"},
        {{{0}, {1, INFINITE, 1}, {true}}, "must be finite"},
        {{{0, 0, -1e151}, {1, 1, 1}, {true}}, "along z they are -1e+151 and 1"},
        {{{0, 1, 0}, {1, 1, 1}, {true, true}}, "along y, where the cell is periodic"},
        {{{0, 1, 0}, {1, 0.5, 1}, {true, true}}, "along y, where the cell is periodic"},
        {{{1e9}, {1e9 + 1}, {true}}, "at least 1e-08 times the larger magnitude"},
        {{{0, 0, 2}, {1, 1, 1}, {true}}, "not be below the lower one; along z they are 1 and 2"},
        {{{1e-9 - 1e-19}, {1e-9}, {true}}, "at least 1e-08"},
        {{{-1e-160}, {1e-160}, {true}}, "along x"},
        {{{0}, {1e-12}, {true}}, "farther than 1e+09 periods"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_refused(SCREE_ERROR_ARGUMENT, rows[r].word, scree_cell_set(world, &rows[r].def));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    // setting the same cell again is no change
    assert_ok(scree_cell_set(world, &(struct scree_cell_def){{-3}, {3}, {true}}));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &two_dimensional));
    assert_refused(SCREE_ERROR_ARGUMENT, "two dimensions", scree_cell_set(two_dimensional, &unit));
    assert_ok(scree_cell_set(two_dimensional, &(struct scree_cell_def){{0}, {1, 1}, {true, true}}));
    scree_world_destroy(two_dimensional);
    scree_world_destroy(world);
}

static void a_body_added_outside_is_wrapped_into_the_cell(void **state)
{
    (void)state;
    struct scree_world *world = make_world(&unit);
    const double tiny = 1e-30;
    scree_body_id id = add_sphere(world, 0.25, 1.25, -0.25);
    assert_at(world, id, 0.25, 0.25, 0.75);
    assert_unwrapped(world, id, 0.25, 1.25, -0.25);
    // the lower bound is inside, the upper one is not
    id = add_sphere(world, 0, 1, 2);
    assert_at(world, id, 0, 0, 0);
    assert_unwrapped(world, id, 0, 1, 2);
    // a result that would round to the upper bound becomes the lower one
    id = add_sphere(world, -tiny, 1 - DBL_EPSILON, 1 - DBL_EPSILON / 2);
    assert_at(world, id, 0, 1 - DBL_EPSILON, 1 - DBL_EPSILON / 2);
    assert_unwrapped(world, id, 0, 1 - DBL_EPSILON, 1 - DBL_EPSILON / 2);
    // several periods away
    id = add_sphere(world, 7.5, -7.5, 1e6 + 0.5);
    assert_at(world, id, 0.5, 0.5, 0.5);
    assert_unwrapped(world, id, 7.5, -7.5, 1e6 + 0.5);
    assert_ok(scree_world_validate(world));
    scree_material_id material;
    assert_ok(scree_material_find(world, "plain", &material));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "farther than 1e+09 periods",
        scree_body_add_sphere(
            world, &(struct scree_sphere_def){.radius = 0.01, .material = material, .position = {0, -2e9, 0}},
            &id));
    assert_int_equal(scree_body_count(world), 4);
    scree_world_destroy(world);
}

static void setters_and_edits_wrap_positions_into_the_cell(void **state)
{
    (void)state;
    struct scree_world *world =
        make_world(&(struct scree_cell_def){{-1, 0, 0}, {1, 1, 1}, {true, false, true}});
    const scree_body_id id = add_sphere(world, 0, 0, 0), other = add_sphere(world, 1.5, 0, 0);
    assert_ok(scree_body_set_position(world, id, (const double[3]){3.5, 3.5, -0.5}));
    assert_at(world, id, -0.5, 3.5, 0.5);
    assert_unwrapped(world, id, 3.5, 3.5, -0.5);
    // setting a position resets the count of periods
    assert_ok(scree_body_set_position(world, id, (const double[3]){0.5, 0, 0.5}));
    assert_unwrapped(world, id, 0.5, 0, 0.5);
    assert_refused(SCREE_ERROR_ARGUMENT, "periods",
                   scree_body_set_position(world, id, (const double[3]){0, 0, 1e10}));
    struct scree_view view;
    void *data;
    assert_ok(scree_field_edit(world, "body.position", &view, &data));
    ((double *)data)[0] += 2;
    ((double *)data)[2] -= 1;
    assert_ok(scree_field_commit(world));
    assert_at(world, id, 0.5, 0, 0.5);
    assert_unwrapped(world, id, 2.5, 0, -0.5);
    // the other body keeps its count
    assert_at(world, other, -0.5, 0, 0);
    assert_unwrapped(world, other, 1.5, 0, 0);
    assert_ok(scree_field_edit(world, "body.position", &view, &data));
    ((double *)data)[0] = 1e30;
    assert_refused(SCREE_ERROR_NUMBER, "outside the periodic cell", scree_field_commit(world));
    ((double *)data)[0] = 0;
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void setting_a_cell_wraps_existing_bodies(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_energy energy;
    struct scree_view view;
    const double gravity[3] = {0, 0, -10};
    assert_ok(scree_world_set_gravity(world, gravity));
    const scree_body_id id = add_sphere(world, 2.5, 2.5, 2.5);
    assert_refused(SCREE_ERROR_MISSING, "no row of this world has the field 'body.image'",
                   scree_field_view(world, "body.image", &view));
    assert_ok(scree_cell_set(world, &unit));
    assert_at(world, id, 0.5, 0.5, 0.5);
    assert_unwrapped(world, id, 2.5, 2.5, 2.5);
    // after setting another cell, counts start at zero
    assert_ok(scree_cell_set(world, &(struct scree_cell_def){{0, 0, 0}, {0.25, 2, 2}, {true, true, false}}));
    assert_at(world, id, 0.25 * 0, 0.5, 0.5);
    assert_unwrapped(world, id, 0.5, 0.5, 0.5);
    assert_ok(scree_cell_set(world, &(struct scree_cell_def){{0}, {0}, {false}}));
    assert_unwrapped(world, id, 0, 0.5, 0.5);
    // the energy input contains the change of potential energy; the mass is 1000 * 4/3 pi 1e-6 kg, so
    // energies are of order 0.1 J
    assert_ok(scree_energy_get(world, &energy));
    assert_true(fabs(energy.balance) < 8 * DBL_EPSILON * 0.1);
    assert_true(energy.energy_input > 0.02 && energy.energy_input < 0.03);
    scree_world_destroy(world);
}

// The reference is computed in long double, which has no more bits than double on some machines.
static void random_positions_are_wrapped_up_to_rounding(void **state)
{
    (void)state;
    uint64_t seed = 7;
    unsigned wrapped_positions = 0;
    for (unsigned n = 0; n < 200000; ++n) {
        static const double sizes[] = {1e-12, 0.1, 1, 3, 1e5};
        const double centre = n % 3 ? sizes[n % 5] * 100 * splitmix_signed(&seed) : 0;
        const double lower = centre - sizes[n % 5] * (1.5 + splitmix_signed(&seed));
        const double upper = centre + sizes[n % 5] * (1.5 + splitmix_signed(&seed));
        const double period = upper - lower;
        const double periods = n % 2 ? splitmix_signed(&seed) : floor(3 * splitmix_signed(&seed));
        // on the faces, close to them, near and far
        double x = n % 7 == 0 ? upper : lower + periods * (n % 11 ? 2 : 1e7) * period;
        x = n % 13 == 0 ? nextafter(lower, -INFINITE) : x;
        if (x >= lower && x < upper)
            continue;
        ++wrapped_positions;
        double wrapped = x;
        int64_t image = 5;
        assert_true(scree_cell_wrap_coordinate(lower, upper, period, &wrapped, &image));
        assert_true(wrapped >= lower && wrapped < upper);
        const double count = (double)(image - 5);
        // n L has n times the rounding of L and its own; the difference and the step to a bound add one each
        const double size = fabs(x) + fabs(lower) + fabs(upper);
        const double error =
            (double)((long double)wrapped + (long double)count * (long double)period - (long double)x);
        assert_true(fabs(error) <= DBL_EPSILON * (3 * size + fabs(count) * period));
    }
    assert_true(wrapped_positions > 50000);
    double x = NOT_A_NUMBER;
    int64_t image = 0;
    assert_false(scree_cell_wrap_coordinate(0, 1, 1, &x, &image));
    x = INFINITE;
    assert_false(scree_cell_wrap_coordinate(0, 1, 1, &x, &image));
    x = 1e300;
    assert_false(scree_cell_wrap_coordinate(0, 1, 1, &x, &image));
    assert_true(x == 1e300 && image == 0);
}

// Moves bodies under one scheme of translation and returns the world; the bodies have ids from 1.
static struct scree_world *run_gas(const struct scree_cell_def *cell, const char *scheme, int threads,
                                   uint64_t steps, const double *gravity)
{
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_body_id id;
    uint64_t seed = 3;
    const scree_material_id material = scree_test_material(world);
    assert_ok(scree_world_set_gravity(world, gravity));
    assert_ok(scree_cell_set(world, cell));
    for (unsigned n = 0; n < 1100; ++n) {
        struct scree_sphere_def def = {.radius = 1e-4, .material = material};
        for (int k = 0; k < 3; ++k) {
            def.position[k] = splitmix_signed(&seed);
            def.velocity[k] = 10 * splitmix_signed(&seed);
        }
        assert_ok(scree_body_add_sphere(world, &def, &id));
    }
    const struct scree_soft_def def = {.step = 1e-2, .threads = threads, .translation = scheme};
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_ok(scree_engine_run(engine, steps));
    scree_engine_destroy(engine);
    return world;
}

static void motion_through_the_cell_equals_motion_without_one(void **state)
{
    (void)state;
    const struct scree_cell_def cell = {{-0.5, -3, -1}, {0.75, 3, 1.5}, {true, false, true}},
                                none = {{0}, {0}, {0}};
    const double gravity[3] = {0, 0, -5};
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_TRANSLATION, l)); ++l) {
        const uint64_t steps = 100;
        struct scree_world *world = run_gas(&cell, scheme, 1, steps, gravity);
        struct scree_world *without_cell = run_gas(&none, scheme, 1, steps, gravity);
        unsigned wrapped_coordinates = 0;
        for (uint64_t b = 1; b <= scree_body_count(world); ++b) {
            struct scree_body_state body, reference;
            double unwrapped[3];
            assert_ok(scree_body_get(world, (scree_body_id){b}, &body));
            assert_ok(scree_body_get(without_cell, (scree_body_id){b}, &reference));
            assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){b}, unwrapped));
            for (int k = 0; k < 3; ++k) {
                assert_true(!cell.periodic[k] ||
                            (body.position[k] >= cell.lower[k] && body.position[k] < cell.upper[k]));
                wrapped_coordinates += unwrapped[k] != body.position[k];
                // gravity does not depend on position, so velocities are equal bit for bit; coordinates are
                // below 16 m: two roundings per step, and one per crossed face
                assert_true(body.velocity[k] == reference.velocity[k]);
                if (!(fabs(unwrapped[k] - reference.position[k]) <= 3 * (double)steps * DBL_EPSILON / 2 * 16))
                    fail_msg("%s: %.17g is not %.17g", scheme, unwrapped[k], reference.position[k]);
                assert_true(cell.periodic[k] || body.position[k] == reference.position[k]);
            }
        }
        assert_true(wrapped_coordinates > 1500);
        scree_world_destroy(without_cell);
        scree_world_destroy(world);
    }
}

static void ledger_and_momenta_are_continuous_across_faces(void **state)
{
    (void)state;
    const struct scree_cell_def cell = {{-1, -1, -1}, {1.25, 1.25, 1.25}, {true, true, true}};
    const double gravity[3] = {0, 0, -50}, no_gravity[3] = {0};
    struct scree_energy energy;
    struct scree_momentum before, after;
    // falls of up to 35 m through a cell of 2.25 m; velocity Verlet is exact in a uniform field
    struct scree_world *world = run_gas(&cell, "velocity-verlet", 1, 100, gravity);
    assert_ok(scree_energy_get(world, &energy));
    // 100 steps, each rounding 16 quantities that are no larger than the total energy
    const double total = fabs(energy.gravity) + energy.translation + fabs(energy.energy_input);
    assert_true(fabs(energy.balance) < 100 * 16 * DBL_EPSILON * total);
    // an error of one period would be visible
    assert_true(energy.gravity < -30 * energy.energy_input / 100);
    scree_world_destroy(world);
    struct scree_world *start = run_gas(&cell, "velocity-verlet", 1, 0, no_gravity);
    assert_ok(scree_energy_momentum(start, &before));
    world = run_gas(&cell, "velocity-verlet", 1, 100, no_gravity);
    assert_ok(scree_energy_momentum(world, &after));
    // 1100 bodies of 4.2e-9 kg, 10 m/s, at most 20 m away; two roundings per step and one per crossed face
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(after.angular[k] - before.angular[k]) <
                    3 * 100 * DBL_EPSILON * 1100 * 4.2e-9 * 10 * 20);
    assert_true(fabs(before.angular[0]) > 1e-7);
    scree_world_destroy(start);
    scree_world_destroy(world);
}

static void motion_through_a_cell_does_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    const double gravity[3] = {0, 0, -5};
    struct scree_world *with_one_thread = run_gas(&unit, NULL, 1, 50, gravity);
    for (int threads = 2; threads <= 4; ++threads) {
        struct scree_world *with_more_threads = run_gas(&unit, NULL, threads, 50, gravity);
        assert_true(scree_test_digests_equal(scree_test_digest(with_one_thread),
                                             scree_test_digest(with_more_threads)));
        scree_world_destroy(with_more_threads);
    }
    scree_world_destroy(with_one_thread);
}

static scree_status check_positions(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    struct scree_body_state body;
    for (uint64_t b = 1; b <= scree_body_count(world); ++b) {
        assert_ok(scree_body_get(world, (scree_body_id){b}, &body));
        for (int k = 0; k < 3; ++k)
            assert_true(body.position[k] >= 0 && body.position[k] < 1);
    }
    assert_refused(SCREE_ERROR_STATE, "inside a step", scree_cell_set(world, &unit));
    ++*(unsigned *)user;
    return SCREE_OK;
}

static void positions_are_inside_the_cell_within_a_step_too(void **state)
{
    (void)state;
    struct scree_world *world = make_world(&unit);
    struct scree_engine *engine;
    scree_callback_id id;
    unsigned calls = 0;
    for (unsigned n = 0; n < 9; ++n) {
        const scree_body_id body = add_sphere(world, 0.1 * n, 0.5, 0.5);
        assert_ok(scree_body_set_velocity(world, body, (const double[3]){3, -7.0 * n, 230}));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-2}, &engine));
    assert_ok(scree_engine_set_callback(engine, 15, check_positions, &calls, &id));
    assert_ok(scree_engine_set_callback(engine, 70, check_positions, &calls, &id));
    assert_ok(scree_engine_run(engine, 60));
    assert_true(calls >= 120);
    // 2.3 periods per step
    double unwrapped[3];
    assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){1}, unwrapped));
    assert_true(fabs(unwrapped[2] - (0.5 + 230 * 0.6)) < 1e-10);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void image_counts_stay_with_their_bodies(void **state)
{
    (void)state;
    struct scree_world *world = make_world(&unit);
    const uint64_t keys[4] = {4, 3, 2, 1};
    scree_body_id id[4];
    for (unsigned n = 0; n < 4; ++n)
        id[n] = add_sphere(world, n + 0.5, 0.5, 0.5);
    assert_ok(scree_world_sort(world, keys, 4));
    assert_ok(scree_body_remove(world, id[3]));
    for (unsigned n = 0; n < 3; ++n)
        assert_unwrapped(world, id[n], n + 0.5, 0.5, 0.5);
    // a new body does not inherit the count of a removed one
    assert_unwrapped(world, add_sphere(world, 0.25, 0.25, 0.25), 0.25, 0.25, 0.25);
    scree_world_destroy(world);
}

// Two spinning balls collide off-centre while both move along x; returns the final state of the first.
static struct scree_body_state collide(double x)
{
    struct scree_world *world = make_world(&unit);
    struct scree_engine *engine;
    struct scree_body_state first;
    scree_body_id id[2];
    const scree_material_id material = scree_test_material(world);
    const struct scree_interaction_value values[] = {{"friction", 0.3, NULL}, {"restitution", 0.8, NULL}};
    assert_ok(scree_material_set(world, material, "young", 1e7));
    assert_ok(scree_material_set(world, material, "poisson", 0.25));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 2}));
    for (int b = 0; b < 2; ++b)
        assert_ok(scree_body_add_sphere(
            world,
            &(struct scree_sphere_def){.radius = 0.1,
                                       .material = material,
                                       .position = {x + (b ? 0.105 : -0.1), 0.03 * b, x},
                                       .velocity = {b ? 1 : 3, 0, 0},
                                       .spin = {1, 20, -30}},
            &id[b]));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5}, &engine));
    assert_ok(scree_engine_run(engine, 3000));
    assert_ok(scree_body_get(world, id[0], &first));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return first;
}

static void a_collision_does_not_depend_on_the_faces(void **state)
{
    (void)state;
    const struct scree_body_state inside = collide(0.4);
    // the balls collide, with friction
    assert_true(inside.velocity[0] < 2 && fabs(inside.velocity[1]) > 0.1 && fabs(inside.spin[2] + 30) > 1);
    // depending on x, the first ball crosses a face before the collision or during the contact
    for (double x = 0.9; x < 1.2; x += 0.01) {
        const struct scree_body_state across = collide(x);
        // coordinates of 1 m are rounded by 1e-16 m, which changes an overlap of 1 mm by 1e-13 of itself in
        // each of some 100 steps
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(across.velocity[k] - inside.velocity[k]) < 3e-11 &&
                        fabs(across.spin[k] - inside.spin[k]) < 3e-10);
    }
}

// Compared with a plain loop, for numbers of bodies that do and do not fill the groups of the pass.
static void the_pass_after_a_drift_wraps_counts_and_finds_the_fastest_body(void **state)
{
    (void)state;
    uint64_t seed = 11;
    struct scree_world *world =
        make_world(&(struct scree_cell_def){{-1, 0, 2}, {1, 9, 2.5}, {true, false, true}});
    const struct scree_drift drift = scree_drift_begin(world, INFINITE, &(struct scree_motion_step){.h = 1});
    const double lower[3] = {-1, 0, 2}, period[3] = {2, 0, 0.5};
    assert_true(drift.periodic);
    for (size_t count = 0; count <= 130; ++count) {
        struct scree_grain grain[130], before[130];
        struct scree_image image[130];
        double max_square = 0;
        memset(grain, 0, sizeof grain);
        memset(image, 0, sizeof image);
        for (size_t i = 0; i < count; ++i) {
            double square = 0;
            grain[i].radius = 1e300;
            grain[i].mass = 1e200;
            for (int k = 0; k < 3; ++k) {
                // positions are multiples of 1/64, so nothing is rounded
                grain[i].position[k] = lower[k] + floor(640 * splitmix_signed(&seed)) / 64;
                grain[i].velocity[k] = splitmix_signed(&seed);
                square += grain[i].velocity[k] * grain[i].velocity[k];
            }
            max_square = square > max_square ? square : max_square;
        }
        memcpy(before, grain, sizeof grain);
        bool far = false;
        const double fastest = scree_drift_end(&drift, grain, image, count, &far);
        assert_false(far);
        // the sum of three squares may be evaluated in another order
        assert_true(fabs(fastest - max_square) <= 4 * DBL_EPSILON * max_square);
        for (size_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k) {
                const double distance = before[i].position[k] - lower[k];
                const double periods = period[k] > 0 ? floor(distance / period[k]) : 0;
                assert_true(grain[i].position[k] == before[i].position[k] - periods * period[k]);
                assert_true(image[i].count[k] == (int64_t)periods);
                before[i].position[k] = grain[i].position[k];
            }
        // all other values are unchanged
        assert_memory_equal(before, grain, sizeof grain);
    }
    scree_world_destroy(world);
}

static void the_pass_after_a_drift_finds_every_number_that_is_not_finite(void **state)
{
    (void)state;
    struct scree_world *world = make_world(&(struct scree_cell_def){{0}, {1, 1, 1}, {true, false, false}});
    const struct scree_drift drift = scree_drift_begin(world, INFINITE, &(struct scree_motion_step){.h = 1});
    const double invalid[] = {NOT_A_NUMBER, INFINITE, -INFINITE};
    for (size_t count = 1; count <= 9; ++count)
        for (size_t i = 0; i < count; ++i)
            for (int component = 0; component < 7 * 3; ++component) {
                struct scree_grain grain[9];
                struct scree_image image[9];
                memset(grain, 0, sizeof grain);
                memset(image, 0, sizeof image);
                if (component < 3 * 3)
                    grain[i].position[component / 3] = invalid[component % 3];
                else if (component < 6 * 3)
                    grain[i].velocity[component / 3 - 3] = invalid[component % 3];
                bool far = false;
                const double fastest = scree_drift_end(&drift, grain, image, count, &far);
                assert_true(component < 6 * 3 ? !(fastest < INFINITE) : fastest == 0);
            }
    scree_world_destroy(world);
}

// Large bodies, and bodies without a radius, may be fast. One small body moves a thousandth farther than its
// size allows, or a thousandth less.
static void the_pass_after_a_drift_finds_a_body_that_moves_too_far_for_its_size(void **state)
{
    (void)state;
    struct scree_world *world = make_world(&(struct scree_cell_def){{0}, {1, 1, 1}, {true, false, false}});
    const struct scree_drift drift = scree_drift_begin(world, 50, &(struct scree_motion_step){.h = 1});
    for (size_t count = 1; count <= 9; ++count)
        for (size_t i = 0; i < count; ++i)
            for (int too_far = 0; too_far < 2; ++too_far) {
                struct scree_grain grain[9];
                bool far = false;
                memset(grain, 0, sizeof grain);
                for (size_t k = 0; k < count; ++k) {
                    grain[k].radius = k % 2 ? 10 : 0;
                    grain[k].velocity[k % 3] = -400;
                }
                grain[i].radius = 1e-3;
                grain[i].velocity[i % 3] = 0.03;
                grain[i].velocity[(i + 1) % 3] = too_far ? -0.04004 : -0.03996;
                const double fastest = scree_drift_end(&drift, grain, NULL, count, &far);
                assert_true(fastest < 2e5 && far == (too_far == 1));
            }
    scree_world_destroy(world);
}

static scree_status set_cell(struct scree_world **world)
{
    scree_material_id material;
    scree_body_id id;
    SCREE_TRY(scree_world_create(NULL, world));
    SCREE_TRY(scree_material_add(*world, &(struct scree_material_def){"plain", 1000}, &material));
    for (int n = 0; n < 20; ++n)
        SCREE_TRY(scree_body_add_sphere(
            *world, &(struct scree_sphere_def){.radius = 1, .material = material, .position = {n}}, &id));
    return scree_cell_set(*world, &unit);
}

static void a_cell_whose_allocation_fails_is_not_set(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t nth = 1; failed; ++nth) {
        const size_t live = scree_memory_live();
        struct scree_world *world = NULL;
        const uint64_t before = scree_memory_count();
        scree_memory_fail_at(nth);
        const scree_status status = set_cell(&world);
        failed = scree_memory_count() - before >= nth;
        scree_memory_fail_at(0);
        assert_int_equal(status, failed ? SCREE_ERROR_MEMORY : SCREE_OK);
        struct scree_cell_def cell;
        if (world) {
            scree_cell_get(world, &cell);
            assert_int_equal(cell.periodic[0], !failed);
            assert_ok(scree_world_validate(world));
        }
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_is_reported_as_it_was_set),
        cmocka_unit_test(invalid_cells_are_refused_and_change_nothing),
        cmocka_unit_test(a_body_added_outside_is_wrapped_into_the_cell),
        cmocka_unit_test(setters_and_edits_wrap_positions_into_the_cell),
        cmocka_unit_test(setting_a_cell_wraps_existing_bodies),
        cmocka_unit_test(random_positions_are_wrapped_up_to_rounding),
        cmocka_unit_test(motion_through_the_cell_equals_motion_without_one),
        cmocka_unit_test(ledger_and_momenta_are_continuous_across_faces),
        cmocka_unit_test(motion_through_a_cell_does_not_depend_on_the_number_of_threads),
        cmocka_unit_test(positions_are_inside_the_cell_within_a_step_too),
        cmocka_unit_test(image_counts_stay_with_their_bodies),
        cmocka_unit_test(a_collision_does_not_depend_on_the_faces),
        cmocka_unit_test(the_pass_after_a_drift_wraps_counts_and_finds_the_fastest_body),
        cmocka_unit_test(the_pass_after_a_drift_finds_every_number_that_is_not_finite),
        cmocka_unit_test(the_pass_after_a_drift_finds_a_body_that_moves_too_far_for_its_size),
        cmocka_unit_test(a_cell_whose_allocation_fails_is_not_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
