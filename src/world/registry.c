// The registry, see registry.h: built from fields.def, extended at run time by the same functions.

#include "world/registry.h"

#include "world/contact_key.h"
#include "world/entity.h"
#include "world/records.h"

#include <scree/body.h>
#include <scree/wall.h>

#include <string.h>

enum { NEED_ALWAYS, NEED_DEMAND, NEED_BORROWED };

static const struct column_row {
    int entity;
    const char *name;
    size_t stride;
    int presence;
} column_table[] = {
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)                                                 \
    {SCREE_ENTITY_##entity, name, sizeof(record), NEED_##presence},
#define SCREE_FIELD(entity, column, record, member, ...)
#include "world/fields.def"
#undef SCREE_ENTITY
#undef SCREE_COLUMN
#undef SCREE_FIELD
};

static const struct field_row {
    int entity;
    uint32_t column;
    size_t offset;
    struct scree_field_def def;
} field_table[] = {
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, name, type, width, unit, transform, level, flags, about) \
    {SCREE_ENTITY_##entity,                                                                                  \
     SCREE_##entity##_##column,                                                                              \
     offsetof(record, member),                                                                               \
     {NULL, name, type, width, unit, transform, level, flags, about}},
#include "world/fields.def"
#undef SCREE_ENTITY
#undef SCREE_COLUMN
#undef SCREE_FIELD
};

static const char *const entity_table[] = {
#define SCREE_ENTITY(symbol, name, about) name,
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, ...)
#include "world/fields.def"
#undef SCREE_ENTITY
#undef SCREE_COLUMN
#undef SCREE_FIELD
};

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static scree_status fill(struct scree_registry *registry)
{
    for (size_t e = 0; e < ROWS(entity_table); ++e)
        SCREE_TRY(e == SCREE_ENTITY_CONTACT
                      ? scree_registry_add_keyed(registry, entity_table[e], sizeof(struct scree_contact_key),
                                                 scree_contact_key_fields)
                      : scree_registry_add_entity(registry, entity_table[e]));
    for (size_t c = 0; c < ROWS(column_table); ++c) {
        struct scree_entity *entity = &registry->entities.data[column_table[c].entity];
        SCREE_TRY(scree_registry_add_column(entity, column_table[c].name, column_table[c].stride));
        if (column_table[c].presence == NEED_ALWAYS)
            SCREE_TRY(scree_entity_require(entity, (uint32_t)entity->columns.count - 1));
        entity->columns.data[entity->columns.count - 1].borrowed = column_table[c].presence == NEED_BORROWED;
    }
    for (size_t f = 0; f < ROWS(field_table); ++f) {
        const struct field_row *row = &field_table[f];
        SCREE_TRY(scree_registry_add_field(&registry->entities.data[row->entity], row->column, row->offset,
                                           &row->def));
    }
    return SCREE_OK;
}

scree_status scree_registry_create(struct scree_registry *registry)
{
    const scree_status status = fill(registry);
    if (status != SCREE_OK)
        scree_registry_free(registry);
    return status;
}

void scree_registry_free(struct scree_registry *registry)
{
    for (size_t e = 0; e < registry->entities.count; ++e)
        scree_entity_free(&registry->entities.data[e]);
    scree_array_free(&registry->entities);
}

struct scree_entity *scree_registry_entity(const struct scree_registry *registry, const char *name)
{
    for (size_t e = 0; e < registry->entities.count; ++e)
        if (strcmp(registry->entities.data[e].name, name) == 0)
            return &registry->entities.data[e];
    return NULL;
}

struct scree_field *scree_registry_field(const struct scree_entity *entity, const char *name)
{
    for (size_t f = 0; f < entity->fields.count; ++f)
        if (strcmp(entity->fields.data[f].name, name) == 0)
            return &entity->fields.data[f];
    return NULL;
}

scree_status scree_registry_find(const struct scree_registry *registry, const char *name,
                                 struct scree_entity **entity, struct scree_field **field)
{
    const char *dot = name ? strchr(name, '.') : NULL;
    if (!dot)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the name of a field is 'entity.field', for example 'body.position'; got '%s'",
            name ? name : "(null)");
    char prefix[SCREE_ENTITY_NAME] = {0};
    if ((size_t)(dot - name) < sizeof prefix)
        memcpy(prefix, name, (size_t)(dot - name));
    *entity = scree_registry_entity(registry, prefix);
    if (!*entity)
        return scree_status_fail(SCREE_ERROR_MISSING, "there is no entity '%.*s' (in '%s')",
                                 (int)(dot - name), name, name);
    *field = scree_registry_field(*entity, dot + 1);
    if (!*field)
        return scree_status_fail(SCREE_ERROR_MISSING, "the entity '%s' has no field '%s'", prefix, dot + 1);
    return SCREE_OK;
}

// Names are restricted to lower case because they appear in scene files, tables and NumPy.
static scree_status copy_name(char *to, size_t size, const char *name, const char *what)
{
    const size_t length = name ? strlen(name) : 0;
    if (length == 0 || length >= size)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the name of %s must have 1 to %zu characters; got '%.40s'", what, size - 1,
                                 name ? name : "(null)");
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != length || name[0] < 'a')
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the name of %s must consist of a-z, 0-9 and _ and begin with a letter; got '%s'", what, name);
    memcpy(to, name, length + 1);
    return SCREE_OK;
}

