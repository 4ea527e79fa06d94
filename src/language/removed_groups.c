// Stages that change removed groups, see removed_groups.h.

#include "language/removed_groups.h"

#include "language/reading.h"

#include <string.h>

// Keys of the entries in one of the lists of a stage.
struct removal_keys {
    enum scree_key_id list, group, remove;
    const char *members;
    bool can_grow; // the group can get new members
};

static const struct removal_keys removals[] = {
    {SCREE_KEY_stage_walls, SCREE_KEY_wall_change_group, SCREE_KEY_wall_change_remove, "walls", false},
    {SCREE_KEY_stage_bodies, SCREE_KEY_body_change_group, SCREE_KEY_body_change_remove, "bodies", true},
};

enum { GROUPS = 64 };

// Removed groups and the stages that removed them. Too many groups are refused elsewhere.
struct removed {
    size_t count;
    struct {
        const char *name;
        size_t stage;
    } group[GROUPS];
};

static size_t find_removed(const struct removed *removed, const char *name)
{
    size_t k = 0;
    while (k < removed->count && strcmp(removed->group[k].name, name) != 0)
        ++k;
    return k;
}

static void report_removed(struct scree_reading *reading, const struct removal_keys *keys,
                           const struct scree_node *map, const char *name, size_t stage, size_t removed_in)
{
    const struct scree_place *place = &scree_reading_node(map, keys->group)->place;
    if (removed_in == stage)
        scree_diagnostic_add(&reading->diagnostics, place,
                             "the %s of '%.60s' are removed in this stage and cannot be changed",
                             keys->members, name);
    else
        scree_diagnostic_add(&reading->diagnostics, place, "the %s of '%.60s' were removed in stage %zu",
                             keys->members, name, removed_in);
}

// Checks the entries of a stage that remove groups if `removing`, else the other entries.
static void check_entries(struct scree_reading *reading, const struct removal_keys *keys,
                          const struct scree_node *list, size_t stage, bool removing, struct removed *removed)
{
    for (size_t k = 0; k < list->count; ++k) {
        const char *name;
        bool remove = false;
        if (!scree_reading_text(reading, list->item[k], keys->group, &name) ||
            !scree_reading_flag(reading, list->item[k], keys->remove, &remove) || remove != removing)
            continue;
        const size_t found = find_removed(removed, name);
        if (found < removed->count) {
            report_removed(reading, keys, list->item[k], name, stage, removed->group[found].stage);
        } else if (remove && removed->count < GROUPS) {
            removed->group[removed->count].name = name;
            removed->group[removed->count++].stage = stage;
        }
    }
}

// Reports entries of stages that change a removed group. Groups of walls must not be removed in the same
// stage or before; groups of bodies not in the same stage, since they can get new members later.
void scree_removed_groups_check(struct scree_reading *reading)
{
    const size_t stages = scree_reading_stages(reading);
    for (size_t e = 0; e < sizeof removals / sizeof removals[0]; ++e) {
        struct removed removed = {0};
        for (size_t s = 0; s < stages; ++s) {
            const struct scree_node *stage = scree_reading_stage(reading, s + 1);
            const struct scree_node *list = scree_reading_node(stage, removals[e].list);
            if (removals[e].can_grow)
                removed.count = 0;
            if (!list)
                continue;
            check_entries(reading, &removals[e], list, s + 1, true, &removed);
            check_entries(reading, &removals[e], list, s + 1, false, &removed);
        }
    }
}
