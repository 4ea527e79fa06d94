// The points of a soft step, see points.h.
//
// What always holds: a step is a function of the state at its start; forces are summed in fixed order:
// contacts, then walls, then pushes and loads as they came.

#include "engine/points.h"

#include "engine/drag.h"
#include "engine/halves.h"
#include "engine/loads.h"

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

// What can fail without having moved anything comes first; from there on the step is taken whole.
scree_status scree_points_move(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    if (!soft->world->motor)
        SCREE_TRY(scree_points_refresh(soft));
    SCREE_TRY(scree_mover_check(mover));
    if (scree_mover_needs_middle(mover))
        SCREE_TRY(scree_array_reserve(&soft->middle, scree_world_bodies(soft->world)));
    if (!soft->world->motor)
        scree_halves_restore(mover);
    mover->step.h = soft->step;
    scree_mover_advance(mover);
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

scree_status scree_points_detect(struct scree_soft *soft)
{
    // forces are evaluated for what lies there now; what is edited from here on is outdated again
    if (soft->world->outdated)
        for (size_t i = 0; i < scree_world_bodies(soft->world); ++i)
            scree_world_grains(soft->world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUTDATED;
    soft->world->outdated = false;
    if (scree_world_entity(soft->world, SCREE_ENTITY_GRAIN)->count > 0)
        SCREE_TRY(
            scree_entity_require(scree_world_entity(soft->world, SCREE_ENTITY_BODY), SCREE_BODY_PUSHED));
    scree_grain_place(soft->world);
    return SCREE_OK;
}

// Pushes have waited for this: they count once.
static void take_pushes(struct scree_world *world, struct scree_push *sum)
{
    struct scree_push *push = scree_world_pushes(world);
    const size_t bodies = scree_world_bodies(world);
    for (size_t i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k) {
            sum[i].force[k] += push[i].force[k];
            sum[i].moment[k] += push[i].moment[k];
        }
}

// What grains and pushes give, which an edit does not ask for again.
static void begin_sum(struct scree_world *world)
{
    struct scree_push *pushed = scree_world_pushed(world);
    const size_t size = scree_world_bodies(world) * sizeof *pushed;
    if (!pushed)
        return;
    memset(pushed, 0, size);
    scree_grain_return(world);
    if (!scree_world_pushes(world))
        return;
    take_pushes(world, pushed);
    memset(scree_world_pushes(world), 0, size);
}

// Loads in order of registration, added to what is there already.
static scree_status add_loads(struct scree_soft *soft, enum scree_loads_when when)
{
    struct scree_world *world = soft->world;
    struct scree_push *load = scree_world_loads(world);
    const size_t size = scree_world_bodies(world) * sizeof *load;
    if (!load || size == 0)
        return SCREE_OK;
    if (scree_world_pushed(world))
        memcpy(load, scree_world_pushed(world), size);
    else
        memset(load, 0, size);
    return scree_loads_add(&soft->mover, when, scree_world_clock(world)->time, load);
}

scree_status scree_points_loads(struct scree_soft *soft)
{
    begin_sum(soft->world);
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
    const size_t bodies = scree_world_bodies(world);
    // pushes made after the loads come last
    if (scree_world_pushes(world)) {
        take_pushes(world, scree_world_pushed(world));
        if (scree_world_loads(world))
            take_pushes(world, scree_world_loads(world));
        memset(scree_world_pushes(world), 0, bodies * sizeof(struct scree_push));
    }
    if (scree_world_pushed(world) || scree_world_loads(world))
        scree_team_run(&soft->mover.team, bodies, SCREE_MOVER_BLOCK, store_forces, world);
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
    return scree_world_validate(soft->world);
#endif
}

scree_status scree_points_refresh(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (!world->outdated)
        return SCREE_OK;
    scree_world_gravity(world, soft->mover.step.gravity);
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
