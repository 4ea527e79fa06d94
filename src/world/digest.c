// The digest: a wrapping 128-bit sum of one XXH3 hash for each row of persisted state. The hash of a row
// covers the name of its entity, its id or key, and its persisted fields, so the sum is independent of slots
// and needs no sort.
//
// Invariants: a field that is zero is skipped, so adding an empty column does not change the digest. A row
// with nothing but a key is skipped: a contact without history is determined by the positions of bodies.

#include "world/contact_rows.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

// Contribution of a field to the hash of a row: its name and its value.
struct part {
    XXH64_hash_t name;
    const struct scree_field *field;
    size_t length;
};

// Lists the fields that are hashed. Returns the largest number of bytes per row.
static size_t list_parts(const struct scree_entity *entity, struct part *parts, size_t *count)
{
    size_t size = 0;
    *count = 0;
    for (size_t f = 0; f < entity->fields.count; ++f) {
        const struct scree_field *field = &entity->fields.data[f];
        if ((field->flags & (SCREE_PERSISTED | SCREE_NEUTRAL)) != SCREE_PERSISTED ||
            !entity->columns.data[field->column].present)
            continue;
        const struct part part = {XXH3_64bits(field->name, strlen(field->name)), field,
                                  field->width * scree_field_size(field->type)};
        // sorted by hash of the name: the order in which fields were added does not matter
        size_t index = (*count)++;
        for (; index > 0 && parts[index - 1].name > part.name; --index)
            parts[index] = parts[index - 1];
        parts[index] = part;
        size += sizeof part.name + part.length;
    }
    return size;
}

static bool is_zero(const char *bytes, size_t length)
{
    for (size_t b = 0; b < length; ++b)
        if (bytes[b] != 0)
            return false;
    return true;
}

// Collects the bytes of a row. Returns their number, 0 for a row that is skipped.
static size_t gather(const struct scree_entity *entity, const struct part *parts, size_t count, size_t row,
                     char *bytes)
{
    size_t size = 0;
    bool has_state = !entity->keyed;
    for (size_t p = 0; p < count; ++p) {
        const char *value = (const char *)scree_registry_at(entity, parts[p].field, row);
        if (is_zero(value, parts[p].length))
            continue;
        memcpy(bytes + size, &parts[p].name, sizeof parts[p].name);
        memcpy(bytes + size + sizeof parts[p].name, value, parts[p].length);
        size += sizeof parts[p].name + parts[p].length;
        has_state = has_state || parts[p].field->column > 0;
    }
    return has_state ? size : 0;
}

static scree_status add_entity(const struct scree_entity *entity, struct scree_digest *digest)
{
    struct part *parts;
    char *bytes;
    size_t count;
    SCREE_TRY(scree_memory_new(entity->fields.count, sizeof *parts, (void **)&parts));
    const scree_status status = scree_memory_new(list_parts(entity, parts, &count), 1, (void **)&bytes);
    const XXH64_hash_t seed = XXH3_64bits(entity->name, strlen(entity->name));
    for (size_t row = 0; row < entity->count && status == SCREE_OK; ++row) {
        const size_t size = gather(entity, parts, count, row, bytes);
        if (size == 0)
            continue;
        const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
        digest->low += hash.low64;
        digest->high += hash.high64 + (digest->low < hash.low64);
    }
    scree_memory_free(bytes);
    scree_memory_free(parts);
    return status;
}

// Contacts are converted to rows for the digest.
static scree_status add_contacts(const struct scree_world *world, struct scree_digest *digest)
{
    struct scree_contact_rows rows;
    SCREE_TRY(scree_contact_rows_copy(world, false, &rows));
    scree_status status = SCREE_OK;
    for (size_t e = 0; e < rows.registry.entities.count && status == SCREE_OK; ++e)
        status = add_entity(&rows.registry.entities.data[e], digest);
    scree_contact_rows_free(&rows);
    return status;
}

scree_status scree_world_digest(const struct scree_world *world, struct scree_digest *digest)
{
    *digest = (struct scree_digest){0};
    for (size_t e = 0; e < world->registry.entities.count; ++e)
        // published contacts are copies, not state
        if (!world->registry.entities.data[e].keyed)
            SCREE_TRY(add_entity(&world->registry.entities.data[e], digest));
    return add_contacts(world, digest);
}
