// Queries of contacts, see include/scree/contact.h.

#include "contact/walk.h"
#include "measure/wall.h"
#include "world/contact_rows.h"
#include "world/edit.h"
#include "world/entity.h"

#include <scree/contact.h>

// flags of wall contacts and of those from outside, so that they come after those between bodies
#define OF_WALL (UINT64_C(1) << 63)
#define FROM_OUTSIDE (UINT64_C(1) << 62)

// Live contacts: indices of candidates, wall contacts flagged, their keys, and the order of the keys.
struct contact_list {
    uint64_t *candidate;
    struct scree_contact_key *key;
    uint32_t *order;
    size_t count;
};

static bool evaluate(const struct scree_evaluator *evaluator, uint64_t candidate,
                     struct scree_evaluated *evaluated)
{
    if (candidate & FROM_OUTSIDE)
        return scree_evaluate_one_outside_contact(evaluator, (size_t)(candidate & ~FROM_OUTSIDE), evaluated);
    return candidate & OF_WALL
               ? scree_evaluate_one_wall_contact(evaluator, (size_t)(candidate & ~OF_WALL), evaluated)
               : scree_evaluate_one_contact(evaluator, (size_t)candidate, evaluated);
}

// Returns the number of live contacts; fills `candidate` unless it is null.
static size_t collect(const struct scree_world *world, uint64_t *candidate)
{
    const struct scree_contacts *contacts = &world->contacts;
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct scree_evaluated evaluated;
    size_t count = 0;
    const uint64_t grains = contacts->candidates, walls = contacts->walls.count;
    for (uint64_t c = 0; c < grains + walls + SCREE_OUTSIDE_MOST * contacts->outside.pairs; ++c) {
        const uint64_t number = c < grains           ? c
                                : c < grains + walls ? (c - grains) | OF_WALL
                                                     : (c - grains - walls) | FROM_OUTSIDE;
        if (!evaluate(&evaluator, number, &evaluated))
            continue;
        if (candidate)
            candidate[count] = number;
        ++count;
    }
    return count;
}

static struct scree_contact_key key_of(const struct scree_world *world, uint64_t candidate)
{
    const uint64_t number = candidate & ~FROM_OUTSIDE;
    if (candidate & FROM_OUTSIDE)
        return scree_contacts_outside_key(&world->contacts, number / SCREE_OUTSIDE_MOST,
                                          number % SCREE_OUTSIDE_MOST);
    return candidate & OF_WALL ? scree_contacts_wall_key(&world->contacts, (size_t)(candidate & ~OF_WALL))
                               : scree_contacts_key(&world->contacts, (size_t)candidate);
}

static void free_list(struct contact_list *found)
{
    scree_memory_free(found->candidate);
    scree_memory_free(found->key);
    scree_memory_free(found->order);
}

// Free the list also after a failure.
static scree_status list(const struct scree_world *world, struct contact_list *found)
{
    *found = (struct contact_list){0};
    SCREE_TRY(scree_walk_check_point(world));
    found->count = collect(world, NULL);
    SCREE_TRY(scree_memory_new(found->count, sizeof *found->candidate, (void **)&found->candidate));
    SCREE_TRY(scree_memory_new(found->count, sizeof *found->key, (void **)&found->key));
    SCREE_TRY(scree_memory_new(found->count, sizeof *found->order, (void **)&found->order));
    (void)collect(world, found->candidate);
    for (size_t k = 0; k < found->count; ++k)
        found->key[k] = key_of(world, found->candidate[k]);
    return scree_contact_key_order(found->key, found->count, found->order);
}

static void store(struct scree_law_vector v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void copy(struct scree_contact_key key, const struct scree_evaluated *evaluated,
                 struct scree_contact *out)
{
    *out = (struct scree_contact){.body = {{key.low}},
                                  .part = {key.low_part, key.high_part},
                                  .feature = key.feature,
                                  .image = key.image,
                                  .law = evaluated->class->law->name,
                                  .overlap = evaluated->overlap,
                                  .stored = evaluated->stored};
    if (scree_contact_kind_is_wall(key.kind))
        out->wall.value = key.high;
    else
        out->body[1].value = key.high;
    store(evaluated->point, out->point);
    store(evaluated->normal, out->normal);
    store(evaluated->force, out->force);
    store(evaluated->couple, out->couple);
}

size_t scree_contact_count(const struct scree_world *world)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    return scree_walk_check_point(world) == SCREE_OK ? collect(world, NULL) : 0;
}

scree_status scree_contact_list(const struct scree_world *world, struct scree_contact *out, size_t capacity,
                                size_t *count)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct contact_list found;
    struct scree_evaluated evaluated;
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    const scree_status status = list(world, &found);
    for (size_t k = 0; k < found.count && k < capacity && status == SCREE_OK; ++k) {
        const uint32_t c = found.order[k];
        if (evaluate(&evaluator, found.candidate[c], &evaluated))
            copy(found.key[c], &evaluated, &out[k]);
    }
    *count = status == SCREE_OK ? found.count : 0;
    free_list(&found);
    return status;
}

// Resizes the entity of contacts, and those of histories; unchanged on failure.
static scree_status make_rows(struct scree_world *world, size_t count)
{
    SCREE_TRY(scree_entity_reserve(scree_world_entity(world, SCREE_ENTITY_CONTACT), count));
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_CONTACT), SCREE_CONTACT_STATE));
    SCREE_TRY(scree_contact_rows_publish(world));
    struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_CONTACT);
    entity->count = count;
    ++entity->version;
    return SCREE_OK;
}

static void fill(const struct scree_world *world, const struct contact_list *found)
{
    struct scree_evaluated evaluated;
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct scree_contact_state *row =
        (struct scree_contact_state *)scree_world_column(world, SCREE_ENTITY_CONTACT, SCREE_CONTACT_STATE);
    struct scree_contact_key *key =
        (struct scree_contact_key *)scree_world_column(world, SCREE_ENTITY_CONTACT, SCREE_CONTACT_KEY);
    for (size_t k = 0; k < found->count; ++k) {
        const uint32_t c = found->order[k];
        struct scree_contact contact;
        key[k] = found->key[c];
        row[k] = (struct scree_contact_state){0};
        if (!evaluate(&evaluator, found->candidate[c], &evaluated))
            continue;
        copy(key[k], &evaluated, &contact);
        row[k].overlap = contact.overlap;
        row[k].stored = contact.stored;
        strncpy(row[k].law, contact.law, sizeof row[k].law - 1);
        memcpy(row[k].point, contact.point, sizeof row[k].point);
        memcpy(row[k].normal, contact.normal, sizeof row[k].normal);
        memcpy(row[k].force, contact.force, sizeof row[k].force);
        memcpy(row[k].couple, contact.couple, sizeof row[k].couple);
    }
}

scree_status scree_contact_publish(struct scree_world *world)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct contact_list found;
    SCREE_TRY(scree_world_check_not_in_load(world));
    scree_edit_finish_fields(world);
    scree_status status = list(world, &found);
    if (status == SCREE_OK)
        status = scree_wall_load_all(world);
    if (status == SCREE_OK)
        status = make_rows(world, found.count);
    if (status == SCREE_OK)
        fill(world, &found);
    free_list(&found);
    return status;
}
