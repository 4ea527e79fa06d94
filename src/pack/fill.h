// Filling a region with grains that do not overlap, at random or on a lattice.
//
// What always holds: places follow from the seed alone. Each grain has a number; its radius and its tries are
// drawn for that number, the largest grains are placed first, and the number of tries is bounded, so an
// impossible wish ends.

#ifndef SCREE_PACK_FILL_H
#define SCREE_PACK_FILL_H

#include "pack/cells.h"
#include "pack/sizes.h"

enum { SCREE_FILL_MOST = 100000000 };

// grown grains are those of grow.h
enum scree_fill_order { SCREE_FILL_RANDOM, SCREE_FILL_CUBIC, SCREE_FILL_HEXAGONAL, SCREE_FILL_GROWN };

struct scree_fill {
    struct scree_free_region room;
    const struct scree_sizes *sizes;
    enum scree_fill_order order;
    size_t count; // grains wanted, at most SCREE_FILL_MOST; on a lattice UINT64_MAX means as many as there
                  // are places
    uint64_t seed;
    bool (*ended)(void *user); // asked on the way of what may take long: true ends it; or null
    void *user;
};

// Whether filling is to go on; else SCREE_ERROR_STATE.
SCREE_NODISCARD scree_status scree_fill_go_on(const struct scree_fill *fill);

// The radius of the grain of a number, from 0.
double scree_fill_radius(const struct scree_fill *fill, uint64_t number);

// Whether so many may be asked for at all; told at once, before anything is tried or allocated for them. What
// fills calls it.
SCREE_NODISCARD scree_status scree_fill_check(const struct scree_fill *fill);

// How many grains fill the room to a porosity, those in the list that have their centres in it counting as
// well; 0 for none.
SCREE_NODISCARD scree_status scree_fill_count(const struct scree_fill *fill, const scree_fill_list *list,
                                              double porosity, size_t *count);

// Adds grains to a list, those that are in it being in the way; fewer than wanted where there was no room.
SCREE_NODISCARD scree_status scree_fill(const struct scree_fill *fill, scree_fill_list *list);

#endif
