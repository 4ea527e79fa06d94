// Contacts of two rounded bodies, see pair.h.
//
// The potential of a pair is a sum of terms that are functions of positions and orientations with continuous
// gradients: one for each vertex of one side, of its distance from the other side, and one for each pair of
// edges, of their smooth distance (edges.h). So normal forces conserve energy whatever the law, a body rests
// on its corners, and the key of a contact is a vertex or a pair of edges.
//
// Only features that an axis does not exclude are tested: if a is below a0 along it, and b is above b0, then
// points of a that are nearer than the reach to b are above b0 - reach, and points of b below a0 + reach. So
// the axis changes no result.

#include "convex/edges.h"
#include "convex/pair.h"
#include "convex/place.h"
#include "convex/point.h"

// Features within the reach along the axis.
struct slab {
    uint16_t vertex[2][SCREE_CONVEX_MOST_VERTICES], edge[2][3 * SCREE_CONVEX_MOST_VERTICES];
    uint32_t vertices[2], edges[2];
    double height[2][SCREE_CONVEX_MOST_VERTICES]; // along the axis, towards the other side
};

struct finder {
    const struct scree_convex_place *place;
    struct scree_convex_contact *contact;
    size_t capacity, count;
    double deepest;
    struct scree_vec3 axis; // normal of the deepest contact, in world axes, from side a of the place
};

static bool is_zero(struct scree_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// --- what is near

// `lower` is the height above which features can touch; the bodies are `gap` apart.
static void find_near(const struct scree_convex_place *place, int side, struct scree_vec3 axis, double shift,
                      double lower, double gap, struct slab *slab)
{
    const struct scree_convex *shape = side == 0 ? place->a->shape : place->b->shape;
    double *height = slab->height[side];
    slab->vertices[side] = slab->edges[side] = 0;
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        height[v] = scree_vec3_dot(axis, shape->vertex[v]) + shift;
        slab->vertex[side][slab->vertices[side]] = (uint16_t)v;
        slab->vertices[side] += height[v] > lower;
    }
    // of an edge that ends above, only the part above can touch. if this part is in the zone at the end, its
    // penalty and the gap can exclude it
    const double reach = place->reach, most = reach * reach - (gap > 0 ? gap * gap : 0);
    for (uint32_t e = 0; e < shape->edges; ++e) {
        const struct scree_convex_edge *edge = &shape->edge[e];
        const double h = height[edge->vertex[0]], k = height[edge->vertex[1]];
        const double high = h > k ? h : k, low = h > k ? k : h;
        if (high <= lower)
            continue;
        const double zone = scree_real_min(SCREE_CONVEX_EDGE_ZONE * reach, 0.5 * edge->length);
        const double depth = zone * (high - low) - (high - lower) * edge->length;
        if (low < lower && depth > 0) {
            // (reach depth / zone)^2 with a margin for round-off
            const double penalty = reach * depth / (zone * (high - low));
            if (penalty * penalty > most * (1 + 0x1p-40) + 0x1p-40 * reach * reach)
                continue;
        }
        slab->edge[side][slab->edges[side]++] = (uint16_t)e;
    }
}

// --- contacts

