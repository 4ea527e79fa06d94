// A bed of 10,000 grains that settles under gravity: the kinetic energy must decay to zero, without residual
// fluctuations, and the force on the floor must be equal to the weight.
//
// Rotations are stopped by rolling and twisting resistance, which has the slowest time scales: a single grain
// on the floor rotates about the contact normal, and a grain supported by two others swings about the line
// through them, as slowly as a pendulum of its size, independent of the contact stiffness. So contacts are
// soft, to allow steps that are long compared with the contact period. Twisting damping is critical for a
// single grain; twisting friction is high, because a grain that slips in twisting rotates for a long time.

#include "algebra.h"
#include "balls.h"
#include "verify.h"

#include <math.h>

enum { SEED = 3, SIDE = 50, BALLS = 10000 };

static const double radius = 0.5, spacing = 1, gravity = 1;

static scree_status begin(struct scree_trial *trial, double *weight)
{
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", 40, NULL},
                                                   {"friction", 0.8, NULL},
                                                   {"restitution", 0.02, NULL},
                                                   {"rolling-friction", 0.1, NULL},
                                                   {"rolling-damping", 1.2, NULL},
                                                   {"twisting-friction", 20, NULL},
                                                   {"twisting-damping", 0.6, NULL}}};
    const struct scree_balls_material material = {1, 0, 0};
    const double width = SIDE * spacing;
    SCREE_TRY(scree_balls_begin(trial, &material, &law, -gravity));
    SCREE_TRY(scree_cell_set(trial->world,
                             &(struct scree_cell_def){.upper = {width, width, 1}, .periodic = {true, true}}));
    SCREE_TRY(scree_balls_floor(trial));
    *weight = 0;
    for (uint64_t b = 0; b < BALLS; ++b) {
        const uint64_t site[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        struct scree_sphere_def def = {.radius = radius * (1 - 0.05 * (1 + scree_algebra_draw(SEED, b, 9)))};
        // each layer is placed in the pockets of the layer below
        for (uint64_t k = 0; k < 2; ++k)
            def.position[k] = spacing * ((double)site[k] + 0.25 + 0.5 * (double)(site[2] % 2)) +
                              0.05 * scree_algebra_draw(SEED, b, k);
        def.position[2] = 0.5 + 0.75 * (double)site[2];
        *weight += material.density * scree_balls_volume(def.radius) * gravity;
        SCREE_TRY(scree_balls_add(trial, &def));
    }
    return scree_balls_start(trial, 2.8e-3, 0);
}

// Updates `energy` with the maximum kinetic energy over a number of steps, sampled every 50.
static scree_status find_peak(struct scree_trial *trial, int steps, double *energy)
{
    for (int k = 0; k < steps; k += 50) {
        struct scree_energy energy_now;
        SCREE_TRY(scree_engine_run(trial->engine, 50));
        SCREE_TRY(scree_energy_get(trial->world, &energy_now));
        *energy = scree_report_larger(*energy, energy_now.translation + energy_now.rotation);
    }
    return SCREE_OK;
}

static scree_status rest(struct scree_trial *trial)
{
    double weight, peak = 0, final = 0, force[3], moment[3];
    SCREE_TRY(begin(trial, &weight));
    SCREE_TRY(find_peak(trial, 8500, &peak));
    SCREE_TRY(find_peak(trial, 500, &final));
    scree_report_at_most(trial, 1e-10, final / peak, "kinetic energy at rest, relative to its maximum");
    SCREE_TRY(scree_wall_load(trial->world, trial->wall, force, moment));
    scree_report_near(trial, -weight, force[2], 1e-6 * weight, "force on the floor");
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_rest[] = {
    {"bed", "10,000 grains that settle on a floor", rest, NULL},
    {0},
};
