// Head-on impacts against independent integrations and closed forms.
//
// The order is 2 inside a contact. A dashpot proportional to the fourth root of the overlap, as needed for a
// constant restitution with the Hertz law, is not smooth at the beginning of a contact and gives an error of
// h^(5/4) there.

#include "balls.h"
#include "table.h"
#include "verify.h"

#include <math.h>
#include <string.h>

enum { RUNS = 5 };

// --- one ball and a plane, followed from the beginning to the end of the contact

struct impact {
    bool hertz;
    bool tension_cut; // attraction is cut off: the contact ends when the force is 0, otherwise when the
                      // overlap is 0
    double stiffness, mass, speed, restitution;
    double duration, max_overlap;
};

struct sample {
    double time, overlap, velocity, acceleration;
};

static const double radius = 0.1;

static scree_status measure(struct scree_trial *trial, struct sample *sample)
{
    struct scree_body_state state;
    SCREE_TRY(scree_body_get(trial->world, trial->body, &state));
    sample->time = scree_world_time(trial->world);
    sample->overlap = state.radius - state.position[2];
    sample->velocity = state.velocity[2];
    sample->acceleration = state.force[2] / state.mass;
    return SCREE_OK;
}

// Finds the end of the contact in the step after `last`, with the jerk between `before` and `last`.
static void find_end(const struct sample *before, const struct sample *last, double step, bool tension_cut,
                     double *time, double *velocity)
{
    const double jerk = (last->acceleration - before->acceleration) / step;
    double low = 0, high = step;
    for (int k = 0; k < 60; ++k) {
        const double t = 0.5 * (low + high);
        const double remaining = tension_cut
                                     ? last->acceleration + t * jerk
                                     : last->overlap - t * last->velocity - 0.5 * t * t * last->acceleration;
        *(remaining > 0 ? &low : &high) = t;
    }
    *time = last->time + low;
    *velocity = last->velocity + low * last->acceleration + 0.5 * low * low * jerk;
}

static scree_status run_contact(struct scree_trial *trial, double step, bool tension_cut, double *time,
                                double *velocity)
{
    struct sample before, last, now;
    bool repelled = false;
    SCREE_TRY(measure(trial, &now));
    before = last = now;
    do {
        before = last;
        last = now;
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(measure(trial, &now));
        repelled = repelled || now.acceleration > 0;
    } while (now.overlap > 0 && !(tension_cut && repelled && !(now.acceleration > 0)));
    find_end(&before, &last, step, tension_cut, time, velocity);
    return SCREE_OK;
}

static struct scree_balls_law make_law(const struct impact *impact)
{
    struct scree_balls_law law = {.name = impact->hertz ? "hertz-mindlin" : "linear"};
    // the stiffness parameter of the Hertz law is 4/3 E*, without the factor sqrt(R*)
    const double stiffness = impact->stiffness / (impact->hertz ? sqrt(radius) : 1);
    const struct scree_interaction_value values[] = {{"stiffness", stiffness, NULL},
                                                     {"restitution", fmin(impact->restitution, 1), NULL},
                                                     {"tension", 0, impact->tension_cut ? "cut" : "allowed"},
                                                     {"friction", 0.3, NULL}};
    memcpy(law.values, values, sizeof values);
    return law;
}

// Relative errors of restitution and duration. Starts with a tiny overlap, since there is no contact at 0.
static scree_status measure_errors(struct scree_trial *trial, const struct impact *impact, int steps,
                                   double errors[2])
{
    // the law requires elastic moduli, but does not use them if the stiffness is given
    const struct scree_balls_material material = {impact->mass / scree_balls_volume(radius), 1, 0};
    const struct scree_balls_law law = make_law(impact);
    const double step = impact->duration / steps;
    const struct scree_sphere_def ball = {.radius = radius,
                                          .position = {0, 0, radius - 1e-10 * impact->max_overlap},
                                          .velocity = {0, 0, -impact->speed}};
    double time, velocity;
    SCREE_TRY(scree_balls_begin(trial, &material, &law, 0));
    SCREE_TRY(scree_balls_floor(trial));
    SCREE_TRY(scree_balls_add(trial, &ball));
    SCREE_TRY(scree_balls_start(trial, step, 1));
    SCREE_TRY(run_contact(trial, step, impact->tension_cut, &time, &velocity));
    errors[0] = fabs(velocity / impact->speed - impact->restitution);
    errors[1] = fabs(time / impact->duration - 1);
    return SCREE_OK;
}

