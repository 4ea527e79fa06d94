// The points of a soft step, see points.h.
//
// What always holds: a step is a function of the state at its start; to what contacts and walls give, whose
// sum has no order (sums.h), the forces of grains, pushes and loads are added as they came.

#include "engine/points.h"

#include "base/instant.h"
#include "engine/drag.h"
#include "engine/halves.h"
#include "engine/loads.h"
#include "law/books.h"
#include "world/servo.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

void scree_points_set_levels(struct scree_soft *soft, bool moving)
{
    struct scree_world *world = soft->world;
    const scree_level turning = soft->mover.rotation->level;
    world->motor = moving ? &soft->mover.motor : NULL;
    world->level[SCREE_LEVEL_OF_VELOCITY] = moving ? soft->mover.translation->level : SCREE_ON_STEP;
    world->level[SCREE_LEVEL_OF_MOMENTUM] = moving ? turning : SCREE_ON_STEP;
    // round bodies have a law of their own
    world->level[SCREE_LEVEL_OF_SPIN] = moving ? scree_spherical.level : SCREE_ON_STEP;
    soft->mover.motor.forces_known = false;
}

// Velocities are made on-step only if someone looks; else the half-kick is done in one go with the next.
scree_status scree_points_begin(struct scree_soft *soft)
{
    if (!soft->world->motor ||
        !(soft->world->outdated || scree_engine_hooked(soft->engine, 0, SCREE_POINT_MOVE)))
        return SCREE_OK;
    SCREE_TRY(scree_halves_sync(&soft->mover));
    scree_points_set_levels(soft, false);
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
    const scree_status status = scree_loads_add(mover, SCREE_LOADS_MIDDLE, time, soft->middle.data);
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
    if (!soft->world->motor)
        SCREE_TRY(scree_points_refresh(soft));
    SCREE_TRY(scree_mover_check(mover));
    if (scree_mover_needs_middle(mover))
        SCREE_TRY(scree_array_reserve(&soft->middle, scree_world_bodies(soft->world)));
    if (scree_collider_works(&soft->collider) && soft->step != scree_world_clock(soft->world)->step)
        scree_books_change_step(soft->world, &soft->collider.classes, soft->step);
    if (!soft->world->motor)
        scree_halves_restore(mover);
    scree_mover_advance(mover, soft->step);
    spend_skin(soft);
    const scree_status status = pass_middle(soft);
    scree_points_set_levels(soft, true);
    if (status != SCREE_OK)
        SCREE_TRY(scree_world_pass(soft->world, soft->step));
    return status;
}

scree_status scree_points_time(struct scree_soft *soft)
{
    return scree_world_pass(soft->world, soft->step);
}

scree_status scree_points_traffic(struct scree_soft *soft)
{
    scree_wall_advance(soft->world, soft->step);
    return SCREE_OK;
}

// Where grains of general bodies or loads push too, what contacts gave is kept apart.
static scree_status require_columns(const struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    const bool grains = scree_world_entity(world, SCREE_ENTITY_GRAIN)->count > 0;
    if (grains || scree_world_loads(world) || scree_world_pushed(world))
        SCREE_TRY(scree_world_part_forces(world));
    return grains ? scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_PUSHED)
                  : SCREE_OK;
}

