// Rotation of single bodies against reference trajectories and closed forms, for every scheme of rotation.
//
// The error of a run is the maximum, over the samples of the reference, of the angle between the two
// orientations (rad) and the difference of the spins relative to the maximum spin W.
//
// Orders are the mean over four halvings of the step. An error C h^p (1 + D h) shifts this mean by
// log2((1 + D h) / (1 + D h / 16)) / 4, at most 0.34 D h. The coarsest steps are chosen such that D h < 0.4,
// which gives a tolerance of 0.15, and the finest ones such that errors are above those of the reference
// (1e-12). The error of a scheme of order p is at most (W h)^(p+1) per step, the remainder of its Taylor
// series, and thus (W h)^p W T in total; near the unstable axis it grows by the inverse of the tilt.

#include "algebra.h"
#include "schemes.h"
#include "table.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 5 };

// accuracy of the references
#define REFERENCE_ERROR 1e-11

enum motion { FREE, SYMMETRIC, LOADED, BALL, AXIS, MOTIONS };

// Orders of accuracy of the schemes for each motion, 0 for exact ones: of free asymmetric bodies (given by
// schemes.h), of free bodies with two equal moments of inertia, of loaded bodies, of balls, and about a fixed
// axis. For balls under a constant moment w' is constant, and buss2-literal, with two terms in w', has order
// 4. Under moments the error of buss3 of order 2 exceeds that of order 3 only at smaller steps, so its
// steps are divided by `finer`.
static const struct scheme {
    const char *name;
    int order[MOTIONS], finer;
} schemes[] = {
    {"splitting", {0, 0, 2, 2, 0}, 1},     {"buss2", {0, 2, 2, 2, 0}, 1},
    {"buss2-literal", {0, 2, 2, 4, 0}, 1}, {"buss3", {0, 3, 2, 2, 0}, 16},
    {"rk4", {0, 4, 2, 2, 4}, 1},           {"fincham", {0, 2, 2, 2, 0}, 1},
    {"pcdm", {0, 2, 2, 2, 0}, 1},          {"pcdm-leapfrog", {0, 2, 2, 2, 0}, 1},
    {"spherical", {0, 0, 0, 2, 0}, 1},
};

// The loads on the body of a reference, and how it is compared. A case has the name of its reference file.
struct body_case {
    enum motion motion;
    struct scree_trial_lever lever;
    double moment[3]; // constant, N m
    size_t stride;    // compare every `stride` samples of the reference
    int coarsest[5];  // steps between two comparisons in the coarsest run, by order of the scheme: 2, 3 or 4
    double growth;    // amplification of errors by the motion itself
};

static const struct scheme *find_scheme(const char *name)
{
    for (size_t l = 0; l < sizeof schemes / sizeof schemes[0]; ++l)
        if (strcmp(schemes[l].name, name) == 0)
            return &schemes[l];
    return NULL;
}

static scree_status find_order(const struct scheme *scheme, enum motion motion, int *order)
{
    if (motion == FREE)
        return scree_schemes_order(scheme->name, order);
    *order = scheme->order[motion];
    return SCREE_OK;
}

static scree_status begin(struct scree_trial *trial, const struct body_case *body,
                          const struct scree_table_reference *reference, const char *scheme, double step)
{
    SCREE_TRY(scree_trial_body(trial, strcmp(scheme, "spherical") == 0, &reference->body));
    struct scree_load_def load = {0};
    memcpy(load.moment, body->moment, sizeof load.moment);
    if (body->motion == LOADED)
        SCREE_TRY(scree_trial_load(trial, scree_trial_lever, &body->lever));
    if (body->motion == BALL || body->motion == AXIS)
        SCREE_TRY(scree_trial_constant_load(trial, &load));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = step, .rotation = scheme});
}

static double largest_spin(const struct scree_table_reference *reference)
{
    double largest = 0;
    for (size_t s = 0; s < reference->count; ++s)
        largest = fmax(largest, scree_algebra_norm(reference->sample[s].spin, 3));
    return largest;
}

static scree_status measure_error(struct scree_trial *trial, const struct body_case *body,
                                  const struct scree_table_reference *reference, int steps, double *error)
{
    const double scale = 1 / largest_spin(reference);
    *error = 0;
    for (size_t s = body->stride; s < reference->count; s += body->stride) {
        const struct scree_table_reference_sample *sample = &reference->sample[s];
        struct scree_body_state state;
        SCREE_TRY(scree_trial_run(trial, (uint64_t)steps, &state));
        *error = scree_report_larger(*error, scree_algebra_angle(state.orientation, sample->orientation));
        *error = scree_report_larger(*error, scale * scree_algebra_distance(state.spin, sample->spin, 3));
    }
    return SCREE_OK;
}

static double step_size(const struct body_case *body, const struct scree_table_reference *reference,
                        int steps)
{
    return reference->sample[body->stride].time / steps;
}

static scree_status run_and_measure(struct scree_trial *trial, const struct body_case *body,
                                    const struct scree_table_reference *reference, const char *scheme,
                                    int steps, double *error)
{
    SCREE_TRY(begin(trial, body, reference, scheme, step_size(body, reference, steps)));
    return measure_error(trial, body, reference, steps, error);
}

static double error_bound(const struct body_case *body, const struct scree_table_reference *reference,
                          double step, int order)
{
    const double rate = largest_spin(reference);
    const double duration = reference->sample[reference->count - 1].time;
    return body->growth * pow(rate * step, order) * rate * duration;
}

