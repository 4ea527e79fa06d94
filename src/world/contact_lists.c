// Rebuilding contact lists from rows, see contact_lists.h.

#include "world/contact_lists.h"

#include "base/sort.h"
#include "world/grain.h"

#include <string.h>

struct build {
    const struct scree_world *world;
    const struct scree_contact_rows *rows;
    struct scree_contacts lists;
    size_t outside;                                                       // number of contacts from outside
    bool rough;                                                           // some have virtual walls
    struct scree_contacts_layout outside_layout[SCREE_CONTACTS_NO_CLASS]; // by class
};

static scree_status fail(const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "stored contacts are inconsistent: %s", what);
}

static const struct scree_entity *entity_of(const struct build *build, size_t number)
{
    return &build->rows->registry.entities.data[number];
}

static const struct scree_contact_key *key_at(const struct scree_entity *entity, size_t row)
{
    return (const struct scree_contact_key *)(const void *)entity->columns.data[0].base + row;
}

static uint16_t class_at(const struct scree_entity *entity, size_t row)
{
    return ((const uint16_t *)(const void *)entity->columns.data[1].base)[row];
}

// --- grains

static scree_status read_grains(struct build *build)
{
    const struct scree_entity *entity = entity_of(build, SCREE_CONTACT_ROWS_GRAINS);
    const struct scree_contact_key_grain *grain =
        (const struct scree_contact_key_grain *)(const void *)entity->columns.data[0].base;
    struct scree_contacts *lists = &build->lists;
    bool carried = false;
    lists->grains = entity->count;
    lists->tiles = (lists->grains + SCREE_CONTACTS_TILE - 1) / SCREE_CONTACTS_TILE;
    SCREE_TRY(scree_memory_new(lists->grains, sizeof *lists->id, (void **)&lists->id));
    SCREE_TRY(scree_memory_new(lists->grains, sizeof *lists->by_id, (void **)&lists->by_id));
    for (size_t i = 0; i < lists->grains; ++i) {
        lists->id[i] = grain[i].body;
        carried = carried || grain[i].carried > 0;
    }
    if (carried) {
        SCREE_TRY(scree_memory_new(lists->grains, sizeof *lists->carried, (void **)&lists->carried));
        SCREE_TRY(scree_memory_new(lists->grains, sizeof *lists->part, (void **)&lists->part));
    }
    const struct scree_pool *pool = &scree_world_entity(build->world, SCREE_ENTITY_GRAIN)->pool;
    for (size_t i = 0; i < lists->grains && carried; ++i) {
        uint32_t row;
        lists->carried[i] = grain[i].carried;
        // a removed grain has no contacts, so its part is not needed
        if (grain[i].carried > 0 && scree_pool_find(pool, grain[i].carried, &row))
            lists->part[i] = scree_grain_locals(build->world)[row].part;
    }
    return scree_sort_order(lists->id, lists->grains, lists->by_id);
}

static bool find_grain(const struct build *build, uint64_t id, uint32_t part, uint32_t *slot)
{
    const struct scree_contacts *lists = &build->lists;
    for (size_t k = scree_contacts_first_of(lists, id); k < lists->grains && lists->id[lists->by_id[k]] == id;
         ++k) {
        *slot = lists->by_id[k];
        if (scree_contacts_part(lists, *slot) == part)
            return true;
    }
    return false;
}

// --- sides and classes

static bool find_sides(const struct build *build, const struct scree_contact_key *key,
                       struct scree_pair *pair)
{
    const struct scree_pool *walls = &scree_world_entity(build->world, SCREE_ENTITY_WALL)->pool;
    if (key->image != 0 || !find_grain(build, key->low, key->low_part, &pair->low))
        return false;
    if (scree_contact_kind_is_wall(key->kind))
        return key->high_part == 0 && scree_pool_find(walls, key->high, &pair->high);
    return key->low < key->high && (key->feature == 0 || key->kind == SCREE_CONTACT_OF_SHAPES) &&
           find_grain(build, key->high, key->high_part, &pair->high);
}

// Records the history layout of a class.
static scree_status record_class(struct build *build, size_t entity, size_t class)
{
    struct scree_contacts_layout plain = build->rows->layout.data[entity];
    const struct scree_contacts_layout *stored = &plain;
    plain.rough = false;
    if (class >= SCREE_CONTACTS_NO_CLASS)
        return fail("a contact has an unknown class");
    if (stored->outside) {
        build->outside_layout[class] = *stored;
        return SCREE_OK;
    }
    struct scree_contacts_layout *layout = &build->lists.layout[class];
    if (layout->law && (layout->law != stored->law || layout->resists != stored->resists))
        return fail("contacts of one class have histories of different laws");
    *layout = *stored;
    build->lists.layouts = class >= build->lists.layouts ? class + 1 : build->lists.layouts;
    return SCREE_OK;
}

