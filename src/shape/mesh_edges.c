// The edges of a mesh, see mesh_edges.h: sides sorted by their two vertices.

#include "shape/mesh_edges.h"

#include "base/memory.h"
#include "base/sort.h"

static scree_status sort_sides(const struct scree_mesh *mesh, uint64_t *key, uint32_t *side)
{
    for (size_t f = 0; f < mesh->facets; ++f) {
        const uint32_t *v = mesh->facet[f];
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = v[k], b = v[(k + 1) % 3];
            key[3 * f + (size_t)k] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        }
    }
    return scree_sort_order(key, 3 * mesh->facets, side);
}

static scree_status fill_edges(struct scree_mesh_edges *edges, const uint64_t *key, size_t sides)
{
    size_t count = 0;
    for (size_t i = 0; i < sides; ++i)
        count += i == 0 || key[edges->side[i]] != key[edges->side[i - 1]];
    SCREE_TRY(scree_memory_new(count, sizeof *edges->edge, (void **)&edges->edge));
    for (size_t i = 0; i < sides; ++i) {
        const uint32_t side = edges->side[i];
        if (i == 0 || key[side] != key[edges->side[i - 1]])
            edges->edge[edges->count++] =
                (struct scree_mesh_edge){{(uint32_t)(key[side] >> 32), (uint32_t)key[side]}, (uint32_t)i, 0};
        ++edges->edge[edges->count - 1].sides;
        edges->of_facet[side / 3][side % 3] = (uint32_t)edges->count - 1;
    }
    return SCREE_OK;
}

scree_status scree_mesh_edges_find(const struct scree_mesh *mesh, struct scree_mesh_edges *edges)
{
    const size_t sides = 3 * mesh->facets;
    uint64_t *key;
    *edges = (struct scree_mesh_edges){0};
    SCREE_TRY(scree_memory_new(sides, sizeof *edges->side, (void **)&edges->side));
    SCREE_TRY(scree_memory_new(mesh->facets, sizeof *edges->of_facet, (void **)&edges->of_facet));
    SCREE_TRY(scree_memory_new(sides, sizeof *key, (void **)&key));
    scree_status status = sort_sides(mesh, key, edges->side);
    if (status == SCREE_OK)
        status = fill_edges(edges, key, sides);
    scree_memory_free(key);
    return status;
}

void scree_mesh_edges_free(struct scree_mesh_edges *edges)
{
    scree_memory_free(edges->edge);
    scree_memory_free(edges->side);
    scree_memory_free(edges->of_facet);
    *edges = (struct scree_mesh_edges){0};
}

void scree_mesh_edges_flip(struct scree_mesh *mesh, struct scree_mesh_edges *edges, const uint8_t *flip)
{
    // vertices 1 and 2 change places: side 0 becomes side 2, and side 1 is reversed
    for (size_t f = 0; f < mesh->facets; ++f) {
        if (!flip[f])
            continue;
        const uint32_t vertex = mesh->facet[f][1], edge = edges->of_facet[f][0];
        mesh->facet[f][1] = mesh->facet[f][2];
        mesh->facet[f][2] = vertex;
        edges->of_facet[f][0] = edges->of_facet[f][2];
        edges->of_facet[f][2] = edge;
    }
    for (size_t i = 0; i < 3 * mesh->facets; ++i) {
        const uint32_t facet = edges->side[i] / 3, k = edges->side[i] % 3;
        edges->side[i] = 3 * facet + (flip[facet] ? 2 - k : k);
    }
}
