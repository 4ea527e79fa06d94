// Contacts of a polyhedron with a mesh, see outside_mesh.h.
//
// Facets near the polyhedron are found by the tree of the mesh. An edge belongs to its first facet, and a
// vertex to the first of its edges that count, so each is tested once.

#include "contact/outside_mesh.h"

#include "contact/mesh_contacts.h"
#include "contact/mesh_near.h"
#include "convex/edges.h"
#include "convex/point.h"
#include "mesh/tree.h"
#include "shape/nearest.h"

// Kinds of keys, in the two highest bits.
enum { TO_FACE, TO_RIM, OF_MESH_VERTEX, OF_EDGES };
enum { VERTEX_BITS = 21, EDGE_BITS = 19, REGION_BITS = 3, NEAR = SCREE_OUTSIDE_MESH_NEAR };
static_assert(SCREE_CONVEX_MOST_VERTICES <= 1 << (30 - VERTEX_BITS), "vertices fit into a key");
static_assert(3 * SCREE_CONVEX_MOST_VERTICES <= 1 << (30 - EDGE_BITS), "edges fit into a key");
static_assert((long)SCREE_OUTSIDE_MESH_FACETS << REGION_BITS <= 1L << VERTEX_BITS, "facets fit into a key");
static_assert(SCREE_OUTSIDE_MESH_EDGES <= 1 << EDGE_BITS, "edges of meshes fit into a key");

struct finder {
    const struct scree_convex_body *body;
    const struct scree_wall *wall;
    const struct scree_mesh_surface *surface;
    struct scree_vec3 position; // of the body
    double reach;               // the rounding
    struct scree_convex_contact *contact;
    size_t capacity, count;
    bool crowded; // more facets are near a vertex than are searched
};

static uint32_t key_of(uint32_t kind, uint32_t first, int bits, uint32_t second)
{
    return kind << 30 | first << bits | second;
}

// Adds a contact: `foot` is a point of the core from the position of the body, the normal leads from there to
// the mesh, at the distance `gap`; both in world axes.
static void add(struct finder *finder, uint32_t key, struct scree_vec3 foot, struct scree_vec3 normal,
                double gap, double overlap, double share)
{
    if (finder->count++ >= finder->capacity)
        return;
    finder->contact[finder->count - 1] = (struct scree_convex_contact){
        .point = scree_vec3_add_scaled(foot, 0.5 * (gap + finder->reach), normal),
        .normal = normal,
        .overlap = overlap,
        .share = share,
        .feature = key};
}

// A direction of the mesh, and a point, in the axes of the body.
static struct scree_vec3 turn_to_body(const struct finder *finder, struct scree_vec3 direction)
{
    return scree_mat3_apply_transposed(
        finder->body->rotation, scree_nearest_normal(finder->wall, &(struct scree_nearest){0, direction}));
}

static struct scree_vec3 to_body(const struct finder *finder, struct scree_vec3 point)
{
    const struct scree_vec3 from = scree_vec3_sub(scree_vec3_load(finder->wall->reference), finder->position);
    return scree_vec3_add(turn_to_body(finder, point),
                          scree_mat3_apply_transposed(finder->body->rotation, from));
}

// --- vertices of the polyhedron

static void find_at_vertex(struct finder *finder, uint32_t vertex, uint32_t *facet, size_t facets)
{
    const struct scree_vec3 foot =
        scree_mat3_apply(finder->body->rotation, finder->body->shape->vertex[vertex]);
    const struct scree_vec3 centre = scree_vec3_add(finder->position, foot);
    // a sphere about the vertex, of which only place and radius are used
    struct scree_grain grain = {.radius = finder->reach};
    uint32_t number[NEAR];
    uint8_t region[NEAR];
    scree_vec3_store(centre, grain.position);
    for (size_t n = 0; n < facets; ++n)
        number[n] = (uint32_t)n;
    const struct scree_mesh_contacts_job job = {
        .wall = finder->wall, .grain = &grain, .contact = number, .count = facets, .facet = facet};
    scree_mesh_contacts_select(&job, region);
    const struct scree_vec3 local = scree_nearest_to_local(finder->wall, centre);
    for (size_t n = 0; n < facets; ++n) {
        if (region[n] == SCREE_MESH_NO_CONTACT)
            continue;
        const struct scree_mesh_gap at = scree_mesh_region_gap(finder->surface, facet[n], region[n], local);
        // the selection has a margin for round-off
        if (!(at.gap < finder->reach))
            continue;
        const uint32_t key =
            region[n] == SCREE_MESH_FACE
                ? key_of(TO_FACE, vertex, VERTEX_BITS, finder->surface->facet[facet[n]].patch)
                : key_of(TO_RIM, vertex, VERTEX_BITS, facet[n] << REGION_BITS | region[n]);
        const struct scree_vec3 normal =
            scree_vec3_negate(scree_nearest_normal(finder->wall, &(struct scree_nearest){0, at.normal}));
        add(finder, key, foot, normal, at.gap, finder->reach - at.gap, 1);
    }
}

