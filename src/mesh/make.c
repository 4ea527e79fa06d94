// Edges, vertices and flat patches of surfaces, see make.h.

#include "mesh/make.h"

#include "base/memory.h"
#include "base/sort.h"
#include "mesh/equal.h"
#include "mesh/tree.h"

#include <float.h>
#include <string.h>

// Working memory of the construction.
struct builder {
    const double (*corner)[3][3];
    double error; // of coordinates
    struct scree_mesh_surface *surface;
    uint64_t *key;           // [3 * facets]
    uint32_t *order, *queue; // [3 * facets], [facets]
    double *area;            // [facets]: twice the area
    struct scree_vec3 *normal;
};

static const double *corner_of(const struct builder *builder, size_t corner)
{
    return builder->corner[corner / 3][corner % 3];
}

// Hash of a position. Numbers that compare equal, such as 0 and -0, have equal hashes.
static uint64_t hash(const double position[3])
{
    uint64_t h = UINT64_C(0x9E3779B97F4A7C15);
    for (int k = 0; k < 3; ++k) {
        const double x = position[k] + 0.0;
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        h = (h ^ bits) * UINT64_C(0xFF51AFD7ED558CCD);
        h ^= h >> 32;
    }
    return h;
}

static bool same_position(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Sets `first` of each corner to the first corner at its position, in case a hash table takes too long.
static scree_status sort_corners(struct builder *builder, uint32_t *first)
{
    const size_t corners = 3 * builder->surface->facets;
    for (size_t c = 0; c < corners; ++c)
        builder->key[c] = hash(corner_of(builder, c));
    SCREE_TRY(scree_sort_order(builder->key, corners, builder->order));
    for (size_t n = 0, run = 0; n < corners; ++n) {
        const uint32_t c = builder->order[n];
        if (builder->key[c] != builder->key[builder->order[run]])
            run = n;
        size_t m = run;
        while (!same_position(corner_of(builder, builder->order[m]), corner_of(builder, c)))
            ++m;
        first[c] = builder->order[m];
    }
    return SCREE_OK;
}

// Numbers the vertices: corners at the same position are one vertex; vertices are numbered in the order of
// their first corners. `number` of a corner is at first its first corner.
static scree_status number_corners(struct builder *builder, uint32_t *number)
{
    struct scree_mesh_surface *surface = builder->surface;
    const size_t corners = 3 * surface->facets;
    bool complete;
    SCREE_TRY(scree_mesh_equal_find(builder->corner[0], corners, number, &complete));
    if (!complete)
        SCREE_TRY(sort_corners(builder, number));
    for (size_t c = 0; c < corners; ++c)
        surface->vertices += number[c] == c;
    SCREE_TRY(scree_memory_new(surface->vertices, sizeof *surface->vertex, (void **)&surface->vertex));
    uint32_t vertices = 0;
    for (size_t c = 0; c < corners; ++c) {
        if (number[c] == c) {
            memcpy(surface->vertex[vertices], corner_of(builder, c), sizeof surface->vertex[0]);
            number[c] = vertices++;
        } else {
            number[c] = number[number[c]];
        }
        surface->facet[c / 3].vertex[c % 3] = number[c];
    }
    return SCREE_OK;
}

static scree_status number_vertices(struct builder *builder)
{
    uint32_t *number;
    SCREE_TRY(scree_memory_new(3 * builder->surface->facets, sizeof *number, (void **)&number));
    const scree_status status = number_corners(builder, number);
    scree_memory_free(number);
    return status;
}

static struct scree_vec3 vertex_of(const struct scree_mesh_surface *surface, uint32_t vertex)
{
    return scree_vec3_load(surface->vertex[vertex]);
}

static void measure(struct scree_mesh_surface *surface)
{
    for (size_t v = 0; v < surface->vertices; ++v) {
        const double distance = scree_vec3_norm(vertex_of(surface, (uint32_t)v));
        surface->radius = distance > surface->radius ? distance : surface->radius;
    }
}

// A vector along an axis divided by its length is exactly a unit vector.
static struct scree_vec3 divided(struct scree_vec3 v, double length)
{
    return scree_vec3_make(v.x / length, v.y / length, v.z / length);
}

static scree_status find_normals(struct builder *builder)
{
    const struct scree_mesh_surface *surface = builder->surface;
    for (size_t f = 0; f < surface->facets; ++f) {
        const uint32_t *v = surface->facet[f].vertex;
        const struct scree_vec3 a = vertex_of(surface, v[0]),
                                area = scree_vec3_cross(scree_vec3_sub(vertex_of(surface, v[1]), a),
                                                        scree_vec3_sub(vertex_of(surface, v[2]), a));
        builder->area[f] = scree_vec3_norm(area);
        if (!(builder->area[f] > 0 && builder->area[f] < (double)INFINITY))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "facet %zu of a mesh has no area, or one beyond all bounds: its area is %g m^2; "
                "scree_mesh_repair removes facets without area",
                f, 0.5 * builder->area[f]);
        builder->normal[f] = divided(area, builder->area[f]);
    }
    return SCREE_OK;
}

