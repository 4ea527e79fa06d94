// The rows of a world in a checkpoint: generic code that loops over the registry of entities and fields.

#include "file/checkpoint_rows.h"

#include "base/memory.h"
#include "world/store.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 128, COLUMNS = 1024 };

// Keyed entities are contacts.
static void path_of(char path[PATH], const struct scree_entity *entity, const char *name)
{
    const char *folder = entity->keyed ? "/contacts" : "/world";
    snprintf(path, PATH, name ? "%s/%s/%s" : "%s/%s", folder, entity->name, name);
}

static struct scree_hdf_shape shape_of(const struct scree_entity *entity, const struct scree_field *field)
{
    return (struct scree_hdf_shape){field->type, entity->count, field->width > 1 ? field->width : 0};
}

static size_t size_of(const struct scree_field *field)
{
    return field->width * scree_field_size(field->type);
}

static bool is_stored(const struct scree_entity *entity, const struct scree_field *field)
{
    // column 0 are the ids, which are stored separately
    return (field->column > 0 || entity->keyed) && entity->columns.data[field->column].present;
}

// --- writing

// Packs the values of a field; returns whether any of them is nonzero.
static bool pack(const struct scree_entity *entity, const struct scree_field *field, char *packed)
{
    const size_t size = size_of(field);
    unsigned any = 0;
    for (size_t row = 0; row < entity->count; ++row)
        memcpy(packed + row * size, scree_registry_at(entity, field, row), size);
    for (size_t b = 0; b < entity->count * size && !any; ++b)
        any |= (unsigned char)packed[b];
    return any != 0;
}

static scree_status put_field(struct scree_hdf *hdf, const struct scree_entity *entity,
                              const struct scree_field *field)
{
    const struct scree_hdf_shape shape = shape_of(entity, field);
    char path[PATH], *packed;
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_memory_new(entity->count, size_of(field), (void **)&packed));
    path_of(path, entity, field->name);
    if (pack(entity, field, packed)) {
        status = scree_hdf_write(hdf, path, &shape, packed, 0);
        if (status == SCREE_OK)
            status = scree_hdf_set_text(hdf, path, "unit", field->unit);
    }
    scree_memory_free(packed);
    return status;
}

static scree_status put_definition(struct scree_hdf *hdf, const struct scree_entity *entity,
                                   const struct scree_field *field)
{
    char path[PATH];
    const uint32_t numbers[5] = {(uint32_t)field->type, field->width, (uint32_t)field->transform,
                                 (uint32_t)field->level, field->flags};
    snprintf(path, sizeof path, "/fields/%s.%s", entity->name, field->name);
    SCREE_TRY(scree_hdf_group(hdf, path));
    SCREE_TRY(scree_hdf_set(hdf, path, "type, width, transform, level, flags", SCREE_U32, 5, numbers));
    SCREE_TRY(scree_hdf_set_text(hdf, path, "unit", field->unit));
    return scree_hdf_set_text(hdf, path, "about", field->about);
}

static scree_status list_columns(const struct scree_entity *entity, char text[COLUMNS])
{
    size_t length = 0;
    text[0] = 0;
    for (size_t c = 1; c < entity->columns.count; ++c) {
        if (!entity->columns.data[c].present)
            continue;
        length += (size_t)snprintf(text + length, COLUMNS - length, "%s%s", length > 0 ? "," : "",
                                   entity->columns.data[c].name);
        if (length >= COLUMNS)
            return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' has too many columns for a checkpoint",
                                     entity->name);
    }
    return SCREE_OK;
}

scree_status scree_checkpoint_rows_put_keyed(struct scree_hdf *hdf, const struct scree_entity *entity)
{
    char path[PATH];
    const uint64_t rows = entity->count;
    path_of(path, entity, NULL);
    SCREE_TRY(scree_hdf_group(hdf, path));
    SCREE_TRY(scree_hdf_set(hdf, path, "rows", SCREE_U64, 1, &rows));
    for (size_t f = 0; f < entity->fields.count; ++f)
        SCREE_TRY(put_field(hdf, entity, &entity->fields.data[f]));
    return SCREE_OK;
}