static void find_vertices(struct finder *finder)
{
    for (uint32_t v = 0; v < finder->body->shape->vertices; ++v) {
        const struct scree_vec3 centre = scree_vec3_add(
            finder->position, scree_mat3_apply(finder->body->rotation, finder->body->shape->vertex[v]));
        struct scree_mesh_query query;
        uint32_t facet[NEAR];
        size_t facets = 0;
        scree_mesh_query_begin(&query, finder->surface, scree_nearest_to_local(finder->wall, centre),
                               finder->reach);
        while (facets < NEAR && scree_mesh_query_next(&query, &facet[facets]))
            ++facets;
        finder->crowded |= facets == NEAR;
        scree_mesh_near_sort(facet, facets);
        if (facets > 0)
            find_at_vertex(finder, v, facet, facets);
    }
}

// --- edges and vertices of the mesh

// Whether the faces at an edge meet at an angle above the smooth angle, or end there.
static bool is_sharp(const struct scree_mesh_surface *surface, const struct scree_mesh_surface_edge *edge)
{
    return !edge->flat && edge->cosine < surface->smooth_cosine;
}

// The direction from an edge into a face at it.
static struct scree_vec3 into_face(const struct finder *finder, struct scree_mesh_edge_facet at)
{
    const struct scree_mesh_facet *facet = &finder->surface->facet[at.facet];
    return turn_to_body(finder, scree_vec3_scale(facet->side[at.side].inward, facet->side[at.side].sign));
}

// Whether a direction from an edge leads into an angle of less than 180 degrees between two of its faces: the
// edge is concave there. An edge within a plane, at which other faces end, is not convex on any side.
static bool is_concave(const struct finder *finder, const struct scree_mesh_surface_edge *edge,
                       struct scree_vec3 away)
{
    const struct scree_mesh_edge_facet *at = &finder->surface->edge_facet[edge->first];
    for (uint32_t n = 1; n < edge->facets; ++n)
        for (uint32_t m = 0; m < n; ++m) {
            const struct scree_vec3 a = into_face(finder, at[n]), b = into_face(finder, at[m]);
            const double cosine = scree_vec3_dot(a, b), first = scree_vec3_dot(away, a),
                         second = scree_vec3_dot(away, b);
            if (finder->surface->facet[at[n].facet].patch == finder->surface->facet[at[m].facet].patch ||
                (first > cosine * second && second > cosine * first))
                return true;
        }
    return false;
}

// Whether an edge at a vertex is convex in a direction from it.
static bool is_convex_vertex(const struct finder *finder, uint32_t vertex, struct scree_vec3 away)
{
    const struct scree_mesh_surface *surface = finder->surface;
    for (uint32_t n = surface->vertex_first[vertex]; n < surface->vertex_first[vertex + 1]; ++n) {
        const struct scree_mesh_surface_edge *edge = &surface->edge[surface->vertex_edge[n]];
        if (is_sharp(surface, edge) && !is_concave(finder, edge, away))
            return true;
    }
    return false;
}

// Whether a point of the polyhedron near an edge is where the edge is convex. Near an end, what is between
// the two faces at the edge can be outside of a third.
static bool is_outside(const struct finder *finder, const struct scree_mesh_surface_edge *edge,
                       struct scree_vec3 point, struct scree_vec3 nearest)
{
    if (!is_concave(finder, edge, scree_vec3_sub(point, nearest)))
        return true;
    for (int k = 0; k < 2; ++k) {
        const struct scree_vec3 end =
            to_body(finder, scree_vec3_load(finder->surface->vertex[edge->vertex[k]]));
        if (scree_vec3_norm_squared(scree_vec3_sub(nearest, end)) < finder->reach * finder->reach &&
            is_convex_vertex(finder, edge->vertex[k], scree_vec3_sub(point, end)))
            return true;
    }
    return false;
}

// A vertex of the mesh against the polyhedron.
static void find_mesh_vertex(struct finder *finder, uint32_t vertex)
{
    const struct scree_vec3 place = to_body(finder, scree_vec3_load(finder->surface->vertex[vertex]));
    const struct scree_convex_nearest at = scree_convex_point(finder->body->shape, place, finder->reach);
    if (!(at.gap < finder->reach) || !is_convex_vertex(finder, vertex, scree_vec3_negate(at.normal)))
        return;
    const struct scree_vec3 foot = scree_vec3_add_scaled(place, -at.gap, at.normal);
    add(finder, key_of(OF_MESH_VERTEX, vertex, 0, 0), scree_mat3_apply(finder->body->rotation, foot),
        scree_mat3_apply(finder->body->rotation, at.normal), at.gap, finder->reach - at.gap, 1);
}

// Whether a segment is farther than the reach from the polyhedron as far as its faces show.
static bool is_beyond_a_face(const struct finder *finder, struct scree_vec3 start, struct scree_vec3 end)
{
    const struct scree_convex *shape = finder->body->shape;
    for (uint32_t f = 0; f < shape->faces; ++f) {
        const double least = shape->face[f].offset + finder->reach;
        if (scree_vec3_dot(shape->face[f].normal, start) >= least &&
            scree_vec3_dot(shape->face[f].normal, end) >= least)
            return true;
    }
    return false;
}

