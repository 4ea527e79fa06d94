// Growing grains to a dense packing without overlap.
//
// Grains are placed at random a fraction of their size, and grow in stages to a hair more than it. After each
// stage overlaps are relaxed: they push like springs, and the grains move by the fast inertial relaxation
// engine (Bitzek, Koskinen, Gahler, Moseler and Gumbsch, "Structural relaxation made simple", Phys. Rev.
// Lett. 97, 170201, 2006). It is over when none of them overlaps another, the region or a wall at its true
// size, or when all forces balance with overlaps left: then there is no room. That comes to solid fractions
// near random close packing, 0.63 for equal spheres and 0.83 for equal disks, less where walls are near.
//
// What always holds: places follow from the seed and the radii; the number of sweeps is bounded; grains that
// were there before do not move.

#ifndef SCREE_PACK_GROW_H
#define SCREE_PACK_GROW_H

#include "pack/fill.h"

// Adds fill->count grains, one or more, to a list, those that are in it being in the way. `overlap` gets
// what is left at the end, as a share of the sum of two radii: 0 for none; else the mean, 1 where there was
// no place at all, and the list is as it was.
SCREE_NODISCARD scree_status scree_grow(const struct scree_fill *fill, scree_fill_list *list,
                                        double *overlap);

#endif
