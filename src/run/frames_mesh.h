// Walls as triangles, or as lines in a world of two dimensions, as they lie now.

#ifndef SCREE_RUN_FRAMES_MESH_H
#define SCREE_RUN_FRAMES_MESH_H

#include "base/array.h"
#include "world/wall.h"

struct scree_frames_mesh {
    int dimension;
    scree_status status; // what adding has come to
    SCREE_ARRAY(struct scree_vec3) point;
    SCREE_ARRAY(int64_t) corner;                 // 3 a triangle, 2 a line
    SCREE_ARRAY(const struct scree_wall *) wall; // of each of them
};

// Adds a wall. A plane is cut to the box between `bound`; where it misses that, it is a patch as large as the
// box, beside it. Curved shapes have their corners on the surface.
void scree_frames_mesh_add(struct scree_frames_mesh *mesh, const struct scree_wall *wall,
                           const struct scree_vec3 bound[2]);

void scree_frames_mesh_free(struct scree_frames_mesh *mesh);

#endif
