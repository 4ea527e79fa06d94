// Keys that follow a Morton curve through space: grains whose keys are near each other are near each other.
// 21 bits for each of three coordinates of a cell, interleaved (Morton, IBM report, 1966).
//
// What always holds: a key depends on positions and the size of the cells alone. Cells are counted from the
// lower corner of where most grains are, and those 2^21 or more away are folded onto the others: a grain that
// has flown off does not make the cells of the rest any coarser. A position that is not a number has the
// largest key.

#ifndef SCREE_DETECT_MORTON_H
#define SCREE_DETECT_MORTON_H

#include <scree/kernel.h>

#include <stddef.h>

void scree_morton_keys(const struct scree_grain *grain, size_t count, double size_of_cell, uint64_t *keys);

#endif
