// Flux surfaces that are meshes at rest.

#ifndef SCREE_MEASURE_FLUX_MESH_H
#define SCREE_MEASURE_FLUX_MESH_H

#include "world/world.h"

// Refuses a wall that is no mesh, that moves, or that does not lie between the faces of a periodic cell.
SCREE_NODISCARD scree_status scree_flux_mesh_check(const struct scree_world *world, scree_wall_id id);

// Adds the bodies and the mass that crossed a mesh since the last update. A path can cross it several times.
void scree_flux_mesh_count(const struct scree_world *world, struct scree_flux_surface *flux_surface,
                           const struct scree_flux_position *last_position);

#endif