// The energy error of order p + 1 in a nearly steady rotation is amplified by the square of the growth, so
// that with a large growth the measured order can be p + 1; then only a lower order fails.
static void report_order(struct scree_trial *trial, const struct body_case *body, const char *scheme,
                         int order, double measured)
{
    if (body->growth > 1)
        scree_report_at_most(trial, SCREE_SCHEMES_ORDER_TOLERANCE, fmax(0, order - measured),
                             "%s: order %.2f, deviation below %d", scheme, measured, order);
    else
        scree_report_near(trial, order, measured, SCREE_SCHEMES_ORDER_TOLERANCE, "%s: order", scheme);
}

static scree_status measure_order(struct scree_trial *trial, const struct body_case *body,
                                  const struct scree_table_reference *reference, const struct scheme *scheme,
                                  int order)
{
    double errors[RUNS];
    int steps = body->coarsest[order] * (body->motion == LOADED ? scheme->finer : 1);
    for (int r = 0; r < RUNS; ++r, steps *= 2)
        SCREE_TRY(run_and_measure(trial, body, reference, scheme->name, steps, &errors[r]));
    const double finest = step_size(body, reference, steps / 2);
    report_order(trial, body, scheme->name, order, scree_report_order(errors, RUNS));
    // near an unstable axis errors of two orders compete, so that only the coarsest run gives a bound
    const double predicted = body->growth > 1 ? scree_schemes_error_bound(errors, 0, RUNS - 1, order)
                                              : scree_schemes_lowest_bound(errors, RUNS, order);
    const double bound = error_bound(body, reference, finest, order);
    scree_report_at_most(trial, fmin(predicted + REFERENCE_ERROR, bound), errors[RUNS - 1],
                         "%s: error at h = %.3g s", scheme->name, finest);
    return SCREE_OK;
}

// An exact scheme must agree with the reference up to the accuracy of the reference.
static scree_status measure_exactness(struct scree_trial *trial, const struct body_case *body,
                                      const struct scree_table_reference *reference, const char *scheme)
{
    double error;
    SCREE_TRY(run_and_measure(trial, body, reference, scheme, 1, &error));
    scree_report_at_most(trial, REFERENCE_ERROR, error, "%s: error at h = %.3g s", scheme,
                         step_size(body, reference, 1));
    return SCREE_OK;
}

static scree_status run_reference(struct scree_trial *trial)
{
    const struct body_case *body = (const struct body_case *)trial->data;
    const bool sphere_allowed = body->motion == BALL || body->motion == AXIS;
    struct scree_table_reference reference;
    SCREE_TRY(scree_table_reference(trial->name, &reference));
    const char *name;
    for (size_t l = 0; (name = scree_motion_name(SCREE_ROTATION, l)); ++l) {
        const struct scheme *scheme = find_scheme(name);
        if (!scheme)
            return scree_status_fail(SCREE_ERROR_MISSING, "the order of the scheme '%s' is not listed", name);
        if (strcmp(name, "spherical") == 0 && !sphere_allowed)
            continue;
        int order;
        SCREE_TRY(find_order(scheme, body->motion, &order));
        if (order == 0)
            SCREE_TRY(measure_exactness(trial, body, &reference, name));
        else
            SCREE_TRY(measure_order(trial, body, &reference, scheme, order));
    }
    return SCREE_OK;
}

static const struct body_case
    asymmetric = {.motion = FREE, .stride = 1, .coarsest = {[2] = 16, [3] = 4, [4] = 2}, .growth = 1},
    unstable = {.motion = FREE, .stride = 1, .coarsest = {[2] = 8, [3] = 16, [4] = 4}, .growth = 1e3},
    symmetric = {.motion = SYMMETRIC, .stride = 1, .coarsest = {[2] = 16, [3] = 4, [4] = 2}, .growth = 1},
    heavy_top = {.motion = LOADED,
                 .lever = {.arm = {0, 0, 0.3}, .force = {0, 0, -9.81}},
                 .stride = 1,
                 .coarsest = {[2] = 16},
                 .growth = 1},
    viscous = {.motion = LOADED,
               .lever = {.arm = {0.2, -0.1, 0.4}, .force = {0, 0, -5}, .drag = 0.3},
               .stride = 1,
               .coarsest = {[2] = 4},
               .growth = 1},
    ball = {.motion = BALL,
            .moment = {0.3, -0.2, 0.5},
            .stride = 4,
            .coarsest = {[2] = 64, [4] = 1},
            .growth = 1},
    ball_about_axis = {
        .motion = AXIS, .moment = {0, 0, 0.4}, .stride = 1, .coarsest = {[4] = 1}, .growth = 1};

const struct scree_verify_case scree_verify_rotation[] = {
    {"top_free_asym_generic", "a free asymmetric body in general motion", run_reference, &asymmetric},
    {"top_free_asym_min", "a free asymmetric body near its axis of least inertia", run_reference,
     &asymmetric},
    {"top_free_asym_max", "a free asymmetric body near its axis of greatest inertia", run_reference,
     &asymmetric},
    {"top_free_asym_unstable", "a free asymmetric body that flips about its intermediate axis", run_reference,
     &unstable},
    {"top_free_symmetric_J1eqJ2", "a free symmetric body", run_reference, &symmetric},
    {"top_heavy_nutating", "a fast heavy top in cuspidal nutation", run_reference, &heavy_top},
    {"top_heavy_steady", "a fast heavy top in steady precession", run_reference, &heavy_top},
    {"top_visc", "an asymmetric body under a body-fixed moment and a viscous moment", run_reference,
     &viscous},
    {"sphere_const_torque", "a sphere under a constant moment", run_reference, &ball},
    {"sphere_const_torque_axis", "a sphere under a constant moment along its spin", run_reference,
     &ball_about_axis},
    {0},
};
