// Velocity gradients of a cell that are functions of time inside a run, and the form `newton`.

#include "support/cells.h"
#include "support/order.h"
#include "support/table.h"

static void diagonal_gradient(void *user, double t, double gradient[9])
{
    (void)user;
    gradient[0] = 0.5 - 0.2 * t;
    gradient[4] = -0.3;
    gradient[8] = 0.4 * cos(2 * t);
}

static void general_gradient(void *user, double t, double gradient[9])
{
    (void)user;
    static const double l[9] = {0.3, 0.5, -0.2, 0.1, -0.4, 0.25, 0.05, 0.6, 0.2};
    for (int k = 0; k < 9; ++k)
        gradient[k] = cos(t) * l[k];
}

static void drive(struct scree_world *world, scree_cell_gradient_function *function)
{
    assert_ok(scree_cell_set_drive(world, &(struct scree_cell_drive_def){.function = function}));
}

static double diagonal_error(void *context, size_t steps)
{
    const struct scree_table *table = context;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1.0 / (double)steps);
    drive(made.world, diagonal_gradient);
    assert_ok(scree_engine_run(made.engine, steps));
    const struct scree_cell_state cell = scree_cells_state(made.world);
    static const char *const stretch[] = {"H11", "H22", "H33"}, *const strain[] = {"eps11", "eps22", "eps33"};
    const size_t last = table->rows - 1;
    double error = 0;
    for (int k = 0; k < 3; ++k) {
        error += fabs(cell.deformation[4 * k] - scree_table_number(table, last, stretch[k]));
        error += fabs(cell.strain[4 * k] - scree_table_number(table, last, strain[k]));
    }
    // the gradient of the state is that at the end
    scree_test_near(cell.gradient[0], 0.3, 1e-12);
    scree_cells_end(&made);
    return error;
}

static void a_driven_cell_has_the_tabulated_strain_with_order_two(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("cell_diag_L.csv");
    scree_order_check(diagonal_error, table, 20, 2, "driven diagonal gradient");
    scree_table_free(table);
}

static double particle_error(void *context, size_t steps)
{
    const struct scree_table *table = context;
    const double step = 2.0 / (double)steps, rest[3] = {0}, start[3] = {0.3, 0.7, 0.2};
    struct scree_cells made = scree_cells_make(scree_cells_cube, step);
    const uint64_t id = scree_cells_add(made.world, scree_test_material(made.world), 0.01, start,
                                        (double[]){0.05, 0, -0.1}, rest);
    const double mass = scree_test_state(made.world, id).mass;
    struct scree_load_def load = {.force = {0.1 * mass, -0.2 * mass, 0.05 * mass}};
    scree_load_id load_id;
    assert_ok(scree_load_add(made.world, &load, &load_id));
    drive(made.world, general_gradient);
    assert_ok(scree_engine_run(made.engine, steps));
    double x[3], fluctuation[3], error = 0;
    assert_ok(scree_cell_unwrapped_position(made.world, (scree_body_id){id}, x));
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id}, fluctuation));
    static const char *const name[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        error += fabs(x[k] - scree_table_number(table, table->rows - 1, name[k]));
        // exact: v_f = v_f0 + a t; a sum of `steps` terms, and differences of velocities of order 1
        const double expected = (double[]){0.05, 0, -0.1}[k] + 2 * (double[]){0.1, -0.2, 0.05}[k];
        scree_test_near(fluctuation[k], expected, 4 * (double)steps * 0x1p-52);
    }
    // half the curl at the end: cos(2) (0.6 - 0.25, -0.2 - 0.05, 0.1 - 0.5) / 2
    const double *spin = scree_test_state(made.world, id).spin;
    scree_test_near(spin[0], 0.175 * cos(2.0), 1e-13);
    scree_test_near(spin[1], -0.125 * cos(2.0), 1e-13);
    scree_test_near(spin[2], -0.2 * cos(2.0), 1e-13);
    scree_cells_end(&made);
    return error;
}

static void a_loaded_body_in_a_driven_cell_has_the_tabulated_path_with_order_two(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("woo_meanfield_particle.csv");
    scree_order_check(particle_error, table, 25, 2, "loaded body in a driven cell");
    scree_table_free(table);
}

