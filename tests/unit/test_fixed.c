// Fixed degrees of freedom and prescribed velocities, along and about each world axis, for round and general
// bodies. The reference for general bodies is Euler's equations with the constraint w_c' = 0, solved by a
// Runge-Kutta method with a fine step, independent of the library.

#include "support/worlds.h"

#include <math.h>

// --- the reference

struct rotation_state {
    double q[4], w[3];
};

struct fixed_body {
    double inertia[3];
    unsigned fixed; // bit k: spin about world axis k
};

static void rotation(const double *q, double r[3][3])
{
    const double n = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double w = n * q[0], x = n * q[1], y = n * q[2], z = n * q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, rows, sizeof rows);
}

static void moment_at(double t, const double *q, const double *w, double *m)
{
    for (int k = 0; k < 3; ++k)
        m[k] = 0.5 - 0.3 * k + 0.4 * t + 0.6 * q[0] * q[1 + k] - 0.2 * w[k];
}

// Gauss elimination for the free axes only.
static void solve(double a[3][3], double *b, unsigned fixed)
{
    for (int k = 0; k < 3; ++k)
        if (fixed >> k & 1) {
            for (int j = 0; j < 3; ++j)
                a[k][j] = a[j][k] = 0;
            a[k][k] = 1;
            b[k] = 0;
        }
    // symmetric and positive definite: no pivoting needed
    for (int c = 0; c < 3; ++c)
        for (int r = c + 1; r < 3; ++r) {
            const double f = a[r][c] / a[c][c];
            for (int k = c; k < 3; ++k)
                a[r][k] -= f * a[c][k];
            b[r] -= f * b[c];
        }
    for (int r = 2; r >= 0; --r) {
        for (int k = r + 1; k < 3; ++k)
            b[r] -= a[r][k] * b[k];
        b[r] /= a[r][r];
    }
}

static struct rotation_state rate(const struct fixed_body *p, double t, const struct rotation_state *s)
{
    double r[3][3], inertia[3][3] = {{0}}, m[3], l[3] = {0};
    struct rotation_state d;
    rotation(s->q, r);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                inertia[i][j] += r[i][k] * p->inertia[k] * r[j][k];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            l[i] += inertia[i][j] * s->w[j];
    moment_at(t, s->q, s->w, m);
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        d.w[k] = m[k] - (s->w[a] * l[b] - s->w[b] * l[a]);
    }
    solve(inertia, d.w, p->fixed);
    const double *q = s->q, *w = s->w;
    d.q[0] = -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    d.q[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    d.q[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    d.q[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
    return d;
}

static struct rotation_state add_scaled(const struct rotation_state *s, const struct rotation_state *d,
                                        double h)
{
    struct rotation_state next;
    for (int k = 0; k < 4; ++k)
        next.q[k] = s->q[k] + h * d->q[k];
    for (int k = 0; k < 3; ++k)
        next.w[k] = s->w[k] + h * d->w[k];
    return next;
}

static struct rotation_state integrate(const struct fixed_body *p, struct rotation_state s, double end,
                                       unsigned n)
{
    const double h = end / n;
    for (unsigned i = 0; i < n; ++i) {
        const double t = h * i;
        const struct rotation_state k1 = rate(p, t, &s);
        const struct rotation_state s2 = add_scaled(&s, &k1, 0.5 * h), k2 = rate(p, t + 0.5 * h, &s2);
        const struct rotation_state s3 = add_scaled(&s, &k2, 0.5 * h), k3 = rate(p, t + 0.5 * h, &s3);
        const struct rotation_state s4 = add_scaled(&s, &k3, h), k4 = rate(p, t + h, &s4);
        for (int k = 0; k < 4; ++k)
            s.q[k] += h / 6 * (k1.q[k] + 2 * k2.q[k] + 2 * k3.q[k] + k4.q[k]);
        for (int k = 0; k < 3; ++k)
            s.w[k] += h / 6 * (k1.w[k] + 2 * k2.w[k] + 2 * k3.w[k] + k4.w[k]);
    }
    return s;
}

// --- the engine

static scree_status apply_moment(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        moment_at(batch->time, batch->orientation[i], batch->spin[i], batch->moment[i]);
    return SCREE_OK;
}

static double error_of_run(const struct fixed_body *p, const struct rotation_state *start,
                           const struct rotation_state *end, double time, unsigned n, const char *scheme)
{
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_body_state body;
    scree_body_id id;
    scree_load_id load;
    struct scree_rigid_def def = {.mass = 1, .fixed = p->fixed << 3};
    memcpy(def.inertia, p->inertia, sizeof def.inertia);
    memcpy(def.orientation, start->q, sizeof def.orientation);
    memcpy(def.spin, start->w, sizeof def.spin);
    assert_ok(scree_body_add_rigid(world, &def, &id));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = apply_moment}, &load));
    assert_ok(scree_soft_create(
        world, &(struct scree_soft_def){.step = time / n, .rotation = scheme, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, n));
    assert_ok(scree_body_get(world, id, &body));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    double error = 0, dot = 0;
    for (int k = 0; k < 4; ++k)
        dot += body.orientation[k] * end->q[k];
    for (int k = 0; k < 4; ++k)
        error = fmax(error, fabs(body.orientation[k] - (dot < 0 ? -1 : 1) * end->q[k]));
    for (int k = 0; k < 3; ++k) {
        error = fmax(error, fabs(body.spin[k] - end->w[k]));
        if (p->fixed >> k & 1)
            assert_true(body.spin[k] == start->w[k]);
    }
    return error;
}