// Adds a contact: `normal` leads from side a of the place, `foot` is a point of its polyhedron, both in the
// axes of a; `gap` is the distance along the normal from there to the polyhedron of b.
static void add(struct finder *finder, enum scree_convex_feature kind, uint32_t first, uint32_t second,
                struct scree_vec3 foot, struct scree_vec3 normal, double gap, double overlap, double share)
{
    const struct scree_convex_place *place = finder->place;
    const struct scree_vec3 turned = scree_mat3_apply(place->a->rotation, normal);
    if (overlap > finder->deepest) {
        finder->deepest = overlap;
        finder->axis = turned;
    }
    if (finder->count++ >= finder->capacity)
        return;
    const double middle = 0.5 * (gap + place->a->rounding - place->b->rounding);
    struct scree_vec3 point =
        scree_mat3_apply(place->a->rotation, scree_vec3_add_scaled(foot, middle, normal));
    if (place->exchanged)
        point = scree_vec3_add(point, scree_vec3_sub(place->a->position, place->b->position));
    if (place->exchanged && kind != SCREE_CONVEX_EDGES)
        kind = kind == SCREE_CONVEX_VERTEX_A ? SCREE_CONVEX_VERTEX_B : SCREE_CONVEX_VERTEX_A;
    finder->contact[finder->count - 1] = (struct scree_convex_contact){
        .point = point,
        .normal = place->exchanged ? scree_vec3_negate(turned) : turned,
        .overlap = overlap,
        .share = share,
        .feature = scree_convex_feature_make(kind, place->exchanged ? second : first,
                                             place->exchanged ? first : second)};
}

static void find_vertices(struct finder *finder, const struct slab *slab)
{
    const struct scree_convex_place *place = finder->place;
    const double reach = place->reach;
    for (uint32_t n = 0; n < slab->vertices[0]; ++n) {
        const uint32_t v = slab->vertex[0][n];
        const struct scree_vec3 p = place->a->shape->vertex[v];
        const struct scree_convex_nearest at =
            scree_convex_point(place->b->shape, scree_convex_to_b(place, p), reach);
        if (at.gap < reach)
            add(finder, SCREE_CONVEX_VERTEX_A, v, 0, p,
                scree_vec3_negate(scree_mat3_apply(place->turn, at.normal)), at.gap, reach - at.gap, 1);
    }
    for (uint32_t n = 0; n < slab->vertices[1]; ++n) {
        const uint32_t v = slab->vertex[1][n];
        const struct scree_vec3 p = scree_convex_from_b(place, place->b->shape->vertex[v]);
        const struct scree_convex_nearest at = scree_convex_point(place->a->shape, p, reach);
        if (at.gap < reach)
            add(finder, SCREE_CONVEX_VERTEX_B, 0, v, scree_vec3_add_scaled(p, -at.gap, at.normal), at.normal,
                at.gap, reach - at.gap, 1);
    }
}

// Whether edges have passed each other: the line from x to y leads into both bodies, and x or y is inside.
static bool has_passed(const struct scree_convex_place *place, const struct scree_convex_edge *a,
                       const struct scree_convex_edge *b, struct scree_vec3 x, struct scree_vec3 y)
{
    const struct scree_convex_face *p = place->a->shape->face, *q = place->b->shape->face;
    const struct scree_vec3 line = scree_vec3_sub(y, x);
    const struct scree_vec3 out = scree_vec3_add(p[a->face[0]].normal, p[a->face[1]].normal);
    if (scree_vec3_dot(out, line) >= 0)
        return false;
    const struct scree_vec3 other = scree_vec3_add(q[b->face[0]].normal, q[b->face[1]].normal);
    return scree_vec3_dot(scree_mat3_apply(place->turn, other), line) > 0 &&
           (scree_convex_point(place->a->shape, y, 0).gap < 0 ||
            scree_convex_point(place->b->shape, scree_convex_to_b(place, x), 0).gap < 0);
}

static void add_edges(struct finder *finder, uint32_t e, uint32_t f, const struct scree_convex_segment *a,
                      const struct scree_convex_segment *b)
{
    const struct scree_convex_place *place = finder->place;
    const double reach = place->reach;
    double square, at[2];
    if (!scree_convex_edges(a, b, reach, &square, at))
        return;
    const struct scree_vec3 x = scree_vec3_add_scaled(a->start, at[0], a->direction);
    const struct scree_vec3 y = scree_vec3_add_scaled(b->start, at[1], b->direction);
    const struct scree_vec3 line = scree_vec3_sub(y, x);
    const double gap = scree_vec3_norm(line), smooth = sqrt(square);
    if (!(gap > 0))
        return;
    const struct scree_vec3 normal = scree_vec3_scale(line, 1 / gap);
    if (has_passed(place, &place->a->shape->edge[e], &place->b->shape->edge[f], x, y))
        add(finder, SCREE_CONVEX_EDGES, e, f, x, scree_vec3_negate(normal), -gap, reach + gap, 1);
    else
        add(finder, SCREE_CONVEX_EDGES, e, f, x, normal, gap, reach - smooth, gap / smooth);
}