// Counts contacts of grains and of walls, and determines the length of histories.
static scree_status count_rows(struct build *build)
{
    struct scree_contacts *lists = &build->lists;
    for (size_t e = 1; e < build->rows->layout.count; ++e) {
        const struct scree_entity *entity = entity_of(build, e);
        size_t bytes = 0;
        for (size_t c = 2; c < entity->columns.count; ++c)
            bytes += entity->columns.data[c].stride;
        for (size_t row = 0; row < entity->count; ++row) {
            const struct scree_contact_key *key = key_at(entity, row);
            if (key->kind >= SCREE_CONTACT_KINDS)
                return fail("a contact has a type that is unknown to this version");
            if ((key->kind >= SCREE_CONTACT_OF_SHAPES) != build->rows->layout.data[e].outside)
                return fail("a contact has a history of another type");
            if (build->rows->layout.data[e].rough && key->kind != SCREE_CONTACT_OF_WALL)
                return fail("a contact has a virtual wall, but no wall");
            SCREE_TRY(record_class(build, e, class_at(entity, row)));
            ++*(key->kind >= SCREE_CONTACT_OF_SHAPES ? &build->outside
                : key->kind == SCREE_CONTACT_OF_WALL ? &lists->walls.count
                                                     : &lists->pair_count);
        }
        const bool rough = build->rows->layout.data[e].rough;
        const size_t values = bytes / sizeof(double) - (rough ? SCREE_CONTACTS_ROUGH : 0);
        const size_t stride = (values + 3) / 4 * 4;
        build->rough = build->rough || rough;
        if (build->rows->layout.data[e].outside)
            continue;
        lists->stride = lists->walls.stride = stride > lists->stride ? stride : lists->stride;
    }
    return SCREE_OK;
}

// Fails if two rows have the same key; `key` and `order` have one element per row.
static scree_status compare_keys(const struct build *build, struct scree_contact_key *key, uint32_t *order)
{
    size_t count = 0;
    for (size_t e = 1; e < build->rows->layout.count; ++e)
        for (size_t row = 0; row < entity_of(build, e)->count; ++row)
            key[count++] = *key_at(entity_of(build, e), row);
    SCREE_TRY(scree_contact_key_order(key, count, order));
    for (size_t k = 1; k < count; ++k)
        if (scree_contact_key_compare(&key[order[k - 1]], &key[order[k]]) == 0)
            return fail("a contact is stored twice");
    return SCREE_OK;
}

static scree_status check_keys(const struct build *build)
{
    const size_t count = build->lists.pair_count + build->lists.walls.count + build->outside;
    struct scree_contact_key *key = NULL;
    uint32_t *order = NULL;
    scree_status status = scree_memory_new(count, sizeof *key, (void **)&key);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = compare_keys(build, key, order);
    scree_memory_free(order);
    scree_memory_free(key);
    return status;
}

// --- lists

// All candidates go into the range SCREE_CONTACTS_ACROSS of the first tile, as after a change of slots.
static scree_status allocate_pairs(struct scree_contacts *lists)
{
    const size_t ranges = SCREE_CONTACTS_RANGES * lists->tiles + 1;
    lists->candidates = lists->history_capacity = (lists->pair_count + 7) / 8 * 8;
    SCREE_TRY(scree_memory_new(ranges, sizeof *lists->first, (void **)&lists->first));
    SCREE_TRY(scree_memory_new(lists->tiles + 1, sizeof *lists->group, (void **)&lists->group));
    SCREE_TRY(scree_memory_new(lists->candidates, sizeof *lists->pair, (void **)&lists->pair));
    SCREE_TRY(scree_memory_new(lists->candidates, sizeof *lists->class_of, (void **)&lists->class_of));
    SCREE_TRY(scree_memory_new(lists->candidates / 8, sizeof *lists->live, (void **)&lists->live));
    for (size_t r = SCREE_CONTACTS_RANGES; r < ranges; ++r)
        lists->first[r] = lists->candidates;
    return scree_memory_new(lists->candidates * lists->stride, sizeof *lists->history,
                            (void **)&lists->history);
}

