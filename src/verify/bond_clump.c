// Bonded spheres instead of a rigid clump: as the bonds become stiffer, the motion tends to that of the
// clump.
//
// A cross of five spheres in the plane z = 0 with arms of different lengths, whose principal axes are x, y,
// z, tumbles freely. Centrifugal forces stretch bonds by lengths proportional to 1 / E, which changes the
// moments of inertia, so that the error of the position of a sphere after a given time is proportional to 1 /
// E, with an oscillation smaller by the number of radians turned.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

enum { SPHERES = 5, RUNS = 4 };

static const double pi = SCREE_BONDED_PI, density = 1000, spin[3] = {0.4, 2.5, 0.8}, duration = 4;
static const double radius[SPHERES] = {0.5, 0.4, 0.4, 0.5, 0.5},
                    offset[SPHERES][3] = {{0}, {1, 0, 0}, {-1, 0, 0}, {0, 1.1, 0}, {0, -1.1, 0}};

static double mass_of(int sphere)
{
    return density * 4 / 3 * pi * radius[sphere] * radius[sphere] * radius[sphere];
}

// Position of the second sphere of the clump at the end. The step is so short that its error does not count
// here.
static scree_status run_clump(struct scree_trial *trial, double position[3])
{
    struct scree_pebble pebbles[SPHERES];
    struct scree_clump_def clump = {.pebble = pebbles, .pebbles = SPHERES, .equal_radius = 0.8};
    struct scree_body_state state;
    SCREE_TRY(scree_bonded_begin(trial, 3, density));
    clump.body.material = trial->material;
    memcpy(clump.body.spin, spin, sizeof spin);
    for (int s = 0; s < SPHERES; ++s) {
        pebbles[s] = (struct scree_pebble){.radius = radius[s]};
        memcpy(pebbles[s].offset, offset[s], sizeof offset[s]);
        clump.body.mass += mass_of(s);
        for (int k = 0; k < 3; ++k)
            clump.body.inertia[k] +=
                mass_of(s) * (0.4 * radius[s] * radius[s] + scree_algebra_dot(offset[s], offset[s], 3) -
                              offset[s][k] * offset[s][k]);
    }
    SCREE_TRY(scree_body_add_clump(trial->world, &clump, &trial->body));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = duration / 40000}));
    SCREE_TRY(scree_trial_run(trial, 40000, &state));
    scree_algebra_rotate(state.orientation, offset[1], position);
    return SCREE_OK;
}

static scree_status run_bonded(struct scree_trial *trial, double young, uint64_t steps, double position[3])
{
    const struct scree_bond_def bond = {.kind = SCREE_BOND_TIMOSHENKO,
                                        .radius = 0.4,
                                        .young = young,
                                        .shear_modulus = 0.4 * young,
                                        .shear_factor = 0.9};
    struct scree_body_state state;
    scree_bond_id id;
    SCREE_TRY(scree_bonded_begin(trial, 3, density));
    for (int s = 0; s < SPHERES; ++s) {
        double velocity[3];
        scree_algebra_cross(spin, offset[s], velocity);
        SCREE_TRY(scree_trial_add_round(trial, radius[s], offset[s], 0));
        SCREE_TRY(scree_body_set_velocity(trial->world, trial->body, velocity));
        SCREE_TRY(scree_body_set_spin(trial->world, trial->body, spin));
    }
    for (uint64_t s = 1; s < SPHERES; ++s)
        SCREE_TRY(scree_bonded_join(trial, &bond, 0, s, &id));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = duration / (double)steps}));
    SCREE_TRY(scree_engine_run(trial->engine, steps));
    SCREE_TRY(scree_body_get(trial->world, (scree_body_id){2}, &state));
    memcpy(position, state.position, sizeof state.position);
    return SCREE_OK;
}

scree_status scree_bond_clump_limit(struct scree_trial *trial)
{
    double rigid[3], errors[RUNS];
    SCREE_TRY(run_clump(trial, rigid));
    for (int r = 0; r < RUNS; ++r) {
        const double young = ldexp(2e7, 2 * r);
        double position[3];
        SCREE_TRY(run_bonded(trial, young, UINT64_C(8000) << r, position));
        errors[r] = scree_algebra_distance(rigid, position, 3);
        scree_report_unchecked(trial, 0, errors[r], "distance to the clump, E = %g Pa (m)", young);
    }
    // the order in a length proportional to 1 / sqrt E is 2; the oscillation is a tenth of the smallest error
    scree_report_near(trial, 1, 0.5 * scree_report_order(errors, RUNS), 0.1, "order in 1 / E");
    return SCREE_OK;
}
