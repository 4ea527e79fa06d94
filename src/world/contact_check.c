// Validation of contact lists, see contact_check.h. Slots in the lists are those of the last search: bodies
// and walls may have been removed since.

#include "world/contact_check.h"

#include "world/wall.h"

#include <math.h>

static scree_status fail(const struct scree_world *world, const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "at step %llu, in the contact lists: %s",
                             (unsigned long long)scree_world_clock(world)->steps, what);
}

static scree_status fail_contact(const struct scree_world *world, const struct scree_contact_key *key,
                                 const char *what)
{
    return scree_status_fail(
        SCREE_ERROR_NUMBER, "at step %llu, the contact of body %llu and %s %llu: %s",
        (unsigned long long)scree_world_clock(world)->steps, (unsigned long long)key->low,
        scree_contact_kind_is_wall(key->kind) ? "wall" : "body", (unsigned long long)key->high, what);
}

// Returns whether a row with that id exists or existed.
static bool has_existed(const struct scree_world *world, int entity, uint64_t id)
{
    return id > 0 && id <= scree_world_entity(world, entity)->pool.last;
}

// Returns whether a body with up-to-date forces has no quantum, without which contact forces cannot be
// summed.
static bool lacks_quantum(const struct scree_world *world, uint64_t id)
{
    uint32_t slot;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id, &slot))
        return false;
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    return grain->quantum == 0 && !(grain->flags & SCREE_FLAG_OUTDATED);
}

// Returns null, or a message that says what is wrong with a history.
static const char *history_fault(const double *history, size_t stride, bool live,
                                 const struct scree_contacts_layout *layout)
{
    const size_t used = layout ? scree_contacts_layout_length(layout) : stride;
    if (layout && !layout->law)
        return "its class has no contact law";
    if (used > stride)
        return "its history is shorter than its law requires";
    for (size_t k = 0; k < stride; ++k) {
        if (!live && history[k] != 0)
            return "it is not live, but has a history";
        if (!isfinite(history[k]))
            return "its history is not finite";
        if (k >= used && history[k] != 0)
            return "its history has more values than its law";
    }
    return NULL;
}

// --- grains

static scree_status check_ranges(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    if (!contacts->first)
        return contacts->candidates == 0 ? SCREE_OK
                                         : fail(world, "there are candidates, but their ranges are missing");
    if (contacts->tiles != (contacts->grains + SCREE_CONTACTS_TILE - 1) / SCREE_CONTACTS_TILE)
        return fail(world, "the number of tiles does not match the number of grains");
    const size_t all = SCREE_CONTACTS_RANGES * contacts->tiles;
    for (size_t r = 0; r <= all; ++r)
        if (contacts->first[r] % 8 != 0 || contacts->first[r] < contacts->first[r > 0 ? r - 1 : 0])
            return fail(world, "ranges of candidates do not ascend in multiples of 8");
    if (contacts->first[0] != 0 || contacts->first[all] != contacts->candidates)
        return fail(world, "ranges do not cover all candidates");
    if (contacts->stride > SCREE_CONTACTS_HISTORY ||
        (contacts->stride > 0 && contacts->history_capacity < contacts->candidates))
        return fail(world, "histories are not allocated for all candidates");
    return SCREE_OK;
}

static scree_status check_pair(const struct scree_world *world, size_t c)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_pair pair = contacts->pair[c];
    const bool live = scree_contacts_is_live(contacts, c);
    const double *history = contacts->stride > 0 ? contacts->history + c * contacts->stride : NULL;
    if (pair.low >= contacts->grains || pair.high >= contacts->grains)
        return fail(world, "a candidate has a slot out of range");
    const struct scree_contact_key key = scree_contacts_key(contacts, c);
    if (pair.low == pair.high)
        return live ? fail_contact(world, &key, "it is a self-pair (padding), but live") : SCREE_OK;
    if (key.low >= key.high)
        return fail_contact(world, &key, "the first side does not have the lower id");
    if (!has_existed(world, SCREE_ENTITY_BODY, key.low) || !has_existed(world, SCREE_ENTITY_BODY, key.high))
        return fail_contact(world, &key, "one side never existed");
    if (live && (lacks_quantum(world, key.low) || lacks_quantum(world, key.high)))
        return fail_contact(world, &key, "one side has no quantum of force");
    const size_t class = contacts->class_of ? contacts->class_of[c] : 0;
    if (contacts->layout && class >= contacts->layouts)
        return fail_contact(world, &key, "its class does not exist");
    const char *fault =
        history_fault(history, contacts->stride, live, contacts->layout ? &contacts->layout[class] : NULL);
    return fault ? fail_contact(world, &key, fault) : SCREE_OK;
}

static uint32_t owner_of(struct scree_pair pair)
{
    return pair.low < pair.high ? pair.low : pair.high;
}

// After slots have changed, all candidates are in the range SCREE_CONTACTS_ACROSS of the first tile.
static bool slots_have_changed(const struct scree_contacts *contacts)
{
    return !contacts->first || contacts->tiles == 0 ||
           (scree_contacts_first(contacts, 0, SCREE_CONTACTS_ACROSS) == 0 &&
            scree_contacts_first(contacts, 1, 0) == contacts->candidates);
}

// Candidates must be in the tile of their owner, and lists must be sorted by owner.
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
                return fail_contact(world, &key, "it is not in the tile of its owner");
            if (r != SCREE_CONTACTS_ROWS && owner < last)
                return fail_contact(world, &key, "its list is not sorted by owner");
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
    for (size_t t = 0; t < contacts->tiles && !slots_have_changed(contacts); ++t)
        SCREE_TRY(check_order(world, t));
    return SCREE_OK;
}