static scree_status allocate_walls(struct build *build)
{
    const struct scree_entity *entity = scree_world_entity(build->world, SCREE_ENTITY_WALL);
    struct scree_wall_contacts *walls = &build->lists.walls;
    walls->unsorted = build->rows->unsorted;
    walls->slots = entity->count;
    walls->layouts = build->lists.layouts;
    SCREE_TRY(scree_memory_new(build->lists.tiles + 1, sizeof *walls->first, (void **)&walls->first));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->pair, (void **)&walls->pair));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->feature, (void **)&walls->feature));
    SCREE_TRY(scree_memory_new(walls->slots, sizeof *walls->id, (void **)&walls->id));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->class_of, (void **)&walls->class_of));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->live, (void **)&walls->live));
    SCREE_TRY(scree_memory_new(3 * walls->count, sizeof *walls->force, (void **)&walls->force));
    SCREE_TRY(
        scree_memory_new(walls->count * walls->stride, sizeof *walls->history, (void **)&walls->history));
    if (build->rough)
        SCREE_TRY(scree_memory_new(SCREE_CONTACTS_ROUGH * walls->count, sizeof *walls->rough,
                                   (void **)&walls->rough));
    SCREE_TRY(scree_memory_new(walls->layouts, sizeof *walls->layout, (void **)&walls->layout));
    if (walls->slots > 0)
        memcpy(walls->id, scree_entity_ids(entity), walls->slots * sizeof *walls->id);
    if (walls->layouts > 0)
        memcpy(walls->layout, build->lists.layout, walls->layouts * sizeof *walls->layout);
    return SCREE_OK;
}

static void read_history(const struct scree_entity *entity, size_t row, double *history)
{
    for (size_t c = 2; c < entity->columns.count; ++c) {
        const struct scree_column *column = &entity->columns.data[c];
        memcpy(history, column->base + row * column->stride, column->stride);
        history += column->stride / sizeof *history;
    }
}

// A contact to be put into the lists: its row, and the slots of its sides.
struct listed_contact {
    size_t entity, row;
    struct scree_pair pair;
};

static void put_pair(struct build *build, const struct listed_contact *listed, size_t c)
{
    struct scree_contacts *lists = &build->lists;
    const struct scree_entity *entity = entity_of(build, listed->entity);
    lists->pair[c] = listed->pair;
    lists->class_of[c] = (uint8_t)class_at(entity, listed->row);
    lists->live[c / 8] |= (uint8_t)(1u << c % 8);
    read_history(entity, listed->row, lists->history + c * lists->stride);
}

static void put_wall(struct build *build, const struct listed_contact *listed, size_t c)
{
    struct scree_wall_contacts *walls = &build->lists.walls;
    const struct scree_entity *entity = entity_of(build, listed->entity);
    walls->pair[c] = listed->pair;
    walls->feature[c] = key_at(entity, listed->row)->feature;
    walls->class_of[c] = (uint8_t)class_at(entity, listed->row);
    walls->live[c] = 1;
    double values[SCREE_CONTACTS_HISTORY + SCREE_CONTACTS_ROUGH] = {0};
    const bool rough = build->rows->layout.data[listed->entity].rough;
    const size_t own = scree_contacts_layout_length(&walls->layout[walls->class_of[c]]);
    read_history(entity, listed->row, values);
    if (rough)
        memcpy(scree_contacts_rough(walls, c), values + own, SCREE_CONTACTS_ROUGH * sizeof *values);
    if (own > 0)
        memcpy(walls->history + c * walls->stride, values, own * sizeof *values);
    ++walls->first[listed->pair.low / SCREE_CONTACTS_TILE + 1];
}

// Puts a contact from outside into its pair. The contacts of a pair are neighbouring rows.
static scree_status put_outside(struct build *build, const struct listed_contact *listed)
{
    struct scree_outside_contacts *outside = &build->lists.outside;
    const struct scree_entity *entity = entity_of(build, listed->entity);
    const struct scree_contact_key *key = key_at(entity, listed->row);
    const uint64_t wall = key->kind == SCREE_CONTACT_OF_SHAPE_AND_WALL ? key->high : 0;
    size_t p = outside->pairs > 0 ? outside->pairs - 1 : 0;
    const bool same = outside->pairs > 0 && outside->pair[p].low == listed->pair.low &&
                      outside->pair[p].high == listed->pair.high && outside->wall[p] == wall;
    if (!same) {
        p = outside->pairs;
        outside->pair[p] = listed->pair;
        outside->wall[p] = wall;
        outside->class_of[p] = (uint8_t)class_at(entity, listed->row);
        ++outside->pairs;
    }
    if (outside->live[p] == SCREE_OUTSIDE_MOST)
        return fail("a pair of a polyhedron has too many contacts");
    const size_t c = SCREE_OUTSIDE_MOST * p + outside->live[p]++;
    outside->feature[c] = key->feature;
    read_history(entity, listed->row, outside->history + c * outside->stride);
    return SCREE_OK;
}

