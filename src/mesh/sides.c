// Sides in the order of their edges, see sides.h: they are gathered by the lower vertex, and then sorted by
// the higher one. In a file facets may be in any order, so memory is requested ahead.

#include "mesh/sides.h"

#include "base/sort.h"

enum { FEW = 24 };            // so many sides are sorted by insertion
enum { FAR = 32, NEAR = 16 }; // sides ahead

static uint32_t lower_of(const uint32_t (*facet)[3], size_t side)
{
    const uint32_t a = facet[side / 3][side % 3], b = facet[side / 3][(side % 3 + 1) % 3];
    return a < b ? a : b;
}

static uint64_t entry_of(const uint32_t (*facet)[3], size_t side)
{
    const uint32_t a = facet[side / 3][side % 3], b = facet[side / 3][(side % 3 + 1) % 3];
    return (uint64_t)(a < b ? b : a) << 32 | side;
}

// Puts the sides at each vertex next to each other.
static void gather(const uint32_t (*facet)[3], size_t sides, size_t vertices, uint32_t *begin,
                   uint64_t *entry)
{
    // counts begin two places later: filling moves each to the begin of the next vertex
    for (size_t side = 0; side < sides; ++side)
        ++begin[lower_of(facet, side) + 2];
    for (size_t v = 2; v < vertices + 2; ++v)
        begin[v] += begin[v - 1];
    for (size_t side = 0; side < sides; ++side) {
        if (side + FAR < sides)
            __builtin_prefetch(&begin[lower_of(facet, side + FAR) + 1], 1);
        if (side + NEAR < sides)
            __builtin_prefetch(&entry[begin[lower_of(facet, side + NEAR) + 1]], 1);
        entry[begin[lower_of(facet, side) + 1]++] = entry_of(facet, side);
    }
}

static void sort(uint64_t *entry, size_t count)
{
    if (count > FEW) {
        scree_sort_in_place(entry, count);
        return;
    }
    for (size_t i = 1; i < count; ++i) {
        const uint64_t own = entry[i];
        size_t at = i;
        for (; at > 0 && entry[at - 1] > own; --at)
            entry[at] = entry[at - 1];
        entry[at] = own;
    }
}

void scree_mesh_sides_sort(const uint32_t (*facet)[3], size_t facets, size_t vertices, uint32_t *begin,
                           uint64_t *entry)
{
    gather(facet, 3 * facets, vertices, begin, entry);
    for (size_t v = 0; v < vertices; ++v)
        sort(entry + begin[v], begin[v + 1] - begin[v]);
}
