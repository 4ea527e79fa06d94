// Making lists of contacts of rows, see contact_lists.h.

#include "world/contact_lists.h"

#include "base/sort.h"
#include "world/grain.h"

#include <string.h>

struct making {
    const struct scree_world *world;
    const struct scree_contact_rows *rows;
    struct scree_contacts made;
};

static scree_status wrong(const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "what was stored does not fit together: %s", what);
}

static const struct scree_entity *entity_of(const struct making *making, size_t number)
{
    return &making->rows->registry.entities.data[number];
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

static scree_status read_grains(struct making *making)
{
    const struct scree_entity *entity = entity_of(making, SCREE_CONTACT_ROWS_GRAINS);
    const struct scree_contact_key_grain *grain =
        (const struct scree_contact_key_grain *)(const void *)entity->columns.data[0].base;
    struct scree_contacts *made = &making->made;
    bool carried = false;
    made->grains = entity->count;
    made->tiles = (made->grains + SCREE_CONTACTS_TILE - 1) / SCREE_CONTACTS_TILE;
    SCREE_TRY(scree_memory_new(made->grains, sizeof *made->id, (void **)&made->id));
    SCREE_TRY(scree_memory_new(made->grains, sizeof *made->by_id, (void **)&made->by_id));
    for (size_t i = 0; i < made->grains; ++i) {
        made->id[i] = grain[i].body;
        carried = carried || grain[i].carried > 0;
    }
    if (carried) {
        SCREE_TRY(scree_memory_new(made->grains, sizeof *made->carried, (void **)&made->carried));
        SCREE_TRY(scree_memory_new(made->grains, sizeof *made->part, (void **)&made->part));
    }
    const struct scree_pool *pool = &scree_world_entity(making->world, SCREE_ENTITY_GRAIN)->pool;
    for (size_t i = 0; i < made->grains && carried; ++i) {
        uint32_t row;
        made->carried[i] = grain[i].carried;
        // of one that is gone there is no contact
        if (grain[i].carried > 0 && scree_pool_find(pool, grain[i].carried, &row))
            made->part[i] = scree_grain_locals(making->world)[row].part;
    }
    return scree_sort_order(made->id, made->grains, made->by_id);
}

// The slot of a grain.
static bool find_grain(const struct making *making, uint64_t id, uint32_t part, uint32_t *slot)
{
    const struct scree_contacts *made = &making->made;
    size_t first = 0, last = made->grains;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (made->id[made->by_id[middle]] < id)
            first = middle + 1;
        else
            last = middle;
    }
    for (; first < made->grains && made->id[made->by_id[first]] == id; ++first) {
        *slot = made->by_id[first];
        if (scree_contacts_part(made, *slot) == part)
            return true;
    }
    return false;
}

// --- sides and classes

static bool find_sides(const struct making *making, const struct scree_contact_key *key,
                       struct scree_pair *pair)
{
    const struct scree_pool *walls = &scree_world_entity(making->world, SCREE_ENTITY_WALL)->pool;
    if (key->image != 0 || !find_grain(making, key->low, key->low_part, &pair->low))
        return false;
    if (key->kind == SCREE_CONTACT_OF_WALL)
        return key->high_part == 0 && scree_pool_find(walls, key->high, &pair->high);
    return key->low < key->high && key->feature == 0 &&
           find_grain(making, key->high, key->high_part, &pair->high);
}

// Tells of what law the histories of a class are.
static scree_status note_class(struct making *making, size_t entity, size_t class)
{
    const struct scree_contacts_layout *stored = &making->rows->layout.data[entity];
    if (class >= SCREE_CONTACTS_NO_CLASS)
        return wrong("a contact is of no class");
    struct scree_contacts_layout *layout = &making->made.layout[class];
    if (layout->law && (layout->law != stored->law || layout->resists != stored->resists))
        return wrong("contacts of one class have histories of several laws");
    *layout = *stored;
    making->made.layouts = class >= making->made.layouts ? class + 1 : making->made.layouts;
    return SCREE_OK;
}

