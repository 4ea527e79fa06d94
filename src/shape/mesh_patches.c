// Flat patches of a mesh, see mesh_topology.h.
//
// A patch grows from its largest facet over flat edges. Each next vertex is compared with a plane fitted to
// the patch, not with its neighbour, so a finely divided cylinder does not become one patch.
//
// The plane is that of least squares through the corners of its facets, weighted by area. If all true
// positions are in one plane and each given one is within d of it, then relative to the true plane the fitted
// one is wrong by at most d at its centre, and its slope along the principal axis i by at most
// |sum w u e| / sum w u^2 <= d / s_i, where s_i is the root mean square of the coordinate u along this axis
// (Cauchy and Schwarz); since distances are measured across the fitted plane and not along the normal of the
// true one, divided by 1 - d^2 / s_i^2. So a vertex of the true plane is at most d (2 + |u_1| / s_1 + |u_2| /
// s_2) from the fitted one. No facet of a flat surface is refused therefore, in whatever order it is visited.

#include "base/memory.h"
#include "base/sort.h"
#include "math/eigen.h"
#include "shape/mesh_topology.h"

#define NONE UINT32_MAX

// Sums over the corners of a patch, relative to one of them.
struct moments {
    double weight;
    struct scree_vec3 first;
    struct scree_mat3 second; // upper triangle
};

struct plane {
    struct scree_vec3 centre, normal, axis[2];
    double slope[2]; // error of the slope along each axis
};

struct growth {
    const struct scree_mesh *mesh;
    const struct scree_mesh_edges *edges;
    const uint8_t *bend;
    double error;
    double *area; // of each facet
    uint32_t *patch;
    uint32_t *member; // facets of the present patch
    uint32_t members, fitted;
    uint32_t begin; // first vertex of the patch, the origin of its moments
    struct moments moments;
    struct plane plane;
};

static struct scree_vec3 vertex_of(const struct growth *growth, uint32_t vertex)
{
    return scree_vec3_load(growth->mesh->vertex[vertex]);
}

// --- the plane of a patch

static void add_moments(struct growth *growth, uint32_t facet)
{
    struct moments *m = &growth->moments;
    const struct scree_vec3 origin = vertex_of(growth, growth->begin);
    const double w = growth->area[facet];
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 x = scree_vec3_sub(vertex_of(growth, growth->mesh->facet[facet][k]), origin);
        m->weight += w;
        m->first = scree_vec3_add_scaled(m->first, w, x);
        m->second.xx += w * x.x * x.x;
        m->second.xy += w * x.x * x.y;
        m->second.xz += w * x.x * x.z;
        m->second.yy += w * x.y * x.y;
        m->second.yz += w * x.y * x.z;
        m->second.zz += w * x.z * x.z;
    }
}

static void fit(struct growth *growth)
{
    const struct moments *m = &growth->moments;
    const struct scree_vec3 c = scree_vec3_scale(m->first, 1 / m->weight);
    struct scree_mat3 t = scree_mat3_scale(m->second, 1 / m->weight);
    t.xx -= c.x * c.x;
    t.xy -= c.x * c.y;
    t.xz -= c.x * c.z;
    t.yy -= c.y * c.y;
    t.yz -= c.y * c.z;
    t.zz -= c.z * c.z;
    const struct scree_eigen eigen = scree_eigen_symmetric(t);
    const struct scree_mat3 axes = scree_mat3_transpose(eigen.vectors);
    const double variance[2] = {eigen.values.z, eigen.values.y};
    struct plane *plane = &growth->plane;
    plane->centre = scree_vec3_add(vertex_of(growth, growth->begin), c);
    plane->normal = scree_mat3_row_x(axes);
    plane->axis[0] = scree_mat3_row_z(axes);
    plane->axis[1] = scree_mat3_row_y(axes);
    for (int k = 0; k < 2; ++k) {
        // the moments are rounded: their principal axes turn by round-off over the difference of variances
        const double rest = variance[k] - growth->error * growth->error;
        plane->slope[k] = rest > 0
                              ? growth->error * sqrt(variance[k]) / rest + 32 * 0x1p-53 * variance[0] / rest
                              : 0x1p500; // times any length of a mesh it is finite
    }
    growth->fitted = growth->members;
}

static bool is_in_plane(const struct growth *growth, uint32_t vertex)
{
    const struct plane *plane = &growth->plane;
    const struct scree_vec3 x = scree_vec3_sub(vertex_of(growth, vertex), plane->centre);
    double bound = 2 * growth->error;
    for (int k = 0; k < 2; ++k)
        bound += fabs(scree_vec3_dot(plane->axis[k], x)) * plane->slope[k];
    return fabs(scree_vec3_dot(plane->normal, x)) <= bound;
}

// --- growing

static void add_member(struct growth *growth, uint32_t facet, uint32_t patch)
{
    growth->patch[facet] = patch;
    growth->member[growth->members++] = facet;
    add_moments(growth, facet);
}

