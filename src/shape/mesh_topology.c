// Edges, vertices and patches of a mesh, see mesh_topology.h.
//
// Two facets at an edge have four vertices, a tetrahedron. While each vertex moves by up to d, its volume V
// changes by up to d / 3 times the sum A of the areas of its faces, since dV = A_i d_i / 3 for the face A_i
// opposite to a vertex, and A by up to d / 2 times the sum of the perimeters of the faces, which is twice
// that of the six edges, L. So facets whose true vertices lie in a plane and whose given ones are wrong by up
// to d have V <= d / 3 (A + d L / 2): the radius of the inscribed sphere, 3 V / A, is hardly above d.

#include "shape/mesh_topology.h"

#include "base/memory.h"
#include "math/vec3.h"

double scree_mesh_topology_error(const struct scree_mesh *mesh)
{
    double reach = 0;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            reach = scree_real_max(reach, fabs(mesh->vertex[v][k]));
    // differences of coordinates are rounded
    return sqrt(3.0) * (mesh->error + 2 * 0x1p-53 * reach);
}

// --- bends

// The two facets at an edge, from the first vertex of its first side.
struct pair {
    struct scree_vec3 edge, tip[2], normal[2]; // normals have twice the area of the facets
    double length, along[2], across[2];        // of the edge and of the other sides of both facets
};

static struct pair pair_of(const struct scree_mesh *mesh, const uint32_t side[2])
{
    const uint32_t *v = mesh->facet[side[0] / 3];
    const struct scree_vec3 origin = scree_vec3_load(mesh->vertex[v[side[0] % 3]]);
    struct pair pair = {.edge =
                            scree_vec3_sub(scree_vec3_load(mesh->vertex[v[(side[0] % 3 + 1) % 3]]), origin)};
    for (int k = 0; k < 2; ++k) {
        pair.tip[k] =
            scree_vec3_sub(scree_vec3_load(mesh->vertex[scree_mesh_edges_opposite(mesh, side[k])]), origin);
        pair.along[k] = scree_vec3_norm(pair.tip[k]);
        pair.across[k] = scree_vec3_norm(scree_vec3_sub(pair.tip[k], pair.edge));
    }
    pair.length = scree_vec3_norm(pair.edge);
    pair.normal[0] = scree_vec3_cross(pair.edge, pair.tip[0]);
    pair.normal[1] = scree_vec3_cross(pair.tip[1], pair.edge);
    return pair;
}

// Whether the front of a facet is unreliable. A height h of it makes its normal wrong by an angle of up to
// 2 d / h, so the fronts of facets in one plane may only seem to face each other if one of them has an angle
// of at least 45 degrees and so a height of at most 3 d; the radius of its inscribed circle is below that.
static bool is_thin(const struct pair *pair, int k, double error)
{
    return scree_vec3_norm(pair->normal[k]) <= 3 * error * (pair->length + pair->along[k] + pair->across[k]);
}

static enum scree_mesh_bend bend_of(const struct scree_mesh *mesh, const uint32_t side[2], double error)
{
    const struct pair p = pair_of(mesh, side);
    const struct scree_vec3 between = scree_vec3_sub(p.tip[1], p.tip[0]);
    const double areas = scree_vec3_norm(p.normal[0]) + scree_vec3_norm(p.normal[1]) +
                         scree_vec3_norm(scree_vec3_cross(p.tip[0], p.tip[1])) +
                         scree_vec3_norm(scree_vec3_cross(scree_vec3_sub(p.tip[0], p.edge), between));
    const double lengths =
        p.length + p.along[0] + p.along[1] + p.across[0] + p.across[1] + scree_vec3_norm(between);
    // 6 V, 2 A and L; the determinant has 5 roundings in each of its two products
    const double volume = scree_vec3_dot(p.normal[0], p.tip[1]);
    const double bound =
        error * (areas + error * lengths) + 10 * 0x1p-53 * p.length * p.along[0] * p.along[1];
    // two facets folded onto each other are not flat
    if (fabs(volume) <= bound &&
        (scree_vec3_dot(p.normal[0], p.normal[1]) > 0 || is_thin(&p, 0, error) || is_thin(&p, 1, error)))
        return SCREE_MESH_FLAT;
    return volume > 0 ? SCREE_MESH_CONCAVE : SCREE_MESH_CONVEX;
}

static scree_status find_bends(const struct scree_mesh *mesh, double error,
                               struct scree_mesh_topology *topology)
{
    const struct scree_mesh_edges *edges = &topology->edges;
    SCREE_TRY(scree_memory_new(edges->count, sizeof *topology->bend, (void **)&topology->bend));
    for (size_t e = 0; e < edges->count; ++e) {
        const uint32_t sides = edges->edge[e].sides;
        topology->bend[e] = (uint8_t)(sides == 1   ? SCREE_MESH_OPEN
                                      : sides == 2 ? bend_of(mesh, edges->side + edges->edge[e].first, error)
                                                   : SCREE_MESH_MANY);
    }
    return SCREE_OK;
}

// --- vertices

static scree_status find_vertices(const struct scree_mesh *mesh, struct scree_mesh_topology *topology)
{
    SCREE_TRY(scree_memory_new(mesh->vertices + 2, sizeof *topology->vertex_begin,
                               (void **)&topology->vertex_begin));
    SCREE_TRY(
        scree_memory_new(3 * mesh->facets, sizeof *topology->vertex_facet, (void **)&topology->vertex_facet));
    // counts begin two places later: filling moves each to the begin of the next vertex
    uint32_t *begin = topology->vertex_begin;
    for (size_t f = 0; f < mesh->facets; ++f)
        for (int k = 0; k < 3; ++k)
            ++begin[mesh->facet[f][k] + 2];
    for (size_t v = 2; v < mesh->vertices + 2; ++v)
        begin[v] += begin[v - 1];
    for (size_t f = 0; f < mesh->facets; ++f)
        for (int k = 0; k < 3; ++k)
            topology->vertex_facet[begin[mesh->facet[f][k] + 1]++] = (uint32_t)f;
    return SCREE_OK;
}

// --- all

scree_status scree_mesh_topology_find(const struct scree_mesh *mesh, struct scree_mesh_topology *topology)
{
    const double error = scree_mesh_topology_error(mesh);
    *topology = (struct scree_mesh_topology){0};
    SCREE_TRY(scree_mesh_edges_find(mesh, &topology->edges));
    SCREE_TRY(find_bends(mesh, error, topology));
    SCREE_TRY(find_vertices(mesh, topology));
    return scree_mesh_patches_find(mesh, error, topology);
}

void scree_mesh_topology_free(struct scree_mesh_topology *topology)
{
    scree_mesh_edges_free(&topology->edges);
    scree_memory_free(topology->bend);
    scree_memory_free(topology->vertex_begin);
    scree_memory_free(topology->vertex_facet);
    scree_memory_free(topology->patch);
    *topology = (struct scree_mesh_topology){0};
}
