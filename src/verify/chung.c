// The eight impact tests of Chung and Ooi (Granular Matter 13, 643, 2011), with the Hertz-Mindlin law.
//
// Closed forms exist for head-on impacts and for contacts that slide from beginning to end. Attractive normal
// forces are cut off, so that the friction impulse of an impact is exactly mu (1 + e) m v. The contact point
// is on a rigid plane, or in the middle of the overlap of two balls, so that the lever arm is shorter than R
// by the overlap or half of it; without damping the mean overlap is B(7/5, 1/2) / 2 of the maximum. An impact
// takes 2,000 steps; the error of the restitution is below 0.6 / 2000^(5/4), see impact.c, and of order 2
// without damping.

#include "algebra.h"
#include "balls.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 2000 };

static const double restitution_error = 0.6 * 7.48e-5, second_order_error = 3.3e-6 / 4;

struct material {
    const char *name;
    struct scree_balls_material properties;
};

// The target: a rigid plane, an equal ball with the opposite velocity and the same spin, or a ball that is 5
// times as large and 1000 times as dense.
enum target { PLANE, MIRROR, LARGE };

struct impact {
    enum target target;
    struct scree_balls_material material;
    double radius, restitution, friction;
    double normal, tangential; // normal velocity towards the target, and tangential velocity along x, m/s
    double spin;               // about y, rad/s
    const char *law;           // null: hertz-mindlin
};

struct outcome {
    double force, overlap, duration;
    double normal, tangential, spin; // of the ball
    double target[3];                // velocity of the target
    double hertz_overlap;            // maximum overlap by the Hertz theory
};

static struct scree_balls_hertz predict(const struct impact *impact)
{
    const double sizes[] = {1, 0.5, 5.0 / 6}, masses[] = {1, 0.5, 125e3 / (125e3 + 1)};
    const double mass =
        impact->material.density * scree_balls_volume(impact->radius) * masses[impact->target];
    return scree_balls_hertz(&impact->material, impact->target == PLANE,
                             impact->radius * sizes[impact->target], mass,
                             impact->target == MIRROR ? 2 * impact->normal : impact->normal);
}

static scree_status add_target(struct scree_trial *trial, const struct impact *impact)
{
    const struct scree_sphere_def def = {.radius = impact->radius,
                                         .position = {0, 0, -impact->radius},
                                         .velocity = {-impact->tangential, 0, impact->normal},
                                         .spin = {0, impact->spin, 0}};
    if (impact->target == PLANE)
        return scree_balls_floor(trial);
    if (impact->target == MIRROR)
        return scree_balls_add(trial, &def);
    struct scree_sphere_def large = {.radius = 5 * impact->radius, .position = {0, 0, -5 * impact->radius}};
    SCREE_TRY(scree_material_add(
        trial->world,
        &(struct scree_material_def){.name = "heavy", .density = 1e3 * impact->material.density},
        &large.material));
    SCREE_TRY(scree_material_set(trial->world, large.material, "young", impact->material.young));
    SCREE_TRY(scree_material_set(trial->world, large.material, "poisson", impact->material.poisson));
    return scree_body_add_sphere(trial->world, &large, &trial->body);
}

static scree_status begin(struct scree_trial *trial, const struct impact *impact, double step)
{
    const struct scree_balls_law law = {.name = impact->law ? impact->law : "hertz-mindlin",
                                        .values = {{"restitution", impact->restitution, NULL},
                                                   {"friction", impact->friction, NULL},
                                                   {"tension", 0, "cut"},
                                                   {"dashpots", 0, "normal"}}};
    SCREE_TRY(scree_balls_begin(trial, &impact->material, &law, 0));
    SCREE_TRY(add_target(trial, impact));
    SCREE_TRY(scree_balls_add(trial,
                              &(struct scree_sphere_def){.radius = impact->radius,
                                                         .position = {0, 0, impact->radius},
                                                         .velocity = {impact->tangential, 0, -impact->normal},
                                                         .spin = {0, impact->spin, 0}}));
    return scree_balls_start(trial, step, 1);
}

// Measures the overlap and its rate, the approach velocity.
static void measure_overlap(const struct impact *impact, const struct scree_body_state *ball,
                            const struct scree_body_state *other, double *overlap, double *approach)
{
    double separation[3] = {0, 0, ball->position[2]}, relative_velocity[3];
    for (int k = 0; k < 3; ++k) {
        if (impact->target != PLANE)
            separation[k] = ball->position[k] - other->position[k];
        relative_velocity[k] = ball->velocity[k] - other->velocity[k];
    }
    const double distance = scree_algebra_norm(separation, 3);
    // clumps have no radius
    const double sizes[] = {1, 2, 6};
    *overlap = impact->radius * sizes[impact->target] - distance;
    *approach = -scree_algebra_dot(separation, relative_velocity, 3) / distance;
}

