// Bonds that broke: events, and release of their energy; see bond_break.h.

#include "contact/bond_break.h"

#include "base/sort.h"
#include "contact/bond_side.h"
#include "contact/ledger.h"
#include "world/world.h"

#include <math.h>

// --- before the next evaluation

// A copy of a grain where it was `time` ago, s. It counts as its body's own grain: the stored energy does not
// depend on that.
static struct scree_grain before(const struct scree_grain *grain, const double *velocity, double time)
{
    struct scree_grain copy = *grain;
    for (int k = 0; k < 3; ++k)
        copy.position[k] -= time * (grain->velocity[k] - velocity[k]);
    copy.part = 0;
    return copy;
}

// Elastic energy of the contact that a bond has excluded. Its force acts from the middle of this step on, so
// this is the energy at that time, when velocities are those of mid-step.
static double energy_of_contact(const struct scree_collider *collider, const struct scree_bond_one *one,
                                unsigned feature, double step)
{
    static const double still[3];
    const struct scree_evaluator evaluator = {.world = collider->world, .classes = &collider->classes};
    struct scree_evaluated evaluated;
    double velocity[3] = {0};
    if (one->wall)
        scree_vec3_store(scree_wall_velocity(one->wall, one->end[1].centre), velocity);
    const struct scree_grain first = before(one->side[0], velocity, 0.5 * step);
    if (one->wall)
        return scree_evaluate_one_wall(&evaluator, &first, one->wall, feature, NULL, 0, &evaluated)
                   ? evaluated.stored
                   : 0;
    const struct scree_grain second = before(one->side[1], still, 0.5 * step);
    return scree_evaluate_one_pair(&evaluator, &first, &second, NULL, 0, &evaluated) ? evaluated.stored : 0;
}

static void release(struct scree_collider *collider, uint32_t row, double step)
{
    struct scree_world *world = collider->world;
    struct scree_clock *clock = scree_world_clock(world);
    const struct scree_bond_release *released = &scree_bond_releases(world)[row];
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    const double energy = released->energy + 0.5 * step * released->power;
    struct scree_bond_one one;
    const bool exists = scree_bond_side_evaluate(world, row, &one),
               out = exists && scree_ledger_is_out(one.side);
    scree_total_add(&clock->released, energy);
    // an edit has taken the energy out of the ledger; contacts of its bodies are entered later
    if (out)
        scree_total_add(&clock->energy_input, energy);
    else if (exists && sides->excludes)
        scree_total_add(&clock->energy_input, energy_of_contact(collider, &one, sides->feature, step));
}

void scree_bond_break_release(struct scree_collider *collider, double step)
{
    struct scree_bond_lists *lists = &collider->bonds;
    uint32_t row;
    for (size_t k = 0; k < lists->broken.count; ++k) {
        if (!scree_bond_row_of(collider->world, lists->broken.data[k], &row))
            continue;
        release(collider, row, step);
        scree_bond_uncover(collider->world, row);
        scree_bond_lists_remove(lists, collider->world, row);
    }
    lists->broken.count = 0;
}

// --- after an evaluation

// Lists the ids of the bonds that broke, ascending.
static scree_status list_broken(struct scree_bond_lists *lists, const struct scree_world *world)
{
    uint64_t *id = NULL;
    uint32_t *order = NULL;
    size_t count = 0, all = 0;
    for (size_t t = 0; t < lists->tiles; ++t)
        all += lists->broke[t];
    scree_status status = scree_memory_new(all, sizeof *id, (void **)&id);
    if (status == SCREE_OK)
        status = scree_memory_new(all, sizeof *order, (void **)&order);
    for (size_t t = 0; t < lists->tiles && status == SCREE_OK; ++t)
        for (size_t k = 0; k < lists->count[t] && lists->broke[t] > 0; ++k) {
            const uint32_t row = lists->entry[lists->first[t] + k].row;
            if (scree_bond_sides(world)[row].broken)
                id[count++] = scree_bond_ids(world)[row];
        }
    if (status == SCREE_OK)
        status = scree_sort_order(id, count, order);
    if (status == SCREE_OK)
        status = scree_array_reserve(&lists->broken, count);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        lists->broken.data[lists->broken.count++] = id[order[k]];
    scree_memory_free(order);
    scree_memory_free(id);
    return status;
}

static scree_status add_event(struct scree_world *world, uint32_t row)
{
    struct scree_clock *clock = scree_world_clock(world);
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    const struct scree_bond_release *release = &scree_bond_releases(world)[row];
    scree_slot slot;
    uint64_t number;
    SCREE_TRY(scree_entity_insert(scree_world_entity(world, SCREE_ENTITY_BROKEN_BOND), &slot, &number));
    struct scree_broken_bond *event = &scree_bond_events(world)[slot.index];
    *event = (struct scree_broken_bond){
        .time = clock->time,
        .step = clock->steps,
        .bond = scree_bond_ids(world)[row],
        .body = {sides->body[0], sides->body[1]},
        .wall = sides->wall,
        .part = {sides->part[0], sides->part[1]},
        .kind = sides->kind,
        .mode = sides->broken - 1u,
        .energy = release->energy + 0.5 * clock->step * release->power,
        .lost = scree_bond_damages(world) ? scree_bond_damages(world)[row].lost : 0};
    memcpy(event->point, release->point, sizeof event->point);
    ++clock->broken[event->mode];
    return SCREE_OK;
}

// Returns whether the sides may come into contact before the next search, so that it must be made now.
static bool needs_search(const struct scree_collider *collider, uint32_t row)
{
    const struct scree_search *search = &collider->search;
    struct scree_bond_one one;
    if (!scree_bond_sides(collider->world)[row].excludes || collider->classes.count == 0)
        return false;
    if (!scree_bond_side_evaluate(collider->world, row, &one) || one.wall)
        return true;
    const double gap = scree_vec3_norm(one.between) - one.side[0]->radius - one.side[1]->radius;
    const double skin = search->skin + 2 * search->displacements.largest_extra;
    return !(gap > 2 * skin + search->range + search->end_margin);
}

scree_status scree_bond_break_record(struct scree_collider *collider)
{
    struct scree_bond_lists *lists = &collider->bonds;
    struct scree_world *world = collider->world;
    uint32_t row, any = 0;
    for (size_t t = 0; t < lists->tiles; ++t)
        any |= lists->broke[t];
    if (!any)
        return SCREE_OK;
    scree_status status = list_broken(lists, world);
    if (status == SCREE_OK)
        status = scree_array_reserve(&world->uncovered, world->uncovered.count + lists->broken.count);
    size_t made = 0;
    for (; made < lists->broken.count && status == SCREE_OK; made += status == SCREE_OK)
        if (scree_bond_row_of(world, lists->broken.data[made], &row)) {
            status = add_event(world, row);
            if (status == SCREE_OK && needs_search(collider, row))
                collider->search.used = (double)INFINITY;
        }
    for (size_t t = 0; t < lists->tiles; ++t)
        lists->broke[t] = 0;
    if (status == SCREE_OK)
        return SCREE_OK;
    // without an event a bond breaks in the next evaluation
    for (row = 0; row < scree_bond_rows(world); ++row) {
        bool has_event = false;
        for (size_t k = 0; k < made; ++k)
            has_event = has_event || lists->broken.data[k] == scree_bond_ids(world)[row];
        if (!has_event)
            scree_bond_sides(world)[row].broken = 0;
    }
    lists->broken.count = made;
    return status;
}
