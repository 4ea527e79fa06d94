// The alarm of overlaps, see alarm.h: the contact with the largest overlap, and what to say of it.

#include "contact/evaluate_one.h"
#include "contact/rough_contacts.h"
#include "engine/alarm.h"
#include "engine/alarm_text.h"
#include "engine/soft.h"
#include "shape/surface.h"
#include "world/wall.h"

#include <math.h>

static bool is_larger(const struct scree_alarm_overlap *largest, double ratio, uint64_t first,
                      uint64_t second)
{
    if (ratio != largest->ratio)
        return ratio > largest->ratio;
    return first < largest->body[0] || (first == largest->body[0] && second < largest->body[1]);
}

// Position of a grain in the contacts just evaluated; `moved_time`: time that bodies have moved since.
static void position_in_contact(const struct scree_soft *soft, const struct scree_grain *grain,
                                double moved_time, double *position)
{
    const bool moved = grain->part == 0 || soft->carried_moved;
    scree_alarm_position_before(grain, moved ? moved_time : 0, position);
}

static void search_pairs(const struct scree_soft *soft, double time, struct scree_alarm_overlap *largest)
{
    const struct scree_contacts *contacts = &soft->world->contacts;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (!scree_contacts_is_live(contacts, c) || pair.low == pair.high)
            continue;
        const struct scree_grain *a = &scree_world_grains(soft->world)[pair.low];
        const struct scree_grain *b = &scree_world_grains(soft->world)[pair.high];
        double at[2][3], apart[3], velocity[3] = {0}, square = 0;
        position_in_contact(soft, a, time, at[0]);
        position_in_contact(soft, b, time, at[1]);
        for (int k = 0; k < 3; ++k)
            apart[k] = at[0][k] - at[1][k];
        scree_collider_nearest(&soft->collider, apart, velocity);
        for (int k = 0; k < 3; ++k)
            square += apart[k] * apart[k];
        const double smaller = a->radius < b->radius ? a->radius : b->radius;
        const double ratio = (a->radius + b->radius - sqrt(square)) / smaller;
        const uint64_t low = scree_alarm_body_id(soft, pair.low), high = scree_alarm_body_id(soft, pair.high);
        if (is_larger(largest, ratio, low, high))
            *largest = (struct scree_alarm_overlap){
                ratio, ratio * smaller, {low, high}, 0, {a->part, b->part}, 0, 0, NULL};
    }
}

static void search_walls(const struct scree_soft *soft, double time, struct scree_alarm_overlap *largest)
{
    const struct scree_wall_contacts *walls = &soft->world->contacts.walls;
    for (size_t k = 0; k < walls->count; ++k) {
        if (!walls->live[k])
            continue;
        const struct scree_pair pair = walls->pair[k];
        const struct scree_grain *grain = &scree_world_grains(soft->world)[pair.low];
        struct scree_surface_touch touch;
        double at[3];
        position_in_contact(soft, grain, time, at);
        struct scree_wall plane;
        const struct scree_wall *wall = scree_wall_row(soft->world, pair.high);
        scree_surface_touch(scree_rough_contacts_wall(walls, k, wall, &plane), walls->feature[k], at, &touch);
        const double ratio = (grain->radius - touch.gap) / grain->radius;
        const struct scree_contact_key key = scree_contacts_wall_key(&soft->world->contacts, k);
        if (is_larger(largest, ratio, key.low, 0))
            *largest = (struct scree_alarm_overlap){
                ratio,     ratio * grain->radius, {key.low, 0}, key.high, {grain->part, 0},
                pair.high, walls->feature[k],     NULL};
    }
}

// Contacts of polyhedra, at the present positions: a step of motion changes the overlap by little.
static void search_outside(const struct scree_soft *soft, struct scree_alarm_overlap *largest)
{
    const struct scree_evaluator evaluator = {.world = soft->world};
    const struct scree_outside_contacts *outside = &soft->world->contacts.outside;
    struct scree_outside_pair pair;
    for (size_t p = 0; p < outside->pairs; ++p) {
        if (outside->live[p] == 0 || !scree_evaluate_one_find_outside(&evaluator, p, &pair))
            continue;
        const struct scree_contact_key key =
            scree_contacts_outside_pair_key(&soft->world->contacts, outside, p);
        const bool wall = outside->wall[p] > 0;
        const size_t wall_slot = wall ? (size_t)(pair.side[1].wall - scree_wall_row(soft->world, 0)) : 0;
        for (size_t t = 0; t < pair.count; ++t)
            if (is_larger(largest, pair.touch[t].overlap / pair.depth, key.low, wall ? 0 : key.high))
                *largest = (struct scree_alarm_overlap){pair.touch[t].overlap / pair.depth,
                                                        pair.touch[t].overlap,
                                                        {key.low, wall ? 0 : key.high},
                                                        outside->wall[p],
                                                        {key.low_part, key.high_part},
                                                        (uint32_t)wall_slot,
                                                        0,
                                                        scree_outside_depth_name(&pair)};
    }
}

static void raise_overlap(struct scree_soft *soft, struct scree_alarm *alarm,
                          const struct scree_alarm_overlap *largest)
{
    char side[2][SCREE_ALARM_SIDE], advice[SCREE_ALARM_ADVICE], facet[SCREE_ALARM_FACET] = "";
    scree_alarm_text_side(soft, alarm->body[0], (scree_wall_id){0}, side[0]);
    scree_alarm_text_side(soft, alarm->body[1], alarm->wall, side[1]);
    scree_alarm_text_overlap(soft, alarm, largest, advice);
    // a polyhedron can touch many facets at once
    if (alarm->wall.value > 0 && !largest->of)
        scree_alarm_text_facet(soft, largest->wall_slot, largest->feature, facet);
    scree_alarm_raise(&soft->watch, alarm, "%s and %s%s overlap by %g of %s; the limit is %g: %s", side[0],
                      side[1], facet, alarm->value, largest->of ? largest->of : "the smaller radius",
                      alarm->limit, advice);
}

void scree_alarm_overlap_check(struct scree_soft *soft)
{
    if (!scree_collider_has_contacts(&soft->collider) || !(soft->collider.excess > 0) ||
        !scree_alarm_is_active(&soft->watch, SCREE_ALARM_OVERLAP))
        return;
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_OVERLAP);
    const double moved_time = soft->moved_ahead ? soft->mover.step.h : 0;
    struct scree_alarm_overlap largest = {.ratio = -(double)INFINITY};
    search_pairs(soft, moved_time, &largest);
    search_walls(soft, moved_time, &largest);
    search_outside(soft, &largest);
    alarm.body[0].value = largest.body[0];
    alarm.body[1].value = largest.body[1];
    alarm.wall.value = largest.wall;
    alarm.value = largest.ratio;
    alarm.limit = soft->watch.def.overlap;
    raise_overlap(soft, &alarm, &largest);
}
