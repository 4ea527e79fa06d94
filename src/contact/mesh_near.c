// Facets near a grain, see mesh_near.h.

#include "contact/mesh_near.h"

#include "mesh/tree.h"
#include "shape/nearest.h"

// Shell's sort, with the increments of Knuth: 1, 4, 13, 40, ...
void scree_mesh_near_sort(uint32_t *facet, size_t count)
{
    size_t step = 1;
    while (step < count / 3)
        step = 3 * step + 1;
    for (; step > 0; step /= 3)
        for (size_t n = step; n < count; ++n) {
            const uint32_t moved = facet[n];
            size_t at = n;
            for (; at >= step && facet[at - step] > moved; at -= step)
                facet[at] = facet[at - step];
            facet[at] = moved;
        }
}

size_t scree_mesh_near_count(const struct scree_wall *wall, const uint32_t *leaf, size_t leaves,
                             const struct scree_grain *grain, double range)
{
    const struct scree_vec3 centre = scree_nearest_to_local(wall, scree_vec3_load(grain->position));
    size_t count = 0;
    for (size_t n = 0; n < leaves; ++n)
        count += scree_mesh_count_in_leaf(wall->surface, leaf[n], centre, range);
    return count;
}
