// Rotation of free bodies under moments, see tumble.h.

#include "support/tumble.h"

#include "engine/soft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- in the engine

// ids are 1, 2, ... in order of creation
static scree_status apply_moments(void *user, const struct scree_load_batch *batch)
{
    const struct scree_tumble *bodies = user;
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_tumble *body = &bodies[batch->id[i].value - 1];
        double moment[3] = {0};
        if (body->moment)
            body->moment(body->user, batch->time, batch->orientation[i], batch->spin[i], moment);
        for (int k = 0; k < 3; ++k)
            batch->moment[i][k] += moment[k];
    }
    return SCREE_OK;
}

static struct scree_world *fill_world(const struct scree_tumble *bodies, size_t count)
{
    struct scree_world *world;
    assert_int_equal(scree_world_create(NULL, &world), SCREE_OK);
    for (size_t i = 0; i < count; ++i) {
        struct scree_rigid_def def = {.mass = 1};
        memcpy(def.inertia, bodies[i].inertia, sizeof def.inertia);
        memcpy(def.orientation, bodies[i].orientation, sizeof def.orientation);
        memcpy(def.spin, bodies[i].spin, sizeof def.spin);
        scree_body_id id;
        assert_int_equal(scree_body_add_rigid(world, &def, &id), SCREE_OK);
        const struct scree_damping damping = bodies[i].damping;
        if (damping.local > 0 || damping.viscous > 0)
            assert_int_equal(scree_body_set_damping(world, id, damping.local, damping.viscous), SCREE_OK);
    }
    scree_load_id load;
    const struct scree_load_def def = {.function = apply_moments, .user = (void *)(uintptr_t)bodies};
    assert_int_equal(scree_load_add(world, &def, &load), SCREE_OK);
    return world;
}

static void take_steps(struct scree_engine *engine, const struct scree_tumble_run *run)
{
    static const double factor[3] = {1.0, 1.4, 0.6};
    if (!run->uneven) {
        assert_int_equal(scree_engine_run(engine, run->steps), SCREE_OK);
        return;
    }
    assert_true(run->steps % 3 == 0);
    for (size_t s = 0; s < run->steps; ++s) {
        assert_int_equal(scree_engine_set_step(engine, run->time / (double)run->steps * factor[s % 3]),
                         SCREE_OK);
        assert_int_equal(scree_engine_run(engine, 1), SCREE_OK);
    }
}

static void copy_field(const struct scree_world *world, const struct scree_tumble_run *run)
{
    struct scree_view view;
    assert_int_equal(scree_field_view(world, run->field_name, &view), SCREE_OK);
    assert_int_equal(view.width, run->field_width);
    for (size_t i = 0; i < view.count; ++i)
        memcpy(run->field_values + i * view.width, (const char *)view.base + i * view.stride,
               view.width * sizeof(double));
}

