// Clumps in tables of pebbles: rows with the same body become one row, with the shape of the clump and its
// orientation.

#ifndef SCREE_EXCHANGE_CLUMPS_H
#define SCREE_EXCHANGE_CLUMPS_H

#include "exchange/format.h"

#include <scree/shape.h>

// A shape: its pebbles, from the centre of mass, in the axes of the world at the first clump of this shape.
struct scree_format_clump {
    struct scree_pebble *pebble;
    size_t pebbles;
    double radius; // of the sphere (disk) of equal volume (area)
};

struct scree_format_clumps {
    SCREE_ARRAY(struct scree_format_clump) shape;
};

// Counts the bodies that have several rows, and these rows.
SCREE_NODISCARD scree_status scree_exchange_clumps_count(const struct scree_format_table *table,
                                                         size_t *clumps, size_t *pebbles);

// Replaces the rows of each body with several pebbles by one; shapes are numbered from 1 in order of their
// first rows, and spheres have the shape 0. Clumps of one shape may differ in size. The table must have
// radii. Removes forces and images. Spins that the table does not have are not added.
SCREE_NODISCARD scree_status scree_exchange_clumps_make(struct scree_format_table *table,
                                                        struct scree_format_clumps *clumps);

void scree_exchange_clumps_free(struct scree_format_clumps *clumps);

#endif