// --- the form `newton`

// exp(t A) of a matrix of six rows, by its series.
static void exponential(double a[6][6], double t, double result[6][6])
{
    double term[6][6] = {{0}};
    for (int i = 0; i < 6; ++i)
        term[i][i] = 1;
    memcpy(result, term, sizeof term);
    for (int n = 1; n < 60; ++n) {
        double next[6][6] = {{0}};
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                for (int k = 0; k < 6; ++k)
                    next[i][j] += term[i][k] * a[k][j] * t / n;
        memcpy(term, next, sizeof term);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                result[i][j] += term[i][j];
    }
}

static const double steady[9] = {0.3, 0.5, -0.2, 0.1, -0.4, 0.25, 0.05, 0.6, 0.1};

// dx/dt = D x + w, dw/dt = -D w.
static void newton_path(const double start[3], const double w[3], double t, double path[6])
{
    double a[6][6] = {{0}}, map[6][6];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            a[i][j] = steady[3 * i + j];
            a[3 + i][3 + j] = -steady[3 * i + j];
            a[i][3 + i] = 1;
        }
    exponential(a, t, map);
    for (int i = 0; i < 6; ++i) {
        path[i] = 0;
        for (int j = 0; j < 3; ++j)
            path[i] += map[i][j] * start[j] + map[i][3 + j] * w[j];
    }
}

static double newton_error(void *context, size_t steps)
{
    (void)context;
    const double step = 1.0 / (double)steps, start[3] = {0.3, 0.7, 0.2}, w[3] = {0.2, -0.3, 0.1},
                 rest[3] = {0};
    struct scree_cells made = scree_cells_make(scree_cells_cube, step);
    const uint64_t id = scree_cells_add(made.world, scree_test_material(made.world), 0.01, start, w, rest);
    assert_ok(scree_cell_deform(made.world, steady));
    assert_ok(scree_cell_set_form(made.world, SCREE_CELL_NEWTON));
    assert_ok(scree_engine_run(made.engine, steps));
    double x[3], fluctuation[3], path[6], error = 0;
    assert_ok(scree_cell_unwrapped_position(made.world, (scree_body_id){id}, x));
    assert_ok(scree_cell_fluctuation(made.world, (scree_body_id){id}, fluctuation));
    newton_path(start, w, 1, path);
    for (int k = 0; k < 3; ++k)
        error += fabs(x[k] - path[k]) + fabs(fluctuation[k] - path[3 + k]);
    scree_cells_end(&made);
    return error;
}

static void newton_has_the_exact_path_of_a_free_body_with_order_two(void **state)
{
    (void)state;
    scree_order_check(newton_error, NULL, 10, 2, "newton");
}

static void newton_in_simple_shear_moves_free_bodies_straight(void **state)
{
    (void)state;
    const double gradient[9] = {0, 0.8, 0, 0, 0, 0, 0, 0, 0}, rest[3] = {0}, start[3] = {0.3, 0.7, 0.2},
                 w[3] = {0.2, -0.3, 0.1};
    struct scree_cells made = scree_cells_make(scree_cells_cube, 0.01);
    const uint64_t id = scree_cells_add(made.world, scree_test_material(made.world), 0.01, start, w, rest);
    assert_ok(scree_cell_deform(made.world, gradient));
    assert_ok(scree_cell_set_form(made.world, SCREE_CELL_NEWTON));
    double x[3];
    assert_ok(scree_engine_run(made.engine, 300));
    assert_ok(scree_cell_unwrapped_position(made.world, (scree_body_id){id}, x));
    // the total velocity is w + D x and does not change; 300 steps with errors of some 1e-16
    for (int k = 0; k < 3; ++k)
        scree_test_near(x[k], start[k] + 3 * (w[k] + (k == 0 ? 0.8 * start[1] : 0)), 1e-12);
    scree_cells_end(&made);
}

// --- bits

enum { GRAINS = 60 };

static void add_grains(struct scree_world *world)
{
    uint64_t seed = 3;
    const scree_material_id material = scree_test_material(world);
    for (int g = 0; g < GRAINS; ++g) {
        double x[3], v[3], w[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = 0.5 + 0.5 * splitmix_signed(&seed);
            v[k] = 0.1 * splitmix_signed(&seed);
            w[k] = splitmix_signed(&seed);
        }
        (void)scree_cells_add(world, material, 0.1, x, v, w);
    }
}

