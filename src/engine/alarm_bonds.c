// The alarm of bonds in a periodic cell, see alarm.h.
//
// A bond connects the nearest periodic images of its sides. When it becomes longer than half of a period
// along an axis, another image is the nearest one, and its force changes sign. The alarm is raised before:
// while the bond would exceed half of the period within two more steps of its present velocity. Between
// searches two grains approach or part by at most the skin, so bonds are checked in each step only if one is
// that near, or if there are bonds with walls, whose motion along their own surfaces needs no search. In a
// cell with cell vectors images are the nearest ones up to half of its smallest width, which changes with the
// cell, and bonds are checked in each step.

#include "contact/bond_side.h"
#include "engine/alarm.h"
#include "engine/alarm_text.h"
#include "engine/soft.h"
#include "world/cell.h"

#include <math.h>

// The bond that exceeds half of a period by most.
struct longest {
    const struct scree_bond_entry *entry;
    uint64_t id;
    int axis;
    double excess, extent; // m
    double half;           // of the smallest width of a cell with cell vectors, two steps ahead, m
};

// Vector between the sides, in the nearest image, and its rate.
struct span {
    struct scree_vec3 vector, velocity;
};

// A grain at the end of the step: in a run, bodies have moved already for the next one, but walls have not,
// and pebbles only if their records have been updated.
static struct scree_bond_end end_of_grain(const struct scree_soft *soft, uint32_t slot)
{
    const struct scree_world *world = soft->world;
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const bool has_moved = soft->moved_ahead && (grain->part == 0 || soft->carried_moved);
    const double ahead = has_moved ? soft->mover.step.h : 0;
    struct scree_bond_end end = scree_bond_side_of_grain(grain, scree_world_rotors(world));
    end.centre = scree_vec3_add_scaled(end.centre, -ahead, scree_vec3_load(grain->velocity));
    return end;
}

static struct span span_of(const struct scree_soft *soft, const struct scree_bond_entry *entry)
{
    const struct scree_world *world = soft->world;
    const struct scree_bond_end first = end_of_grain(soft, entry->slot[0]);
    struct scree_bond_end second = first;
    uint32_t wall;
    if (entry->slot[1] != UINT32_MAX)
        second = end_of_grain(soft, entry->slot[1]);
    else if (scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool,
                             scree_bond_sides(world)[entry->row].wall, &wall))
        second = scree_bond_side_of_wall(scree_wall_row(world, wall), &scree_bond_anchors(world)[entry->row]);
    const struct scree_images images = scree_collider_images(&soft->collider);
    const struct scree_vec3 vector = scree_bond_side_between(&first, &second, &images);
    return (struct span){vector, scree_vec3_sub(second.motion.velocity, first.motion.velocity)};
}

static void check(const struct scree_soft *soft, const struct scree_bond_entry *entry, double margin,
                  struct longest *longest)
{
    const struct span span = span_of(soft, entry);
    const double vector[3] = {span.vector.x, span.vector.y, span.vector.z},
                 velocity[3] = {span.velocity.x, span.velocity.y, span.velocity.z};
    const uint64_t id = scree_bond_ids(soft->world)[entry->row];
    const double growth = margin > 0 && entry->slot[1] == UINT32_MAX ? (double)INFINITY : margin;
    if (soft->collider.skewed) {
        const double length = scree_vec3_norm(span.vector),
                     excess =
                         length + 2 * soft->mover.step.h * scree_vec3_norm(span.velocity) - longest->half;
        if (excess > longest->excess || (excess == longest->excess && longest->entry && id < longest->id))
            *longest = (struct longest){entry, id, 0, excess, length, longest->half};
        return;
    }
    for (int k = 0; k < 3; ++k) {
        if (!(soft->collider.period[k] < (double)INFINITY))
            continue;
        const double excess = fabs(vector[k]) + 2 * soft->mover.step.h * fabs(velocity[k]) + growth -
                              0.5 * soft->collider.period[k];
        if (excess > longest->excess || (excess == longest->excess && longest->entry && id < longest->id))
            *longest = (struct longest){entry, id, k, excess, fabs(vector[k]), longest->half};
    }
}

// The cell is strained by less than a tenth in a step (engine/drift.c).
static double half_width(const struct scree_soft *soft)
{
    const struct scree_lattice *lattice = scree_world_lattice(soft->world);
    const double strain =
        lattice ? 2.2 * soft->mover.step.h * scree_lattice_norm(scree_lattice_load(lattice->gradient)) : 0;
    return 0.5 * scree_cell_narrowest(soft->world) * (1 - strain);
}

// The longest bond that may exceed half of a period if it grows by `margin`, m; its entry is null for none.
static struct longest find_longest(const struct scree_soft *soft, double margin)
{
    const struct scree_bond_lists *lists = &soft->collider.bonds;
    struct longest longest = {.half = half_width(soft)};
    for (size_t t = 0; t < lists->tiles; ++t)
        for (size_t k = 0; k < lists->count[t]; ++k)
            if (!scree_bond_sides(soft->world)[lists->entry[lists->first[t] + k].row].broken)
                check(soft, &lists->entry[lists->first[t] + k], margin, &longest);
    return longest;
}

void scree_alarm_bonds_check(struct scree_soft *soft)
{
    const struct scree_search *search = &soft->collider.search;
    struct scree_alarm_watch *watch = &soft->watch;
    const bool skewed = scree_world_lattice(soft->world) != NULL;
    if (soft->collider.bonds.live == 0 || !(skewed || scree_cell_is_periodic(soft->world)) ||
        !scree_alarm_is_active(watch, SCREE_ALARM_BOND))
        return;
    if (watch->searches != search->searches) {
        watch->searches = search->searches;
        watch->bonds_near = find_longest(soft, 2 * (search->skin + search->end_margin)).entry != NULL;
    }
    if (!watch->bonds_near && !skewed)
        return;
    const struct longest longest = find_longest(soft, 0);
    if (!longest.entry)
        return;
    const struct scree_bond_sides *sides = &scree_bond_sides(soft->world)[longest.entry->row];
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_BOND);
    char side[2][SCREE_ALARM_SIDE];
    alarm.body[0].value = sides->body[0];
    alarm.body[1].value = sides->body[1];
    alarm.wall.value = sides->wall;
    alarm.value = longest.extent;
    alarm.limit = skewed ? longest.half : 0.5 * soft->collider.period[longest.axis];
    scree_alarm_text_side(soft, alarm.body[0], (scree_wall_id){0}, side[0]);
    scree_alarm_text_side(soft, alarm.body[1], alarm.wall, side[1]);
    if (skewed) {
        scree_alarm_raise(&soft->watch, &alarm,
                          "bond %llu of %s and %s is %g m long, and half of the smallest width of the "
                          "periodic cell is %g m: a longer bond would pull its sides to another periodic "
                          "image. Use a wider cell, or bonds that break before",
                          (unsigned long long)longest.id, side[0], side[1], alarm.value, alarm.limit);
        return;
    }
    scree_alarm_raise(
        &soft->watch, &alarm,
        "bond %llu of %s and %s extends by %g m along %c, and half of the periodic cell is %g m: "
        "a longer bond would pull its sides to another periodic image. Use a wider cell, or "
        "bonds that break before",
        (unsigned long long)longest.id, side[0], side[1], alarm.value, 'x' + longest.axis, alarm.limit);
}
