// The points of a soft step, see points.h.
//
// What always holds: a step is a function of the state at its start; to what contacts and walls give, whose
// sum has no order (sums.h), the forces of grains, pushes and loads are added as they came.

#include "engine/points.h"

#include "base/instant.h"
#include "engine/half_kick.h"
#include "engine/refresh.h"
#include "world/edit.h"
#include "world/grain.h"
#include "world/servo.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

// Velocities are made on-step only if someone looks; else the half-kick is done in one go with the next.
scree_status scree_points_begin(struct scree_soft *soft)
{
    if (!soft->world->pending_step ||
        !(soft->world->outdated || scree_engine_hooked(soft->engine, 0, SCREE_POINT_MOVE)))
        return SCREE_OK;
    // where nobody looks, those that were edited alone begin anew from their on-step velocities
    if (!scree_engine_hooked(soft->engine, 0, SCREE_POINT_MOVE) && !scree_refresh_misses(soft) &&
        scree_half_kick_sync_outdated(&soft->mover))
        return SCREE_OK;
    SCREE_TRY(scree_half_kick_sync(&soft->mover));
    scree_refresh_levels(soft, false);
    return SCREE_OK;
}

// The laws that ask for loads at mid-step get them, and take their step with what came even if a load failed.
static scree_status pass_middle(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    const size_t bodies = scree_world_bodies(soft->world);
    if (bodies == 0 || !scree_mover_needs_middle(mover))
        return SCREE_OK;
    memset(soft->middle.data, 0, bodies * sizeof soft->middle.data[0]);
    const double time = scree_world_clock(soft->world)->time + 0.5 * mover->step.h;
    struct scree_loads *loads = &soft->forces.loads;
    scree_status status = scree_loads_begin(loads, soft->world, SCREE_LOADS_MIDDLE, time);
    if (status == SCREE_OK) {
        scree_loads_add(loads, mover, soft->middle.data);
        status = scree_loads_end(loads, soft->world);
    }
    scree_mover_finish(mover, soft->middle.data);
    return status;
}

bool scree_points_goes_on(const struct scree_soft *soft)
{
    // what has set out arrives
    return soft->ahead || (soft->steps_left > 0 &&
                           !scree_instant_has_come(scree_world_clock(soft->world)->time, soft->until) &&
                           !soft->watch.stopped && scree_engine_goes_on(soft->engine));
}

static void spend_skin(struct scree_soft *soft)
{
    if (scree_collider_works(&soft->collider))
        scree_search_spend(&soft->collider.search, soft->world, soft->mover.step.h,
                           sqrt(soft->mover.fastest));
}

// What can fail without having moved anything comes first; from there on the step is taken whole.
scree_status scree_points_move(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    if (soft->ahead) {
        soft->ahead = false;
        spend_skin(soft);
        return SCREE_OK;
    }
    if (!soft->world->pending_step || soft->world->outdated)
        SCREE_TRY(scree_refresh(soft));
    SCREE_TRY(scree_mover_check(mover));
    if (scree_mover_needs_middle(mover))
        SCREE_TRY(scree_array_reserve(&soft->middle, scree_world_bodies(soft->world)));
    scree_refresh_step(soft);
    if (!soft->world->pending_step)
        scree_half_kick_restore(mover);
    scree_mover_advance(mover, soft->step);
    spend_skin(soft);
    const scree_status status = pass_middle(soft);
    scree_refresh_levels(soft, true);
    if (status != SCREE_OK)
        SCREE_TRY(scree_world_pass(soft->world, soft->step));
    return status;
}

scree_status scree_points_time(struct scree_soft *soft)
{
    return scree_world_pass(soft->world, soft->step);
}

scree_status scree_points_walls(struct scree_soft *soft)
{
    scree_wall_advance(soft->world, soft->step);
    return SCREE_OK;
}

// Where each step is to end with a world whose invariants are checked, none begins with another.
#ifdef SCREE_VALIDATE_STEPS
static const bool validates = true;
#else
static const bool validates = false;
#endif

// Whether bodies can be moved as soon as their contacts are summed, as point 10 of the next step will have
// it: all that acts on a block is known there, and nobody looks in between.
static bool may_go_ahead(const struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    return !validates && !soft->looking && scree_points_goes_on(soft) && scree_edit_is_evaluated(world) &&
           scree_forces_follow(&soft->forces) && !scree_step_control_is_due(soft) &&
           !scree_servo_is_due(world, scree_world_clock(world)->steps) &&
           !scree_engine_hooked(soft->engine, SCREE_POINT_CONTACTS, 100) &&
           !scree_engine_hooked(soft->engine, 0, SCREE_POINT_MOVE);
}

