// Voronoi cells in the plane and in convex bodies. References: areas and volumes in closed form, and the
// bisector of each pair of points, of which all other points and the sides of the domain cut away a part.

#include "convex/hull.h"
#include "convex/pair.h"
#include "convex/voronoi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 120 };

static struct scree_vec3 point[CELLS];
static struct scree_convex shape[CELLS];

static void free_cells(void)
{
    for (int n = 0; n < CELLS; ++n)
        scree_convex_free(&shape[n]);
}

// Makes the cells of a domain, or of a square of edge 1 m without one.
static struct scree_convex_voronoi make(int dimension, const struct scree_convex *domain, double gap)
{
    struct scree_convex_voronoi def = {
        .upper = {1, 1, 0}, .domain = domain, .gap = gap, .point = point, .points = CELLS};
    def.dimension = dimension;
    if (domain) {
        def.lower = domain->lower;
        def.upper = domain->upper;
    }
    assert_int_equal(scree_convex_voronoi_points(&def, 5, point), SCREE_OK);
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_OK);
    return def;
}

static struct scree_convex pentagon(void)
{
    static const struct scree_vec3 corner[5] = {
        {3, -2, 0}, {4.5, -1.5, 0}, {4.2, 0.3, 0}, {3.4, 0.5, 0}, {2.6, -0.9, 0}};
    struct scree_convex domain;
    assert_int_equal(scree_convex_hull(2, corner, 5, 0, &domain), SCREE_OK);
    return domain;
}

static double area_of(const struct scree_convex *polygon)
{
    double twice = 0;
    for (uint32_t f = 0; f < polygon->faces; ++f) {
        const uint32_t *corner = polygon->corner + polygon->face[f].first;
        const struct scree_vec3 a = polygon->vertex[corner[0]], b = polygon->vertex[corner[1]];
        twice += a.x * b.y - a.y * b.x;
    }
    return 0.5 * twice;
}

// --- the plane

// Cuts off the part of [from, to] on the line p + s t where n x > offset.
static void cut(struct scree_vec3 p, struct scree_vec3 t, struct scree_vec3 n, double offset, double part[2])
{
    const double rate = scree_vec3_dot(n, t), left = offset - scree_vec3_dot(n, p);
    if (rate > 0 && left / rate < part[1])
        part[1] = left / rate;
    if (rate < 0 && left / rate > part[0])
        part[0] = left / rate;
}

// The length of the part of the bisector of two points whose points are nearest to these two.
static double common_side(const struct scree_convex_voronoi *def, int a, int b)
{
    const struct scree_vec3 line = scree_vec3_sub(point[b], point[a]),
                            middle = scree_vec3_scale(scree_vec3_add(point[a], point[b]), 0.5),
                            along = scree_vec3_normalise(scree_vec3_make(-line.y, line.x, 0));
    const double corner[4][3] = {
        {-1, 0, -def->lower.x}, {1, 0, def->upper.x}, {0, -1, -def->lower.y}, {0, 1, def->upper.y}};
    double part[2] = {-10, 10};
    for (int c = 0; c < CELLS; ++c) {
        const struct scree_vec3 to = scree_vec3_sub(point[c], point[a]);
        const double half = 0.5 * (scree_vec3_norm_squared(point[c]) - scree_vec3_norm_squared(point[a]));
        if (c != a && c != b)
            cut(middle, along, to, half, part);
    }
    for (int k = 0; k < 4; ++k)
        cut(middle, along, scree_vec3_make(corner[k][0], corner[k][1], 0), corner[k][2], part);
    for (uint32_t f = 0; def->domain && f < def->domain->faces; ++f)
        cut(middle, along, def->domain->face[f].normal, def->domain->face[f].offset, part);
    return part[1] - part[0];
}

// The length of the side of cell a towards b, 0 without one.
static double side_of(int a, int b)
{
    const struct scree_vec3 line = scree_vec3_sub(point[b], point[a]);
    const double distance = scree_vec3_norm(line);
    for (uint32_t f = 0; f < shape[a].faces; ++f) {
        const struct scree_convex_face *face = &shape[a].face[f];
        const uint32_t *corner = shape[a].corner + face->first;
        if (fabs(scree_vec3_dot(face->normal, line) - distance) < 1e-9 * distance &&
            fabs(face->offset - 0.5 * distance) < 1e-9)
            return scree_vec3_norm(scree_vec3_sub(shape[a].vertex[corner[1]], shape[a].vertex[corner[0]]));
    }
    return 0;
}

// Vertices have a few round-offs of 5 m, which grow where sides meet at small angles, and with random points
// some are below 0.01. Sides are longer than 1e-6 m.
static void cells_have_their_sides_with_their_neighbours(void **state)
{
    (void)state;
    struct scree_convex body = pentagon();
    for (int polygon = 0; polygon < 2; ++polygon) {
        const struct scree_convex_voronoi def = make(2, polygon ? &body : NULL, 0);
        size_t neighbours = 0;
        for (int a = 0; a < CELLS; ++a)
            for (int b = 0; b < CELLS; ++b) {
                if (a == b)
                    continue;
                const double expected = common_side(&def, a, b), side = side_of(a, b);
                assert_true(fabs(expected) > 1e-6);
                if (!(fabs(side - (expected > 0 ? expected : 0)) < 1e-12))
                    fail_msg("cells %d and %d: side %g, not %g", a, b, side, expected);
                neighbours += side > 0;
            }
        // about 6 each without the boundary
        assert_true(neighbours > 4 * CELLS && neighbours < 6 * CELLS);
        free_cells();
    }
    scree_convex_free(&body);
}