static void partly_fixed_spins_follow_eulers_equations_to_order_two(void **state)
{
    (void)state;
    const struct rotation_state start = {{0.8, 0.2, -0.4, 0.4}, {0.7, -1.1, 0.9}};
    static const char *const schemes[] = {NULL, "fincham", "pcdm", "pcdm-leapfrog"};
    for (unsigned fixed = 1; fixed < 7; ++fixed) {
        const struct fixed_body p = {{1, 1.6, 2.1}, fixed};
        const double time = 2;
        // the error of the reference is below 1e-11: halving its step changes it by no more
        const struct rotation_state end = integrate(&p, start, time, 4000);
        const struct rotation_state with_half_the_steps = integrate(&p, start, time, 2000);
        for (int k = 0; k < 4; ++k)
            assert_true(fabs(end.q[k] - with_half_the_steps.q[k]) < 1e-11);
        for (size_t l = 0; l < 4; ++l) {
            double error[5];
            for (int n = 0; n < 5; ++n)
                error[n] = error_of_run(&p, &start, &end, time, 100u << n, schemes[l]);
            for (int n = 1; n < 5; ++n)
                if (!(error[n - 1] / error[n] > 3.7 && error[n - 1] / error[n] < 4.3))
                    fail_msg("with fixed spins %u: errors %g and %g at %u and %u steps", fixed, error[n - 1],
                             error[n], 100u << (n - 1), 100u << n);
            assert_true(error[4] < 1e-5);
        }
    }
}

static void a_body_with_all_spin_fixed_rotates_exactly(void **state)
{
    (void)state;
    const struct fixed_body p = {{1, 1.6, 2.1}, 7};
    const struct rotation_state start = {{1, 0, 0, 0}, {0.6, -0.8, 1.2}};
    const double time = 2, size = sqrt(0.36 + 0.64 + 1.44), angle = size * time;
    struct rotation_state end = start;
    end.q[0] = cos(0.5 * angle);
    for (int k = 0; k < 3; ++k)
        end.q[1 + k] = sin(0.5 * angle) * start.w[k] / size;
    // 200 rotations with a few roundings each
    assert_true(error_of_run(&p, &start, &end, time, 200, NULL) < 200 * 4e-16);
}