// A load has failed when its block was to move on, and all have moved: the step ends where the next one would
// have begun to look for contacts.
static scree_status land(struct scree_soft *soft, scree_status status)
{
    soft->ahead = false;
    spend_skin(soft);
    SCREE_TRY(scree_points_time(soft));
    SCREE_TRY(scree_points_walls(soft));
    return status;
}

static scree_status go_ahead(struct scree_soft *soft)
{
    // callbacks that are left may ask for energies
    const bool kept = scree_engine_hooked(soft->engine, 0, 100);
    SCREE_TRY(scree_forces_set_out(&soft->forces, kept));
    soft->ahead = true;
    const struct scree_evaluate_after after = scree_forces_after(&soft->forces);
    scree_mover_set_out(&soft->mover, soft->step);
    scree_refresh_evaluate(soft, soft->step, &after);
    scree_mover_arrive(&soft->mover);
    const scree_status status = scree_forces_arrive(&soft->forces);
    return status == SCREE_OK ? SCREE_OK : land(soft, status);
}

scree_status scree_points_contacts(struct scree_soft *soft)
{
    struct scree_collider *collider = &soft->collider;
    if (!scree_collider_works(collider))
        return SCREE_OK;
    // callbacks since point 30 may have brought, taken and moved bodies and walls
    SCREE_TRY(scree_refresh_search(soft, soft->held.count == 0));
    // or have held bodies at their velocities, or looked at carried grains, which are written for who looks
    if (soft->world->outdated || scree_engine_hooked(soft->engine, SCREE_POINT_DETECT, SCREE_POINT_CONTACTS))
        scree_refresh_grains(soft);
    scree_profile_mark(&soft->profile, SCREE_PROFILE_SEARCH);
    if (may_go_ahead(soft))
        return go_ahead(soft);
    scree_refresh_evaluate(soft, soft->looking ? 0 : soft->step, NULL);
    // until the sum is known again
    soft->mover.loaded = soft->mover.loaded || scree_world_touches(soft->world);
    return SCREE_OK;
}

scree_status scree_points_loads(struct scree_soft *soft)
{
    if (soft->ahead)
        return SCREE_OK;
    scree_forces_of_contacts(&soft->forces, scree_collider_works(&soft->collider));
    return scree_forces_add(&soft->forces);
}

scree_status scree_points_gather(struct scree_soft *soft)
{
    if (soft->ahead)
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
    return soft->ahead ? SCREE_OK : scree_world_validate(soft->world);
#endif
}

scree_status scree_points_set_aside_pending(struct scree_soft *soft)
{
    const size_t bodies = scree_world_bodies(soft->world);
    struct scree_force_moment *push = scree_world_pending(soft->world);
    soft->held.count = 0;
    if (!soft->world->has_pending || bodies == 0)
        return SCREE_OK;
    SCREE_TRY(scree_array_reserve(&soft->held, bodies));
    memcpy(soft->held.data, push, bodies * sizeof *push);
    memset(push, 0, bodies * sizeof *push);
    soft->world->has_pending = false;
    soft->held.count = bodies;
    return SCREE_OK;
}

// Bodies that callbacks added meanwhile lie behind those that were there; where some have gone, pushes are
// void.
void scree_points_restore_pending(struct scree_soft *soft)
{
    struct scree_force_moment *push = scree_world_pending(soft->world);
    for (size_t i = 0; i < soft->held.count && soft->held.count <= scree_world_bodies(soft->world); ++i)
        for (int k = 0; k < 3; ++k) {
            push[i].force[k] += soft->held.data[i].force[k];
            push[i].moment[k] += soft->held.data[i].moment[k];
        }
    soft->world->has_pending = soft->world->has_pending || soft->held.count > 0;
    soft->held.count = 0;
}

void scree_points_void_forces(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (world->pending_step && world->pending_step->forces_known)
        return;
    if (world->has_pending)
        memset(scree_world_pending(world), 0, scree_world_bodies(world) * sizeof(struct scree_force_moment));
    world->has_pending = false;
    scree_edit_outdate_all(world);
}
