// The surface of a mesh: contacts of random points against a search of all facets that knows nothing of
// regions, and flat patches of rounded planes.

#include "base/memory.h"
#include "mesh/make.h"
#include "mesh/tree.h"
#include "support/splitmix.h"
#include "support/starve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8000 };
static double corner[MOST][3][3];
static size_t facets;

static void add_facet(const double *a, const double *b, const double *c)
{
    memcpy(corner[facets][0], a, sizeof corner[0][0]);
    memcpy(corner[facets][1], b, sizeof corner[0][0]);
    memcpy(corner[facets][2], c, sizeof corner[0][0]);
    ++facets;
}

static struct scree_mesh_surface make(double error)
{
    struct scree_mesh_surface surface;
    assert_int_equal(scree_mesh_surface_make((const double(*)[3][3])corner, facets, error, 1, &surface),
                     SCREE_OK);
    return surface;
}

// --- contacts

// Distance of a point from a facet, by the smallest of many: the foot on the plane if it is inside, and the
// nearest points of the three sides.
static double distance(const double (*facet)[3], struct scree_vec3 point)
{
    struct scree_vec3 v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = scree_vec3_load(facet[k]);
    const struct scree_vec3 normal =
        scree_vec3_normalise(scree_vec3_cross(scree_vec3_sub(v[1], v[0]), scree_vec3_sub(v[2], v[0])));
    double least = fabs(scree_vec3_dot(normal, scree_vec3_sub(point, v[0])));
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 side = scree_vec3_sub(v[(k + 1) % 3], v[k]);
        if (scree_vec3_dot(scree_vec3_cross(normal, side), scree_vec3_sub(point, v[k])) < 0)
            least = (double)INFINITY;
    }
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 side = scree_vec3_sub(v[(k + 1) % 3], v[k]);
        const double t = scree_vec3_dot(side, scree_vec3_sub(point, v[k])) / scree_vec3_dot(side, side);
        const struct scree_vec3 nearest = scree_vec3_add_scaled(v[k], t < 0 ? 0 : t > 1 ? 1 : t, side);
        const double length = scree_vec3_norm(scree_vec3_sub(point, nearest));
        least = length < least ? length : least;
    }
    return least;
}

// Whether the distance from the whole surface grows or stays in all directions from a point of it, among
// points of a sphere of radius `step` around it on the facets near it.
static bool is_minimum(struct scree_vec3 at, struct scree_vec3 centre, double gap, double step,
                       uint64_t *seed)
{
    for (size_t f = 0; f < facets; ++f) {
        if (distance((const double(*)[3])corner[f], at) > step)
            continue;
        for (int n = 0; n < 200; ++n) {
            double u = 0.5 + 0.5 * splitmix_signed(seed), v = 0.5 + 0.5 * splitmix_signed(seed);
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            double square = 0, away = 0;
            const double p[3] = {centre.x, centre.y, centre.z}, q[3] = {at.x, at.y, at.z};
            for (int k = 0; k < 3; ++k) {
                const double x = (1 - u - v) * corner[f][0][k] + u * corner[f][1][k] + v * corner[f][2][k];
                square += (x - p[k]) * (x - p[k]);
                away += (x - q[k]) * (x - q[k]);
            }
            // a facet is flat, so a nearer point far away means nearer points on the way there
            if (away > 0 && sqrt(square) < gap - 1e-9)
                return false;
        }
    }
    return true;
}

