// Radial distribution functions, and the density at a wall.
//
// Values at contact are extrapolated from the first bins by a parabola of least squares. Errors are those of
// the means of independent blocks of samples.

#include "algebra.h"
#include "gas_sample.h"
#include "hard_gas.h"
#include "observables.h"
#include "verify.h"

#include <math.h>

enum { FITTED = 7, BLOCKS = 16 };

// The value at x = 0 of the parabola of least squares through values at x = 1/2, 3/2, ...
static double extrapolate(const double value[FITTED])
{
    double moment[5] = {0}, right[3] = {0};
    for (int k = 0; k < FITTED; ++k)
        for (int p = 0; p < 5; ++p) {
            moment[p] += pow(k + 0.5, p);
            right[p < 3 ? p : 0] += p < 3 ? value[k] * pow(k + 0.5, p) : 0;
        }
    // Cramer's rule for the constant term
    const double *m = moment;
    const double whole = m[0] * (m[2] * m[4] - m[3] * m[3]) - m[1] * (m[1] * m[4] - m[3] * m[2]) +
                         m[2] * (m[1] * m[3] - m[2] * m[2]);
    const double part = right[0] * (m[2] * m[4] - m[3] * m[3]) - m[1] * (right[1] * m[4] - m[3] * right[2]) +
                        m[2] * (right[1] * m[3] - m[2] * right[2]);
    return part / whole;
}

// The column `column` of the first bins, extrapolated to their lower bound.
static scree_status at_contact(struct scree_trial *trial, scree_distribution_id id, int column, double *value)
{
    double all[FITTED], bin[SCREE_DISTRIBUTION_COLUMNS];
    for (uint32_t b = 0; b < FITTED; ++b) {
        SCREE_TRY(scree_distribution_bin(trial->world, id, b, bin));
        all[b] = bin[column];
    }
    *value = extrapolate(all);
    return SCREE_OK;
}

// --- independent points

// Chi-square of the numbers of pairs, each counted twice. Numbers of pairs in different shells of independent
// points are not correlated, and have the variance of Poisson's distribution.
static scree_status compare_ideal(struct scree_trial *trial, scree_distribution_id id, const char *cell)
{
    enum { BINS = 40 };
    double square = 0;
    for (uint32_t b = 0; b < BINS; ++b) {
        double value[SCREE_DISTRIBUTION_COLUMNS];
        SCREE_TRY(scree_distribution_bin(trial->world, id, b, value));
        const double expected = value[1] / value[2];
        square += pow(value[1] - expected, 2) / (2 * expected);
    }
    // Wilson and Hilferty: the cube root is nearly normal; beyond 4.4 standard deviations with a probability
    // of 1e-5
    const double spread = 2.0 / (9 * BINS), deviation = (cbrt(square / BINS) - (1 - spread)) / sqrt(spread);
    scree_report_near(trial, 0, deviation, 4.4, "%s: chi-square of 40 bins, in standard deviations", cell);
    return SCREE_OK;
}

static scree_status scatter(struct scree_trial *trial)
{
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.dimension = 3}));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "point", .density = 1},
                                 &trial->material));
    return scree_cell_set(trial->world,
                          &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true, true, true}});
}

