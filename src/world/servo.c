// Servos: definition and removal, see include/scree/servo.h. The engine moves the walls.
//
// Invariants: a group has at most one servo; directions are unit vectors.

#include "world/servo.h"

#include "math/vec3.h"
#include "world/group.h"
#include "world/wall.h"
#include "world/wall_body.h"

#include <string.h>

enum { DEFAULT_EVERY = 1 };
static const double default_gain = 0.5;

static struct scree_entity *servos_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_SERVO);
}

// Returns the row of the servo of a group, or the number of servos if it has none.
static size_t find(const struct scree_world *world, scree_group_id group)
{
    size_t slot = 0;
    while (slot < scree_servo_rows(world) && scree_servo_row(world, slot)->group != group.value)
        ++slot;
    return slot;
}

// --- functions that give areas

static struct scree_servo_drive *find_area(const struct scree_world *world, uint64_t group)
{
    for (size_t d = 0; d < world->servo_areas.count; ++d)
        if (world->servo_areas.data[d].group == group)
            return &world->servo_areas.data[d];
    return NULL;
}

static void release(const struct scree_servo_drive *drive)
{
    if (drive->def.release)
        drive->def.release(drive->def.user);
}

void scree_servo_free_areas(struct scree_world *world)
{
    for (size_t d = 0; d < world->servo_areas.count; ++d)
        release(&world->servo_areas.data[d]);
    scree_array_free(&world->servo_areas);
}

static void end_area(struct scree_world *world, scree_group_id group)
{
    struct scree_servo_drive *drive = find_area(world, group.value);
    if (!drive)
        return;
    release(drive);
    *drive = world->servo_areas.data[--world->servo_areas.count];
}

static const char *name_of(const struct scree_world *world, uint64_t group)
{
    const char *name = scree_group_name(world, (scree_group_id){group});
    return name ? name : "";
}

scree_status scree_servo_check_areas(const struct scree_world *world)
{
    for (size_t s = 0; s < scree_servo_rows(world); ++s) {
        const struct scree_servo *servo = scree_servo_row(world, s);
        if (servo->area_by_function > 0 && !find_area(world, servo->group))
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "the area of the servo of '%s' is given by a function: set it with "
                                     "scree_servo_set_area before running",
                                     name_of(world, servo->group));
    }
    return SCREE_OK;
}

scree_status scree_servo_set_area(struct scree_world *world, scree_group_id group,
                                  const struct scree_servo_area_def *def)
{
    const size_t slot = find(world, group);
    SCREE_TRY(scree_world_check_not_in_load(world));
    if (slot == scree_servo_rows(world) || scree_servo_row(world, slot)->area_by_function == 0)
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "the group '%s' has no servo whose area is given by a function",
                                 name_of(world, group.value));
    SCREE_TRY(scree_array_reserve(&world->servo_areas, world->servo_areas.count + 1));
    end_area(world, group);
    world->servo_areas.data[world->servo_areas.count++] = (struct scree_servo_drive){group.value, *def};
    return SCREE_OK;
}

scree_status scree_servo_area_by_function(struct scree_world *world, const struct scree_servo *servo,
                                          double *area)
{
    const struct scree_servo_drive *drive = find_area(world, servo->group);
    SCREE_TRY(drive ? drive->def.function(drive->def.user, world, area) : scree_servo_check_areas(world));
    // false for NaN
    return *area > 0 && *area <= 1e150
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                   "the area of the servo of '%s' must be above 0 and at most 1e150; its "
                                   "function gives %g at %g s",
                                   name_of(world, servo->group), *area, scree_world_clock(world)->time);
}

// --- definition

static scree_status check_number(const char *what, double value, bool valid, const char *expected)
{
    if (valid)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the %s of a servo must be %s; got %g", what, expected,
                             value);
}

static scree_status read_direction(const struct scree_world *world, const double *from, bool turns,
                                   double *direction)
{
    double largest = 0;
    for (int k = 0; k < 3; ++k) {
        SCREE_TRY(check_number("direction", from[k], from[k] >= -1e150 && from[k] <= 1e150,
                               "finite and at most 1e150 in magnitude"));
        const double size = from[k] < 0 ? -from[k] : from[k];
        largest = size > largest ? size : largest;
    }
    SCREE_TRY(check_number("direction", largest, largest > 0, "nonzero: it is the direction of the force"));
    if (world->dimension == 2 && !turns)
        SCREE_TRY(check_number("direction", from[2], from[2] == 0, "in the plane z = 0 in two dimensions"));
    if (world->dimension == 2 && turns)
        for (int k = 0; k < 2; ++k)
            SCREE_TRY(check_number("direction", from[k], from[k] == 0,
                                   "along z in two dimensions, where walls turn about z"));
    const struct scree_vec3 scaled = scree_vec3_make(from[0] / largest, from[1] / largest, from[2] / largest);
    scree_vec3_store(scree_vec3_scale(scaled, 1 / scree_vec3_norm(scaled)), direction);
    return SCREE_OK;
}

