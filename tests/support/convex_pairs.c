#include "convex_pairs.h"

#include "convex/hull.h"
#include "convex/library.h"
#include "math/quat.h"
#include "splitmix.h"

#include <stdlib.h>

static struct scree_vec3 draw_vector(uint64_t *seed)
{
    const double x = splitmix_signed(seed), y = splitmix_signed(seed), z = splitmix_signed(seed);
    return scree_vec3_make(x, y, z);
}

struct convex_shapes convex_group_shapes;

int convex_group_begin(void **state)
{
    (void)state;
    convex_shapes_make(&convex_group_shapes, 1);
    return 0;
}

int convex_group_end(void **state)
{
    (void)state;
    convex_shapes_free(&convex_group_shapes);
    return 0;
}

struct scree_mat3 convex_draw_rotation(uint64_t *seed)
{
    struct scree_quat q;
    do {
        const struct scree_vec3 v = draw_vector(seed);
        q = scree_quat_make(splitmix_signed(seed), v.x, v.y, v.z);
    } while (scree_quat_norm_squared(q) > 1 || scree_quat_norm_squared(q) < 0.1);
    return scree_quat_to_matrix(scree_quat_normalise(q));
}

static void need(scree_status status)
{
    if (status != SCREE_OK)
        abort();
}

void convex_shapes_make(struct convex_shapes *shapes, uint64_t seed)
{
    static const double thickness[] = {1e-2, 1e-3, 1e-4, 1e-6};
    for (int n = 0; n < CONVEX_SHAPES; ++n) {
        struct scree_vec3 point[32];
        const size_t points = 4 + (size_t)n;
        struct scree_convex_def def = {
            .kind = (enum scree_convex_kind)n, .length = {1, 1.5, 0.7}, .sides = 5};
        if (n <= SCREE_CONVEX_PRISM) {
            need(scree_convex_library(&def, &shapes->shape[n]));
            continue;
        }
        for (size_t k = 0; k < points; ++k) {
            point[k] = scree_vec3_scale(draw_vector(&seed), 0.7);
            if (n >= CONVEX_SHAPES - 4) // a sliver
                point[k].z *= thickness[n - (CONVEX_SHAPES - 4)];
            if (n == CONVEX_SHAPES - 5) // a needle
                point[k] = scree_vec3_make(point[k].x, 1e-3 * point[k].y, 1e-3 * point[k].z);
        }
        need(scree_convex_hull(3, point, points, 0, &shapes->shape[n]));
    }
}

void convex_shapes_free(struct convex_shapes *shapes)
{
    for (int n = 0; n < CONVEX_SHAPES; ++n)
        scree_convex_free(&shapes->shape[n]);
}

// --- pairs

static struct scree_vec3 world_point(const struct scree_convex_body *body, uint32_t vertex)
{
    return scree_vec3_add(scree_mat3_apply(body->rotation, body->shape->vertex[vertex]), body->position);
}

// The rotation that turns a direction of a shape to one of the world, and about it by chance.
static struct scree_mat3 turn_to(struct scree_vec3 from, struct scree_vec3 to, struct scree_vec3 across)
{
    const struct scree_vec3 x = scree_vec3_perpendicular(from), y = scree_vec3_cross(from, x);
    const struct scree_vec3 u =
        scree_vec3_normalise(scree_vec3_sub(across, scree_vec3_scale(to, scree_vec3_dot(across, to))));
    return scree_mat3_product(scree_mat3_from_columns(u, scree_vec3_cross(to, u), to),
                              scree_mat3_transpose(scree_mat3_from_columns(x, y, from)));
}

static void place(struct scree_convex_body *b, struct scree_vec3 own, struct scree_vec3 at)
{
    b->position = scree_vec3_sub(at, scree_mat3_apply(b->rotation, own));
}

void convex_draw_pair(const struct convex_shapes *shapes, uint64_t *seed, double most,
                      struct scree_convex_body *a, struct scree_convex_body *b)
{
    *a = *b = (struct scree_convex_body){0};
    a->shape = &shapes->shape[splitmix_next(seed) % CONVEX_SHAPES];
    b->shape = &shapes->shape[splitmix_next(seed) % CONVEX_SHAPES];
    a->position = draw_vector(seed);
    a->rotation = convex_draw_rotation(seed);
    b->rotation = convex_draw_rotation(seed);
    const uint32_t f = (uint32_t)(splitmix_next(seed) % a->shape->faces);
    const uint32_t g = (uint32_t)(splitmix_next(seed) % b->shape->faces);
    const uint32_t *corner = &a->shape->corner[a->shape->face[f].first];
    const uint32_t *other = &b->shape->corner[b->shape->face[g].first];
    const struct scree_vec3 normal = scree_mat3_apply(a->rotation, a->shape->face[f].normal);
    struct scree_vec3 at = world_point(a, corner[0]), own = b->shape->vertex[other[0]];
    const uint64_t kind = splitmix_next(seed) % 6;
    if (kind == 1 || kind == 2) { // parallel faces, two corners or two centres of sides on each other
        const struct scree_vec3 side = scree_vec3_sub(world_point(a, corner[1]), world_point(a, corner[0]));
        b->rotation = turn_to(b->shape->face[g].normal, scree_vec3_negate(normal),
                              kind == 1 ? draw_vector(seed) : side);
        if (kind == 2)
            at = scree_vec3_add_scaled(at, 0.5, side);
    } else if (kind == 3) { // the side of one face on that of the other
        const struct scree_vec3 side =
            scree_vec3_normalise(scree_vec3_sub(world_point(a, corner[1]), world_point(a, corner[0])));
        const struct scree_vec3 mine =
            scree_vec3_normalise(scree_vec3_sub(b->shape->vertex[other[1]], b->shape->vertex[other[0]]));
        b->rotation = turn_to(mine, side, normal);
    } else if (kind == 4) { // equal rotations
        b->rotation = a->rotation;
    }
    place(b, own, at);
    if (kind == 0 || kind == 5) { // anywhere near, at a random place of both surfaces
        const struct scree_vec3 direction = scree_vec3_normalise(draw_vector(seed));
        const struct scree_vec3 back = scree_mat3_apply_transposed(b->rotation, scree_vec3_negate(direction));
        const struct scree_vec3 front = scree_mat3_apply_transposed(a->rotation, direction);
        place(b, b->shape->vertex[scree_convex_support(b->shape, back, 0)],
              world_point(a, scree_convex_support(a->shape, front, 0)));
    }
    static const double fine[] = {0, 1e-16, 1e-14, 1e-10, 1e-6, 1, 1, 1};
    b->position = scree_vec3_add_scaled(b->position, most * fine[splitmix_next(seed) % 8], draw_vector(seed));
}

