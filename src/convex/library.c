// Library of convex shapes as hulls of their corners, see library.h.

#include "convex/library.h"

#include "convex/hull.h"
#include "math/trigonometry.h"

enum { MOST_POINTS = SCREE_CONVEX_MOST_VERTICES, MOST_SIDES = MOST_POINTS / 2 };

// Corners of a shape that is made.
struct corners {
    struct scree_vec3 point[MOST_POINTS];
    size_t count;
};

static void add(struct corners *corners, double x, double y, double z)
{
    corners->point[corners->count++] = scree_vec3_make(x, y, z);
}

static void add_box(struct corners *corners, double x, double y, double z)
{
    for (int k = 0; k < 8; ++k)
        add(corners, k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
}

// Points (0, +-y, +-z) and those with the axes turned in a circle.
static void add_rectangles(struct corners *corners, double y, double z)
{
    for (int k = 0; k < 4; ++k) {
        const double v = k & 1 ? y : -y, w = k & 2 ? z : -z;
        add(corners, 0, v, w);
        add(corners, v, w, 0);
        add(corners, w, 0, v);
    }
}

static void add_ring(struct corners *corners, uint32_t sides, double radius, double z)
{
    for (uint32_t k = 0; k < sides; ++k) {
        const struct scree_sincos at = scree_sincos(2 * SCREE_PI * k / sides);
        add(corners, radius * at.cos, radius * at.sin, z);
    }
}

static void add_corners(const struct scree_convex_def *def, struct corners *corners)
{
    const double *a = def->length, half = 0.5 * a[0], golden = 0.5 * (1 + sqrt(5));
    switch (def->kind) {
    case SCREE_CONVEX_CUBE:
        add_box(corners, half, half, half);
        break;
    case SCREE_CONVEX_BOX:
        add_box(corners, half, 0.5 * a[1], 0.5 * a[2]);
        break;
    case SCREE_CONVEX_TETRAHEDRON: {
        // every other corner of a cube
        const double c = half * sqrt(0.5);
        add(corners, c, c, c);
        add(corners, c, -c, -c);
        add(corners, -c, c, -c);
        add(corners, -c, -c, c);
        break;
    }
    case SCREE_CONVEX_OCTAHEDRON:
        for (int k = 0; k < 6; ++k) {
            double c[3] = {0};
            c[k / 2] = (k % 2 == 0 ? 1 : -1) * a[0] * sqrt(0.5);
            add(corners, c[0], c[1], c[2]);
        }
        break;
    case SCREE_CONVEX_DODECAHEDRON:
        // a cube whose edges are diagonals of the pentagons, and a roof on each of its faces
        add_box(corners, half * golden, half * golden, half * golden);
        add_rectangles(corners, half, half * golden * golden);
        break;
    case SCREE_CONVEX_ICOSAHEDRON:
        add_rectangles(corners, half, half * golden);
        break;
    case SCREE_CONVEX_PRISM:
        add_ring(corners, def->sides, a[0], -0.5 * a[1]);
        add_ring(corners, def->sides, a[0], 0.5 * a[1]);
        break;
    case SCREE_CONVEX_POLYGON:
        add_ring(corners, def->sides, a[0], 0);
        break;
    case SCREE_CONVEX_RECTANGLE:
        for (int k = 0; k < 4; ++k)
            add(corners, k & 1 ? half : -half, k & 2 ? 0.5 * a[1] : -0.5 * a[1], 0);
        break;
    case SCREE_CONVEX_KINDS:
        break;
    }
}

static scree_status check(const struct scree_convex_def *def)
{
    static const int lengths[SCREE_CONVEX_KINDS] = {1, 3, 1, 1, 1, 1, 2, 1, 2};
    if ((int)def->kind < 0 || def->kind >= SCREE_CONVEX_KINDS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no convex shape with the number %d",
                                 (int)def->kind);
    for (int k = 0; k < lengths[def->kind]; ++k)
        if (!(def->length[k] >= 1e-50 && def->length[k] <= 1e50))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the lengths of a convex shape must be from 1e-50 to 1e50 m, not %g",
                                     def->length[k]);
    if ((def->kind == SCREE_CONVEX_PRISM || def->kind == SCREE_CONVEX_POLYGON) &&
        (def->sides < 3 || def->sides > MOST_SIDES))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a prism or polygon has from 3 to %d sides, not %u",
                                 MOST_SIDES, (unsigned)def->sides);
    return SCREE_OK;
}

scree_status scree_convex_library(const struct scree_convex_def *def, struct scree_convex *shape)
{
    struct corners corners = {.count = 0};
    *shape = (struct scree_convex){0};
    SCREE_TRY(check(def));
    add_corners(def, &corners);
    double size = 0;
    for (size_t n = 0; n < corners.count; ++n)
        size = scree_real_max(size, scree_vec3_norm(corners.point[n]));
    // sines, roots and their products have a few round-offs
    return scree_convex_hull(def->kind < SCREE_CONVEX_POLYGON ? 3 : 2, corners.point, corners.count,
                             8 * 0x1p-53 * size, shape);
}
