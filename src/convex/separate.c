// A direction that separates two bodies, see place.h: the algorithm of Gilbert, Johnson and Keerthi (IEEE J.
// Robotics and Automation 4, 193, 1988).
//
// A simplex of up to four differences of points of b and a moves towards the origin. Its nearest point v is
// an upper bound of the distance, and the extent of both bodies along v a lower bound. The search ends when
// both agree, or when round-off stops the progress: users do not rely on the distance, only on the direction.

#include "convex/pair.h"
#include "convex/place.h"

enum { MOST_ROUNDS = 100 };

struct simplex {
    struct scree_vec3 point[4];
    uint32_t vertex[4][2];
    int count;
};

// Keeps the points of a simplex whose bits are set.
static void keep(struct simplex *simplex, unsigned bits)
{
    int count = 0;
    for (int k = 0; k < simplex->count; ++k)
        if (bits & 1u << k) {
            simplex->point[count] = simplex->point[k];
            simplex->vertex[count][0] = simplex->vertex[k][0];
            simplex->vertex[count++][1] = simplex->vertex[k][1];
        }
    simplex->count = count;
}

// The point of a segment that is nearest to the origin; `bits` receives the end points that it depends on.
static struct scree_vec3 nearest_on_segment(const struct scree_vec3 *p, int a, int b, unsigned *bits)
{
    const struct scree_vec3 along = scree_vec3_sub(p[b], p[a]);
    const double t = -scree_vec3_dot(p[a], along), square = scree_vec3_norm_squared(along);
    *bits = t <= 0 ? 1u << a : t >= square ? 1u << b : 1u << a | 1u << b;
    return t <= 0 ? p[a] : t >= square ? p[b] : scree_vec3_add_scaled(p[a], t / square, along);
}

// The same for a triangle: its inside if the origin is over it, else the nearest of its sides.
static struct scree_vec3 nearest_on_triangle(const struct scree_vec3 *p, const int corner[3], unsigned *bits)
{
    const struct scree_vec3 a = p[corner[0]];
    const struct scree_vec3 normal =
        scree_vec3_cross(scree_vec3_sub(p[corner[1]], a), scree_vec3_sub(p[corner[2]], a));
    bool inside = scree_vec3_norm_squared(normal) > 0;
    struct scree_vec3 best = a;
    double square = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 from = p[corner[k]], to = p[corner[(k + 1) % 3]];
        inside = inside && scree_vec3_dot(normal, scree_vec3_cross(from, to)) > 0;
        unsigned side;
        const struct scree_vec3 other = nearest_on_segment(p, corner[k], corner[(k + 1) % 3], &side);
        if (scree_vec3_norm_squared(other) < square) {
            square = scree_vec3_norm_squared(other);
            best = other;
            *bits = side;
        }
    }
    if (!inside)
        return best;
    const struct scree_vec3 foot =
        scree_vec3_scale(normal, scree_vec3_dot(normal, a) / scree_vec3_norm_squared(normal));
    if (!(scree_vec3_norm_squared(foot) <= square))
        return best;
    *bits = 1u << corner[0] | 1u << corner[1] | 1u << corner[2];
    return foot;
}

// The same for a tetrahedron; it keeps all points if the origin is inside.
static struct scree_vec3 nearest_on_tetrahedron(const struct scree_vec3 *p, unsigned *bits)
{
    static const int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    struct scree_vec3 best = p[0];
    double square = (double)INFINITY;
    int outside = 0;
    for (int f = 0; f < 4; ++f) {
        const struct scree_vec3 a = p[face[f][0]];
        const struct scree_vec3 normal =
            scree_vec3_cross(scree_vec3_sub(p[face[f][1]], a), scree_vec3_sub(p[face[f][2]], a));
        const double apex = scree_vec3_dot(normal, scree_vec3_sub(p[f == 3   ? 0
                                                                    : f == 0 ? 3
                                                                    : f == 1 ? 2
                                                                             : 1],
                                                                  a));
        const double origin = -scree_vec3_dot(normal, a);
        // a flat tetrahedron has the origin outside of all faces
        if (origin * apex > 0)
            continue;
        ++outside;
        unsigned other;
        const struct scree_vec3 v = nearest_on_triangle(p, face[f], &other);
        if (scree_vec3_norm_squared(v) < square) {
            square = scree_vec3_norm_squared(v);
            best = v;
            *bits = other;
        }
    }
    if (outside > 0)
        return best;
    *bits = 15;
    return scree_vec3_zero();
}

