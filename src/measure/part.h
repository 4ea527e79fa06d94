// A region of measurement, prepared for queries: whether it contains a point, which fraction of a segment and
// which volume of a ball are inside. In a periodic cell the region has images.
//
// Invariant: a region is at most as wide as the period, so its images do not overlap. In two dimensions z is
// ignored. A point on a bound shared by two boxes is in exactly one of them, also if the bounds are one
// period apart.

#ifndef SCREE_MEASURE_PART_H
#define SCREE_MEASURE_PART_H

#include "measure/part_mesh.h"
#include "world/cell.h"
#include "world/group.h"

#include <scree/measure.h>

struct scree_part {
    struct scree_measure_region region;
    struct scree_part_mesh mesh;
    int dimension;
    double lower[3], upper[3]; // bounding box
    double origin[3];          // the lower corner of the cell
    double period[3];          // 0 along an axis that is not periodic, and in a cell with cell vectors
    bool skewed;               // whether the cell has cell vectors
    struct scree_cell_lattice lattice;
    bool flat[3];             // whether its ends along an axis are planes normal to it
    bool spans_period[3];     // whether it is as wide as the period, so that it has no ends
    double first[3], last[3]; // ends along a periodic axis, in grid steps, see part.c
    double volume;            // 0 for everywhere
    uint64_t mask;            // of the group; 0 for none
};

// Prepares a region; null: everywhere. An invalid region is an error.
SCREE_NODISCARD scree_status scree_part_begin(const struct scree_world *world,
                                              const struct scree_measure_region *region,
                                              struct scree_part *part);

// As scree_part_begin, if the volume is needed: everywhere becomes the box of the cell.
SCREE_NODISCARD scree_status scree_part_begin_volume(const struct scree_world *world,
                                                     const struct scree_measure_region *region,
                                                     struct scree_part *part);

// Refuses a region with a group of bodies, for measurements of contacts.
SCREE_NODISCARD scree_status scree_part_of_contacts(const struct scree_part *part);

bool scree_part_contains(const struct scree_part *part, const double position[3]);

// Returns whether a body is in the region, by its centre, and in the group.
static inline bool scree_part_has(const struct scree_part *part, const struct scree_world *world, size_t slot)
{
    return (part->mask == 0 || scree_group_of_body(world, slot) & part->mask) &&
           scree_part_contains(part, scree_world_grains(world)[slot].position);
}

// The fraction of a segment that is inside, from 0 to 1; the segment must be much shorter than the cell.
double scree_part_fraction(const struct scree_part *part, const double from[3], const double to[3]);

// The volume of a ball that is inside.
double scree_part_ball(const struct scree_part *part, const double centre[3], double radius);

#endif
