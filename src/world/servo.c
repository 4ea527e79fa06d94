// Servos: their making and their removal, see include/scree/servo.h. What they do is done by the engine.
//
// What always holds: a group has one servo at most; directions are of unit length.

#include "world/servo.h"

#include "math/vec3.h"

#include <string.h>

enum { USUAL_EVERY = 1 };
static const double usual_gain = 0.5;

static struct scree_entity *servos_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_SERVO);
}

// The row of a group's servo; as many as there are for none.
static size_t find(const struct scree_world *world, scree_group_id group)
{
    size_t slot = 0;
    while (slot < scree_servo_rows(world) && scree_servo_row(world, slot)->group != group.value)
        ++slot;
    return slot;
}

static scree_status check_number(const char *what, double value, bool good, const char *right)
{
    if (good)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the %s of a servo must be %s; got %g", what, right,
                             value);
}

static scree_status read_direction(const struct scree_world *world, const double *from, double *direction)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        SCREE_TRY(check_number("direction", from[k], from[k] >= -1e150 && from[k] <= 1e150,
                               "finite and at most 1e150"));
        const double size = from[k] < 0 ? -from[k] : from[k];
        most = size > most ? size : most;
    }
    SCREE_TRY(check_number("direction", most, most > 0, "of some length: along it the walls push"));
    if (world->dimension == 2)
        SCREE_TRY(check_number("direction", from[2], from[2] == 0, "without z in two dimensions"));
    const struct scree_vec3 even = scree_vec3_make(from[0] / most, from[1] / most, from[2] / most);
    scree_vec3_store(scree_vec3_scale(even, 1 / scree_vec3_norm(even)), direction);
    return SCREE_OK;
}

static scree_status read(const struct scree_world *world, const struct scree_servo_def *def,
                         struct scree_servo *servo)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_GROUP), def->group.value, &slot));
    SCREE_TRY(read_direction(world, def->direction, servo->direction));
    SCREE_TRY(check_number("force", def->force, def->force >= -1e150 && def->force <= 1e150,
                           "finite and at most 1e150, in N"));
    SCREE_TRY(check_number("velocity", def->velocity, def->velocity > 0 && def->velocity <= 1e150,
                           "positive and at most 1e150, in m/s: the largest that its walls may have"));
    SCREE_TRY(check_number("gain", def->gain, def->gain >= 0 && def->gain <= 1,
                           "above 0 and at most 1, or 0 for the default"));
    SCREE_TRY(check_number("tolerance", def->tolerance, def->tolerance >= 0 && def->tolerance < 1,
                           "a share from 0 to below 1"));
    servo->group = def->group.value;
    servo->force = def->force;
    servo->largest = def->velocity;
    servo->gain = def->gain > 0 ? def->gain : usual_gain;
    servo->tolerance = def->tolerance;
    servo->every = def->every > 0 ? def->every : USUAL_EVERY;
    return SCREE_OK;
}

scree_status scree_servo_set(struct scree_world *world, const struct scree_servo_def *def)
{
    SCREE_WORLD_COMPUTES;
    struct scree_servo servo = {0};
    scree_slot slot;
    uint64_t id;
    SCREE_TRY(scree_world_check_still(world));
    SCREE_TRY(read(world, def, &servo));
    slot.index = (uint32_t)find(world, def->group);
    const struct scree_servo *old = scree_servo_row(world, slot.index);
    if (slot.index < scree_servo_rows(world))
        servo.velocity =
            memcmp(old->direction, servo.direction, sizeof servo.direction) == 0 ? old->velocity : 0;
    else
        SCREE_TRY(scree_entity_insert(servos_of(world), &slot, &id));
    *scree_servo_row(world, slot.index) = servo;
    return SCREE_OK;
}

static scree_status find_given(const struct scree_world *world, scree_group_id group, size_t *slot)
{
    scree_slot of_group;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_GROUP), group.value, &of_group));
    *slot = find(world, group);
    if (*slot < scree_servo_rows(world))
        return SCREE_OK;
    const struct scree_group_name *names =
        (const struct scree_group_name *)scree_world_column(world, SCREE_ENTITY_GROUP, SCREE_GROUP_GROUP);
    return scree_status_fail(SCREE_ERROR_MISSING, "the group '%s' has no servo", names[of_group.index].name);
}

scree_status scree_servo_remove(struct scree_world *world, scree_group_id group)
{
    size_t slot;
    SCREE_TRY(scree_world_check_still(world));
    SCREE_TRY(find_given(world, group, &slot));
    scree_entity_remove(servos_of(world), (scree_slot){(uint32_t)slot});
    return SCREE_OK;
}

scree_status scree_servo_get(const struct scree_world *world, scree_group_id group,
                             struct scree_servo_state *state)
{
    size_t slot;
    SCREE_TRY(find_given(world, group, &slot));
    const struct scree_servo *servo = scree_servo_row(world, slot);
    *state = (struct scree_servo_state){.def = {.group = group,
                                                .force = servo->force,
                                                .velocity = servo->largest,
                                                .gain = servo->gain,
                                                .tolerance = servo->tolerance,
                                                .every = (unsigned)servo->every},
                                        .measured = servo->measured,
                                        .velocity = servo->velocity};
    memcpy(state->def.direction, servo->direction, sizeof servo->direction);
    return SCREE_OK;
}

size_t scree_servo_count(const struct scree_world *world)
{
    return scree_servo_rows(world);
}
