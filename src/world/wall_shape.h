// What a wall's definition comes to in axes of its own. By shape, with the third axis z:
//
// plane                   point at the place, normal z
// rectangle, box          centre at the place, half edges size[0..2] along the axes; those of a rectangle end
//                         with 0; an edge along the z of a world of two dimensions is endless
// disk, cylinder, cone    a straight way in the half-plane of radius and height, turned about z: from radius
//                         size[0] at height -size[2] to radius size[1] at height size[2]. A disk goes from
//                         its rim to its hole at height 0; a cylinder along the z of a world of two
//                         dimensions is endless
// sphere                  centre at the place, radius size[0]

#ifndef SCREE_WORLD_WALL_SHAPE_H
#define SCREE_WORLD_WALL_SHAPE_H

#include "world/records.h"

#include <scree/wall.h>

// Fills place, frame, size, shape, side and features of an empty row, or says what is wrong.
SCREE_NODISCARD scree_status scree_wall_shape_read(int dimension, const struct scree_wall_def *def,
                                                   struct scree_wall *wall);

// The name of a shape, null for none.
const char *scree_wall_shape_name(int shape);

#endif
