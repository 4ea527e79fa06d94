// Pressure of hard dimers in equilibrium, and their energy of rotation.
//
// Two spheres of diameter 1 at the distance L, smooth and elastic, in a periodic box. The pressure is that of
// the virial of collisions with the distance of centres of mass, as for spheres; turning of the bodies does
// not enter it. References are equations that were fitted to or tested by Monte Carlo simulations:
//
// - D. J. Tildesley, W. B. Streett, Mol. Phys. 41, 85 (1980), for 0 <= L <= 1;
// - M. S. Wertheim, J. Chem. Phys. 87, 7323 (1987), first order, for spheres in touch, L = 1.
//
// They agree with each other within 0.5 % here, and with simulations within 1 %.

#include "algebra.h"
#include "event.h"
#include "series.h"
#include "verify.h"

enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE, MELT = 60, COLLISIONS = 300, SAMPLES = 160 };

static const double pi = 3.14159265358979323846;

static double tildesley_streett(double l, double f)
{
    const double cube = l * l * l, first = 1 + 0.37836 * l + 1.07860 * cube,
                 second = 1 + 1.30376 * l + 1.80010 * cube, third = 1 + 2.39803 * l + 0.35700 * cube;
    return (1 + f * (first + f * (second - f * third))) / pow(1 - f, 3);
}

static double wertheim(double f)
{
    const double spheres = (1 + f + f * f - f * f * f) / pow(1 - f, 3);
    return 2 * spheres - (1 + f - 0.5 * f * f) / ((1 - f) * (1 - 0.5 * f));
}

// Volume of the dimer: two spheres without the lens that they share.
static double volume_of(double l)
{
    return pi / 3 - pi / 12 * (2 + l) * (1 - l) * (1 - l);
}

static scree_status add(struct scree_trial *trial, double l, const double position[3],
                        const double velocity[3])
{
    // uniform balls of mass 1/2, as if they did not overlap: the pressure does not depend on moments
    const double about = 0.1, across = 0.1 + 0.25 * l * l;
    const struct scree_pebble pebble[2] = {{.offset = {-0.5 * l, 0, 0}, .radius = 0.5},
                                           {.offset = {0.5 * l, 0, 0}, .radius = 0.5}};
    struct scree_clump_def def = {
        .body = {.mass = 1, .inertia = {about, across, across}, .material = trial->material},
        .pebble = pebble,
        .pebbles = 2,
        .equal_radius = cbrt(0.75 * volume_of(l) / pi)};
    memcpy(def.body.position, position, sizeof def.body.position);
    memcpy(def.body.velocity, velocity, sizeof def.body.velocity);
    return scree_body_add_clump(trial->world, &def, &trial->body);
}

// Dimers side by side along x at the sites of a lattice, with random velocities of sum 0.
static scree_status begin(struct scree_trial *trial, double l, double f)
{
    const struct scree_interaction_value values[] = {{"restitution", 1, NULL}, {"friction", 0, NULL}};
    const double room = volume_of(l) / f, cubic = cbrt(room), along = cubic > 1.02 + l ? cubic : 1.02 + l,
                 spacing[3] = {along, sqrt(room / along), sqrt(room / along)};
    double mean[3] = {0};
    struct scree_cell_def cell = {.periodic = {true, true, true}};
    for (int k = 0; k < 3; ++k)
        cell.upper[k] = SIDE * spacing[k];
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){0}));
    SCREE_TRY(scree_cell_set(trial->world, &cell));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "grain", .density = 1},
                                 &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    for (size_t b = 0; b < COUNT; ++b)
        for (size_t k = 0; k < 3; ++k)
            mean[k] += scree_algebra_draw(1, b, k) / COUNT;
    for (size_t b = 0; b < COUNT; ++b) {
        const size_t at[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        double x[3], v[3];
        for (size_t k = 0; k < 3; ++k) {
            x[k] = ((double)at[k] + 0.5) * spacing[k];
            v[k] = 2 * (scree_algebra_draw(1, b, k) - mean[k]);
        }
        SCREE_TRY(add(trial, l, x, v));
    }
    return scree_event_create(trial->world, &(struct scree_event_def){.step = 0.05}, &trial->engine);
}

static scree_status collide(struct scree_trial *trial, double collisions, struct scree_event_counts *counts)
{
    SCREE_TRY(scree_event_get_counts(trial->engine, counts));
    const uint64_t last = counts->pairs + (uint64_t)(0.5 * collisions * COUNT);
    while (counts->pairs < last) {
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(scree_event_get_counts(trial->engine, counts));
    }
    return SCREE_OK;
}

static scree_status measure(struct scree_trial *trial, double l, double f)
{
    struct scree_series pressure = {{0}, {0}}, share = {{0}, {0}};
    struct scree_event_counts last, next;
    SCREE_TRY(begin(trial, l, f));
    SCREE_TRY(collide(trial, MELT, &last));
    double time = scree_world_time(trial->world);
    for (size_t s = 0; s < SAMPLES; ++s) {
        struct scree_energy energy;
        SCREE_TRY(collide(trial, (double)COLLISIONS / SAMPLES, &next));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        const double passed = scree_world_time(trial->world) - time;
        // N T, without the motion of the centre of mass
        const double heat = energy.translation * 2 / 3 * COUNT / (COUNT - 1);
        scree_series_add(&pressure, s, SAMPLES, 1 + (next.virial - last.virial) / (3 * heat * passed));
        scree_series_add(&share, s, SAMPLES, energy.rotation / (energy.rotation + energy.translation));
        time += passed;
        last = next;
    }
    const double z = scree_series_mean(&pressure), error = scree_series_error(&pressure),
                 fitted = tildesley_streett(l, f), expected = 2. * COUNT / (5 * COUNT - 3);
    scree_report_at_most(trial, 0.01, error / z, "L = %.1f, %.1f: standard error of the pressure", l, f);
    scree_report_near(trial, fitted, z, 3 * error + 0.01 * fitted, "L = %.1f, %.1f: pressure, fit", l, f);
    if (l == 1)
        scree_report_near(trial, wertheim(f), z, 3 * error + 0.01 * wertheim(f),
                          "L = %.1f, %.1f: pressure, Wertheim", l, f);
    scree_report_near(trial, expected, scree_series_mean(&share), 4 * scree_series_error(&share),
                      "L = %.1f, %.1f: energy of rotation", l, f);
    return SCREE_OK;
}

scree_status scree_event_dimers(struct scree_trial *trial)
{
    for (int k = 1; k <= 3; ++k) {
        SCREE_TRY(measure(trial, 1, 0.1 * k));
        SCREE_TRY(measure(trial, 0.6, 0.1 * k));
    }
    return SCREE_OK;
}