static scree_status run_impact(struct scree_trial *trial, const struct impact *impact,
                               struct outcome *outcome)
{
    const struct scree_balls_hertz hertz = predict(impact);
    struct scree_body_state ball, other = {0};
    double overlap, approach;
    *outcome = (struct outcome){.hertz_overlap = hertz.overlap};
    SCREE_TRY(begin(trial, impact, hertz.duration / STEPS));
    do {
        SCREE_TRY(scree_trial_run(trial, 1, &ball));
        if (impact->target != PLANE)
            SCREE_TRY(scree_trial_states(trial, 1, &other));
        measure_overlap(impact, &ball, &other, &overlap, &approach);
        outcome->force = fmax(outcome->force, scree_algebra_norm(ball.force, 3));
        outcome->overlap = fmax(outcome->overlap, overlap);
    } while (overlap > 0);
    outcome->duration = scree_world_time(trial->world) + overlap / -approach;
    outcome->normal = ball.velocity[2];
    outcome->tangential = ball.velocity[0];
    outcome->spin = ball.spin[1];
    memcpy(outcome->target, other.velocity, sizeof outcome->target);
    return SCREE_OK;
}

// --- 1 and 2: elastic, head-on

struct peak {
    const char *name;
    struct impact impact;
    double published[3]; // force, overlap, duration, as rounded by the source; 0: not given
};

// two rows for each case
static const struct peak peaks[] = {
    {"two glass balls",
     {MIRROR, {2800, 48e9, 0.20}, 0.01, 1, 0.35, 10, 0, 0, NULL},
     {10697, 274.1e-6, 40.34e-6}},
    {"two limestone balls",
     {MIRROR, {2500, 20e9, 0.25}, 0.01, 1, 0.35, 10, 0, 0, NULL},
     {7108, 368.3e-6, 54.2e-6}},
    {"aluminium on a plane", {PLANE, {2699, 70e9, 0.30}, 0.1, 1, 0.35, 0.2, 0, 0, NULL}, {11370, 0, 0}},
    {"magnesium on a plane", {PLANE, {1800, 40e9, 0.35}, 0.1, 1, 0.35, 0.2, 0, 0, NULL}, {7233, 0, 0}},
};

// The maximum of the sampled values has a relative error of (pi / 2000)^2 / 8, and so has the duration.
static scree_status check_peaks(struct scree_trial *trial)
{
    const struct peak *list = (const struct peak *)trial->data;
    for (size_t p = 0; p < 2; ++p) {
        struct outcome outcome;
        SCREE_TRY(run_impact(trial, &list[p].impact, &outcome));
        const struct scree_balls_hertz hertz = predict(&list[p].impact);
        const double expected[3] = {hertz.force, hertz.overlap, hertz.duration};
        const double computed[3] = {outcome.force, outcome.overlap, outcome.duration};
        static const char *const names[3] = {"largest force", "largest overlap", "duration"};
        for (int k = 0; k < 3; ++k) {
            scree_report_near(trial, expected[k], computed[k], 2 * second_order_error * expected[k], "%s: %s",
                              list[p].name, names[k]);
            // up to the last published digit
            if (list[p].published[k] > 0)
                scree_report_near(trial, list[p].published[k], computed[k], 1e-3 * list[p].published[k],
                                  "%s: %s, as published", list[p].name, names[k]);
        }
        scree_report_near(trial, list[p].impact.normal, outcome.normal,
                          2 * second_order_error * list[p].impact.normal, "%s: rebound speed", list[p].name);
    }
    return SCREE_OK;
}

// --- 3: restitution

static const struct material alumina = {"alumina", {4000, 380e9, 0.23}},
                             iron = {"cast iron", {7000, 100e9, 0.25}};

static scree_status restitutions(struct scree_trial *trial)
{
    const struct material *const list[] = {&alumina, &iron};
    for (int s = 0; s < 2; ++s)
        for (int e = 1; e <= 10; e += s == 0 ? 1 : 3) {
            const struct impact impact = {PLANE, list[s]->properties, 2.5e-3, 0.1 * e, 0, 3.9, 0, 0, NULL};
            struct outcome outcome;
            SCREE_TRY(run_impact(trial, &impact, &outcome));
            scree_report_near(trial, impact.restitution, outcome.normal / impact.normal, 1e-3,
                              "%s: rebound speed over impact speed, e = %.1f", list[s]->name,
                              impact.restitution);
        }
    return SCREE_OK;
}

// --- 4: one ball at many angles

