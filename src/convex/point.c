// Nearest point of a convex body, see point.h.
//
// The distance from the plane of a face is a lower bound of the distance from the body. Most points that
// touch are over the inside of the face with the largest one, which then is the distance. Else the nearest
// point is on the boundary of a face that the point is above.

#include "convex/point.h"

#include <stdbool.h>

// Whether a point is over the inside of a face of at least three corners.
static bool is_over(const struct scree_convex *shape, const struct scree_convex_face *face,
                    struct scree_vec3 point)
{
    const uint32_t *corner = &shape->corner[face->first];
    if (face->corners < 3)
        return false;
    struct scree_vec3 from = shape->vertex[corner[face->corners - 1]];
    for (uint32_t k = 0; k < face->corners; ++k) {
        const struct scree_vec3 to = shape->vertex[corner[k]];
        const struct scree_vec3 side = scree_vec3_sub(to, from), arm = scree_vec3_sub(point, from);
        if (scree_vec3_dot(face->normal, scree_vec3_cross(side, arm)) < 0)
            return false;
        from = to;
    }
    return true;
}

// The vector from the nearest point of a segment.
static struct scree_vec3 from_segment(struct scree_vec3 start, struct scree_vec3 end, struct scree_vec3 point)
{
    const struct scree_vec3 along = scree_vec3_sub(end, start), arm = scree_vec3_sub(point, start);
    const double t = scree_vec3_dot(arm, along), square = scree_vec3_norm_squared(along);
    if (t <= 0)
        return arm;
    return t >= square ? scree_vec3_sub(point, end) : scree_vec3_add_scaled(arm, -(t / square), along);
}

// The nearest point so far: the vector from there, and its square.
struct best {
    struct scree_vec3 arm;
    double square;
};

// Sides of a face that the point is above: those that the point is beyond, as no other can be nearest.
// Returns false if there is none: the point is over the inside.
static bool try_sides(const struct scree_convex *shape, const struct scree_convex_face *face,
                      struct scree_vec3 point, struct best *best)
{
    const uint32_t *corner = &shape->corner[face->first];
    struct scree_vec3 from = shape->vertex[corner[face->corners - 1]];
    bool beyond = false;
    for (uint32_t k = 0; k < face->corners; ++k) {
        const struct scree_vec3 start = from, to = shape->vertex[corner[k]];
        const struct scree_vec3 side = scree_vec3_sub(to, start), arm = scree_vec3_sub(point, start);
        from = to;
        if (face->corners > 2 && !(scree_vec3_dot(face->normal, scree_vec3_cross(side, arm)) < 0))
            continue;
        beyond = true;
        const struct scree_vec3 other = from_segment(start, to, point);
        const double square = scree_vec3_norm_squared(other);
        best->arm = square < best->square ? other : best->arm;
        best->square = square < best->square ? square : best->square;
    }
    return beyond;
}

// Sides of all faces that the point is above.
static struct scree_convex_nearest nearest_side(const struct scree_convex *shape, struct scree_vec3 point,
                                                const struct scree_convex_face *highest)
{
    struct best best = {.square = (double)INFINITY};
    for (uint32_t f = 0; f < shape->faces; ++f) {
        const struct scree_convex_face *face = &shape->face[f];
        const double height = scree_vec3_dot(face->normal, point) - face->offset;
        if (height > 0 && !try_sides(shape, face, point, &best))
            return (struct scree_convex_nearest){height, face->normal};
    }
    const double gap = sqrt(best.square);
    // on the edge itself
    if (!(gap > 0))
        return (struct scree_convex_nearest){0, highest->normal};
    return (struct scree_convex_nearest){gap, scree_vec3_scale(best.arm, 1 / gap)};
}

struct scree_convex_nearest scree_convex_point(const struct scree_convex *shape, struct scree_vec3 point,
                                               double limit)
{
    const struct scree_convex_face *highest = shape->face;
    double height = -(double)INFINITY;
    for (uint32_t f = 0; f < shape->faces; ++f) {
        const double other = scree_vec3_dot(shape->face[f].normal, point) - shape->face[f].offset;
        if (other > height) {
            height = other;
            highest = &shape->face[f];
            if (height >= limit)
                break;
        }
    }
    if (height <= 0 || height >= limit || is_over(shape, highest, point))
        return (struct scree_convex_nearest){height, highest->normal};
    return nearest_side(shape, point, highest);
}
