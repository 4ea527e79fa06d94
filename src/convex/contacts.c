// Contacts of two rounded bodies, see pair.h.
//
// The potential of a pair is a sum of terms that are functions of positions and orientations with continuous
// gradients: one for each vertex of one side, of its distance from the other side, and one for each pair of
// edges, of their smooth distance (edges.h). So normal forces conserve energy whatever the law, a body rests
// on its corners, and the key of a contact is a vertex or a pair of edges.
//
// Only features are tested that neither an axis nor boxes exclude. If a is below a0 along the axis, and b is
// above b0, then points of a that are nearer than the reach to b are above b0 - reach, and points of b below
// a0 + reach. Of these, only features are left whose boxes are within the reach of the box of the other body,
// and pairs of edges whose boxes are within the reach of each other. All bounds have a margin above
// round-off, so what is excluded does not touch: neither axis nor boxes change a result.

#include "convex/edges.h"
#include "convex/pair.h"
#include "convex/place.h"
#include "convex/point.h"

struct box {
    struct scree_vec3 lower, upper;
};

// Features that can touch.
struct slab {
    uint16_t vertex[2][SCREE_CONVEX_MOST_VERTICES], edge[2][3 * SCREE_CONVEX_MOST_VERTICES];
    uint32_t vertices[2], edges[2];
    double height[2][SCREE_CONVEX_MOST_VERTICES]; // along the axis, towards the other side
    // of vertices above `lower`: in the axes of the other side, and beyond which planes of its box they are
    struct scree_vec3 there[2][SCREE_CONVEX_MOST_VERTICES];
    uint8_t beyond[2][SCREE_CONVEX_MOST_VERTICES];
    struct box box[2][3 * SCREE_CONVEX_MOST_VERTICES]; // of the parts of edges that can touch, axes of a
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

static struct box box_of(struct scree_vec3 p, struct scree_vec3 q)
{
    return (struct box){scree_convex_lower(p, q), scree_convex_upper(p, q)};
}

static bool are_near(const struct box *a, const struct box *b)
{
    return a->lower.x < b->upper.x && b->lower.x < a->upper.x && a->lower.y < b->upper.y &&
           b->lower.y < a->upper.y && a->lower.z < b->upper.z && b->lower.z < a->upper.z;
}

static struct box widened(struct box box, double by)
{
    const struct scree_vec3 all = scree_vec3_make(by, by, by);
    return (struct box){scree_vec3_sub(box.lower, all), scree_vec3_add(box.upper, all)};
}

// One bit for each plane of a box that a point is beyond.
static unsigned planes_below(const struct box *box, struct scree_vec3 p)
{
    return (unsigned)(p.x <= box->lower.x) | (unsigned)(p.y <= box->lower.y) << 1 |
           (unsigned)(p.z <= box->lower.z) << 2 | (unsigned)(p.x >= box->upper.x) << 3 |
           (unsigned)(p.y >= box->upper.y) << 4 | (unsigned)(p.z >= box->upper.z) << 5;
}

// A search for near features of one side.
struct near {
    const struct scree_convex_place *place;
    int side;
    double lower; // height above which features can touch
    double gap;   // of the bodies along the axis, a lower bound
    double reach; // with the margin
};

static const struct scree_convex *shape_of(const struct scree_convex_place *place, int side)
{
    return side == 0 ? place->a->shape : place->b->shape;
}

// A point of a side in the axes of the other.
static struct scree_vec3 to_other(const struct scree_convex_place *place, int side, struct scree_vec3 point)
{
    return side == 0 ? scree_convex_to_b(place, point) : scree_convex_from_b(place, point);
}

static void find_near_vertices(const struct near *near, const struct box *other, struct slab *slab)
{
    const struct scree_convex *shape = shape_of(near->place, near->side);
    uint32_t count = 0;
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        if (!(slab->height[near->side][v] > near->lower))
            continue;
        const struct scree_vec3 there = to_other(near->place, near->side, shape->vertex[v]);
        const unsigned beyond = planes_below(other, there);
        slab->there[near->side][v] = there;
        slab->beyond[near->side][v] = (uint8_t)beyond;
        slab->vertex[near->side][count] = (uint16_t)v;
        count += beyond == 0;
    }
    slab->vertices[near->side] = count;
}

// Of an edge that ends below, only the part above can touch. Returns whether its penalty and the gap exclude
// this part, because it is in the zone at the end. The edge ends at the heights `high` and `low`.
static bool fades(const struct near *near, double length, double high, double low)
{
    const double reach = near->place->reach;
    const double zone = scree_real_min(SCREE_CONVEX_EDGE_ZONE * reach, 0.5 * length);
    const double scale = zone * (high - low), depth = scale - (high - near->lower) * length;
    if (!(depth > 0))
        return false;
    // (reach depth / zone)^2 with a margin for round-off
    const double penalty = reach * depth, most = reach * reach - (near->gap > 0 ? near->gap * near->gap : 0);
    return penalty * penalty > (most * (1 + 0x1p-40) + 0x1p-40 * reach * reach) * (scale * scale);
}

