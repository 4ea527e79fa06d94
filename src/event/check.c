// What the event engine does not know is refused by name.

#include "event/cell.h"
#include "world/cell.h"
#include "world/grain.h"

static scree_status refuse(const struct scree_event *event, const char *what, const char *instead)
{
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED, "the %s engine moves hard spheres%s: %s; %s", event->engine->ops->name,
        event->draws.present ? " and disks" : ", disks and clumps of them", what, instead);
}

static scree_status check_body(const struct scree_world *world, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    // in two dimensions the other directions are fixed in any case
    const bool flat = scree_world_dimension(world) == 2;
    const unsigned all = flat ? SCREE_FIX_X | SCREE_FIX_Y : SCREE_FIX_POSITION;
    const unsigned all_turns = flat ? SCREE_FIX_SPIN_Z : SCREE_FIX_SPIN;
    const unsigned fixed = grain->flags & all, turns = grain->flags & all_turns;
    const char *fault = NULL;
    if (scree_polyhedron_of(world, slot) || !(scree_grain_reach(world, slot) > 0))
        fault = scree_event_piston_fault(world, slot);
    else if ((fixed != 0 && fixed != all) || (turns != 0 && turns != all_turns))
        fault = "is fixed in some directions only: fix its position or its spin in all of them, or in none";
    if (!fault)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "body %llu %s",
                             (unsigned long long)scree_world_ids(world)[slot], fault);
}

scree_status scree_event_check(const struct scree_event *event)
{
    const struct scree_world *world = event->world;
    for (size_t l = 0; l < world->loads.count; ++l)
        if (!scree_event_piston_can_bear(world, &world->loads.data[l]))
            return refuse(event, "the world has loads",
                          "only gravity acts on them, and constant forces on pistons");
    if (scree_world_entity(world, SCREE_ENTITY_BOND)->count > 0)
        return refuse(event, "the world has bonds", "use the engine 'soft'");
    if (scree_world_entity(world, SCREE_ENTITY_SERVO)->count > 0)
        return refuse(event, "a servo moves walls", "let them move with a velocity or by a function");
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        SCREE_TRY(check_body(world, i));
    for (size_t i = 0; i < scree_grain_carried(world); ++i)
        if (scree_grain_locals(world)[i].kind == SCREE_KIND_POLYHEDRON)
            return refuse(event, "a clump has a polyhedron", "make it of spheres");
    SCREE_TRY(scree_event_cell_check(world));
    if (event->draws.present)
        return scree_event_draws_check(event);
    return scree_event_lists_check(world);
}
