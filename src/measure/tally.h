// Counts of bodies inserted into and deleted from a world: rows of the world, one for each insertion and
// deletion, so that they are in checkpoints and a restart continues to count.
//
// Invariant: rows are added in one order and never removed or moved.

#ifndef SCREE_MEASURE_TALLY_H
#define SCREE_MEASURE_TALLY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct scree_world;

enum scree_tally_direction { SCREE_TALLY_IN = 1, SCREE_TALLY_OUT = 2 };

// Adds row `row`, which must be the next one, unless it exists already.
SCREE_NODISCARD scree_status scree_tally_add(struct scree_world *world, enum scree_tally_direction direction,
                                             size_t row);

// The counts of one row; mass in kg.
void scree_tally_get(const struct scree_world *world, size_t row, uint64_t *bodies, double *mass);
void scree_tally_set(struct scree_world *world, size_t row, uint64_t bodies, double mass);

// The total over all rows of one direction.
void scree_tally_sum(const struct scree_world *world, enum scree_tally_direction direction, uint64_t *bodies,
                     double *mass);

#endif