// Finds the edges: sides with the same two vertices.
static scree_status find_edges(struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    const size_t sides = 3 * surface->facets;
    for (size_t s = 0; s < sides; ++s) {
        const uint32_t *v = surface->facet[s / 3].vertex, a = v[s % 3], b = v[(s + 1) % 3];
        builder->key[s] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    SCREE_TRY(scree_sort_order(builder->key, sides, builder->order));
    for (size_t n = 0; n < sides; ++n)
        surface->edges += n == 0 || builder->key[builder->order[n]] != builder->key[builder->order[n - 1]];
    SCREE_TRY(scree_memory_new(surface->edges, sizeof *surface->edge, (void **)&surface->edge));
    SCREE_TRY(scree_memory_new(sides, sizeof *surface->edge_facet, (void **)&surface->edge_facet));
    size_t e = 0;
    for (size_t n = 0; n < sides; ++n) {
        const uint32_t s = builder->order[n];
        const uint64_t key = builder->key[s];
        e += n > 0 && key != builder->key[builder->order[n - 1]];
        struct scree_mesh_surface_edge *edge = &surface->edge[e];
        if (edge->facets++ == 0) {
            edge->first = (uint32_t)n;
            edge->vertex[0] = (uint32_t)(key >> 32);
            edge->vertex[1] = (uint32_t)key;
            edge->start = vertex_of(surface, edge->vertex[0]);
            const struct scree_vec3 along = scree_vec3_sub(vertex_of(surface, edge->vertex[1]), edge->start);
            edge->length = scree_vec3_norm(along);
            edge->direction = divided(along, edge->length);
        }
        surface->edge_facet[n] = (struct scree_mesh_edge_facet){s / 3, s % 3};
        surface->facet[s / 3].edge[s % 3] = (uint32_t)e;
    }
    return SCREE_OK;
}

static scree_status list_vertex_edges(struct scree_mesh_surface *surface)
{
    const size_t vertices = surface->vertices;
    SCREE_TRY(scree_memory_new(vertices + 2, sizeof *surface->vertex_first, (void **)&surface->vertex_first));
    SCREE_TRY(
        scree_memory_new(2 * surface->edges, sizeof *surface->vertex_edge, (void **)&surface->vertex_edge));
    // shifted by one while edges are entered
    uint32_t *next = surface->vertex_first + 1;
    for (size_t e = 0; e < surface->edges; ++e)
        for (int end = 0; end < 2; ++end)
            ++next[surface->edge[e].vertex[end] + 1];
    for (size_t v = 0; v < vertices; ++v)
        next[v + 1] += next[v];
    for (size_t e = 0; e < surface->edges; ++e)
        for (int end = 0; end < 2; ++end)
            surface->vertex_edge[next[surface->edge[e].vertex[end]]++] = (uint32_t)e;
    return SCREE_OK;
}

// The plane of a facet from which a patch grows. If vertices are wrong by up to e, a point of the true plane
// at the distance d from a corner is off this plane by up to e (1 + 4 d / height): docs/theory/meshes.md.
struct plane {
    struct scree_vec3 point, normal;
    double error, height;
};

static struct plane plane_of(const struct builder *builder, uint32_t facet)
{
    const struct scree_mesh_surface *surface = builder->surface;
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        const double length = surface->edge[surface->facet[facet].edge[k]].length;
        longest = length > longest ? length : longest;
    }
    return (struct plane){.point = vertex_of(surface, surface->facet[facet].vertex[0]),
                          .normal = builder->normal[facet],
                          .error = sqrt(3.0) * (builder->error + 8 * DBL_EPSILON * surface->radius),
                          .height = builder->area[facet] / longest};
}