static void find_edges(struct finder *finder, const struct slab *slab)
{
    const struct scree_convex_place *place = finder->place;
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    const double reach = place->reach;
    // of few edges of b, which usually are all, the segments are made once
    enum { FEW = 32 };
    struct scree_convex_segment kept[FEW + 1];
    for (uint32_t n = 0; n < slab->edges[0]; ++n) {
        const uint32_t e = slab->edge[0][n];
        const struct scree_convex_segment s = scree_convex_segment_make(
            a->vertex[a->edge[e].vertex[0]], a->edge[e].direction, a->edge[e].length, reach);
        for (uint32_t m = 0; m < slab->edges[1]; ++m) {
            const uint32_t f = slab->edge[1][m];
            struct scree_convex_segment *other = &kept[m < FEW ? m : FEW];
            if (n == 0 || m >= FEW)
                *other = scree_convex_segment_make(
                    scree_convex_from_b(place, b->vertex[b->edge[f].vertex[0]]),
                    scree_mat3_apply(place->turn, b->edge[f].direction), b->edge[f].length, reach);
            add_edges(finder, e, f, &s, other);
        }
    }
}

// --- the query

// The axis of a in which the bodies are tested: the given one, or one that separates better.
static struct scree_vec3 choose_axis(const struct scree_convex_place *place, struct scree_vec3 given,
                                     struct scree_convex_extent *extent)
{
    static const uint32_t start[2] = {0, 0};
    if (!is_zero(given)) {
        const struct scree_vec3 axis = scree_vec3_normalise(scree_mat3_apply_transposed(
            place->a->rotation, place->exchanged ? scree_vec3_negate(given) : given));
        *extent = scree_convex_extent(place, axis, start);
        if (extent->b - extent->a > 0)
            return axis;
    }
    double gap;
    const struct scree_vec3 axis = scree_convex_separate(place, &gap);
    *extent = scree_convex_extent(place, axis, start);
    return axis;
}

size_t scree_convex_contacts(const struct scree_convex_body *a, const struct scree_convex_body *b,
                             struct scree_vec3 *axis, struct scree_convex_contact *contact, size_t capacity)
{
    const struct scree_convex_place place = scree_convex_place(a, b);
    struct finder finder = {.place = &place, .contact = contact, .capacity = capacity};
    struct scree_convex_extent extent;
    const struct scree_vec3 along = choose_axis(&place, *axis, &extent);
    const double margin = 0x1p-44 * place.size, gap = extent.b - extent.a;
    finder.axis = scree_mat3_apply(place.a->rotation, along);
    if (gap < place.reach + margin) {
        struct slab slab;
        const struct scree_vec3 back = scree_vec3_negate(scree_mat3_apply_transposed(place.turn, along));
        find_near(&place, 0, along, 0, extent.b - place.reach - margin, gap - margin, &slab);
        find_near(&place, 1, back, -scree_vec3_dot(along, place.shift), -(extent.a + place.reach + margin),
                  gap - margin, &slab);
        find_vertices(&finder, &slab);
        find_edges(&finder, &slab);
        // nothing touches, so a better axis excludes everything in the next step
        double found;
        if (finder.count == 0)
            finder.axis = scree_mat3_apply(place.a->rotation, scree_convex_separate(&place, &found));
    }
    *axis = place.exchanged ? scree_vec3_negate(finder.axis) : finder.axis;
    return finder.count;
}
