// Trials with bonded spheres, see bonded.h.

#include "bonded.h"

#include "algebra.h"
#include "verify.h"

#include <math.h>

scree_status scree_bonded_begin(struct scree_trial *trial, int dimension, double density)
{
    const struct scree_world_def def = {.dimension = dimension, .sphere_orientation = true};
    SCREE_TRY(scree_trial_world(trial, &def));
    return scree_material_add(trial->world, &(struct scree_material_def){.name = "ball", .density = density},
                              &trial->material);
}

scree_status scree_bonded_join(struct scree_trial *trial, const struct scree_bond_def *def, uint64_t first,
                               uint64_t second, scree_bond_id *id)
{
    struct scree_bond_def bond = *def;
    bond.side[0].body.value = first + 1;
    bond.side[1].body.value = second + 1;
    return scree_bond_add(trial->world, &bond, id);
}

scree_status scree_bonded_join_near(struct scree_trial *trial, const struct scree_bond_def *def,
                                    uint64_t count, double reach, const double period[3])
{
    static struct scree_body_state state[SCREE_BONDED_MOST];
    scree_bond_id id;
    SCREE_TRY(scree_trial_states(trial, count, state));
    for (uint64_t i = 0; i < count; ++i)
        for (uint64_t j = i + 1; j < count; ++j) {
            double between[3];
            for (int k = 0; k < 3; ++k) {
                between[k] = state[j].position[k] - state[i].position[k];
                if (period[k] > 0)
                    between[k] -= period[k] * round(between[k] / period[k]);
            }
            if (scree_algebra_norm(between, 3) < reach)
                SCREE_TRY(scree_bonded_join(trial, def, i, j, &id));
        }
    return SCREE_OK;
}

// sum of m v.V + J w.W over the bodies, for the velocities V, W of the mode
static scree_status project(struct scree_trial *trial, const struct scree_bonded_motion *mode, uint64_t count,
                            double *projection)
{
    *projection = 0;
    for (uint64_t b = 0; b < count; ++b) {
        struct scree_body_state state;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){b + 1}, &state));
        *projection += state.mass * scree_algebra_dot(state.velocity, mode[b].velocity, 3) +
                       state.inertia[2] * scree_algebra_dot(state.spin, mode[b].spin, 3);
    }
    return SCREE_OK;
}

scree_status scree_bonded_frequency(struct scree_trial *trial, const struct scree_bonded_motion *mode,
                                    uint64_t count, double expected, double step, double *frequency)
{
    const double quarter = 0.5 * SCREE_BONDED_PI / expected;
    const uint64_t steps = (uint64_t)ceil(quarter / step);
    double before, after;
    step = quarter / (double)steps;
    for (uint64_t b = 0; b < count; ++b) {
        SCREE_TRY(scree_body_set_velocity(trial->world, (scree_body_id){b + 1}, mode[b].velocity));
        SCREE_TRY(scree_body_set_spin(trial->world, (scree_body_id){b + 1}, mode[b].spin));
    }
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step}));
    SCREE_TRY(project(trial, mode, count, &before));
    SCREE_TRY(scree_engine_run(trial->engine, steps));
    SCREE_TRY(project(trial, mode, count, &after));
    const double computed = acos(after / before) / quarter;
    *frequency = 2 / step * sin(0.5 * computed * step);
    return SCREE_OK;
}
