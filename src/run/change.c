// Changes at the start of a stage, see change.h.

#include "run/change.h"

#include "base/memory.h"
#include "build/build.h"
#include "run/remove.h"

#include <scree/body.h>
#include <scree/group.h>
#include <scree/interaction.h>
#include <scree/load.h>
#include <scree/servo.h>
#include <scree/soft.h>
#include <scree/wall.h>
#include <scree/world.h>

// The changes of one entry of the scene; `has_...` is false for those not given.
struct change {
    bool has_velocity, has_spin, has_pivot, has_fixed, has_damping, has_load, remove;
    double velocity[3], spin[3], pivot[3], force[3], moment[3];
    unsigned fixed;
    struct scree_damping damping;
    size_t row; // of the tally, which counts deleted bodies
};

static bool read_vector(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        bool *has, double vector[3])
{
    *has = scree_reading_has(map, key);
    return !*has || scree_reading_vector(reading, map, key, vector);
}

// --- walls

static scree_status steer_wall(struct scree_world *world, scree_wall_id id, const struct change *change)
{
    if (change->remove)
        return scree_wall_remove(world, id);
    if (change->has_pivot)
        SCREE_TRY(scree_wall_set_pivot(world, id, change->pivot));
    if (change->has_velocity)
        SCREE_TRY(scree_wall_set_velocity(world, id, change->velocity));
    return change->has_spin ? scree_wall_set_spin(world, id, change->spin) : SCREE_OK;
}

static scree_status steer_walls(struct scree_world *world, scree_group_id group, const struct change *change)
{
    scree_wall_id *ids;
    size_t count;
    SCREE_TRY(scree_group_walls(world, group, NULL, 0, &count));
    SCREE_TRY(scree_memory_new(count, sizeof *ids, (void **)&ids));
    scree_status status = scree_group_walls(world, group, ids, count, &count);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        status = steer_wall(world, ids[k], change);
    scree_memory_free(ids);
    return status;
}

static scree_status steer(struct scree_reading *reading, struct scree_world *world,
                          const struct scree_node *map)
{
    struct change change = {0};
    scree_group_id group;
    bool release;
    SCREE_TRY(scree_build_group(reading, world, map, SCREE_KEY_steer_group, &group));
    bool good = read_vector(reading, map, SCREE_KEY_steer_velocity, &change.has_velocity, change.velocity);
    good = read_vector(reading, map, SCREE_KEY_steer_spin, &change.has_spin, change.spin) && good;
    good = read_vector(reading, map, SCREE_KEY_steer_pivot, &change.has_pivot, change.pivot) && good;
    good = scree_reading_flag(reading, map, SCREE_KEY_steer_remove, &change.remove) && good;
    good = scree_reading_flag(reading, map, SCREE_KEY_steer_release, &release) && good;
    if (!good || group.value == 0)
        return reading->values.status;
    if (release)
        SCREE_TRY(scree_reading_report_status(reading, scree_reading_node(map, SCREE_KEY_steer_release),
                                              scree_servo_remove(world, group)));
    SCREE_TRY(scree_reading_report_status(reading, map, steer_walls(world, group, &change)));
    const struct scree_node *servo = scree_reading_node(map, SCREE_KEY_steer_servo);
    return servo ? scree_build_servo(reading, world, servo, group) : SCREE_OK;
}

// --- bodies

// Fixes degrees of freedom before setting velocities: a fixed one keeps the velocity set here.
static scree_status change_body(struct scree_world *world, scree_body_id id, const struct change *change)
{
    if (change->remove)
        return scree_remove_body(world, change->row, id);
    if (change->has_fixed)
        SCREE_TRY(scree_body_fix(world, id, change->fixed));
    if (change->has_velocity)
        SCREE_TRY(scree_body_set_velocity(world, id, change->velocity));
    if (change->has_spin)
        SCREE_TRY(scree_body_set_spin(world, id, change->spin));
    return change->has_damping
               ? scree_body_set_damping(world, id, change->damping.local, change->damping.viscous)
               : SCREE_OK;
}

static scree_status change_members(struct scree_world *world, scree_group_id group,
                                   const struct change *change)
{
    scree_body_id *ids;
    size_t count;
    SCREE_TRY(scree_group_bodies(world, group, NULL, 0, &count));
    SCREE_TRY(scree_memory_new(count, sizeof *ids, (void **)&ids));
    scree_status status = scree_group_bodies(world, group, ids, count, &count);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        status = change_body(world, ids[k], change);
    if (status == SCREE_OK && change->has_load)
        status = scree_load_set(world, ids, count, change->force, change->moment);
    scree_memory_free(ids);
    return status;
}

