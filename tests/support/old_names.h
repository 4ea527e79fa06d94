// Names that fields and entities had in the previous version. Digests hash names, so as long as the physics
// is unchanged, a digest under the old names equals the old digest. Remove this file with the next change of
// digests.

#ifndef SCREE_TESTS_OLD_NAMES_H
#define SCREE_TESTS_OLD_NAMES_H

#include "world/world.h"

#include <string.h>

static const struct {
    // without `name`: the entity itself, after the rows of its fields
    const char *entity, *name, *old;
} old_names[] = {
    {"body", "pending_force", "push_force"},
    {"body", "pending_moment", "push_moment"},
    {"body", "force_before_loads", "pushed_force"},
    {"body", "moment_before_loads", "pushed_moment"},
    {"body", "lost_to_internal", "lost_to_inner"},
    {"body", "flux_place", "gate_place"},
    {"body", "flux_seen", "gate_seen"},
    {"engine", "energy_input", "fed"},
    {"engine", "removed_work", "gone_work"},
    {"engine", "removed_loss", "gone_loss"},
    {"engine", "removed_friction", "gone_friction"},
    {"engine", "removed_dashpot", "gone_dashpot"},
    {"engine", "removed_internal", "gone_inner"},
    {"flux_surface", NULL, "gate"},
};

// Gives all fields and entities of a world their old names. Afterwards the world is used for a digest only.
static inline void old_names_restore(struct scree_world *world)
{
    for (size_t n = 0; n < sizeof old_names / sizeof old_names[0]; ++n)
        for (size_t e = 0; e < world->registry.entities.count; ++e) {
            struct scree_entity *entity = &world->registry.entities.data[e];
            if (strcmp(entity->name, old_names[n].entity) != 0)
                continue;
            if (!old_names[n].name)
                strcpy(entity->name, old_names[n].old);
            for (size_t f = 0; old_names[n].name && f < entity->fields.count; ++f)
                if (strcmp(entity->fields.data[f].name, old_names[n].name) == 0)
                    strcpy(entity->fields.data[f].name, old_names[n].old);
        }
}

#endif
