// Mass properties of convex bodies: Platonic solids and rounded boxes in closed form, and sums along lines.

#include "convex/hull.h"
#include "convex/library.h"
#include "convex/point.h"
#include "shape/mass_convex.h"
#include "support/convex_pairs.h"
#include "support/splitmix.h"
#include "support/worlds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static void make(enum scree_convex_kind kind, double a, double b, double c, struct scree_convex *shape)
{
    const struct scree_convex_def def = {.kind = kind, .length = {a, b, c}, .sides = 6};
    assert_int_equal(scree_convex_library(&def, shape), SCREE_OK);
}

// Volume, and moment of inertia over the mass, of solids of edge 1, with the golden ratio g.
static void platonic_solids_have_their_closed_forms(void **state)
{
    (void)state;
    const double g = (1 + sqrt(5)) / 2;
    const struct {
        enum scree_convex_kind kind;
        double volume, inertia;
    } solid[] = {{SCREE_CONVEX_CUBE, 1, 1.0 / 6},
                 {SCREE_CONVEX_TETRAHEDRON, sqrt(2) / 12, 1.0 / 20},
                 {SCREE_CONVEX_OCTAHEDRON, sqrt(2) / 3, 1.0 / 10},
                 {SCREE_CONVEX_DODECAHEDRON, (15 + 7 * sqrt(5)) / 4, (39 * g + 28) / 150},
                 {SCREE_CONVEX_ICOSAHEDRON, 5 * (3 + sqrt(5)) / 12, g * g / 10}};
    for (size_t n = 0; n < sizeof solid / sizeof solid[0]; ++n) {
        struct scree_convex shape;
        struct scree_shape_mass mass;
        const double edge = 3;
        make(solid[n].kind, edge, 0, 0, &shape);
        assert_int_equal(scree_shape_mass_convex(&shape, 0, &mass), SCREE_OK);
        const double volume = edge * edge * edge * solid[n].volume, inertia = edge * edge * solid[n].inertia;
        // the bound, and a few round-offs of the corners and of the closed form
        scree_test_near(mass.value.volume, volume, mass.error.volume + 1e-14 * volume);
        for (int k = 0; k < 3; ++k) {
            scree_test_near(mass.value.centre[k], 0, mass.error.centre[k] + 1e-14);
            scree_test_near(mass.value.inertia[k], inertia, mass.error.inertia[k] + 1e-14 * inertia);
            scree_test_near(mass.value.inertia[3 + k], 0, mass.error.inertia[3 + k] + 1e-14 * inertia);
        }
        assert_true(mass.error.volume < 1e-11 * volume && mass.error.inertia[0] < 1e-11 * inertia);
        scree_convex_free(&shape);
    }
}

// A rounded box: the box, six slabs, twelve quarters of cylinders, and eight eighths of a ball. About the
// middle, the second moments along x follow from those of each piece.
static void rounded_boxes_have_their_closed_form(void **state)
{
    (void)state;
    const double a = 2, b = 1, c = 0.5, r = 0.3;
    struct scree_convex shape;
    struct scree_shape_mass mass;
    make(SCREE_CONVEX_BOX, a, b, c, &shape);
    const struct scree_vec3 away = {0.2, -0.1, 0.4};
    scree_convex_recentre(&shape, scree_vec3_negate(away));
    assert_int_equal(scree_shape_mass_convex(&shape, r, &mass), SCREE_OK);
    const double volume =
        a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4 * pi / 3 * r * r * r;
    const double edge[3] = {a, b, c};
    double second[3];
    for (int k = 0; k < 3; ++k) {
        const double x = edge[k], h = x / 2, y = edge[(k + 1) % 3], z = edge[(k + 2) % 3];
        // pieces as long as the box along x, and pieces at its ends: (h + t)^2 over slabs, half cylinders,
        // balls
        const double across = y * z + 2 * r * (y + z) + pi * r * r;
        const double slab = 2 * y * z * (h * h * r + h * r * r + r * r * r / 3);
        const double cylinder =
            (y + z) * (pi * r * r * h * h + 2 * h * 4 * r * r * r / 3 + pi * r * r * r * r / 4);
        const double ball =
            4 * pi / 3 * r * r * r * h * h + 2 * h * pi * r * r * r * r / 2 + 4 * pi / 15 * r * r * r * r * r;
        second[k] = across * x * x * x / 12 + slab + cylinder + ball;
    }
    scree_test_near(mass.value.volume, volume, mass.error.volume);
    const double place[3] = {away.x, away.y, away.z};
    for (int k = 0; k < 3; ++k) {
        scree_test_near(mass.value.centre[k], place[k], mass.error.centre[k] + 1e-15);
        scree_test_near(mass.value.inertia[k], (second[(k + 1) % 3] + second[(k + 2) % 3]) / volume,
                        mass.error.inertia[k]);
        scree_test_near(mass.value.inertia[3 + k], 0, mass.error.inertia[3 + k]);
    }
    assert_true(mass.error.inertia[0] < 1e-10);
    scree_convex_free(&shape);
}

