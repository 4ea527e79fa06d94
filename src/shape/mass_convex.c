// Mass properties of rounded convex bodies, see mass_convex.h and docs/theory/polyhedra.md.
//
// The points within the rounding radius r are those of the body, and beyond it a prism of height r on each
// face, a sector of a cylinder along each edge, and a sector of a ball at each vertex. The integrals of 1, x
// and x x over each of them are closed forms; their volumes are the terms of Steiner's formula.

#include "shape/mass_convex.h"

#include "math/mat3.h"
#include "math/trigonometry.h"
#include "shape/mass.h"

// Integrals in units of the size of the body.
struct integrals {
    double volume;
    struct scree_vec3 first;
    struct scree_mat3 second;
};

// All coordinates are in units of `size` about `origin`.
struct body {
    const struct scree_convex *shape;
    struct scree_vec3 origin;
    double size, radius;
};

static struct scree_vec3 vertex_of(const struct body *body, uint32_t v)
{
    return scree_vec3_scale(scree_vec3_sub(body->shape->vertex[v], body->origin), 1 / body->size);
}

static struct scree_vec3 corner_of(const struct body *body, const struct scree_convex_face *face, uint32_t k)
{
    return vertex_of(body, body->shape->corner[face->first + (k == face->corners ? 0 : k)]);
}

static struct scree_mat3 outer(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_mat3_from_rows(scree_vec3_scale(b, a.x), scree_vec3_scale(b, a.y), scree_vec3_scale(b, a.z));
}

// Adds the integrals over pieces x = at + y, given those over y.
static void add_moved(struct integrals *sum, struct scree_vec3 at, const struct integrals *y)
{
    const struct scree_mat3 mixed = outer(at, y->first);
    sum->volume += y->volume;
    sum->first = scree_vec3_add(sum->first, scree_vec3_add_scaled(y->first, y->volume, at));
    sum->second = scree_mat3_add_scaled(sum->second, 1, y->second);
    sum->second = scree_mat3_add_scaled(sum->second, 2, scree_mat3_symmetric(mixed));
    sum->second = scree_mat3_add_scaled(sum->second, y->volume, outer(at, at));
}

// Integrals over a simplex with a corner at the origin: a triangle, or a segment of two corners.
static struct integrals simplex(const struct scree_vec3 *corner, int corners, double volume)
{
    struct integrals sum = {.volume = volume};
    struct scree_vec3 total = scree_vec3_zero();
    for (int k = 0; k < corners; ++k)
        total = scree_vec3_add(total, corner[k]);
    const double n = corners + 1;
    sum.first = scree_vec3_scale(total, volume / n);
    sum.second = outer(total, total);
    for (int k = 0; k < corners; ++k)
        sum.second = scree_mat3_add_scaled(sum.second, 1, outer(corner[k], corner[k]));
    sum.second = scree_mat3_scale(sum.second, volume / (n * (n + 1)));
    return sum;
}

// The integrals over what a surface sweeps along its normal, from 0 to `height`, given those over the
// surface.
static struct integrals swept(const struct integrals *surface, struct scree_vec3 normal, double height)
{
    struct integrals sum = {.volume = height * surface->volume};
    const double square = height * height;
    sum.first = scree_vec3_add_scaled(scree_vec3_scale(surface->first, height),
                                      0.5 * square * surface->volume, normal);
    sum.second = scree_mat3_add_scaled(scree_mat3_scale(surface->second, height), square,
                                       scree_mat3_symmetric(outer(surface->first, normal)));
    sum.second =
        scree_mat3_add_scaled(sum.second, square * height / 3 * surface->volume, outer(normal, normal));
    return sum;
}

// --- faces

