// Filling a region with grains that do not overlap, at random or on a lattice.
//
// What always holds: places follow from the seed alone. Each grain has a number; its radius and its tries are
// drawn for that number, the largest grains are placed first, and the number of tries is bounded, so an
// impossible wish ends.

#ifndef SCREE_IO_FILL_H
#define SCREE_IO_FILL_H

#include "base/array.h"
#include "io/region.h"
#include "io/sizes.h"

enum scree_fill_order { SCREE_FILL_RANDOM, SCREE_FILL_CUBIC, SCREE_FILL_HEXAGONAL };

struct scree_fill {
    struct scree_region region;
    const struct scree_sizes *sizes;
    enum scree_fill_order order;
    size_t count; // grains wanted; on a lattice UINT64_MAX means as many as there are places
    uint64_t seed;
    double period[3]; // of the cell, 0 where it does not repeat
};

struct scree_fill_grain {
    double place[3], radius;
};

typedef SCREE_ARRAY(struct scree_fill_grain) scree_fill_list;

// Adds grains to a list, those that are in it being in the way; fewer than wanted where there was no room.
SCREE_NODISCARD scree_status scree_fill(const struct scree_fill *fill, scree_fill_list *list);

#endif