// Angle of incidence from the normal in degrees, then values read from figures: ratio of the tangential
// velocities after and before, spin in rad/s, angle of the velocity of the contact point in degrees.
static const double figures[][4] = {
    {10, 0.687, -213.0, -1.56}, {20, 0.616, -510.6, -7.54}, {30, 0.684, -616.5, -3.55},
    {40, 0.781, -544.8, 11.57}, {50, 0.845, -457.0, 29.35}, {60, 0.893, -357.5, 47.79},
    {80, 0.966, -126.3, 78.70},
};

static const double degree = 3.14159265358979323846 / 180;

// Damping ratio of an impact with attraction cut off: e = exp(-2 z acos z / sqrt(1 - z^2)).
static double damping_ratio_for(double restitution)
{
    double low = 0, high = 0.999;
    for (int k = 0; k < 60; ++k) {
        const double z = 0.5 * (low + high);
        *(exp(-2 * z * acos(z) / sqrt(1 - z * z)) > restitution ? &low : &high) = z;
    }
    return low;
}

// The contact sticks at first, since the normal dashpot acts before the tangential spring is stretched. The
// Coulomb limit is then mu (c t^(1/4) + k t^(3/2)), and the spring force is K t^(3/2) v_t / 1.5, because its
// stiffness increases. Until both are equal, the friction impulse falls short by 0.4 mu c t^(5/4), returned
// here per mass. The ball slows down during this time, so this is an upper bound.
static double missing_impulse(const struct impact *impact)
{
    const double slip = fabs(impact->tangential - impact->radius * impact->spin),
                 z = damping_ratio_for(impact->restitution);
    const double ratio = (2 - impact->material.poisson) / (3 * (1 - impact->material.poisson)); // of k to K
    return 2 * impact->friction * impact->friction * z * z * ratio * impact->normal * impact->normal /
           (slip / 1.5 - impact->friction * ratio * impact->normal);
}

// Checks the tangential velocity and the spin after a contact that slides throughout. The mean lever arm is
// known without damping; otherwise it is between R and its value at the maximum overlap.
static void check_sliding(struct scree_trial *trial, const struct impact *impact, const char *label,
                          const struct outcome *outcome)
{
    const double velocity_change = impact->friction * (1 + impact->restitution) * impact->normal;
    const double mean_over_max = 0.5 * tgamma(1.4) * tgamma(0.5) / tgamma(1.9);
    // of the lever arm, relative to R
    const double max_shortening =
        outcome->hertz_overlap / impact->radius * (impact->target == PLANE ? 1 : 0.5);
    const bool damped = impact->restitution < 1;
    // the normal of two balls rotates by less than the tangential displacement over the distance of the
    // centres, here relative to R
    const double distances[] = {(double)INFINITY, 2, 6};
    const double slip = outcome->duration * (impact->target == MIRROR ? 2 : 1) * velocity_change;
    const double rotation_error =
        (1 + impact->restitution) * impact->normal * slip / impact->radius / distances[impact->target];
    const double bound =
        rotation_error + (damped ? missing_impulse(impact) + 2 * restitution_error * velocity_change
                                 : 2 * second_order_error * velocity_change);
    const double arm = 1 - (damped ? 0.5 : mean_over_max) * max_shortening;
    const double spin_change = 2.5 * velocity_change / impact->radius;
    // friction is opposite to the velocity of the contact point
    const double direction = impact->tangential - impact->radius * impact->spin > 0 ? 1 : -1;
    scree_report_near(trial, impact->tangential - direction * velocity_change, outcome->tangential, bound,
                      "%s: tangential velocity", label);
    scree_report_near(trial, impact->spin + direction * arm * spin_change, outcome->spin,
                      2.5 * bound / impact->radius + (damped ? 0.5 * max_shortening * spin_change : 0),
                      "%s: spin", label);
}

static scree_status check_figures(struct scree_trial *trial, const double *row)
{
    const double angle = row[0] * degree, speed = 3.9;
    // the published codes use the secant form of the tangential spring, which matters near 10 degrees
    struct impact impact = {
        PLANE, alumina.properties,    2.5e-3, 0.98, 0.092, speed * cos(angle), speed * sin(angle),
        0,     "hertz-mindlin-secant"};
    struct outcome outcome;
    SCREE_TRY(run_impact(trial, &impact, &outcome));
    scree_report_near(trial, row[1], outcome.tangential / impact.tangential, 0.03,
                      "%.0f degrees: tangential restitution, read from figure", row[0]);
    scree_report_near(trial, -row[2], outcome.spin, 0.05 * -row[2], "%.0f degrees: spin, read from figure",
                      row[0]);
    const double point = atan2(outcome.tangential - impact.radius * outcome.spin, outcome.normal) / degree;
    scree_report_near(trial, row[3], point, 1.5, "%.0f degrees: rebound angle at contact, read from figure",
                      row[0]);
    if (row[0] < 40)
        return SCREE_OK;
    char label[32];
    snprintf(label, sizeof label, "%.0f degrees, sliding", row[0]);
    impact.law = NULL;
    SCREE_TRY(run_impact(trial, &impact, &outcome));
    check_sliding(trial, &impact, label, &outcome);
    return SCREE_OK;
}

