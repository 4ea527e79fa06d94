// Whether a polyhedron of a filling is inside of a region and overlaps no wall.
//
// A body is on the free side of a plane, or inside of a convex container, if all its vertices are, with the
// rounding. Other walls are convex bodies themselves, so a plane must separate them; a cylinder, a cone and a
// disk are open, so that a body may also be inside. Outside of these three the test is that of the prism of
// 128 sides around them, which leaves up to 0.03 % of their radius unused. In an opening a body must be all
// inside or all outside.

#ifndef SCREE_PACK_SOLID_PLACE_H
#define SCREE_PACK_SOLID_PLACE_H

#include "pack/free_region.h"
#include "pack/solid.h"

// Returns whether a body overlaps no wall.
bool scree_pack_solid_is_free(const struct scree_free_region *free_region,
                              const struct scree_pack_solid *solid, const double position[3]);

// Returns whether a body is entirely in the region and overlaps no wall.
bool scree_pack_solid_is_contained(const struct scree_free_region *free_region,
                                   const struct scree_pack_solid *solid, const double position[3]);

#endif
