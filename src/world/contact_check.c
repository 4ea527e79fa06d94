// Checking lists of contacts, see contact_check.h. What lists say of slots is of the last search: sides may
// be gone since, but they were there.

#include "world/contact_check.h"

#include "world/wall.h"

#include <math.h>

static scree_status wrong(const struct scree_world *world, const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "at step %llu, in the lists of contacts: %s",
                             (unsigned long long)scree_world_clock(world)->steps, what);
}

static scree_status broken(const struct scree_world *world, const struct scree_contact_key *key,
                           const char *what)
{
    return scree_status_fail(
        SCREE_ERROR_NUMBER, "at step %llu, the contact of body %llu and %s %llu: %s",
        (unsigned long long)scree_world_clock(world)->steps, (unsigned long long)key->low,
        key->kind == SCREE_CONTACT_OF_WALL ? "wall" : "body", (unsigned long long)key->high, what);
}

// Whether there is or was a row of that id.
static bool has_been(const struct scree_world *world, int entity, uint64_t id)
{
    return id > 0 && id <= scree_world_entity(world, entity)->pool.last;
}

// Whether forces of contacts on a body cannot have been rounded, though they hold.
static bool lacks_quantum(const struct scree_world *world, uint64_t id)
{
    uint32_t slot;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id, &slot))
        return false;
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    return grain->quantum == 0 && !(grain->flags & SCREE_FLAG_OUTDATED);
}

// What is the matter with a history, or null.
static const char *fault_of_history(const double *history, size_t stride, bool live,
                                    const struct scree_contacts_layout *layout)
{
    const size_t own = layout ? layout->own + (layout->resists ? SCREE_RESISTANCE_HISTORY : 0) : stride;
    if (layout && !layout->law)
        return "its class is of no law";
    if (own > stride)
        return "its history has less room than its law has values";
    for (size_t k = 0; k < stride; ++k) {
        if (!live && history[k] != 0)
            return "it is not near, and remembers something";
        if (!isfinite(history[k]))
            return "what it remembers is not a finite number";
        if (k >= own && history[k] != 0)
            return "it remembers more than its law has values";
    }
    return NULL;
}

// --- grains

static scree_status check_ranges(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    if (!contacts->first)
        return contacts->candidates == 0 ? SCREE_OK : wrong(world, "there are candidates, but no ranges");
    if (contacts->tiles != (contacts->grains + SCREE_CONTACTS_TILE - 1) / SCREE_CONTACTS_TILE)
        return wrong(world, "tiles are not as many as grains take");
    const size_t all = SCREE_CONTACTS_RANGES * contacts->tiles;
    for (size_t r = 0; r <= all; ++r)
        if (contacts->first[r] % 8 != 0 || contacts->first[r] < contacts->first[r > 0 ? r - 1 : 0])
            return wrong(world, "ranges do not ascend by multiples of 8");
    if (contacts->first[0] != 0 || contacts->first[all] != contacts->candidates)
        return wrong(world, "ranges are not all candidates");
    if (contacts->stride > SCREE_CONTACTS_HISTORY ||
        (contacts->stride > 0 && contacts->room < contacts->candidates))
        return wrong(world, "there is no room for histories");
    return SCREE_OK;
}

static scree_status check_pair(const struct scree_world *world, size_t c)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_pair pair = contacts->pair[c];
    const bool live = scree_contacts_is_live(contacts, c);
    const double *history = contacts->stride > 0 ? contacts->history + c * contacts->stride : NULL;
    if (pair.low >= contacts->grains || pair.high >= contacts->grains)
        return wrong(world, "a candidate is of a slot beyond all grains");
    const struct scree_contact_key key = scree_contacts_key(contacts, c);
    if (pair.low == pair.high)
        return live ? broken(world, &key, "it only fills up a range, and is near") : SCREE_OK;
    if (key.low >= key.high)
        return broken(world, &key, "the first side is not that of lower id");
    if (!has_been(world, SCREE_ENTITY_BODY, key.low) || !has_been(world, SCREE_ENTITY_BODY, key.high))
        return broken(world, &key, "a side has never been");
    if (live && (lacks_quantum(world, key.low) || lacks_quantum(world, key.high)))
        return broken(world, &key, "a side has no quantum");
    const size_t class = contacts->class_of ? contacts->class_of[c] : 0;
    if (contacts->layout && class >= contacts->layouts)
        return broken(world, &key, "it is of no class");
    const char *fault =
        fault_of_history(history, contacts->stride, live, contacts->layout ? &contacts->layout[class] : NULL);
    return fault ? broken(world, &key, fault) : SCREE_OK;
}

static uint32_t owner_of(struct scree_pair pair)
{
    return pair.low < pair.high ? pair.low : pair.high;
}

