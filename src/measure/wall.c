// Force and moment of contacts on walls and groups of walls, summed independently of order.

#include "measure/wall.h"

#include "base/sort.h"
#include "base/sum.h"
#include "contact/visit.h"
#include "contact/walk.h"
#include "world/bond.h"
#include "world/entity.h"
#include "world/group.h"
#include "world/wall.h"

#include <scree/measure.h>

enum { FORCE, MOMENT = 3, SUMS = 6 };

// Adds the reaction of one contact or bond on its wall.
static void add_reaction(const struct scree_evaluated *evaluated, const double *point, struct scree_sum *sums)
{
    const struct scree_vec3 force =
        scree_vec3_make(-evaluated->force.x, -evaluated->force.y, -evaluated->force.z);
    const struct scree_vec3 couple =
        scree_vec3_make(-evaluated->couple.x, -evaluated->couple.y, -evaluated->couple.z);
    const struct scree_vec3 contact_point =
        scree_vec3_make(evaluated->point.x, evaluated->point.y, evaluated->point.z);
    const struct scree_vec3 arm = scree_vec3_sub(contact_point, scree_vec3_load(point));
    double terms[SUMS];
    scree_vec3_store(force, terms + FORCE);
    scree_vec3_store(scree_vec3_add(scree_vec3_cross(arm, force), couple), terms + MOMENT);
    for (int k = 0; k < SUMS; ++k)
        scree_sum_add(&sums[k], terms[k]);
}

static void add(const struct scree_evaluator *evaluator, size_t candidate, const double *point,
                struct scree_sum *sums)
{
    struct scree_evaluated evaluated;
    if (scree_evaluate_one_wall_contact(evaluator, candidate, &evaluated))
        add_reaction(&evaluated, point, sums);
}

// Returns whether a wall is the one of this id, or, for an id of 0, in a group of the mask.
static bool is_wanted(const struct scree_world *world, uint64_t wall, uint64_t id, uint64_t mask)
{
    uint32_t slot;
    return id != 0 ? wall == id
                   : scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, wall, &slot) &&
                         (scree_group_of_wall(world, slot) & mask);
}

// Adds the reactions of bonds on wanted walls.
static void add_bonds(const struct scree_evaluator *evaluator, uint64_t id, uint64_t mask,
                      const double *point, struct scree_sum *sums)
{
    const struct scree_world *world = evaluator->world;
    for (uint32_t row = 0; row < scree_bond_rows(world); ++row) {
        struct scree_evaluated evaluated;
        struct scree_grain *sides[2];
        const uint64_t wall = scree_bond_sides(world)[row].wall;
        if (wall > 0 && is_wanted(world, wall, id, mask) &&
            scree_visit_bond(evaluator, row, &evaluated, sides))
            add_reaction(&evaluated, point, sums);
    }
}

// Adds the reactions of contacts from outside on wanted walls.
static void add_outside(const struct scree_evaluator *evaluator, uint64_t id, uint64_t mask,
                        const double *point, struct scree_sum *sums)
{
    const struct scree_outside_contacts *outside = &evaluator->world->contacts.outside;
    for (size_t p = 0; p < outside->pairs; ++p) {
        struct scree_outside_pair found;
        struct scree_evaluated evaluated;
        if (outside->live[p] == 0 || outside->wall[p] == 0 ||
            !is_wanted(evaluator->world, outside->wall[p], id, mask) ||
            !scree_evaluate_one_find_outside(evaluator, p, &found))
            continue;
        for (size_t t = 0; t < found.count; ++t)
            if (scree_evaluate_one_outside(evaluator, p, &found, t, &evaluated))
                add_reaction(&evaluated, point, sums);
    }
}

static void store(const struct scree_sum *sums, double *out)
{
    for (int k = 0; k < 3 && out; ++k)
        out[k] = scree_sum_value(&sums[k]);
}

// Sums over the contacts of one wall, or, for an id of 0, of all walls in a group of the mask.
static scree_status sum_contacts(const struct scree_world *world, uint64_t id, uint64_t mask,
                                 const double point[3], double force[3], double moment[3])
{
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    struct scree_sum sums[SUMS] = {0};
    SCREE_TRY(scree_walk_check_point(world));
    for (size_t c = 0; c < world->contacts.walls.count; ++c)
        if (is_wanted(world, scree_contacts_wall(&world->contacts, c), id, mask))
            add(&evaluator, c, point, sums);
    add_bonds(&evaluator, id, mask, point, sums);
    add_outside(&evaluator, id, mask, point, sums);
    store(sums + FORCE, force);
    store(sums + MOMENT, moment);
    return SCREE_OK;
}

scree_status scree_wall_load(const struct scree_world *world, scree_wall_id id, double force[3],
                             double moment[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    return sum_contacts(world, id.value, 0, scree_wall_row(world, slot.index)->pivot, force, moment);
}

scree_status scree_wall_load_groups(const struct scree_world *world, uint64_t mask, const double point[3],
                                    double force[3], double moment[3])
{
    return sum_contacts(world, 0, mask, point, force, moment);
}

scree_status scree_wall_load_all(struct scree_world *world)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    const struct scree_entity *entity = scree_world_entity(world, SCREE_ENTITY_WALL);
    struct scree_evaluator_pairs pairs = {0};
    const struct scree_evaluator evaluator = {.world = world, .pairs = &pairs};
    uint64_t *slots;
    uint32_t *order = NULL, slot;
    SCREE_TRY(scree_memory_new(walls->count, sizeof *slots, (void **)&slots));
    scree_status status = scree_memory_new(walls->count, sizeof *order, (void **)&order);
    for (size_t c = 0; c < walls->count && status == SCREE_OK; ++c)
        slots[c] = scree_pool_find(&entity->pool, scree_contacts_wall(&world->contacts, c), &slot)
                       ? slot
                       : UINT32_MAX;
    if (status == SCREE_OK)
        status = scree_sort_order(slots, walls->count, order);
    size_t at = 0;
    for (size_t w = 0; w < entity->count && status == SCREE_OK; ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        struct scree_sum sums[SUMS] = {0};
        for (; at < walls->count && slots[order[at]] == w; ++at)
            add(&evaluator, order[at], wall->pivot, sums);
        add_bonds(&evaluator, scree_entity_ids(entity)[w], 0, wall->pivot, sums);
        add_outside(&evaluator, scree_entity_ids(entity)[w], 0, wall->pivot, sums);
        store(sums + FORCE, wall->force);
        store(sums + MOMENT, wall->moment);
    }
    scree_memory_free(slots);
    scree_memory_free(order);
    return status;
}