// The core below a face and the prism on it: triangles of a face, or the side of a polygon.
static void add_face(const struct body *body, const struct scree_convex_face *face, struct integrals *sum)
{
    const struct scree_vec3 start = corner_of(body, face, 0);
    const int parts = face->corners == 2 ? 1 : (int)face->corners - 2;
    for (int part = 0; part < parts; ++part) {
        const struct scree_vec3 p = corner_of(body, face, (uint32_t)part + 1);
        const struct scree_vec3 corner[3] = {start, p, corner_of(body, face, (uint32_t)part + 2)};
        const struct scree_vec3 side[2] = {scree_vec3_sub(p, start), scree_vec3_sub(corner[2], start)};
        struct integrals below, flat;
        if (face->corners == 2) {
            below = simplex(corner, 2, 0.5 * scree_vec3_cross(corner[0], corner[1]).z);
            flat = simplex(side, 1, scree_vec3_norm(side[0]));
        } else {
            below = simplex(corner, 3, scree_vec3_dot(corner[0], scree_vec3_cross(corner[1], corner[2])) / 6);
            flat = simplex(side, 2, 0.5 * scree_vec3_norm(scree_vec3_cross(side[0], side[1])));
        }
        add_moved(sum, scree_vec3_zero(), &below);
        const struct integrals prism = swept(&flat, face->normal, body->radius);
        add_moved(sum, start, &prism);
    }
}

// --- arcs of normals

// The integrals of 1, m and m m over the arc of unit vectors m from n to k about the axis u.
static struct integrals arc(struct scree_vec3 n, struct scree_vec3 k, struct scree_vec3 u)
{
    const struct scree_vec3 difference = scree_vec3_sub(n, k), first = scree_vec3_cross(u, difference);
    const double half = scree_real_min(0.5 * scree_vec3_norm(difference), 1), angle = 2 * scree_asin(half);
    const double sine = 2 * half * sqrt(1 - half * half);
    // the bisector, from what does not cancel
    const struct scree_vec3 b = scree_vec3_normalise(half < 0.7 ? scree_vec3_add(n, k) : first);
    const struct scree_vec3 c = scree_vec3_cross(u, b);
    struct integrals sum = {.volume = angle, .first = first};
    sum.second = scree_mat3_scale(outer(b, b), 0.5 * (angle + sine));
    sum.second = scree_mat3_add_scaled(sum.second, 0.5 * (angle - sine), outer(c, c));
    return sum;
}

// The integrals over a sector of radius r of the plane of an arc.
static struct integrals sector(const struct integrals *arc_of, double r)
{
    struct integrals sum = {.volume = 0.5 * r * r * arc_of->volume};
    sum.first = scree_vec3_scale(arc_of->first, r * r * r / 3);
    sum.second = scree_mat3_scale(arc_of->second, r * r * r * r / 4);
    return sum;
}

static void add_edge(const struct body *body, const struct scree_convex_edge *edge, struct integrals *sum)
{
    const struct scree_convex_face *face = body->shape->face;
    const struct integrals normals =
        arc(face[edge->face[0]].normal, face[edge->face[1]].normal, edge->direction);
    const struct integrals flat = sector(&normals, body->radius);
    const struct integrals along = swept(&flat, edge->direction, edge->length / body->size);
    add_moved(sum, vertex_of(body, edge->vertex[0]), &along);
}

// --- vertices

// The angle of the face at each corner is taken from the solid angle of its vertex.
static double angle_between(struct scree_vec3 a, struct scree_vec3 b)
{
    const struct scree_vec3 u = scree_vec3_normalise(a), v = scree_vec3_normalise(b);
    const double half = 0.5 * scree_vec3_norm(scree_vec3_sub(u, v));
    return 2 * scree_asin(scree_real_min(half, 1));
}

// Solid angle of the normals at a vertex: 2 pi less the angles of its faces (Descartes).
static double solid_angle(const struct body *body, uint32_t v)
{
    double angle = 2 * SCREE_PI;
    for (uint32_t f = 0; f < body->shape->faces; ++f) {
        const struct scree_convex_face *face = &body->shape->face[f];
        const uint32_t *corner = &body->shape->corner[face->first];
        for (uint32_t k = 0; k < face->corners; ++k) {
            if (corner[k] != v || face->corners < 3)
                continue;
            const struct scree_vec3 at = vertex_of(body, v);
            const struct scree_vec3 next = vertex_of(body, corner[k + 1 == face->corners ? 0 : k + 1]);
            const struct scree_vec3 before = vertex_of(body, corner[k == 0 ? face->corners - 1 : k - 1]);
            angle -= angle_between(scree_vec3_sub(next, at), scree_vec3_sub(before, at));
        }
    }
    return angle;
}