// Where grains got other slots since, all candidates are across the rim of the first tile.
static bool is_loose(const struct scree_contacts *contacts)
{
    return !contacts->first || contacts->tiles == 0 ||
           (scree_contacts_first(contacts, 0, SCREE_CONTACTS_ACROSS) == 0 &&
            scree_contacts_first(contacts, 1, 0) == contacts->candidates);
}

// Else candidates lie by tiles, and those of lists by owners.
static scree_status check_order(const struct scree_world *world, size_t tile)
{
    const struct scree_contacts *contacts = &world->contacts;
    for (int r = 0; r < SCREE_CONTACTS_RANGES; ++r) {
        const size_t end = contacts->first[SCREE_CONTACTS_RANGES * tile + (size_t)r + 1];
        uint32_t last = 0;
        for (size_t c = scree_contacts_first(contacts, tile, r); c < end; ++c) {
            const struct scree_pair pair = contacts->pair[c];
            const uint32_t owner = owner_of(pair);
            if (pair.low == pair.high)
                continue;
            const struct scree_contact_key key = scree_contacts_key(contacts, c);
            if (owner / SCREE_CONTACTS_TILE != tile)
                return broken(world, &key, "it lies in a tile that is not its owner's");
            if (r != SCREE_CONTACTS_ROWS && owner < last)
                return broken(world, &key, "its owner lies before that of the one before it");
            last = owner;
        }
    }
    return SCREE_OK;
}

static scree_status check_pairs(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    SCREE_TRY(check_ranges(world));
    for (size_t c = 0; c < contacts->candidates; ++c)
        SCREE_TRY(check_pair(world, c));
    for (size_t t = 0; t < contacts->tiles && !is_loose(contacts); ++t)
        SCREE_TRY(check_order(world, t));
    return SCREE_OK;
}

// --- walls

static scree_status check_wall(const struct scree_world *world, size_t c)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    const double *history = walls->stride > 0 ? walls->history + c * walls->stride : NULL;
    const uint32_t slot = walls->pair[c].low;
    if (walls->pair[c].high >= walls->slots)
        return wrong(world, "a contact is of a wall beyond all");
    // that of a grain that is gone is forgotten in the next search
    if (walls->loose && slot == UINT32_MAX)
        return SCREE_OK;
    if (slot >= contacts->grains)
        return wrong(world, "a contact with a wall is of a slot beyond all grains");
    const struct scree_contact_key key = scree_contacts_wall_key(contacts, c);
    uint32_t wall;
    if (!has_been(world, SCREE_ENTITY_BODY, key.low) || !has_been(world, SCREE_ENTITY_WALL, key.high))
        return broken(world, &key, "a side has never been");
    if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, key.high, &wall) &&
        key.feature >= scree_wall_row(world, wall)->features)
        return broken(world, &key, "the wall has no such feature");
    if (walls->live[c] && lacks_quantum(world, key.low))
        return broken(world, &key, "a side has no quantum");
    if (walls->class_of[c] >= walls->layouts)
        return broken(world, &key, "it is of no class");
    const char *fault =
        fault_of_history(history, walls->stride, walls->live[c], &walls->layout[walls->class_of[c]]);
    return fault ? broken(world, &key, fault) : SCREE_OK;
}

// Within its tile, after the one before it.
static bool is_in_order(const struct scree_wall_contacts *walls, size_t tile, size_t c)
{
    const struct scree_pair now = walls->pair[c];
    if (now.low / SCREE_CONTACTS_TILE != tile || c == walls->first[tile])
        return now.low / SCREE_CONTACTS_TILE == tile;
    const struct scree_pair before = walls->pair[c - 1];
    if (before.low != now.low || before.high != now.high)
        return before.low < now.low || (before.low == now.low && before.high < now.high);
    return walls->feature[c - 1] < walls->feature[c];
}

static scree_status check_walls(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    for (size_t c = 0; c < walls->count; ++c)
        SCREE_TRY(check_wall(world, c));
    for (size_t t = 0; t < contacts->tiles && walls->count > 0 && !walls->loose; ++t) {
        if (walls->first[t] > walls->first[t + 1] || walls->first[t + 1] > walls->count)
            return wrong(world, "tiles of contacts with walls do not ascend");
        for (size_t c = walls->first[t]; c < walls->first[t + 1]; ++c)
            if (!is_in_order(walls, t, c) ||
                (walls->order && walls->order[c] >= walls->first[t + 1] - walls->first[t]))
                return wrong(world, "contacts with walls are not in order");
    }
    return SCREE_OK;
}

scree_status scree_contact_check(const struct scree_world *world)
{
    SCREE_TRY(check_pairs(world));
    return check_walls(world);
}
