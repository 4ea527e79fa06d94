// Facets without area, see mesh_slivers.h.
//
// If the vertices of a facet move by d, its area changes by up to d times half the perimeter. So three points
// whose true positions are within d of the given ones can be on one line only if the radius of the inscribed
// circle is at most d.

#include "shape/mesh_slivers.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "shape/mesh_edges.h"

// slivers in a row may need one pass for each; what is left after these is removed
enum { PASSES = 16 };

static struct scree_vec3 corner(const struct scree_mesh *mesh, size_t f, int k)
{
    return scree_vec3_load(mesh->vertex[mesh->facet[f][k]]);
}

double scree_mesh_slivers_radius(const struct scree_mesh *mesh, size_t facet)
{
    const struct scree_vec3 a = corner(mesh, facet, 0), b = corner(mesh, facet, 1),
                            c = corner(mesh, facet, 2);
    const struct scree_vec3 ab = scree_vec3_sub(b, a), bc = scree_vec3_sub(c, b), ca = scree_vec3_sub(a, c);
    const double perimeter = scree_vec3_norm(ab) + scree_vec3_norm(bc) + scree_vec3_norm(ca);
    return perimeter > 0 ? scree_vec3_norm(scree_vec3_cross(ab, ca)) / perimeter : 0;
}

double scree_mesh_slivers_round_off(const struct scree_mesh *mesh)
{
    double reach = 0;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            reach = scree_real_max(reach, fabs(mesh->vertex[v][k]));
    // differences of coordinates and their products are wrong by up to eight round-offs of the largest
    return 8 * 0x1p-53 * reach;
}

// --- mending

// Number of the longest side of a facet.
static uint32_t longest_side(const struct scree_mesh *mesh, size_t f)
{
    double most = 0;
    uint32_t longest = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        const double length = scree_vec3_norm_squared(
            scree_vec3_sub(corner(mesh, f, (int)((k + 1) % 3)), corner(mesh, f, (int)k)));
        longest = length > most ? k : longest;
        most = scree_real_max(most, length);
    }
    return longest;
}

static bool has_edge(const struct scree_mesh_edges *edges, uint32_t a, uint32_t b)
{
    const uint64_t wanted = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    size_t low = 0, high = edges->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint64_t key = (uint64_t)edges->edge[middle].vertex[0] << 32 | edges->edge[middle].vertex[1];
        if (key == wanted)
            return true;
        if (key < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

// Whether a facet has a neighbour at a side other than the longest one: else the mesh loses nothing without
// it.
static bool is_needed(const struct scree_mesh_edges *edges, uint32_t f, uint32_t longest)
{
    const uint32_t *edge = edges->of_facet[f];
    return edges->edge[edge[(longest + 1) % 3]].sides > 1 || edges->edge[edge[(longest + 2) % 3]].sides > 1;
}

// Joins a sliver with its neighbour at its longest side; returns false if that is not possible. The neighbour
// gets a mark, as it has changed.
static bool join(struct scree_mesh *mesh, const struct scree_mesh_edges *edges, uint8_t *mark, uint32_t f)
{
    const uint32_t k = longest_side(mesh, f);
    const struct scree_mesh_edge *edge = &edges->edge[edges->of_facet[f][k]];
    if (edge->sides != 2 || !is_needed(edges, f, k))
        return false;
    const uint32_t *sides = edges->side + edge->first;
    const uint32_t side = sides[0] / 3 == f ? sides[1] : sides[0], other = side / 3;
    const uint32_t a = mesh->facet[other][side % 3], c = mesh->facet[other][(side % 3 + 1) % 3],
                   d = scree_mesh_edges_opposite(mesh, side), b = mesh->facet[f][(k + 2) % 3];
    if (mark[other] || b == d || has_edge(edges, b, d))
        return false;
    mark[f] = mark[other] = 1;
    const uint32_t first[3] = {a, b, d}, second[3] = {b, c, d};
    for (int i = 0; i < 3; ++i) {
        mesh->facet[other][i] = first[i];
        mesh->facet[f][i] = second[i];
    }
    mesh->number[f] = mesh->number[other];
    return true;
}

// Joins the slivers whose neighbours are no slivers and were not changed; `joined` is their number, and
// `slivers` that of all.
static scree_status mend_once(struct scree_mesh *mesh, double round_off, size_t *slivers, size_t *joined)
{
    struct scree_mesh_edges edges = {0};
    uint8_t *mark;
    SCREE_TRY(scree_memory_new(mesh->facets, 2 * sizeof *mark, (void **)&mark));
    uint8_t *thin = mark + mesh->facets;
    *slivers = *joined = 0;
    for (size_t f = 0; f < mesh->facets; ++f) {
        thin[f] = mark[f] = scree_mesh_slivers_radius(mesh, f) <= round_off;
        *slivers += thin[f];
    }
    scree_status status = *slivers > 0 ? scree_mesh_edges_find(mesh, &edges) : SCREE_OK;
    for (uint32_t f = 0; status == SCREE_OK && *slivers > 0 && f < mesh->facets; ++f)
        if (thin[f])
            *joined += join(mesh, &edges, mark, f);
    scree_mesh_edges_free(&edges);
    scree_memory_free(mark);
    return status;
}

scree_status scree_mesh_slivers_mend(struct scree_mesh *mesh, size_t *mended)
{
    const double round_off = scree_mesh_slivers_round_off(mesh);
    size_t slivers = 1, joined = 1;
    *mended = 0;
    for (int pass = 0; pass < PASSES && slivers > 0 && joined > 0; ++pass) {
        SCREE_TRY(mend_once(mesh, round_off, &slivers, &joined));
        *mended += joined;
    }
    return SCREE_OK;
}
