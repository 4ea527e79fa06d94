// Rigid bodies with some components of spin fixed (world axes): the motion and the energy balance are of
// order 2, because the ledger contains the work of the constraint moments.
//
// The reference is the classical Runge-Kutta method with steps so short that its error, of order 4, is below
// 1e-12. Its unknowns are the orientation and the angular momentum L along the free axes; L' = M - c L,
// because constraint moments act along fixed axes only.

#include "support/order.h"
#include "support/tumble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { REFERENCE_STEPS = 8000, FIRST_STEPS = 200 };
static const double duration = 3, viscous = 0.2;
static const double inertia[3] = {1, 2, 2.5};
static const double initial_orientation[4] = {0.9, 0.1, -0.3, 0.2};
static const double initial_spin[3] = {0.8, -0.5, 0.6};

// a weight on a lever arm, with viscous moments
static void moment_at(const double q[4], const double spin[3], double moment[3])
{
    static const double local[3] = {0.2, -0.1, 0.4};
    double arm[3];
    scree_tumble_to_world(q, local, arm);
    moment[0] = -3 * arm[1] - 0.2 * spin[0];
    moment[1] = 3 * arm[0] - 0.2 * spin[1];
    moment[2] = 0.4 - 0.2 * spin[2];
}

static scree_status load(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i) {
        double moment[3];
        moment_at(batch->orientation[i], batch->spin[i], moment);
        for (int k = 0; k < 3; ++k)
            batch->moment[i][k] += moment[k];
    }
    return SCREE_OK;
}

// --- the reference

enum { WIDTH = 7 }; // orientation, momentum along the free axes

static void world_inertia(const double q[4], double m[3][3])
{
    for (int b = 0; b < 3; ++b) {
        const double unit[3] = {b == 0, b == 1, b == 2};
        double body_axes[3], column[3];
        scree_tumble_to_body(q, unit, body_axes);
        for (int k = 0; k < 3; ++k)
            body_axes[k] *= inertia[k];
        scree_tumble_to_world(q, body_axes, column);
        for (int a = 0; a < 3; ++a)
            m[a][b] = column[a];
    }
}

// solves I_ff w_f = L_f - I_fc w_c (f free, c fixed axes) by Gauss elimination; the rows of fixed axes are
// w_c = initial spin
static void solve_spin(const double y[WIDTH], unsigned fixed, double spin[3])
{
    double m[3][3];
    world_inertia(y, m);
    for (int k = 0; k < 3; ++k) {
        spin[k] = y[4 + k];
        if (fixed >> (3 + k) & 1) {
            for (int j = 0; j < 3; ++j)
                m[k][j] = k == j;
            spin[k] = initial_spin[k];
        }
    }
    for (int p = 0; p < 3; ++p)
        for (int k = 0; k < 3; ++k) {
            const double factor = k == p ? 0 : m[k][p] / m[p][p];
            for (int j = 0; j < 3; ++j)
                m[k][j] -= factor * m[p][j];
            spin[k] -= factor * spin[p];
        }
    for (int k = 0; k < 3; ++k)
        spin[k] /= m[k][k];
}

static void derivative(const double y[WIDTH], unsigned fixed, double out[WIDTH])
{
    double w[3], moment[3];
    solve_spin(y, fixed, w);
    moment_at(y, w, moment);
    out[0] = -0.5 * (w[0] * y[1] + w[1] * y[2] + w[2] * y[3]);
    out[1] = 0.5 * (w[0] * y[0] + w[1] * y[3] - w[2] * y[2]);
    out[2] = 0.5 * (w[1] * y[0] + w[2] * y[1] - w[0] * y[3]);
    out[3] = 0.5 * (w[2] * y[0] + w[0] * y[2] - w[1] * y[1]);
    for (int k = 0; k < 3; ++k)
        out[4 + k] = moment[k] - viscous * y[4 + k];
}