// The same 40 steps in runs of `run` steps, with a restart in the middle.
static struct scree_digest driven(enum scree_cell_form form, size_t run, bool restart, int threads)
{
    struct scree_cells made = scree_cells_make(scree_cells_skewed, 1e-3);
    scree_engine_destroy(made.engine);
    made.engine = scree_cells_engine(made.world, 1e-3, threads);
    add_grains(made.world);
    drive(made.world, general_gradient);
    assert_ok(scree_cell_set_form(made.world, form));
    for (size_t done = 0; done < 40; done += run) {
        if (restart && done == 20) {
            scree_engine_destroy(made.engine);
            scree_test_restart(&made.world, "deforming-drive.checkpoint");
            made.engine = scree_cells_engine(made.world, 1e-3, threads);
            assert_refused(SCREE_ERROR_STATE, "scree_cell_set_drive", scree_engine_run(made.engine, 1));
            drive(made.world, general_gradient);
        }
        assert_ok(scree_engine_run(made.engine, run));
    }
    const struct scree_digest digest = scree_test_digest(made.world);
    scree_cells_end(&made);
    return digest;
}

static void bits_depend_neither_on_runs_nor_on_restarts_nor_on_threads(void **state)
{
    (void)state;
    for (int form = 0; form < 2; ++form) {
        const enum scree_cell_form f = (enum scree_cell_form)form;
        const struct scree_digest one = driven(f, 40, false, 1);
        assert_true(scree_test_digests_equal(driven(f, 20, true, 1), one));
        assert_true(scree_test_digests_equal(driven(f, 1, false, 1), one));
        assert_true(scree_test_digests_equal(driven(f, 40, false, 2), one));
    }
    assert_false(scree_test_digests_equal(driven(SCREE_CELL_MEAN_FIELD, 40, false, 1),
                                          driven(SCREE_CELL_NEWTON, 40, false, 1)));
}

// --- errors

static void infinite_gradient(void *user, double t, double gradient[9])
{
    (void)user;
    gradient[1] = t > 0.0042 ? (double)INFINITY : 1;
}

static int releases;

static void release(void *user)
{
    (void)user;
    ++releases;
}

static void wrong_functions_and_forms_are_refused(void **state)
{
    (void)state;
    struct scree_cells made = scree_cells_make(scree_cells_cube, 1e-3);
    drive(made.world, infinite_gradient);
    assert_refused(SCREE_ERROR_ARGUMENT, "wrong at 0.0045 s", scree_engine_run(made.engine, 10));
    assert_refused(SCREE_ERROR_ARGUMENT, "SCREE_CELL_NEWTON",
                   scree_cell_set_form(made.world, (enum scree_cell_form)7));
    const struct scree_cell_drive_def def = {.function = diagonal_gradient, .release = release};
    releases = 0;
    assert_ok(scree_cell_set_drive(made.world, &def));
    assert_ok(scree_cell_set_drive(made.world, &def));
    assert_int_equal(releases, 1);
    const double kept = scree_cells_state(made.world).gradient[0];
    assert_ok(scree_cell_set_drive(made.world, NULL));
    assert_int_equal(releases, 2);
    assert_true(scree_cells_state(made.world).gradient[0] == kept);
    assert_ok(scree_cell_set_drive(made.world, &def));
    assert_ok(scree_cell_deform(made.world, (const double[9]){0}));
    assert_int_equal(releases, 3);
    assert_ok(scree_cell_set_drive(made.world, &def));
    scree_cells_end(&made);
    assert_int_equal(releases, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driven_cell_has_the_tabulated_strain_with_order_two),
        cmocka_unit_test(a_loaded_body_in_a_driven_cell_has_the_tabulated_path_with_order_two),
        cmocka_unit_test(newton_has_the_exact_path_of_a_free_body_with_order_two),
        cmocka_unit_test(newton_in_simple_shear_moves_free_bodies_straight),
        cmocka_unit_test(bits_depend_neither_on_runs_nor_on_restarts_nor_on_threads),
        cmocka_unit_test(wrong_functions_and_forms_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