// --- walls

static const char *virtual_wall_fault(const double *rough, bool live)
{
    for (int k = 0; k < SCREE_CONTACTS_ROUGH; ++k) {
        if (!live && rough[k] != 0)
            return "it is not live, but has a virtual wall";
        if (!isfinite(rough[k]))
            return "its virtual wall is not finite";
    }
    return NULL;
}

static scree_status check_wall(const struct scree_world *world, size_t c)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    const double *history = walls->stride > 0 ? walls->history + c * walls->stride : NULL;
    const uint32_t slot = walls->pair[c].low;
    if (walls->pair[c].high >= walls->slots)
        return fail(world, "a contact has a wall slot out of range");
    // the next search drops contacts of removed grains
    if (walls->unsorted && slot == UINT32_MAX)
        return SCREE_OK;
    if (slot >= contacts->grains)
        return fail(world, "a contact with a wall has a grain slot out of range");
    const struct scree_contact_key key = scree_contacts_wall_key(contacts, c);
    uint32_t wall;
    if (!has_existed(world, SCREE_ENTITY_BODY, key.low) || !has_existed(world, SCREE_ENTITY_WALL, key.high))
        return fail_contact(world, &key, "one side never existed");
    if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, key.high, &wall) &&
        key.feature >= scree_wall_features(scree_wall_row(world, wall)))
        return fail_contact(world, &key, "the wall has no such feature");
    if (walls->live[c] && lacks_quantum(world, key.low))
        return fail_contact(world, &key, "one side has no quantum of force");
    if (walls->class_of[c] >= walls->layouts)
        return fail_contact(world, &key, "its class does not exist");
    const char *fault =
        history_fault(history, walls->stride, walls->live[c], &walls->layout[walls->class_of[c]]);
    if (!fault && walls->rough)
        fault = virtual_wall_fault(scree_contacts_rough(walls, c), walls->live[c]);
    return fault ? fail_contact(world, &key, fault) : SCREE_OK;
}

// Returns whether a contact is in its tile and after its predecessor.
static bool is_in_order(const struct scree_wall_contacts *walls, size_t tile, size_t c)
{
    const struct scree_pair pair = walls->pair[c];
    if (pair.low / SCREE_CONTACTS_TILE != tile || c == walls->first[tile])
        return pair.low / SCREE_CONTACTS_TILE == tile;
    const struct scree_pair before = walls->pair[c - 1];
    if (before.low != pair.low || before.high != pair.high)
        return before.low < pair.low || (before.low == pair.low && before.high < pair.high);
    return walls->feature[c - 1] < walls->feature[c];
}

static scree_status check_walls(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    for (size_t c = 0; c < walls->count; ++c)
        SCREE_TRY(check_wall(world, c));
    for (size_t t = 0; t < contacts->tiles && walls->count > 0 && !walls->unsorted; ++t) {
        if (walls->first[t] > walls->first[t + 1] || walls->first[t + 1] > walls->count)
            return fail(world, "tiles of contacts with walls do not ascend");
        for (size_t c = walls->first[t]; c < walls->first[t + 1]; ++c)
            if (!is_in_order(walls, t, c) ||
                (walls->order && walls->order[c] >= walls->first[t + 1] - walls->first[t]))
                return fail(world, "contacts with walls are not sorted");
    }
    return SCREE_OK;
}

// --- contacts from outside

static scree_status check_outside(const struct scree_world *world, size_t p)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_outside_contacts *outside = &contacts->outside;
    const struct scree_pair pair = outside->pair[p];
    const bool wall = outside->wall[p] > 0;
    // the next search drops contacts of removed sides
    if (outside->unsorted && (pair.low == UINT32_MAX || pair.high == UINT32_MAX))
        return SCREE_OK;
    if (pair.low >= contacts->grains || pair.high >= (wall ? contacts->walls.slots : contacts->grains))
        return fail(world, "a pair of a polyhedron has a slot out of range");
    if (outside->live[p] > SCREE_OUTSIDE_MOST)
        return fail(world, "a pair of a polyhedron has too many contacts");
    for (size_t n = 0; n < outside->live[p]; ++n) {
        const struct scree_contact_key key = scree_contacts_outside_key(contacts, p, n);
        if (!has_existed(world, SCREE_ENTITY_BODY, key.low) ||
            !has_existed(world, wall ? SCREE_ENTITY_WALL : SCREE_ENTITY_BODY, key.high))
            return fail_contact(world, &key, "one side never existed");
        if (!wall && key.low >= key.high)
            return fail_contact(world, &key, "the first side does not have the lower id");
        if (lacks_quantum(world, key.low) || (!wall && lacks_quantum(world, key.high)))
            return fail_contact(world, &key, "one side has no quantum of force");
        if (outside->class_of[p] >= outside->layouts)
            return fail_contact(world, &key, "its class does not exist");
        const char *fault = history_fault(outside->history + (SCREE_OUTSIDE_MOST * p + n) * outside->stride,
                                          outside->stride, true, &outside->layout[outside->class_of[p]]);
        if (fault)
            return fail_contact(world, &key, fault);
    }
    return SCREE_OK;
}

scree_status scree_contact_check(const struct scree_world *world)
{
    SCREE_TRY(check_pairs(world));
    SCREE_TRY(check_walls(world));
    for (size_t p = 0; p < world->contacts.outside.pairs; ++p)
        SCREE_TRY(check_outside(world, p));
    return SCREE_OK;
}