void scree_tumble_move(const struct scree_tumble *bodies, size_t count, const struct scree_tumble_run *run,
                       struct scree_tumble_state *out)
{
    struct scree_world *world = fill_world(bodies, count);
    const struct scree_soft_def def = {
        .step = run->time / (double)run->steps, .rotation = run->name, .threads = 1};
    struct scree_engine *engine;
    assert_int_equal(scree_soft_create_with(world, &def, NULL, run->scheme, &engine), SCREE_OK);
    take_steps(engine, run);
    if (run->field_name)
        copy_field(world, run);
    for (size_t i = 0; i < count; ++i) {
        struct scree_body_state state;
        assert_int_equal(scree_body_get(world, (scree_body_id){i + 1}, &state), SCREE_OK);
        memcpy(out[i].orientation, state.orientation, sizeof out[i].orientation);
        memcpy(out[i].spin, state.spin, sizeof out[i].spin);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// --- the reference

// numbers of a state (orientation, and spin in body axes), columns of the extrapolation, intervals of a run
enum { WIDTH = 7, COLUMNS = 8, INTERVALS = 800 };

// rows of the rotation matrix
static void matrix(const double q[4], double m[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / (w * w + x * x + y * y + z * z);
    const double rows[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                               {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                               {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    memcpy(m, rows, sizeof rows);
}

void scree_tumble_to_world(const double q[4], const double v[3], double out[3])
{
    double m[3][3];
    matrix(q, m);
    for (int k = 0; k < 3; ++k)
        out[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
}

void scree_tumble_to_body(const double q[4], const double v[3], double out[3])
{
    double m[3][3];
    matrix(q, m);
    for (int k = 0; k < 3; ++k)
        out[k] = m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2];
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static void world_moment(const struct scree_tumble *body, double time, const double *q, const double *spin,
                         double moment[3])
{
    moment[0] = moment[1] = moment[2] = 0;
    if (body->moment)
        body->moment(body->user, time, q, spin, moment);
    for (int k = 0; k < 3; ++k)
        moment[k] -= body->damping.local * fabs(moment[k]) * sign(spin[k]);
}

// q' = q (0, w) / 2 and J w' = M - w x J w - c J w, all in body axes
static void rate_of_change(const struct scree_tumble *body, double time, const double *y, double *out)
{
    const double *q = y, *w = y + 4, *J = body->inertia;
    double spin[3], moment[3], body_moment[3];
    scree_tumble_to_world(q, w, spin);
    world_moment(body, time, q, spin, moment);
    scree_tumble_to_body(q, moment, body_moment);
    out[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    out[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[4 + k] = (body_moment[k] + (J[l] - J[m]) * w[l] * w[m]) / J[k] - body->damping.viscous * w[k];
    }
}

// Gragg's rule over one interval in n substeps, smoothed at its end
static void midpoint(const struct scree_tumble *body, double time, double interval, int n, const double *y,
                     double *out)
{
    const double h = interval / n;
    double before[WIDTH], now[WIDTH], rate[WIDTH];
    rate_of_change(body, time, y, rate);
    for (int c = 0; c < WIDTH; ++c) {
        before[c] = y[c];
        now[c] = y[c] + h * rate[c];
    }
    for (int s = 1; s < n; ++s) {
        rate_of_change(body, time + s * h, now, rate);
        for (int c = 0; c < WIDTH; ++c) {
            const double next = before[c] + 2 * h * rate[c];
            before[c] = now[c];
            now[c] = next;
        }
    }
    rate_of_change(body, time + interval, now, rate);
    for (int c = 0; c < WIDTH; ++c)
        out[c] = 0.5 * (now[c] + before[c] + h * rate[c]);
}

// n = 2, 4, ..., 16 substeps, extrapolated to zero step length by Neville's scheme in h^2
static void extrapolate(const struct scree_tumble *body, double time, double interval, double *y)
{
    double table[COLUMNS][WIDTH];
    for (int k = 0; k < COLUMNS; ++k) {
        midpoint(body, time, interval, 2 * (k + 1), y, table[k]);
        for (int j = k - 1; j >= 0; --j) {
            const double ratio = (double)(k + 1) / (j + 1);
            for (int c = 0; c < WIDTH; ++c)
                table[j][c] = table[j + 1][c] + (table[j + 1][c] - table[j][c]) / (ratio * ratio - 1);
        }
    }
    memcpy(y, table[0], sizeof table[0]);
}

static void get_signs(const struct scree_tumble *body, double time, const double *y, double signs[6])
{
    double spin[3], moment[3];
    scree_tumble_to_world(y, y + 4, spin);
    world_moment(body, time, y, spin, moment);
    for (int k = 0; k < 3; ++k) {
        signs[k] = sign(spin[k]);
        signs[3 + k] = sign(moment[k]);
    }
}

void scree_tumble_reference(const struct scree_tumble *body, double time, struct scree_tumble_state *out)
{
    double y[WIDTH], at_start[6];
    memcpy(y, body->orientation, sizeof body->orientation);
    const double norm = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int c = 0; c < 4; ++c)
        y[c] /= norm;
    scree_tumble_to_body(y, body->spin, y + 4);
    get_signs(body, 0, y, at_start);
    const double interval = time / INTERVALS;
    for (int s = 0; s < INTERVALS; ++s) {
        extrapolate(body, s * interval, interval, y);
        double now[6];
        get_signs(body, (s + 1) * interval, y, now);
        if (body->damping.local > 0)
            assert_memory_equal(now, at_start, sizeof now);
    }
    memcpy(out->orientation, y, sizeof out->orientation);
    scree_tumble_to_world(y, y + 4, out->spin);
}

double scree_tumble_error(const struct scree_tumble_state *got, const struct scree_tumble_state *expected,
                          size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
        const double *p = got[i].orientation, *q = expected[i].orientation;
        const double *v = got[i].spin, *w = expected[i].spin;
        const double same_sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1 : 1;
        const double scale = 1 + sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (int c = 0; c < 4; ++c)
            sum += 4 * (same_sign * p[c] - q[c]) * (same_sign * p[c] - q[c]);
        for (int c = 0; c < 3; ++c)
            sum += (v[c] - w[c]) * (v[c] - w[c]) / (scale * scale);
    }
    return sqrt(sum / (double)count);
}
