// Edges, vertices and patches of a mesh, see mesh_topology.h.
//
// Two facets at an edge have four vertices, a tetrahedron. If each vertex moves by up to d, its volume V
// changes by up to d / 3 times the sum A of its four faces, in first order, since dV = A_i d_i / 3 for the
// face A_i opposite to a vertex. So facets whose true vertices lie in a plane, and whose given ones are wrong
// by up to d, have 3 V / A <= d: the radius of the inscribed sphere is at most d.

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

// The radius of the circle inscribed in a facet with this normal (twice the area) is at most `error`.
static bool is_sliver(double normal, double a, double b, double c, double error)
{
    return normal <= error * (a + b + c);
}

static enum scree_mesh_bend bend_of(const struct scree_mesh *mesh, const uint32_t side[2], double error)
{
    // vectors from the first vertex of the edge, along the first side: to its other end and to the vertices
    // opposite in both facets
    const uint32_t *v = mesh->facet[side[0] / 3];
    const struct scree_vec3 origin = scree_vec3_load(mesh->vertex[v[side[0] % 3]]);
    const struct scree_vec3 edge =
        scree_vec3_sub(scree_vec3_load(mesh->vertex[v[(side[0] % 3 + 1) % 3]]), origin);
    struct scree_vec3 tip[2];
    for (int k = 0; k < 2; ++k)
        tip[k] = scree_vec3_sub(scree_vec3_load(mesh->vertex[scree_mesh_edges_opposite(mesh, side[k])]), origin);
    const struct scree_vec3 normal[2] = {scree_vec3_cross(edge, tip[0]), scree_vec3_cross(tip[1], edge)};
    const struct scree_vec3 between = scree_vec3_sub(tip[1], tip[0]);
    const double area[2] = {scree_vec3_norm(normal[0]), scree_vec3_norm(normal[1])};
    const double faces = area[0] + area[1] + scree_vec3_norm(scree_vec3_cross(tip[0], tip[1])) +
                         scree_vec3_norm(scree_vec3_cross(scree_vec3_sub(tip[0], edge), between));
    const double length = scree_vec3_norm(edge), a = scree_vec3_norm(tip[0]), b = scree_vec3_norm(tip[1]);
    const double volume = scree_vec3_dot(normal[0], tip[1]);
    // `volume` is 6 V and `faces` 2 A; the determinant has 5 roundings in each of its two products
    const bool flat = fabs(volume) <= error * faces + 10 * 0x1p-53 * length * a * b;
    // two facets folded onto each other are not flat, but a sliver has no reliable front
    if (flat && (scree_vec3_dot(normal[0], normal[1]) > 0 ||
                 is_sliver(area[0], length, a, scree_vec3_norm(scree_vec3_sub(tip[0], edge)), error) ||
                 is_sliver(area[1], length, b, scree_vec3_norm(scree_vec3_sub(tip[1], edge)), error)))
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
        topology->bend[e] =
            (uint8_t)(sides == 1   ? SCREE_MESH_OPEN
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
    SCREE_TRY(scree_memory_new(3 * mesh->facets, sizeof *topology->vertex_facet,
                               (void **)&topology->vertex_facet));
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
