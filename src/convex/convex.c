// Convex bodies from loops of corners, see convex.h.

#include "convex/convex.h"

#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>

// A shape that is made, and the corners that it is made of.
struct maker {
    struct scree_convex *shape;
    const uint32_t *first, *corner;
    uint64_t *key; // of the side that begins at a corner, see number_edges
    uint32_t *order;
    double error;
};

static uint32_t next_corner(const struct scree_convex_face *face, uint32_t k)
{
    return face->first + (k + 1 == face->corners ? 0 : k + 1);
}

// --- checking

static scree_status check_counts(int dimension, size_t vertices, size_t faces)
{
    const size_t least = dimension == 3 ? 4 : 3;
    if (vertices < least)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a convex %s has at least %zu vertices; this one has %zu",
                                 dimension == 3 ? "polyhedron" : "polygon", least, vertices);
    if (vertices > SCREE_CONVEX_MOST_VERTICES)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a convex body has at most %d vertices; this one has %zu",
                                 SCREE_CONVEX_MOST_VERTICES, vertices);
    if (dimension == 3 && (faces < 4 || faces > SCREE_CONVEX_MOST_FACES))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a convex polyhedron has from 4 to %d faces; this one has %zu",
                                 SCREE_CONVEX_MOST_FACES, faces);
    return SCREE_OK;
}

static scree_status check_corners(const struct scree_vec3 *vertex, size_t vertices, const uint32_t *first,
                                  const uint32_t *corner, size_t faces)
{
    for (size_t v = 0; v < vertices; ++v)
        if (!isfinite(vertex[v].x) || !isfinite(vertex[v].y) || !isfinite(vertex[v].z))
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "vertex %zu is not finite", v);
    for (size_t f = 0; f < faces; ++f) {
        if (first[f + 1] < first[f] + 3)
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "face %zu has fewer than 3 corners", f);
        for (uint32_t k = first[f]; k < first[f + 1]; ++k)
            if (corner[k] >= vertices)
                return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "face %zu has vertex %u, but vertices have numbers from 0 to %zu", f,
                                         (unsigned)corner[k], vertices - 1);
    }
    return SCREE_OK;
}

// How far a vertex may be above the plane of a face: the error of the corners, extrapolated to the vertex,
// see docs/theory/meshes.md, and its own. Normal and offset have a few round-offs of the coordinates.
static double allowed_height(const struct maker *maker, uint32_t f, double size, struct scree_vec3 at)
{
    const struct scree_convex *shape = maker->shape;
    const struct scree_convex_face *face = &shape->face[f];
    double longest = 0;
    struct scree_vec3 sum = scree_vec3_zero();
    const struct scree_vec3 origin = shape->vertex[shape->corner[face->first]];
    for (uint32_t k = 0; k < face->corners; ++k) {
        const struct scree_vec3 p = shape->vertex[shape->corner[face->first + k]];
        const struct scree_vec3 q = shape->vertex[shape->corner[next_corner(face, k)]];
        sum = scree_vec3_add(sum, scree_vec3_cross(scree_vec3_sub(p, origin), scree_vec3_sub(q, origin)));
        longest = scree_real_max(longest, scree_vec3_norm(scree_vec3_sub(p, origin)));
        longest = scree_real_max(longest, scree_vec3_norm(scree_vec3_sub(q, p)));
    }
    const double height = face->corners > 2 ? scree_vec3_norm(sum) / longest : longest;
    const double far = scree_vec3_norm(scree_vec3_sub(at, origin));
    return (maker->error + 8 * 0x1p-53 * size) * (2 + 4 * far / height);
}

static scree_status check_convexity(struct maker *maker)
{
    const struct scree_convex *shape = maker->shape;
    double size = 0;
    for (uint32_t v = 0; v < shape->vertices; ++v)
        size = scree_real_max(size, scree_vec3_norm(shape->vertex[v]));
    for (uint32_t f = 0; f < shape->faces; ++f)
        for (uint32_t v = 0; v < shape->vertices; ++v) {
            const struct scree_convex_face *face = &shape->face[f];
            const double height = scree_vec3_dot(face->normal, shape->vertex[v]) - face->offset;
            if (height > 0 && height > allowed_height(maker, f, size, shape->vertex[v]))
                return scree_status_fail(
                    SCREE_ERROR_ARGUMENT,
                    "the body is not convex: vertex %u is %g m above the plane of face %u. "
                    "A body that is not convex is made of several convex ones",
                    (unsigned)v, height, (unsigned)f);
        }
    return SCREE_OK;
}

