// Two bodies in the axes of the first, see place.h.

#include "convex/place.h"

static int compare(double x, double y)
{
    return (x > y) - (x < y);
}

// Compares by position, then by what else can be different.
static int compare_bodies(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    if (a->position.x != b->position.x)
        return compare(a->position.x, b->position.x);
    const double p[] = {a->position.x,  a->position.y,  a->position.z,  a->rounding,       a->rotation.xx,
                        a->rotation.xy, a->rotation.xz, a->rotation.yx, a->rotation.yy,    a->rotation.yz,
                        a->rotation.zx, a->rotation.zy, a->rotation.zz, a->shape->vertices};
    const double q[] = {b->position.x,  b->position.y,  b->position.z,  b->rounding,       b->rotation.xx,
                        b->rotation.xy, b->rotation.xz, b->rotation.yx, b->rotation.yy,    b->rotation.yz,
                        b->rotation.zx, b->rotation.zy, b->rotation.zz, b->shape->vertices};
    for (size_t k = 0; k < sizeof p / sizeof p[0]; ++k)
        if (p[k] != q[k])
            return compare(p[k], q[k]);
    for (uint32_t v = 0; v < a->shape->vertices; ++v) {
        const struct scree_vec3 s = a->shape->vertex[v], t = b->shape->vertex[v];
        if (s.x != t.x || s.y != t.y || s.z != t.z)
            return s.x != t.x ? compare(s.x, t.x) : s.y != t.y ? compare(s.y, t.y) : compare(s.z, t.z);
    }
    return 0;
}

bool scree_convex_is_exchanged(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    return compare_bodies(a, b) > 0;
}

struct scree_convex_place scree_convex_place(const struct scree_convex_body *a,
                                             const struct scree_convex_body *b)
{
    const bool exchanged = scree_convex_is_exchanged(a, b);
    struct scree_convex_place place = {
        .a = exchanged ? b : a, .b = exchanged ? a : b, .exchanged = exchanged};
    place.turn = scree_mat3_product(scree_mat3_transpose(place.a->rotation), place.b->rotation);
    place.shift =
        scree_mat3_apply_transposed(place.a->rotation, scree_vec3_sub(place.b->position, place.a->position));
    place.reach = place.a->rounding + place.b->rounding;
    place.size = place.a->shape->radius + place.b->shape->radius + scree_vec3_norm(place.shift) + place.reach;
    return place;
}

struct scree_convex_extent scree_convex_extent(const struct scree_convex_place *place, struct scree_vec3 axis,
                                               const uint32_t start[2])
{
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    const struct scree_vec3 turned = scree_mat3_apply_transposed(place->turn, axis);
    struct scree_convex_extent extent;
    extent.vertex[0] = scree_convex_support(a, axis, start[0]);
    extent.vertex[1] = scree_convex_support(b, scree_vec3_negate(turned), start[1]);
    extent.a = scree_vec3_dot(axis, a->vertex[extent.vertex[0]]);
    extent.b = scree_vec3_dot(turned, b->vertex[extent.vertex[1]]) + scree_vec3_dot(axis, place->shift);
    return extent;
}