// Counts what the lists will hold, and how long their histories are.
static scree_status count_rows(struct making *making)
{
    struct scree_contacts *made = &making->made;
    for (size_t e = 1; e < making->rows->layout.count; ++e) {
        const struct scree_entity *entity = entity_of(making, e);
        size_t bytes = 0;
        for (size_t c = 2; c < entity->columns.count; ++c)
            bytes += entity->columns.data[c].stride;
        for (size_t row = 0; row < entity->count; ++row) {
            const struct scree_contact_key *key = key_at(entity, row);
            if (key->kind >= SCREE_CONTACT_KINDS)
                return wrong("a contact is of a kind that this version does not know");
            SCREE_TRY(note_class(making, e, class_at(entity, row)));
            ++*(key->kind == SCREE_CONTACT_OF_WALL ? &made->walls.count : &made->real);
        }
        const size_t stride = (bytes / sizeof(double) + 3) / 4 * 4;
        made->stride = made->walls.stride = stride > made->stride ? stride : made->stride;
    }
    return SCREE_OK;
}

// Sees that no two rows have one key; `key` and `order` have room for all.
static scree_status compare_keys(const struct making *making, struct scree_contact_key *key, uint32_t *order)
{
    size_t count = 0;
    for (size_t e = 1; e < making->rows->layout.count; ++e)
        for (size_t row = 0; row < entity_of(making, e)->count; ++row)
            key[count++] = *key_at(entity_of(making, e), row);
    SCREE_TRY(scree_contact_key_order(key, count, order));
    for (size_t k = 1; k < count; ++k)
        if (scree_contact_key_compare(&key[order[k - 1]], &key[order[k]]) == 0)
            return wrong("a contact is there twice");
    return SCREE_OK;
}

static scree_status check_keys(const struct making *making)
{
    const size_t count = making->made.real + making->made.walls.count;
    struct scree_contact_key *key = NULL;
    uint32_t *order = NULL;
    scree_status status = scree_memory_new(count, sizeof *key, (void **)&key);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = compare_keys(making, key, order);
    scree_memory_free(order);
    scree_memory_free(key);
    return status;
}

// --- lists

// All candidates go across the rim of the first tile, as where grains have got other slots.
static scree_status allocate_pairs(struct scree_contacts *made)
{
    const size_t ranges = SCREE_CONTACTS_RANGES * made->tiles + 1;
    made->candidates = made->room = (made->real + 7) / 8 * 8;
    SCREE_TRY(scree_memory_new(ranges, sizeof *made->first, (void **)&made->first));
    SCREE_TRY(scree_memory_new(made->tiles + 1, sizeof *made->group, (void **)&made->group));
    SCREE_TRY(scree_memory_new(made->candidates, sizeof *made->pair, (void **)&made->pair));
    SCREE_TRY(scree_memory_new(made->candidates, sizeof *made->class_of, (void **)&made->class_of));
    SCREE_TRY(scree_memory_new(made->candidates / 8, sizeof *made->live, (void **)&made->live));
    for (size_t r = SCREE_CONTACTS_RANGES; r < ranges; ++r)
        made->first[r] = made->candidates;
    return scree_memory_new(made->candidates * made->stride, sizeof *made->history, (void **)&made->history);
}

static scree_status allocate_walls(struct making *making)
{
    const struct scree_entity *entity = scree_world_entity(making->world, SCREE_ENTITY_WALL);
    struct scree_wall_contacts *walls = &making->made.walls;
    walls->loose = making->rows->loose;
    walls->slots = entity->count;
    walls->layouts = making->made.layouts;
    SCREE_TRY(scree_memory_new(making->made.tiles + 1, sizeof *walls->first, (void **)&walls->first));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->pair, (void **)&walls->pair));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->feature, (void **)&walls->feature));
    SCREE_TRY(scree_memory_new(walls->slots, sizeof *walls->id, (void **)&walls->id));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->class_of, (void **)&walls->class_of));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->live, (void **)&walls->live));
    SCREE_TRY(
        scree_memory_new(walls->count * walls->stride, sizeof *walls->history, (void **)&walls->history));
    SCREE_TRY(scree_memory_new(walls->layouts, sizeof *walls->layout, (void **)&walls->layout));
    if (walls->slots > 0)
        memcpy(walls->id, scree_entity_ids(entity), walls->slots * sizeof *walls->id);
    if (walls->layouts > 0)
        memcpy(walls->layout, making->made.layout, walls->layouts * sizeof *walls->layout);
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

