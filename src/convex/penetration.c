// The shortest translation that separates two polyhedra, see place.h.
//
// It is along the normal of a face of the set of all differences of points of b and a. Such a face comes from
// a face of one of both, or from an edge of each whose arcs of normals cross (Gregorius, "The separating axis
// test between convex polyhedra", Game Developers Conference 2013). All of them are tried, so the result is
// exact up to round-off, whatever the shapes.

#include "convex/place.h"

struct search {
    const struct scree_convex_place *place;
    double best; // signed separation, negative where they overlap
    struct scree_vec3 axis, point[2];
};

// A face of polyhedra that are thin has two corners, and edges have no arc of normals.
static bool is_thin(const struct scree_convex *shape)
{
    return shape->dimension == 3 && shape->face[shape->faces - 1].corners == 2;
}

static void try_faces_of_a(struct search *search)
{
    const struct scree_convex_place *place = search->place;
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    uint32_t start = 0;
    for (uint32_t f = 0; f < a->faces; ++f) {
        const struct scree_vec3 normal = a->face[f].normal;
        start = scree_convex_support(b, scree_vec3_negate(scree_mat3_apply_transposed(place->turn, normal)),
                                     start);
        const struct scree_vec3 p = scree_convex_from_b(place, b->vertex[start]);
        const double gap = scree_vec3_dot(normal, p) - a->face[f].offset;
        if (gap > search->best) {
            search->best = gap;
            search->axis = normal;
            search->point[0] = scree_vec3_add_scaled(p, -gap, normal);
            search->point[1] = p;
        }
    }
}

static void try_faces_of_b(struct search *search)
{
    const struct scree_convex_place *place = search->place;
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    uint32_t start = 0;
    for (uint32_t f = 0; f < b->faces; ++f) {
        const struct scree_vec3 normal = scree_vec3_negate(scree_mat3_apply(place->turn, b->face[f].normal));
        start = scree_convex_support(a, normal, start);
        const double gap =
            scree_vec3_dot(b->face[f].normal, scree_convex_to_b(place, a->vertex[start])) - b->face[f].offset;
        if (gap > search->best) {
            search->best = gap;
            search->axis = normal;
            search->point[0] = a->vertex[start];
            search->point[1] = scree_vec3_add_scaled(a->vertex[start], gap, normal);
        }
    }
}

// Whether the arcs of the normals of an edge of a and of the opposite normals of one of b cross.
static bool arcs_cross(const struct scree_convex_place *place, const struct scree_convex_edge *a,
                       const struct scree_convex_edge *b, struct scree_vec3 along)
{
    const struct scree_convex_face *p = place->a->shape->face, *q = place->b->shape->face;
    const double b0 = -scree_vec3_dot(a->direction, scree_mat3_apply(place->turn, q[b->face[0]].normal));
    const double b1 = -scree_vec3_dot(a->direction, scree_mat3_apply(place->turn, q[b->face[1]].normal));
    const double a0 = scree_vec3_dot(along, p[a->face[0]].normal);
    const double a1 = scree_vec3_dot(along, p[a->face[1]].normal);
    return b0 * b1 < 0 && a0 * a1 < 0 && b0 * a1 > 0;
}

// The point of an edge of a that is nearest to a line; they are not parallel. Round-off can move it far along
// nearly parallel ones, but not beyond the ends.
static struct scree_vec3 nearest_on_edge(struct scree_vec3 start, const struct scree_convex_edge *edge,
                                         struct scree_vec3 q, struct scree_vec3 v)
{
    const struct scree_vec3 w = scree_vec3_sub(q, start), normal = scree_vec3_cross(edge->direction, v);
    const double square = scree_vec3_norm_squared(normal);
    const double at = scree_vec3_dot(scree_vec3_cross(w, v), normal) / square;
    return scree_vec3_add_scaled(start, at < 0 ? 0 : at > edge->length ? edge->length : at, edge->direction);
}

static void try_edges(struct search *search, uint32_t e, uint32_t f, bool thin)
{
    static const uint32_t start[2] = {0, 0};
    const struct scree_convex_place *place = search->place;
    const struct scree_convex_edge *a = &place->a->shape->edge[e], *b = &place->b->shape->edge[f];
    const struct scree_vec3 v = scree_mat3_apply(place->turn, b->direction);
    if (!thin && !arcs_cross(place, a, b, v))
        return;
    struct scree_vec3 axis = scree_vec3_cross(a->direction, v);
    const double sine = scree_vec3_norm(axis);
    // the axes of nearly parallel edges are those of faces
    if (sine < 0x1p-40)
        return;
    const struct scree_vec3 p = place->a->shape->vertex[a->vertex[0]];
    const struct scree_vec3 q = scree_convex_from_b(place, place->b->shape->vertex[b->vertex[0]]);
    const struct scree_vec3 out =
        scree_vec3_add(place->a->shape->face[a->face[0]].normal, place->a->shape->face[a->face[1]].normal);
    axis = scree_vec3_scale(axis, (scree_vec3_dot(out, axis) < 0 ? -1 : 1) / sine);
    for (int turn = 0; turn < (thin ? 2 : 1); ++turn, axis = scree_vec3_negate(axis)) {
        double gap = scree_vec3_dot(axis, scree_vec3_sub(q, p));
        if (thin) {
            const struct scree_convex_extent extent = scree_convex_extent(place, axis, start);
            if (extent.b - extent.a < gap - 0x1p-44 * place->size)
                continue;
            gap = scree_real_min(gap, extent.b - extent.a);
        }
        if (gap > search->best) {
            search->best = gap;
            search->axis = axis;
            search->point[0] = nearest_on_edge(p, a, q, v);
            search->point[1] = scree_vec3_add_scaled(search->point[0], gap, axis);
        }
    }
}

struct scree_vec3 scree_convex_penetration(const struct scree_convex_place *place, double *depth,
                                           struct scree_vec3 point[2])
{
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    struct search search = {.place = place, .best = -(double)INFINITY};
    const bool thin = is_thin(a) || is_thin(b);
    try_faces_of_a(&search);
    try_faces_of_b(&search);
    for (uint32_t e = 0; e < a->edges; ++e)
        for (uint32_t f = 0; f < b->edges; ++f)
            try_edges(&search, e, f, thin);
    *depth = -search.best;
    point[0] = search.point[0];
    point[1] = search.point[1];
    return search.axis;
}