static bool is_in_plane(const struct scree_mesh_surface *surface, const struct plane *plane, uint32_t facet)
{
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 arm =
            scree_vec3_sub(vertex_of(surface, surface->facet[facet].vertex[k]), plane->point);
        const double bound = plane->error * (2 + 4 * scree_vec3_norm(arm) / plane->height);
        if (!(fabs(scree_vec3_dot(arm, plane->normal)) <= bound))
            return false;
    }
    return true;
}

// Direction in the plane of a patch perpendicular to an edge: the same bits for both facets of a flat edge.
static struct scree_vec3 across(struct scree_vec3 normal, const struct scree_mesh_surface_edge *edge)
{
    return scree_vec3_normalise(scree_vec3_cross(normal, edge->direction));
}

// On which side of an edge a facet lies: 1 or -1.
static double side_of(const struct scree_mesh_surface *surface, struct scree_vec3 normal, uint32_t facet,
                      int side)
{
    const struct scree_mesh_facet *f = &surface->facet[facet];
    const struct scree_mesh_surface_edge *edge = &surface->edge[f->edge[side]];
    const struct scree_vec3 arm = scree_vec3_sub(vertex_of(surface, f->vertex[(side + 2) % 3]), edge->start);
    return scree_vec3_dot(across(normal, edge), arm) < 0 ? -1 : 1;
}

// The facet beyond a side if the two are in a plane and do not lie on each other; else UINT32_MAX.
static uint32_t flat_neighbour(const struct scree_mesh_surface *surface, const struct plane *plane,
                               uint32_t facet, int side)
{
    const struct scree_mesh_surface_edge *edge = &surface->edge[surface->facet[facet].edge[side]];
    if (edge->facets != 2)
        return UINT32_MAX;
    const struct scree_mesh_edge_facet *at = &surface->edge_facet[edge->first];
    const struct scree_mesh_edge_facet other = at[at[0].facet == facet ? 1 : 0];
    if (!is_in_plane(surface, plane, other.facet) ||
        side_of(surface, plane->normal, facet, side) ==
            side_of(surface, plane->normal, other.facet, (int)other.side))
        return UINT32_MAX;
    return other.facet;
}

// Finds the patch of a facet by walking over flat edges.
static void grow_patch(const struct builder *builder, uint32_t seed)
{
    struct scree_mesh_surface *surface = builder->surface;
    const struct plane plane = plane_of(builder, seed);
    size_t count = 0;
    builder->queue[count++] = seed;
    surface->facet[seed].patch = seed;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t f = builder->queue[n];
        struct scree_mesh_facet *facet = &surface->facet[f];
        facet->normal = plane.normal;
        facet->offset = scree_vec3_dot(plane.normal, plane.point);
        for (int k = 0; k < 3; ++k) {
            const double off =
                fabs(scree_vec3_dot(plane.normal, vertex_of(surface, facet->vertex[k])) - facet->offset);
            surface->flatness = off > surface->flatness ? off : surface->flatness;
            const uint32_t other = flat_neighbour(surface, &plane, f, k);
            if (other != UINT32_MAX && surface->facet[other].patch == UINT32_MAX) {
                surface->facet[other].patch = seed;
                builder->queue[count++] = other;
            }
        }
    }
}

