// Local damping, see drag.h.

#include "engine/drag.h"

#include <string.h>

SCREE_MOTION_WIDE void scree_drag_damp(const struct scree_motion_batch *batch, bool outdated_only,
                                       const struct scree_on_step *on_step, struct scree_force_moment *drag)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_grain *grain = &batch->grain[i];
        const double share = batch->damping ? batch->damping[i].local : 0;
        const struct scree_on_step *motion = &on_step[i];
        if (outdated_only && !(grain->flags & SCREE_FLAG_OUTDATED))
            continue;
        const scree_lanes force = scree_lanes_load(batch->wrench[i].force) +
                                  scree_lanes_all(grain->mass) * scree_lanes_load(batch->step->gravity);
        const double *v = batch->step->flow ? motion->fluctuation : motion->velocity,
                     *w = batch->step->flow ? motion->spin_fluctuation : motion->spin;
        const scree_lanes velocity = {v[0], v[1], v[2], 0}, spin = {w[0], w[1], w[2], 0};
        scree_lanes_store_three(scree_motion_opposing(share, force, velocity), drag[i].force);
        scree_lanes_store_three(scree_motion_opposing(share, scree_lanes_load(batch->wrench[i].moment), spin),
                                drag[i].moment);
    }
}

bool scree_drag_damps(const struct scree_world *world, const struct scree_damping *damping)
{
    return damping->local != 0 || scree_world_dampings(world);
}

void scree_drag_begin(struct scree_world *world, const struct scree_damping *damping)
{
    if (scree_world_drags(world) && !scree_drag_damps(world, damping))
        memset(scree_world_drags(world), 0, scree_world_bodies(world) * sizeof(struct scree_force_moment));
}

scree_status scree_drag_require(struct scree_world *world, const struct scree_damping *damping)
{
    if (!scree_drag_damps(world, damping))
        return SCREE_OK;
    return scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_DRAG);
}