// --- planes

// The normal of a loop from the areas of its triangles (Newell).
static struct scree_vec3 loop_normal(const struct scree_convex *shape, const struct scree_convex_face *face)
{
    const struct scree_vec3 origin = shape->vertex[shape->corner[face->first]];
    struct scree_vec3 sum = scree_vec3_zero();
    for (uint32_t k = 1; k + 1 < face->corners; ++k) {
        const struct scree_vec3 p = scree_vec3_sub(shape->vertex[shape->corner[face->first + k]], origin);
        const struct scree_vec3 q = scree_vec3_sub(shape->vertex[shape->corner[face->first + k + 1]], origin);
        sum = scree_vec3_add(sum, scree_vec3_cross(p, q));
    }
    return sum;
}

static void set_offset(struct scree_convex *shape, struct scree_convex_face *face)
{
    double lowest = (double)INFINITY;
    face->offset = -(double)INFINITY;
    for (uint32_t k = 0; k < face->corners; ++k) {
        const double height = scree_vec3_dot(face->normal, shape->vertex[shape->corner[face->first + k]]);
        face->offset = scree_real_max(face->offset, height);
        lowest = scree_real_min(lowest, height);
    }
    shape->flatness = scree_real_max(shape->flatness, face->offset - lowest);
}

// Sets what follows from the vertices beside the planes.
static void measure(struct scree_convex *shape)
{
    shape->radius = 0;
    shape->lower = shape->upper = shape->vertex[0];
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        shape->radius = scree_real_max(shape->radius, scree_vec3_norm(shape->vertex[v]));
        shape->lower = scree_convex_lower(shape->lower, shape->vertex[v]);
        shape->upper = scree_convex_upper(shape->upper, shape->vertex[v]);
    }
    for (uint32_t e = 0; e < shape->edges; ++e) {
        struct scree_convex_edge *edge = &shape->edge[e];
        const struct scree_vec3 along =
            scree_vec3_sub(shape->vertex[edge->vertex[1]], shape->vertex[edge->vertex[0]]);
        edge->length = scree_vec3_norm(along);
        edge->direction = scree_vec3_scale(along, 1 / edge->length);
    }
}

static scree_status find_planes(struct scree_convex *shape)
{
    for (uint32_t f = 0; f < shape->faces; ++f) {
        struct scree_convex_face *face = &shape->face[f];
        if (shape->dimension == 3) {
            face->normal = loop_normal(shape, face);
        } else {
            const struct scree_vec3 along = scree_vec3_sub(shape->vertex[shape->corner[face->first + 1]],
                                                           shape->vertex[shape->corner[face->first]]);
            face->normal = scree_vec3_make(along.y, -along.x, 0);
        }
        face->normal = scree_vec3_normalise(face->normal);
        if (!(scree_vec3_norm_squared(face->normal) > 0.5)) // also not a number
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     shape->dimension == 3 ? "face %u has no area" : "side %u has no length",
                                     (unsigned)f);
        set_offset(shape, face);
    }
    measure(shape);
    return SCREE_OK;
}

// --- edges

// The vertex at the other end of the side that begins at a corner.
static uint32_t side_end(const struct scree_convex *shape, const uint32_t *face_of, uint32_t k)
{
    const struct scree_convex_face *face = &shape->face[face_of[k]];
    return shape->corner[next_corner(face, k - face->first)];
}

