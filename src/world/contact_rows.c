// Contacts as rows, see contact_rows.h: entities of layouts, and copying contacts from the lists into rows.

#include "world/contact_rows.h"

#include <scree/resistance.h>

#include <stdio.h>
#include <string.h>

static const struct scree_law_value resistance[] = {{"rolling-spring", "J^(1/2)", 3, "Rolling spring."},
                                                    {"twisting-spring", "J^(1/2)", 1, "Twisting spring."},
                                                    {0}};
static_assert(SCREE_RESISTANCE_HISTORY == 3 + 1, "the table lists all history values of resistance");
static const struct scree_law_value normal[] = {
    {"normal", "", 3, "Normal at the last evaluation, from the second side to the first."}, {0}};
static const struct scree_law_value virtual_wall[] = {
    {"virtual-normal", "", 3, "Normal of the virtual wall in the axes of the wall."},
    {"virtual-offset", "m", 1,
     "Distance of the virtual wall from the reference point of the wall along its normal."},
    {"virtual-phase", "", 1, "1: the grain approaches the virtual wall, 2: recedes, 3: the contact lasts."},
    {"virtual-shift", "m", 1, "Gap to the virtual wall of a contact that lasts, minus that to the wall."},
    {0}};
static_assert(SCREE_CONTACTS_ROUGH == 3 + 1 + 1 + 1, "the table lists all values of a virtual wall");

// --- entities

// Replaces the hyphens of law names, which are not allowed in the registry.
static void replace_hyphens(char *name)
{
    for (; *name; ++name)
        *name = *name == '-' ? '_' : *name;
}

static scree_status add_values(struct scree_entity *entity, const struct scree_law_value *value,
                               scree_transform transform)
{
    for (; value && value->name; ++value) {
        char name[SCREE_ENTITY_NAME];
        snprintf(name, sizeof name, "%s", value->name);
        replace_hyphens(name);
        const struct scree_field_def def = {.name = name,
                                            .type = SCREE_F64,
                                            .width = value->width,
                                            .unit = value->unit,
                                            .transform = value->width == 3 ? transform : SCREE_SCALAR,
                                            .flags = SCREE_PERSISTED | SCREE_GHOSTED | SCREE_OWNED,
                                            .about = value->about};
        SCREE_TRY(scree_registry_extend(entity, &def, NULL));
    }
    return SCREE_OK;
}

// Unique: no law name contains an underscore or begins with "contact".
static void name_layout(const struct scree_contacts_layout *layout, char name[SCREE_ENTITY_NAME])
{
    snprintf(name, SCREE_ENTITY_NAME, "%s%scontact_%.31s",
             layout->outside ? "outside_"
             : layout->rough ? "rough_"
                             : "",
             layout->resists ? "resisted_" : "", layout->law->name);
    replace_hyphens(name);
}

// Adds the entity of a layout at the end of a registry. On failure nothing changes.
static scree_status add_layout(struct scree_registry *registry, const struct scree_contacts_layout *layout)
{
    static const struct scree_field_def class = {
        .name = "class",
        .type = SCREE_U16,
        .width = 1,
        .flags = SCREE_PERSISTED | SCREE_NEUTRAL | SCREE_OWNED,
        .about = "Class: index of the law with its constants, as of the last search."};
    char name[SCREE_ENTITY_NAME];
    name_layout(layout, name);
    SCREE_TRY(
        scree_registry_add_keyed(registry, name, sizeof(struct scree_contact_key), scree_contact_key_fields));
    struct scree_entity *entity = &registry->entities.data[registry->entities.count - 1];
    scree_status status = scree_registry_extend(entity, &class, NULL);
    if (status == SCREE_OK)
        status = add_values(entity, layout->law->values, SCREE_VECTOR);
    if (status == SCREE_OK && layout->resists)
        status = add_values(entity, resistance, SCREE_AXIAL);
    if (status == SCREE_OK && layout->outside)
        status = add_values(entity, normal, SCREE_VECTOR);
    if (status == SCREE_OK && layout->rough)
        status = add_values(entity, virtual_wall, SCREE_SCALAR);
    if (status != SCREE_OK) {
        scree_entity_free(entity);
        --registry->entities.count;
    }
    return status;
}

scree_status scree_contact_rows_begin(struct scree_contact_rows *rows)
{
    *rows = (struct scree_contact_rows){0};
    scree_status status =
        scree_registry_add_keyed(&rows->registry, "searched_grain", sizeof(struct scree_contact_key_grain),
                                 scree_contact_key_grain_fields);
    if (status == SCREE_OK)
        status = scree_array_push(&rows->layout, (struct scree_contacts_layout){0});
    if (status != SCREE_OK)
        scree_contact_rows_free(rows);
    return status;
}

