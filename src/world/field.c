// Public functions of fields, see include/scree/field.h.

#include "world/edit.h"
#include "world/grain.h"

#include <scree/field.h>

#include <math.h>
#include <string.h>

static const size_t sizes[] = {[SCREE_F64] = 8, [SCREE_F32] = 4, [SCREE_I64] = 8, [SCREE_U64] = 8,
                               [SCREE_U32] = 4, [SCREE_U16] = 2, [SCREE_CHAR] = 1};

size_t scree_field_size(scree_type type)
{
    return (size_t)type < sizeof sizes / sizeof sizes[0] ? sizes[type] : 0;
}

size_t scree_field_count(const struct scree_world *world)
{
    size_t count = 0;
    for (size_t e = 0; e < world->registry.entities.count; ++e)
        count += world->registry.entities.data[e].fields.count;
    return count;
}

scree_status scree_field_describe(const struct scree_world *world, size_t index,
                                  struct scree_field_info *info)
{
    size_t number = index;
    for (size_t e = 0; e < world->registry.entities.count; ++e) {
        const struct scree_entity *entity = &world->registry.entities.data[e];
        if (number < entity->fields.count) {
            const struct scree_field *field = &entity->fields.data[number];
            *info = (struct scree_field_info){entity->name, field->name,  field->type,
                                              field->width, field->unit,  field->transform,
                                              field->level, field->flags, field->about};
            return SCREE_OK;
        }
        number -= entity->fields.count;
    }
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "field index %zu is out of range: there are %zu fields",
                             index, scree_field_count(world));
}

scree_status scree_field_add_entity(struct scree_world *world, const char *name)
{
    return scree_registry_add_entity(&world->registry, name);
}

static scree_status find_entity(const struct scree_world *world, const char *name,
                                struct scree_entity **entity)
{
    *entity = name ? scree_registry_entity(&world->registry, name) : NULL;
    if (*entity)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_MISSING, "there is no entity '%s'", name ? name : "(null)");
}

scree_status scree_field_add(struct scree_world *world, const struct scree_field_def *def)
{
    struct scree_entity *entity;
    uint32_t number;
    SCREE_TRY(find_entity(world, def->entity, &entity));
    if (entity->keyed)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "no field can be added to '%s': its rows are copies, replaced at each "
                                 "publication of contacts",
                                 def->entity);
    SCREE_TRY(scree_registry_extend(entity, def, &number));
    if (entity != scree_world_entity(world, SCREE_ENTITY_MATERIAL) || def->type != SCREE_F64)
        return SCREE_OK;
    // material properties are NaN until they are set
    double *values = (double *)(void *)entity->columns.data[number].base;
    for (size_t v = 0; v < entity->count * def->width; ++v)
        values[v] = (double)NAN;
    return SCREE_OK;
}

// Rows of built-in entities are added and removed by functions of their own only.
static scree_status find_own_entity(const struct scree_world *world, const char *name,
                                    struct scree_entity **entity)
{
    SCREE_TRY(find_entity(world, name, entity));
    if (*entity - world->registry.entities.data < SCREE_ENTITY_BUILT_IN || (*entity)->keyed)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "rows of the built-in entity '%s' are added and removed by its own functions only", name);
    return SCREE_OK;
}

scree_status scree_field_add_row(struct scree_world *world, const char *entity, uint64_t *id)
{
    struct scree_entity *found;
    scree_slot slot;
    SCREE_TRY(find_own_entity(world, entity, &found));
    return scree_entity_insert(found, &slot, id);
}

scree_status scree_field_remove_row(struct scree_world *world, const char *entity, uint64_t id)
{
    struct scree_entity *found;
    scree_slot slot;
    SCREE_TRY(find_own_entity(world, entity, &found));
    SCREE_TRY(scree_entity_find(found, id, &slot));
    scree_entity_remove(found, slot);
    return SCREE_OK;
}

scree_status scree_field_view(const struct scree_world *world, const char *name, struct scree_view *view)
{
    struct scree_entity *entity;
    struct scree_field *field;
    SCREE_TRY(scree_registry_find(&world->registry, name, &entity, &field));
    const struct scree_column *column = &entity->columns.data[field->column];
    // records of carried grains are computed from the bodies on request
    if (column->borrowed)
        scree_grain_update_records((struct scree_world *)(uintptr_t)world, 0, NULL);
    if (!column->present && !column->borrowed && entity->count > 0)
        return scree_status_fail(SCREE_ERROR_MISSING, "no row of this world has the field '%s' yet", name);
    *view = (struct scree_view){.base = entity->count > 0 ? column->base + field->offset : NULL,
                                .count = entity->count,
                                .width = field->width,
                                .stride = column->stride,
                                .type = field->type,
                                .level = world->level[field->level],
                                .version = entity->version};
    return SCREE_OK;
}

// Only floating-point data may be edited; ids, kinds, flags, names and counters must stay consistent. A field
// added at run time may have any type.
static scree_status check_editable(const struct scree_entity *entity, const struct scree_field *field,
                                   const char *name)
{
    const bool number = field->type == SCREE_F64 || field->type == SCREE_F32;
    // a field added at run time has a column to itself
    const bool added =
        entity->columns.data[field->column].stride == field->width * scree_field_size(field->type);
    if (!(field->flags & (SCREE_DERIVED | SCREE_OWNED)) && field->column != 0 && (number || added))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' is read-only: it is %s", name,
                             field->column == 0             ? "the id"
                             : field->flags & SCREE_DERIVED ? "computed from other fields"
                             : field->flags & SCREE_OWNED   ? "owned by the engine"
                                                            : "part of the structure of the world");
}

scree_status scree_field_edit(struct scree_world *world, const char *name, struct scree_view *view,
                              void **data)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_entity *entity;
    struct scree_field *field;
    SCREE_TRY(scree_registry_find(&world->registry, name, &entity, &field));
    SCREE_TRY(check_editable(entity, field, name));
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "whole fields cannot be edited inside a step; set bodies one by one");
    SCREE_TRY(scree_field_view(world, name, view));
    scree_edit_field(world, entity, field);
    ++entity->version;
    view->version = entity->version;
    *data = (void *)(uintptr_t)view->base;
    return SCREE_OK;
}

scree_status scree_field_commit(struct scree_world *world)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (world->edited == SCREE_EDITED_NOTHING)
        return SCREE_OK;
    scree_edit_finish_fields(world);
    return scree_world_validate(world);
}