// A dented octahedron with open parts: convex, concave and open edges.
static void make_body(uint64_t *seed)
{
    static const uint32_t octahedron[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                              {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    double v[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    facets = 0;
    for (int n = 0; n < 6; ++n)
        for (int k = 0; k < 3; ++k)
            v[n][k] += 0.2 * splitmix_signed(seed);
    for (int f = 0; f < 8; ++f) {
        double middle[3];
        const uint32_t *n = octahedron[f];
        const double depth = 0.7 + 0.5 * splitmix_signed(seed);
        for (int k = 0; k < 3; ++k)
            middle[k] = depth * (v[n[0]][k] + v[n[1]][k] + v[n[2]][k]) / 3;
        for (int k = 0; k < 3; ++k)
            if (splitmix_signed(seed) > -0.9)
                add_facet(v[n[k]], v[n[(k + 1) % 3]], middle);
    }
}

static void contacts_are_the_local_minima_of_the_distance(void **state)
{
    (void)state;
    uint64_t seed = 3;
    size_t counts[3] = {0};
    for (int body = 0; body < 30; ++body) {
        make_body(&seed);
        struct scree_mesh_surface surface = make(0);
        for (int n = 0; n < 60; ++n) {
            const struct scree_vec3 point = {2 * splitmix_signed(&seed), 2 * splitmix_signed(&seed),
                                             2 * splitmix_signed(&seed)};
            double least = (double)INFINITY, nearest = (double)INFINITY;
            for (uint32_t f = 0; f < facets; ++f) {
                const double expected = distance((const double(*)[3])corner[f], point);
                const int any = scree_mesh_nearest_region(&surface, f, point);
                assert_true(fabs(scree_mesh_region_gap(&surface, f, any, point).gap - expected) < 1e-14);
                least = expected < least ? expected : least;
                const int region = scree_mesh_contact_region(&surface, f, point);
                if (region == SCREE_MESH_NO_CONTACT)
                    continue;
                const struct scree_mesh_gap gap = scree_mesh_region_gap(&surface, f, region, point);
                assert_true(fabs(scree_vec3_norm(gap.normal) - 1) < 1e-14);
                const struct scree_vec3 at = scree_vec3_add_scaled(point, -gap.gap, gap.normal);
                assert_true(is_minimum(at, point, gap.gap, 1e-9, &seed));
                nearest = gap.gap < nearest ? gap.gap : nearest;
                ++counts[region == SCREE_MESH_FACE ? 0 : region < SCREE_MESH_VERTEX ? 1 : 2];
            }
            assert_true(fabs(nearest - least) < 1e-14);
        }
        scree_mesh_surface_free(&surface);
    }
    assert_true(counts[0] > 500 && counts[1] > 500 && counts[2] > 200);
}

// --- the tree

static void queries_find_all_facets_in_range(void **state)
{
    (void)state;
    uint64_t seed = 4;
    facets = 0;
    for (int f = 0; f < 3000; ++f) {
        double v[3][3];
        for (int k = 0; k < 3; ++k) {
            const double at = splitmix_signed(&seed);
            for (int c = 0; c < 3; ++c)
                v[c][k] = at + 0.1 * splitmix_signed(&seed);
        }
        add_facet(v[0], v[1], v[2]);
    }
    struct scree_mesh_surface surface = make(0);
    for (int n = 0; n < 100; ++n) {
        const struct scree_vec3 point = {1.3 * splitmix_signed(&seed), 1.3 * splitmix_signed(&seed),
                                         1.3 * splitmix_signed(&seed)};
        const double range = 0.3 * (1 + splitmix_signed(&seed));
        bool found[3000] = {false};
        struct scree_mesh_query query;
        uint32_t facet;
        scree_mesh_query_begin(&query, &surface, point, range);
        while (scree_mesh_query_next(&query, &facet)) {
            assert_false(found[facet]);
            found[facet] = true;
        }
        for (size_t f = 0; f < facets; ++f) {
            const double away = distance((const double(*)[3])corner[f], point);
            assert_true(fabs(away - range) < 1e-11 || found[f] == (away < range));
        }
    }
    scree_mesh_surface_free(&surface);
}

// --- patches

// A plane through `centre`, divided irregularly and rounded to floats. Returns the largest coordinate.
static double make_plane(uint64_t *seed, double far)
{
    enum { N = 20 };
    static double vertex[N + 1][N + 1][3];
    double u[3], v[3], centre[3], largest = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = splitmix_signed(seed);
        v[k] = splitmix_signed(seed);
        centre[k] = far * splitmix_signed(seed);
    }
    for (int i = 0; i <= N; ++i)
        for (int j = 0; j <= N; ++j) {
            const double a = i + 0.15 * splitmix_signed(seed), b = 0.1 * (j + 0.15 * splitmix_signed(seed));
            for (int k = 0; k < 3; ++k) {
                vertex[i][j][k] = (double)(float)(centre[k] + a * u[k] + b * v[k]);
                largest = fabs(vertex[i][j][k]) > largest ? fabs(vertex[i][j][k]) : largest;
            }
        }
    facets = 0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            add_facet(vertex[i][j], vertex[i + 1][j], vertex[i + 1][j + 1]);
            add_facet(vertex[i][j + 1], vertex[i][j], vertex[i + 1][j + 1]);
        }
    return largest;
}

static size_t patches_of(double error)
{
    struct scree_mesh_surface surface = make(error);
    size_t count = 0;
    for (size_t f = 0; f < facets; ++f)
        count += surface.facet[f].patch == f;
    scree_mesh_surface_free(&surface);
    return count;
}

static void rounded_planes_are_one_patch(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 40; ++n) {
        const double largest = make_plane(&seed, n % 2 ? 100 : 1);
        // half a unit in the last place of a float
        assert_int_equal(patches_of(largest * 0x1p-24), 1);
        // with the accuracy of doubles its facets are not in a plane
        assert_true(patches_of(0) > facets / 4);
    }
}

