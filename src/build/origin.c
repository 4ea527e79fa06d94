// Lines of bodies and walls, see origin.h.

#include "build/origin.h"

#include "world/world.h"

#include <stdio.h>
#include <string.h>

const struct scree_reading_origin *scree_origin_of_body(const struct scree_reading *reading, uint64_t id)
{
    for (size_t k = 0; k < reading->origins.count; ++k)
        if (id >= reading->origins.data[k].first && id <= reading->origins.data[k].last)
            return &reading->origins.data[k];
    return NULL;
}

const struct scree_node *scree_origin_of_wall(const struct scree_reading *reading, uint64_t id)
{
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    return walls && id > 0 && id <= walls->count ? walls->item[id - 1] : reading->root;
}

const struct scree_node *scree_origin_of_wall_at(const struct scree_reading *reading,
                                                 const struct scree_world *world, size_t slot)
{
    const struct scree_entity *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    return scree_origin_of_wall(reading, scree_entity_ids(walls)[slot]);
}

// The only insertion of the scene; null if there is none, or several.
static const struct scree_node *only_insertion(const struct scree_reading *reading)
{
    const struct scree_node *list = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    return list && list->count == 1 ? list->item[0] : NULL;
}

void scree_origin_write(void *user, scree_body_id body, scree_wall_id wall, char *text, size_t size)
{
    const struct scree_reading *reading = (const struct scree_reading *)user;
    const struct scree_reading_origin *origin = scree_origin_of_body(reading, body.value);
    const struct scree_node *node = body.value == 0              ? scree_origin_of_wall(reading, wall.value)
                                    : origin                     ? origin->node
                                    : reading->origins.count > 0 ? only_insertion(reading)
                                                                 : NULL;
    char place[SCREE_DIAGNOSTIC_PLACE];
    const uint32_t line = origin && origin->line ? origin->line[body.value - origin->first] : 0;
    text[0] = 0;
    if (line > 0)
        snprintf(text, size, "%.60s:%lu", origin->file, (unsigned long)line);
    else if (node && node != reading->root)
        snprintf(text, size, "%s", scree_diagnostic_place(&reading->diagnostics, &node->place, place));
}
