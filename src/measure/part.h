// A region of a world, ready to be asked: which places, which part of a segment and which part of a ball lie
// in it. Where the cell is periodic the region repeats with it.
//
// What always holds: along an axis that repeats the region is no wider than the period, so its images do not
// overlap; in two dimensions z counts for nothing. Of boxes that share a bound, written alike or a period
// apart, each place is in one.

#ifndef SCREE_MEASURE_PART_H
#define SCREE_MEASURE_PART_H

#include "math/vec3.h"
#include "world/group.h"

#include <scree/measure.h>

struct scree_part {
    struct scree_measure_region region;
    int dimension;
    double lower[3], upper[3]; // of the box around it
    double origin[3];          // the lower corner of the cell
    double period[3];          // 0 where nothing repeats
    bool flat[3];              // whether it ends in planes across an axis
    bool whole[3];             // whether it has no ends there after all: it is as wide as the period
    double first[3], last[3];  // of ends where the cell repeats: steps, see part.c
    double volume;             // 0 of everywhere
    uint64_t mask;             // of the group; 0 for none
};

// A region, of which null is everywhere; what it cannot be is refused.
SCREE_NODISCARD scree_status scree_part_begin(const struct scree_world *world,
                                              const struct scree_measure_region *region,
                                              struct scree_part *part);

// The same of one whose volume something is to be divided by: everywhere becomes the box of the cell, and its
// region is that from then on.
SCREE_NODISCARD scree_status scree_part_begin_volume(const struct scree_world *world,
                                                     const struct scree_measure_region *region,
                                                     struct scree_part *part);

// Refuses a region that tells bodies apart, where contacts are measured.
SCREE_NODISCARD scree_status scree_part_of_contacts(const struct scree_part *part);

bool scree_part_contains(const struct scree_part *part, const double place[3]);

// Whether a body is one that is measured: by its centre, and by its group.
static inline bool scree_part_has(const struct scree_part *part, const struct scree_world *world, size_t slot)
{
    return (part->mask == 0 || scree_group_of_body(world, slot) & part->mask) &&
           scree_part_contains(part, scree_world_grains(world)[slot].position);
}

// The share of the segment between two places, near each other, that lies inside: from 0 to 1.
double scree_part_share(const struct scree_part *part, const double from[3], const double to[3]);

// The volume of a ball inside.
double scree_part_ball(const struct scree_part *part, const double centre[3], double radius);

#endif
