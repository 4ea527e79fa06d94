// The inside of a mesh as a region of measurement.

#ifndef SCREE_MEASURE_PART_MESH_H
#define SCREE_MEASURE_PART_MESH_H

#include "math/vec3.h"
#include "world/world.h"

struct scree_part_mesh {
    const struct scree_wall *wall;
    double lower[3], upper[3]; // bounding box
    double volume;
    bool faces_inwards; // its facets do
};

// Finds a mesh; refuses one that is open, or that does not lie between the faces of a periodic cell.
SCREE_NODISCARD scree_status scree_part_mesh_begin(const struct scree_world *world, scree_wall_id id,
                                                   struct scree_part_mesh *mesh);

bool scree_part_mesh_contains(const struct scree_part_mesh *mesh, struct scree_vec3 position);

// The fraction of a segment that is inside.
double scree_part_mesh_fraction(const struct scree_part_mesh *mesh, struct scree_vec3 from,
                                struct scree_vec3 segment);

#endif