static void a_fixed_degree_of_freedom_keeps_its_velocity_under_any_load(void **state)
{
    (void)state;
    for (int k = 0; k < 6; ++k)
        for (int kind = 0; kind < 2; ++kind)
            for (size_t t = 0; scree_motion_name(SCREE_TRANSLATION, t); ++t) {
                struct scree_world *world = scree_test_empty_world();
                struct scree_engine *engine;
                struct scree_body_state body;
                scree_load_id load;
                scree_body_id id = scree_test_sphere(world);
                if (kind == 1)
                    assert_ok(scree_body_add_rigid(
                        world, &(struct scree_rigid_def){.mass = 2, .inertia = {1, 1.5, 2}}, &id));
                assert_ok(scree_body_set_velocity(world, id, (const double[3]){1, 2, 3}));
                assert_ok(scree_body_set_spin(world, id, (const double[3]){3, 2, 1}));
                assert_ok(scree_body_fix(world, id, 1u << k));
                assert_ok(scree_world_set_gravity(world, (const double[3]){1, 1, 1}));
                assert_ok(scree_load_add(
                    world, &(struct scree_load_def){.force = {5, 5, 5}, .moment = {1, 1, 1}}, &load));
                const struct scree_test_world setup = {.translation = scree_motion_name(SCREE_TRANSLATION, t),
                                                       .step = 0.125,
                                                       .damping = {0.1, 0.5}};
                assert_ok(scree_test_world_engine(&setup, world, &engine));
                assert_ok(scree_engine_run(engine, 8));
                assert_ok(scree_body_get(world, id, &body));
                for (int axis = 0; axis < 6; ++axis) {
                    const double now = axis < 3 ? body.velocity[axis] : body.spin[axis - 3];
                    const double prescribed = axis < 3 ? axis + 1 : 6 - axis;
                    assert_true((now == prescribed) == (axis == k));
                }
                // the displacement in one second at constant velocity is exact
                if (k < 3)
                    assert_true(body.position[k] == k + 1);
                scree_engine_destroy(engine);
                scree_world_destroy(world);
            }
}

static void a_prescribed_velocity_changes_between_runs(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_body_state body;
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_body_fix(world, id, SCREE_FIX_ALL));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.translation = "leapfrog", .step = 0.125},
                                      world, &engine));
    assert_ok(scree_world_set_gravity(world, (const double[3]){1, 1, 1}));
    assert_ok(scree_engine_run(engine, 8));
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){2}));
    assert_ok(scree_engine_run(engine, 8));
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){0, -1}));
    assert_ok(scree_engine_run(engine, 8));
    assert_ok(scree_body_get(world, id, &body));
    assert_true(body.position[0] == 2 && body.position[1] == -1 && body.position[2] == 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// A velocity fixed between runs keeps its on-step value, whatever mid-step velocity the scheme has stored.
static void fixing_keeps_the_present_on_step_velocity(void **state)
{
    (void)state;
    for (size_t t = 0; scree_motion_name(SCREE_TRANSLATION, t); ++t) {
        struct scree_world *world = scree_test_empty_world();
        struct scree_engine *engine;
        struct scree_body_state before, after;
        const scree_body_id id = scree_test_sphere(world);
        const struct scree_test_world setup = {.translation = scree_motion_name(SCREE_TRANSLATION, t),
                                               .step = 0.125};
        assert_ok(scree_world_set_gravity(world, (const double[3]){1}));
        assert_ok(scree_test_world_engine(&setup, world, &engine));
        assert_ok(scree_engine_run(engine, 8));
        assert_ok(scree_body_get(world, id, &before));
        assert_ok(scree_body_fix(world, id, SCREE_FIX_X));
        assert_ok(scree_engine_run(engine, 8));
        assert_ok(scree_body_get(world, id, &after));
        assert_true(after.velocity[0] == before.velocity[0]);
        assert_true(after.position[0] == before.position[0] + before.velocity[0]);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partly_fixed_spins_follow_eulers_equations_to_order_two),
        cmocka_unit_test(a_body_with_all_spin_fixed_rotates_exactly),
        cmocka_unit_test(a_fixed_degree_of_freedom_keeps_its_velocity_under_any_load),
        cmocka_unit_test(a_prescribed_velocity_changes_between_runs),
        cmocka_unit_test(fixing_keeps_the_present_on_step_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
