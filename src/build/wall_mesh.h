// The mesh of a wall from a file.

#ifndef SCREE_BUILD_WALL_MESH_H
#define SCREE_BUILD_WALL_MESH_H

#include "language/reading.h"

#include <scree/mesh_file.h>
#include <scree/wall.h>

// Reads the file of a mesh into `mesh`, which is empty and to which `def` then refers; the caller frees it.
// Returns false after a mistake in the scene or a failure.
bool scree_build_wall_mesh(struct scree_reading *reading, const struct scree_node *map,
                           struct scree_mesh *mesh, struct scree_wall_def *def);

#endif