static void a_small_body_with_a_large_radius_is_a_ball(void **state)
{
    (void)state;
    struct scree_convex shape;
    struct scree_shape_mass mass;
    make(SCREE_CONVEX_TETRAHEDRON, 1e-9, 0, 0, &shape);
    assert_int_equal(scree_shape_mass_convex(&shape, 2, &mass), SCREE_OK);
    // the tetrahedron adds a mean width of about its size
    scree_test_near(mass.value.volume, 32 * pi / 3, 1e-7);
    for (int k = 0; k < 3; ++k)
        scree_test_near(mass.value.inertia[k], 1.6, 1e-7);
    scree_convex_free(&shape);
}

static void rounded_polygons_have_their_closed_form(void **state)
{
    (void)state;
    struct scree_convex shape;
    struct scree_shape_mass mass;
    const double a = 2, b = 1, r = 0.25;
    make(SCREE_CONVEX_RECTANGLE, a, b, 0, &shape);
    assert_int_equal(scree_shape_mass_convex(&shape, r, &mass), SCREE_OK);
    const double area = a * b + 2 * r * (a + b) + pi * r * r;
    scree_test_near(mass.value.volume, area, mass.error.volume);
    double second = 0;
    for (int k = 0; k < 2; ++k) {
        const double x = k == 0 ? a : b, y = k == 0 ? b : a, h = x / 2;
        second += (y + 2 * r) * x * x * x / 12 + 2 * y * (h * h * r + h * r * r + r * r * r / 3) +
                  pi * r * r * h * h + 2 * h * 4 * r * r * r / 3 + pi * r * r * r * r / 4;
    }
    scree_test_near(mass.value.inertia[2], second / area, mass.error.inertia[2]);
    scree_convex_free(&shape);
}

// The inside of a rounded body along a line through it, by bisection of its distance.
static bool line_of(const struct scree_convex *shape, double rounding, double x, double y, double out[2])
{
    double inside = 0, least = (double)INFINITY;
    for (int n = 0; n <= 40; ++n) {
        const double z = -1 + n / 20.0;
        const double gap = scree_convex_point(shape, scree_vec3_make(x, y, z), (double)INFINITY).gap;
        if (gap < least) {
            least = gap;
            inside = z;
        }
    }
    // the distance of a convex body is convex along a line: the lowest place is beside the lowest of these
    double low = inside - 0.05, high = inside + 0.05;
    for (int n = 0; n < 60; ++n) {
        const double p = low + (high - low) / 3, q = high - (high - low) / 3;
        if (scree_convex_point(shape, scree_vec3_make(x, y, p), (double)INFINITY).gap <
            scree_convex_point(shape, scree_vec3_make(x, y, q), (double)INFINITY).gap)
            high = q;
        else
            low = p;
    }
    inside = 0.5 * (low + high);
    if (scree_convex_point(shape, scree_vec3_make(x, y, inside), (double)INFINITY).gap >= rounding)
        return false;
    for (int side = 0; side < 2; ++side) {
        double in = inside, outside = side == 0 ? -2 : 2;
        for (int n = 0; n < 50; ++n) {
            const double middle = 0.5 * (in + outside);
            if (scree_convex_point(shape, scree_vec3_make(x, y, middle), (double)INFINITY).gap < rounding)
                in = middle;
            else
                outside = middle;
        }
        out[side] = in;
    }
    return true;
}

