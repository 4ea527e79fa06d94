// Creation and destruction of a soft engine. Time integration is in soft.c.

#include "engine/drag.h"
#include "engine/half_kick.h"
#include "engine/soft.h"
#include "world/damping.h"

#include <math.h>

enum { MOST_THREADS = 1024 };

scree_status scree_soft_def_begin(void *self, struct scree_engine *engine, struct scree_world *world,
                                  const void *def)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    const struct scree_soft_choice *choice = (const struct scree_soft_choice *)def;
    SCREE_TRY(scree_damping_check(&choice->def->damping));
    if (choice->def->threads < 0 || choice->def->threads > MOST_THREADS)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the number of threads must be from 1 to %d, or 0 for all processors; got %d", MOST_THREADS,
            choice->def->threads);
    soft->mover.translation = choice->translation;
    soft->mover.rotation = choice->rotation;
    if (!soft->mover.translation)
        SCREE_TRY(scree_motion_find(SCREE_TRANSLATION, choice->def->translation, &soft->mover.translation));
    if (!soft->mover.rotation)
        SCREE_TRY(scree_motion_find(SCREE_ROTATION, choice->def->rotation, &soft->mover.rotation));
    soft->mover.world = world;
    SCREE_TRY(scree_mover_check_touching(&soft->mover));
    soft->engine = engine;
    soft->world = world;
    SCREE_TRY(scree_alarm_read(&choice->def->alarms, &soft->watch));
    soft->mover.damping = choice->def->damping;
    soft->mover.team.threads = choice->def->threads;
    // all that may fail is done before other changes to the world
    SCREE_TRY(scree_collider_begin(&soft->collider, world, &soft->mover.team));
    scree_status status = scree_mover_begin(&soft->mover, world);
    if (status == SCREE_OK)
        status = scree_step_control_begin(soft, choice->def);
    if (status == SCREE_OK)
        status = scree_alarm_begin(soft);
    if (status == SCREE_OK)
        status = scree_half_kick_begin(&soft->mover);
    if (status != SCREE_OK) {
        scree_collider_end(&soft->collider);
        scree_mover_end(&soft->mover);
        return status;
    }
    if (soft->watch.def.policy[SCREE_ALARM_OVERLAP] != SCREE_ALARM_IGNORE)
        soft->collider.limit = soft->watch.def.overlap;
    soft->collider.search.crowd_overlap = soft->watch.def.policy[SCREE_ALARM_OVERLAP] == SCREE_ALARM_STOP
                                              ? soft->watch.def.overlap
                                              : (double)INFINITY;
    soft->mover.displacement = soft->watch.def.policy[SCREE_ALARM_DISPLACEMENT] != SCREE_ALARM_IGNORE
                                   ? soft->watch.def.displacement
                                   : (double)INFINITY;
    soft->control.critical.displacement = soft->mover.displacement;
    scree_drag_begin(world, &soft->mover.damping);
    scree_forces_begin(&soft->forces, &soft->mover);
    world->refuses_pending = soft->mover.rotation->mid_step != NULL;
    return SCREE_OK;
}

void scree_soft_def_end(void *self, struct scree_world *world)
{
    scree_array_free(&((struct scree_soft *)self)->mid_step);
    scree_array_free(&((struct scree_soft *)self)->set_aside);
    scree_forces_end(&((struct scree_soft *)self)->forces);
    scree_mover_end(&((struct scree_soft *)self)->mover);
    scree_collider_end(&((struct scree_soft *)self)->collider);
    scree_step_control_end((struct scree_soft *)self);
    world->refuses_pending = false;
}