// --- exhaustive search

// The largest separation, and its bound.
struct found {
    double gap, highest;
};

struct cloud {
    struct scree_vec3 vertex[SCREE_CONVEX_MOST_VERTICES];
    const struct scree_convex *shape;
};

static void fill(struct cloud *cloud, const struct scree_convex_body *body)
{
    cloud->shape = body->shape;
    for (uint32_t v = 0; v < body->shape->vertices; ++v)
        cloud->vertex[v] = world_point(body, v);
}

// Tries a direction and its opposite.
static void try_axis(const struct cloud *a, const struct cloud *b, struct scree_vec3 axis,
                     struct found *found)
{
    double low[2] = {(double)INFINITY, (double)INFINITY}, high[2] = {-(double)INFINITY, -(double)INFINITY};
    const double length = scree_vec3_norm(axis);
    // a direction that cancelled is none
    if (!(length > 1e-12))
        return;
    for (int side = 0; side < 2; ++side) {
        const struct cloud *c = side == 0 ? a : b;
        for (uint32_t v = 0; v < c->shape->vertices; ++v) {
            const double h = scree_vec3_dot(axis, scree_vec3_sub(c->vertex[v], a->vertex[0]));
            low[side] = h < low[side] ? h : low[side];
            high[side] = h > high[side] ? h : high[side];
        }
    }
    const double gap = scree_real_max(low[1] - high[0], low[0] - high[1]) / length;
    found->gap = scree_real_max(found->gap, gap);
    // coordinates and edges below 4 with ten round-offs turn the direction by this over its length, and the
    // extent is below 4
    found->highest = scree_real_max(found->highest, gap + 10 * 0x1p-53 * 4 * 4 / length);
}

static struct scree_vec3 edge_of(const struct cloud *c, uint32_t e)
{
    return scree_vec3_sub(c->vertex[c->shape->edge[e].vertex[1]], c->vertex[c->shape->edge[e].vertex[0]]);
}

// Directions from vertices of b to vertices, edges and faces of a.
static void try_side(const struct cloud *a, const struct cloud *b, const struct scree_mat3 *rotation,
                     struct found *found)
{
    for (uint32_t f = 0; f < a->shape->faces; ++f)
        try_axis(a, b, scree_mat3_apply(*rotation, a->shape->face[f].normal), found);
    for (uint32_t v = 0; v < b->shape->vertices; ++v) {
        for (uint32_t w = 0; w < a->shape->vertices; ++w)
            try_axis(a, b, scree_vec3_sub(b->vertex[v], a->vertex[w]), found);
        for (uint32_t e = 0; e < a->shape->edges; ++e) {
            const struct scree_vec3 along = scree_vec3_normalise(edge_of(a, e));
            const struct scree_vec3 arm =
                scree_vec3_sub(b->vertex[v], a->vertex[a->shape->edge[e].vertex[0]]);
            const double share = scree_vec3_dot(arm, along);
            try_axis(a, b, scree_vec3_sub(arm, scree_vec3_scale(along, share)), found);
        }
    }
}

double convex_exhaustive_gap(const struct scree_convex_body *a, const struct scree_convex_body *b,
                             double *highest)
{
    static struct cloud p, q;
    struct found found = {-(double)INFINITY, -(double)INFINITY};
    fill(&p, a);
    fill(&q, b);
    try_side(&p, &q, &a->rotation, &found);
    try_side(&q, &p, &b->rotation, &found);
    for (uint32_t e = 0; e < p.shape->edges; ++e)
        for (uint32_t f = 0; f < q.shape->edges; ++f)
            try_axis(
                &p, &q,
                scree_vec3_cross(scree_vec3_normalise(edge_of(&p, e)), scree_vec3_normalise(edge_of(&q, f))),
                &found);
    if (highest != NULL)
        *highest = found.highest;
    return found.gap;
}
