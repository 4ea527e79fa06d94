// The free region of a filling: its region without the parts that walls of the scene block.
//
// Invariants: walls with an inside (plane, box, hollow sphere) keep grains on the side of the bodies; thin
// walls only forbid overlap, on both sides. As in contact search, walls have no periodic images.

#ifndef SCREE_PACK_FREE_REGION_H
#define SCREE_PACK_FREE_REGION_H

#include "pack/region.h"
#include "world/records.h"

#include <stddef.h>

struct scree_free_region {
    struct scree_region region;
    double corner[3], period[3];   // lower corner and periods of the cell; period 0: not periodic
    const struct scree_wall *wall; // borrowed
    size_t walls;
};

struct scree_world;

// Sets the cell and the walls; valid until walls are added or deleted. A box that spans a period of the cell
// is open along that axis.
void scree_free_region_set_walls(const struct scree_world *world, struct scree_free_region *free_region);

// Returns whether a grain is entirely in the region and overlaps no wall.
bool scree_free_region_contains(const struct scree_free_region *free_region, const double position[3],
                                double radius);

// Returns whether a grain overlaps no wall.
bool scree_free_region_is_free(const struct scree_free_region *free_region, const double position[3],
                               double radius);

// Wraps a position into the periodic cell.
void scree_free_region_wrap(const struct scree_free_region *free_region, double position[3]);

// Vector between two positions, with the minimum image convention.
static inline void scree_free_region_difference(const struct scree_free_region *free_region,
                                                const double from[3], const double to[3],
                                                double displacement[3])
{
    for (int k = 0; k < 3; ++k) {
        const double period = free_region->period[k];
        displacement[k] = to[k] - from[k];
        if (period > 0)
            displacement[k] -= period * __builtin_floor(displacement[k] / period + 0.5);
    }
}

// Returns the volume (or area) outside of walls; if walls cut the region, from 2^19 quasi-random points.
double scree_free_region_volume(const struct scree_free_region *free_region);

// Faces of the region, which act as walls: gets the distance of a position from face number `face` (negative
// outside) and the inward normal. Returns false past the last face.
bool scree_free_region_face(const struct scree_free_region *free_region, int face, const double position[3],
                            double *gap, double inwards[3]);

#endif
