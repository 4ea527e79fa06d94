// Taking a world's inner state out and putting it back, see store.h.

#include "world/store.h"

#include "world/grain.h"

#include <string.h>

unsigned scree_store_facts(const struct scree_world *world)
{
    return (world->contacts_stale ? SCREE_STORE_STALE : 0u) | (world->outdated ? SCREE_STORE_OUTDATED : 0u) |
           (world->opened ? SCREE_STORE_OPENED : 0u) | (world->holds ? SCREE_STORE_HOLDS : 0u) |
           (world->tracks_spheres ? SCREE_STORE_SPHERES : 0u);
}

static bool lives(const struct scree_world *world, int entity, uint64_t id)
{
    return scree_pool_find(&scree_world_entity(world, entity)->pool, id, NULL);
}

// --- taking

static scree_status allocate(const struct scree_contacts *contacts, size_t most, size_t stride,
                             struct scree_store_contacts *out)
{
    *out = (struct scree_store_contacts){.grains = contacts->grains, .stride = stride};
    SCREE_TRY(scree_memory_new(out->grains, sizeof *out->id, (void **)&out->id));
    if (out->grains > 0)
        memcpy(out->id, contacts->id, out->grains * sizeof *out->id);
    SCREE_TRY(scree_memory_new(most, sizeof *out->pair, (void **)&out->pair));
    SCREE_TRY(scree_memory_new(most, sizeof *out->sort, (void **)&out->sort));
    return scree_memory_new(most * stride, sizeof *out->history, (void **)&out->history);
}

static void add(struct scree_store_contacts *out, struct scree_pair pair, uint8_t sort, const double *history)
{
    out->pair[out->count] = pair;
    out->sort[out->count] = sort;
    if (out->stride > 0)
        memcpy(out->history + out->count * out->stride, history, out->stride * sizeof *history);
    out->keepers = sort >= out->keepers ? sort + 1u : out->keepers;
    ++out->count;
}

// The classes that are used; the table has more.
static scree_status take_keepers(struct scree_store_contacts *out, const struct scree_contacts_keeper *keeper)
{
    if (!keeper || out->keepers == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(out->keepers, sizeof *keeper, (void **)&out->keeper));
    memcpy(out->keeper, keeper, out->keepers * sizeof *keeper);
    return SCREE_OK;
}

static scree_status take_pairs(const struct scree_world *world, struct scree_store_contacts *out)
{
    const struct scree_contacts *contacts = &world->contacts;
    size_t most = 0;
    for (size_t c = 0; c < contacts->candidates; ++c)
        most += scree_contacts_is_live(contacts, c);
    SCREE_TRY(allocate(contacts, most, contacts->stride, out));
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (scree_contacts_is_live(contacts, c) && lives(world, SCREE_ENTITY_BODY, contacts->id[pair.low]) &&
            lives(world, SCREE_ENTITY_BODY, contacts->id[pair.high]))
            add(out, pair, contacts->sort ? contacts->sort[c] : 0, contacts->history + c * contacts->stride);
    }
    return take_keepers(out, contacts->keeper);
}

static scree_status take_walls(const struct scree_world *world, struct scree_store_contacts *out)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    SCREE_TRY(allocate(&world->contacts, walls->count, walls->stride, out));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *out->key, (void **)&out->key));
    out->loose = walls->loose;
    for (size_t c = 0; c < walls->count; ++c)
        if (walls->live[c] && walls->pair[c].low < out->grains &&
            lives(world, SCREE_ENTITY_BODY, walls->key[c][0]) &&
            lives(world, SCREE_ENTITY_WALL, walls->key[c][1] >> 3)) {
            memcpy(out->key[out->count], walls->key[c], sizeof *out->key);
            add(out, walls->pair[c], walls->sort[c], walls->history + c * walls->stride);
        }
    return take_keepers(out, walls->keeper);
}

scree_status scree_store_take(const struct scree_world *world, bool walls, struct scree_store_contacts *out)
{
    return walls ? take_walls(world, out) : take_pairs(world, out);
}

