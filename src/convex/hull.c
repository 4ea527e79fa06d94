// Convex hulls: exact faces, then faces of one plane joined within the error of the points, see hull.h.

#include "convex/hull.h"

#include "base/memory.h"
#include "base/sort.h"
#include "convex/wrap.h"

#include <stdbool.h>
#include <string.h>

// each is compared with all others
enum { MOST_POINTS = 16384 };

struct hull {
    int dimension;
    double error;
    struct scree_vec3 *point; // different points, in units of `scale`, a power of 2
    double scale;
    size_t points;
    struct scree_convex_loops exact, joined;
    uint32_t *patch;        // of an exact face
    uint32_t *twin;         // the face beyond each side of the exact loops
    uint32_t *queue, *next; // faces; next corner of the boundary of a patch
    uint32_t *degree;       // number of sides of patches at a point
    uint64_t *key;
    uint32_t *order;
};

// --- points

static double largest_coordinate(const struct scree_vec3 *point, size_t points)
{
    double largest = 0;
    for (size_t n = 0; n < points; ++n) {
        const double c[3] = {fabs(point[n].x), fabs(point[n].y), fabs(point[n].z)};
        for (int k = 0; k < 3; ++k)
            largest = c[k] > largest ? c[k] : largest;
    }
    return largest;
}

// Numbers so small that exact products could underflow are 0.
static double scaled(double x, double scale)
{
    const double y = x / scale;
    return fabs(y) < 0x1p-300 ? 0 : y;
}

// Whether a point is within the error of a point already taken.
static bool is_taken(const struct hull *hull, struct scree_vec3 p)
{
    const double most = hull->error / hull->scale;
    for (size_t n = 0; n < hull->points; ++n) {
        const struct scree_vec3 d = scree_vec3_sub(p, hull->point[n]);
        if (fabs(d.x) <= most && fabs(d.y) <= most && fabs(d.z) <= most)
            return true;
    }
    return false;
}

static scree_status take_points(struct hull *hull, const struct scree_vec3 *point, size_t points)
{
    if (points > MOST_POINTS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a convex hull is made of at most %d points, not %zu",
                                 MOST_POINTS, points);
    for (size_t n = 0; n < points; ++n) {
        if (!isfinite(point[n].x) || !isfinite(point[n].y) || !isfinite(point[n].z))
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "point %zu is not finite", n);
        if (hull->dimension == 2 && point[n].z != 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a polygon is in the plane z = 0; point %zu has z = %g", n, point[n].z);
    }
    const double largest = largest_coordinate(point, points);
    if (points > 0 && !(largest >= 1e-100 && largest <= 1e100))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the largest coordinate must be from 1e-100 to 1e100 m, not %g", largest);
    hull->scale =
        points > 0 ? scree_real_from_bits(scree_real_bits(largest) & UINT64_C(0x7FF0000000000000)) : 1;
    SCREE_TRY(scree_memory_new(points, sizeof *hull->point, (void **)&hull->point));
    for (size_t n = 0; n < points; ++n) {
        const struct scree_vec3 p =
            scree_vec3_make(scaled(point[n].x, hull->scale), scaled(point[n].y, hull->scale),
                            scaled(point[n].z, hull->scale));
        if (!is_taken(hull, p))
            hull->point[hull->points++] = p;
    }
    return SCREE_OK;
}

// --- joining

static struct scree_vec3 face_vector(const struct hull *hull, uint32_t f)
{
    const uint32_t *corner = hull->exact.corner + hull->exact.first[f];
    const uint32_t corners = hull->exact.first[f + 1] - hull->exact.first[f];
    struct scree_vec3 sum = scree_vec3_zero();
    for (uint32_t k = 1; k + 1 < corners; ++k)
        sum = scree_vec3_add(
            sum, scree_vec3_cross(scree_vec3_sub(hull->point[corner[k]], hull->point[corner[0]]),
                                  scree_vec3_sub(hull->point[corner[k + 1]], hull->point[corner[0]])));
    return sum;
}

static uint32_t side_end(const struct hull *hull, uint32_t f, uint32_t k)
{
    return hull->exact.corner[k + 1 < hull->exact.first[f + 1] ? k + 1 : hull->exact.first[f]];
}