// Irregular bodies. A sum over lines has an error of the order (line distance)^(3/2), where lines touch the
// smooth surface, below 1e-3 here.
static void irregular_rounded_bodies_agree_with_sums_along_lines(void **state)
{
    (void)state;
    enum { LINES = 100 };
    uint64_t seed = 3;
    for (int trial = 0; trial < 3; ++trial) {
        struct scree_vec3 point[6];
        struct scree_convex shape;
        struct scree_shape_mass mass;
        const double rounding = 0.1 * (trial + 1);
        for (int n = 0; n < 6; ++n) {
            const double x = splitmix_signed(&seed), y = splitmix_signed(&seed), z = splitmix_signed(&seed);
            point[n] = scree_vec3_make(0.5 * x, 0.5 * y, 0.5 * z);
        }
        assert_int_equal(scree_convex_hull(3, point, 6, 0, &shape), SCREE_OK);
        assert_int_equal(scree_shape_mass_convex(&shape, rounding, &mass), SCREE_OK);
        double volume = 0, first[3] = {0}, xx = 0, yy = 0, zz = 0, yz = 0, zx = 0, xy = 0;
        const double width = 1.8 / LINES;
        for (int i = 0; i < LINES; ++i)
            for (int j = 0; j < LINES; ++j) {
                const double x = -0.9 + (i + 0.5) * width, y = -0.9 + (j + 0.5) * width;
                double end[2];
                if (!line_of(&shape, rounding, x, y, end))
                    continue;
                const double z = end[1] - end[0], z1 = (end[1] * end[1] - end[0] * end[0]) / 2;
                volume += z;
                first[0] += x * z;
                first[1] += y * z;
                first[2] += z1;
                xx += x * x * z;
                yy += y * y * z;
                zz += (end[1] * end[1] * end[1] - end[0] * end[0] * end[0]) / 3;
                yz += y * z1;
                zx += x * z1;
                xy += x * y * z;
            }
        const double *c = mass.value.centre, *inertia = mass.value.inertia;
        scree_test_near(mass.value.volume, volume * width * width, 1e-3);
        for (int k = 0; k < 3; ++k)
            scree_test_near(c[k], first[k] / volume, 1e-3);
        scree_test_near(inertia[0], (yy + zz) / volume - c[1] * c[1] - c[2] * c[2], 1e-3);
        scree_test_near(inertia[1], (zz + xx) / volume - c[2] * c[2] - c[0] * c[0], 1e-3);
        scree_test_near(inertia[2], (xx + yy) / volume - c[0] * c[0] - c[1] * c[1], 1e-3);
        scree_test_near(inertia[3], c[1] * c[2] - yz / volume, 1e-3);
        scree_test_near(inertia[4], c[2] * c[0] - zx / volume, 1e-3);
        scree_test_near(inertia[5], c[0] * c[1] - xy / volume, 1e-3);
        scree_convex_free(&shape);
    }
}

// Without rounding, and moved away from the origin: as the general mesh of the same triangles.
static void polyhedra_agree_with_meshes(void **state)
{
    (void)state;
    static struct convex_shapes shapes;
    convex_shapes_make(&shapes, 5);
    for (int n = 0; n < CONVEX_SHAPES; ++n) {
        struct scree_convex *shape = &shapes.shape[n];
        double vertex[64][3];
        uint32_t triangle[256][3];
        size_t triangles = 0;
        scree_convex_recentre(shape, scree_vec3_make(1, 2, 3));
        for (uint32_t v = 0; v < shape->vertices; ++v)
            scree_vec3_store(shape->vertex[v], vertex[v]);
        for (uint32_t f = 0; f < shape->faces; ++f)
            for (uint32_t k = 1; k + 1 < shape->face[f].corners; ++k) {
                const uint32_t *corner = &shape->corner[shape->face[f].first];
                triangle[triangles][0] = corner[0];
                triangle[triangles][1] = corner[k];
                triangle[triangles++][2] = corner[k + 1];
            }
        const struct scree_shape_mesh mesh = {(const double(*)[3])vertex, shape->vertices,
                                              (const uint32_t(*)[3])triangle, triangles};
        struct scree_shape_mass mass, other;
        // the thinnest have less volume than the round-off of their place
        if (scree_shape_mass_mesh(&mesh, &other) != SCREE_OK ||
            other.error.volume > 1e-9 * other.value.volume)
            continue;
        assert_int_equal(scree_shape_mass_convex(shape, 0, &mass), SCREE_OK);
        scree_test_near(mass.value.volume, other.value.volume, mass.error.volume + other.error.volume);
        for (int k = 0; k < 3; ++k)
            scree_test_near(mass.value.centre[k], other.value.centre[k],
                            mass.error.centre[k] + other.error.centre[k]);
        for (int k = 0; k < 6; ++k)
            scree_test_near(mass.value.inertia[k], other.value.inertia[k],
                            mass.error.inertia[k] + other.error.inertia[k]);
    }
    convex_shapes_free(&shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platonic_solids_have_their_closed_forms),
        cmocka_unit_test(rounded_boxes_have_their_closed_form),
        cmocka_unit_test(a_small_body_with_a_large_radius_is_a_ball),
        cmocka_unit_test(rounded_polygons_have_their_closed_form),
        cmocka_unit_test(irregular_rounded_bodies_agree_with_sums_along_lines),
        cmocka_unit_test(polyhedra_agree_with_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
