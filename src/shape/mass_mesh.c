// Mass properties of closed triangle meshes, see scree/shape.h.
//
// Each triangle and a common origin span a tetrahedron, whose volume has a sign. The integral of a polynomial
// over the inside of the mesh is the sum of those over the tetrahedra, which are closed forms.

#include "base/memory.h"
#include "base/sort.h"
#include "base/sum.h"
#include "shape/mass.h"
#include "shape/mesh.h"

#include <math.h>

// --- checking

static scree_status check_numbers(const struct scree_shape_mesh *mesh)
{
    if (mesh->triangles < 4)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a closed mesh has at least 4 triangles; this one has %zu", mesh->triangles);
    for (size_t v = 0; v < mesh->vertices; ++v)
        if (!isfinite(mesh->vertex[v][0]) || !isfinite(mesh->vertex[v][1]) || !isfinite(mesh->vertex[v][2]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "vertex %zu is not finite", v);
    for (size_t t = 0; t < mesh->triangles; ++t) {
        const uint32_t *v = mesh->triangle[t];
        for (int k = 0; k < 3; ++k) {
            if (v[k] >= mesh->vertices)
                return scree_status_fail(
                    SCREE_ERROR_ARGUMENT,
                    "triangle %zu has vertex %u, but vertices have numbers from 0 to %zu", t, (unsigned)v[k],
                    mesh->vertices > 0 ? mesh->vertices - 1 : 0);
            if (v[k] == v[(k + 1) % 3])
                return scree_status_fail(SCREE_ERROR_ARGUMENT, "triangle %zu has vertex %u twice", t,
                                         (unsigned)v[k]);
        }
    }
    return SCREE_OK;
}

// Number of times that a key occurs in a sorted list.
static size_t occurrences(const uint64_t *keys, size_t count, uint64_t key)
{
    size_t low = 0, high = count, last;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (last = low; last < count && keys[last] == key; ++last)
        continue;
    return last - low;
}

// Each edge must be passed as often in one direction as in the other.
static scree_status check_edges(const struct scree_shape_mesh *mesh, uint64_t *edge)
{
    const size_t count = 3 * mesh->triangles;
    for (size_t e = 0; e < count; ++e) {
        const uint32_t *v = mesh->triangle[e / 3];
        edge[e] = (uint64_t)v[e % 3] << 32 | v[(e + 1) % 3];
    }
    scree_sort_in_place(edge, count);
    for (size_t e = 0; e < count; ++e) {
        const uint64_t from = edge[e] >> 32, to = edge[e] & UINT32_MAX;
        const size_t forth = occurrences(edge, count, edge[e]),
                     back = occurrences(edge, count, to << 32 | from);
        if (forth == back)
            continue;
        if ((forth + back) % 2 == 1)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the mesh is open: the edge from vertex %u to vertex %u belongs to %zu "
                                     "triangle%s, but must belong to two",
                                     (unsigned)from, (unsigned)to, forth + back,
                                     forth + back == 1 ? "" : "s");
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the triangles at the edge from vertex %u to vertex %u have opposite "
                                 "orientations: seen from outside, all must be anticlockwise",
                                 (unsigned)from, (unsigned)to);
    }
    return SCREE_OK;
}

static scree_status check_mesh(const struct scree_shape_mesh *mesh)
{
    uint64_t *edge;
    SCREE_TRY(check_numbers(mesh));
    SCREE_TRY(scree_memory_new(3 * mesh->triangles, sizeof *edge, (void **)&edge));
    const scree_status status = check_edges(mesh, edge);
    scree_memory_free(edge);
    return status;
}

// --- integration

enum { INTEGRALS = 10 };

// Adds the integrals over the tetrahedron of a triangle and the origin, and bounds of their round-off.
static void add_tetrahedron(const struct scree_vec3 corner[3], struct scree_sum sum[INTEGRALS],
                            double error[3])
{
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    const double det = scree_vec3_dot(corner[0], scree_vec3_cross(corner[1], corner[2]));
    double v[3][3], s[3];
    for (int k = 0; k < 3; ++k)
        scree_vec3_store(corner[k], v[k]);
    scree_sum_add(&sum[0], det / 6);
    for (int k = 0; k < 3; ++k) {
        s[k] = v[0][k] + v[1][k] + v[2][k];
        scree_sum_add(&sum[1 + k], det / 24 * s[k]);
    }
    for (int k = 0; k < 6; ++k) {
        const int a = pair[k][0], b = pair[k][1];
        scree_sum_add(&sum[4 + k],
                      det / 120 * (v[0][a] * v[0][b] + v[1][a] * v[1][b] + v[2][a] * v[2][b] + s[a] * s[b]));
    }
    // a determinant of rounded numbers: 3 roundings of coordinates and 5 of operations in each of its
    // products; the factors after it have at most 6 more. No coordinate is above `reach`
    const double a = scree_vec3_norm(corner[0]), b = scree_vec3_norm(corner[1]),
                 c = scree_vec3_norm(corner[2]);
    const double reach = scree_real_max(a, scree_real_max(b, c)), unit = 16 * 0x1p-53 * 2 * a * b * c;
    error[0] += unit / 6;
    error[1] += unit / 24 * 3 * reach;
    error[2] += unit / 120 * 12 * reach * reach;
}

scree_status scree_shape_mass_mesh(const struct scree_shape_mesh *mesh, struct scree_shape_mass *mass)
{
    struct scree_sum sum[INTEGRALS] = {{{0}, {0}, 0, 0}};
    struct scree_shape_integrals in = {0};
    double lower[3], upper[3];
    SCREE_TRY(check_mesh(mesh));
    scree_mesh_bounds(mesh, lower, upper);
    scree_shape_mass_frame(lower, upper, &in);
    for (size_t t = 0; t < mesh->triangles; ++t) {
        struct scree_vec3 corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = scree_mesh_corner(mesh, t, k, in.origin, in.size);
        add_tetrahedron(corner, sum, in.error);
    }
    in.volume = scree_sum_value(&sum[0]);
    for (int k = 0; k < 3; ++k)
        in.first[k] = scree_sum_value(&sum[1 + k]);
    for (int k = 0; k < 6; ++k)
        in.second[k] = scree_sum_value(&sum[4 + k]);
    if (in.volume < -in.error[0])
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the triangles are oriented inwards, as at the edge from vertex %u to vertex %u: "
            "seen from outside, all must be anticlockwise",
            (unsigned)mesh->triangle[0][0], (unsigned)mesh->triangle[0][1]);
    if (in.volume <= in.error[0])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the mesh encloses no volume");
    scree_shape_mass_set(&in, 3, mass);
    return SCREE_OK;
}
