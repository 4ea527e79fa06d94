// Free rotation, see rotation.h.

#include "event/rotation.h"

#include <math.h>
#include <stdbool.h>

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

// No point at the distance 1 from the centre has a larger acceleration: w x (w x s), and w' x s with
// |w'| <= k w^2 / sqrt 3, where k is the largest difference of two moments over the third.
static double bend_of(const struct scree_event_rotation *rotation)
{
    const struct scree_vec3 l = rotation->lightness;
    const double w = rotation->fastest;
    if (rotation->kind == SCREE_EVENT_STEADY)
        return w * w;
    const struct scree_vec3 inertia = {1 / l.x, 1 / l.y, 1 / l.z};
    const struct scree_vec3 unequal = {fabs(inertia.y - inertia.z) * l.x, fabs(inertia.z - inertia.x) * l.y,
                                       fabs(inertia.x - inertia.y) * l.z};
    return w * w * (1 + 0.57735026918962584 * largest_of(unequal));
}

// --- asymmetric bodies

// The series of the orientation from q on, in units of the step: q' = q w / 2 and, in the axes of the body,
// w' = I^-1 (I w x w), coefficient by coefficient.
static void expand(const struct scree_event_rotation *rotation, struct scree_quat start)
{
    const struct scree_vec3 l = rotation->lightness;
    const struct scree_vec3 k = {l.x / l.y - l.x / l.z, l.y / l.z - l.y / l.x, l.z / l.x - l.z / l.y};
    struct scree_vec3 w[SCREE_EVENT_SERIES_ORDER + 1];
    struct scree_quat *q = rotation->series->coefficient;
    q[0] = start;
    w[0] = scree_vec3_scale(scree_vec3_multiply(l, scree_quat_rotate_inverse(start, rotation->momentum)),
                            rotation->step);
    for (int n = 0; n < SCREE_EVENT_SERIES_ORDER; ++n) {
        struct scree_vec3 turn = scree_vec3_zero();
        struct scree_quat change = scree_quat_make(0, 0, 0, 0);
        for (int m = 0; m <= n; ++m) {
            const struct scree_vec3 a = w[m], b = w[n - m];
            turn = scree_vec3_add(turn, scree_vec3_make(a.y * b.z, a.z * b.x, a.x * b.y));
            change = scree_quat_add_scaled(change, 0.5,
                                           scree_quat_product(q[m], scree_quat_make(0, b.x, b.y, b.z)));
        }
        w[n + 1] = scree_vec3_scale(scree_vec3_multiply(k, turn), 1.0 / (n + 1));
        q[n + 1] = scree_quat_scale(change, 1.0 / (n + 1));
    }
}

static struct scree_quat sum_of(const struct scree_event_series *series, double part)
{
    struct scree_quat sum = series->coefficient[SCREE_EVENT_SERIES_ORDER];
    for (int n = SCREE_EVENT_SERIES_ORDER - 1; n >= 0; --n)
        sum = scree_quat_add_scaled(series->coefficient[n], part, sum);
    return sum;
}

static size_t place_of(double step)
{
    return (size_t)((uint64_t)step % SCREE_EVENT_SERIES_STARTS);
}

// Makes the series of the present step from its start.
static void begin_step(const struct scree_event_rotation *rotation, struct scree_quat start)
{
    struct scree_event_series *series = rotation->series;
    const size_t place = place_of(series->step);
    series->started[place] = series->step;
    series->start[place] = start;
    expand(rotation, start);
}

// Makes the series of a step, from the nearest earlier one that is known.
static void go_to(const struct scree_event_rotation *rotation, double step)
{
    struct scree_event_series *series = rotation->series;
    if (step == series->step)
        return;
    const double least = step >= series->kept_step ? series->kept_step : 0;
    double known = step;
    while (known > least && known != series->step && series->started[place_of(known)] != known)
        --known;
    if (known != series->step) {
        const bool started = series->started[place_of(known)] == known, kept = known == series->kept_step;
        series->step = known;
        begin_step(rotation, started ? series->start[place_of(known)]
                             : kept  ? series->kept
                                     : rotation->orientation);
    }
    while (series->step < step) {
        const struct scree_quat end = scree_quat_normalise(sum_of(series, 1));
        ++series->step;
        begin_step(rotation, end);
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
    struct scree_event_series *series = rotation->series;
    const double step = step_at(rotation, time);
    go_to(rotation, step);
    series->kept_step = step;
    series->kept = series->coefficient[0];
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
        rotation->series->step = rotation->series->kept_step = 0;
        rotation->series->kept = start;
        for (size_t k = 0; k < SCREE_EVENT_SERIES_STARTS; ++k)
            rotation->series->started[k] = -1;
        if (rotation->fastest > 0)
            begin_step(rotation, start);
    }
    // above rounding errors
    rotation->fastest *= 1 + 1e-9;
    rotation->bend = bend_of(rotation);
}

struct scree_event_turned scree_event_rotation_at(const struct scree_event_rotation *rotation, double time)
{
    struct scree_event_turned turned = {.orientation = rotation->orientation, .spin = rotation->rate};
    const double since = time - rotation->time;
    if (!(rotation->fastest > 0))
        return turned;
    if (rotation->kind == SCREE_EVENT_ASYMMETRIC) {
        const double step = step_at(rotation, time);
        go_to(rotation, step);
        turned.orientation = sum_of(rotation->series, (since - step * rotation->step) / rotation->step);
        turned.spin = scree_quat_rotate(
            turned.orientation,
            scree_vec3_multiply(rotation->lightness,
                                scree_quat_rotate_inverse(turned.orientation, rotation->momentum)));
        return turned;
    }
    turned.orientation =
        scree_quat_product(scree_quat_exp(scree_vec3_scale(rotation->rate, since)), rotation->orientation);
    if (rotation->kind == SCREE_EVENT_SYMMETRIC) {
        turned.orientation =
            scree_quat_product(turned.orientation, scree_quat_exp(scree_vec3_scale(rotation->own, since)));
        turned.spin = scree_vec3_add(rotation->rate, scree_quat_rotate(turned.orientation, rotation->own));
    }
    return turned;
}
