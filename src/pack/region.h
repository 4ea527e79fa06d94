// Regions to be filled: a box along the axes, a cylinder, a sphere, or the inside of a wall that is a closed
// mesh. A body is in a region if all of it is.

#ifndef SCREE_PACK_REGION_H
#define SCREE_PACK_REGION_H

#include "base/status.h"

#include <scree/types.h>

#include <stdbool.h>

struct scree_wall;
struct scree_world;

enum scree_region_shape { SCREE_REGION_BOX, SCREE_REGION_CYLINDER, SCREE_REGION_SPHERE, SCREE_REGION_MESH };

struct scree_region {
    enum scree_region_shape shape;
    int dimension;
    double lower[3], upper[3]; // bounds of the box, or bounding box of the other shapes
    double from[3], to[3];     // axis of a cylinder; `from` is the centre of a sphere
    double radius;
    bool open[3]; // the box spans the period of the cell along this axis and has no faces there
    // a mesh: the name of its group, borrowed; once it is bound its id, its row and its volume
    const char *group;
    scree_wall_id mesh;
    const struct scree_wall *wall;
    double volume;
};

// Sets the bounding box of a cylinder or a sphere.
void scree_region_bound(struct scree_region *region);

// Finds the mesh of a region in a world, and its bounding box. Refuses a group that is not one closed mesh.
// Does nothing for other shapes.
SCREE_NODISCARD scree_status scree_region_mesh_bind(struct scree_region *region,
                                                    const struct scree_world *world);

// Finds the present place of the mesh of a region; nothing is inside of a mesh that was removed.
void scree_region_mesh_follow(struct scree_region *region, const struct scree_world *world);

// Finds the wall of a group that consists of one closed mesh, for a region.
SCREE_NODISCARD scree_status scree_region_mesh_find(const struct scree_world *world, const char *group,
                                                    scree_wall_id *id);

bool scree_region_contains(const struct scree_region *region, const double position[3], double radius);

double scree_region_volume(const struct scree_region *region);

#endif
