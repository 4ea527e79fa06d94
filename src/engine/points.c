// The points of a soft step, see points.h.
//
// Invariant: a step is a function of the state at its start. Contact forces are summed independently of order
// (contact/sums.h); forces of carried grains, applied forces and loads are added in a fixed order.

#include "engine/points.h"

#include "base/instant.h"
#include "engine/half_kick.h"
#include "engine/refresh.h"
#include "world/cell_servo.h"
#include "world/edit.h"
#include "world/grain.h"
#include "world/servo.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

// Applies the pending half-kick only if on-step velocities are needed; else it is done together with the next
// one.
scree_status scree_points_begin(struct scree_soft *soft)
{
    if (!soft->world->pending_step ||
        !(soft->world->outdated || scree_engine_has_callback(soft->engine, 0, SCREE_POINT_MOVE)))
        return SCREE_OK;
    // without callbacks here, only edited bodies need on-step velocities
    if (!scree_engine_has_callback(soft->engine, 0, SCREE_POINT_MOVE) && !scree_refresh_needs_search(soft) &&
        scree_half_kick_sync_outdated(&soft->mover))
        return SCREE_OK;
    SCREE_TRY(scree_half_kick_sync(&soft->mover));
    scree_refresh_set_levels(soft, false);
    return SCREE_OK;
}

// Evaluates the loads at mid-step, if the scheme of rotation needs them, and completes the step, even if a
// load function has failed.
static scree_status add_mid_step_loads(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    const size_t bodies = scree_world_bodies(soft->world);
    if (bodies == 0 || !scree_mover_needs_mid_step(mover))
        return SCREE_OK;
    memset(soft->mid_step.data, 0, bodies * sizeof soft->mid_step.data[0]);
    const double time = scree_world_clock(soft->world)->time + 0.5 * mover->step.h;
    struct scree_loads *loads = &soft->forces.loads;
    scree_status status = scree_loads_begin(loads, soft->world, SCREE_LOADS_MID_STEP, time);
    if (status == SCREE_OK) {
        scree_loads_add(loads, mover, soft->mid_step.data);
        status = scree_loads_end(loads, soft->world);
    }
    scree_mover_finish(mover, soft->mid_step.data);
    return status;
}

bool scree_points_has_next(const struct scree_soft *soft)
{
    // bodies have moved already: finish the step
    return soft->moved_ahead || (soft->steps_left > 0 &&
                                 !scree_instant_has_come(scree_world_clock(soft->world)->time, soft->until) &&
                                 !soft->watch.stopped && scree_engine_continues(soft->engine));
}

static scree_status add_displacement(struct scree_soft *soft)
{
    SCREE_TRY(scree_wall_motion_begin_step(soft->world, soft->mover.step.h));
    if (scree_collider_has_contacts(&soft->collider))
        scree_search_add_displacement(&soft->collider.search, soft->world, soft->mover.step.h,
                                      sqrt(soft->mover.fastest), soft->mover.changed_vectors);
    return SCREE_OK;
}

// Everything that can fail is done before bodies move; then the step is completed.
scree_status scree_points_move(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    if (soft->moved_ahead) {
        soft->moved_ahead = false;
        return add_displacement(soft);
    }
    if (!soft->world->pending_step || soft->world->outdated)
        SCREE_TRY(scree_refresh(soft));
    SCREE_TRY(scree_mover_check(mover));
    SCREE_TRY(scree_drift_prepare(soft->world, soft->step));
    if (scree_mover_needs_mid_step(mover))
        SCREE_TRY(scree_array_reserve(&soft->mid_step, scree_world_bodies(soft->world)));
    scree_refresh_step(soft);
    if (!soft->world->pending_step)
        scree_half_kick_restore(mover);
    scree_mover_advance(mover, soft->step);
    scree_status status = add_displacement(soft);
    const scree_status loads = add_mid_step_loads(soft);
    status = status == SCREE_OK ? loads : status;
    scree_refresh_set_levels(soft, true);
    if (status != SCREE_OK)
        SCREE_TRY(scree_world_advance_time(soft->world, soft->step));
    return status;
}

scree_status scree_points_time(struct scree_soft *soft)
{
    return scree_world_advance_time(soft->world, soft->step);
}

scree_status scree_points_walls(struct scree_soft *soft)
{
    scree_wall_advance(soft->world, soft->step);
    return SCREE_OK;
}

// If invariants are checked at the end of each step, bodies must not move before the check.
#ifdef SCREE_VALIDATE_STEPS
static const bool validate_steps = true;
#else
static const bool validate_steps = false;
#endif

// Returns true if bodies can be moved as soon as their contacts are summed, before point 10 of the next step:
// all forces on a block are known, and nothing reads or changes the state until point 10.
static bool can_fuse(const struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    return !validate_steps && !soft->state_only && scree_points_has_next(soft) &&
           scree_edit_is_evaluated(world) && scree_forces_can_fuse(&soft->forces) &&
           !scree_step_control_is_due(soft) && !scree_servo_is_due(world, scree_world_clock(world)->steps) &&
           !scree_cell_servo_is_due(world, scree_world_clock(world)->steps) &&
           !scree_engine_has_callback(soft->engine, SCREE_POINT_CONTACTS, 100) &&
           !scree_engine_has_callback(soft->engine, 0, SCREE_POINT_MOVE);
}