static scree_status put_entity(struct scree_hdf *hdf, const struct scree_entity *entity,
                               const struct scree_registry *plain)
{
    char path[PATH], columns[COLUMNS];
    const struct scree_entity *known = scree_registry_entity(plain, entity->name);
    const struct scree_hdf_shape ids = {SCREE_U64, entity->count, 0};
    path_of(path, entity, NULL);
    SCREE_TRY(scree_hdf_group(hdf, path));
    SCREE_TRY(scree_hdf_set(hdf, path, "last", SCREE_U64, 1, &entity->pool.last));
    SCREE_TRY(list_columns(entity, columns));
    SCREE_TRY(scree_hdf_set_text(hdf, path, "columns", columns));
    path_of(path, entity, "id");
    SCREE_TRY(scree_hdf_write(hdf, path, &ids, scree_entity_ids(entity), 0));
    for (size_t f = 0; f < entity->fields.count; ++f) {
        const struct scree_field *field = &entity->fields.data[f];
        if (!is_stored(entity, field))
            continue;
        SCREE_TRY(put_field(hdf, entity, field));
        if (!known || field->column >= known->columns.count)
            SCREE_TRY(put_definition(hdf, entity, field));
    }
    return SCREE_OK;
}

scree_status scree_checkpoint_rows_put(struct scree_hdf *hdf, const struct scree_world *world)
{
    // the registry of a new world, to find which fields were added at run time
    struct scree_registry plain = {0};
    scree_status status = scree_registry_create(&plain);
    if (status == SCREE_OK)
        status = scree_hdf_group(hdf, "/world");
    if (status == SCREE_OK)
        status = scree_hdf_group(hdf, "/fields");
    for (size_t e = 0; e < world->registry.entities.count && status == SCREE_OK; ++e)
        // skip the published contact data: they are not part of the state
        if (!world->registry.entities.data[e].keyed)
            status = put_entity(hdf, &world->registry.entities.data[e], &plain);
    scree_registry_free(&plain);
    return status;
}

// --- reading

static scree_status get_definition(struct scree_hdf *hdf, struct scree_entity *entity, const char *name)
{
    char path[PATH], unit[16], about[1024];
    uint32_t numbers[5];
    snprintf(path, sizeof path, "/fields/%s.%.31s", entity->name, name);
    SCREE_TRY(scree_hdf_get(hdf, path, "type, width, transform, level, flags", SCREE_U32, 5, numbers));
    SCREE_TRY(scree_hdf_get_text(hdf, path, "unit", unit, sizeof unit));
    SCREE_TRY(scree_hdf_get_text(hdf, path, "about", about, sizeof about));
    if (numbers[0] > SCREE_CHAR || numbers[1] < 1 || numbers[2] > SCREE_QUATERNION ||
        numbers[3] >= SCREE_LEVELS)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the field '%s.%s' of the checkpoint is of a kind unknown to this version",
                                 entity->name, name);
    const struct scree_field_def def = {.entity = entity->name,
                                        .name = name,
                                        .type = (scree_type)numbers[0],
                                        .width = numbers[1],
                                        .unit = unit,
                                        .transform = (scree_transform)numbers[2],
                                        .level = (scree_level)numbers[3],
                                        .flags = numbers[4],
                                        .about = about};
    return scree_registry_extend(entity, &def, NULL);
}

static scree_status get_column(struct scree_hdf *hdf, struct scree_entity *entity, const char *name)
{
    for (size_t c = 1; c < entity->columns.count; ++c)
        if (strcmp(entity->columns.data[c].name, name) == 0)
            return scree_entity_require(entity, (uint32_t)c);
    return get_definition(hdf, entity, name);
}