// A sector of a ball. The integrals over its unit vectors follow from the flat sides of the cone of normals:
// a side for each edge, whose normal d leads along the edge, out of the cone.
static void add_vertex(const struct body *body, uint32_t v, struct integrals *sum)
{
    const struct scree_convex *shape = body->shape;
    const double solid = solid_angle(body, v), r = body->radius;
    struct scree_vec3 first = scree_vec3_zero();
    struct scree_mat3 second = scree_mat3_scale(scree_mat3_identity(), solid / 3);
    for (uint32_t e = 0; e < shape->edges; ++e) {
        const struct scree_convex_edge *edge = &shape->edge[e];
        if (edge->vertex[0] != v && edge->vertex[1] != v)
            continue;
        const struct scree_vec3 d =
            edge->vertex[0] == v ? edge->direction : scree_vec3_negate(edge->direction);
        const struct integrals normals =
            arc(shape->face[edge->face[0]].normal, shape->face[edge->face[1]].normal, edge->direction);
        first = scree_vec3_add_scaled(first, -0.5 * normals.volume, d);
        second = scree_mat3_add_scaled(second, -1.0 / 3, scree_mat3_symmetric(outer(d, normals.first)));
    }
    const double r3 = r * r * r;
    const struct integrals ball = {.volume = r3 / 3 * solid,
                                   .first = scree_vec3_scale(first, r3 * r / 4),
                                   .second = scree_mat3_scale(second, r3 * r * r / 5)};
    add_moved(sum, vertex_of(body, v), &ball);
}

// The corner between the sides f and its next one.
static void add_corner(const struct body *body, uint32_t f, struct integrals *sum)
{
    const struct scree_convex *shape = body->shape;
    const uint32_t next = f + 1 == shape->faces ? 0 : f + 1;
    // from the next normal to this one about -z, as the left and the right face of an edge
    const struct integrals normals =
        arc(shape->face[next].normal, shape->face[f].normal, scree_vec3_make(0, 0, -1));
    const struct integrals flat = sector(&normals, body->radius);
    add_moved(sum, corner_of(body, &shape->face[f], 1), &flat);
}

// --- result

scree_status scree_shape_mass_convex(const struct scree_convex *shape, double rounding,
                                     struct scree_shape_mass *mass)
{
    if (!(rounding >= 0 && rounding <= 1e50))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the rounding radius must be from 0 to 1e50 m, not %g",
                                 rounding);
    struct scree_shape_integrals in = {0};
    double lower[3], upper[3], p[3];
    for (int k = 0; k < 3; ++k) {
        lower[k] = (double)INFINITY;
        upper[k] = -(double)INFINITY;
    }
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        scree_vec3_store(shape->vertex[v], p);
        for (int k = 0; k < 3; ++k) {
            lower[k] = scree_real_min(lower[k], p[k] - rounding);
            upper[k] = scree_real_max(upper[k], p[k] + rounding);
        }
    }
    scree_shape_mass_frame(lower, upper, &in);
    if (shape->dimension == 2)
        in.origin[2] = 0;
    const struct body body = {shape, scree_vec3_load(in.origin), in.size, rounding / in.size};
    struct integrals sum = {.volume = 0};
    for (uint32_t f = 0; f < shape->faces; ++f)
        add_face(&body, &shape->face[f], &sum);
    for (uint32_t e = 0; e < shape->edges && rounding > 0; ++e)
        add_edge(&body, &shape->edge[e], &sum);
    for (uint32_t v = 0; v < shape->vertices && rounding > 0 && shape->dimension == 3; ++v)
        add_vertex(&body, v, &sum);
    for (uint32_t f = 0; f < shape->faces && rounding > 0 && shape->dimension == 2; ++f)
        add_corner(&body, f, &sum);
    in.volume = sum.volume;
    scree_vec3_store(sum.first, in.first);
    const double second[6] = {sum.second.xx, sum.second.yy, sum.second.zz,
                              sum.second.yz, sum.second.zx, sum.second.xy};
    for (int k = 0; k < 6; ++k)
        in.second[k] = second[k];
    // pieces are within the box of half edges 1, whose surface is 24 and whose middle is within sqrt(3):
    // their absolute volumes add up to less than 16. each has at most 64 roundings, and the sum one for each
    // piece
    const double roundings = 64.0 + shape->faces + shape->edges + shape->vertices;
    for (int k = 0; k < 3; ++k)
        in.error[k] = 16 * roundings * 0x1p-53;
    if (!(in.volume > in.error[0]))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the convex body has no volume");
    scree_shape_mass_set(&in, shape->dimension, mass);
    return SCREE_OK;
}
