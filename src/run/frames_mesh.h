// Meshes of walls at their current positions: triangles, or lines in a world of two dimensions.

#ifndef SCREE_RUN_FRAMES_MESH_H
#define SCREE_RUN_FRAMES_MESH_H

#include "base/array.h"
#include "world/wall.h"

struct scree_frames_mesh {
    int dimension;
    scree_status status; // first failure of adding
    SCREE_ARRAY(struct scree_vec3) point;
    SCREE_ARRAY(int64_t) corner;                 // 3 per triangle, 2 per line
    SCREE_ARRAY(const struct scree_wall *) wall; // of each triangle or line
};

// Adds a wall. A plane is clipped to the box between `bound`; if it does not intersect the box, it is drawn
// as a square of the size of the box, beside it. The corners of curved shapes are on the surface.
void scree_frames_mesh_add(struct scree_frames_mesh *mesh, const struct scree_wall *wall,
                           const struct scree_vec3 bound[2]);

void scree_frames_mesh_free(struct scree_frames_mesh *mesh);

#endif