static scree_status read(const struct scree_world *world, const struct scree_servo_def *def,
                         struct scree_servo *servo)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_GROUP), def->group.value, &slot));
    SCREE_TRY(read_direction(world, def->direction, def->turns, servo->direction));
    SCREE_TRY(check_number("force", def->force, def->force >= -1e150 && def->force <= 1e150,
                           "finite and at most 1e150 N in magnitude"));
    SCREE_TRY(check_number("stress", def->stress, def->stress >= -1e150 && def->stress <= 1e150,
                           "finite and at most 1e150 Pa in magnitude"));
    SCREE_TRY(check_number("moment", def->moment, def->moment >= -1e150 && def->moment <= 1e150,
                           "finite and at most 1e150 N m in magnitude"));
    SCREE_TRY(check_number("moment", def->moment, def->turns || def->moment == 0, "0 unless it turns"));
    if (def->turns && (def->force != 0 || def->stress != 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a servo that turns its walls has a moment, but no force or stress; got %g N "
            "and %g Pa",
            def->force, def->stress);
    SCREE_TRY(check_number("velocity", def->velocity, def->velocity >= 0 && def->velocity <= 1e150,
                           "positive and at most 1e150 m/s, or 0 for the default: it limits the speed of the "
                           "walls"));
    SCREE_TRY(check_number("gain", def->gain, def->gain >= 0 && def->gain <= 1,
                           "above 0 and at most 1, or 0 for the default"));
    SCREE_TRY(check_number("tolerance", def->tolerance, def->tolerance >= 0 && def->tolerance < 1,
                           "at least 0 and below 1, as a fraction of the force"));
    uint64_t mask;
    SCREE_TRY(scree_group_mask(world, def->group, &mask));
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if ((scree_group_of_wall(world, w) & mask) &&
            scree_wall_row(world, w)->by_function == SCREE_WALL_BY_CELL)
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "a servo cannot control wall %llu, which moves with the cell: let a servo of the cell reach "
                "a "
                "stress",
                (unsigned long long)scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w]);
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if ((scree_group_of_wall(world, w) & mask) && scree_wall_follows(scree_wall_row(world, w)))
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED, "a servo cannot control wall %llu, which moves with body %llu",
                (unsigned long long)scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w],
                (unsigned long long)scree_wall_body_of(world, w));
    servo->group = def->group.value;
    servo->force = def->turns ? def->moment : def->force;
    servo->turns = def->turns;
    servo->stress = def->stress;
    servo->area_by_function = def->area_by_function;
    if (def->area_by_function)
        SCREE_TRY(check_number("stress", def->stress, def->stress != 0 && def->force == 0,
                               "nonzero, and its force 0, if its area is given by a function"));
    if (def->stress != 0 && !def->area_by_function) {
        double area;
        SCREE_TRY(check_number("force", def->force, def->force == 0, "0 if there is a stress"));
        SCREE_TRY(scree_servo_area(world, def->group, def->direction, &area));
        servo->force = def->stress * area;
    }
    servo->largest = def->velocity;
    servo->gain = def->gain > 0 ? def->gain : default_gain;
    servo->tolerance = def->tolerance;
    servo->every = def->every > 0 ? def->every : DEFAULT_EVERY;
    return SCREE_OK;
}

scree_status scree_servo_area(const struct scree_world *world, scree_group_id group,
                              const double direction[3], double *area)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    double unit[3];
    uint64_t mask;
    SCREE_TRY(scree_group_mask(world, group, &mask));
    SCREE_TRY(read_direction(world, direction, false, unit));
    if (scree_servo_area_find(world, mask, unit, area))
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        "the other walls do not enclose a cross-section: %s parallel to the direction of the servo, or a "
        "cylinder along it",
        world->dimension == 2 ? "there must be one pair of opposite faces"
                              : "there must be two pairs of opposite faces");
}

scree_status scree_servo_set(struct scree_world *world, const struct scree_servo_def *def)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_servo servo = {0};
    scree_slot slot;
    uint64_t id;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(read(world, def, &servo));
    slot.index = (uint32_t)find(world, def->group);
    const struct scree_servo *old = scree_servo_row(world, slot.index);
    if (slot.index < scree_servo_rows(world))
        end_area(world, def->group);
    if (slot.index < scree_servo_rows(world))
        servo.velocity =
            memcmp(old->direction, servo.direction, sizeof servo.direction) == 0 && old->turns == servo.turns
                ? old->velocity
                : 0;
    else
        SCREE_TRY(scree_entity_insert(servos_of(world), &slot, &id));
    *scree_servo_row(world, slot.index) = servo;
    return SCREE_OK;
}

static scree_status find_servo(const struct scree_world *world, scree_group_id group, size_t *slot)
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
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(find_servo(world, group, &slot));
    end_area(world, group);
    scree_entity_remove(servos_of(world), (scree_slot){(uint32_t)slot});
    return SCREE_OK;
}

scree_status scree_servo_get(const struct scree_world *world, scree_group_id group,
                             struct scree_servo_state *state)
{
    size_t slot;
    SCREE_TRY(find_servo(world, group, &slot));
    const struct scree_servo *servo = scree_servo_row(world, slot);
    *state =
        (struct scree_servo_state){.def = {.group = group,
                                           .force = servo->stress == 0 && !servo->turns ? servo->force : 0,
                                           .moment = servo->turns ? servo->force : 0,
                                           .turns = servo->turns > 0,
                                           .stress = servo->stress,
                                           .area_by_function = servo->area_by_function > 0,
                                           .velocity = servo->largest,
                                           .gain = servo->gain,
                                           .tolerance = servo->tolerance,
                                           .every = (unsigned)servo->every},
                                   .target = servo->force,
                                   .measured = servo->measured,
                                   .velocity = servo->velocity};
    memcpy(state->def.direction, servo->direction, sizeof servo->direction);
    return SCREE_OK;
}

size_t scree_servo_count(const struct scree_world *world)
{
    return scree_servo_rows(world);
}
