// A periodic cell that deforms homogeneously: closed forms of single bodies (tests/data: shear_cell), damping
// of fluctuations, and what is refused.

#include "support/cells.h"
#include "support/table.h"
#include "world/lattice.h"

// Position and velocity of the image of a body that was not moved into the cell.
static void unwrapped(const struct scree_world *world, uint64_t id, double x[3], double v[3])
{
    const struct scree_body_state body = scree_test_state(world, id);
    const struct scree_cell_state cell = scree_cells_state(world);
    assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){id}, x));
    for (int k = 0; k < 3; ++k) {
        v[k] = body.velocity[k];
        for (int j = 0; j < 3; ++j)
            v[k] += cell.gradient[3 * k + j] * (x[j] - body.position[j]);
    }
}

static void simple_shear_has_the_tabulated_cell_spin_and_affine_path(void **state)
{
    (void)state;
    const double gradient[9] = {0, 0.8, 0, 0, 0, 0, 0, 0, 0}, rest[3] = {0};
    struct scree_table *table = scree_table_read("shear_cell.csv");
    struct scree_cells made = scree_cells_make(scree_cells_cube, 0.005);
    const uint64_t id = scree_cells_add(made.world, scree_test_material(made.world), 0.01,
                                        (double[]){0.3, 0.7, 0.2}, rest, rest);
    assert_ok(scree_cell_deform(made.world, gradient));
    static const char *const h[] = {"H00", "H01", "H02", "H10", "H11", "H12", "H20", "H21", "H22"};
    static const char *const w[] = {"wx", "wy", "wz"}, *const x[] = {"x", "y", "z"},
                             *const v[] = {"vx", "vy", "vz"};
    // the shear is linear in time, exact in each step; 400 steps with errors of a few units of 1e-16
    for (size_t row = 0; row < table->rows; ++row) {
        const struct scree_cell_state cell = scree_cells_state(made.world);
        const struct scree_body_state body = scree_test_state(made.world, id);
        double position[3], velocity[3];
        unwrapped(made.world, id, position, velocity);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)
                scree_test_near(cell.deformation[3 * i + j], scree_table_number(table, row, h[3 * i + j]),
                                1e-12);
            scree_test_near(body.spin[i], scree_table_number(table, row, w[i]), 1e-12);
            scree_test_near(position[i], scree_table_number(table, row, x[i]), 1e-12);
            scree_test_near(velocity[i], scree_table_number(table, row, v[i]), 1e-12);
        }
        scree_test_near(cell.volume, 1, 1e-12);
        assert_ok(scree_engine_run(made.engine, 10));
    }
    // the cell took shorter vectors: a_y = (1.6, 1) is (-0.4, 1)
    const struct scree_cell_state cell = scree_cells_state(made.world);
    assert_true(fabs(cell.vectors[3]) < 0.6);
    scree_cells_end(&made);
    scree_table_free(table);
}

static void random_gradient(uint64_t *seed, double size, double gradient[9])
{
    for (int k = 0; k < 9; ++k)
        gradient[k] = size * splitmix_signed(seed);
}

// Position along the cell vectors, from the unwrapped position and the deformation of the cell.
static void fraction(const struct scree_world *world, uint64_t id, double s[3])
{
    double x[3];
    const struct scree_cell_state cell = scree_cells_state(world);
    assert_ok(scree_cell_unwrapped_position(world, (scree_body_id){id}, x));
    // s = F^-1 x in a cell that was a scree_cells_cube
    const struct scree_mat3 inverse = scree_mat3_inverse(scree_lattice_load(cell.deformation));
    scree_vec3_store(scree_mat3_apply(inverse, scree_vec3_load(x)), s);
}

static void bodies_without_fluctuation_keep_their_places_in_the_cell(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int c = 0; c < 10; ++c) {
        const double rest[3] = {0};
        double gradient[9], start[3], now[3], place[3];
        struct scree_cells made = scree_cells_make(scree_cells_cube, 0.01);
        for (int k = 0; k < 3; ++k)
            place[k] = 0.5 + 0.49 * splitmix_signed(&seed);
        const uint64_t id =
            scree_cells_add(made.world, scree_test_material(made.world), 0.01, place, rest, rest);
        random_gradient(&seed, 1, gradient);
        fraction(made.world, id, start);
        assert_ok(scree_cell_deform(made.world, gradient));
        assert_ok(scree_engine_run(made.engine, 200));
        fraction(made.world, id, now);
        // 200 steps, each with errors of some 1e-16 of positions up to 10
        for (int k = 0; k < 3; ++k)
            scree_test_near(now[k], start[k], 1e-12);
        scree_cells_end(&made);
    }
}

