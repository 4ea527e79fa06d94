// Finds changes of groups that a stage removes, see removal.h.

#include "language/removal.h"

#include <string.h>

// Keys of the entries in one of the lists of a stage.
struct entries {
    enum scree_key_id list, group, remove;
    const char *what;
    bool again; // the group can get new members
};

static const struct entries kinds[] = {
    {SCREE_KEY_stage_walls, SCREE_KEY_steer_group, SCREE_KEY_steer_remove, "walls", false},
    {SCREE_KEY_stage_bodies, SCREE_KEY_alter_group, SCREE_KEY_alter_remove, "bodies", true},
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

static size_t find(const struct removed *removed, const char *name)
{
    size_t k = 0;
    while (k < removed->count && strcmp(removed->group[k].name, name) != 0)
        ++k;
    return k;
}

static void report(struct scree_reading *reading, const struct entries *entries, const struct scree_node *map,
                   const char *name, size_t stage, size_t removed_in)
{
    const struct scree_place *place = &scree_reading_node(map, entries->group)->place;
    if (removed_in == stage)
        scree_diagnostic_add(&reading->diagnostics, place,
                             "the %s of '%.60s' are removed in this stage and cannot be changed",
                             entries->what, name);
    else
        scree_diagnostic_add(&reading->diagnostics, place, "the %s of '%.60s' were removed in stage %zu",
                             entries->what, name, removed_in);
}

// Checks the entries of a stage that remove groups, or the other entries.
static void check_entries(struct scree_reading *reading, const struct entries *entries,
                          const struct scree_node *list, size_t stage, bool removing, struct removed *removed)
{
    for (size_t k = 0; k < list->count; ++k) {
        const char *name;
        bool remove = false;
        if (!scree_reading_text(reading, list->item[k], entries->group, &name) ||
            !scree_reading_flag(reading, list->item[k], entries->remove, &remove) || remove != removing)
            continue;
        const size_t known = find(removed, name);
        if (known < removed->count) {
            report(reading, entries, list->item[k], name, stage, removed->group[known].stage);
        } else if (remove && removed->count < GROUPS) {
            removed->group[removed->count].name = name;
            removed->group[removed->count++].stage = stage;
        }
    }
}

void scree_removal_check(struct scree_reading *reading)
{
    const size_t stages = scree_reading_stages(reading);
    for (size_t e = 0; e < sizeof kinds / sizeof kinds[0]; ++e) {
        struct removed removed = {0};
        for (size_t s = 0; s < stages; ++s) {
            const struct scree_node *stage = scree_reading_stage(reading, s + 1);
            const struct scree_node *list = scree_reading_node(stage, kinds[e].list);
            if (kinds[e].again)
                removed.count = 0;
            if (!list)
                continue;
            check_entries(reading, &kinds[e], list, s + 1, true, &removed);
            check_entries(reading, &kinds[e], list, s + 1, false, &removed);
        }
    }
}