// Sides of two faces with the same vertices, in opposite directions, are an edge.
static scree_status number_edges(struct maker *maker, uint32_t *face_of)
{
    struct scree_convex *shape = maker->shape;
    const uint32_t corners = maker->first[shape->faces];
    for (uint32_t f = 0; f < shape->faces; ++f)
        for (uint32_t k = 0; k < shape->face[f].corners; ++k)
            face_of[shape->face[f].first + k] = f;
    for (uint32_t k = 0; k < corners; ++k) {
        const uint32_t from = shape->corner[k], to = side_end(shape, face_of, k);
        maker->key[k] = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
    }
    SCREE_TRY(scree_sort_order(maker->key, corners, maker->order));
    for (uint32_t n = 0; n < corners; n += 2) {
        const uint32_t k = maker->order[n], from = shape->corner[k], to = side_end(shape, face_of, k);
        const uint32_t other = n + 1 < corners ? maker->order[n + 1] : k;
        if (other == k || maker->key[other] != maker->key[k] || shape->corner[other] != to || from == to ||
            (n + 2 < corners && maker->key[maker->order[n + 2]] == maker->key[k]))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the side from vertex %u to vertex %u of face %u is no edge of two faces "
                "that are both anticlockwise as seen from outside",
                (unsigned)from, (unsigned)to, (unsigned)face_of[k]);
        shape->corner_edge[k] = shape->corner_edge[other] = n / 2;
        shape->edge[n / 2] =
            (struct scree_convex_edge){.vertex = {from, to}, .face = {face_of[k], face_of[other]}};
    }
    return SCREE_OK;
}

static scree_status find_edges(struct maker *maker)
{
    uint32_t *face_of;
    SCREE_TRY(scree_memory_new(maker->first[maker->shape->faces], sizeof *face_of, (void **)&face_of));
    const scree_status status = number_edges(maker, face_of);
    scree_memory_free(face_of);
    return status;
}

// --- neighbours

static scree_status list_neighbours(struct scree_convex *shape)
{
    const uint32_t sides = shape->dimension == 3 ? shape->edges : shape->faces;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t e = 0; e < sides; ++e) {
            const uint32_t *v =
                shape->dimension == 3 ? shape->edge[e].vertex : &shape->corner[shape->face[e].first];
            for (int k = 0; k < 2; ++k) {
                if (pass == 0)
                    ++shape->neighbour_first[v[k] + 1];
                else
                    shape->neighbour[shape->neighbour_first[v[k]]++] = v[1 - k];
            }
        }
        // counts become places, and the places after the second pass are those of the next vertex
        for (uint32_t v = 0; v < shape->vertices && pass == 0; ++v)
            shape->neighbour_first[v + 1] += shape->neighbour_first[v];
        for (uint32_t v = shape->vertices; v > 0 && pass == 1; --v)
            shape->neighbour_first[v] = shape->neighbour_first[v - 1];
    }
    shape->neighbour_first[0] = 0;
    for (uint32_t v = 0; v < shape->vertices; ++v)
        if (shape->neighbour_first[v + 1] == shape->neighbour_first[v])
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "vertex %u belongs to no face", (unsigned)v);
    return SCREE_OK;
}

// --- making

static scree_status allocate(struct maker *maker, uint32_t corners)
{
    struct scree_convex *s = maker->shape;
    SCREE_TRY(scree_memory_new(s->vertices, sizeof *s->vertex, (void **)&s->vertex));
    SCREE_TRY(scree_memory_new(s->edges, sizeof *s->edge, (void **)&s->edge));
    SCREE_TRY(scree_memory_new(s->faces, sizeof *s->face, (void **)&s->face));
    SCREE_TRY(scree_memory_new(corners, sizeof *s->corner, (void **)&s->corner));
    SCREE_TRY(scree_memory_new(corners, sizeof *s->corner_edge, (void **)&s->corner_edge));
    SCREE_TRY(scree_memory_new(s->vertices + 1, sizeof *s->neighbour_first, (void **)&s->neighbour_first));
    SCREE_TRY(scree_memory_new(corners, sizeof *s->neighbour, (void **)&s->neighbour));
    SCREE_TRY(scree_memory_new(corners, sizeof *maker->key, (void **)&maker->key));
    return scree_memory_new(corners, sizeof *maker->order, (void **)&maker->order);
}

static scree_status make_polyhedron(struct maker *maker)
{
    struct scree_convex *shape = maker->shape;
    const uint32_t corners = maker->first[shape->faces];
    shape->edges = corners / 2;
    SCREE_TRY(allocate(maker, corners));
    for (uint32_t f = 0; f < shape->faces; ++f)
        shape->face[f] = (struct scree_convex_face){.first = maker->first[f],
                                                    .corners = maker->first[f + 1] - maker->first[f]};
    for (uint32_t k = 0; k < corners; ++k)
        shape->corner[k] = maker->corner[k];
    if (corners % 2 == 1)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the surface of the polyhedron is open: its faces have %u "
                                 "sides, an odd number",
                                 (unsigned)corners);
    return find_edges(maker);
}

