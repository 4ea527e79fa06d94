// Gift wrapping, see wrap.h.

#include "convex/wrap.h"

#include "base/memory.h"
#include "convex/convex.h"
#include "convex/orient.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    // faces and corners of a hull before coplanar ones are joined
    MOST_WRAPPED_FACES = 8 * SCREE_CONVEX_MOST_FACES
};

struct wrapper {
    const struct scree_vec3 *point;
    size_t points;
    struct scree_convex_loops *loops;
    double *flat;                // [2 * points]: coordinates in the plane of a face
    uint32_t *choice, *loop;     // [points], [points + 1]
    uint64_t *passed;            // table of the directed edges of the faces found, 0 for a free place
    size_t places, passed_edges; // a power of 2
    uint64_t *open;              // directed edges whose faces are to be found
    size_t open_edges, open_capacity;
};

// --- loops

// Grows a block so that appending one by one costs little.
static scree_status append_place(void **block, size_t *capacity, size_t wanted, size_t size)
{
    return scree_memory_grow(block, capacity, wanted <= *capacity ? wanted : 2 * wanted, size);
}

scree_status scree_convex_loops_add(struct scree_convex_loops *loops, const uint32_t *corner, size_t corners)
{
    SCREE_TRY(
        append_place((void **)&loops->first, &loops->face_capacity, loops->faces + 2, sizeof *loops->first));
    SCREE_TRY(append_place((void **)&loops->corner, &loops->corner_capacity, loops->corners + corners,
                           sizeof *loops->corner));
    for (size_t k = 0; k < corners; ++k)
        loops->corner[loops->corners++] = corner[k];
    loops->first[++loops->faces] = (uint32_t)loops->corners;
    return SCREE_OK;
}

void scree_convex_loops_free(struct scree_convex_loops *loops)
{
    scree_memory_free(loops->first);
    scree_memory_free(loops->corner);
    *loops = (struct scree_convex_loops){0};
}

// --- in a plane

// Sorts numbers by their coordinates, first x, then y (heap sort).
static bool is_before(const double *point, uint32_t a, uint32_t b)
{
    return point[2 * a] < point[2 * b] ||
           (point[2 * a] == point[2 * b] && point[2 * a + 1] < point[2 * b + 1]);
}

static void sift(const double *point, uint32_t *choice, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && is_before(point, choice[child], choice[child + 1]))
            ++child;
        if (!is_before(point, choice[root], choice[child]))
            return;
        const uint32_t swap = choice[root];
        choice[root] = choice[child];
        choice[child] = swap;
    }
}

static void sort_choice(const double *point, uint32_t *choice, size_t chosen)
{
    for (size_t root = chosen / 2; root-- > 0;)
        sift(point, choice, root, chosen);
    for (size_t count = chosen; count-- > 1;) {
        const uint32_t swap = choice[0];
        choice[0] = choice[count];
        choice[count] = swap;
        sift(point, choice, 0, count);
    }
}

// Two chains from the first to the last point in order (Andrew, Inf. Process. Lett. 9, 216, 1979).
size_t scree_convex_wrap_plane(const double *point, uint32_t *choice, size_t chosen, uint32_t *loop)
{
    size_t corners = 0;
    sort_choice(point, choice, chosen);
    for (int upper = 0; upper < 2; ++upper) {
        const size_t base = corners;
        for (size_t n = 0; n < chosen; ++n) {
            const uint32_t p = choice[upper ? chosen - 1 - n : n];
            while (corners >= base + 2 &&
                   scree_convex_orient_plane(&point[2 * loop[corners - 2]], &point[2 * loop[corners - 1]],
                                             &point[2 * p]) <= 0)
                --corners;
            loop[corners++] = p;
        }
        --corners; // the last point begins the other chain
    }
    return corners;
}

// --- edges

static uint64_t edge_key(uint32_t from, uint32_t to)
{
    return ((uint64_t)from << 32 | to) + 1;
}

static size_t place_of(const struct wrapper *wrapper, uint64_t key)
{
    size_t place = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (wrapper->places - 1);
    while (wrapper->passed[place] != 0 && wrapper->passed[place] != key)
        place = (place + 1) & (wrapper->places - 1);
    return place;
}