static scree_status begin_entity(const struct scree_registry *registry, struct scree_entity *entity,
                                 const char *name)
{
    SCREE_TRY(copy_name(entity->name, sizeof entity->name, name, "an entity"));
    if (scree_registry_entity(registry, name))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is an entity '%s' already", name);
    return SCREE_OK;
}

// Adds a complete entity to the registry, or frees it after a failure.
static scree_status end_entity(struct scree_registry *registry, struct scree_entity *entity,
                               scree_status status)
{
    if (status == SCREE_OK)
        status = scree_array_push(&registry->entities, *entity);
    if (status != SCREE_OK)
        scree_entity_free(entity);
    return status;
}

scree_status scree_registry_add_entity(struct scree_registry *registry, const char *name)
{
    static const struct scree_field_def id = {.name = "id",
                                              .type = SCREE_U64,
                                              .width = 1,
                                              .level = SCREE_TIMELESS,
                                              .flags = SCREE_PERSISTED | SCREE_GHOSTED,
                                              .about = "Persistent id."};
    struct scree_entity entity = {0};
    uint32_t column;
    SCREE_TRY(begin_entity(registry, &entity, name));
    return end_entity(registry, &entity, scree_registry_extend(&entity, &id, &column));
}

static scree_status add_key(struct scree_entity *entity, size_t size, const struct scree_registry_part *parts)
{
    entity->keyed = true;
    SCREE_TRY(scree_registry_add_column(entity, "key", size));
    SCREE_TRY(scree_entity_require(entity, 0));
    for (const struct scree_registry_part *part = parts; part->def.name; ++part)
        SCREE_TRY(scree_registry_add_field(entity, 0, part->offset, &part->def));
    return SCREE_OK;
}

scree_status scree_registry_add_keyed(struct scree_registry *registry, const char *name, size_t size,
                                      const struct scree_registry_part *parts)
{
    struct scree_entity entity = {0};
    SCREE_TRY(begin_entity(registry, &entity, name));
    return end_entity(registry, &entity, add_key(&entity, size, parts));
}

scree_status scree_registry_add_column(struct scree_entity *entity, const char *name, size_t stride)
{
    struct scree_column column = {.stride = stride};
    SCREE_TRY(copy_name(column.name, sizeof column.name, name, "a column"));
    return scree_array_push(&entity->columns, column);
}

static scree_status check_field(const struct scree_entity *entity, const struct scree_field_def *def,
                                struct scree_field *field)
{
    SCREE_TRY(copy_name(field->name, sizeof field->name, def->name, "a field"));
    if (scree_registry_field(entity, def->name))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the entity '%s' has a field '%s' already",
                                 entity->name, def->name);
    if (scree_field_size(def->type) == 0 || def->width == 0 || def->width > 4096)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the field '%s.%s' must have a known type and 1 to 4096 components; got type %d, width %u",
            entity->name, def->name, (int)def->type, def->width);
    if (def->transform > SCREE_QUATERNION || def->level >= SCREE_LEVELS ||
        (def->flags &
         ~(unsigned)(SCREE_PERSISTED | SCREE_GHOSTED | SCREE_DERIVED | SCREE_OWNED | SCREE_NEUTRAL)))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the field '%s.%s' must have a known transform, level and flags; got %d, %d and %#x",
            entity->name, def->name, (int)def->transform, (int)def->level, def->flags);
    if (!def->about || !def->about[0])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the field '%s.%s' needs a description (`about`)",
                                 entity->name, def->name);
    if (def->unit && strlen(def->unit) >= sizeof field->unit)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the unit of '%s.%s' has more than %zu characters",
                                 entity->name, def->name, sizeof field->unit - 1);
    if ((def->flags & SCREE_PERSISTED) && (def->flags & SCREE_DERIVED))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the field '%s.%s' cannot be both persisted and derived", entity->name,
                                 def->name);
    return SCREE_OK;
}

scree_status scree_registry_add_field(struct scree_entity *entity, uint32_t column, size_t offset,
                                      const struct scree_field_def *def)
{
    struct scree_field field = {.column = column,
                                .type = def->type,
                                .width = def->width,
                                .offset = offset,
                                .transform = def->transform,
                                .level = def->level,
                                .flags = def->flags};
    SCREE_TRY(check_field(entity, def, &field));
    if (def->unit)
        memcpy(field.unit, def->unit, strlen(def->unit) + 1);
    SCREE_TRY(scree_memory_new(strlen(def->about) + 1, 1, (void **)&field.about));
    memcpy(field.about, def->about, strlen(def->about) + 1);
    const scree_status status = scree_array_push(&entity->fields, field);
    if (status != SCREE_OK)
        scree_memory_free(field.about);
    return status;
}

scree_status scree_registry_extend(struct scree_entity *entity, const struct scree_field_def *def,
                                   uint32_t *column)
{
    struct scree_field checked = {0};
    SCREE_TRY(check_field(entity, def, &checked));
    const uint32_t number = (uint32_t)entity->columns.count;
    SCREE_TRY(scree_registry_add_column(entity, def->name, def->width * scree_field_size(def->type)));
    scree_status status = scree_entity_require(entity, number);
    if (status == SCREE_OK)
        status = scree_registry_add_field(entity, number, 0, def);
    if (status != SCREE_OK) {
        scree_memory_free(entity->columns.data[number].base);
        --entity->columns.count;
        return status;
    }
    if (column)
        *column = number;
    return SCREE_OK;
}
