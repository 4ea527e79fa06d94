// Updates of contact lists, contacts and forces, see refresh.h.

#include "engine/refresh.h"

#include "contact/bond_break.h"
#include "contact/ledger.h"
#include "world/grain.h"
#include "world/wall_body.h"

void scree_refresh_set_levels(struct scree_soft *soft, bool moving)
{
    struct scree_world *world = soft->world;
    const scree_level turning = soft->mover.rotation->level;
    world->pending_step = moving ? &soft->mover.pending_step : NULL;
    world->level[SCREE_LEVEL_OF_VELOCITY] = moving ? soft->mover.translation->level : SCREE_ON_STEP;
    world->level[SCREE_LEVEL_OF_MOMENTUM] = moving ? turning : SCREE_ON_STEP;
    // spins of round bodies
    world->level[SCREE_LEVEL_OF_SPIN] = moving ? scree_spherical.level : SCREE_ON_STEP;
    soft->mover.pending_step.forces_known = false;
}

bool scree_refresh_needs_search(const struct scree_soft *soft)
{
    return scree_collider_has_contacts(&soft->collider) &&
           (soft->world->contacts_stale || scree_search_bodies_changed(&soft->collider.search, soft->world));
}

double scree_refresh_level_of_grains(const struct scree_soft *soft, double step)
{
    return soft->mover.rotation->level == SCREE_MID_STEP ? step : 0;
}

void scree_refresh_grains(struct scree_soft *soft)
{
    const double step = soft->world->pending_step ? soft->mover.step.h : 0;
    scree_grain_update_records(soft->world, scree_refresh_level_of_grains(soft, step), &soft->mover.team);
    scree_wall_body_follow(soft->world);
}

scree_status scree_refresh_search(struct scree_soft *soft, bool may_sort)
{
    struct scree_collider *collider = &soft->collider;
    if (!scree_collider_needs_search(collider))
        return SCREE_OK;
    const double begun = scree_clock_now();
    const scree_status status = scree_collider_search(collider, may_sort);
    // grains may have been moved in memory, and a search updates positions only
    scree_refresh_grains(soft);
    scree_profile_add(&soft->profile, SCREE_PROFILE_SEARCH, begun);
    return status;
}

scree_status scree_refresh_evaluate(struct scree_soft *soft, double step,
                                    const struct scree_evaluate_callbacks *after)
{
    static const scree_profile_part part[SCREE_COLLIDER_PARTS] = {
        [SCREE_COLLIDER_ROWS] = SCREE_PROFILE_ROWS,
        [SCREE_COLLIDER_LISTS] = SCREE_PROFILE_LISTS,
        [SCREE_COLLIDER_OUTSIDE] = SCREE_PROFILE_POLYHEDRA,
        [SCREE_COLLIDER_WALLS] = SCREE_PROFILE_WALLS,
        [SCREE_COLLIDER_AFTER] = SCREE_PROFILE_MOTION};
    soft->collider.timed = soft->profile.sampled;
    SCREE_TRY(scree_wall_wear_prepare(&soft->collider));
    scree_bond_break_release(&soft->collider, step);
    scree_evaluate_contacts(&soft->collider, step, after);
    SCREE_TRY(scree_bond_break_record(&soft->collider));
    scree_profile_split(&soft->profile, part, soft->collider.spent, SCREE_COLLIDER_PARTS);
    scree_ledger_enter(soft->world, &soft->collider.classes, step > 0);
    return SCREE_OK;
}

void scree_refresh_step(struct scree_soft *soft)
{
    if (scree_collider_has_contacts(&soft->collider) && soft->step != scree_world_clock(soft->world)->step)
        scree_ledger_change_step(soft->world, &soft->collider.classes, soft->step);
}

scree_status scree_refresh_lists(struct scree_soft *soft)
{
    // forces are evaluated for the present state; later edits make them outdated again
    scree_world_clear_outdated(soft->world);
    SCREE_TRY(scree_forces_require(&soft->forces));
    if (!soft->carried_moved)
        scree_refresh_grains(soft);
    soft->carried_moved = false;
    // after an edit of positions the lists are rebuilt in any case
    if (!soft->world->opened && scree_collider_has_contacts(&soft->collider))
        scree_search_add_carried_displacement(&soft->collider.search, soft->world, soft->mover.step.h,
                                              soft->world->carried_displacement);
    soft->world->carried_displacement = 0;
    // forces that are set aside are stored by slot
    return scree_collider_has_contacts(&soft->collider)
               ? scree_refresh_search(soft, soft->set_aside.count == 0)
               : SCREE_OK;
}

// Evaluates contacts for the present positions, without advancing their history; all forces become outdated.
static scree_status evaluate_state(struct scree_soft *soft)
{
    SCREE_TRY(scree_refresh_search(soft, true));
    scree_refresh_grains(soft);
    SCREE_TRY(scree_refresh_evaluate(soft, 0, NULL));
    scree_forces_of_contacts(&soft->forces, true);
    for (size_t i = 0; i < scree_world_bodies(soft->world); ++i)
        scree_world_grains(soft->world)[i].flags |= SCREE_FLAG_OUTDATED;
    soft->world->outdated = true;
    soft->world->edits.count = SCREE_WORLD_FEW_EDITS + 1;
    return SCREE_OK;
}

scree_status scree_refresh(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    const bool moved = scree_refresh_needs_search(soft);
    if (!world->outdated && !moved)
        return SCREE_OK;
    scree_mover_read_world(&soft->mover, soft->step);
    SCREE_TRY(scree_forces_require(&soft->forces));
    if (moved)
        SCREE_TRY(evaluate_state(soft));
    SCREE_TRY(scree_forces_refresh(&soft->forces));
    return scree_refresh_lists(soft);
}