// A contact whose place in the lists is to be found: where its row is, and between which slots it goes.
struct place {
    size_t entity, row;
    struct scree_pair pair;
};

static void put_pair(struct making *making, const struct place *place, size_t c)
{
    struct scree_contacts *made = &making->made;
    const struct scree_entity *entity = entity_of(making, place->entity);
    made->pair[c] = place->pair;
    made->class_of[c] = (uint8_t)class_at(entity, place->row);
    made->live[c / 8] |= (uint8_t)(1u << c % 8);
    read_history(entity, place->row, made->history + c * made->stride);
}

static void put_wall(struct making *making, const struct place *place, size_t c)
{
    struct scree_wall_contacts *walls = &making->made.walls;
    const struct scree_entity *entity = entity_of(making, place->entity);
    walls->pair[c] = place->pair;
    walls->feature[c] = key_at(entity, place->row)->feature;
    walls->class_of[c] = (uint8_t)class_at(entity, place->row);
    walls->live[c] = 1;
    read_history(entity, place->row, walls->history + c * walls->stride);
    ++walls->first[place->pair.low / SCREE_CONTACTS_TILE + 1];
}

// Puts pairs of grains where they are met, and tells where the others are, and their slots.
static scree_status fill_pairs(struct making *making, struct place *place, uint64_t *slots)
{
    size_t pairs = 0, walls = 0;
    for (size_t e = 1; e < making->rows->layout.count; ++e)
        for (size_t row = 0; row < entity_of(making, e)->count; ++row) {
            const struct scree_contact_key *key = key_at(entity_of(making, e), row);
            struct place here = {.entity = e, .row = row};
            if (!find_sides(making, key, &here.pair))
                return wrong("a side of a contact is not there");
            if (key->kind == SCREE_CONTACT_OF_GRAINS) {
                put_pair(making, &here, pairs++);
                continue;
            }
            slots[walls] = (uint64_t)here.pair.low << 32 | here.pair.high;
            place[walls++] = here;
        }
    return SCREE_OK;
}

// Rows of one wall and grain are in order of features.
static scree_status fill(struct making *making)
{
    struct scree_wall_contacts *walls = &making->made.walls;
    struct place *place = NULL;
    uint64_t *slots = NULL;
    uint32_t *order = NULL;
    scree_status status = scree_memory_new(walls->count, sizeof *place, (void **)&place);
    if (status == SCREE_OK)
        status = scree_memory_new(walls->count, sizeof *slots, (void **)&slots);
    if (status == SCREE_OK)
        status = scree_memory_new(walls->count, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = fill_pairs(making, place, slots);
    if (status == SCREE_OK)
        status = scree_sort_order(slots, walls->count, order);
    for (size_t c = 0; c < walls->count && status == SCREE_OK; ++c)
        put_wall(making, &place[order[c]], c);
    for (size_t t = 0; t < making->made.tiles && status == SCREE_OK; ++t)
        walls->first[t + 1] += walls->first[t];
    scree_memory_free(order);
    scree_memory_free(slots);
    scree_memory_free(place);
    return status;
}

static scree_status make(struct making *making)
{
    SCREE_TRY(scree_memory_new(SCREE_CONTACTS_NO_CLASS, sizeof *making->made.layout,
                               (void **)&making->made.layout));
    SCREE_TRY(read_grains(making));
    SCREE_TRY(count_rows(making));
    SCREE_TRY(check_keys(making));
    SCREE_TRY(allocate_pairs(&making->made));
    SCREE_TRY(allocate_walls(making));
    return fill(making);
}

scree_status scree_contact_lists_make(struct scree_world *world, const struct scree_contact_rows *rows)
{
    struct making making = {.world = world, .rows = rows};
    const scree_status status = make(&making);
    if (status == SCREE_OK) {
        scree_contacts_free(&world->contacts);
        world->contacts = making.made;
    } else {
        scree_contacts_free(&making.made);
    }
    return status;
}
