// Keys along a Morton curve: grains with close keys are close in space. A key interleaves 21 bits of each of
// the three coordinates of a cell (Morton, IBM report, 1966).
//
// Invariants: a key depends on positions and the cell size only. Cells are counted from the lower corner of
// the grains without outliers, modulo 2^21 along each axis, so outliers do not make the cells coarser. A
// position that is NaN has the largest key.

#ifndef SCREE_DETECT_MORTON_H
#define SCREE_DETECT_MORTON_H

#include <scree/kernel.h>

#include <stddef.h>

void scree_morton_keys(const struct scree_grain *grain, size_t count, double size_of_cell, uint64_t *keys);

#endif