static scree_status make_polygon(struct maker *maker)
{
    struct scree_convex *shape = maker->shape;
    const uint32_t corners = maker->first[1] - maker->first[0];
    shape->faces = corners;
    SCREE_TRY(allocate(maker, 2 * corners));
    for (uint32_t f = 0; f < corners; ++f) {
        shape->face[f] = (struct scree_convex_face){.first = 2 * f, .corners = 2};
        shape->corner[2 * f] = maker->corner[maker->first[0] + f];
        shape->corner[2 * f + 1] = maker->corner[maker->first[0] + (f + 1) % corners];
    }
    return SCREE_OK;
}

static scree_status build(struct maker *maker, const struct scree_vec3 *vertex, size_t vertices, size_t faces)
{
    struct scree_convex *shape = maker->shape;
    SCREE_TRY(check_counts(shape->dimension, vertices, faces));
    SCREE_TRY(check_corners(vertex, vertices, maker->first, maker->corner, faces));
    shape->vertices = (uint32_t)vertices;
    shape->faces = (uint32_t)faces;
    SCREE_TRY(shape->dimension == 3 ? make_polyhedron(maker) : make_polygon(maker));
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        shape->vertex[v] = vertex[v];
        if (shape->dimension == 2 && vertex[v].z != 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a polygon is in the plane z = 0; vertex %u has z = %g", (unsigned)v,
                                     vertex[v].z);
    }
    SCREE_TRY(list_neighbours(shape));
    SCREE_TRY(find_planes(shape));
    return check_convexity(maker);
}

scree_status scree_convex_make(int dimension, const struct scree_vec3 *vertex, size_t vertices,
                               const uint32_t *first, const uint32_t *corner, size_t faces, double error,
                               struct scree_convex *shape)
{
    assert(dimension == 3 || (dimension == 2 && faces == 1));
    *shape = (struct scree_convex){.dimension = dimension};
    struct maker maker = {.shape = shape, .first = first, .corner = corner, .error = error};
    const scree_status status = build(&maker, vertex, vertices, faces);
    scree_memory_free(maker.key);
    scree_memory_free(maker.order);
    if (status != SCREE_OK)
        scree_convex_free(shape);
    return status;
}

void scree_convex_free(struct scree_convex *shape)
{
    void *const blocks[] = {shape->vertex,   shape->edge,        shape->face,
                            shape->corner,   shape->corner_edge, shape->neighbour_first,
                            shape->neighbour};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *shape = (struct scree_convex){0};
}

// --- changing

// Sets what follows from the vertices when their arrangement stays.
static void update_planes(struct scree_convex *shape)
{
    shape->flatness = 0;
    measure(shape);
    for (uint32_t f = 0; f < shape->faces; ++f)
        set_offset(shape, &shape->face[f]);
}

void scree_convex_recentre(struct scree_convex *shape, struct scree_vec3 to)
{
    for (uint32_t v = 0; v < shape->vertices; ++v)
        shape->vertex[v] = scree_vec3_sub(shape->vertex[v], to);
    update_planes(shape);
}

void scree_convex_scale(struct scree_convex *shape, double factor)
{
    assert(factor > 0);
    for (uint32_t v = 0; v < shape->vertices; ++v)
        shape->vertex[v] = scree_vec3_scale(shape->vertex[v], factor);
    update_planes(shape);
}

// --- support

// a loop over all is faster than a walk
enum { FEW_VERTICES = 16 };

uint32_t scree_convex_support(const struct scree_convex *shape, struct scree_vec3 direction, uint32_t start)
{
    uint32_t best = shape->vertices <= FEW_VERTICES ? 0 : start;
    double height = scree_vec3_dot(shape->vertex[best], direction);
    if (shape->vertices <= FEW_VERTICES) {
        for (uint32_t v = 1; v < shape->vertices; ++v) {
            const double other = scree_vec3_dot(shape->vertex[v], direction);
            best = other > height ? v : best;
            height = other > height ? other : height;
        }
        return best;
    }
    for (uint32_t before = UINT32_MAX; before != best;) {
        before = best;
        for (uint32_t n = shape->neighbour_first[before]; n < shape->neighbour_first[before + 1]; ++n) {
            const double other = scree_vec3_dot(shape->vertex[shape->neighbour[n]], direction);
            best = other > height ? shape->neighbour[n] : best;
            height = other > height ? other : height;
        }
    }
    return best;
}