void scree_contact_rows_free(struct scree_contact_rows *rows)
{
    scree_registry_free(&rows->registry);
    scree_array_free(&rows->layout);
}

scree_status scree_contact_rows_add(struct scree_contact_rows *rows,
                                    const struct scree_contacts_layout *layout)
{
    SCREE_TRY(scree_array_reserve(&rows->layout, rows->layout.count + 1));
    SCREE_TRY(add_layout(&rows->registry, layout));
    return scree_array_push(&rows->layout, *layout);
}

// --- copying from the lists

struct contact {
    struct scree_contact_key key;
    uint16_t class;
    const struct scree_contacts_layout *layout;
    const double *history;
    // of a contact with a virtual wall
    struct scree_contacts_layout rough;
    double values[SCREE_CONTACTS_HISTORY + SCREE_CONTACTS_ROUGH];
};

static bool exists(const struct scree_world *world, int entity, uint64_t id)
{
    return scree_pool_find(&scree_world_entity(world, entity)->pool, id, NULL);
}

static bool sides_exist(const struct scree_world *world, const struct scree_contact_key *key)
{
    return exists(world, SCREE_ENTITY_BODY, key->low) &&
           exists(world, scree_contact_kind_is_wall(key->kind) ? SCREE_ENTITY_WALL : SCREE_ENTITY_BODY,
                  key->high);
}

// Reads contact number `number` from outside.
static bool read_outside(const struct scree_world *world, size_t number, struct contact *contact)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_outside_contacts *outside = &contacts->outside;
    const size_t pair = number / SCREE_OUTSIDE_MOST, n = number % SCREE_OUTSIDE_MOST;
    const struct scree_pair slots = outside->pair[pair];
    if (n >= outside->live[pair] || slots.low >= contacts->grains ||
        (!outside->wall[pair] && slots.high >= contacts->grains))
        return false;
    contact->key = scree_contacts_outside_key(contacts, pair, n);
    contact->class = outside->class_of[pair];
    contact->layout = &outside->layout[contact->class];
    contact->history = outside->history + number * outside->stride;
    return sides_exist(world, &contact->key);
}

// Puts a virtual wall behind the history; `rough` may be null or 0.
static void add_virtual_wall(const double *rough, struct contact *contact)
{
    const size_t own = scree_contacts_layout_length(contact->layout);
    bool any = false;
    for (int k = 0; k < SCREE_CONTACTS_ROUGH; ++k)
        any = any || (rough && rough[k] != 0);
    if (!any)
        return;
    for (size_t k = 0; k < own; ++k)
        contact->values[k] = contact->history ? contact->history[k] : 0;
    memcpy(contact->values + own, rough, SCREE_CONTACTS_ROUGH * sizeof *rough);
    contact->rough = *contact->layout;
    contact->rough.rough = true;
    contact->layout = &contact->rough;
    contact->history = contact->values;
}

// Reads a candidate; those with walls are numbered after the others, those from outside come last. Returns
// false if it is not live or a side was removed.
static bool read_candidate(const struct scree_world *world, size_t candidate, struct contact *contact)
{
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    if (candidate < contacts->candidates) {
        const size_t c = candidate;
        if (!scree_contacts_is_live(contacts, c) || !contacts->layout)
            return false;
        contact->key = scree_contacts_key(contacts, c);
        contact->class = contacts->class_of ? contacts->class_of[c] : 0;
        contact->layout = &contacts->layout[contact->class];
        contact->history = contacts->stride > 0 ? contacts->history + c * contacts->stride : NULL;
        return exists(world, SCREE_ENTITY_BODY, contact->key.low) &&
               exists(world, SCREE_ENTITY_BODY, contact->key.high);
    }
    const size_t c = candidate - contacts->candidates;
    if (c >= walls->count)
        return read_outside(world, c - walls->count, contact);
    if (!walls->live[c] || walls->pair[c].low >= contacts->grains)
        return false;
    contact->key = scree_contacts_wall_key(contacts, c);
    contact->class = walls->class_of[c];
    contact->layout = &walls->layout[contact->class];
    contact->history = walls->stride > 0 ? walls->history + c * walls->stride : NULL;
    add_virtual_wall(scree_contacts_rough(walls, c), contact);
    return exists(world, SCREE_ENTITY_BODY, contact->key.low) &&
           exists(world, SCREE_ENTITY_WALL, contact->key.high);
}

