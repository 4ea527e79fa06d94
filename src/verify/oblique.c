// Oblique impacts of two balls, or of a ball on a rigid plane, with rotation of the normal and exact lever
// arms. The reference of each impact is the same impact with the finest step. Materials, restitution,
// friction, speeds and angles are those of the experiments of Foerster et al. (1994) and Kharaz et al.
// (2001), 36 rows of oblique_impact.csv.
//
// The dashpot, proportional to the fourth root of the overlap, is of order 5/4, see impact.c. The tangential
// spring, whose stiffness changes during the impact, multiplies the displacement of a step by the stiffness
// at the end of the step: order 1.

#include "algebra.h"
#include "balls.h"
#include "table.h"
#include "verify.h"

#include <math.h>

enum { RUNS = 5, COARSEST = 100, FINEST = 12800 };

static const double degree = 3.14159265358979323846 / 180;

static const struct {
    const char *set;
    double young, poisson;
} sets[] = {
    {"soda_lime", 71e9, 0.22},
    {"cellulose", 3.2e9, 0.28},
    {"alumina", 380e9, 0.23},
};

struct oblique {
    struct scree_balls_material material;
    bool pair; // two balls; otherwise a ball on a rigid plane
    double radius, restitution, friction, speed, angle;
};

static struct oblique read_row(const struct scree_table *table, size_t row)
{
    struct oblique impact = {.material = {.density = scree_table_number(table, row, "rho")},
                             .pair = scree_table_matches(table, row, "kind", "pair"),
                             .radius = scree_table_number(table, row, "R"),
                             .restitution = scree_table_number(table, row, "e"),
                             .friction = scree_table_number(table, row, "mu"),
                             .speed = scree_table_number(table, row, "V"),
                             .angle = scree_table_number(table, row, "angle_deg") * degree};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; ++s)
        if (scree_table_matches(table, row, "set", sets[s].set)) {
            impact.material.young = sets[s].young;
            impact.material.poisson = sets[s].poisson;
        }
    return impact;
}

static scree_status begin(struct scree_trial *trial, const struct oblique *impact, double step)
{
    const struct scree_balls_law law = {
        .name = "hertz-mindlin",
        .values = {{"restitution", impact->restitution, NULL}, {"friction", impact->friction, NULL}}};
    const double fraction = impact->pair ? 0.5 : 1,
                 tangential = fraction * impact->speed * sin(impact->angle),
                 normal = fraction * impact->speed * cos(impact->angle);
    const struct scree_sphere_def ball = {
        .radius = impact->radius, .position = {0, 0, impact->radius}, .velocity = {tangential, 0, -normal}};
    const struct scree_sphere_def second_ball = {
        .radius = impact->radius, .position = {0, 0, -impact->radius}, .velocity = {-tangential, 0, normal}};
    SCREE_TRY(scree_balls_begin(trial, &impact->material, &law, 0));
    SCREE_TRY(impact->pair ? scree_balls_add(trial, &second_ball) : scree_balls_floor(trial));
    SCREE_TRY(scree_balls_add(trial, &ball));
    return scree_balls_start(trial, step, 1);
}

// Velocity and surface speed of the ball after the impact, relative to the speed before.
static scree_status run_impact(struct scree_trial *trial, const struct oblique *impact, int steps,
                               double out[3])
{
    const double fraction = impact->pair ? 0.5 : 1;
    const double mass = fraction * impact->material.density * scree_balls_volume(impact->radius);
    const struct scree_balls_hertz hertz =
        scree_balls_hertz(&impact->material, !impact->pair, fraction * impact->radius, mass,
                          impact->speed * cos(impact->angle));
    struct scree_body_state state;
    SCREE_TRY(begin(trial, impact, hertz.duration / steps));
    // twice the elastic duration, since a damped impact lasts longer
    SCREE_TRY(scree_trial_run(trial, (uint64_t)(2 * steps), &state));
    out[0] = state.velocity[0] / impact->speed;
    out[1] = state.velocity[2] / impact->speed;
    out[2] = state.spin[1] * impact->radius / impact->speed;
    return SCREE_OK;
}

static scree_status foerster(struct scree_trial *trial)
{
    struct scree_table table;
    SCREE_TRY(scree_table_open("oblique_impact", &table));
    double rms_error[RUNS] = {0};
    for (size_t row = 0; row < table.rows; ++row) {
        const struct oblique impact = read_row(&table, row);
        double reference[3], outcome[3];
        SCREE_TRY(run_impact(trial, &impact, FINEST, reference));
        for (int r = 0; r < RUNS; ++r) {
            SCREE_TRY(run_impact(trial, &impact, COARSEST << r, outcome));
            const double error = scree_algebra_distance(outcome, reference, 3);
            rms_error[r] += error * error / (double)table.rows;
        }
    }
    for (int r = 0; r < RUNS; ++r)
        rms_error[r] = sqrt(rms_error[r]);
    const double order = scree_report_order(rms_error, RUNS);
    scree_report_at_most(trial, 0.15, order > 1 ? 0 : 1 - order, "%zu impacts: order %.2f, deviation below 1",
                         table.rows, order);
    // the error of the friction impulse of half a step at the maximum force, which is 1.6 times the mean:
    // 0.5 * 1.6 mu (1 + e) v over the number of steps, with mu = 0.25 and e = 1
    const double bound = 0.5 * 0.25 * 2 * 1.6 / (COARSEST << (RUNS - 1));
    scree_report_at_most(trial, bound, rms_error[RUNS - 1], "root mean square error, %d steps per impact",
                         COARSEST << (RUNS - 1));
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_oblique[] = {
    {"foerster", "36 oblique impacts against their own finest runs", foerster, NULL},
    {0},
};
