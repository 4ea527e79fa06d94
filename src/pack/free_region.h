// The room that a filling has: its region, less what walls of the scene take.
//
// What always holds: a wall that has an inside (a plane, a box, a round room) keeps grains on the side where
// bodies are; a thin one keeps them off itself, on either side. Like contacts, walls are met where they stand
// and not through periodic faces.

#ifndef SCREE_PACK_FREE_REGION_H
#define SCREE_PACK_FREE_REGION_H

#include "pack/region.h"
#include "world/records.h"

#include <stddef.h>

struct scree_free_region {
    struct scree_region region;
    double corner[3], period[3];   // of the cell; a period is 0 where nothing repeats
    const struct scree_wall *wall; // borrowed
    size_t walls;
};

struct scree_world;

// Says where the cell and the walls are, until walls come or go; a box that goes from face to face of a
// periodic cell goes on there.
void scree_free_region_set_walls(const struct scree_world *world, struct scree_free_region *room);

// Whether all of a grain lies in the region and none of it in a wall.
bool scree_free_region_contains(const struct scree_free_region *room, const double place[3], double radius);

// Whether none of a grain lies in a wall.
bool scree_free_region_is_free(const struct scree_free_region *room, const double place[3], double radius);

// The place as the cell has it.
void scree_free_region_wrap(const struct scree_free_region *room, double place[3]);

// The difference of two places, the shortest where the cell repeats.
static inline void scree_free_region_difference(const struct scree_free_region *room, const double from[3],
                                                const double to[3], double displacement[3])
{
    for (int k = 0; k < 3; ++k) {
        const double period = room->period[k];
        displacement[k] = to[k] - from[k];
        if (period > 0)
            displacement[k] -= period * __builtin_floor(displacement[k] / period + 0.5);
    }
}

// The volume of the region (the area in two dimensions) without what lies in walls, which is measured by half
// a million points.
double scree_free_region_volume(const struct scree_free_region *room);

// What pushes back a grain that leaves the region: pieces of its surface, with the distance from each to a
// place (negative outside) and the direction inwards. False past the last.
bool scree_free_region_face(const struct scree_free_region *room, int face, const double place[3],
                            double *gap, double inwards[3]);

#endif
