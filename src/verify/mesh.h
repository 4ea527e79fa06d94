// Cases of meshes in other files than mesh.c, and meshes of strips around an axis.

#ifndef SCREE_VERIFY_MESH_H
#define SCREE_VERIFY_MESH_H

#include "trial.h"

enum { SCREE_MESH_RINGS = 4 };

// A surface around an axis through the origin: `strips` flat strips, at most 1024, between rings.
struct scree_mesh_round {
    int axis; // x, y, z: 0, 1, 2
    uint32_t strips, rings;
    double height[SCREE_MESH_RINGS], radius[SCREE_MESH_RINGS]; // of the rings
    double scale;                                              // of the radii
};

// Adds the surface as a rigid wall.
SCREE_NODISCARD scree_status scree_mesh_round(struct scree_trial *trial,
                                              const struct scree_mesh_round *round);

// The motion over meshes does not depend on where the periodic faces are.
SCREE_NODISCARD scree_status scree_mesh_periodic(struct scree_trial *trial);

// The outflow of a hopper that is a mesh: of a few grains, and of 20,000 in the course of time.
SCREE_NODISCARD scree_status scree_mesh_hopper(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_mesh_discharge(struct scree_trial *trial);

#endif
