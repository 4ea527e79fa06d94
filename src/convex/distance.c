// Distance and penetration of two rounded bodies, see pair.h.
//
// A separating direction gives bounds of the distance, so only few vertices and edges can be nearest. Of
// these the exact distances are compared: the result does not depend on how far the search for the direction
// went.

#include "convex/pair.h"
#include "convex/place.h"
#include "convex/point.h"

struct best {
    double gap;
    struct scree_vec3 normal, point[2]; // in the axes of a
};

static void try_vertices(const struct scree_convex_place *place, struct scree_vec3 axis,
                         const struct scree_convex_extent *extent, double most, struct best *best)
{
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    for (uint32_t v = 0; v < a->vertices; ++v) {
        if (scree_vec3_dot(axis, a->vertex[v]) < extent->b - most)
            continue;
        const struct scree_convex_nearest at =
            scree_convex_point(b, scree_convex_to_b(place, a->vertex[v]), best->gap);
        if (at.gap < best->gap) {
            best->gap = at.gap;
            best->normal = scree_vec3_negate(scree_mat3_apply(place->turn, at.normal));
            best->point[0] = a->vertex[v];
            best->point[1] = scree_vec3_add_scaled(a->vertex[v], at.gap, best->normal);
        }
    }
    for (uint32_t v = 0; v < b->vertices; ++v) {
        const struct scree_vec3 p = scree_convex_from_b(place, b->vertex[v]);
        if (scree_vec3_dot(axis, p) > extent->a + most)
            continue;
        const struct scree_convex_nearest at = scree_convex_point(a, p, best->gap);
        if (at.gap < best->gap) {
            best->gap = at.gap;
            best->normal = at.normal;
            best->point[0] = scree_vec3_add_scaled(p, -at.gap, at.normal);
            best->point[1] = p;
        }
    }
}

// Nearest points within two edges; at an end, a vertex is as near.
static void try_edges(const struct scree_convex_place *place, const struct scree_convex_edge *e,
                      const struct scree_convex_edge *f, struct best *best)
{
    const struct scree_vec3 p = place->a->shape->vertex[e->vertex[0]];
    const struct scree_vec3 q = scree_convex_from_b(place, place->b->shape->vertex[f->vertex[0]]);
    const struct scree_vec3 u = e->direction, v = scree_mat3_apply(place->turn, f->direction);
    const struct scree_vec3 w = scree_vec3_sub(q, p), normal = scree_vec3_cross(u, v);
    const double square = scree_vec3_norm_squared(normal);
    const double s = scree_vec3_dot(scree_vec3_cross(w, v), normal);
    const double t = scree_vec3_dot(scree_vec3_cross(w, u), normal);
    if (!(square > 0) || s < 0 || s > e->length * square || t < 0 || t > f->length * square)
        return;
    const struct scree_vec3 x = scree_vec3_add_scaled(p, s / square, u);
    const struct scree_vec3 y = scree_vec3_add_scaled(q, t / square, v);
    const struct scree_vec3 line = scree_vec3_sub(y, x);
    // of nearly parallel edges the normal is round-off, but x and y are points of the edges
    const double gap = scree_vec3_norm(line);
    if (!(gap < best->gap && gap > 0))
        return;
    best->gap = gap;
    best->normal = scree_vec3_scale(line, 1 / gap);
    best->point[0] = x;
    best->point[1] = y;
}

static void try_all_edges(const struct scree_convex_place *place, struct scree_vec3 axis,
                          const struct scree_convex_extent *extent, double most, struct best *best)
{
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    const struct scree_vec3 turned = scree_mat3_apply_transposed(place->turn, axis);
    const double shift = scree_vec3_dot(axis, place->shift);
    for (uint32_t e = 0; e < a->edges; ++e) {
        const struct scree_vec3 *end[2] = {&a->vertex[a->edge[e].vertex[0]],
                                           &a->vertex[a->edge[e].vertex[1]]};
        if (scree_vec3_dot(axis, *end[0]) < extent->b - most &&
            scree_vec3_dot(axis, *end[1]) < extent->b - most)
            continue;
        for (uint32_t f = 0; f < b->edges; ++f) {
            const uint32_t *v = b->edge[f].vertex;
            if (scree_vec3_dot(turned, b->vertex[v[0]]) + shift <= extent->a + most ||
                scree_vec3_dot(turned, b->vertex[v[1]]) + shift <= extent->a + most)
                try_edges(place, &a->edge[e], &b->edge[f], best);
        }
    }
}

struct scree_convex_gap scree_convex_distance(const struct scree_convex_body *a,
                                              const struct scree_convex_body *b)
{
    static const uint32_t start[2] = {0, 0};
    const struct scree_convex_place place = scree_convex_place(a, b);
    struct best best = {.gap = 0};
    double upper;
    const struct scree_vec3 axis = scree_convex_separate(&place, &upper);
    const struct scree_convex_extent extent = scree_convex_extent(&place, axis, start);
    if (extent.b - extent.a > 0) {
        const double most = upper > 0 ? upper * (1 + 0x1p-40) + 0x1p-44 * place.size : (double)INFINITY;
        best.gap = (double)INFINITY;
        try_vertices(&place, axis, &extent, most, &best);
        try_all_edges(&place, axis, &extent, most, &best);
    }
    if (!(best.gap > 0 && extent.b - extent.a > 0)) {
        best.normal = scree_convex_penetration(&place, &best.gap, best.point);
        best.gap = -best.gap;
    }
    const struct scree_mat3 rotation = place.a->rotation;
    const struct scree_vec3 origin =
        place.exchanged ? scree_vec3_sub(place.a->position, place.b->position) : scree_vec3_zero();
    const struct scree_vec3 normal = scree_mat3_apply(rotation, best.normal);
    const struct scree_vec3 p = scree_vec3_add_scaled(best.point[0], place.a->rounding, best.normal);
    const struct scree_vec3 q = scree_vec3_add_scaled(best.point[1], -place.b->rounding, best.normal);
    const struct scree_vec3 out[2] = {scree_vec3_add(scree_mat3_apply(rotation, p), origin),
                                      scree_vec3_add(scree_mat3_apply(rotation, q), origin)};
    return (struct scree_convex_gap){.gap = best.gap - place.reach,
                                     .normal = place.exchanged ? scree_vec3_negate(normal) : normal,
                                     .point = {out[place.exchanged], out[!place.exchanged]}};
}
