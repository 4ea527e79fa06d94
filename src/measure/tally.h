// What came into a world and was taken out of it by now: rows of the world, one for each way in or out, so
// that a checkpoint has them and a restart counts on.
//
// What always holds: rows are added in one order, never taken out, and keep their places.

#ifndef SCREE_MEASURE_TALLY_H
#define SCREE_MEASURE_TALLY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct scree_world;

enum scree_tally_way { SCREE_TALLY_IN = 1, SCREE_TALLY_OUT = 2 };

// Adds row `row`, the next one, unless it is there already.
SCREE_NODISCARD scree_status scree_tally_add(struct scree_world *world, enum scree_tally_way way, size_t row);

// What one row has moved so far, kg.
void scree_tally_get(const struct scree_world *world, size_t row, uint64_t *bodies, double *mass);
void scree_tally_set(struct scree_world *world, size_t row, uint64_t bodies, double mass);

// What has come in or was taken out, in all.
void scree_tally_sum(const struct scree_world *world, enum scree_tally_way way, uint64_t *bodies,
                     double *mass);

#endif
