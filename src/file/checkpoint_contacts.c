// The contacts of a world in a checkpoint: for each law the rows of candidate pairs and their histories.

#include "file/checkpoint_rows.h"
#include "law/load.h"
#include "world/contact_lists.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 128 };

// bits of the attribute "resists"
enum { RESISTS = 1, OUTSIDE = 2, ROUGH = 4 };

// --- writing

static scree_status put(struct scree_hdf *hdf, const struct scree_contact_rows *rows)
{
    char path[PATH];
    const uint64_t loose = rows->unsorted;
    SCREE_TRY(scree_hdf_group(hdf, "/contacts"));
    SCREE_TRY(scree_hdf_set(hdf, "/contacts", "loose", SCREE_U64, 1, &loose));
    for (size_t e = 0; e < rows->layout.count; ++e) {
        const struct scree_contacts_layout *layout = &rows->layout.data[e];
        const struct scree_entity *entity = &rows->registry.entities.data[e];
        const uint64_t resists = (uint64_t)((layout->resists ? RESISTS : 0) |
                                            (layout->outside ? OUTSIDE : 0) | (layout->rough ? ROUGH : 0));
        snprintf(path, sizeof path, "/contacts/%s", entity->name);
        SCREE_TRY(scree_checkpoint_rows_put_keyed(hdf, entity));
        SCREE_TRY(scree_hdf_set_text(hdf, path, "law", layout->law ? layout->law->name : ""));
        SCREE_TRY(scree_hdf_set(hdf, path, "resists", SCREE_U64, 1, &resists));
    }
    return SCREE_OK;
}

scree_status scree_checkpoint_contacts_put(struct scree_hdf *hdf, const struct scree_world *world)
{
    struct scree_contact_rows rows;
    SCREE_TRY(scree_contact_rows_copy(world, true, &rows));
    const scree_status status = put(hdf, &rows);
    scree_contact_rows_free(&rows);
    return status;
}

// --- reading

// Adds the entity of a group; the one of grains exists already.
static scree_status get_layout(struct scree_hdf *hdf, const struct scree_world *world, const char *name,
                               struct scree_contact_rows *rows)
{
    char path[PATH], law[32];
    uint64_t resists;
    struct scree_contacts_layout layout = {0};
    if (scree_registry_entity(&rows->registry, name))
        return SCREE_OK;
    snprintf(path, sizeof path, "/contacts/%s", name);
    SCREE_TRY(scree_hdf_get_text(hdf, path, "law", law, sizeof law));
    SCREE_TRY(scree_hdf_get(hdf, path, "resists", SCREE_U64, 1, &resists));
    SCREE_TRY(scree_law_find_in(world, law, &layout.law));
    for (const struct scree_law_value *value = layout.law->values; value->name; ++value)
        layout.own += value->width;
    layout.resists = resists & RESISTS;
    layout.outside = resists & OUTSIDE;
    layout.rough = resists & ROUGH;
    return scree_contact_rows_add(rows, &layout);
}

static scree_status get(struct scree_hdf *hdf, const struct scree_world *world,
                        struct scree_contact_rows *rows)
{
    size_t count;
    uint64_t loose;
    char name[SCREE_ENTITY_NAME];
    SCREE_TRY(scree_hdf_get(hdf, "/contacts", "loose", SCREE_U64, 1, &loose));
    SCREE_TRY(scree_hdf_count(hdf, "/contacts", &count));
    rows->unsorted = loose != 0;
    for (size_t e = 0; e < count; ++e) {
        SCREE_TRY(scree_hdf_name(hdf, "/contacts", e, name, sizeof name));
        SCREE_TRY(get_layout(hdf, world, name, rows));
        struct scree_entity *entity = scree_registry_entity(&rows->registry, name);
        if (!entity)
            return scree_status_fail(
                SCREE_ERROR_NUMBER, "corrupt checkpoint: the name of a contact group does not match its law");
        SCREE_TRY(scree_checkpoint_rows_get_keyed(hdf, entity));
    }
    return SCREE_OK;
}

scree_status scree_checkpoint_contacts_get(struct scree_hdf *hdf, struct scree_world *world)
{
    struct scree_contact_rows rows;
    SCREE_TRY(scree_contact_rows_begin(&rows));
    scree_status status = get(hdf, world, &rows);
    if (status == SCREE_OK)
        status = scree_contact_lists_make(world, &rows);
    scree_contact_rows_free(&rows);
    return status;
}
