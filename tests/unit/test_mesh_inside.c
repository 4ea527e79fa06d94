// The inside of closed surfaces: points against the solid angle of the surface around them, volumes, and
// paths against points and closed forms.

#include "mesh/inside.h"
#include "mesh/make.h"
#include "support/splitmix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4000, AROUND = 40, ACROSS = 16 };
static double corner[MOST][3][3];
static size_t facets;

static void add_facet(const double *a, const double *b, const double *c)
{
    assert_true(facets < MOST);
    memcpy(corner[facets][0], a, sizeof corner[0][0]);
    memcpy(corner[facets][1], b, sizeof corner[0][0]);
    memcpy(corner[facets][2], c, sizeof corner[0][0]);
    ++facets;
}

static struct scree_mesh_surface make(void)
{
    struct scree_mesh_surface surface;
    assert_int_equal(scree_mesh_surface_make((const double(*)[3][3])corner, facets, 0, 1, &surface),
                     SCREE_OK);
    return surface;
}

// A cube whose faces have n x n squares, facing outwards or inwards.
static void add_cube(double lower, double upper, int n, bool inwards)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    double at[4][3];
                    for (int c = 0; c < 4; ++c) {
                        const int u = i + (c == 1 || c == 2), v = j + (c > 1);
                        at[c][axis] = side ? upper : lower;
                        at[c][(axis + 1) % 3] = lower + (upper - lower) * u / n;
                        at[c][(axis + 2) % 3] = lower + (upper - lower) * v / n;
                    }
                    const bool turned = (side == 0) != inwards;
                    add_facet(at[0], at[turned ? 2 : 1], at[turned ? 1 : 2]);
                    add_facet(at[0], at[turned ? 3 : 2], at[turned ? 2 : 3]);
                }
}

static void ring_point(int i, int j, double *out)
{
    const double t = 6.283185307179586 * (i % AROUND) / AROUND, p = 6.283185307179586 * (j % ACROSS) / ACROSS;
    const double thick = 0.3 + 0.1 * sin(3 * t), radius = 1 + thick * cos(p);
    out[0] = radius * cos(t);
    out[1] = radius * sin(t);
    out[2] = thick * sin(p) + 0.2 * cos(2 * t);
}

// A ring with a hole, of varying thickness.
static void add_ring(void)
{
    for (int i = 0; i < AROUND; ++i)
        for (int j = 0; j < ACROSS; ++j) {
            double at[4][3];
            ring_point(i, j, at[0]);
            ring_point(i + 1, j, at[1]);
            ring_point(i + 1, j + 1, at[2]);
            ring_point(i, j + 1, at[3]);
            add_facet(at[0], at[1], at[2]);
            add_facet(at[0], at[2], at[3]);
        }
}

// Solid angle of all facets around a point, over 4 pi (Van Oosterom and Strackee, IEEE Trans. Biomed. Eng.
// 30, 125, 1983): 1 inside, 0 outside.
static double winding(struct scree_vec3 p)
{
    double sum = 0;
    for (size_t f = 0; f < facets; ++f) {
        struct scree_vec3 v[3];
        double length[3];
        for (int k = 0; k < 3; ++k) {
            v[k] = scree_vec3_sub(scree_vec3_load(corner[f][k]), p);
            length[k] = scree_vec3_norm(v[k]);
        }
        const double below = length[0] * length[1] * length[2] + scree_vec3_dot(v[0], v[1]) * length[2] +
                             scree_vec3_dot(v[1], v[2]) * length[0] + scree_vec3_dot(v[2], v[0]) * length[1];
        sum += 2 * atan2(scree_vec3_dot(v[0], scree_vec3_cross(v[1], v[2])), below);
    }
    return sum / (4 * 3.141592653589793);
}

// Rays from points of a lattice run through edges and vertices of the cube, and the points are in the planes
// of its faces.
static void points_in_line_with_edges_and_vertices_are_inside_or_outside(void **state)
{
    (void)state;
    facets = 0;
    add_cube(0, 1, 4, false);
    struct scree_mesh_surface surface = make();
    assert_true(scree_mesh_is_closed(&surface));
    for (int x = -2; x <= 10; ++x)
        for (int y = -2; y <= 10; ++y)
            for (int z = -2; z <= 10; ++z) {
                const bool inside = x > 0 && x < 8 && y > 0 && y < 8 && z > 0 && z < 8;
                const bool outside = x < 0 || x > 8 || y < 0 || y > 8 || z < 0 || z > 8;
                const struct scree_vec3 point = scree_vec3_make(x / 8.0, y / 8.0, z / 8.0);
                if (inside || outside)
                    assert_int_equal(scree_mesh_contains(&surface, point), inside);
            }
    scree_mesh_surface_free(&surface);
}

static struct scree_vec3 random_point(uint64_t *seed, double size)
{
    const double x = splitmix_signed(seed), y = splitmix_signed(seed), z = splitmix_signed(seed);
    return scree_vec3_make(size * x, size * y, 0.5 * size * z);
}