// Finds the face beyond each side: both have the same points.
static scree_status find_twins(struct hull *hull, uint32_t *face_of)
{
    const size_t corners = hull->exact.corners;
    for (uint32_t f = 0; f < hull->exact.faces; ++f)
        for (uint32_t k = hull->exact.first[f]; k < hull->exact.first[f + 1]; ++k) {
            const uint32_t from = hull->exact.corner[k], to = side_end(hull, f, k);
            hull->key[k] = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
            face_of[k] = f;
        }
    SCREE_TRY(scree_sort_order(hull->key, corners, hull->order));
    for (size_t n = 0; n + 1 < corners; n += 2) {
        hull->twin[hull->order[n]] = face_of[hull->order[n + 1]];
        hull->twin[hull->order[n + 1]] = face_of[hull->order[n]];
    }
    return SCREE_OK;
}

// The plane of the face from which a patch grows, see docs/theory/meshes.md.
struct seed {
    struct scree_vec3 normal, origin;
    double error, height; // the smallest height of the face
};

static struct seed seed_of(const struct hull *hull, uint32_t f)
{
    const uint32_t *corner = hull->exact.corner + hull->exact.first[f];
    const uint32_t corners = hull->exact.first[f + 1] - hull->exact.first[f];
    const struct scree_vec3 vector = face_vector(hull, f);
    double longest = 0;
    for (uint32_t a = 0; a < corners; ++a)
        for (uint32_t b = 0; b < a; ++b)
            longest = scree_real_max(
                longest, scree_vec3_norm(scree_vec3_sub(hull->point[corner[a]], hull->point[corner[b]])));
    // coordinates are below 2: a round-off of each, and the error of each of the three
    const double error = sqrt(3) * hull->error / hull->scale + 0x1p-52;
    return (struct seed){scree_vec3_normalise(vector), hull->point[corner[0]], error,
                         scree_vec3_norm(vector) / longest};
}

static bool is_in_plane(const struct hull *hull, const struct seed *seed, uint32_t f)
{
    for (uint32_t k = hull->exact.first[f]; k < hull->exact.first[f + 1]; ++k) {
        const struct scree_vec3 d = scree_vec3_sub(hull->point[hull->exact.corner[k]], seed->origin);
        if (!(fabs(scree_vec3_dot(seed->normal, d)) <=
              seed->error * (2 + 4 * scree_vec3_norm(d) / seed->height)))
            return false;
    }
    return true;
}

static void grow_patch(struct hull *hull, uint32_t start)
{
    const struct seed seed = seed_of(hull, start);
    size_t count = 0;
    hull->queue[count++] = start;
    hull->patch[start] = start;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t f = hull->queue[n];
        for (uint32_t k = hull->exact.first[f]; k < hull->exact.first[f + 1]; ++k) {
            const uint32_t other = hull->twin[k];
            if (hull->patch[other] == UINT32_MAX && is_in_plane(hull, &seed, other)) {
                hull->patch[other] = start;
                hull->queue[count++] = other;
            }
        }
    }
}

// Patches grow from the largest faces: their planes are the most exact.
static scree_status find_patches(struct hull *hull)
{
    for (uint32_t f = 0; f < hull->exact.faces; ++f) {
        hull->key[f] = ~scree_real_bits(scree_vec3_norm(face_vector(hull, f)));
        hull->patch[f] = UINT32_MAX;
    }
    SCREE_TRY(scree_sort_order(hull->key, hull->exact.faces, hull->order));
    for (size_t n = 0; n < hull->exact.faces; ++n)
        if (hull->patch[hull->order[n]] == UINT32_MAX)
            grow_patch(hull, hull->order[n]);
    return SCREE_OK;
}

// Follows the boundary of a patch, and leaves out points at which only two patches meet: they are on an edge.
static scree_status add_patch(struct hull *hull, uint32_t patch, uint32_t *loop)
{
    uint32_t start = UINT32_MAX, corners = 0;
    size_t sides = 0;
    for (uint32_t f = 0; f < hull->exact.faces; ++f)
        for (uint32_t k = hull->exact.first[f]; hull->patch[f] == patch && k < hull->exact.first[f + 1]; ++k)
            if (hull->patch[hull->twin[k]] != patch) {
                start = hull->exact.corner[k];
                hull->next[start] = side_end(hull, f, k);
                ++sides;
            }
    uint32_t p = start;
    for (size_t n = 0; n < sides; ++n, p = hull->next[p])
        if (hull->degree[p] > 2)
            loop[corners++] = p;
    if (sides == 0 || p != start || corners < 3)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "all points of a convex hull lie in a plane within their error");
    return scree_convex_loops_add(&hull->joined, loop, corners);
}