// The end of the part of an edge above `lower`: from the vertex v, which is above, to w, which is below.
static struct scree_vec3 cut_edge(const struct near *near, const struct slab *slab, uint32_t v, uint32_t w)
{
    const struct scree_convex *shape = shape_of(near->place, near->side);
    const struct scree_vec3 along = scree_vec3_sub(shape->vertex[w], shape->vertex[v]);
    const double high = slab->height[near->side][v], fall = high - slab->height[near->side][w];
    // round-off moves the end of a nearly level edge along it
    const bool cuts = fall * fall > 0x1p-12 * scree_vec3_norm_squared(along);
    return scree_vec3_add_scaled(shape->vertex[v], cuts ? (high - near->lower) / fall : 1, along);
}

static void list_edge(const struct near *near, uint32_t e, struct box box, struct slab *slab)
{
    const uint32_t n = slab->edges[near->side]++;
    slab->box[near->side][n] = box;
    slab->edge[near->side][n] = (uint16_t)e;
}

// Lists an edge if its part above `lower` can touch: from the vertex v, which is above, to w.
static void try_part(const struct near *near, const struct box *other, uint32_t e, uint32_t v, uint32_t w,
                     struct slab *slab)
{
    const int side = near->side;
    if (fades(near, shape_of(near->place, side)->edge[e].length, slab->height[side][v],
              slab->height[side][w]))
        return;
    const struct scree_vec3 end = cut_edge(near, slab, v, w), there = to_other(near->place, side, end);
    if ((slab->beyond[side][v] & planes_below(other, there)) == 0)
        list_edge(near, e,
                  side == 0 ? box_of(near->place->a->shape->vertex[v], end)
                            : box_of(slab->there[1][v], there),
                  slab);
}

static void find_near_edges(const struct near *near, const struct box *other, struct slab *slab)
{
    const int side = near->side;
    const struct scree_convex *shape = shape_of(near->place, side);
    const struct scree_vec3 *place = side == 0 ? shape->vertex : slab->there[1];
    const double *height = slab->height[side], lower = near->lower;
    slab->edges[side] = 0;
    for (uint32_t e = 0; e < shape->edges; ++e) {
        const uint32_t v = shape->edge[e].vertex[0], w = shape->edge[e].vertex[1];
        if (height[v] > lower && height[w] > lower) {
            if ((slab->beyond[side][v] & slab->beyond[side][w]) == 0)
                list_edge(near, e, box_of(place[v], place[w]), slab);
        } else if (height[v] > lower) {
            try_part(near, other, e, v, w, slab);
        } else if (height[w] > lower) {
            try_part(near, other, e, w, v, slab);
        }
    }
}

static void find_near(const struct near *near, struct slab *slab)
{
    const struct scree_convex *shape = shape_of(near->place, 1 - near->side);
    const struct box other = widened((struct box){shape->lower, shape->upper}, near->reach);
    find_near_vertices(near, &other, slab);
    find_near_edges(near, &other, slab);
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
        const struct scree_convex_nearest at = scree_convex_point(place->b->shape, slab->there[0][v], reach);
        if (at.gap < reach)
            add(finder, SCREE_CONVEX_VERTEX_A, v, 0, p,
                scree_vec3_negate(scree_mat3_apply(place->turn, at.normal)), at.gap, reach - at.gap, 1);
    }
    for (uint32_t n = 0; n < slab->vertices[1]; ++n) {
        const uint32_t v = slab->vertex[1][n];
        const struct scree_vec3 p = slab->there[1][v];
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

static void find_edges(struct finder *finder, const struct slab *slab, double reach)
{
    const struct scree_convex_place *place = finder->place;
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    // of few edges of b, which usually are all, the segments are made once
    enum { FEW = 32 };
    struct scree_convex_segment own, kept[FEW + 1];
    uint32_t made = 0;
    for (uint32_t n = 0; n < slab->edges[0]; ++n) {
        const struct scree_convex_edge *e = &a->edge[slab->edge[0][n]];
        const struct box box = widened(slab->box[0][n], reach);
        bool first = true;
        for (uint32_t m = 0; m < slab->edges[1]; ++m) {
            if (!are_near(&box, &slab->box[1][m]))
                continue;
            const struct scree_convex_edge *f = &b->edge[slab->edge[1][m]];
            struct scree_convex_segment *other = &kept[m < FEW ? m : FEW];
            if (first)
                own =
                    scree_convex_segment_make(a->vertex[e->vertex[0]], e->direction, e->length, place->reach);
            first = false;
            if (m >= FEW || !(made & 1u << m))
                *other = scree_convex_segment_make(scree_convex_from_b(place, b->vertex[f->vertex[0]]),
                                                   scree_mat3_apply(place->turn, f->direction), f->length,
                                                   place->reach);
            made |= m < FEW ? 1u << m : 0;
            add_edges(finder, slab->edge[0][n], slab->edge[1][m], &own, other);
        }
    }
}

// --- the query

// Of a body with few vertices, all heights are known when the bodies are found to be near.
enum { FEW_VERTICES = 16 };

// Heights of the vertices of a body along an axis, and the largest; of many vertices only the largest, until
// all are needed.
static double measure(const struct scree_convex *shape, struct scree_vec3 axis, bool all, double *height)
{
    if (!all && shape->vertices > FEW_VERTICES)
        return scree_vec3_dot(axis, shape->vertex[scree_convex_support(shape, axis, 0)]);
    double most = -(double)INFINITY;
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        height[v] = scree_vec3_dot(axis, shape->vertex[v]);
        most = scree_real_max(height[v], most);
    }
    return most;
}