void scree_store_free(struct scree_store_contacts *contacts)
{
    scree_memory_free(contacts->id);
    scree_memory_free(contacts->pair);
    scree_memory_free(contacts->key);
    scree_memory_free(contacts->sort);
    scree_memory_free(contacts->history);
    scree_memory_free(contacts->keeper);
    *contacts = (struct scree_store_contacts){0};
}

// --- putting back

static scree_status wrong(const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "what was stored does not fit together: %s", what);
}

scree_status scree_store_put_rows(struct scree_entity *entity, const uint64_t *ids, size_t count,
                                  uint64_t last)
{
    scree_pool_free(&entity->pool);
    entity->count = 0;
    SCREE_TRY(scree_entity_reserve(entity, count));
    for (size_t row = 0; row < count; ++row) {
        if (ids[row] == 0 || ids[row] > last || scree_pool_find(&entity->pool, ids[row], NULL))
            return scree_status_fail(SCREE_ERROR_NUMBER,
                                     "what was stored does not fit together: row %zu of '%s' has the id %llu",
                                     row, entity->name, (unsigned long long)ids[row]);
        SCREE_TRY(scree_pool_adopt(&entity->pool, ids[row], (uint32_t)row));
        scree_entity_ids(entity)[row] = ids[row];
    }
    entity->pool.last = last;
    entity->count = count;
    ++entity->version;
    return SCREE_OK;
}

static scree_status check_class(const struct scree_store_contacts *in, size_t c)
{
    return in->keepers > 0 && in->sort[c] >= in->keepers ? wrong("a contact is of no class") : SCREE_OK;
}

static scree_status copy_keepers(const struct scree_store_contacts *in, struct scree_contacts_keeper **keeper)
{
    if (in->keepers == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(in->keepers, sizeof **keeper, (void **)keeper));
    memcpy(*keeper, in->keeper, in->keepers * sizeof **keeper);
    return SCREE_OK;
}

static scree_status allocate_lists(const struct scree_store_contacts *in, struct scree_contacts *out)
{
    out->grains = in->grains;
    out->tiles = (out->grains + SCREE_CONTACTS_TILE - 1) / SCREE_CONTACTS_TILE;
    out->real = in->count;
    out->candidates = out->room = (in->count + 7) / 8 * 8;
    out->stride = in->stride;
    SCREE_TRY(
        scree_memory_new(SCREE_CONTACTS_RANGES * out->tiles + 1, sizeof *out->first, (void **)&out->first));
    SCREE_TRY(scree_memory_new(out->tiles + 1, sizeof *out->group, (void **)&out->group));
    SCREE_TRY(scree_memory_new(out->candidates, sizeof *out->pair, (void **)&out->pair));
    SCREE_TRY(scree_memory_new(out->candidates, sizeof *out->sort, (void **)&out->sort));
    SCREE_TRY(scree_memory_new(out->candidates / 8, sizeof *out->live, (void **)&out->live));
    SCREE_TRY(scree_memory_new(out->grains, sizeof *out->id, (void **)&out->id));
    SCREE_TRY(scree_memory_new(out->candidates * in->stride, sizeof *out->history, (void **)&out->history));
    return copy_keepers(in, &out->keeper);
}

static scree_status fill_pairs(const struct scree_store_contacts *in, struct scree_contacts *out)
{
    for (size_t r = SCREE_CONTACTS_RANGES; r <= SCREE_CONTACTS_RANGES * out->tiles; ++r)
        out->first[r] = out->candidates;
    for (size_t c = 0; c < in->count; ++c) {
        const struct scree_pair pair = in->pair[c];
        SCREE_TRY(check_class(in, c));
        if (pair.low >= in->grains || pair.high >= in->grains || in->id[pair.low] >= in->id[pair.high])
            return wrong("a contact is between bodies that are not there");
        out->pair[c] = pair;
        out->sort[c] = in->sort[c];
        out->live[c / 8] |= (uint8_t)(1u << c % 8);
    }
    if (in->count * in->stride > 0)
        memcpy(out->history, in->history, in->count * in->stride * sizeof *in->history);
    if (out->grains > 0)
        memcpy(out->id, in->id, out->grains * sizeof *out->id);
    return SCREE_OK;
}