static scree_status join_faces(struct hull *hull)
{
    const size_t faces = hull->exact.faces;
    uint32_t *const loop = hull->queue;
    SCREE_TRY(find_twins(hull, hull->queue));
    SCREE_TRY(find_patches(hull));
    for (uint32_t f = 0; f < faces; ++f)
        for (uint32_t k = hull->exact.first[f]; k < hull->exact.first[f + 1]; ++k)
            hull->degree[hull->exact.corner[k]] += hull->patch[hull->twin[k]] != hull->patch[f];

    for (uint32_t f = 0; f < faces; ++f)
        if (hull->patch[f] == f)
            SCREE_TRY(add_patch(hull, f, loop));
    return SCREE_OK;
}

static scree_status wrap_space(struct hull *hull)
{
    SCREE_TRY(scree_convex_wrap(hull->point, hull->points, &hull->exact));
    const size_t corners = hull->exact.corners;
    SCREE_TRY(scree_memory_new(hull->exact.faces, sizeof *hull->patch, (void **)&hull->patch));
    SCREE_TRY(scree_memory_new(corners, sizeof *hull->twin, (void **)&hull->twin));
    SCREE_TRY(scree_memory_new(corners, sizeof *hull->queue, (void **)&hull->queue));
    SCREE_TRY(scree_memory_new(corners, sizeof *hull->key, (void **)&hull->key));
    SCREE_TRY(scree_memory_new(corners, sizeof *hull->order, (void **)&hull->order));
    SCREE_TRY(scree_memory_new(hull->points, sizeof *hull->next, (void **)&hull->next));
    SCREE_TRY(scree_memory_new(hull->points, sizeof *hull->degree, (void **)&hull->degree));
    return join_faces(hull);
}

// Leaves out corners within the error of the line between their neighbours.
static scree_status wrap_plane(struct hull *hull)
{
    double *flat;
    SCREE_TRY(scree_memory_new(hull->points, sizeof *hull->order, (void **)&hull->order));
    SCREE_TRY(scree_memory_new(2 * hull->points, sizeof *hull->queue, (void **)&hull->queue));
    SCREE_TRY(scree_memory_new(2 * hull->points, sizeof *flat, (void **)&flat));
    for (uint32_t n = 0; n < hull->points; ++n) {
        hull->order[n] = n;
        flat[2 * n] = hull->point[n].x;
        flat[2 * n + 1] = hull->point[n].y;
    }
    uint32_t *const loop = hull->queue;
    size_t corners = scree_convex_wrap_plane(flat, hull->order, hull->points, loop);
    scree_memory_free(flat);
    const double most = 2 * sqrt(2) * hull->error / hull->scale;
    for (size_t k = 0; k < corners && corners > 3;) {
        const struct scree_vec3 before = hull->point[loop[(k + corners - 1) % corners]];
        const struct scree_vec3 along = scree_vec3_sub(hull->point[loop[(k + 1) % corners]], before);
        const struct scree_vec3 arm = scree_vec3_sub(hull->point[loop[k]], before);
        if (fabs(scree_vec3_cross(along, arm).z) <= most * scree_vec3_norm(along))
            memmove(loop + k, loop + k + 1, (--corners - k) * sizeof *loop);
        else
            ++k;
    }
    if (corners < 3)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "all points of a convex hull lie on a line");
    return scree_convex_loops_add(&hull->joined, loop, corners);
}

// --- result

// Numbers the points that are corners, in their order.
static scree_status make_shape(struct hull *hull, struct scree_convex *shape)
{
    struct scree_vec3 *vertex;
    uint32_t *number;
    size_t vertices = 0;
    SCREE_TRY(scree_memory_new(hull->points, sizeof *number, (void **)&number));
    scree_status status = scree_memory_new(hull->points, sizeof *vertex, (void **)&vertex);
    if (status == SCREE_OK) {
        for (size_t k = 0; k < hull->joined.corners; ++k)
            number[hull->joined.corner[k]] = 1;
        for (size_t n = 0; n < hull->points; ++n)
            if (number[n] != 0) {
                vertex[vertices] = scree_vec3_scale(hull->point[n], hull->scale);
                number[n] = (uint32_t)vertices++;
            }
        for (size_t k = 0; k < hull->joined.corners; ++k)
            hull->joined.corner[k] = number[hull->joined.corner[k]];
        status = scree_convex_make(hull->dimension, vertex, vertices, hull->joined.first, hull->joined.corner,
                                   hull->joined.faces, 4 * (hull->error + 0x1p-52 * hull->scale), shape);
        scree_memory_free(vertex);
    }
    scree_memory_free(number);
    return status;
}