static struct scree_vec3 reduce(struct simplex *simplex)
{
    static const int all[3] = {0, 1, 2};
    unsigned bits = 1;
    struct scree_vec3 v = simplex->point[0];
    if (simplex->count == 2)
        v = nearest_on_segment(simplex->point, 0, 1, &bits);
    else if (simplex->count == 3)
        v = nearest_on_triangle(simplex->point, all, &bits);
    else if (simplex->count == 4)
        v = nearest_on_tetrahedron(simplex->point, &bits);
    keep(simplex, bits);
    return v;
}

static bool contains(const struct simplex *simplex, const uint32_t vertex[2])
{
    for (int k = 0; k < simplex->count; ++k)
        if (simplex->vertex[k][0] == vertex[0] && simplex->vertex[k][1] == vertex[1])
            return true;
    return false;
}

// Bounds of the distance of the polyhedra.
struct bounds {
    double lower, upper;
};

// Searches until the lower bound is at least `far`, or the upper one below `near`. Returns the direction of
// the lower bound.
static struct scree_vec3 search(const struct scree_convex_place *place, double near, double far,
                                struct bounds *bounds)
{
    const struct scree_convex *a = place->a->shape, *b = place->b->shape;
    const double least = 0x1p-48 * place->size;
    const bool apart = scree_vec3_norm(place->shift) > least;
    const struct scree_vec3 centres = apart ? scree_vec3_normalise(place->shift) : scree_vec3_make(1, 0, 0);
    struct simplex simplex = {.count = 0};
    struct scree_vec3 v = centres, best = centres;
    double upper = (double)INFINITY, lower = -(double)INFINITY;
    uint32_t start[2] = {0, 0};
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        const struct scree_convex_extent extent = scree_convex_extent(place, v, start);
        if (extent.b - extent.a > lower) {
            lower = extent.b - extent.a;
            best = v;
        }
        bounds->lower = lower;
        if (lower >= far || contains(&simplex, extent.vertex) ||
            (round > 0 && upper - lower <= 0x1p-50 * upper))
            break;
        start[0] = extent.vertex[0];
        start[1] = extent.vertex[1];
        simplex.vertex[simplex.count][0] = extent.vertex[0];
        simplex.vertex[simplex.count][1] = extent.vertex[1];
        simplex.point[simplex.count++] = scree_vec3_sub(
            scree_convex_from_b(place, b->vertex[extent.vertex[1]]), a->vertex[extent.vertex[0]]);
        v = reduce(&simplex);
        const double length = scree_vec3_norm(v);
        if (simplex.count == 4 || length <= least) {
            bounds->upper = 0;
            return lower > 0 ? best : centres;
        }
        if (!(length < upper))
            break;
        upper = length;
        v = scree_vec3_scale(v, 1 / length);
        if (upper < near)
            break;
    }
    bounds->upper = upper;
    return best;
}

struct scree_vec3 scree_convex_separate(const struct scree_convex_place *place, double *gap)
{
    struct bounds bounds;
    const struct scree_vec3 axis = search(place, 0, (double)INFINITY, &bounds);
    *gap = bounds.upper;
    return axis;
}

bool scree_convex_are_apart(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    const struct scree_convex_place place = scree_convex_place(a, b);
    const double wanted = place.reach + 0x1p-40 * place.size;
    struct bounds bounds;
    search(&place, wanted, wanted, &bounds);
    return bounds.lower >= wanted;
}