static scree_status change_group(struct scree_reading *reading, struct scree_world *world,
                                 const struct scree_node *map, size_t row)
{
    struct change change = {.row = row};
    scree_group_id group;
    SCREE_TRY(scree_build_group(reading, world, map, SCREE_KEY_alter_group, &group));
    bool good = read_vector(reading, map, SCREE_KEY_alter_velocity, &change.has_velocity, change.velocity);
    good = read_vector(reading, map, SCREE_KEY_alter_spin, &change.has_spin, change.spin) && good;
    good = scree_reading_flag(reading, map, SCREE_KEY_alter_remove, &change.remove) && good;
    change.has_fixed = scree_reading_has(map, SCREE_KEY_alter_fixed);
    change.fixed = scree_build_bodies_freedoms(reading, map, SCREE_KEY_alter_fixed);
    change.has_damping = scree_reading_has(map, SCREE_KEY_alter_damping);
    if (change.has_damping)
        scree_build_engine_damping(reading, scree_reading_node(map, SCREE_KEY_alter_damping),
                                   &change.damping);
    if ((change.has_load = scree_reading_has(map, SCREE_KEY_alter_load)))
        good = scree_build_bodies_load(reading, scree_reading_node(map, SCREE_KEY_alter_load), change.force,
                                       change.moment) &&
               good;
    if (!good || group.value == 0)
        return reading->values.status;
    return scree_reading_report_status(reading, map, change_members(world, group, &change));
}

// --- stages

static scree_status change_gravity(const struct scree_change *change, const struct scree_node *map)
{
    double gravity[3];
    if (!scree_reading_vector(change->reading, map, SCREE_KEY_stage_gravity, gravity))
        return SCREE_OK;
    return scree_reading_report_status(change->reading, scree_reading_node(map, SCREE_KEY_stage_gravity),
                                       scree_world_set_gravity(change->world, gravity));
}

static scree_status change_damping(const struct scree_change *change, const struct scree_node *map)
{
    struct scree_damping damping = {0};
    scree_build_engine_damping(change->reading, scree_reading_node(map, SCREE_KEY_stage_damping), &damping);
    return scree_reading_report_status(change->reading, scree_reading_node(map, SCREE_KEY_stage_damping),
                                       scree_soft_set_damping(change->engine, &damping));
}

static scree_status change_contacts(const struct scree_change *change, const struct scree_node *map)
{
    SCREE_TRY(scree_interaction_clear(change->world));
    return scree_build_contacts(change->reading, change->world,
                                scree_reading_node(map, SCREE_KEY_stage_contacts));
}

static scree_status change_materials(const struct scree_change *change, const struct scree_node *map)
{
    return scree_build_change(change->reading, change->world,
                              scree_reading_node(map, SCREE_KEY_stage_materials));
}

static scree_status change_engine(const struct scree_change *change, const struct scree_node *map)
{
    const struct scree_node *engine = scree_reading_node(map, SCREE_KEY_stage_engine);
    double step = 0, safety = 0;
    scree_build_engine_step(change->reading, engine, &step, &safety);
    SCREE_TRY(
        scree_reading_report_status(change->reading, engine, scree_soft_set_safety(change->engine, safety)));
    return scree_reading_report_status(change->reading, engine, scree_soft_set_step(change->engine, step));
}

static scree_status change_walls(const struct scree_change *change, const struct scree_node *map)
{
    const struct scree_node *list = scree_reading_node(map, SCREE_KEY_stage_walls);
    for (size_t k = 0; k < list->count; ++k)
        SCREE_TRY(steer(change->reading, change->world, list->item[k]));
    return SCREE_OK;
}

static scree_status change_bodies(const struct scree_change *change, const struct scree_node *map)
{
    const struct scree_node *list = scree_reading_node(map, SCREE_KEY_stage_bodies);
    for (size_t k = 0; k < list->count; ++k)
        SCREE_TRY(change_group(change->reading, change->world, list->item[k], change->row));
    return SCREE_OK;
}

// The keys of a stage, in the order in which they are applied. They are not applied again after a restart:
// the checkpoint stores the world, and the engine is built with the settings of that stage.
static const struct {
    enum scree_key_id key;
    scree_status (*change)(const struct scree_change *change, const struct scree_node *map);
} changes[] = {
    {SCREE_KEY_stage_gravity, change_gravity},   {SCREE_KEY_stage_damping, change_damping},
    {SCREE_KEY_stage_walls, change_walls},       {SCREE_KEY_stage_bodies, change_bodies},
    {SCREE_KEY_stage_contacts, change_contacts}, {SCREE_KEY_stage_materials, change_materials},
    {SCREE_KEY_stage_engine, change_engine},
};

scree_status scree_change(const struct scree_change *change, const struct scree_node *map)
{
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; ++c)
        if (scree_reading_has(map, changes[c].key))
            SCREE_TRY(changes[c].change(change, map));
    return SCREE_OK;
}