// After a failed load in a fused evaluation, in which all bodies have moved: completes the motion of the next
// step up to its contact search.
static scree_status complete_move(struct scree_soft *soft, scree_status status)
{
    soft->moved_ahead = false;
    SCREE_TRY(add_displacement(soft));
    SCREE_TRY(scree_points_time(soft));
    SCREE_TRY(scree_points_walls(soft));
    return status;
}

static scree_status evaluate_and_move(struct scree_soft *soft)
{
    // other callbacks may read energies
    const bool stored = scree_engine_has_callback(soft->engine, 0, 100);
    SCREE_TRY(scree_drift_prepare(soft->world, soft->step));
    SCREE_TRY(scree_forces_fused_begin(&soft->forces, stored));
    soft->moved_ahead = true;
    struct scree_evaluate_callbacks after = scree_forces_fused_work(&soft->forces);
    // carried grains move with their bodies, unless a callback may change bodies before contacts are searched
    struct scree_grain_update carried;
    soft->carried_moved = scree_grain_carried(soft->world) > 0 &&
                          !scree_engine_has_callback(soft->engine, 0, SCREE_POINT_DETECT);
    scree_mover_begin_move(&soft->mover, soft->step);
    if (soft->carried_moved) {
        scree_grain_update_begin(&carried, soft->world, scree_refresh_level_of_grains(soft, soft->step),
                                 soft->mover.step.flow ? &soft->mover.drift.lattice : NULL);
        after.carried = &carried;
    }
    const scree_status breaks = scree_refresh_evaluate(soft, soft->step, &after);
    scree_mover_end_move(&soft->mover);
    if (soft->carried_moved)
        scree_grain_update_end(&carried);
    const scree_status loads = scree_forces_fused_end(&soft->forces);
    const scree_status status = loads == SCREE_OK ? breaks : loads;
    return status == SCREE_OK ? SCREE_OK : complete_move(soft, status);
}

scree_status scree_points_contacts(struct scree_soft *soft)
{
    struct scree_collider *collider = &soft->collider;
    if (!scree_collider_has_contacts(collider))
        return SCREE_OK;
    // callbacks since point 30 may have added, removed and moved bodies and walls
    SCREE_TRY(scree_refresh_search(soft, soft->set_aside.count == 0));
    // they may also have fixed velocities of bodies, or read carried grains, which updates their records
    if (soft->world->outdated ||
        scree_engine_has_callback(soft->engine, SCREE_POINT_DETECT, SCREE_POINT_CONTACTS))
        scree_refresh_grains(soft);
    scree_profile_mark(&soft->profile, SCREE_PROFILE_SEARCH);
    if (can_fuse(soft))
        return evaluate_and_move(soft);
    SCREE_TRY(scree_refresh_evaluate(soft, soft->state_only ? 0 : soft->step, NULL));
    // assume loads until the sum of forces is known
    soft->mover.loaded = soft->mover.loaded || scree_world_contact_forces(soft->world);
    return SCREE_OK;
}

scree_status scree_points_loads(struct scree_soft *soft)
{
    if (soft->moved_ahead)
        return SCREE_OK;
    scree_forces_of_contacts(&soft->forces, scree_collider_has_contacts(&soft->collider));
    return scree_forces_add(&soft->forces);
}

scree_status scree_points_gather(struct scree_soft *soft)
{
    if (soft->moved_ahead)
        return SCREE_OK;
    SCREE_TRY(scree_forces_sum(&soft->forces));
    soft->mover.pending_step.forces_known = true;
    return SCREE_OK;
}

scree_status scree_points_record(struct scree_soft *soft)
{
#ifdef NDEBUG
    (void)soft;
    return SCREE_OK;
#else
    return soft->moved_ahead ? SCREE_OK : scree_world_validate(soft->world);
#endif
}

scree_status scree_points_set_aside_pending(struct scree_soft *soft)
{
    const size_t bodies = scree_world_bodies(soft->world);
    struct scree_force_moment *pending = scree_world_pending(soft->world);
    soft->set_aside.count = 0;
    if (!soft->world->has_pending || bodies == 0)
        return SCREE_OK;
    SCREE_TRY(scree_array_reserve(&soft->set_aside, bodies));
    memcpy(soft->set_aside.data, pending, bodies * sizeof *pending);
    memset(pending, 0, bodies * sizeof *pending);
    soft->world->has_pending = false;
    soft->set_aside.count = bodies;
    return SCREE_OK;
}

// Callbacks since then may have added bodies, which are stored after the others. If they removed bodies, the
// applied forces are dropped.
void scree_points_restore_pending(struct scree_soft *soft)
{
    struct scree_force_moment *pending = scree_world_pending(soft->world);
    for (size_t i = 0; i < soft->set_aside.count && soft->set_aside.count <= scree_world_bodies(soft->world);
         ++i)
        for (int k = 0; k < 3; ++k) {
            pending[i].force[k] += soft->set_aside.data[i].force[k];
            pending[i].moment[k] += soft->set_aside.data[i].moment[k];
        }
    soft->world->has_pending = soft->world->has_pending || soft->set_aside.count > 0;
    soft->set_aside.count = 0;
}

void scree_points_discard_forces(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (world->pending_step && world->pending_step->forces_known)
        return;
    if (world->has_pending)
        memset(scree_world_pending(world), 0, scree_world_bodies(world) * sizeof(struct scree_force_moment));
    world->has_pending = false;
    scree_edit_outdate_all(world);
}
