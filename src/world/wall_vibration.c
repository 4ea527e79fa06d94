// Vibrations of walls, see include/scree/wall.h: functions of time with known parameters.

#include "world/wall_vibration.h"

#include "base/memory.h"
#include "math/trigonometry.h"
#include "math/vec3.h"
#include "world/wall.h"

double scree_wall_vibration_rate(const struct scree_wall_vibration *vibration)
{
    return 2 * SCREE_PI * vibration->frequency;
}

void scree_wall_vibration_amplitude(const struct scree_wall_vibration *vibration, double amplitude[3])
{
    const double length = scree_vec3_norm(scree_vec3_load(vibration->direction));
    for (int k = 0; k < 3; ++k)
        amplitude[k] = vibration->amplitude * vibration->direction[k] / length;
}

static void vibrate(void *user, double time, struct scree_wall_motion *motion)
{
    const struct scree_wall_vibration *vibration = (const struct scree_wall_vibration *)user;
    const double length = scree_vec3_norm(scree_vec3_load(vibration->direction));
    const double rate = scree_wall_vibration_rate(vibration);
    const double cosine = scree_cos(rate * time + vibration->phase);
    for (int k = 0; k < 3; ++k) {
        motion->velocity[k] = vibration->velocity[k];
        motion->velocity[k] += cosine * (vibration->amplitude * rate * vibration->direction[k] / length);
    }
}

const struct scree_wall_vibration *scree_wall_vibration_of(const struct scree_world *world, size_t slot)
{
    const uint64_t id = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[slot];
    for (size_t d = 0; d < world->drives.count; ++d) {
        const struct scree_wall_drive *drive = &world->drives.data[d];
        if (drive->wall.value == id)
            return drive->def.function == vibrate ? (const struct scree_wall_vibration *)drive->def.user
                                                  : NULL;
    }
    return NULL;
}

// The largest velocities along the axes.
static scree_status check(const struct scree_world *world, const struct scree_wall_vibration *vibration)
{
    struct scree_wall_motion fastest = {0};
    const double length = scree_vec3_norm(scree_vec3_load(vibration->direction));
    const double rate = scree_wall_vibration_rate(vibration);
    if (!(vibration->amplitude > 0 && vibration->amplitude <= 1e150 && vibration->frequency > 0 &&
          vibration->frequency <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the amplitude and the frequency of a vibration must be above 0 and at most "
                                 "1e150; got %g m and %g Hz",
                                 vibration->amplitude, vibration->frequency);
    if (!(length > 0 && length <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the direction of a vibration must have a finite length above 0; got (%g, "
                                 "%g, %g)",
                                 vibration->direction[0], vibration->direction[1], vibration->direction[2]);
    if (!(vibration->phase >= -1e150 && vibration->phase <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the phase of a vibration must be finite; got %g",
                                 vibration->phase);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 0; k < 3; ++k)
            fastest.velocity[k] = vibration->velocity[k] +
                                  sign * vibration->amplitude * rate * vibration->direction[k] / length;
        SCREE_TRY(scree_wall_check_motion(world, &fastest));
    }
    return SCREE_OK;
}

scree_status scree_wall_set_vibration(struct scree_world *world, scree_wall_id id,
                                      const struct scree_wall_vibration *vibration)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_wall_vibration *copy;
    SCREE_TRY(check(world, vibration));
    SCREE_TRY(scree_memory_new(1, sizeof *copy, (void **)&copy));
    *copy = *vibration;
    const scree_status status = scree_wall_motion_set_function(
        world, id,
        &(struct scree_wall_motion_def){.function = vibrate, .user = copy, .release = scree_memory_free});
    if (status != SCREE_OK)
        scree_memory_free(copy);
    return status;
}