static scree_status build(struct hull *hull, const struct scree_vec3 *point, size_t points,
                          struct scree_convex *shape)
{
    SCREE_TRY(take_points(hull, point, points));
    if (hull->points < (size_t)hull->dimension + 1)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a convex hull needs at least %d different points; there are %zu",
                                 hull->dimension + 1, hull->points);
    SCREE_TRY(hull->dimension == 3 ? wrap_space(hull) : wrap_plane(hull));
    return make_shape(hull, shape);
}

scree_status scree_convex_hull(int dimension, const struct scree_vec3 *point, size_t points, double error,
                               struct scree_convex *shape)
{
    struct hull hull = {.dimension = dimension, .error = error};
    *shape = (struct scree_convex){0};
    const scree_status status = build(&hull, point, points, shape);
    void *const blocks[] = {hull.point, hull.patch,  hull.twin, hull.queue,
                            hull.next,  hull.degree, hull.key,  hull.order};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    scree_convex_loops_free(&hull.exact);
    scree_convex_loops_free(&hull.joined);
    return status;
}

// Fails because of points that are no vertices, with the first two that are equal if there are any.
static scree_status fail_not_all(const struct scree_vec3 *point, size_t points, double error, size_t vertices)
{
    for (size_t n = 0; n < points; ++n)
        for (size_t m = n + 1; m < points; ++m)
            if (scree_vec3_norm(scree_vec3_sub(point[m], point[n])) <= error)
                return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "the vertices %zu and %zu of a shape are equal: leave one out",
                                         n + 1, m + 1);
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "%zu of the %zu vertices of a shape are not on its convex hull: leave them out",
                             points - vertices, points);
}

scree_status scree_convex_hull_of_all(int dimension, const struct scree_vec3 *point, size_t points,
                                      double error, struct scree_convex *shape)
{
    SCREE_TRY(scree_convex_hull(dimension, point, points, error, shape));
    if (shape->vertices == points)
        return SCREE_OK;
    const size_t vertices = shape->vertices;
    scree_convex_free(shape);
    return fail_not_all(point, points, error, vertices);
}

// --- meshes

// Whether the corners of a triangle are in the plane of one face.
static bool is_on_face(const struct scree_convex *shape, const struct scree_vec3 corner[3], double error)
{
    for (uint32_t f = 0; f < shape->faces; ++f) {
        int on = 0;
        for (int k = 0; k < 3; ++k) {
            const double height = scree_vec3_dot(shape->face[f].normal, corner[k]) - shape->face[f].offset;
            on += fabs(height) <= error + shape->flatness + 0x1p-50 * shape->radius;
        }
        if (on == 3)
            return true;
    }
    return false;
}

// All triangles of a closed mesh are on the hull: the mesh is the surface of the hull.
static scree_status check_mesh(const struct scree_convex *shape, const struct scree_vec3 *point,
                               const uint32_t (*triangle)[3], size_t triangles, double error)
{
    for (size_t t = 0; t < triangles; ++t) {
        const struct scree_vec3 corner[3] = {point[triangle[t][0]], point[triangle[t][1]],
                                             point[triangle[t][2]]};
        const struct scree_vec3 middle =
            scree_vec3_scale(scree_vec3_add(corner[0], scree_vec3_add(corner[1], corner[2])), 1.0 / 3);
        if (!is_on_face(shape, corner, error))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the mesh is not convex: triangle %zu, at (%.6g, %.6g, %.6g) m, is "
                                     "inside of the convex hull. A "
                                     "body that is not convex is made of several convex ones",
                                     t, middle.x, middle.y, middle.z);
    }
    return SCREE_OK;
}

scree_status scree_convex_from_mesh(const double (*vertex)[3], size_t vertices, const uint32_t (*triangle)[3],
                                    size_t triangles, double error, struct scree_convex *shape)
{
    struct scree_vec3 *point;
    *shape = (struct scree_convex){0};
    for (size_t t = 0; t < triangles; ++t)
        for (int k = 0; k < 3; ++k)
            if (triangle[t][k] >= vertices)
                return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "triangle %zu has vertex %u, but there are %zu vertices", t,
                                         (unsigned)triangle[t][k], vertices);
    SCREE_TRY(scree_memory_new(vertices, sizeof *point, (void **)&point));
    for (size_t v = 0; v < vertices; ++v)
        point[v] = scree_vec3_load(vertex[v]);
    scree_status status = scree_convex_hull(3, point, vertices, error, shape);
    if (status == SCREE_OK)
        status = check_mesh(shape, point, triangle, triangles, 4 * error);
    if (status != SCREE_OK)
        scree_convex_free(shape);
    scree_memory_free(point);
    return status;
}