static scree_status pass_edge(struct wrapper *wrapper, uint32_t from, uint32_t to)
{
    SCREE_TRY(append_place((void **)&wrapper->open, &wrapper->open_capacity, wrapper->open_edges + 1,
                           sizeof *wrapper->open));
    wrapper->open[wrapper->open_edges++] = edge_key(to, from);
    wrapper->passed[place_of(wrapper, edge_key(from, to))] = edge_key(from, to);
    if (2 * ++wrapper->passed_edges > wrapper->places)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the convex hull has more than %d vertices; a body with fewer of them is "
                                 "needed",
                                 SCREE_CONVEX_MOST_VERTICES);
    return SCREE_OK;
}

// --- faces

static void coordinates(struct scree_vec3 p, int dropped, double out[2])
{
    out[0] = dropped == 0 ? p.y : dropped == 1 ? p.z : p.x;
    out[1] = dropped == 0 ? p.z : dropped == 1 ? p.x : p.y;
}

// The orientation of three points along an axis.
static int orient_along(const struct wrapper *wrapper, int axis, uint32_t a, uint32_t b, uint32_t c)
{
    double p[2], q[2], r[2];
    coordinates(wrapper->point[a], axis, p);
    coordinates(wrapper->point[b], axis, q);
    coordinates(wrapper->point[c], axis, r);
    return scree_convex_orient_plane(p, q, r);
}

// An axis along which three points are not on a line, or -1.
static int clear_axis(const struct wrapper *wrapper, uint32_t a, uint32_t b, uint32_t c)
{
    for (int axis = 0; axis < 3; ++axis)
        if (orient_along(wrapper, axis, a, b, c) != 0)
            return axis;
    return -1;
}

// Adds the face in the plane of a, b, c, anticlockwise as seen from above.
static scree_status add_face(struct wrapper *wrapper, uint32_t a, uint32_t b, uint32_t c)
{
    const struct scree_vec3 *p = wrapper->point;
    const int axis = clear_axis(wrapper, a, b, c);
    const bool reverse = orient_along(wrapper, axis, a, b, c) < 0;
    size_t chosen = 0;
    for (uint32_t n = 0; n < wrapper->points; ++n)
        if (n == a || n == b || n == c || scree_convex_orient(p[a], p[b], p[c], p[n]) == 0) {
            coordinates(p[n], axis, &wrapper->flat[2 * n]);
            wrapper->choice[chosen++] = n;
        }
    const size_t corners = scree_convex_wrap_plane(wrapper->flat, wrapper->choice, chosen, wrapper->loop);
    for (size_t k = 0; k < corners / 2 && reverse; ++k) {
        const uint32_t swap = wrapper->loop[k];
        wrapper->loop[k] = wrapper->loop[corners - 1 - k];
        wrapper->loop[corners - 1 - k] = swap;
    }
    SCREE_TRY(scree_convex_loops_add(wrapper->loops, wrapper->loop, corners));
    for (size_t k = 0; k < corners; ++k)
        SCREE_TRY(pass_edge(wrapper, wrapper->loop[k], wrapper->loop[(k + 1) % corners]));
    return SCREE_OK;
}

// Adds the face on the left of an edge of the hull.
static scree_status wrap_edge(struct wrapper *wrapper, uint32_t a, uint32_t b)
{
    const struct scree_vec3 *p = wrapper->point;
    uint32_t c = UINT32_MAX;
    for (uint32_t n = 0; n < wrapper->points; ++n) {
        if (n == a || n == b)
            continue;
        if (c == UINT32_MAX ? clear_axis(wrapper, a, b, n) >= 0
                            : scree_convex_orient(p[a], p[b], p[c], p[n]) > 0)
            c = n;
    }
    return add_face(wrapper, a, b, c);
}