// The facet at the other side of a flat edge; NONE if the edge is not flat.
static uint32_t flat_neighbour(const struct growth *growth, uint32_t facet, int k, uint32_t *side)
{
    const uint32_t e = growth->edges->of_facet[facet][k];
    if (growth->bend[e] != SCREE_MESH_FLAT)
        return NONE;
    const uint32_t *sides = growth->edges->side + growth->edges->edge[e].first;
    *side = sides[0] / 3 == facet ? sides[1] : sides[0];
    return *side / 3;
}

static void visit(struct growth *growth, uint32_t facet, uint32_t patch)
{
    for (int k = 0; k < 3; ++k) {
        uint32_t side = 0;
        const uint32_t other = flat_neighbour(growth, facet, k, &side);
        if (other == NONE || growth->patch[other] != NONE)
            continue;
        // two facets at a flat edge need no further check
        if (growth->members > 1) {
            if (growth->members / 2 >= growth->fitted)
                fit(growth);
            if (!is_in_plane(growth, scree_mesh_edges_opposite(growth->mesh, side)))
                continue;
        }
        add_member(growth, other, patch);
    }
}

static bool are_in_plane(const struct growth *growth)
{
    for (uint32_t i = 0; i < growth->members; ++i)
        for (int k = 0; k < 3; ++k)
            if (!is_in_plane(growth, growth->mesh->facet[growth->member[i]][k]))
                return false;
    return true;
}

// Compares all members with the plane of all of them, and keeps the half that was found first until they
// agree: planes that were fitted to a part may have followed a slightly curved surface.
static void confirm(struct growth *growth)
{
    fit(growth);
    while (growth->members > 2 && !are_in_plane(growth)) {
        const uint32_t kept = growth->members / 2;
        for (uint32_t i = kept; i < growth->members; ++i)
            growth->patch[growth->member[i]] = NONE;
        growth->members = kept;
        growth->moments = (struct moments){0};
        for (uint32_t i = 0; i < kept; ++i)
            add_moments(growth, growth->member[i]);
        fit(growth);
    }
}

static void grow(struct growth *growth, uint32_t seed, uint32_t patch)
{
    growth->begin = growth->mesh->facet[seed][0];
    growth->moments = (struct moments){0};
    growth->members = growth->fitted = 0;
    add_member(growth, seed, patch);
    for (uint32_t at = 0; at < growth->members; ++at)
        visit(growth, growth->member[at], patch);
    if (growth->members > 2)
        confirm(growth);
}

// --- all patches

static void measure(struct growth *growth, uint64_t *key)
{
    for (size_t f = 0; f < growth->mesh->facets; ++f) {
        const uint32_t *v = growth->mesh->facet[f];
        const struct scree_vec3 a = vertex_of(growth, v[0]);
        const struct scree_vec3 normal = scree_vec3_cross(scree_vec3_sub(vertex_of(growth, v[1]), a),
                                                          scree_vec3_sub(vertex_of(growth, v[2]), a));
        growth->area[f] = 0.5 * scree_vec3_norm(normal);
        // largest first; the bits of positive numbers are in their order
        key[f] = UINT32_MAX - (scree_real_bits(growth->area[f]) >> 32);
    }
}

// Numbers the patches by their first facet.
static void renumber(struct scree_mesh_topology *topology, size_t facets, uint32_t *number)
{
    for (size_t p = 0; p < topology->patches; ++p)
        number[p] = NONE;
    uint32_t next = 0;
    for (size_t f = 0; f < facets; ++f) {
        uint32_t *own = &number[topology->patch[f]];
        *own = *own == NONE ? next++ : *own;
        topology->patch[f] = *own;
    }
    topology->patches = next;
}

static scree_status find_patches(struct growth *growth, struct scree_mesh_topology *topology, uint64_t *key,
                                 uint32_t *order)
{
    const size_t facets = growth->mesh->facets;
    measure(growth, key);
    SCREE_TRY(scree_sort_order(key, facets, order));
    for (size_t f = 0; f < facets; ++f)
        growth->patch[f] = NONE;
    for (size_t i = 0; i < facets; ++i)
        if (growth->patch[order[i]] == NONE)
            grow(growth, order[i], (uint32_t)topology->patches++);
    renumber(topology, facets, order);
    return SCREE_OK;
}

scree_status scree_mesh_patches_find(const struct scree_mesh *mesh, double error,
                                     struct scree_mesh_topology *topology)
{
    struct growth growth = {.mesh = mesh, .edges = &topology->edges, .bend = topology->bend, .error = error};
    uint64_t *key = NULL;
    uint32_t *order = NULL;
    SCREE_TRY(scree_memory_new(mesh->facets, sizeof *topology->patch, (void **)&topology->patch));
    growth.patch = topology->patch;
    scree_status status = scree_memory_new(mesh->facets, sizeof *key, (void **)&key);
    if (status == SCREE_OK)
        status = scree_memory_new(mesh->facets, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = scree_memory_new(mesh->facets, sizeof *growth.area, (void **)&growth.area);
    if (status == SCREE_OK)
        status = scree_memory_new(mesh->facets, sizeof *growth.member, (void **)&growth.member);
    if (status == SCREE_OK)
        status = find_patches(&growth, topology, key, order);
    scree_memory_free(key);
    scree_memory_free(order);
    scree_memory_free(growth.area);
    scree_memory_free(growth.member);
    return status;
}
