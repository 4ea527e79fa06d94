// Changes at the start of a stage, see stage.h.

#include "base/memory.h"
#include "build/build.h"
#include "run/insert_delete.h"
#include "run/stage.h"
#include "world/cell.h"

#include <scree/body.h>
#include <scree/engine.h>
#include <scree/group.h>
#include <scree/interaction.h>
#include <scree/load.h>
#include <scree/servo.h>
#include <scree/wall.h>
#include <scree/world.h>

// The changes that one entry of the scene requests. Members whose keys are missing in `map` have no effect.
struct change {
    const struct scree_node *map;
    bool remove;
    double velocity[3], spin[3], force[3], moment[3];
    unsigned fixed;
    struct scree_damping damping;
    size_t row;   // of the tally, which counts deleted bodies
    size_t stage; // its number
};

static bool read_vector(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        double vector[3])
{
    return !scree_reading_has(map, key) || scree_reading_vector(reading, map, key, vector);
}

// --- walls

static scree_status change_wall(struct scree_reading *reading, struct scree_world *world, scree_wall_id id,
                                const struct change *change)
{
    if (change->remove)
        return scree_wall_remove(world, id);
    return scree_build_change_wall_motion(reading, world, id, change->map, change->stage);
}

static scree_status change_walls(struct scree_reading *reading, struct scree_world *world,
                                 scree_group_id group, const struct change *change)
{
    scree_wall_id *ids;
    size_t count;
    SCREE_TRY(scree_group_walls(world, group, NULL, 0, &count));
    SCREE_TRY(scree_memory_new(count, sizeof *ids, (void **)&ids));
    scree_status status = scree_group_walls(world, group, ids, count, &count);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        status = change_wall(reading, world, ids[k], change);
    scree_memory_free(ids);
    return status;
}

static scree_status change_wall_group(struct scree_reading *reading, struct scree_world *world,
                                      const struct scree_node *map, size_t stage)
{
    struct change change = {.map = map, .stage = stage};
    scree_group_id group;
    bool end_servo, good;
    SCREE_TRY(scree_build_group(reading, world, map, SCREE_KEY_wall_change_group, &group));
    good = scree_reading_flag(reading, map, SCREE_KEY_wall_change_remove, &change.remove);
    good = scree_reading_flag(reading, map, SCREE_KEY_wall_change_end_servo, &end_servo) && good;
    if (!good || group.value == 0)
        return reading->values.status;
    if (end_servo)
        SCREE_TRY(scree_reading_report_status(reading,
                                              scree_reading_node(map, SCREE_KEY_wall_change_end_servo),
                                              scree_servo_remove(world, group)));
    SCREE_TRY(scree_reading_report_status(reading, map, change_walls(reading, world, group, &change)));
    const struct scree_node *servo = scree_reading_node(map, SCREE_KEY_wall_change_servo);
    if (!servo)
        return SCREE_OK;
    SCREE_TRY(scree_build_servo(reading, world, servo, group));
    return scree_build_servo_areas(reading, world, stage);
}

// --- bodies

// Sets the velocity and the spin that the scene gives; in a cell that deforms they are in addition to the
// mean motion.
static scree_status set_motion(struct scree_world *world, scree_body_id id, const struct change *change)
{
    struct scree_vec3 velocity = scree_vec3_load(change->velocity), spin = scree_vec3_load(change->spin);
    double total[3];
    if (scree_world_lattice(world)) {
        struct scree_body_state body;
        SCREE_TRY(scree_body_get(world, id, &body));
        velocity = scree_vec3_add(velocity, scree_cell_mean_velocity(world, body.position));
        spin = scree_vec3_add(spin,
                              scree_lattice_spin(scree_lattice_load(scree_world_lattice(world)->gradient)));
    }
    scree_vec3_store(velocity, total);
    if (scree_reading_has(change->map, SCREE_KEY_body_change_velocity))
        SCREE_TRY(scree_body_set_velocity(world, id, total));
    scree_vec3_store(spin, total);
    return scree_reading_has(change->map, SCREE_KEY_body_change_spin) ? scree_body_set_spin(world, id, total)
                                                                      : SCREE_OK;
}

