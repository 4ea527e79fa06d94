// Filling a region with bodies that do not overlap, at random or on a lattice.
//
// Invariants: the result depends on the seed only. Each body has a number, and its radius, orientation and
// trial positions are random functions of that number. Large bodies are placed first. The number of trials is
// bounded, so an impossible filling terminates. Every pebble of a clump is in the region and outside of
// walls. Polyhedra are tested by their own shape, not by the sphere around them.

#ifndef SCREE_PACK_FILL_H
#define SCREE_PACK_FILL_H

#include "pack/body.h"
#include "pack/sizes.h"

enum { SCREE_FILL_MAX_GRAINS = 100000000 };

// for SCREE_FILL_GROWN see scree_grow
enum scree_fill_order { SCREE_FILL_RANDOM, SCREE_FILL_CUBIC, SCREE_FILL_HEXAGONAL, SCREE_FILL_GROWN };

struct scree_fill {
    struct scree_free_region free_region;
    const struct scree_sizes *sizes;
    const struct scree_pack_shape *shape; // null: spheres or disks
    enum scree_fill_order order;
    size_t count; // number of bodies, at most SCREE_FILL_MAX_GRAINS; UINT64_MAX fills all sites of a lattice
    uint64_t seed;
    bool (*cancelled)(void *user); // polled during long loops, true cancels the filling; may be null
    void *user;
};

// Polls `cancelled`; returns SCREE_ERROR_STATE if the filling was cancelled.
SCREE_NODISCARD scree_status scree_fill_check_cancelled(const struct scree_fill *fill);

// Returns the radius of body number `number`, from 0; and the body itself, at the origin.
double scree_fill_radius(const struct scree_fill *fill, uint64_t number);
struct scree_pack_body scree_fill_body(const struct scree_fill *fill, uint64_t number);

// Checks whether the number of bodies is possible at all; scree_fill and scree_grow call this.
SCREE_NODISCARD scree_status scree_fill_check(const struct scree_fill *fill);

// Computes the number of bodies to add for a porosity, given the grains of the list with centres in the
// region.
SCREE_NODISCARD scree_status scree_fill_count(const struct scree_fill *fill, const scree_fill_list *list,
                                              double porosity, size_t *count);

// Adds the grains of new bodies to a list without overlap with those in it, and the bodies to `placed`, which
// may be null; fewer than wanted if there was no space. Free the list by scree_cells_list_free if bodies are
// polyhedra.
SCREE_NODISCARD scree_status scree_fill(const struct scree_fill *fill, scree_fill_list *list,
                                        scree_pack_bodies *placed);

// Grows bodies to a dense packing, see grow.c. Adds fill->count >= 1 bodies, without overlap with the grains
// of the list. `overlap` gets 0 on success; else the mean remaining overlap relative to the sum of the radii,
// or 1 if no start position was found, and the lists are unchanged.
SCREE_NODISCARD scree_status scree_grow(const struct scree_fill *fill, scree_fill_list *list,
                                        scree_pack_bodies *placed, double *overlap);

#endif