static scree_status fill_walls(const struct scree_world *world, const struct scree_store_contacts *in,
                               size_t tiles, struct scree_wall_contacts *out)
{
    for (size_t c = 0; c < in->count; ++c) {
        const uint32_t low = in->pair[c].low;
        SCREE_TRY(check_class(in, c));
        if (low >= in->grains || (!in->loose && c > 0 && low < in->pair[c - 1].low) ||
            !lives(world, SCREE_ENTITY_WALL, in->key[c][1] >> 3))
            return wrong("a contact is of a body and a wall that are not there");
        out->pair[c] = in->pair[c];
        memcpy(out->key[c], in->key[c], sizeof *out->key);
        out->sort[c] = in->sort[c];
        out->live[c] = 1;
        ++out->first[low / SCREE_CONTACTS_TILE + 1];
    }
    for (size_t t = 0; t < tiles; ++t)
        out->first[t + 1] += out->first[t];
    if (in->count * in->stride > 0)
        memcpy(out->history, in->history, in->count * in->stride * sizeof *in->history);
    return SCREE_OK;
}

static scree_status put_walls(const struct scree_world *world, const struct scree_store_contacts *in,
                              size_t tiles, struct scree_wall_contacts *out)
{
    out->count = in->count;
    out->stride = in->stride;
    out->loose = in->loose;
    SCREE_TRY(scree_memory_new(tiles + 1, sizeof *out->first, (void **)&out->first));
    SCREE_TRY(scree_memory_new(in->count, sizeof *out->pair, (void **)&out->pair));
    SCREE_TRY(scree_memory_new(in->count, sizeof *out->key, (void **)&out->key));
    SCREE_TRY(scree_memory_new(in->count, sizeof *out->sort, (void **)&out->sort));
    SCREE_TRY(scree_memory_new(in->count, sizeof *out->live, (void **)&out->live));
    SCREE_TRY(scree_memory_new(in->count * in->stride, sizeof *out->history, (void **)&out->history));
    SCREE_TRY(copy_keepers(in, &out->keeper));
    return fill_walls(world, in, tiles, out);
}

scree_status scree_store_put(struct scree_world *world, bool walls, const struct scree_store_contacts *in)
{
    struct scree_contacts *contacts = &world->contacts;
    if (walls && in->grains != contacts->grains)
        return wrong("lists of contacts are of other searches");
    if (walls)
        return put_walls(world, in, contacts->tiles, &contacts->walls);
    scree_contacts_free(contacts);
    SCREE_TRY(allocate_lists(in, contacts));
    return fill_pairs(in, contacts);
}

scree_status scree_store_settle(struct scree_world *world, int dimension, unsigned facts)
{
    if (dimension != 2 && dimension != 3)
        return wrong("a world has 2 or 3 dimensions");
    if (scree_world_entity(world, SCREE_ENTITY_CELL)->count != 1 ||
        scree_world_entity(world, SCREE_ENTITY_ENGINE)->count != 1)
        return wrong("there is one cell, and one row of what engines share");
    world->dimension = dimension;
    world->contacts_stale = facts & SCREE_STORE_STALE;
    world->outdated = facts & SCREE_STORE_OUTDATED;
    world->edits.count = SCREE_WORLD_FEW + 1;
    world->opened = facts & SCREE_STORE_OPENED;
    world->holds = facts & SCREE_STORE_HOLDS;
    world->tracks_spheres = facts & SCREE_STORE_SPHERES;
    SCREE_TRY(scree_grain_settle(world));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (scree_world_grains(world)[i].material > scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count)
            return wrong("a body is of a material that is not there");
    return scree_world_validate(world);
}