static void points_of_a_ring_agree_with_the_solid_angle(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int inside = 0;
    facets = 0;
    add_ring();
    struct scree_mesh_surface surface = make();
    assert_true(scree_mesh_is_closed(&surface));
    for (int n = 0; n < 4000; ++n) {
        const struct scree_vec3 point = random_point(&seed, 1.5);
        const double expected = winding(point);
        assert_true(fabs(expected - (expected > 0.5)) < 1e-9);
        assert_int_equal(scree_mesh_contains(&surface, point), expected > 0.5);
        inside += expected > 0.5;
    }
    assert_true(inside > 200 && inside < 3800);
    scree_mesh_surface_free(&surface);
}

static void volumes_and_cavities(void **state)
{
    (void)state;
    facets = 0;
    add_cube(0, 1, 3, false);
    add_cube(0.25, 0.75, 2, true);
    struct scree_mesh_surface surface = make();
    assert_true(scree_mesh_is_closed(&surface));
    // 132 determinants of numbers up to 1, rounded to 2^-53 in eight operations
    assert_true(fabs(scree_mesh_volume(&surface) - (1 - 0.125)) < 132 * 8 * 0x1p-53);
    assert_true(scree_mesh_contains(&surface, scree_vec3_make(0.1, 0.5, 0.5)));
    assert_false(scree_mesh_contains(&surface, scree_vec3_make(0.5, 0.5, 0.5)));
    scree_mesh_surface_free(&surface);
    --facets;
    surface = make();
    assert_false(scree_mesh_is_closed(&surface));
    scree_mesh_surface_free(&surface);
    // one facet is turned over
    facets = 0;
    add_cube(0, 1, 1, false);
    double first[3];
    memcpy(first, corner[5][0], sizeof first);
    memcpy(corner[5][0], corner[5][1], sizeof first);
    memcpy(corner[5][1], first, sizeof first);
    surface = make();
    assert_false(scree_mesh_is_closed(&surface));
    scree_mesh_surface_free(&surface);
}

// --- paths

struct crossings {
    int out, in;
    double sum; // of the fractions where the path leaves, minus those where it enters
};

static void add_crossing(void *context, double fraction, bool along)
{
    struct crossings *crossings = (struct crossings *)context;
    assert_true(fraction >= 0 && fraction <= 1);
    *(along ? &crossings->out : &crossings->in) += 1;
    crossings->sum += along ? fraction : -fraction;
}

// Of each two points on a path with corners at random, the number of times that the path leaves and enters in
// between says which of them is inside.
static void a_path_crosses_as_often_as_its_ends_demand(void **state)
{
    (void)state;
    uint64_t seed = 2;
    struct crossings crossings = {0};
    facets = 0;
    add_ring();
    struct scree_mesh_surface surface = make();
    struct scree_vec3 from = scree_vec3_make(9, 9, 9);
    for (int n = 0; n < 4000; ++n) {
        const struct scree_vec3 to = random_point(&seed, 1.5);
        scree_mesh_visit_crossings(&surface, from, to, add_crossing, &crossings);
        assert_int_equal(crossings.in - crossings.out, scree_mesh_contains(&surface, to));
        from = to;
    }
    assert_true(crossings.out > 2000);
    scree_mesh_surface_free(&surface);
}

// Steps from a lattice point to a neighbour, through a cube that has its faces in planes of the lattice:
// corners of the path are on facets, edges and vertices.
static void no_crossing_is_lost_where_a_path_has_a_corner_on_the_surface(void **state)
{
    (void)state;
    facets = 0;
    add_cube(-1, 1, 2, false);
    struct scree_mesh_surface surface = make();
    for (int walk = 0; walk < 200; ++walk) {
        struct crossings crossings = {0};
        double at[3] = {-3, 0.5 * (walk % 9) - 2.25, 0.5 * (walk / 9 % 9) - 2.25};
        for (int step = 0; step < 14; ++step) {
            // always along one axis, so that the path is nowhere in a face or an edge
            const double next[3] = {at[0] + 0.5, at[1], at[2]};
            scree_mesh_visit_crossings(&surface, scree_vec3_load(at), scree_vec3_load(next), add_crossing,
                                       &crossings);
            memcpy(at, next, sizeof at);
        }
        const bool through = fabs(at[1]) < 1 && fabs(at[2]) < 1;
        assert_int_equal(crossings.in, through);
        assert_int_equal(crossings.out, through);
    }
    scree_mesh_surface_free(&surface);
}

