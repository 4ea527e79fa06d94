// Adds bodies and walls of a scene to groups, see build.h. A group is created with its first member.

#include "build/build.h"
#include "world/world.h"

#include <scree/group.h>

// Finds or creates group `index` of an entry; the id is 0 after a diagnostic.
static scree_status find_or_create(struct scree_reading *reading, struct scree_world *world,
                                   const struct scree_node *map, enum scree_key_id key, size_t index,
                                   scree_group_id *id)
{
    const char *name;
    size_t word;
    id->value = 0;
    if (!scree_reading_name(reading, map, key, index, &name, &word))
        return reading->values.status;
    if (scree_group_find(world, name, id) == SCREE_OK)
        return SCREE_OK;
    return scree_reading_report_status(reading, scree_reading_node(map, key),
                                       scree_group_add(world, name, id));
}

scree_status scree_build_group_bodies(struct scree_reading *reading, struct scree_world *world,
                                      const struct scree_node *map, enum scree_key_id key, uint64_t after)
{
    const uint64_t last = scree_world_entity(world, SCREE_ENTITY_BODY)->pool.last;
    for (size_t k = 0; k < scree_reading_count(map, key); ++k) {
        scree_group_id group;
        SCREE_TRY(find_or_create(reading, world, map, key, k, &group));
        for (uint64_t body = after + 1; body <= last && group.value != 0; ++body)
            if (scree_body_exists(world, (scree_body_id){body}))
                SCREE_TRY(scree_group_put_body(world, group, (scree_body_id){body}, true));
    }
    return SCREE_OK;
}

scree_status scree_build_group_wall(struct scree_reading *reading, struct scree_world *world,
                                    const struct scree_node *map, enum scree_key_id key, scree_wall_id wall)
{
    for (size_t k = 0; k < scree_reading_count(map, key) && wall.value != 0; ++k) {
        scree_group_id group;
        SCREE_TRY(find_or_create(reading, world, map, key, k, &group));
        if (group.value != 0)
            SCREE_TRY(scree_group_put_wall(world, group, wall, true));
    }
    return SCREE_OK;
}

scree_status scree_build_group(struct scree_reading *reading, const struct scree_world *world,
                               const struct scree_node *map, enum scree_key_id key, scree_group_id *id)
{
    const char *name;
    id->value = 0;
    if (!scree_reading_text(reading, map, key, &name))
        return reading->values.status;
    return scree_reading_report_status(reading, scree_reading_node(map, key),
                                       scree_group_find(world, name, id));
}
