// Groups, see include/scree/group.h: rows of names, and a bit mask for every body and wall.
//
// Invariants: the group with id n is bit n - 1 of the masks, because groups are never removed; a world whose
// groups never had a member has no masks.

#include "world/group.h"

#include "base/sort.h"
#include "base/suggestion.h"

#include <string.h>

enum { MAX_GROUPS = 64 };

static struct scree_entity *groups_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_GROUP);
}

static struct scree_group_name *names(const struct scree_world *world)
{
    return (struct scree_group_name *)scree_world_column(world, SCREE_ENTITY_GROUP, SCREE_GROUP_GROUP);
}

// Entities that can be members of groups, and the columns of their masks.
struct kind {
    int entity;
    uint32_t column;
};

static const struct kind bodies = {SCREE_ENTITY_BODY, SCREE_BODY_GROUPS};
static const struct kind walls = {SCREE_ENTITY_WALL, SCREE_WALL_GROUPS};

scree_status scree_group_add(struct scree_world *world, const char *name, scree_group_id *id)
{
    scree_slot slot;
    const size_t length = name ? strnlen(name, sizeof names(world)->name) : 0;
    if (length == 0 || length >= sizeof names(world)->name)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the name of a group must have 1 to %zu bytes; got '%.40s'",
                                 sizeof names(world)->name - 1, name ? name : "(null)");
    for (size_t g = 0; g < groups_of(world)->count; ++g)
        if (strcmp(names(world)[g].name, name) == 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is a group '%s' already", name);
    if (groups_of(world)->count >= MAX_GROUPS)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a world has at most %d groups; '%s' cannot be added",
                                 (int)MAX_GROUPS, name);
    SCREE_TRY(scree_entity_insert(groups_of(world), &slot, &id->value));
    memcpy(names(world)[slot.index].name, name, length);
    return SCREE_OK;
}

scree_status scree_group_find(const struct scree_world *world, const char *name, scree_group_id *id)
{
    struct scree_suggestion known = {.wanted = name ? name : ""};
    for (size_t g = 0; g < groups_of(world)->count; ++g) {
        if (strcmp(names(world)[g].name, known.wanted) == 0) {
            id->value = scree_entity_ids(groups_of(world))[g];
            return SCREE_OK;
        }
        scree_suggestion_add(&known, names(world)[g].name);
    }
    const char *meant = scree_suggestion_best(&known);
    if (meant)
        return scree_status_fail(SCREE_ERROR_MISSING, "there is no group '%.60s': did you mean '%s'?",
                                 known.wanted, meant);
    return scree_status_fail(SCREE_ERROR_MISSING, "there is no group '%.60s'; %s%.250s", known.wanted,
                             known.nearest ? "known groups are " : "the world has no groups", known.text);
}

size_t scree_group_count(const struct scree_world *world)
{
    return groups_of(world)->count;
}

const char *scree_group_name(const struct scree_world *world, scree_group_id id)
{
    scree_slot slot;
    return scree_pool_find(&groups_of(world)->pool, id.value, &slot.index) ? names(world)[slot.index].name
                                                                           : NULL;
}

scree_status scree_group_mask(const struct scree_world *world, scree_group_id id, uint64_t *mask)
{
    scree_slot slot;
    *mask = 0;
    SCREE_TRY(scree_entity_find(groups_of(world), id.value, &slot));
    *mask = (uint64_t)1 << (id.value - 1);
    return SCREE_OK;
}

static scree_status set_member(struct scree_world *world, const struct kind *kind, scree_group_id id,
                               uint64_t member, bool in)
{
    struct scree_entity *entity = scree_world_entity(world, kind->entity);
    scree_slot slot;
    uint64_t mask;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(scree_group_mask(world, id, &mask));
    SCREE_TRY(scree_entity_find(entity, member, &slot));
    SCREE_TRY(scree_entity_require(entity, kind->column));
    struct scree_groups *groups =
        (struct scree_groups *)scree_world_column(world, kind->entity, (int)kind->column) + slot.index;
    groups->mask = in ? groups->mask | mask : groups->mask & ~mask;
    return SCREE_OK;
}

scree_status scree_group_put_body(struct scree_world *world, scree_group_id id, scree_body_id body, bool in)
{
    return set_member(world, &bodies, id, body.value, in);
}

scree_status scree_group_put_wall(struct scree_world *world, scree_group_id id, scree_wall_id wall, bool in)
{
    return set_member(world, &walls, id, wall.value, in);
}

static bool is_member(const struct scree_world *world, const struct kind *kind, scree_group_id id,
                      uint64_t member)
{
    const struct scree_groups *groups =
        (const struct scree_groups *)scree_world_column(world, kind->entity, (int)kind->column);
    uint32_t slot;
    return groups && scree_pool_find(&groups_of(world)->pool, id.value, NULL) &&
           scree_pool_find(&scree_world_entity(world, kind->entity)->pool, member, &slot) &&
           groups[slot].mask >> (id.value - 1) & 1;
}

bool scree_group_has_body(const struct scree_world *world, scree_group_id id, scree_body_id body)
{
    return is_member(world, &bodies, id, body.value);
}

bool scree_group_has_wall(const struct scree_world *world, scree_group_id id, scree_wall_id wall)
{
    return is_member(world, &walls, id, wall.value);
}

// Lists the ids of the members in order of slots, and the order that sorts them by id.
static scree_status list(const struct scree_world *world, const struct kind *kind, uint64_t mask,
                         uint64_t **ids, uint32_t **order, size_t *count)
{
    const struct scree_entity *entity = scree_world_entity(world, kind->entity);
    const struct scree_groups *groups =
        (const struct scree_groups *)scree_world_column(world, kind->entity, (int)kind->column);
    *count = 0;
    for (size_t i = 0; groups && i < entity->count; ++i)
        *count += (groups[i].mask & mask) != 0;
    SCREE_TRY(scree_memory_new(*count, sizeof **ids, (void **)ids));
    SCREE_TRY(scree_memory_new(*count, sizeof **order, (void **)order));
    size_t at = 0;
    for (size_t i = 0; groups && i < entity->count; ++i)
        if (groups[i].mask & mask)
            (*ids)[at++] = scree_entity_ids(entity)[i];
    return scree_sort_order(*ids, *count, *order);
}

static scree_status members(const struct scree_world *world, const struct kind *kind, scree_group_id id,
                            uint64_t *out, size_t capacity, size_t *count)
{
    uint64_t mask, *ids = NULL;
    uint32_t *order = NULL;
    *count = 0;
    SCREE_TRY(scree_group_mask(world, id, &mask));
    const scree_status status = list(world, kind, mask, &ids, &order, count);
    for (size_t k = 0; status == SCREE_OK && out && k < capacity && k < *count; ++k)
        out[k] = ids[order[k]];
    scree_memory_free(order);
    scree_memory_free(ids);
    return status;
}

scree_status scree_group_bodies(const struct scree_world *world, scree_group_id id, scree_body_id *ids,
                                size_t capacity, size_t *count)
{
    _Static_assert(sizeof *ids == sizeof(uint64_t), "an id is its value");
    return members(world, &bodies, id, (uint64_t *)(void *)ids, capacity, count);
}

scree_status scree_group_walls(const struct scree_world *world, scree_group_id id, scree_wall_id *ids,
                               size_t capacity, size_t *count)
{
    _Static_assert(sizeof *ids == sizeof(uint64_t), "an id is its value");
    return members(world, &walls, id, (uint64_t *)(void *)ids, capacity, count);
}