scree_status scree_points_detect(struct scree_soft *soft)
{
    // forces are evaluated for what lies there now; what is edited from here on is outdated again
    if (soft->world->outdated)
        for (size_t i = 0; i < scree_world_bodies(soft->world); ++i)
            scree_world_grains(soft->world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUTDATED;
    soft->world->outdated = false;
    SCREE_TRY(require_columns(soft));
    scree_grain_place(soft->world);
    // pushes that are held know bodies by their slots
    return scree_collider_works(&soft->collider)
               ? scree_collider_search(&soft->collider, soft->held.count == 0)
               : SCREE_OK;
}

// Whether bodies can be moved as soon as their contacts are summed, as point 10 of the next step will have
// it: nothing else pushes them, and nobody looks in between.
static bool may_go_ahead(const struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    return !soft->looking && scree_points_goes_on(soft) && !world->opened && !scree_world_pushed(world) &&
           !scree_world_loads(world) && !scree_world_drags(world) && !scree_drag_damps(&soft->mover) &&
           !scree_mover_needs_middle(&soft->mover) && !scree_tempo_is_due(soft) &&
           !scree_servo_is_due(world, scree_world_clock(world)->steps) &&
           !scree_engine_hooked(soft->engine, SCREE_POINT_CONTACTS, 100) &&
           !scree_engine_hooked(soft->engine, 0, SCREE_POINT_MOVE);
}

scree_status scree_points_contacts(struct scree_soft *soft)
{
    struct scree_collider *collider = &soft->collider;
    if (!scree_collider_works(collider))
        return SCREE_OK;
    // callbacks since point 30 may have brought, taken and moved bodies and walls
    SCREE_TRY(scree_collider_search(collider, soft->held.count == 0));
    scree_profile_mark(&soft->profile, SCREE_PROFILE_SEARCH);
    soft->ahead = may_go_ahead(soft);
    if (soft->ahead)
        scree_mover_set_out(&soft->mover, soft->step);
    scree_collider_evaluate(collider, soft->looking ? 0 : soft->step, soft->ahead);
    if (soft->ahead)
        scree_mover_arrive(&soft->mover);
    else
        scree_books_close(soft->world, &collider->classes, !soft->looking);
    return SCREE_OK;
}

static void add_pushes(struct scree_push *sum, const struct scree_push *push, size_t bodies)
{
    for (size_t i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k) {
            sum[i].force[k] += push[i].force[k];
            sum[i].moment[k] += push[i].moment[k];
        }
}

// What contacts and grains give, which an edit does not ask for again.
static void begin_sum(const struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    struct scree_push *pushed = scree_world_pushed(world), *touch = scree_world_touches(world);
    const struct scree_wrench *wrench = scree_world_wrenches(world);
    const size_t bodies = scree_world_bodies(world);
    if (!pushed || bodies == 0)
        return;
    memset(pushed, 0, bodies * sizeof *pushed);
    for (size_t i = 0; i < bodies && scree_collider_works(&soft->collider); ++i) {
        memcpy(touch[i].force, wrench[i].force, sizeof touch[i].force);
        memcpy(touch[i].moment, wrench[i].moment, sizeof touch[i].moment);
        pushed[i] = touch[i];
    }
    scree_grain_return(world);
}

// Pushes have waited for this: they count once.
static void take_pushes(struct scree_world *world, struct scree_push *sum, struct scree_push *also)
{
    struct scree_push *push = scree_world_pushes(world);
    const size_t bodies = scree_world_bodies(world);
    if (!push || bodies == 0)
        return;
    add_pushes(sum, push, bodies);
    if (also)
        add_pushes(also, push, bodies);
    memset(push, 0, bodies * sizeof *push);
}

// Loads in order of registration, added to what is there already.
static scree_status add_loads(struct scree_soft *soft, enum scree_loads_when when)
{
    struct scree_world *world = soft->world;
    struct scree_push *load = scree_world_loads(world);
    const size_t bodies = scree_world_bodies(world);
    if (!load || bodies == 0)
        return SCREE_OK;
    if (scree_world_pushed(world))
        memcpy(load, scree_world_pushed(world), bodies * sizeof *load);
    else
        memset(load, 0, bodies * sizeof *load);
    return scree_loads_add(&soft->mover, when, scree_world_clock(world)->time, load);
}

scree_status scree_points_loads(struct scree_soft *soft)
{
    if (soft->ahead)
        return SCREE_OK;
    begin_sum(soft);
    take_pushes(soft->world, scree_world_pushed(soft->world), NULL);
    return add_loads(soft, SCREE_LOADS_AHEAD);
}

static void store_force(const struct scree_world *world, size_t i)
{
    const struct scree_push *sum =
        scree_world_loads(world) ? scree_world_loads(world) : scree_world_pushed(world);
    struct scree_wrench *wrench = &scree_world_wrenches(world)[i];
    memcpy(wrench->force, sum[i].force, sizeof sum[i].force);
    memcpy(wrench->moment, sum[i].moment, sizeof sum[i].moment);
}

static void store_forces(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    for (size_t i = first; i < last; ++i)
        store_force((const struct scree_world *)context, i);
}

scree_status scree_points_gather(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (soft->ahead)
        return SCREE_OK;
    // pushes made after the loads come last
    take_pushes(world, scree_world_pushed(world), scree_world_loads(world));
    if (scree_world_pushed(world) || scree_world_loads(world))
        scree_team_run(&soft->mover.team, scree_world_bodies(world), SCREE_MOVER_BLOCK, store_forces, world);
    SCREE_TRY(scree_drag_apply(&soft->mover, false));
    soft->mover.motor.forces_known = true;
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

// Contacts of what lies where now: none of them advances, and all forces are to be summed anew.
static scree_status look_at_contacts(struct scree_soft *soft)
{
    SCREE_TRY(scree_collider_search(&soft->collider, true));
    scree_collider_evaluate(&soft->collider, 0, false);
    scree_books_close(soft->world, &soft->collider.classes, false);
    begin_sum(soft);
    for (size_t i = 0; i < scree_world_bodies(soft->world); ++i)
        scree_world_grains(soft->world)[i].flags |= SCREE_FLAG_OUTDATED;
    soft->world->outdated = true;
    return SCREE_OK;
}

scree_status scree_points_refresh(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    const bool moved = scree_collider_works(&soft->collider) &&
                       (world->contacts_stale || scree_search_misses_bodies(&soft->collider.search, world));
    if (!world->outdated && !moved)
        return SCREE_OK;
    scree_world_gravity(world, soft->mover.step.gravity);
    SCREE_TRY(require_columns(soft));
    if (moved)
        SCREE_TRY(look_at_contacts(soft));
    // waiting pushes wait on, and what pushes and grains gave stays
    SCREE_TRY(add_loads(soft, SCREE_LOADS_NOW));
    const bool forces = scree_world_pushed(world) || scree_world_loads(world);
    for (size_t i = 0; i < scree_world_bodies(world) && forces; ++i)
        if (scree_world_grains(world)[i].flags & SCREE_FLAG_OUTDATED)
            store_force(world, i);
    SCREE_TRY(scree_drag_apply(&soft->mover, true));
    return scree_points_detect(soft);
}

scree_status scree_points_hold_pushes(struct scree_soft *soft)
{
    const size_t bodies = scree_world_bodies(soft->world);
    struct scree_push *push = scree_world_pushes(soft->world);
    soft->held.count = 0;
    if (!push || bodies == 0)
        return SCREE_OK;
    SCREE_TRY(scree_array_reserve(&soft->held, bodies));
    memcpy(soft->held.data, push, bodies * sizeof *push);
    memset(push, 0, bodies * sizeof *push);
    soft->held.count = bodies;
    return SCREE_OK;
}

// Bodies that callbacks added meanwhile lie behind those that were there; where some have gone, pushes are
// void.
void scree_points_release_pushes(struct scree_soft *soft)
{
    struct scree_push *push = scree_world_pushes(soft->world);
    for (size_t i = 0; i < soft->held.count && soft->held.count <= scree_world_bodies(soft->world); ++i)
        for (int k = 0; k < 3; ++k) {
            push[i].force[k] += soft->held.data[i].force[k];
            push[i].moment[k] += soft->held.data[i].moment[k];
        }
    soft->held.count = 0;
}

void scree_points_void_forces(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (world->motor && world->motor->forces_known)
        return;
    if (scree_world_pushes(world))
        memset(scree_world_pushes(world), 0, scree_world_bodies(world) * sizeof(struct scree_push));
    scree_world_outdate(world);
}
