// Overlap of two polyhedra or polygons, see pair.h.
//
// The surface of the overlap is the surface of each body inside of the other. Each face is cut by the planes
// of the other body (Sutherland and Hodgman, Comm. ACM 17, 32, 1974); the integrals follow from these
// polygons by the divergence theorem, so no arrangement of the polygons is needed, and round-off can only
// move them. A face of b that lies on one of a with the same normal is left out: it is the same surface.

#include "convex/place.h"

enum { MOST_CORNERS = SCREE_CONVEX_MOST_VERTICES + SCREE_CONVEX_MOST_FACES };

struct polygon {
    struct scree_vec3 corner[MOST_CORNERS];
    uint32_t corners;
};

struct plane {
    struct scree_vec3 normal;
    double offset;
};

struct sums {
    struct scree_vec3 origin; // a point of the overlap
    double volume;
    double surface;
    struct scree_vec3 first;              // integral of x - origin
    struct scree_vec3 area[2], moment[2]; // of the surface of each body
};

// Keeps the part of a polygon, or of a segment of two corners, below a plane. Returns whether any is left.
static bool cut(struct polygon *polygon, struct polygon *other, const struct plane *plane)
{
    double height[MOST_CORNERS];
    uint32_t above = 0;
    for (uint32_t k = 0; k < polygon->corners; ++k) {
        height[k] = scree_vec3_dot(plane->normal, polygon->corner[k]) - plane->offset;
        above += height[k] > 0;
    }
    if (above == 0 || above == polygon->corners)
        return above == 0;
    other->corners = 0;
    const bool segment = polygon->corners == 2;
    for (uint32_t k = 0; k < polygon->corners; ++k) {
        const uint32_t next = k + 1 == polygon->corners ? 0 : k + 1;
        if (height[k] <= 0)
            other->corner[other->corners++] = polygon->corner[k];
        if ((height[k] > 0) == (height[next] > 0) || (segment && next == 0))
            continue;
        const double share = height[k] / (height[k] - height[next]);
        other->corner[other->corners++] = scree_vec3_add_scaled(
            polygon->corner[k], share, scree_vec3_sub(polygon->corner[next], polygon->corner[k]));
    }
    for (uint32_t k = 0; k < other->corners; ++k)
        polygon->corner[k] = other->corner[k];
    polygon->corners = other->corners;
    return polygon->corners > 1;
}

// The plane of a face of one side, in the axes of a, moved outward by `margin`.
static struct plane plane_of(const struct scree_convex_place *place, int side, uint32_t f, double margin)
{
    const struct scree_convex_face *face = &(side == 0 ? place->a : place->b)->shape->face[f];
    if (side == 0)
        return (struct plane){face->normal, face->offset + margin};
    const struct scree_vec3 normal = scree_mat3_apply(place->turn, face->normal);
    return (struct plane){normal, face->offset + scree_vec3_dot(normal, place->shift) + margin};
}

// The part of a face inside of the other body. Returns whether there is any.
static bool cut_face(const struct scree_convex_place *place, int side, uint32_t f, double margin,
                     struct polygon *polygon, struct polygon *other)
{
    const struct scree_convex *shape = (side == 0 ? place->a : place->b)->shape;
    const struct scree_convex *cutter = (side == 0 ? place->b : place->a)->shape;
    const struct scree_convex_face *face = &shape->face[f];
    polygon->corners = face->corners;
    for (uint32_t k = 0; k < face->corners; ++k) {
        const struct scree_vec3 p = shape->vertex[shape->corner[face->first + k]];
        polygon->corner[k] = side == 0 ? p : scree_convex_from_b(place, p);
    }
    const struct scree_vec3 normal = plane_of(place, side, f, 0).normal;
    for (uint32_t g = 0; g < cutter->faces; ++g) {
        const struct plane plane = plane_of(place, 1 - side, g, side == 0 ? margin : 0);
        if (!cut(polygon, other, &plane))
            return false;
        // on the surface of a, which counts already
        uint32_t on = 0;
        for (uint32_t k = 0; k < polygon->corners && side == 1; ++k)
            on += scree_vec3_dot(plane.normal, polygon->corner[k]) > plane.offset - margin;
        if (side == 1 && on == polygon->corners && scree_vec3_dot(plane.normal, normal) > 0)
            return false;
    }
    return true;
}

