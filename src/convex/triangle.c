// A triangle as a convex body, see triangle.h.
//
// The arrangement is that of convex.h: a face above and one below, and a side of two corners at each edge.

#include "convex/triangle.h"

bool scree_convex_triangle_make(const struct scree_vec3 corner[3], struct scree_convex_triangle *triangle)
{
    struct scree_convex_triangle *t = triangle;
    *t = (struct scree_convex_triangle){
        .corner = {0, 1, 2, 0, 2, 1, 0, 1, 1, 2, 2, 0},
        .corner_edge = {0, 1, 2, 2, 1, 0, 0, 0, 1, 1, 2, 2},
        .neighbour_first = {0, 2, 4, 6},
        .neighbour = {1, 2, 2, 0, 0, 1},
    };
    t->shape = (struct scree_convex){.dimension = 3,
                                     .vertices = 3,
                                     .edges = 3,
                                     .faces = 5,
                                     .vertex = t->vertex,
                                     .edge = t->edge,
                                     .face = t->face,
                                     .corner = t->corner,
                                     .corner_edge = t->corner_edge,
                                     .neighbour_first = t->neighbour_first,
                                     .neighbour = t->neighbour};
    const struct scree_vec3 normal = scree_vec3_normalise(
        scree_vec3_cross(scree_vec3_sub(corner[1], corner[0]), scree_vec3_sub(corner[2], corner[0])));
    const double offset = scree_vec3_dot(normal, corner[0]);
    t->shape.lower = scree_convex_lower(scree_convex_lower(corner[0], corner[1]), corner[2]);
    t->shape.upper = scree_convex_upper(scree_convex_upper(corner[0], corner[1]), corner[2]);
    t->face[0] = (struct scree_convex_face){normal, offset, 0, 3};
    t->face[1] = (struct scree_convex_face){scree_vec3_negate(normal), -offset, 3, 3};
    for (uint32_t k = 0; k < 3; ++k) {
        const struct scree_vec3 along = scree_vec3_sub(corner[(k + 1) % 3], corner[k]);
        const double length = scree_vec3_norm(along);
        const struct scree_vec3 direction = scree_vec3_normalise(along);
        const struct scree_vec3 out = scree_vec3_cross(direction, normal);
        t->vertex[k] = corner[k];
        t->edge[k] = (struct scree_convex_edge){direction, length, {k, (k + 1) % 3}, {0, 1}};
        t->face[2 + k] = (struct scree_convex_face){out, scree_vec3_dot(out, corner[k]), 6 + 2 * k, 2};
        t->shape.radius = scree_real_max(t->shape.radius, scree_vec3_norm(corner[k]));
    }
    return scree_vec3_norm_squared(normal) > 0.5;
}
