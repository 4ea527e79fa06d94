// Materials, see include/scree/material.h. A property is any field of the entity "material" that is a single
// double.

#include "world/edit.h"

#include <scree/material.h>

#include <math.h>
#include <string.h>

static struct scree_entity *materials_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_MATERIAL);
}

static struct scree_material *records(const struct scree_world *world)
{
    return (struct scree_material *)scree_world_column(world, SCREE_ENTITY_MATERIAL, SCREE_MATERIAL_MATERIAL);
}

// Valid ranges (low, high] of the built-in properties.
static const struct {
    const char *name;
    double low, high;
    bool or_infinite;
    const char *range;
} ranges[] = {
    {"density", 0, 1e150, false, "positive and at most 1e150, in kg/m^3"},
    {"young", 0, 1e150, true, "positive and at most 1e150, in Pa, or infinite for a rigid material"},
    {"poisson", -1, 0.5, false, "above -1 and at most 0.5"},
};

static scree_status check_range(const char *material, const char *name, double value)
{
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; ++r) {
        if (strcmp(ranges[r].name, name) != 0)
            continue;
        if ((value > ranges[r].low && value <= ranges[r].high) ||
            (ranges[r].or_infinite && value == (double)INFINITY))
            return SCREE_OK;
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' of material '%s' must be %s; got %g", name,
                                 material, ranges[r].range, value);
    }
    if (!isfinite(value))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' of material '%s' must be finite; got %g", name,
                                 material, value);
    return SCREE_OK;
}

scree_status scree_material_add(struct scree_world *world, const struct scree_material_def *def,
                                scree_material_id *id)
{
    struct scree_entity *entity = materials_of(world);
    if (!def->name || !def->name[0] || strlen(def->name) >= sizeof records(world)->name)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the name of a material must have 1 to %zu characters",
                                 sizeof records(world)->name - 1);
    for (size_t m = 0; m < entity->count; ++m)
        if (strcmp(records(world)[m].name, def->name) == 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is a material '%s' already", def->name);
    SCREE_TRY(check_range(def->name, "density", def->density));
    if (entity->count >= UINT16_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a world can have at most %d materials", UINT16_MAX);
    scree_slot slot;
    SCREE_TRY(scree_entity_insert(entity, &slot, &id->value));
    for (size_t f = 0; f < entity->fields.count; ++f) {
        const struct scree_field *field = &entity->fields.data[f];
        const double unknown = (double)NAN;
        for (unsigned c = 0; c < field->width && field->type == SCREE_F64; ++c)
            ((double *)(uintptr_t)scree_registry_at(entity, field, slot.index))[c] = unknown;
    }
    strcpy(records(world)[slot.index].name, def->name);
    records(world)[slot.index].density = def->density;
    return SCREE_OK;
}

const char *scree_material_name(const struct scree_world *world, scree_material_id id)
{
    // materials are never removed, so id - 1 is the row
    return id.value > 0 && id.value <= materials_of(world)->count ? records(world)[id.value - 1].name : NULL;
}

scree_status scree_material_find(const struct scree_world *world, const char *name, scree_material_id *id)
{
    const struct scree_entity *entity = materials_of(world);
    for (size_t m = 0; m < entity->count; ++m)
        if (name && strcmp(records(world)[m].name, name) == 0) {
            id->value = scree_entity_ids(entity)[m];
            return SCREE_OK;
        }
    return scree_status_fail(SCREE_ERROR_MISSING, "there is no material '%s'", name ? name : "(null)");
}

static scree_status find_property(const struct scree_world *world, scree_material_id id, const char *name,
                                  scree_slot *slot, double **property)
{
    const struct scree_entity *entity = materials_of(world);
    SCREE_TRY(scree_entity_find(entity, id.value, slot));
    const struct scree_field *field = name ? scree_registry_field(entity, name) : NULL;
    if (!field || field->type != SCREE_F64 || field->width != 1)
        return scree_status_fail(SCREE_ERROR_MISSING, "a material has no property '%s'",
                                 name ? name : "(null)");
    *property = (double *)(uintptr_t)scree_registry_at(entity, field, slot->index);
    return SCREE_OK;
}

scree_status scree_material_set(struct scree_world *world, scree_material_id id, const char *name,
                                double value)
{
    scree_slot slot;
    double *property = NULL;
    SCREE_TRY(find_property(world, id, name, &slot, &property));
    SCREE_TRY(check_range(records(world)[slot.index].name, name, value));
    scree_edit_all(world, SCREE_EDIT_MATERIAL);
    *property = value;
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_material_get(const struct scree_world *world, scree_material_id id, const char *name,
                                double *value)
{
    scree_slot slot;
    double *property = NULL;
    SCREE_TRY(find_property(world, id, name, &slot, &property));
    if (isnan(*property))
        return scree_status_fail(SCREE_ERROR_MISSING, "material '%s' has no '%s' yet: set it first",
                                 records(world)[slot.index].name, name);
    *value = *property;
    return SCREE_OK;
}
