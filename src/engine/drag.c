// Local damping, see drag.h.

#include "engine/drag.h"

#include <string.h>

static void damp_body(const struct scree_motion_batch *batch, size_t i, const struct scree_on_step *motion,
                      struct scree_push *drag)
{
    const double share = batch->damping ? batch->damping[i].local : 0;
    for (int k = 0; k < 3; ++k) {
        const double force = batch->wrench[i].force[k] + batch->grain[i].mass * batch->step->gravity[k];
        // none is +0, as a new engine leaves it
        drag->force[k] = share > 0 ? scree_drag_opposing(share, force, motion->velocity[k]) : 0;
        drag->moment[k] =
            share > 0 ? scree_drag_opposing(share, batch->wrench[i].moment[k], motion->spin[k]) : 0;
    }
}

static void damp_block(struct scree_mover *mover, size_t first, size_t count, bool outdated_only)
{
    struct scree_damping damping[SCREE_MOVER_BLOCK];
    struct scree_on_step on_step[SCREE_MOVER_BLOCK];
    struct scree_motion_batch batch = scree_mover_batch(mover, first, count, damping);
    batch.drag = NULL;
    scree_mover_complete(mover, &batch, on_step);
    for (size_t i = 0; i < count; ++i)
        if (!outdated_only || (batch.grain[i].flags & SCREE_FLAG_OUTDATED))
            damp_body(&batch, i, &on_step[i], &scree_world_drags(mover->world)[first + i]);
}

static void damp_all(struct scree_mover *mover, size_t first, size_t count)
{
    damp_block(mover, first, count, false);
}

static void damp_outdated(struct scree_mover *mover, size_t first, size_t count)
{
    damp_block(mover, first, count, true);
}

bool scree_drag_damps(const struct scree_mover *mover)
{
    return mover->damping.local != 0 || scree_world_dampings(mover->world);
}

void scree_drag_begin(struct scree_mover *mover)
{
    if (scree_world_drags(mover->world) && !scree_drag_damps(mover))
        memset(scree_world_drags(mover->world), 0,
               scree_world_bodies(mover->world) * sizeof(struct scree_push));
}

scree_status scree_drag_apply(struct scree_mover *mover, bool outdated_only)
{
    struct scree_world *world = mover->world;
    if (scree_drag_damps(mover))
        SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_DRAG));
    if (scree_world_drags(world))
        scree_mover_each(mover, outdated_only ? damp_outdated : damp_all);
    return SCREE_OK;
}