// Patches grow from the largest facets: their planes are the most exact.
static scree_status find_patches(struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    for (size_t f = 0; f < surface->facets; ++f) {
        memcpy(&builder->key[f], &builder->area[f], sizeof builder->key[f]);
        builder->key[f] = ~builder->key[f];
        surface->facet[f].patch = UINT32_MAX;
    }
    SCREE_TRY(scree_sort_order(builder->key, surface->facets, builder->order));
    for (size_t n = 0; n < surface->facets; ++n)
        if (surface->facet[builder->order[n]].patch == UINT32_MAX)
            grow_patch(builder, builder->order[n]);
    return SCREE_OK;
}

static void complete_facet(struct scree_mesh_surface *surface, uint32_t number)
{
    struct scree_mesh_facet *facet = &surface->facet[number];
    for (int k = 0; k < 3; ++k) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[facet->edge[k]];
        facet->side[k].inward = across(facet->normal, edge);
        facet->side[k].offset = scree_vec3_dot(facet->side[k].inward, edge->start);
        facet->side[k].sign = side_of(surface, facet->normal, number, k);
    }
}

// Sets flat edges, and the angles of the others.
static void complete_edge(struct scree_mesh_surface *surface, struct scree_mesh_surface_edge *edge)
{
    edge->cosine = -1;
    if (edge->facets != 2)
        return;
    const struct scree_mesh_edge_facet *at = &surface->edge_facet[edge->first];
    struct scree_mesh_facet *a = &surface->facet[at[0].facet], *b = &surface->facet[at[1].facet];
    const double sign_a = a->side[at[0].side].sign, sign_b = b->side[at[1].side].sign;
    // normals on the same side of the surface, which turns by less than a right angle at most edges
    edge->cosine = -sign_a * sign_b * scree_vec3_dot(a->normal, b->normal);
    if (a->patch != b->patch || sign_a == sign_b)
        return;
    edge->flat = true;
    a->flat |= (uint8_t)(1 << at[0].side);
    b->flat |= (uint8_t)(1 << at[1].side);
}

static scree_status build(struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    const size_t facets = surface->facets;
    SCREE_TRY(scree_memory_new(facets, sizeof *surface->facet, (void **)&surface->facet));
    SCREE_TRY(scree_memory_new(3 * facets, sizeof *builder->key, (void **)&builder->key));
    SCREE_TRY(scree_memory_new(3 * facets, sizeof *builder->order, (void **)&builder->order));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->queue, (void **)&builder->queue));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->area, (void **)&builder->area));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->normal, (void **)&builder->normal));
    SCREE_TRY(number_vertices(builder));
    measure(surface);
    SCREE_TRY(find_normals(builder));
    SCREE_TRY(find_edges(builder));
    SCREE_TRY(list_vertex_edges(surface));
    SCREE_TRY(find_patches(builder));
    for (size_t f = 0; f < facets; ++f)
        complete_facet(surface, (uint32_t)f);
    for (size_t e = 0; e < surface->edges; ++e)
        complete_edge(surface, &surface->edge[e]);
    return scree_mesh_tree_build(surface);
}

scree_status scree_mesh_surface_make(const double (*corner)[3][3], size_t facets, double error,
                                     double smooth_cosine, struct scree_mesh_surface *surface)
{
    *surface = (struct scree_mesh_surface){
        .facets = facets, .smooth_cosine = smooth_cosine, .thinnest = (double)INFINITY};
    struct builder builder = {.corner = corner, .error = error, .surface = surface};
    const scree_status status = build(&builder);
    void *const blocks[] = {builder.key, builder.order, builder.queue, builder.area, builder.normal};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    if (status != SCREE_OK)
        scree_mesh_surface_free(surface);
    return status;
}

void scree_mesh_surface_free(struct scree_mesh_surface *surface)
{
    void *const blocks[] = {surface->facet,  surface->edge,         surface->edge_facet,
                            surface->vertex, surface->vertex_first, surface->vertex_edge,
                            surface->box,    surface->order,        surface->thickness};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *surface = (struct scree_mesh_surface){0};
}
