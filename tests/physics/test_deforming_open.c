// Cells that deform and are periodic along some axes only, without walls: bodies that do not reach across the
// open faces move as in a cell that is periodic along all axes.

#include "support/cell_bodies.h"
#include "support/cells.h"

enum { GRAINS = 60 };

static const double rest[3] = {0};

struct cell {
    double vectors[9];
    bool periodic[3];
    double gradient[9];
};

// One open axis, two, and another one; vectors of open axes are tilted.
static const struct cell cells[] = {
    {{1, 0, 0, 0.45, 0.9, 0, 0.2, -0.3, 1.2}, {true, true, false}, {-1, 8, 3, 0.5, 1.5, -2, 0, 0, -0.7}},
    {{1.3, 0, 0, 0.4, 1.1, 0.2, -0.2, 0.1, 1.2}, {true, false, false}, {0.5, 3, -2, 0, 0.5, -1, 0, 1, -0.6}},
    {{1, 0, 0.35, 0.3, 1.2, -0.1, -0.2, 0, 1.1}, {true, false, true}, {0.6, 2, -5, 0, -0.5, 0, 2, -1, 0.3}},
};
enum { CELLS = sizeof cells / sizeof cells[0] };

static struct scree_cells make(const struct cell *cell, bool open, double step)
{
    struct scree_cells made = {.world = scree_test_empty_world()};
    if (open)
        assert_ok(
            scree_cell_set_vectors_along(made.world, scree_cells_origin, cell->vectors, cell->periodic));
    else
        assert_ok(scree_cell_set_vectors(made.world, scree_cells_origin, cell->vectors));
    made.engine = scree_cells_engine(made.world, step, 1);
    return made;
}

static void check_free_body(const struct cell *cell, enum scree_cell_form form)
{
    double x[2][3], w[2][3];
    for (int open = 0; open < 2; ++open) {
        struct scree_cells made = make(cell, open, 1e-3);
        const uint64_t id =
            scree_cells_add(made.world, scree_test_material(made.world), 0.01,
                            (const double[3]){0.3, 0.7, 0.4}, (const double[3]){0.7, -0.4, 0.2}, rest);
        assert_ok(scree_cell_deform(made.world, cell->gradient));
        assert_ok(scree_cell_set_form(made.world, form));
        assert_ok(scree_engine_run(made.engine, 1000));
        assert_ok(scree_cell_unwrapped_position(made.world, (scree_body_id){id}, x[open]));
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id}, w[open]));
        const struct scree_cell_state state = scree_cells_state(made.world);
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(state.periodic[k], !open || cell->periodic[k]);
            // along an open axis the position is not wrapped
            if (open && !cell->periodic[k])
                scree_test_near(scree_test_state(made.world, id).position[k], x[open][k], 0);
        }
        scree_cells_end(&made);
    }
    // 1000 steps with rounding errors of 1e-16 times velocities of 10 and positions of 3
    for (int k = 0; k < 3; ++k) {
        scree_test_near(x[1][k], x[0][k], 1e-11);
        scree_test_near(w[1][k], w[0][k], 1e-11);
    }
}

static void free_bodies_move_as_in_periodic_cells(void **state)
{
    (void)state;
    for (int c = 0; c < CELLS; ++c) {
        check_free_body(&cells[c], SCREE_CELL_MEAN_FIELD);
        check_free_body(&cells[c], SCREE_CELL_NEWTON);
    }
}

// A packing in the middle of open axes, which does not reach the faces across them.
static void fill(struct scree_world *world, const struct cell *cell, uint64_t seed, uint64_t id[GRAINS])
{
    const scree_material_id material = scree_cells_add_law(world);
    for (int g = 0; g < GRAINS; ++g) {
        double place[3] = {0}, velocity[3], spin[3];
        for (int j = 0; j < 3; ++j) {
            const double s = 0.5 + (cell->periodic[j] ? 0.5 : 0.12) * splitmix_signed(&seed);
            for (int k = 0; k < 3; ++k)
                place[k] += s * cell->vectors[3 * j + k];
            velocity[j] = 0.05 * splitmix_signed(&seed);
            spin[j] = splitmix_signed(&seed);
        }
        id[g] = scree_cells_add(world, material, 0.08 + 0.02 * splitmix_signed(&seed), place, velocity, spin);
    }
}

