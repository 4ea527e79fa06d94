// Means over collisions of the event engine, see include/scree/measure.h. Counts are kept as those of mean
// flows.

#include "measure/mean_flow.h"
#include "world/entity.h"
#include "world/world.h"

#include <scree/measure.h>

static const scree_flux_surface_id of_paths = {SCREE_MEAN_FLOW_PATHS}, of_virial = {SCREE_MEAN_FLOW_VIRIAL};

scree_status scree_measure_keep_collisions(struct scree_world *world,
                                           const struct scree_flux_surface_window *window)
{
    struct scree_entity *engine = scree_world_entity(world, SCREE_ENTITY_ENGINE);
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(scree_entity_require(engine, SCREE_ENGINE_COLLISIONS));
    SCREE_TRY(scree_entity_require(engine, SCREE_ENGINE_FREE_PATHS));
    SCREE_TRY(scree_measure_keep_flow(world, of_paths, window));
    return scree_measure_keep_flow(world, of_virial, window);
}

scree_status scree_measure_collisions(const struct scree_world *world,
                                      const struct scree_flux_surface_window *window,
                                      struct scree_measure_collision_means *means)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_flux_surface_flow paths, virial;
    const double bodies = (double)scree_world_bodies(world);
    SCREE_TRY(scree_measure_mean_flow(world, of_paths, window, &paths));
    SCREE_TRY(scree_measure_mean_flow(world, of_virial, window, &virial));
    *means =
        (struct scree_measure_collision_means){.rate = bodies > 0 ? paths.bodies / bodies : 0,
                                               .free_path = paths.bodies > 0 ? paths.mass / paths.bodies : 0,
                                               .virial = virial.mass,
                                               .time = paths.time};
    return SCREE_OK;
}