// 2,000 strips, rounded to floats: the corners of the next strip are 2 pi w / 2000 = 1e-5 off the plane.
static void a_finely_divided_cylinder_is_not_flat(void **state)
{
    (void)state;
    enum { STRIPS = 2000 };
    facets = 0;
    for (int s = 0; s < STRIPS; ++s) {
        double v[4][3];
        for (int k = 0; k < 4; ++k) {
            const double angle = 6.283185307179586 * (s + k % 2) / STRIPS;
            v[k][0] = (double)(float)cos(angle);
            v[k][1] = (double)(float)sin(angle);
            v[k][2] = k / 2;
        }
        add_facet(v[0], v[1], v[2]);
        add_facet(v[1], v[3], v[2]);
    }
    assert_int_equal(patches_of(0x1p-24), STRIPS);
}

static void folded_facets_are_two_patches(void **state)
{
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0}, d[3] = {1, 1, 0}, e[3] = {1, -1, 0};
    facets = 0;
    add_facet(a, b, c);
    add_facet(a, b, d);
    assert_int_equal(patches_of(0), 2);
    facets = 1;
    add_facet(a, b, e);
    assert_int_equal(patches_of(0), 1);
}

// --- failures

static scree_status make_and_free(void *user)
{
    struct scree_mesh_surface surface;
    (void)user;
    const scree_status status =
        scree_mesh_surface_make((const double(*)[3][3])corner, facets, 0, 1, &surface);
    scree_mesh_surface_free(&surface);
    return status;
}

static void facets_without_area_are_refused(void **state)
{
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {2, 0, 0}, d[3] = {0, 1, 0};
    facets = 0;
    add_facet(a, b, d);
    add_facet(a, b, c);
    assert_int_equal(make_and_free(NULL), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "facet 1 of a mesh has no area"));
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    uint64_t seed = 6;
    make_body(&seed);
    assert_true(scree_starve(make_and_free, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_the_local_minima_of_the_distance),
        cmocka_unit_test(queries_find_all_facets_in_range),
        cmocka_unit_test(rounded_planes_are_one_patch),
        cmocka_unit_test(a_finely_divided_cylinder_is_not_flat),
        cmocka_unit_test(folded_facets_are_two_patches),
        cmocka_unit_test(facets_without_area_are_refused),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
