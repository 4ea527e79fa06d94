// Builds the bodies of a scene, see build.h.

#include "build/build.h"
#include "world/world.h"

#include <scree/body.h>
#include <scree/load.h>

#include <string.h>

unsigned scree_build_bodies_fixed(struct scree_reading *reading, const struct scree_node *map,
                                  enum scree_key_id key)
{
    unsigned fixed = 0;
    for (size_t k = 0; k < scree_reading_count(map, key); ++k) {
        const char *text;
        size_t freedom;
        if (scree_reading_name(reading, map, key, k, &text, &freedom))
            fixed |= 1u << freedom;
    }
    return fixed;
}

static scree_status build_sphere(struct scree_reading *reading, struct scree_world *world,
                                 const struct scree_node *map)
{
    struct scree_sphere_def def = {.fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_sphere_fixed)};
    scree_body_id id;
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_sphere_material, &def.material));
    bool good = scree_reading_number(reading, map, SCREE_KEY_sphere_radius, &def.radius);
    good = scree_reading_vector(reading, map, SCREE_KEY_sphere_at, def.position) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_sphere_velocity, def.velocity) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_sphere_spin, def.spin) && good;
    if (!good || def.material.value == 0)
        return SCREE_OK;
    return scree_reading_report_status(reading, map, scree_body_add_sphere(world, &def, &id));
}

static scree_status build_disk(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map)
{
    struct scree_disk_def def = {.fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_disk_fixed)};
    scree_body_id id;
    double at[3], velocity[3];
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_disk_material, &def.material));
    bool good = scree_reading_number(reading, map, SCREE_KEY_disk_radius, &def.radius);
    good = scree_reading_number(reading, map, SCREE_KEY_disk_thickness, &def.thickness) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_disk_at, at) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_disk_velocity, velocity) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_disk_spin, &def.spin) && good;
    if (good && (at[2] != 0 || velocity[2] != 0 ||
                 (def.fixed & ~(unsigned)(SCREE_FIX_X | SCREE_FIX_Y | SCREE_FIX_SPIN_Z)))) {
        scree_reading_report(reading, map,
                             "a disk is in the plane z = 0: z of its position and velocity must be 0, and "
                             "only x, y and spin-z can be "
                             "fixed");
        return SCREE_OK;
    }
    if (!good || def.material.value == 0)
        return SCREE_OK;
    memcpy(def.position, at, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    return scree_reading_report_status(reading, map, scree_body_add_disk(world, &def, &id));
}

bool scree_build_bodies_load(struct scree_reading *reading, const struct scree_node *map, double force[3],
                             double moment[3])
{
    return scree_reading_vector(reading, map, SCREE_KEY_load_force, force) &&
           scree_reading_vector(reading, map, SCREE_KEY_load_moment, moment);
}

// Adds a load to every body with an id above `after`.
static scree_status add_loads(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map, uint64_t after)
{
    const uint64_t last = scree_world_entity(world, SCREE_ENTITY_BODY)->pool.last;
    struct scree_load_def def = {0};
    scree_load_id id;
    if (!map || !scree_build_bodies_load(reading, map, def.force, def.moment))
        return SCREE_OK;
    for (def.body.value = after + 1; def.body.value <= last; ++def.body.value)
        if (scree_body_exists(world, def.body))
            SCREE_TRY(scree_reading_report_status(reading, map, scree_load_add(world, &def, &id)));
    return SCREE_OK;
}

// Adds the bodies of an entry.
static scree_status build_entry(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map, struct scree_reading_origin *origin)
{
    if (scree_reading_has(map, SCREE_KEY_bodies_sphere))
        SCREE_TRY(build_sphere(reading, world, scree_reading_node(map, SCREE_KEY_bodies_sphere)));
    if (scree_reading_has(map, SCREE_KEY_bodies_disk))
        SCREE_TRY(build_disk(reading, world, scree_reading_node(map, SCREE_KEY_bodies_disk)));
    if (scree_reading_has(map, SCREE_KEY_bodies_rigid))
        SCREE_TRY(scree_build_rigid(reading, world, scree_reading_node(map, SCREE_KEY_bodies_rigid)));
    if (scree_reading_has(map, SCREE_KEY_bodies_clump))
        SCREE_TRY(scree_build_clump(reading, world, scree_reading_node(map, SCREE_KEY_bodies_clump)));
    if (scree_reading_has(map, SCREE_KEY_bodies_polyhedron))
        SCREE_TRY(
            scree_build_polyhedron(reading, world, scree_reading_node(map, SCREE_KEY_bodies_polyhedron)));
    if (scree_reading_has(map, SCREE_KEY_bodies_blocks))
        SCREE_TRY(scree_build_blocks(reading, world, scree_reading_node(map, SCREE_KEY_bodies_blocks)));
    if (scree_reading_has(map, SCREE_KEY_bodies_read))
        SCREE_TRY(scree_build_read(reading, world, scree_reading_node(map, SCREE_KEY_bodies_read), origin));
    if (scree_reading_has(map, SCREE_KEY_bodies_fill))
        SCREE_TRY(scree_build_fill(reading, world, scree_reading_node(map, SCREE_KEY_bodies_fill)));
    return SCREE_OK;
}

static scree_status add_entry(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map)
{
    const struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    const uint64_t before = bodies->pool.last;
    struct scree_reading_origin origin = {.first = before + 1, .node = map};
    scree_status status = build_entry(reading, world, map, &origin);
    origin.last = bodies->pool.last;
    if (status == SCREE_OK)
        status = scree_array_push(&reading->origins, origin);
    if (status != SCREE_OK) {
        scree_memory_free(origin.line);
        return status;
    }
    SCREE_TRY(add_loads(reading, world, scree_reading_node(map, SCREE_KEY_bodies_load), before));
    return scree_build_group_bodies(reading, world, map, SCREE_KEY_bodies_group, before);
}

scree_status scree_build_bodies(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *bodies = scree_reading_node(reading->root, SCREE_KEY_scene_bodies);
    for (size_t k = 0; bodies && k < bodies->count; ++k)
        SCREE_TRY(add_entry(reading, world, bodies->item[k]));
    return SCREE_OK;
}