// Returns the index of the entity of a layout, or the number of entities if there is none.
static size_t find_layout(const struct scree_contact_rows *rows, const struct scree_contacts_layout *layout)
{
    size_t e = SCREE_CONTACT_ROWS_GRAINS + 1;
    while (e < rows->layout.count &&
           (rows->layout.data[e].law != layout->law || rows->layout.data[e].resists != layout->resists ||
            rows->layout.data[e].outside != layout->outside || rows->layout.data[e].rough != layout->rough))
        ++e;
    return e;
}

static void write_row(struct scree_entity *entity, const struct contact *contact)
{
    const size_t row = entity->count++;
    const struct scree_column *column = entity->columns.data;
    const double *value = contact->history;
    memcpy(column[0].base + row * column[0].stride, &contact->key, column[0].stride);
    memcpy(column[1].base + row * column[1].stride, &contact->class, column[1].stride);
    for (size_t c = 2; c < entity->columns.count; ++c) {
        memcpy(column[c].base + row * column[c].stride, value, column[c].stride);
        value += column[c].stride / sizeof *value;
    }
}

static scree_status copy_contacts(const struct scree_world *world, struct scree_contact_rows *rows)
{
    const size_t all = world->contacts.candidates + world->contacts.walls.count +
                       SCREE_OUTSIDE_MOST * world->contacts.outside.pairs;
    struct contact contact;
    for (size_t c = 0; c < all; ++c) {
        if (!read_candidate(world, c, &contact))
            continue;
        const size_t e = find_layout(rows, contact.layout);
        if (e == rows->layout.count)
            SCREE_TRY(scree_contact_rows_add(rows, contact.layout));
        struct scree_entity *entity = &rows->registry.entities.data[e];
        SCREE_TRY(scree_entity_reserve(entity, entity->count + 1));
        write_row(entity, &contact);
    }
    return SCREE_OK;
}

static scree_status copy_grains(const struct scree_contacts *contacts, struct scree_entity *entity)
{
    SCREE_TRY(scree_entity_reserve(entity, contacts->grains));
    struct scree_contact_key_grain *grain =
        (struct scree_contact_key_grain *)(void *)entity->columns.data[0].base;
    for (; entity->count < contacts->grains; ++entity->count)
        grain[entity->count] = (struct scree_contact_key_grain){
            contacts->id[entity->count], contacts->carried ? contacts->carried[entity->count] : 0};
    return SCREE_OK;
}

scree_status scree_contact_rows_copy(const struct scree_world *world, bool grains,
                                     struct scree_contact_rows *rows)
{
    SCREE_TRY(scree_contact_rows_begin(rows));
    rows->unsorted = world->contacts.walls.unsorted;
    scree_status status = copy_contacts(world, rows);
    if (status == SCREE_OK && grains)
        status = copy_grains(&world->contacts, &rows->registry.entities.data[SCREE_CONTACT_ROWS_GRAINS]);
    if (status != SCREE_OK)
        scree_contact_rows_free(rows);
    return status;
}

// --- publishing

// Swaps the memory of columns: `to` receives the new rows, `from` the old ones, to be freed.
static void swap_rows(struct scree_entity *to, struct scree_entity *from)
{
    for (size_t c = 0; c < to->columns.count; ++c) {
        char *const base = to->columns.data[c].base;
        to->columns.data[c].base = from->columns.data[c].base;
        from->columns.data[c].base = base;
    }
    to->count = from->count;
    to->capacity = from->capacity;
}

static scree_status publish(struct scree_world *world, struct scree_contact_rows *rows)
{
    for (size_t e = 1; e < rows->layout.count; ++e) {
        const char *name = rows->registry.entities.data[e].name;
        const struct scree_entity *existing = scree_registry_entity(&world->registry, name);
        if (!existing)
            SCREE_TRY(add_layout(&world->registry, &rows->layout.data[e]));
        else if (!existing->keyed)
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "contacts cannot be published as '%s': an entity of that name was added "
                                     "already",
                                     name);
    }
    for (size_t e = SCREE_ENTITY_BUILT_IN; e < world->registry.entities.count; ++e) {
        struct scree_entity *entity = &world->registry.entities.data[e];
        struct scree_entity *new_rows = scree_registry_entity(&rows->registry, entity->name);
        if (!entity->keyed)
            continue;
        ++entity->version;
        entity->count = 0;
        if (new_rows)
            swap_rows(entity, new_rows);
    }
    return SCREE_OK;
}

scree_status scree_contact_rows_publish(struct scree_world *world)
{
    struct scree_contact_rows rows;
    SCREE_TRY(scree_contact_rows_copy(world, false, &rows));
    const scree_status status = publish(world, &rows);
    scree_contact_rows_free(&rows);
    return status;
}
