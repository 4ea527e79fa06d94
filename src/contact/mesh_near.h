// Facets near a grain, in boxes of a mesh that are near its neighbours too.

#ifndef SCREE_CONTACT_MESH_NEAR_H
#define SCREE_CONTACT_MESH_NEAR_H

#include "world/records.h"

#include <stddef.h>

// Sorts facets by number.
void scree_mesh_near_sort(uint32_t *facet, size_t count);

// Counts the facets within a distance of a grain, in boxes of the lowest level of the tree.
size_t scree_mesh_near_count(const struct scree_wall *wall, const uint32_t *leaf, size_t leaves,
                             const struct scree_grain *grain, double range);

#endif