static scree_status angles(struct scree_trial *trial)
{
    for (size_t r = 0; r < sizeof figures / sizeof figures[0]; ++r)
        SCREE_TRY(check_figures(trial, figures[r]));
    return SCREE_OK;
}

// --- 5: oblique impacts with normalised velocities

// An elastic impact with psi = v_t / (mu v_n) above 7 slides throughout.
static scree_status normalised(struct scree_trial *trial)
{
    static const struct material list[] = {{"steel", {7850, 208e9, 0.30}},
                                           {"polyethylene", {1400, 1e9, 0.40}}};
    static const double psis[] = {7.2, 9, 11, 14};
    for (int s = 0; s < 2; ++s)
        for (size_t p = 0; p < sizeof psis / sizeof psis[0]; ++p) {
            const double normal = 5, friction = 0.3;
            const struct impact impact = {PLANE,  list[s].properties,          10e-6, 1,   friction,
                                          normal, psis[p] * friction * normal, 0,     NULL};
            struct outcome outcome;
            char label[48];
            snprintf(label, sizeof label, "%s, psi = %.3g", list[s].name, psis[p]);
            SCREE_TRY(run_impact(trial, &impact, &outcome));
            check_sliding(trial, &impact, label, &outcome);
            // the published form, for a lever arm of R; overlaps are at most a few percent of R
            const double speed_scale = friction * normal;
            scree_report_near(trial, psis[p] - 7,
                              (outcome.tangential - impact.radius * outcome.spin) / speed_scale,
                              5 * outcome.hertz_overlap / impact.radius, "%s: psi after impact", label);
            scree_report_near(trial, 5, outcome.spin * impact.radius / speed_scale,
                              5 * outcome.hertz_overlap / impact.radius, "%s: normalised spin", label);
        }
    return SCREE_OK;
}

// --- 6, 7, 8: a spinning ball on a plane, on an equal ball, and on a large heavy ball

static const struct material aluminium = {"aluminium", {2700, 70e9, 0.33}},
                             nylon = {"nylon", {1000, 2.5e9, 0.40}}, copper = {"copper", {8900, 120e9, 0.35}};

struct spinning {
    enum target target;
    const struct material *material[2];
};

// Impacts with R w above 3.5 mu (1 + e) v slide throughout.
static scree_status spin(struct scree_trial *trial)
{
    const struct spinning *spinning = (const struct spinning *)trial->data;
    static const double spins[] = {6, 10, 21};
    for (int s = 0; s < 2; ++s)
        for (size_t w = 0; w < sizeof spins / sizeof spins[0]; ++w) {
            const struct impact impact = {
                spinning->target, spinning->material[s]->properties, 0.1, 0.5, 0.4, 0.2, 0, -spins[w], NULL};
            struct outcome outcome;
            char label[48];
            snprintf(label, sizeof label, "%s, %.3g rad/s", spinning->material[s]->name, spins[w]);
            SCREE_TRY(run_impact(trial, &impact, &outcome));
            check_sliding(trial, &impact, label, &outcome);
            // round-off of each step
            if (impact.target == MIRROR)
                scree_report_near(trial, -outcome.tangential, outcome.target[0], STEPS * SCREE_VERIFY_EPSILON,
                                  "%s: tangential velocity of the target", label);
        }
    return SCREE_OK;
}

static const struct spinning on_plane = {PLANE, {&aluminium, &nylon}},
                             on_equal = {MIRROR, {&aluminium, &copper}},
                             on_large = {LARGE, {&aluminium, &nylon}};

const struct scree_verify_case scree_verify_chung[] = {
    {"1", "two equal balls head-on", check_peaks, peaks},
    {"2", "a ball on a rigid plane", check_peaks, peaks + 2},
    {"3", "a ball on a rigid plane, for several coefficients of restitution", restitutions, NULL},
    {"4", "oblique impacts at several angles", angles, NULL},
    {"5", "oblique impacts in the sliding range, normalised velocities", normalised, NULL},
    {"6", "a spinning ball on a plane, in the sliding range", spin, &on_plane},
    {"7", "two spinning balls, in the sliding range", spin, &on_equal},
    {"8", "a spinning ball on a large heavy ball, in the sliding range", spin, &on_large},
    {0},
};
