// The digest: a wrapping 128-bit sum of one XXH3 for each row of persisted state. A row's hash covers its
// entity's name, its id and its persisted fields, so that the sum needs no sort and knows no slots.

#include "world/world.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static size_t row_size(const struct scree_entity *entity)
{
    size_t size = 0;
    for (size_t f = 0; f < entity->fields.count; ++f)
        size += entity->fields.data[f].width * scree_field_size(entity->fields.data[f].type);
    return size;
}

// Fields that nothing has needed yet do not count: a world is the same before and after someone asks for
// them.
static size_t gather(const struct scree_entity *entity, size_t row, char *bytes)
{
    size_t size = 0;
    for (size_t f = 0; f < entity->fields.count; ++f) {
        const struct scree_field *field = &entity->fields.data[f];
        if (!(field->flags & SCREE_PERSISTED) || !entity->columns.data[field->column].present)
            continue;
        const size_t length = field->width * scree_field_size(field->type);
        memcpy(bytes + size, scree_registry_at(entity, field, row), length);
        size += length;
    }
    return size;
}

scree_status scree_world_digest(const struct scree_world *world, struct scree_digest *digest)
{
    *digest = (struct scree_digest){0};
    for (size_t e = 0; e < world->registry.entities.count; ++e) {
        const struct scree_entity *entity = &world->registry.entities.data[e];
        const XXH64_hash_t seed = XXH3_64bits(entity->name, strlen(entity->name));
        char *bytes;
        SCREE_TRY(scree_memory_new(row_size(entity), 1, (void **)&bytes));
        for (size_t row = 0; row < entity->count; ++row) {
            const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, gather(entity, row, bytes), seed);
            digest->low += hash.low64;
            digest->high += hash.high64 + (digest->low < hash.low64);
        }
        scree_memory_free(bytes);
    }
    return SCREE_OK;
}
