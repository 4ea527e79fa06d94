// Free rotation, see rotation.h.

#include "event/rotation.h"

#include "math/lanes.h"

#include <math.h>

// moments that differ by no more are equal
#define EQUAL 1e-12
// steps per fastest spin
#define STEPS 8

static struct scree_vec3 along(int axis, double length)
{
    return scree_vec3_make(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

struct scree_event_rotation scree_event_rotation_make(const double *inertia)
{
    struct scree_event_rotation rotation = {.kind = SCREE_EVENT_STEADY};
    if (!inertia)
        return rotation;
    rotation.kind = SCREE_EVENT_ASYMMETRIC;
    double light[3] = {1 / inertia[0], 1 / inertia[1], 1 / inertia[2]};
    for (int k = 0; k < 3 && rotation.kind == SCREE_EVENT_ASYMMETRIC; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        if (fabs(inertia[a] - inertia[b]) > EQUAL * inertia[a])
            continue;
        rotation.kind = SCREE_EVENT_SYMMETRIC;
        rotation.axis = k;
        light[a] = light[b] = 2 / (inertia[a] + inertia[b]);
    }
    rotation.lightness = scree_vec3_load(light);
    return rotation;
}

// --- bounds

static double largest_of(struct scree_vec3 v)
{
    const double a = v.x > v.y ? v.x : v.y;
    return a > v.z ? a : v.z;
}

// The largest difference of two moments over the third.
static double unevenness_of(const struct scree_event_rotation *rotation)
{
    const struct scree_vec3 l = rotation->lightness;
    const struct scree_vec3 inertia = {1 / l.x, 1 / l.y, 1 / l.z};
    const struct scree_vec3 unequal = {fabs(inertia.y - inertia.z) * l.x, fabs(inertia.z - inertia.x) * l.y,
                                       fabs(inertia.x - inertia.y) * l.z};
    return largest_of(unequal);
}

// A point at the distance s = 1 from the centre, at rest in the body, has the acceleration
// w' x s + w x (w x s), and its change, in axes of the body, is
//     w'' x s + w' x (w x s) + w x (w' x s) + w x (w' x s + w x (w x s)).
// In w' = I^-1 (I w x w), with the largest difference k of two moments over the third, each part is below k
// times a product of two of the parts of w, so |w'| <= k w^2 / sqrt 3; and each part of w'' is below k^2
// times that of w and the square of the others, so |w''| <= k^2 w^3.
static void set_bounds(struct scree_event_rotation *rotation)
{
    const bool even = scree_event_rotation_is_uniform(rotation);
    const double k = even ? 0 : unevenness_of(rotation);
    rotation->uniform = scree_vec3_norm(rotation->rate);
    // above rounding errors
    rotation->fastest *= 1 + 1e-9;
    rotation->turning = rotation->axial ? (1 + 1e-9) * scree_vec3_norm(rotation->rate) : rotation->fastest;
    const double w = rotation->turning;
    rotation->bend = w * w * (1 + 0.57735026918962584 * k);
    rotation->jerk = w * w * w * (1 + k * (1.7320508075688774 + k));
}

// --- asymmetric bodies

static struct scree_quat sum_of(const double coefficient[][4], double part)
{
    scree_lanes sum = scree_lanes_load(coefficient[SCREE_EVENT_SERIES_ORDER]);
    for (int n = SCREE_EVENT_SERIES_ORDER - 1; n >= 0; --n)
        sum = scree_lanes_load(coefficient[n]) + scree_lanes_all(part) * sum;
    return scree_quat_make(sum[0], sum[1], sum[2], sum[3]);
}

// The series of the orientation from q on, in units of the step: q' = q w / 2 and, in the axes of the body,
// w' = I^-1 (I w x w), coefficient by coefficient. q w is a sum over the parts of w, each times the parts of
// q in another order.
static void expand(const struct scree_event_rotation *rotation, struct scree_quat start,
                   double coefficient[][4])
{
    const struct scree_vec3 l = rotation->lightness;
    const scree_lanes k = {l.x / l.y - l.x / l.z, l.y / l.z - l.y / l.x, l.z / l.x - l.z / l.y, 0};
    const struct scree_vec3 first = scree_vec3_scale(
        scree_vec3_multiply(l, scree_quat_rotate_inverse(start, rotation->momentum)), rotation->step);
    scree_lanes w = {first.x, first.y, first.z, 0}, q = {start.w, start.x, start.y, start.z};
    scree_lanes yzx[SCREE_EVENT_SERIES_ORDER], zxy[SCREE_EVENT_SERIES_ORDER];
    scree_lanes along[3][SCREE_EVENT_SERIES_ORDER];
    scree_lanes_store(q, coefficient[0]);
    for (int n = 0; n < SCREE_EVENT_SERIES_ORDER; ++n) {
        yzx[n] = (scree_lanes){w[1], w[2], w[0], 0};
        zxy[n] = (scree_lanes){w[2], w[0], w[1], 0};
        along[0][n] = (scree_lanes){-q[1], q[0], q[3], -q[2]};
        along[1][n] = (scree_lanes){-q[2], -q[3], q[0], q[1]};
        along[2][n] = (scree_lanes){-q[3], q[2], -q[1], q[0]};
        scree_lanes turn = scree_lanes_all(0), change = turn;
        for (int m = 0; m <= n; ++m) {
            const scree_lanes b = zxy[n - m];
            turn += yzx[m] * b;
            change += (along[0][m] * scree_lanes_all(b[1]) + along[1][m] * scree_lanes_all(b[2])) +
                      along[2][m] * scree_lanes_all(b[0]);
        }
        const double part = 1.0 / (n + 1);
        w = k * turn * scree_lanes_all(part);
        q = change * scree_lanes_all(0.5 * part);
        scree_lanes_store(q, coefficient[n + 1]);
    }
}

static size_t place_of(double step, size_t places)
{
    return (size_t)((uint64_t)step % places);
}

// The start of a step, if it is known.
static const struct scree_quat *start_of(const struct scree_event_rotation *rotation, double step)
{
    const struct scree_event_series *series = rotation->series;
    const size_t place = place_of(step, SCREE_EVENT_SERIES_STARTS);
    if (series->started[place] == step)
        return &series->start[place];
    if (step == series->kept_step)
        return &series->kept;
    return step == 0 ? &rotation->orientation : NULL;
}

// The series of a step, made from the nearest earlier one whose start is known.
static const double (*series_of(const struct scree_event_rotation *rotation, double step))[4]
{
    struct scree_event_series *series = rotation->series;
    const size_t place = place_of(step, SCREE_EVENT_SERIES_STEPS);
    if (series->expanded[place] == step)
        return (const double(*)[4])series->coefficient[place];
    double known = step;
    while (!start_of(rotation, known))
        --known;
    struct scree_quat start = *start_of(rotation, known);
    for (;; ++known) {
        const size_t own = place_of(known, SCREE_EVENT_SERIES_STEPS),
                     kept = place_of(known, SCREE_EVENT_SERIES_STARTS);
        double(*coefficient)[4] = series->coefficient[own];
        series->started[kept] = known;
        series->start[kept] = start;
        if (series->expanded[own] != known)
            expand(rotation, start, coefficient);
        series->expanded[own] = known;
        if (known >= step)
            return (const double(*)[4])coefficient;
        start = scree_quat_normalise(sum_of((const double(*)[4])coefficient, 1));
    }
}

static double step_at(const struct scree_event_rotation *rotation, double time)
{
    const double step = floor((time - rotation->time) / rotation->step);
    return step > 0 ? step : 0;
}

void scree_event_rotation_keep(const struct scree_event_rotation *rotation, double time)
{
    if (rotation->kind != SCREE_EVENT_ASYMMETRIC || !(rotation->fastest > 0))
        return;
    const double step = step_at(rotation, time);
    (void)series_of(rotation, step);
    const struct scree_quat start = *start_of(rotation, step);
    rotation->series->kept_step = step;
    rotation->series->kept = start;
}

// --- all

void scree_event_rotation_begin(struct scree_event_rotation *rotation, double time, struct scree_quat start,
                                struct scree_vec3 spin, struct scree_vec3 momentum)
{
    const struct scree_vec3 l = rotation->lightness;
    const struct scree_vec3 inside = scree_quat_rotate_inverse(start, momentum);
    rotation->time = time;
    rotation->orientation = start;
    rotation->own = scree_vec3_zero();
    rotation->rate = spin;
    rotation->fastest = scree_vec3_norm(spin);
    if (rotation->kind == SCREE_EVENT_SYMMETRIC) {
        const int a = rotation->axis;
        const double slow = a == 0 ? l.y : l.x, fast = a == 0 ? l.x : a == 1 ? l.y : l.z;
        const double about = a == 0 ? inside.x : a == 1 ? inside.y : inside.z;
        rotation->momentum = momentum;
        rotation->rate = scree_vec3_scale(momentum, slow);
        rotation->own = along(a, (fast - slow) * about);
        rotation->fastest = scree_vec3_norm(scree_vec3_multiply(l, inside));
    } else if (rotation->kind == SCREE_EVENT_ASYMMETRIC) {
        const double energy = scree_vec3_dot(scree_vec3_multiply(l, inside), inside);
        rotation->momentum = momentum;
        rotation->fastest = sqrt(energy * largest_of(l));
        rotation->step = 1 / (STEPS * rotation->fastest);
        rotation->series->kept_step = 0;
        rotation->series->kept = start;
        for (size_t k = 0; k < SCREE_EVENT_SERIES_STARTS; ++k)
            rotation->series->started[k] = -1;
        for (size_t k = 0; k < SCREE_EVENT_SERIES_STEPS; ++k)
            rotation->series->expanded[k] = -1;
    }
    set_bounds(rotation);
}

struct scree_event_turned scree_event_rotation_at(const struct scree_event_rotation *rotation, double time)
{
    struct scree_event_turned turned = {.orientation = rotation->orientation, .spin = rotation->rate};
    const double since = time - rotation->time;
    if (!(rotation->fastest > 0))
        return turned;
    if (rotation->kind == SCREE_EVENT_ASYMMETRIC) {
        const double step = step_at(rotation, time);
        turned.orientation =
            sum_of(series_of(rotation, step), (since - step * rotation->step) / rotation->step);
        const struct scree_vec3 momentum = scree_quat_rotate_inverse(turned.orientation, rotation->momentum);
        const struct scree_vec3 spin = scree_vec3_multiply(rotation->lightness, momentum);
        turned.spin = scree_quat_rotate(turned.orientation, spin);
        turned.change = scree_quat_rotate(
            turned.orientation, scree_vec3_multiply(rotation->lightness, scree_vec3_cross(momentum, spin)));
        return turned;
    }
    turned.orientation =
        scree_quat_product(scree_quat_exp(scree_vec3_scale(rotation->rate, since)), rotation->orientation);
    if (rotation->kind == SCREE_EVENT_SYMMETRIC) {
        turned.orientation =
            scree_quat_product(turned.orientation, scree_quat_exp(scree_vec3_scale(rotation->own, since)));
        const struct scree_vec3 own = scree_quat_rotate(turned.orientation, rotation->own);
        turned.spin = scree_vec3_add(rotation->rate, own);
        turned.change = scree_vec3_cross(rotation->rate, own);
    }
    return turned;
}