scree_status scree_observables_ideal(struct scree_trial *trial)
{
    static const double skewed[9] = {1, 0, 0, 0.4, 0.9, 0, -0.3, 0.2, 1.1};
    for (int kind = 0; kind < 2; ++kind) {
        scree_distribution_id id;
        SCREE_TRY(scatter(trial));
        if (kind == 1)
            SCREE_TRY(scree_cell_set_vectors(trial->world, (double[3]){0}, skewed));
        for (uint64_t b = 0; b < 3000; ++b) {
            double part[3], position[3];
            for (size_t k = 0; k < 3; ++k)
                part[k] = 0.5 + 0.5 * scree_algebra_draw((uint64_t)kind + 1, b, k);
            for (int k = 0; k < 3; ++k)
                position[k] = kind == 0
                                  ? part[k]
                                  : part[0] * skewed[k] + part[1] * skewed[3 + k] + part[2] * skewed[6 + k];
            SCREE_TRY(scree_trial_add_round(trial, 1e-6, position, 0));
        }
        // up to more than half of the width of the cell
        SCREE_TRY(scree_distribution_add(
            trial->world,
            &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_RADIAL, .to = 0.8, .bins = 40}, &id));
        SCREE_TRY(scree_distribution_sample(trial->world, id));
        SCREE_TRY(compare_ideal(trial, id, kind == 0 ? "upright" : "skewed"));
    }
    return SCREE_OK;
}

// --- contact

// The value at contact follows from the equation of state, Z = 1 + 4 f chi; Carnahan and Starling give (1 -
// f/2)/(1 - f)^3, with a pressure that is up to 0.3 % too low. A parabola through seven bins of 0.02
// diameters has an error of 18 (0.02)^3/6 times the third derivative, which is some 200 at a fraction of 0.4,
// and less at smaller ones.
scree_status scree_observables_contact(struct scree_trial *trial)
{
    for (int f = 1; f <= 4; ++f) {
        struct scree_hard_gas gas = {
            .dimension = 3, .side = 14, .fraction = 0.1 * f, .restitution = 1, .seed = (uint64_t)f};
        struct scree_gas_sample sample = {0, 0, 0};
        scree_distribution_id id;
        const double chi = (scree_hard_gas_pressure(3, gas.fraction) - 1) / (4 * gas.fraction),
                     carnahan = (1 - gas.fraction / 2) / pow(1 - gas.fraction, 3);
        gas.step = 0.5 / scree_hard_gas_rate(3, 1 + 4 * gas.fraction * chi, 1);
        SCREE_TRY(scree_hard_gas_begin(trial, &gas));
        SCREE_TRY(scree_hard_gas_collide(trial, &gas, 40));
        SCREE_TRY(scree_distribution_add(
            trial->world,
            &(struct scree_distribution_def){
                .kind = SCREE_DISTRIBUTION_RADIAL, .from = 1, .to = 1 + 0.02 * FITTED, .bins = FITTED},
            &id));
        for (int b = 0; b < BLOCKS; ++b) {
            double value;
            SCREE_TRY(scree_distribution_reset(trial->world, id));
            for (int s = 0; s < 8; ++s) {
                SCREE_TRY(scree_hard_gas_collide(trial, &gas, 3));
                SCREE_TRY(scree_distribution_sample(trial->world, id));
            }
            SCREE_TRY(at_contact(trial, id, 2, &value));
            scree_gas_sample_add(&sample, value);
        }
        const double mean = scree_gas_sample_mean(&sample), error = scree_gas_sample_error(&sample);
        scree_report_near(trial, chi, mean, 3.5 * error + 1e-3 * f * chi, "%.1f: g at contact (+- %.1g)",
                          gas.fraction, error);
        scree_report_near(trial, carnahan, mean, 3.5 * error + 1e-3 * f * chi + 3e-3 * chi,
                          "%.1f: of Carnahan and Starling", gas.fraction);
    }
    return SCREE_OK;
}

// --- a wall

struct pushes {
    double impulse; // on both walls
};

static void add_push(void *user, const struct scree_event_collision *collision)
{
    if (collision->wall.value != 0)
        ((struct pushes *)user)->impulse += fabs(collision->impulse[2]);
}