// The share of a random segment inside of a cube, by clipping it to three slabs. Each has a few roundings of
// numbers up to 6, over slopes of at least 1e-3.
static void the_share_of_a_segment_inside_follows_from_its_crossings(void **state)
{
    (void)state;
    uint64_t seed = 4;
    int partly = 0;
    facets = 0;
    add_cube(-1, 1, 5, false);
    struct scree_mesh_surface surface = make();
    for (int n = 0; n < 3000; ++n) {
        struct crossings crossings = {0};
        double from[3], to[3], first = 0, last = 1;
        scree_vec3_store(random_point(&seed, 3), from);
        scree_vec3_store(random_point(&seed, 3), to);
        bool flat = false;
        for (int k = 0; k < 3; ++k) {
            const double slope = to[k] - from[k], a = (-1 - from[k]) / slope, b = (1 - from[k]) / slope;
            flat = flat || fabs(slope) < 1e-3;
            first = fmax(first, fmin(a, b));
            last = fmin(last, fmax(a, b));
        }
        if (flat)
            continue;
        const double expected = last > first ? last - first : 0;
        scree_mesh_visit_crossings(&surface, scree_vec3_load(from), scree_vec3_load(to), add_crossing,
                                   &crossings);
        const double share = scree_mesh_contains(&surface, scree_vec3_load(to)) + crossings.sum;
        assert_true(fabs(share - expected) < 1e-12);
        partly += expected > 0 && expected < 1;
    }
    assert_true(partly > 300);
    scree_mesh_surface_free(&surface);
}

// --- thickness

// Opposite faces of a cube are apart by its edge, for both orientations. With a cube in it as a hollow, all
// outer faces and the inner ones have the thickness of the shell. Coordinates are multiples of 1/8 and
// centres of facets thirds of them, so round-off is below 1e-14.
static void cubes_and_shells_are_as_thick_as_their_walls(void **state)
{
    (void)state;
    for (int n = 0; n < 4; ++n) {
        facets = 0;
        add_cube(-1, 1, 5, n % 2 > 0);
        if (n >= 2)
            add_cube(-0.75, 0.75, 3, n % 2 == 0);
        struct scree_mesh_surface surface = make();
        assert_int_equal(scree_mesh_find_thickness(&surface), SCREE_OK);
        for (uint32_t f = 0; f < surface.facets; ++f) {
            // outside, beside the hollow, the matter goes on to the other side; the hollow has 6 * 2 * 9
            // facets
            const double t = surface.thickness[f];
            const bool of_hollow = n >= 2 && f >= surface.facets - 108;
            assert_true(fabs(t - 0.25) < 1e-14 ? n >= 2 : fabs(t - 2) < 1e-14 && !of_hollow);
        }
        assert_true(fabs(surface.thinnest - (n < 2 ? 2 : 0.25)) < 1e-14);
        scree_mesh_surface_free(&surface);
    }
}

// The faces of a wedge are opposite if the angle between them is below 30 degrees. Then the thickness at
// the distance s from the edge, along the normal, is s tan a, for the angle a.
static void faces_of_a_wedge_are_opposite_below_thirty_degrees(void **state)
{
    (void)state;
    for (int n = 0; n < 2; ++n) {
        const double angle = (n == 0 ? 29 : 31) * 0.017453292519943295, s = sin(angle), c = cos(angle);
        const double a[2][3] = {{0, 0, 0}, {0, 1, 0}}, b[2][3] = {{1, 0, 0}, {1, 1, 0}},
                     d[2][3] = {{c, 0, s}, {c, 1, s}};
        facets = 0;
        add_facet(a[0], b[1], b[0]);
        add_facet(a[0], a[1], b[1]);
        add_facet(a[0], d[0], d[1]);
        add_facet(a[0], d[1], a[1]);
        add_facet(b[0], b[1], d[1]);
        add_facet(b[0], d[1], d[0]);
        add_facet(a[0], b[0], d[0]);
        add_facet(a[1], d[1], b[1]);
        struct scree_mesh_surface surface = make();
        assert_int_equal(scree_mesh_find_thickness(&surface), SCREE_OK);
        for (uint32_t f = 0; f < 4; ++f) {
            const double centre = (f == 0 || f == 2 ? 2.0 : 1.0) / 3, t = surface.thickness[f];
            assert_true(n == 0 ? fabs(t - centre * tan(angle)) < 1e-14 : t > 1e300);
        }
        scree_mesh_surface_free(&surface);
    }
}

static void a_surface_that_is_not_closed_has_no_thickness(void **state)
{
    (void)state;
    facets = 0;
    add_cube(-1, 1, 2, false);
    --facets;
    struct scree_mesh_surface surface = make();
    assert_int_equal(scree_mesh_find_thickness(&surface), SCREE_OK);
    assert_true(!surface.thickness && surface.thinnest > 1e300);
    scree_mesh_surface_free(&surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_and_shells_are_as_thick_as_their_walls),
        cmocka_unit_test(faces_of_a_wedge_are_opposite_below_thirty_degrees),
        cmocka_unit_test(a_surface_that_is_not_closed_has_no_thickness),
        cmocka_unit_test(points_in_line_with_edges_and_vertices_are_inside_or_outside),
        cmocka_unit_test(points_of_a_ring_agree_with_the_solid_angle),
        cmocka_unit_test(volumes_and_cavities),
        cmocka_unit_test(a_path_crosses_as_often_as_its_ends_demand),
        cmocka_unit_test(no_crossing_is_lost_where_a_path_has_a_corner_on_the_surface),
        cmocka_unit_test(the_share_of_a_segment_inside_follows_from_its_crossings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
