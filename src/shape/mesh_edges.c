// The edges of a mesh, see mesh_edges.h.

#include "shape/mesh_edges.h"

#include "base/memory.h"
#include "mesh/sides.h"

static scree_status fill(const struct scree_mesh *mesh, const uint32_t *begin, const uint64_t *entry,
                         struct scree_mesh_edges *edges)
{
    size_t count = 0;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (uint32_t i = begin[v]; i < begin[v + 1]; ++i)
            count += i == begin[v] || entry[i] >> 32 != entry[i - 1] >> 32;
    SCREE_TRY(scree_memory_new(count, sizeof *edges->edge, (void **)&edges->edge));
    for (uint32_t v = 0; v < mesh->vertices; ++v)
        for (uint32_t i = begin[v]; i < begin[v + 1]; ++i) {
            const uint32_t side = (uint32_t)entry[i], other = (uint32_t)(entry[i] >> 32);
            if (i == begin[v] || other != entry[i - 1] >> 32)
                edges->edge[edges->count++] = (struct scree_mesh_edge){{v, other}, i, 0};
            ++edges->edge[edges->count - 1].sides;
            edges->side[i] = side;
            edges->of_facet[side / 3][side % 3] = (uint32_t)edges->count - 1;
        }
    return SCREE_OK;
}

scree_status scree_mesh_edges_find(const struct scree_mesh *mesh, struct scree_mesh_edges *edges)
{
    const size_t sides = 3 * mesh->facets;
    uint32_t *begin;
    uint64_t *entry = NULL;
    *edges = (struct scree_mesh_edges){0};
    SCREE_TRY(scree_memory_new(sides, sizeof *edges->side, (void **)&edges->side));
    SCREE_TRY(scree_memory_new(mesh->facets, sizeof *edges->of_facet, (void **)&edges->of_facet));
    SCREE_TRY(scree_memory_new(mesh->vertices + 2, sizeof *begin, (void **)&begin));
    scree_status status = scree_memory_new(sides, sizeof *entry, (void **)&entry);
    if (status == SCREE_OK) {
        scree_mesh_sides_sort((const uint32_t(*)[3])mesh->facet, mesh->facets, mesh->vertices, begin, entry);
        status = fill(mesh, begin, entry, edges);
    }
    scree_memory_free(begin);
    scree_memory_free(entry);
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
