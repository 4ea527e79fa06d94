// The sides of facets in the order of their edges.

#ifndef SCREE_MESH_SIDES_H
#define SCREE_MESH_SIDES_H

#include <stddef.h>
#include <stdint.h>

// Sorts the sides of facets with three different vertices by the lower vertex of their edge, then by the
// higher one, then by number; side 3 f + k leads from vertex k of facet f to the next. entry[i] has the
// higher vertex in its upper half and the side in the lower one; those whose lower vertex is v are begin[v]
// to begin[v + 1] - 1. `entry` has room for all sides, and `begin`, which is zero, for `vertices` + 2
// numbers.
void scree_mesh_sides_sort(const uint32_t (*facet)[3], size_t facets, size_t vertices, uint32_t *begin,
                           uint64_t *entry);

#endif