// Both bodies along an axis of unit length in world axes.
struct view {
    struct scree_vec3 axis;
    struct scree_vec3 own[2]; // the axis towards the other side, in the axes of each
    double between;           // of the reference points
    double most[2];           // largest heights of vertices
    double gap;
};

static struct view look(const struct scree_convex_body *const body[2], struct scree_vec3 axis,
                        struct slab *slab)
{
    struct view view = {.axis = axis};
    view.own[0] = scree_mat3_apply_transposed(body[0]->rotation, axis);
    view.own[1] = scree_vec3_negate(scree_mat3_apply_transposed(body[1]->rotation, axis));
    view.between = scree_vec3_dot(axis, scree_vec3_sub(body[1]->position, body[0]->position));
    for (int s = 0; s < 2; ++s)
        view.most[s] = measure(body[s]->shape, view.own[s], false, slab->height[s]);
    view.gap = view.between - view.most[0] - view.most[1];
    return view;
}

static struct scree_vec3 separate(const struct scree_convex_place *place)
{
    double gap;
    return scree_mat3_apply(place->a->rotation, scree_convex_separate(place, &gap));
}

static void find_all(struct finder *finder, const struct view *view, double margin, struct slab *slab)
{
    const struct scree_convex_place *place = finder->place;
    const double reach = place->reach + margin;
    for (int s = 0; s < 2; ++s) {
        // a body is below `between` minus the largest height of the other
        const struct near near = {place, s, view->between - view->most[1 - s] - reach, view->gap - margin,
                                  reach};
        if (shape_of(place, s)->vertices > FEW_VERTICES)
            (void)measure(shape_of(place, s), view->own[s], true, slab->height[s]);
        find_near(&near, slab);
    }
    find_vertices(finder, slab);
    find_edges(finder, slab, reach);
}

size_t scree_convex_contacts(const struct scree_convex_body *a, const struct scree_convex_body *b,
                             struct scree_vec3 *axis, struct scree_convex_contact *contact, size_t capacity)
{
    const bool exchanged = scree_convex_is_exchanged(a, b);
    const struct scree_convex_body *const body[2] = {exchanged ? b : a, exchanged ? a : b};
    const double reach = a->rounding + b->rounding;
    const double margin = 0x1p-44 * (a->shape->radius + b->shape->radius + reach +
                                     scree_vec3_norm(scree_vec3_sub(b->position, a->position)));
    struct slab slab;
    struct view view = {.gap = 0};
    if (!is_zero(*axis))
        view = look(body, scree_vec3_normalise(exchanged ? scree_vec3_negate(*axis) : *axis), &slab);
    if (view.gap >= reach + margin)
        return 0;
    struct scree_convex_place place = scree_convex_place(body[0], body[1]);
    place.exchanged = exchanged;
    struct finder finder = {.place = &place, .contact = contact, .capacity = capacity, .axis = view.axis};
    if (!(view.gap > 0)) {
        finder.axis = separate(&place);
        view = look(body, finder.axis, &slab);
    }
    if (view.gap < reach + margin) {
        find_all(&finder, &view, margin, &slab);
        // nothing touches, so a better axis excludes everything in the next step
        if (finder.count == 0)
            finder.axis = separate(&place);
    }
    *axis = exchanged ? scree_vec3_negate(finder.axis) : finder.axis;
    return finder.count;
}
