// Growing grains to a dense packing without overlap.
//
// Grains are placed at random at a fraction of their size and grow in stages to slightly more than it. After
// each stage overlaps are relaxed: they act as linear springs, and grains move by the fast inertial
// relaxation engine, FIRE (Bitzek, Koskinen, Gahler, Moseler and Gumbsch, "Structural relaxation made
// simple", Phys. Rev. Lett. 97, 170201, 2006). Growth ends when no grain at its true size overlaps another,
// the region or a wall, or when forces balance although overlaps remain: the packing is jammed. This reaches
// solid fractions near random close packing, 0.63 for equal spheres and 0.83 for equal disks, and less close
// to walls.
//
// Invariants: the result depends on the seed and the radii only. The number of sweeps is bounded. Grains
// already in the list do not move.

#ifndef SCREE_PACK_GROW_H
#define SCREE_PACK_GROW_H

#include "pack/fill.h"

// Adds fill->count >= 1 grains to a list, without overlap with those in it. `overlap` gets 0 on success; else
// the mean remaining overlap relative to the sum of the radii, or 1 if no start position was found, and the
// list is unchanged.
SCREE_NODISCARD scree_status scree_grow(const struct scree_fill *fill, scree_fill_list *list,
                                        double *overlap);

#endif