// Each area has some round-offs of the domain, and each is used once.
static void areas_of_cells_sum_to_that_of_the_domain(void **state)
{
    (void)state;
    struct scree_convex body = pentagon();
    for (int polygon = 0; polygon < 2; ++polygon) {
        double sum = 0;
        (void)make(2, polygon ? &body : NULL, 0);
        for (int n = 0; n < CELLS; ++n) {
            assert_true(area_of(&shape[n]) > 0);
            sum += area_of(&shape[n]);
        }
        // half the sum of x_i y_j - x_j y_i over the sides
        const double area = polygon ? 0.5 * (4.5 + 7.65 + 1.08 - 4.36 - 2.5) : 1;
        if (!(fabs(sum - area) < 1e-13 * area))
            fail_msg("areas of %.17g, not %.17g", sum, area);
        free_cells();
    }
    scree_convex_free(&body);
}

// A strip far narrower than the distance of its points: all sides lie across it.
static void cells_fill_a_narrow_strip(void **state)
{
    (void)state;
    struct scree_convex_voronoi def = {
        .upper = {1, 1e-9, 0}, .point = point, .points = CELLS, .dimension = 2};
    double sum = 0;
    assert_int_equal(scree_convex_voronoi_points(&def, 5, point), SCREE_OK);
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_OK);
    for (int n = 0; n < CELLS; ++n)
        sum += area_of(&shape[n]);
    assert_true(fabs(sum - 1e-9) < 1e-13 * 1e-9);
    free_cells();
}

static void joints_have_their_width(void **state)
{
    (void)state;
    struct scree_convex body = pentagon();
    const double gap = 1e-4;
    (void)make(2, &body, gap);
    double least = 1;
    for (int a = 0; a < CELLS; ++a)
        for (int b = 0; b < a; ++b) {
            const struct scree_convex_body one = {&shape[a], point[a], scree_mat3_identity(), 0},
                                           other = {&shape[b], point[b], scree_mat3_identity(), 0};
            least = scree_real_min(least, scree_convex_distance(&one, &other).gap);
        }
    assert_true(fabs(least - gap) < 1e-13);
    free_cells();
    scree_convex_free(&body);
}

// --- convex bodies

static double volume_of(const struct scree_convex *body)
{
    double volume = 0;
    for (uint32_t f = 0; f < body->faces; ++f) {
        const struct scree_convex_face *face = &body->face[f];
        const struct scree_vec3 a = body->vertex[body->corner[face->first]];
        for (uint32_t k = 1; k + 1 < face->corners; ++k)
            volume += scree_vec3_dot(a, scree_vec3_cross(body->vertex[body->corner[face->first + k]],
                                                         body->vertex[body->corner[face->first + k + 1]])) /
                      6;
    }
    return volume;
}

// A tetrahedron of 1/6 of its box.
static void cells_fill_a_convex_body(void **state)
{
    (void)state;
    static const struct scree_vec3 corner[4] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {1, 1, 4}};
    struct scree_convex body;
    double sum = 0;
    assert_int_equal(scree_convex_hull(3, corner, 4, 0, &body), SCREE_OK);
    (void)make(3, &body, 0);
    for (int n = 0; n < CELLS; ++n)
        sum += volume_of(&shape[n]);
    assert_true(fabs(sum - 1) < 1e-13);
    free_cells();
    scree_convex_free(&body);
}

// --- points and refusals

static void a_point_depends_on_seed_and_number_only(void **state)
{
    (void)state;
    struct scree_convex body = pentagon();
    struct scree_vec3 few[10], others[10];
    struct scree_convex_voronoi def = make(2, &body, 0);
    free_cells();
    def.points = 10;
    assert_int_equal(scree_convex_voronoi_points(&def, 5, few), SCREE_OK);
    assert_int_equal(scree_convex_voronoi_points(&def, 6, others), SCREE_OK);
    assert_memory_equal(few, point, sizeof few);
    for (int n = 0; n < 10; ++n)
        assert_true(few[n].x != others[n].x && few[n].y != others[n].y && few[n].z == 0);
    scree_convex_free(&body);
}

static void points_beyond_the_domain_are_refused(void **state)
{
    (void)state;
    struct scree_convex body = pentagon();
    struct scree_convex_voronoi def = make(2, &body, 0);
    free_cells();
    // in the box, beyond a side
    point[3] = scree_vec3_make(2.61, -1.99, 0);
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(
        strstr(scree_status_message(), "point 3 of a Voronoi diagram must be inside of the domain"));
    def.domain = NULL;
    def.upper.z = 1;
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "an area, in the plane z = 0"));
    scree_convex_free(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_have_their_sides_with_their_neighbours),
        cmocka_unit_test(areas_of_cells_sum_to_that_of_the_domain),
        cmocka_unit_test(cells_fill_a_narrow_strip),
        cmocka_unit_test(joints_have_their_width),
        cmocka_unit_test(cells_fill_a_convex_body),
        cmocka_unit_test(a_point_depends_on_seed_and_number_only),
        cmocka_unit_test(points_beyond_the_domain_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