static struct impact read_impact(const struct scree_table *table, size_t row, bool tension_cut)
{
    return (struct impact){.hertz = scree_table_number(table, row, "p") > 1.25,
                           .tension_cut = tension_cut,
                           .stiffness = scree_table_number(table, row, "k"),
                           .mass = scree_table_number(table, row, "m"),
                           .speed = scree_table_number(table, row, "v0"),
                           .restitution = scree_table_number(table, row, tension_cut ? "e_F" : "e_target"),
                           .duration = scree_table_number(table, row, tension_cut ? "tc_F" : "tc_delta"),
                           .max_overlap = scree_table_number(table, row, "dmax")};
}

// Root mean square of both errors over all damped rows, for each run, and the maximum over the undamped rows
// for the last run.
static scree_status run_rows(struct scree_trial *trial, const struct scree_table *table, bool hertz,
                             bool tension_cut, int coarsest, double damped[2][RUNS], double undamped[2])
{
    size_t rows = 0;
    undamped[0] = undamped[1] = 0;
    memset(damped, 0, 2 * RUNS * sizeof(double));
    for (size_t row = 0; row < table->rows; ++row) {
        const struct impact impact = read_impact(table, row, tension_cut);
        if (impact.hertz != hertz)
            continue;
        // undamped impacts are more accurate than the order of the scheme, so they are evaluated separately
        const bool is_damped = impact.restitution < 0.999;
        rows += is_damped;
        for (int r = is_damped ? 0 : RUNS - 1; r < RUNS; ++r) {
            double errors[2];
            SCREE_TRY(measure_errors(trial, &impact, coarsest << r, errors));
            for (int k = 0; k < 2; ++k)
                if (is_damped)
                    damped[k][r] += errors[k] * errors[k];
                else
                    undamped[k] = scree_report_larger(undamped[k], errors[k]);
        }
    }
    for (int k = 0; k < 2; ++k)
        for (int r = 0; r < RUNS; ++r)
            damped[k][r] = sqrt(damped[k][r] / (double)rows);
    return SCREE_OK;
}

struct settings {
    bool hertz;
    int coarsest;         // steps per impact
    double order, factor; // the error with n steps per impact is below factor / n^order
};

// Linear: w h is about pi / n, and errors of order 2 are below (pi / n)^2 / 3. Hertz: the error of the
// trapezoidal rule for t^(1/4) is |zeta(-1/4)| h^(5/4) = 0.118 h^(5/4) at its start. So the error of the
// speed is 0.118 sqrt(5) z sqrt(k / m) (v h)^(1/4) h v, or relative to the speed, with the duration, 1.13 z /
// n^(5/4); z is at most 0.456. The end of the contact adds a little.
static scree_status normal(struct scree_trial *trial)
{
    static const char *const names[2] = {"restitution", "duration"};
    const struct settings *settings = (const struct settings *)trial->data;
    struct scree_table table;
    SCREE_TRY(scree_table_open("normal_impact", &table));
    const int finest = settings->coarsest << (RUNS - 1);
    for (int tension_cut = 0; tension_cut < 2; ++tension_cut) {
        double damped[2][RUNS], undamped[2];
        SCREE_TRY(
            run_rows(trial, &table, settings->hertz, tension_cut == 1, settings->coarsest, damped, undamped));
        for (int k = 0; k < 2; ++k) {
            const char *end = tension_cut ? "force" : "overlap";
            // with the Hertz law the force ends like a square root, so its end cannot be found more
            // accurately
            if (!(settings->hertz && tension_cut && k == 1))
                scree_report_near(trial, settings->order, scree_report_order(damped[k], RUNS), 0.1,
                                  "%s to the end of the %s: order", names[k], end);
            scree_report_at_most(trial, settings->factor * pow(finest, -settings->order), damped[k][RUNS - 1],
                                 "%s to the end of the %s: error, %d steps", names[k], end, finest);
            if (!(tension_cut && k == 1))
                scree_report_at_most(trial, 3.3 / finest / finest, undamped[k],
                                     "%s to the end of the %s: error, undamped", names[k], end);
        }
    }
    return SCREE_OK;
}

static const struct settings linear = {false, 125, 2, 3.3};
static const struct settings hertz = {true, 250, 1.25, 0.6};

const struct scree_verify_case scree_verify_impact[] = {
    {"normal-linear", "restitution and duration with linear springs and dashpots", normal, &linear},
    {"normal-hertz", "restitution and duration with the Hertz law", normal, &hertz},
    {0},
};