// A slit between two walls, from a lattice; velocities are drawn with the sum 0.
static scree_status make_slit(struct scree_trial *trial, int side, double edge, double height)
{
    const struct scree_interaction_value values[] = {{"restitution", 1, NULL}, {"friction", 0, NULL}};
    scree_wall_id wall;
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.dimension = 3}));
    SCREE_TRY(scree_cell_set(trial->world, &(struct scree_cell_def){.upper = {edge, edge, height},
                                                                    .periodic = {true, true, false}}));
    SCREE_TRY(scree_material_add(trial->world,
                                 &(struct scree_material_def){.name = "grain", .density = 1.909859317102744},
                                 &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    for (int w = 0; w < 2; ++w)
        SCREE_TRY(scree_wall_add(
            trial->world,
            &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                     .material = trial->material,
                                     .plane = {.point = {0, 0, w * height}, .normal = {0, 0, 1 - 2 * w}}},
            w == 0 ? &trial->wall : &wall));
    for (int b = 0; b < side * side * side; ++b) {
        const int at[3] = {b % side, b / side % side, b / side / side};
        const double spacing[3] = {edge / side, edge / side, height / side};
        struct scree_sphere_def sphere = {.radius = 0.5, .material = trial->material};
        for (int k = 0; k < 3; ++k) {
            sphere.position[k] = (at[k] + 0.5) * spacing[k];
            sphere.velocity[k] = sqrt(3) * scree_algebra_draw(7, (uint64_t)b, (size_t)k);
        }
        SCREE_TRY(scree_body_add_sphere(trial->world, &sphere, &trial->body));
    }
    return scree_event_create(trial->world, &(struct scree_event_def){.step = 0.05}, &trial->engine);
}

// The density of centres in touch with a hard wall is the pressure on it over the temperature: exact for any
// interaction (J. R. Henderson, F. van Swol, Mol. Phys. 51, 991 (1984)). The pressure is that of the impulses
// on both walls. The error of the parabola is that of the case before.
scree_status scree_observables_wall(struct scree_trial *trial)
{
    enum { SIDE = 12 };
    const double height = 13.2, edge = sqrt(SIDE * SIDE * SIDE * 0.5235987755982989 / (0.3 * height));
    struct scree_gas_sample sample = {0, 0, 0}, pressure = {0, 0, 0};
    struct pushes pushes = {0};
    struct scree_energy energy;
    scree_distribution_id id;
    SCREE_TRY(make_slit(trial, SIDE, edge, height));
    SCREE_TRY(scree_engine_run_until(trial->engine, 10));
    SCREE_TRY(scree_event_observe(trial->engine, add_push, &pushes));
    SCREE_TRY(scree_energy_get(trial->world, &energy));
    // walls do not keep the momentum along their normal
    const double temperature = 2 * energy.translation / (3.0 * SIDE * SIDE * SIDE);
    SCREE_TRY(scree_distribution_add(trial->world,
                                     &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_PROFILE,
                                                                      .wall = trial->wall,
                                                                      .from = 0.5,
                                                                      .to = 0.5 + 0.02 * FITTED,
                                                                      .bins = FITTED},
                                     &id));
    for (int b = 0; b < BLOCKS; ++b) {
        double value;
        pushes.impulse = 0;
        SCREE_TRY(scree_distribution_reset(trial->world, id));
        for (int s = 0; s < 100; ++s) {
            SCREE_TRY(scree_engine_run(trial->engine, 5));
            SCREE_TRY(scree_distribution_sample(trial->world, id));
        }
        SCREE_TRY(at_contact(trial, id, 2, &value));
        scree_gas_sample_add(&sample, value * temperature);
        scree_gas_sample_add(&pressure, pushes.impulse / (2 * edge * edge * 25));
    }
    const double mean = scree_gas_sample_mean(&sample), wanted = scree_gas_sample_mean(&pressure),
                 error = hypot(scree_gas_sample_error(&sample), scree_gas_sample_error(&pressure));
    scree_report_near(trial, wanted, mean, 3.5 * error + 3e-3 * wanted,
                      "density at contact times temperature, pressure (+- %.1g)", error);
    scree_report_at_most(trial, 0.02, error / wanted, "its relative standard error");
    return SCREE_OK;
}