// Fixes degrees of freedom before setting velocities: a fixed one keeps the velocity set here.
static scree_status change_body(struct scree_world *world, scree_body_id id, const struct change *change)
{
    if (change->remove)
        return scree_insert_delete_remove(world, change->row, id);
    if (scree_reading_has(change->map, SCREE_KEY_body_change_fixed))
        SCREE_TRY(scree_body_fix(world, id, change->fixed));
    if (scree_reading_has(change->map, SCREE_KEY_body_change_velocity) ||
        scree_reading_has(change->map, SCREE_KEY_body_change_spin))
        SCREE_TRY(set_motion(world, id, change));
    return scree_reading_has(change->map, SCREE_KEY_body_change_damping)
               ? scree_body_set_damping(world, id, change->damping.local, change->damping.viscous)
               : SCREE_OK;
}

static scree_status change_bodies(struct scree_world *world, scree_group_id group,
                                  const struct change *change)
{
    scree_body_id *ids;
    size_t count;
    SCREE_TRY(scree_group_bodies(world, group, NULL, 0, &count));
    SCREE_TRY(scree_memory_new(count, sizeof *ids, (void **)&ids));
    scree_status status = scree_group_bodies(world, group, ids, count, &count);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        status = change_body(world, ids[k], change);
    if (status == SCREE_OK && scree_reading_has(change->map, SCREE_KEY_body_change_load))
        status = scree_load_set(world, ids, count, change->force, change->moment);
    scree_memory_free(ids);
    return status;
}

static scree_status change_body_group(struct scree_reading *reading, struct scree_world *world,
                                      const struct scree_node *map, size_t row)
{
    struct change change = {.map = map, .row = row};
    const struct scree_node *damping = scree_reading_node(map, SCREE_KEY_body_change_damping),
                            *load = scree_reading_node(map, SCREE_KEY_body_change_load);
    scree_group_id group;
    SCREE_TRY(scree_build_group(reading, world, map, SCREE_KEY_body_change_group, &group));
    bool good = read_vector(reading, map, SCREE_KEY_body_change_velocity, change.velocity);
    good = read_vector(reading, map, SCREE_KEY_body_change_spin, change.spin) && good;
    good = scree_reading_flag(reading, map, SCREE_KEY_body_change_remove, &change.remove) && good;
    change.fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_body_change_fixed);
    if (damping)
        scree_build_engine_damping(reading, damping, &change.damping);
    if (load)
        good = scree_build_bodies_load(reading, load, change.force, change.moment) && good;
    if (!good || group.value == 0)
        return reading->values.status;
    return scree_reading_report_status(reading, map, change_bodies(world, group, &change));
}

// --- stages

static scree_status change_gravity(const struct scree_change *change, const struct scree_node *stage)
{
    double gravity[3];
    if (!scree_reading_vector(change->reading, stage, SCREE_KEY_stage_gravity, gravity))
        return SCREE_OK;
    return scree_reading_report_status(change->reading, scree_reading_node(stage, SCREE_KEY_stage_gravity),
                                       scree_world_set_gravity(change->world, gravity));
}

static scree_status change_damping(const struct scree_change *change, const struct scree_node *node)
{
    struct scree_damping damping = {0};
    scree_build_engine_damping(change->reading, node, &damping);
    return scree_reading_report_status(change->reading, node,
                                       scree_engine_set_damping(change->engine, &damping));
}

// The changes are not applied again after a restart: the checkpoint stores the world, and the engine is built
// with the settings of that stage.
scree_status scree_change(const struct scree_change *change, const struct scree_node *map)
{
    struct scree_reading *reading = change->reading;
    struct scree_world *world = change->world;
    const struct scree_node *damping = scree_reading_node(map, SCREE_KEY_stage_damping),
                            *walls = scree_reading_node(map, SCREE_KEY_stage_walls),
                            *bodies = scree_reading_node(map, SCREE_KEY_stage_bodies),
                            *contacts = scree_reading_node(map, SCREE_KEY_stage_contacts),
                            *materials = scree_reading_node(map, SCREE_KEY_stage_materials),
                            *engine = scree_reading_node(map, SCREE_KEY_stage_engine);
    SCREE_TRY(change_gravity(change, map));
    SCREE_TRY(damping ? change_damping(change, damping) : SCREE_OK);
    for (size_t k = 0; walls && k < walls->count; ++k)
        SCREE_TRY(change_wall_group(reading, world, walls->item[k], change->stage));
    for (size_t k = 0; bodies && k < bodies->count; ++k)
        SCREE_TRY(change_body_group(reading, world, bodies->item[k], change->row));
    SCREE_TRY(contacts ? scree_interaction_clear(world) : SCREE_OK);
    SCREE_TRY(scree_build_contacts(reading, world, contacts));
    SCREE_TRY(materials ? scree_build_change_materials(reading, world, materials) : SCREE_OK);
    return engine ? scree_build_change_engine(reading, change->engine, engine) : SCREE_OK;
}