// --- damping

static void damping_acts_on_fluctuations_only(void **state)
{
    (void)state;
    static const double gradient[9] = {0.3, 1, 0, 0.2, -0.3, 0, 0, 0.5, 0}, rest[3] = {0};
    const double c = 2, h = 1e-3;
    struct scree_cells made = scree_cells_make(scree_cells_cube, h);
    const struct scree_damping damping = {.viscous = c};
    const uint64_t id = scree_cells_add(made.world, scree_test_material(made.world), 0.01,
                                        (double[]){0.3, 0.7, 0.2}, (double[]){0.05, 0, -0.1},
                                        (double[]){0, 1, 0}),
                   still = scree_cells_add(made.world, scree_test_material(made.world), 0.01,
                                           (double[]){0.8, 0.7, 0.2}, rest, rest);
    assert_ok(scree_engine_set_damping(made.engine, &damping));
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_engine_run(made.engine, 1000));
    // each step divides by (1 + c h / 2) and multiplies by (1 - c h / 2)
    double factor = 1, got[3];
    for (int k = 0; k < 1000; ++k)
        factor *= (1 - 0.5 * c * h) / (1 + 0.5 * c * h);
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id}, got));
    for (int k = 0; k < 3; ++k)
        scree_test_near(got[k], factor * (double[]){0.05, 0, -0.1}[k], 1e-13);
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){still}, got));
    for (int k = 0; k < 3; ++k)
        scree_test_near(got[k], 0, 1e-13);
    // half the curl is (0.25, 0, -0.4)
    const double *spin = scree_test_state(made.world, id).spin;
    scree_test_near(spin[0], 0.25, 1e-13);
    scree_test_near(spin[1], factor, 1e-13);
    scree_test_near(spin[2], -0.4, 1e-13);
    scree_cells_end(&made);
}

// --- refusals

static void what_cannot_be_in_the_cell_is_refused(void **state)
{
    (void)state;
    static const double none[9] = {0};
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1e-3);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "along the axes",
                   scree_cell_set(made.world, &(struct scree_cell_def){.upper = {1, 1, 1}}));
    const double gravity[3] = {0, 0, -9.81}, zero[3] = {0};
    assert_ok(scree_world_set_gravity(made.world, gravity));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "gravity", scree_engine_run(made.engine, 1));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "gravity", scree_cell_deform(made.world, none));
    assert_ok(scree_world_set_gravity(made.world, zero));
    const uint64_t id = scree_cells_add(made.world, scree_test_material(made.world), 0.01, zero, zero, zero);
    assert_ok(scree_body_fix(made.world, (scree_body_id){id}, SCREE_FIX_X));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "fixed", scree_engine_run(made.engine, 1));
    assert_ok(scree_body_fix(made.world, (scree_body_id){id}, 0));
    assert_ok(scree_cell_deform(made.world, (const double[9]){0, 200, 0, 0, 0}));
    assert_refused(SCREE_ERROR_ARGUMENT, "strain the cell", scree_engine_run(made.engine, 1));
    scree_cells_end(&made);
}

static void other_schemes_and_other_cells_are_refused(void **state)
{
    (void)state;
    static const double none[9] = {0};
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    assert_refused(SCREE_ERROR_ARGUMENT, "this world is not periodic", scree_cell_deform(world, none));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "right-handed",
        scree_cell_set_vectors(world, scree_cells_origin, (const double[9]){0, 1, 0, 1, 0, 0, 0, 0, 1}));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "vector 3",
        scree_cell_set_vectors(world, scree_cells_origin, (const double[9]){0, 1, 0, 1, 0, 0, 0, 0, 0}));
    assert_ok(scree_cell_set_vectors(world, scree_cells_origin, scree_cells_skewed));
    const struct scree_soft_def def = {.step = 1e-3, .translation = "leapfrog"};
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "'leapfrog'", scree_engine_run(engine, 1));
    scree_test_end(world, engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_shear_has_the_tabulated_cell_spin_and_affine_path),
        cmocka_unit_test(bodies_without_fluctuation_keep_their_places_in_the_cell),
        cmocka_unit_test(damping_acts_on_fluctuations_only),
        cmocka_unit_test(what_cannot_be_in_the_cell_is_refused),
        cmocka_unit_test(other_schemes_and_other_cells_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