static void add_edges(struct finder *finder, uint32_t e, uint32_t number,
                      const struct scree_convex_segment *a, const struct scree_convex_segment *b)
{
    double square, at[2];
    if (!scree_convex_edges(a, b, finder->reach, &square, at))
        return;
    const struct scree_vec3 x = scree_vec3_add_scaled(a->start, at[0], a->direction),
                            y = scree_vec3_add_scaled(b->start, at[1], b->direction),
                            line = scree_vec3_sub(y, x);
    const double gap = scree_vec3_norm(line), smooth = sqrt(square);
    if (!(gap > 0) || !is_outside(finder, &finder->surface->edge[number], x, y))
        return;
    add(finder, key_of(OF_EDGES, e, EDGE_BITS, number), scree_mat3_apply(finder->body->rotation, x),
        scree_mat3_apply(finder->body->rotation, scree_vec3_scale(line, 1 / gap)), gap,
        finder->reach - smooth, gap / smooth);
}

// The pairs of edges of an edge of the mesh that counts, and its vertices that no earlier edge has.
static void find_mesh_edge(struct finder *finder, uint32_t number)
{
    const struct scree_mesh_surface *surface = finder->surface;
    const struct scree_convex *shape = finder->body->shape;
    const struct scree_mesh_surface_edge *edge = &surface->edge[number];
    const struct scree_vec3 start = to_body(finder, edge->start),
                            direction = turn_to_body(finder, edge->direction);
    if (is_beyond_a_face(finder, start, scree_vec3_add_scaled(start, edge->length, direction)))
        return;
    const struct scree_convex_segment b =
        scree_convex_segment_make(start, direction, edge->length, finder->reach);
    for (uint32_t e = 0; e < shape->edges; ++e) {
        const struct scree_convex_edge *own = &shape->edge[e];
        const struct scree_convex_segment a = scree_convex_segment_make(
            shape->vertex[own->vertex[0]], own->direction, own->length, finder->reach);
        add_edges(finder, e, number, &a, &b);
    }
    for (int k = 0; k < 2; ++k) {
        uint32_t n = surface->vertex_first[edge->vertex[k]];
        while (!is_sharp(surface, &surface->edge[surface->vertex_edge[n]]))
            ++n;
        if (surface->vertex_edge[n] == number)
            find_mesh_vertex(finder, edge->vertex[k]);
    }
}

static void find_mesh_edges(struct finder *finder)
{
    const struct scree_mesh_surface *surface = finder->surface;
    struct scree_mesh_query query;
    uint32_t f;
    scree_mesh_query_begin(&query, surface, scree_nearest_to_local(finder->wall, finder->position),
                           finder->body->shape->radius + finder->reach);
    while (scree_mesh_query_next(&query, &f))
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t number = surface->facet[f].edge[k];
            const struct scree_mesh_surface_edge *edge = &surface->edge[number];
            const struct scree_mesh_edge_facet first = surface->edge_facet[edge->first];
            if (first.facet == f && first.side == k && is_sharp(surface, edge))
                find_mesh_edge(finder, number);
        }
}

size_t scree_outside_mesh_find(const struct scree_convex_body *body, struct scree_vec3 position,
                               const struct scree_wall *wall, struct scree_convex_contact *contact,
                               size_t capacity)
{
    struct finder finder = {.body = body,
                            .wall = wall,
                            .surface = wall->surface,
                            .position = position,
                            .reach = body->rounding,
                            .contact = contact,
                            .capacity = capacity};
    find_vertices(&finder);
    find_mesh_edges(&finder);
    return finder.crowded ? SCREE_OUTSIDE_MESH_CROWDED : finder.count;
}

// --- histories

static bool is_of_vertex(uint32_t key, uint32_t other)
{
    return key >> 30 <= TO_RIM && other >> 30 <= TO_RIM &&
           (key << 2 >> 2) >> VERTEX_BITS == (other << 2 >> 2) >> VERTEX_BITS;
}

static bool touches(const struct scree_outside_pair *pair, uint32_t key)
{
    for (size_t n = 0; n < pair->count; ++n)
        if (pair->touch[n].feature == key)
            return true;
    return false;
}

static bool is_among(uint32_t key, const uint32_t *old, size_t count)
{
    for (size_t n = 0; n < count; ++n)
        if (old[n] == key)
            return true;
    return false;
}

size_t scree_outside_mesh_left(const struct scree_outside_pair *pair, size_t n, const uint32_t *old,
                               size_t count)
{
    const uint32_t key = pair->touch[n].feature;
    size_t before = 0;
    if (key >> 30 > TO_RIM)
        return count;
    // new contacts of one vertex take its old ones in turn
    for (size_t m = 0; m < n; ++m)
        before += is_of_vertex(pair->touch[m].feature, key) && !is_among(pair->touch[m].feature, old, count);
    for (size_t k = 0; k < count; ++k)
        if (is_of_vertex(old[k], key) && !touches(pair, old[k]) && before-- == 0)
            return k;
    return count;
}