// An edge of the hull from its lowest point in the order x, y, z: seen along z, all points are on its left.
// If several points are on this line, they are in a plane along z, where the edge is found in the same way.
static scree_status find_first_edge(struct wrapper *wrapper, uint32_t edge[2])
{
    const struct scree_vec3 *p = wrapper->point;
    uint32_t a = 0, b = UINT32_MAX;
    for (uint32_t n = 1; n < wrapper->points; ++n)
        if (p[n].x < p[a].x ||
            (p[n].x == p[a].x && (p[n].y < p[a].y || (p[n].y == p[a].y && p[n].z < p[a].z))))
            a = n;
    for (uint32_t n = 0; n < wrapper->points; ++n)
        if ((p[n].x != p[a].x || p[n].y != p[a].y) &&
            (b == UINT32_MAX || orient_along(wrapper, 2, a, b, n) < 0))
            b = n;
    if (b == UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "all points of a convex hull lie on a line");
    // in the plane of a, b and z no point is lower than the edge
    const int axis = p[b].x != p[a].x ? 1 : 0;
    for (uint32_t n = 0; n < wrapper->points; ++n) {
        const bool above_a = p[n].x == p[a].x && p[n].y == p[a].y;
        if (n != a && n != b && !above_a && orient_along(wrapper, 2, a, b, n) == 0) {
            // in the coordinates of orient_along, lower is left of the direction of x, and right of that of y
            const int side = orient_along(wrapper, axis, a, b, n), lower = axis == 1 ? 1 : -1;
            const bool farther = fabs(p[n].x - p[a].x) > fabs(p[b].x - p[a].x) ||
                                 fabs(p[n].y - p[a].y) > fabs(p[b].y - p[a].y);
            if (side == lower || (side == 0 && farther))
                b = n;
        }
    }
    edge[0] = a;
    edge[1] = b;
    return SCREE_OK;
}

// Fails if all points are in a plane.
static scree_status check_space(const struct wrapper *wrapper, const uint32_t edge[2])
{
    const struct scree_vec3 *p = wrapper->point;
    uint32_t c = UINT32_MAX;
    for (uint32_t n = 0; n < wrapper->points; ++n) {
        if (n == edge[0] || n == edge[1])
            continue;
        if (c == UINT32_MAX && clear_axis(wrapper, edge[0], edge[1], n) >= 0)
            c = n;
        else if (c != UINT32_MAX && scree_convex_orient(p[edge[0]], p[edge[1]], p[c], p[n]) != 0)
            return SCREE_OK;
    }
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "all points of a convex hull lie %s",
                             c == UINT32_MAX ? "on a line" : "in a plane");
}

static scree_status wrap(struct wrapper *wrapper)
{
    uint32_t edge[2] = {0, 0};
    SCREE_TRY(scree_memory_new(2 * wrapper->points, sizeof *wrapper->flat, (void **)&wrapper->flat));
    SCREE_TRY(scree_memory_new(wrapper->points, sizeof *wrapper->choice, (void **)&wrapper->choice));
    // both chains of a loop together
    SCREE_TRY(scree_memory_new(2 * wrapper->points + 2, sizeof *wrapper->loop, (void **)&wrapper->loop));
    wrapper->places = 1;
    while (wrapper->places < 16 * wrapper->points && wrapper->places < 8 * MOST_WRAPPED_FACES)
        wrapper->places *= 2;
    SCREE_TRY(scree_memory_new(wrapper->places, sizeof *wrapper->passed, (void **)&wrapper->passed));
    SCREE_TRY(find_first_edge(wrapper, edge));
    SCREE_TRY(check_space(wrapper, edge));
    SCREE_TRY(wrap_edge(wrapper, edge[0], edge[1]));
    while (wrapper->open_edges > 0) {
        const uint64_t key = wrapper->open[--wrapper->open_edges];
        if (wrapper->passed[place_of(wrapper, key)] == 0)
            SCREE_TRY(wrap_edge(wrapper, (uint32_t)((key - 1) >> 32), (uint32_t)(key - 1)));
    }
    return SCREE_OK;
}

scree_status scree_convex_wrap(const struct scree_vec3 *point, size_t points,
                               struct scree_convex_loops *loops)
{
    struct wrapper wrapper = {.point = point, .points = points, .loops = loops};
    const scree_status status = wrap(&wrapper);
    void *const blocks[] = {wrapper.flat, wrapper.choice, wrapper.loop, wrapper.passed, wrapper.open};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    return status;
}
