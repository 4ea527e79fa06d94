// Trials of single bodies, see trial.h.

#include "trial.h"

#include "algebra.h"
#include "verify.h"

void scree_trial_end(struct scree_trial *trial)
{
    scree_engine_destroy(trial->engine);
    scree_world_destroy(trial->world);
    *trial = (struct scree_trial){0};
}

scree_status scree_trial_load(struct scree_trial *trial, scree_load_function *function, const void *user)
{
    scree_load_id id;
    return scree_load_add(
        trial->world, &(struct scree_load_def){.function = function, .user = (void *)user, .threaded = true},
        &id);
}

scree_status scree_trial_lever(void *user, const struct scree_load_batch *batch)
{
    const struct scree_trial_lever *lever = (const struct scree_trial_lever *)user;
    for (size_t i = 0; i < batch->count; ++i) {
        double moment[3];
        scree_algebra_rotate(batch->orientation[i], lever->arm, moment);
        scree_algebra_cross(moment, lever->force, moment);
        for (int k = 0; k < 3; ++k)
            batch->moment[i][k] += moment[k] - lever->drag * batch->spin[i][k];
    }
    return SCREE_OK;
}

scree_status scree_trial_sphere(struct scree_trial *trial, double mass, const struct scree_sphere_def *def)
{
    const double volume = 4.0 / 3.0 * 3.14159265358979323846 * def->radius * def->radius * def->radius;
    struct scree_sphere_def sphere = *def;
    SCREE_VERIFY_TRY(
        scree_world_create(&(struct scree_world_def){.sphere_orientation = true}, &trial->world));
    SCREE_VERIFY_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "ball", .density = mass / volume},
        &sphere.material));
    return scree_body_add_sphere(trial->world, &sphere, &trial->body);
}

scree_status scree_trial_rigid(struct scree_trial *trial, const struct scree_rigid_def *def)
{
    SCREE_VERIFY_TRY(scree_world_create(NULL, &trial->world));
    return scree_body_add_rigid(trial->world, def, &trial->body);
}

scree_status scree_trial_start(struct scree_trial *trial, const struct scree_soft_def *def)
{
    struct scree_soft_def alone = *def;
    alone.threads = 1;
    return scree_soft_create(trial->world, &alone, &trial->engine);
}

scree_status scree_trial_run(struct scree_trial *trial, uint64_t steps, struct scree_body_state *state)
{
    SCREE_VERIFY_TRY(scree_engine_run(trial->engine, steps));
    return scree_body_get(trial->world, trial->body, state);
}