static void packings_move_as_in_periodic_cells(void **state)
{
    (void)state;
    for (int c = 0; c < CELLS; ++c) {
        static double w[2][GRAINS][3];
        double stress[2][9], volume[2];
        size_t contacts[2];
        uint64_t id[GRAINS];
        for (int open = 0; open < 2; ++open) {
            struct scree_cells made = make(&cells[c], open, 1e-4);
            fill(made.world, &cells[c], 5, id);
            assert_ok(scree_cell_deform(made.world, cells[c].gradient));
            assert_ok(scree_engine_run(made.engine, 200));
            for (int g = 0; g < GRAINS; ++g)
                assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id[g]}, w[open][g]));
            assert_ok(scree_measure_stress(made.world, NULL, stress[open]));
            volume[open] = scree_cells_state(made.world).volume;
            contacts[open] = scree_contact_count(made.world);
            scree_cells_end(&made);
        }
        assert_true(contacts[0] > GRAINS / 2 && contacts[1] == contacts[0]);
        scree_test_near(volume[1], volume[0], 1e-13);
        // velocities up to 10; contacts are stiff (k / m h^2 = 1e-5), 200 steps add 1e-15 each
        for (int g = 0; g < GRAINS; ++g)
            for (int k = 0; k < 3; ++k)
                scree_test_near(w[1][g][k], w[0][g][k], 1e-10);
        for (int k = 0; k < 9; ++k)
            scree_test_near(stress[1][k], stress[0][k], 1e-9 * fabs(stress[0][8]));
    }
}

// Sheared in the plane to a strain of 10, through many changes of vectors.
static void run_sheared(const double vectors[9], double w[GRAINS][3], double *deformation)
{
    static const struct cell places = {.vectors = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                       .periodic = {true, true, false}};
    struct cell cell = {.periodic = {true, true, false}};
    uint64_t id[GRAINS];
    memcpy(cell.vectors, vectors, sizeof cell.vectors);
    struct scree_cells made = make(&cell, true, 2e-4);
    fill(made.world, &places, 9, id);
    assert_ok(scree_cell_deform(made.world, (const double[9]){0, 50, 10, 0, 0, 0, 0, 0, 0}));
    assert_ok(scree_engine_run(made.engine, 30));
    for (int g = 0; g < GRAINS; ++g)
        assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id[g]}, w[g]));
    assert_ok(scree_engine_run(made.engine, 970));
    const struct scree_cell_state state = scree_cells_state(made.world);
    *deformation = state.deformation[1];
    // all vectors stay short, also that of the open axis
    for (int k = 0; k < 9; ++k)
        assert_true(fabs(state.vectors[k]) < 1.2);
    scree_cells_end(&made);
}