static void compute_reference(unsigned fixed, struct scree_tumble_state *end)
{
    static const double stage_time[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const double h = duration / REFERENCE_STEPS;
    double y[WIDTH], body_axes[3];
    const double norm = sqrt(
        initial_orientation[0] * initial_orientation[0] + initial_orientation[1] * initial_orientation[1] +
        initial_orientation[2] * initial_orientation[2] + initial_orientation[3] * initial_orientation[3]);
    for (int c = 0; c < 4; ++c)
        y[c] = initial_orientation[c] / norm;
    scree_tumble_to_body(y, initial_spin, body_axes);
    for (int k = 0; k < 3; ++k)
        body_axes[k] *= inertia[k];
    scree_tumble_to_world(y, body_axes, y + 4);
    for (int s = 0; s < REFERENCE_STEPS; ++s) {
        double sum[WIDTH] = {0}, rate[WIDTH] = {0};
        for (int stage = 0; stage < 4; ++stage) {
            double at[WIDTH];
            for (int c = 0; c < WIDTH; ++c)
                at[c] = y[c] + stage_time[stage] * h * rate[c];
            derivative(at, fixed, rate);
            for (int c = 0; c < WIDTH; ++c)
                sum[c] += weight[stage] * rate[c];
        }
        for (int c = 0; c < WIDTH; ++c)
            y[c] += h * sum[c];
    }
    memcpy(end->orientation, y, sizeof end->orientation);
    solve_spin(y, fixed, end->spin);
}

// --- the engine

struct outcome {
    struct scree_tumble_state state;
    struct scree_energy energy;
};

static struct outcome run_in_engine(unsigned fixed, size_t steps)
{
    struct scree_world *world;
    assert_int_equal(scree_world_create(NULL, &world), SCREE_OK);
    struct scree_rigid_def def = {.mass = 1, .fixed = fixed};
    memcpy(def.inertia, inertia, sizeof def.inertia);
    memcpy(def.orientation, initial_orientation, sizeof def.orientation);
    memcpy(def.spin, initial_spin, sizeof def.spin);
    scree_body_id id;
    assert_int_equal(scree_body_add_rigid(world, &def, &id), SCREE_OK);
    scree_load_id load_id;
    const struct scree_load_def load_def = {.function = load};
    assert_int_equal(scree_load_add(world, &load_def, &load_id), SCREE_OK);
    struct scree_engine *engine;
    const struct scree_soft_def soft = {
        .step = duration / (double)steps, .damping = {.viscous = viscous}, .threads = 1};
    assert_int_equal(scree_soft_create(world, &soft, &engine), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, steps), SCREE_OK);
    struct outcome outcome;
    struct scree_body_state state;
    assert_int_equal(scree_body_get(world, id, &state), SCREE_OK);
    memcpy(outcome.state.orientation, state.orientation, sizeof state.orientation);
    memcpy(outcome.state.spin, state.spin, sizeof state.spin);
    assert_int_equal(scree_energy_get(world, &outcome.energy), SCREE_OK);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return outcome;
}

struct trial {
    unsigned fixed;
    struct scree_tumble_state expected;
};

static double error(void *context, size_t steps)
{
    const struct trial *trial = context;
    const struct outcome outcome = run_in_engine(trial->fixed, steps);
    for (int k = 0; k < 3; ++k)
        if (trial->fixed >> (3 + k) & 1)
            assert_true(outcome.state.spin[k] == initial_spin[k]);
    return scree_tumble_error(&outcome.state, &trial->expected, 1);
}

static double balance_error(void *context, size_t steps)
{
    return fabs(run_in_engine(((const struct trial *)context)->fixed, steps).energy.balance);
}

static const unsigned cases[] = {SCREE_FIX_SPIN_X, SCREE_FIX_SPIN_Z, SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y,
                                 SCREE_FIX_SPIN_Y | SCREE_FIX_SPIN_Z};
enum { CASES = sizeof cases / sizeof cases[0] };

static void bodies_with_fixed_spins_move_with_order_2_and_keep_these_spins_exactly(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; ++c) {
        struct trial trial = {.fixed = cases[c]};
        compute_reference(cases[c], &trial.expected);
        scree_order_check(error, &trial, FIRST_STEPS, 2, "constrained");
    }
}

static void the_energy_balance_of_bodies_with_fixed_spins_has_order_2(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; ++c)
        scree_order_check(balance_error, &(struct trial){.fixed = cases[c]}, FIRST_STEPS, 2, "ledger");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_with_fixed_spins_move_with_order_2_and_keep_these_spins_exactly),
        cmocka_unit_test(the_energy_balance_of_bodies_with_fixed_spins_has_order_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