static scree_status get_columns(struct scree_hdf *hdf, struct scree_entity *entity)
{
    char path[PATH], columns[COLUMNS];
    path_of(path, entity, NULL);
    SCREE_TRY(scree_hdf_get_text(hdf, path, "columns", columns, sizeof columns));
    for (char *name = columns, *next; name && *name; name = next) {
        next = strchr(name, ',');
        if (next)
            *next++ = 0;
        SCREE_TRY(get_column(hdf, entity, name));
    }
    return SCREE_OK;
}

static scree_status get_ids(struct scree_hdf *hdf, struct scree_entity *entity)
{
    char path[PATH];
    struct scree_hdf_shape shape;
    uint64_t last, *ids;
    path_of(path, entity, NULL);
    SCREE_TRY(scree_hdf_get(hdf, path, "last", SCREE_U64, 1, &last));
    path_of(path, entity, "id");
    SCREE_TRY(scree_hdf_find(hdf, path, &shape));
    SCREE_TRY(scree_memory_new(shape.rows, sizeof *ids, (void **)&ids));
    scree_status status = scree_hdf_read(hdf, path, &(struct scree_hdf_shape){SCREE_U64, shape.rows, 0}, ids);
    if (status == SCREE_OK)
        status = scree_store_restore_rows(entity, ids, shape.rows, last);
    scree_memory_free(ids);
    return status;
}

static scree_status get_field(struct scree_hdf *hdf, struct scree_entity *entity,
                              const struct scree_field *field)
{
    const struct scree_hdf_shape shape = shape_of(entity, field);
    const struct scree_column *column = &entity->columns.data[field->column];
    const size_t size = size_of(field);
    char path[PATH], *packed;
    path_of(path, entity, field->name);
    const bool stored = scree_hdf_has(hdf, path);
    SCREE_TRY(scree_memory_new(entity->count, size, (void **)&packed));
    const scree_status status = stored ? scree_hdf_read(hdf, path, &shape, packed) : SCREE_OK;
    for (size_t row = 0; row < entity->count && status == SCREE_OK; ++row)
        memcpy(column->base + row * column->stride + field->offset, packed + row * size, size);
    scree_memory_free(packed);
    return status;
}

static scree_status get_fields(struct scree_hdf *hdf, struct scree_entity *entity)
{
    for (size_t f = 0; f < entity->fields.count; ++f)
        if (is_stored(entity, &entity->fields.data[f]))
            SCREE_TRY(get_field(hdf, entity, &entity->fields.data[f]));
    return SCREE_OK;
}

scree_status scree_checkpoint_rows_get_keyed(struct scree_hdf *hdf, struct scree_entity *entity)
{
    char path[PATH];
    uint64_t rows;
    path_of(path, entity, NULL);
    SCREE_TRY(scree_hdf_get(hdf, path, "rows", SCREE_U64, 1, &rows));
    SCREE_TRY(scree_entity_reserve(entity, (size_t)rows));
    entity->count = (size_t)rows;
    return get_fields(hdf, entity);
}

static scree_status get_entity(struct scree_hdf *hdf, struct scree_world *world, const char *name)
{
    if (!scree_registry_entity(&world->registry, name))
        SCREE_TRY(scree_registry_add_entity(&world->registry, name));
    struct scree_entity *entity = scree_registry_entity(&world->registry, name);
    if (entity->keyed)
        return scree_status_fail(SCREE_ERROR_NUMBER, "corrupt checkpoint: '%s' has ids instead of keys",
                                 name);
    SCREE_TRY(get_columns(hdf, entity));
    SCREE_TRY(get_ids(hdf, entity));
    return get_fields(hdf, entity);
}

scree_status scree_checkpoint_rows_get(struct scree_hdf *hdf, struct scree_world *world)
{
    size_t count;
    char name[SCREE_ENTITY_NAME];
    SCREE_TRY(scree_hdf_count(hdf, "/world", &count));
    for (size_t e = 0; e < count; ++e) {
        SCREE_TRY(scree_hdf_name(hdf, "/world", e, name, sizeof name));
        SCREE_TRY(get_entity(hdf, world, name));
    }
    return SCREE_OK;
}
