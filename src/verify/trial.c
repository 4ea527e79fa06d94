// The world of a case, see trial.h.

#include "trial.h"

#include "algebra.h"
#include "balls.h"
#include "verify.h"

#include <string.h>

void scree_trial_clear(struct scree_trial *trial)
{
    scree_engine_destroy(trial->engine);
    scree_world_destroy(trial->world);
    trial->engine = NULL;
    trial->world = NULL;
}

scree_status scree_trial_world(struct scree_trial *trial, const struct scree_world_def *def)
{
    scree_trial_clear(trial);
    return scree_world_create(def, &trial->world);
}

// Two pebbles that do not touch each other.
static scree_status add_clump(struct scree_trial *trial, const struct scree_rigid_def *def)
{
    static const struct scree_pebble pebble[] = {{.offset = {0.3, 0.1, 0}, .radius = 0.1},
                                                 {.offset = {-0.2, 0, 0.4}, .radius = 0.2}};
    struct scree_clump_def clump = {.body = *def, .pebble = pebble, .pebbles = 2, .equal_radius = 0.21};
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "pebble", .density = 1},
                                 &clump.body.material));
    return scree_body_add_clump(trial->world, &clump, &trial->body);
}

scree_status scree_trial_add_round(struct scree_trial *trial, double radius, const double position[3],
                                   unsigned fixed)
{
    if (scree_world_dimension(trial->world) == 2) {
        const struct scree_disk_def disk = {.radius = radius,
                                            .thickness = 1,
                                            .material = trial->material,
                                            .position = {position[0], position[1]},
                                            .fixed = fixed};
        return scree_body_add_disk(trial->world, &disk, &trial->body);
    }
    const struct scree_sphere_def sphere = {.radius = radius,
                                            .material = trial->material,
                                            .position = {position[0], position[1], position[2]},
                                            .fixed = fixed};
    return scree_body_add_sphere(trial->world, &sphere, &trial->body);
}

scree_status scree_trial_body(struct scree_trial *trial, bool is_sphere, const struct scree_rigid_def *def)
{
    struct scree_sphere_def sphere = {.radius = 0.5, .fixed = def->fixed};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.sphere_orientation = true}));
    if (!is_sphere && trial->clumps)
        return add_clump(trial, def);
    if (!is_sphere)
        return scree_body_add_rigid(trial->world, def, &trial->body);
    memcpy(sphere.position, def->position, sizeof sphere.position);
    memcpy(sphere.velocity, def->velocity, sizeof sphere.velocity);
    memcpy(sphere.spin, def->spin, sizeof sphere.spin);
    const struct scree_material_def ball = {.name = "ball",
                                            .density = def->mass / scree_balls_volume(sphere.radius)};
    SCREE_TRY(scree_material_add(trial->world, &ball, &sphere.material));
    return scree_body_add_sphere(trial->world, &sphere, &trial->body);
}

scree_status scree_trial_constant_load(struct scree_trial *trial, const struct scree_load_def *def)
{
    scree_load_id id;
    return scree_load_add(trial->world, def, &id);
}

scree_status scree_trial_load(struct scree_trial *trial, scree_load_function *function, const void *user)
{
    return scree_trial_constant_load(
        trial, &(struct scree_load_def){.function = function, .user = (void *)user, .threaded = true});
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

scree_status scree_trial_start(struct scree_trial *trial, const struct scree_soft_def *def)
{
    struct scree_soft_def one_thread = *def;
    one_thread.threads = 1;
    return scree_soft_create(trial->world, &one_thread, &trial->engine);
}

scree_status scree_trial_run(struct scree_trial *trial, uint64_t steps, struct scree_body_state *state)
{
    SCREE_TRY(scree_engine_run(trial->engine, steps));
    return scree_body_get(trial->world, trial->body, state);
}

scree_status scree_trial_states(const struct scree_trial *trial, uint64_t count,
                                struct scree_body_state *states)
{
    for (uint64_t b = 0; b < count; ++b)
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){b + 1}, &states[b]));
    return SCREE_OK;
}
