// The digest: a wrapping 128-bit sum of one XXH3 for each row of persisted state. A row's hash covers its
// entity's name, its id and its persisted fields, so that the sum needs no sort and knows no slots.
//
// Contacts are no rows but state all the same: each that remembers something counts as a row of its sides and
// of what it remembers. One that remembers nothing follows from where bodies are.
//
// What always holds: a field that is zero counts like one that is not there, so a world is the same before
// and after someone asks for a column.

#include "world/world.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

// doubles that a contact can keep, with room to spare
enum { ROOM = 32 };

// What a field puts into the hash of a row: which one it is, and its value.
struct part {
    XXH64_hash_t name;
    const struct scree_field *field;
    size_t length;
};

// Returns the bytes that a row comes to at most.
static size_t list_parts(const struct scree_entity *entity, struct part *parts, size_t *count)
{
    size_t size = 0;
    *count = 0;
    for (size_t f = 0; f < entity->fields.count; ++f) {
        const struct scree_field *field = &entity->fields.data[f];
        if (!(field->flags & SCREE_PERSISTED) || !entity->columns.data[field->column].present)
            continue;
        const struct part part = {XXH3_64bits(field->name, strlen(field->name)), field,
                                  field->width * scree_field_size(field->type)};
        // by name, so that the order in which fields were added does not matter
        size_t place = (*count)++;
        for (; place > 0 && parts[place - 1].name > part.name; --place)
            parts[place] = parts[place - 1];
        parts[place] = part;
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

static size_t gather(const struct scree_entity *entity, const struct part *parts, size_t count, size_t row,
                     char *bytes)
{
    size_t size = 0;
    for (size_t p = 0; p < count; ++p) {
        const char *value = (const char *)scree_registry_at(entity, parts[p].field, row);
        if (is_zero(value, parts[p].length))
            continue;
        memcpy(bytes + size, &parts[p].name, sizeof parts[p].name);
        memcpy(bytes + size + sizeof parts[p].name, value, parts[p].length);
        size += sizeof parts[p].name + parts[p].length;
    }
    return size;
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
        const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
        digest->low += hash.low64;
        digest->high += hash.high64 + (digest->low < hash.low64);
    }
    scree_memory_free(bytes);
    scree_memory_free(parts);
    return status;
}

// Hashes the sides of a contact and its history without the zeros at its end, which depend on what other laws
// remember.
static void add_contact(uint64_t kind, const uint64_t sides[2], const double *history, size_t length,
                        struct scree_digest *digest)
{
    uint64_t bytes[2 + ROOM];
    while (length > 0 && is_zero((const char *)&history[length - 1], sizeof *history))
        --length;
    if (length == 0)
        return;
    memcpy(bytes, sides, 2 * sizeof *bytes);
    memcpy(bytes + 2, history, length * sizeof *history);
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, (2 + length) * sizeof *bytes, kind);
    digest->low += hash.low64;
    digest->high += hash.high64 + (digest->low < hash.low64);
}

static bool lives(const struct scree_world *world, int entity, uint64_t id)
{
    return scree_pool_find(&scree_world_entity(world, entity)->pool, id, NULL);
}

static void add_contacts(const struct scree_world *world, struct scree_digest *digest)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    const uint64_t between = XXH3_64bits("contact", 7), with_wall = XXH3_64bits("wall contact", 12);
    for (size_t c = 0; c < contacts->candidates && contacts->stride > 0; ++c) {
        if (!scree_contacts_is_live(contacts, c))
            continue;
        const uint64_t sides[2] = {contacts->id[contacts->pair[c].low], contacts->id[contacts->pair[c].high]};
        if (lives(world, SCREE_ENTITY_BODY, sides[0]) && lives(world, SCREE_ENTITY_BODY, sides[1]))
            add_contact(between, sides, contacts->history + c * contacts->stride, contacts->stride, digest);
    }
    for (size_t c = 0; c < walls->count && walls->stride > 0; ++c)
        if (walls->live[c] && walls->pair[c].low < contacts->grains &&
            lives(world, SCREE_ENTITY_BODY, contacts->id[walls->pair[c].low]) &&
            lives(world, SCREE_ENTITY_WALL, scree_contacts_wall(contacts, c)))
            add_contact(with_wall,
                        (const uint64_t[2]){contacts->id[walls->pair[c].low],
                                            scree_contacts_wall(contacts, c) << 3 | walls->feature[c]},
                        walls->history + c * walls->stride, walls->stride, digest);
}

scree_status scree_world_digest(const struct scree_world *world, struct scree_digest *digest)
{
    *digest = (struct scree_digest){0};
    for (size_t e = 0; e < world->registry.entities.count; ++e)
        // what is published is no state
        if (e != SCREE_ENTITY_CONTACT)
            SCREE_TRY(add_entity(&world->registry.entities.data[e], digest));
    add_contacts(world, digest);
    return SCREE_OK;
}