static void the_motion_does_not_depend_on_vectors_in_the_plane(void **state)
{
    (void)state;
    static const double cube[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, skewed[9] = {1, 0, 0, 0.5, 1, 0, 0.3, 0.2, 1},
                        other[9] = {1, 0, 0, -3, 1, 0, 0, 0, 1}, turned[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    const double *const others[] = {other, turned};
    static double first[GRAINS][3], second[GRAINS][3];
    double deformation;
    (void)skewed;
    run_sheared(cube, first, &deformation);
    scree_test_near(deformation, 10, 1e-11);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; ++o) {
        run_sheared(others[o], second, &deformation);
        // velocities up to 50, 30 steps
        for (int g = 0; g < GRAINS; ++g)
            for (int k = 0; k < 3; ++k)
                scree_test_near(second[g][k], first[g][k], 1e-11);
    }
}

// Compares contacts with all pairs and images in the plane.
static void contacts_are_those_of_all_pairs_and_images(void **state)
{
    (void)state;
    static struct scree_contact contact[2000];
    for (int c = 0; c < CELLS; ++c) {
        uint64_t id[GRAINS];
        size_t found = 0;
        struct scree_cells made = make(&cells[c], true, 2e-4);
        fill(made.world, &cells[c], 3, id);
        assert_ok(scree_cell_deform(made.world, cells[c].gradient));
        for (int run = 0; run < 5; ++run) {
            size_t count, expected = 0;
            assert_ok(scree_engine_run(made.engine, 150));
            const struct scree_cell_state cell = scree_cells_state(made.world);
            assert_ok(scree_contact_list(made.world, contact, 2000, &count));
            for (int a = 0; a < GRAINS; ++a)
                for (int b = a + 1; b < GRAINS; ++b) {
                    const struct scree_body_state first = scree_test_state(made.world, id[a]),
                                                  second = scree_test_state(made.world, id[b]);
                    double least = INFINITE;
                    for (int n = 0; n < 343; ++n) {
                        const int turns[3] = {n % 7 - 3, n / 7 % 7 - 3, n / 49 - 3};
                        double square = 0;
                        bool image = true;
                        for (int j = 0; j < 3; ++j)
                            image = image && (cell.periodic[j] || turns[j] == 0);
                        for (int k = 0; k < 3; ++k) {
                            double d = first.position[k] - second.position[k];
                            for (int j = 0; j < 3; ++j)
                                d += turns[j] * cell.vectors[3 * j + k];
                            square += d * d;
                        }
                        least = image && square < least ? square : least;
                    }
                    expected += first.radius + second.radius > sqrt(least);
                }
            assert_int_equal(count, expected);
            found += count;
        }
        assert_true(found > 50);
        scree_cells_end(&made);
    }
}

static struct scree_digest digest_of(int threads, bool restart)
{
    uint64_t id[GRAINS];
    struct scree_cells made = make(&cells[0], true, 2e-4);
    fill(made.world, &cells[0], 5, id);
    assert_ok(scree_cell_deform(made.world, cells[0].gradient));
    assert_ok(scree_engine_run(made.engine, 60));
    scree_engine_destroy(made.engine);
    if (restart)
        scree_test_restart(&made.world, "deforming-open.checkpoint");
    made.engine = scree_cells_engine(made.world, 2e-4, threads);
    assert_ok(scree_engine_run(made.engine, 60));
    const struct scree_digest digest = scree_test_digest(made.world);
    scree_cells_end(&made);
    return digest;
}

static void threads_and_restarts_give_the_same_bits(void **state)
{
    (void)state;
    const struct scree_digest first = digest_of(1, false);
    assert_true(scree_test_digests_equal(digest_of(3, false), first));
    assert_true(scree_test_digests_equal(digest_of(1, true), first));
}

static void a_box_that_is_periodic_along_some_axes_deforms(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    assert_ok(scree_cell_set(
        world,
        &(struct scree_cell_def){.lower = {0, 0, -1}, .upper = {1, 2, 2}, .periodic = {true, true, false}}));
    assert_ok(scree_cell_deform(world, (const double[9]){0, 0, 0.5, 0, 0, 0, 0, 0, -0.2}));
    struct scree_engine *engine = scree_cells_engine(world, 1e-3, 1);
    assert_ok(scree_engine_run(engine, 1000));
    const struct scree_cell_state state_now = scree_cells_state(world);
    // the map of a step of the length h is (1 - h/10) / (1 + h/10): exp(-h/5) up to h^3 / 1500
    scree_test_near(state_now.volume, 6 * exp(-0.2), 1e-8);
    scree_test_near(state_now.deformation[8], exp(-0.2), 1e-8);
    struct scree_cell_def box;
    scree_cell_get(world, &box);
    scree_test_near(box.upper[2], -1 + 3 * exp(-0.2), 1e-8);
    scree_test_end(world, engine);
}

static void what_would_tilt_the_plane_is_refused(void **state)
{
    (void)state;
    const bool layer[3] = {true, true, false}, none[3] = {false, false, false};
    struct scree_world *world = scree_test_empty_world();
    assert_refused(SCREE_ERROR_ARGUMENT, "the z-component of vector 2 must be 0, not 0.1",
                   scree_cell_set_vectors_along(world, scree_cells_origin,
                                                (const double[9]){1, 0, 0, 0, 1, 0.1, 0, 0, 1}, layer));
    assert_refused(SCREE_ERROR_ARGUMENT, "periodic along some axis",
                   scree_cell_set_vectors_along(world, scree_cells_origin, scree_cells_cube, none));
    assert_ok(scree_cell_set_vectors_along(world, scree_cells_origin, scree_cells_cube, layer));
    assert_refused(SCREE_ERROR_ARGUMENT, "the velocity gradient of the z-velocity along x must be 0, not 0.2",
                   scree_cell_deform(world, (const double[9]){0, 0, 0, 0, 0, 0, 0.2, 0, 0}));
    const struct scree_cell_servo_def servo = {.controlled[7] = true, .stress[7] = 10};
    assert_refused(SCREE_ERROR_ARGUMENT, "that of the y-velocity along z",
                   scree_cell_set_servo(world, &servo));
    assert_ok(scree_world_set_gravity(world, (const double[3]){1, 0, -9}));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "gravity has a component along x",
                   scree_cell_deform(world, (const double[9]){0, 0.3, 0, 0, 0, 0, 0, 0, 0}));
    assert_ok(scree_cell_deform(world, (const double[9]){0, 0, 1, 0, 0.4, 0, 0, 0, 0}));
    scree_world_destroy(world);
    world = scree_test_empty_world();
    assert_ok(
        scree_cell_set(world, &(struct scree_cell_def){.upper = {1, 1, 0}, .periodic = {true, true, false}}));
    assert_refused(SCREE_ERROR_ARGUMENT, "along z this cell goes from 0 to 0 m",
                   scree_cell_deform(world, (const double[9]){0}));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_bodies_move_as_in_periodic_cells),
        cmocka_unit_test(packings_move_as_in_periodic_cells),
        cmocka_unit_test(the_motion_does_not_depend_on_vectors_in_the_plane),
        cmocka_unit_test(contacts_are_those_of_all_pairs_and_images),
        cmocka_unit_test(threads_and_restarts_give_the_same_bits),
        cmocka_unit_test(a_box_that_is_periodic_along_some_axes_deforms),
        cmocka_unit_test(what_would_tilt_the_plane_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