// Adds a triangle (of a polyhedron) with the origin of the sums as apex of a tetrahedron.
static void add_triangle(struct sums *sums, int side, struct scree_vec3 p, struct scree_vec3 q,
                         struct scree_vec3 r)
{
    const struct scree_vec3 vector =
        scree_vec3_scale(scree_vec3_cross(scree_vec3_sub(q, p), scree_vec3_sub(r, p)), 0.5);
    const struct scree_vec3 middle = scree_vec3_scale(scree_vec3_add(scree_vec3_add(p, q), r), 1.0 / 3);
    const struct scree_vec3 arm = scree_vec3_sub(middle, sums->origin);
    const double volume = scree_vec3_dot(arm, vector) / 3;
    sums->volume += volume;
    sums->surface += scree_vec3_norm(vector);
    sums->first = scree_vec3_add_scaled(sums->first, 0.75 * volume, arm);
    sums->area[side] = scree_vec3_add(sums->area[side], vector);
    sums->moment[side] = scree_vec3_add(sums->moment[side], scree_vec3_cross(middle, vector));
}

// Adds a side (of a polygon) with the origin of the sums as apex of a triangle.
static void add_side(struct sums *sums, int side, struct scree_vec3 p, struct scree_vec3 q,
                     struct scree_vec3 n)
{
    const double length = scree_vec3_norm(scree_vec3_sub(q, p));
    const struct scree_vec3 vector = scree_vec3_scale(n, length);
    const struct scree_vec3 middle = scree_vec3_scale(scree_vec3_add(p, q), 0.5);
    const struct scree_vec3 arm = scree_vec3_sub(middle, sums->origin);
    const double area = scree_vec3_dot(arm, vector) / 2;
    sums->volume += area;
    sums->surface += length;
    sums->first = scree_vec3_add_scaled(sums->first, area * (2.0 / 3), arm);
    sums->area[side] = scree_vec3_add(sums->area[side], vector);
    sums->moment[side] = scree_vec3_add(sums->moment[side], scree_vec3_cross(middle, vector));
}

static bool integrate(const struct scree_convex_place *place, struct sums *sums)
{
    struct polygon polygon, other;
    const double margin = 0x1p-46 * place->size;
    const int dimension = place->a->shape->dimension;
    bool any = false;
    for (int side = 0; side < 2; ++side) {
        const struct scree_convex *shape = (side == 0 ? place->a : place->b)->shape;
        for (uint32_t f = 0; f < shape->faces; ++f) {
            if (!cut_face(place, side, f, margin, &polygon, &other))
                continue;
            if (!any)
                sums->origin = polygon.corner[0];
            any = true;
            const struct scree_vec3 *p = polygon.corner;
            if (dimension == 2)
                add_side(sums, side, p[0], p[1], plane_of(place, side, f, 0).normal);
            for (uint32_t k = 1; k + 1 < polygon.corners && dimension == 3; ++k)
                add_triangle(sums, side, p[0], p[k], p[k + 1]);
        }
    }
    // less is the work of the margin
    return any && sums->volume > 2 * margin * sums->surface;
}

bool scree_convex_overlap(const struct scree_convex_body *a, const struct scree_convex_body *b,
                          struct scree_convex_overlap *overlap)
{
    const struct scree_convex_place place = scree_convex_place(a, b);
    struct sums sums = {.volume = 0};
    *overlap = (struct scree_convex_overlap){.volume = 0};
    if (!integrate(&place, &sums))
        return false;
    const struct scree_mat3 rotation = place.a->rotation;
    const struct scree_vec3 origin =
        place.exchanged ? scree_vec3_sub(place.a->position, place.b->position) : scree_vec3_zero();
    // both surfaces give the same up to round-off, so use the mean
    struct scree_vec3 area = scree_vec3_scale(scree_vec3_sub(sums.area[0], sums.area[1]), 0.5);
    struct scree_vec3 moment = scree_vec3_scale(scree_vec3_sub(sums.moment[0], sums.moment[1]), 0.5);
    const struct scree_vec3 centroid = scree_vec3_add_scaled(sums.origin, 1 / sums.volume, sums.first);
    area = scree_mat3_apply(rotation, area);
    moment = scree_vec3_add(scree_mat3_apply(rotation, moment), scree_vec3_cross(origin, area));
    overlap->volume = sums.volume;
    overlap->centroid = scree_vec3_add(scree_mat3_apply(rotation, centroid), origin);
    overlap->area = place.exchanged ? scree_vec3_negate(area) : area;
    overlap->moment = place.exchanged ? scree_vec3_negate(moment) : moment;
    return true;
}