static scree_status allocate_outside(struct build *build)
{
    struct scree_outside_contacts *outside = &build->lists.outside;
    const size_t most = build->outside, contacts = SCREE_OUTSIDE_MOST * most;
    outside->unsorted = true;
    outside->stride = SCREE_OUTSIDE_STRIDE;
    outside->layouts = SCREE_CONTACTS_NO_CLASS;
    SCREE_TRY(scree_memory_new(build->lists.tiles + 1, sizeof *outside->first, (void **)&outside->first));
    SCREE_TRY(scree_memory_new(most, sizeof *outside->pair, (void **)&outside->pair));
    SCREE_TRY(scree_memory_new(most, sizeof *outside->wall, (void **)&outside->wall));
    SCREE_TRY(scree_memory_new(most, sizeof *outside->class_of, (void **)&outside->class_of));
    SCREE_TRY(scree_memory_new(most, sizeof *outside->live, (void **)&outside->live));
    SCREE_TRY(scree_memory_new(3 * most, sizeof *outside->axis, (void **)&outside->axis));
    SCREE_TRY(scree_memory_new(contacts, sizeof *outside->feature, (void **)&outside->feature));
    SCREE_TRY(scree_memory_new(3 * contacts, sizeof *outside->force, (void **)&outside->force));
    SCREE_TRY(
        scree_memory_new(contacts * outside->stride, sizeof *outside->history, (void **)&outside->history));
    SCREE_TRY(scree_memory_new(outside->layouts, sizeof *outside->layout, (void **)&outside->layout));
    memcpy(outside->layout, build->outside_layout, outside->layouts * sizeof *outside->layout);
    return SCREE_OK;
}

// Puts pairs of grains into the lists in order of rows. Collects contacts with walls, and their slots as sort
// keys.
static scree_status fill_pairs(struct build *build, struct listed_contact *listed, uint64_t *slots)
{
    size_t pairs = 0, walls = 0;
    for (size_t e = 1; e < build->rows->layout.count; ++e)
        for (size_t row = 0; row < entity_of(build, e)->count; ++row) {
            const struct scree_contact_key *key = key_at(entity_of(build, e), row);
            struct listed_contact contact = {.entity = e, .row = row};
            if (!find_sides(build, key, &contact.pair))
                return fail("one side of a contact does not exist");
            if (key->kind == SCREE_CONTACT_OF_GRAINS) {
                put_pair(build, &contact, pairs++);
                continue;
            }
            if (key->kind >= SCREE_CONTACT_OF_SHAPES) {
                SCREE_TRY(put_outside(build, &contact));
                continue;
            }
            slots[walls] = (uint64_t)contact.pair.low << 32 | contact.pair.high;
            listed[walls++] = contact;
        }
    return SCREE_OK;
}

// The sort of wall contacts is stable: rows of one wall and grain stay in order of features.
static scree_status fill(struct build *build)
{
    struct scree_wall_contacts *walls = &build->lists.walls;
    struct listed_contact *listed = NULL;
    uint64_t *slots = NULL;
    uint32_t *order = NULL;
    scree_status status = scree_memory_new(walls->count, sizeof *listed, (void **)&listed);
    if (status == SCREE_OK)
        status = scree_memory_new(walls->count, sizeof *slots, (void **)&slots);
    if (status == SCREE_OK)
        status = scree_memory_new(walls->count, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = fill_pairs(build, listed, slots);
    if (status == SCREE_OK)
        status = scree_sort_order(slots, walls->count, order);
    for (size_t c = 0; c < walls->count && status == SCREE_OK; ++c)
        put_wall(build, &listed[order[c]], c);
    for (size_t t = 0; t < build->lists.tiles && status == SCREE_OK; ++t)
        walls->first[t + 1] += walls->first[t];
    scree_memory_free(order);
    scree_memory_free(slots);
    scree_memory_free(listed);
    return status;
}

static scree_status build_lists(struct build *build)
{
    SCREE_TRY(scree_memory_new(SCREE_CONTACTS_NO_CLASS, sizeof *build->lists.layout,
                               (void **)&build->lists.layout));
    SCREE_TRY(read_grains(build));
    SCREE_TRY(count_rows(build));
    SCREE_TRY(check_keys(build));
    SCREE_TRY(allocate_pairs(&build->lists));
    SCREE_TRY(allocate_walls(build));
    SCREE_TRY(allocate_outside(build));
    return fill(build);
}

scree_status scree_contact_lists_make(struct scree_world *world, const struct scree_contact_rows *rows)
{
    struct build build = {.world = world, .rows = rows};
    const scree_status status = build_lists(&build);
    if (status == SCREE_OK) {
        scree_contacts_free(&world->contacts);
        world->contacts = build.lists;
    } else {
        scree_contacts_free(&build.lists);
    }
    return status;
}
