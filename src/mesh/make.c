// Edges, vertices and flat patches of surfaces, see make.h.

#include "mesh/make.h"

#include "base/memory.h"
#include "base/sort.h"
#include "mesh/equal.h"
#include "mesh/sides.h"
#include "mesh/tree.h"

#include <float.h>
#include <string.h>

// Facets of a file may be in any order, so passes over them request memory for this many facets ahead.
enum { AHEAD = 8 };

// Working memory of the construction.
struct builder {
    const double (*corner)[3][3];
    double error; // of coordinates
    struct scree_mesh_surface *surface;
    uint32_t (*number)[3];   // [facets]: vertices
    uint64_t *key;           // [3 * facets]
    uint32_t *order, *queue; // [3 * facets], [facets]
    uint32_t *patch;         // [facets]: the facet from which its patch was found, UINT32_MAX before
    bool *alone;             // [facets]: no neighbour can be in its plane
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

// Requests what add_side will write and read.
static void prefetch_side(const struct scree_mesh_surface *surface, uint64_t entry)
{
    const uint32_t side = (uint32_t)entry;
    __builtin_prefetch(&surface->facet[side / 3].edge[side % 3], 1);
    __builtin_prefetch(surface->vertex[entry >> 32]);
}

// Makes the edge from vertex `lower` to the one of this side.
static void make_edge(struct scree_mesh_surface *surface, uint32_t number, uint32_t lower, uint32_t higher,
                      uint32_t first)
{
    struct scree_mesh_surface_edge *edge = &surface->edge[number];
    edge->first = first;
    edge->vertex[0] = lower;
    edge->vertex[1] = higher;
    edge->start = vertex_of(surface, lower);
    const struct scree_vec3 along = scree_vec3_sub(vertex_of(surface, higher), edge->start);
    edge->length = scree_vec3_norm(along);
    edge->direction = divided(along, edge->length);
}

static bool is_new_edge(const uint64_t *entry, const uint32_t *begin, size_t vertex, uint32_t n)
{
    return n == begin[vertex] || entry[n] >> 32 != entry[n - 1] >> 32;
}

// `begin` as in mesh/sides.h, zero before.
static scree_status make_edges(struct builder *builder, uint32_t *begin)
{
    struct scree_mesh_surface *surface = builder->surface;
    const size_t sides = 3 * surface->facets;
    const uint64_t *entry = builder->key;
    scree_mesh_sides_sort((const uint32_t(*)[3])builder->number, surface->facets, surface->vertices, begin,
                          builder->key);
    for (size_t v = 0; v < surface->vertices; ++v)
        for (uint32_t n = begin[v]; n < begin[v + 1]; ++n)
            surface->edges += is_new_edge(entry, begin, v, n);
    SCREE_TRY(scree_memory_new(surface->edges, sizeof *surface->edge, (void **)&surface->edge));
    SCREE_TRY(scree_memory_new(sides, sizeof *surface->edge_facet, (void **)&surface->edge_facet));
    uint32_t edges = 0;
    for (uint32_t v = 0; v < surface->vertices; ++v)
        for (uint32_t n = begin[v]; n < begin[v + 1]; ++n) {
            const uint32_t side = (uint32_t)entry[n];
            if (n + AHEAD < sides)
                prefetch_side(surface, entry[n + AHEAD]);
            if (is_new_edge(entry, begin, v, n))
                make_edge(surface, edges++, v, (uint32_t)(entry[n] >> 32), n);
            ++surface->edge[edges - 1].facets;
            surface->edge_facet[n] = (struct scree_mesh_edge_facet){side / 3, side % 3};
            surface->facet[side / 3].edge[side % 3] = edges - 1;
        }
    return SCREE_OK;
}

// Finds the edges: sides with the same two vertices.
static scree_status find_edges(struct builder *builder)
{
    uint32_t *begin;
    SCREE_TRY(scree_memory_new(builder->surface->vertices + 2, sizeof *begin, (void **)&begin));
    const scree_status status = make_edges(builder, begin);
    scree_memory_free(begin);
    return status;
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

static bool has_vertex(const struct scree_mesh_surface *surface, const struct plane *plane, uint32_t vertex)
{
    const struct scree_vec3 arm = scree_vec3_sub(vertex_of(surface, vertex), plane->point);
    const double bound = plane->error * (2 + 4 * scree_vec3_norm(arm) / plane->height);
    return fabs(scree_vec3_dot(arm, plane->normal)) <= bound;
}

static bool is_in_plane(const struct scree_mesh_surface *surface, const struct plane *plane, uint32_t facet)
{
    const uint32_t *v = surface->facet[facet].vertex;
    return has_vertex(surface, plane, v[0]) && has_vertex(surface, plane, v[1]) &&
           has_vertex(surface, plane, v[2]);
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

static void join(struct scree_mesh_facet *facet, const struct plane *plane)
{
    facet->normal = plane->normal;
    facet->offset = scree_vec3_dot(plane->normal, plane->point);
}

// Finds the patch of a facet by walking over flat edges.
static void grow_patch(const struct builder *builder, uint32_t seed)
{
    struct scree_mesh_surface *surface = builder->surface;
    const struct plane plane = plane_of(builder, seed);
    size_t count = 0;
    builder->queue[count++] = seed;
    builder->patch[seed] = seed;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t f = builder->queue[n];
        join(&surface->facet[f], &plane);
        for (int k = 0; k < 3; ++k) {
            const uint32_t other = flat_neighbour(surface, &plane, f, k);
            if (other != UINT32_MAX && builder->patch[other] == UINT32_MAX) {
                builder->patch[other] = seed;
                builder->queue[count++] = other;
            }
        }
    }
}

// Requests what is read of a facet some places ahead in the order of the tree. Neighbours are near in it.
static void prefetch_facet(const struct scree_mesh_surface *surface, size_t n)
{
    const uint32_t *order = surface->order + n;
    const size_t left = surface->facets - n;
    if (left > 2 * AHEAD) {
        const struct scree_mesh_facet *facet = &surface->facet[order[2 * AHEAD]];
        __builtin_prefetch(&facet->normal, 1);
        __builtin_prefetch(&facet->side[1], 1);
        __builtin_prefetch(&facet->flat, 1);
    }
    for (int k = 0; k < 3 && left > AHEAD; ++k) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[surface->facet[order[AHEAD]].edge[k]];
        __builtin_prefetch(&edge->start);
        __builtin_prefetch(&edge->first);
    }
}

// Whether the facet beyond a side may be in the plane of this one, by its vertex that is not at the side.
static bool may_go_on(const struct scree_mesh_surface *surface, const struct plane *plane, uint32_t facet,
                      int side)
{
    const struct scree_mesh_surface_edge *edge = &surface->edge[surface->facet[facet].edge[side]];
    const struct scree_mesh_edge_facet *at = &surface->edge_facet[edge->first];
    const struct scree_mesh_edge_facet other = at[edge->facets == 2 && at[0].facet == facet ? 1 : 0];
    return edge->facets == 2 &&
           has_vertex(surface, plane, surface->facet[other.facet].vertex[(other.side + 2) % 3]);
}

// Most facets of a curved surface are alone in a patch, unless another one grows over them. These are found
// and completed in the order of the tree.
static void find_alone(struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    for (size_t n = 0; n < surface->facets; ++n) {
        const uint32_t f = surface->order[n];
        const struct plane plane = plane_of(builder, f);
        prefetch_facet(surface, n);
        builder->alone[f] = true;
        for (int k = 0; k < 3 && builder->alone[f]; ++k)
            builder->alone[f] = !may_go_on(surface, &plane, f, k);
        join(&surface->facet[f], &plane);
    }
}

// Patches grow from the largest facets: their planes are the most exact.
static scree_status find_patches(struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    for (size_t f = 0; f < surface->facets; ++f) {
        memcpy(&builder->key[f], &builder->area[f], sizeof builder->key[f]);
        builder->key[f] = ~builder->key[f];
        builder->patch[f] = UINT32_MAX;
    }
    SCREE_TRY(scree_sort_order(builder->key, surface->facets, builder->order));
    find_alone(builder);
    for (size_t n = 0; n < surface->facets; ++n) {
        const uint32_t f = builder->order[n];
        if (builder->patch[f] == UINT32_MAX && builder->alone[f])
            builder->patch[f] = f;
        else if (builder->patch[f] == UINT32_MAX)
            grow_patch(builder, f);
    }
    return SCREE_OK;
}

static void complete_facet(const struct builder *builder, uint32_t number)
{
    struct scree_mesh_surface *surface = builder->surface;
    struct scree_mesh_facet *facet = &surface->facet[number];
    facet->patch = builder->patch[number];
    for (int k = 0; k < 3; ++k) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[facet->edge[k]];
        const double off =
            fabs(scree_vec3_dot(facet->normal, vertex_of(surface, facet->vertex[k])) - facet->offset);
        surface->flatness = off > surface->flatness ? off : surface->flatness;
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

static void complete(const struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    for (size_t n = 0; n < surface->facets; ++n) {
        prefetch_facet(surface, n);
        complete_facet(builder, surface->order[n]);
    }
    // each edge with the first of its facets
    for (size_t n = 0; n < surface->facets; ++n) {
        const uint32_t f = surface->order[n];
        prefetch_facet(surface, n);
        for (int k = 0; k < 3; ++k) {
            struct scree_mesh_surface_edge *edge = &surface->edge[surface->facet[f].edge[k]];
            if (surface->edge_facet[edge->first].facet == f)
                complete_edge(surface, edge);
        }
    }
}

static scree_status build(struct builder *builder)
{
    struct scree_mesh_surface *surface = builder->surface;
    const size_t facets = surface->facets;
    SCREE_TRY(scree_memory_new(facets, sizeof *surface->facet, (void **)&surface->facet));
    SCREE_TRY(scree_memory_new(3 * facets, sizeof *builder->key, (void **)&builder->key));
    SCREE_TRY(scree_memory_new(3 * facets, sizeof *builder->order, (void **)&builder->order));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->queue, (void **)&builder->queue));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->patch, (void **)&builder->patch));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->alone, (void **)&builder->alone));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->area, (void **)&builder->area));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->normal, (void **)&builder->normal));
    SCREE_TRY(scree_memory_new(facets, sizeof *builder->number, (void **)&builder->number));
    SCREE_TRY(number_corners(builder, builder->number[0]));
    measure(surface);
    SCREE_TRY(find_normals(builder));
    SCREE_TRY(find_edges(builder));
    SCREE_TRY(list_vertex_edges(surface));
    SCREE_TRY(scree_mesh_tree_build(surface));
    SCREE_TRY(find_patches(builder));
    complete(builder);
    return SCREE_OK;
}

scree_status scree_mesh_surface_make(const double (*corner)[3][3], size_t facets, double error,
                                     double smooth_cosine, struct scree_mesh_surface *surface)
{
    *surface = (struct scree_mesh_surface){
        .facets = facets, .smooth_cosine = smooth_cosine, .thinnest = (double)INFINITY};
    struct builder builder = {.corner = corner, .error = error, .surface = surface};
    const scree_status status = build(&builder);
    void *const blocks[] = {builder.number, builder.key,   builder.order, builder.queue,
                            builder.patch,  builder.alone, builder.area,  builder.normal};
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
