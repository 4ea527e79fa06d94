// Convex bodies: hulls against an exhaustive search, the library, cells, and refused input.

#include "convex/cell.h"
#include "convex/hull.h"
#include "convex/library.h"
#include "convex/orient.h"
#include "convex/point.h"
#include "convex/voronoi.h"
#include "support/convex_pairs.h"
#include "support/splitmix.h"
#include "support/starve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct scree_vec3 draw_vector(uint64_t *seed)
{
    const double x = splitmix_signed(seed), y = splitmix_signed(seed), z = splitmix_signed(seed);
    return scree_vec3_make(x, y, z);
}

// --- signs of determinants

// Whole numbers of 20 bits: determinants fit into 64 bits.
static int64_t whole_orient(const int64_t p[4][3])
{
    int64_t d[3][3];
    for (int n = 0; n < 3; ++n)
        for (int k = 0; k < 3; ++k)
            d[n][k] = p[n + 1][k] - p[0][k];
    return d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
           d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
           d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
}

static int sign_of(int64_t x)
{
    return (x > 0) - (x < 0);
}

// Numbers with a common factor that is no power of 2 have rounded differences and products; small whole
// numbers are often in one plane.
static void signs_of_determinants_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int flat = 0;
    for (int n = 0; n < 100000; ++n) {
        int64_t p[4][3];
        struct scree_vec3 v[4];
        const int64_t range = n % 2 == 0 ? 4 : 1 << 19;
        // a shift makes all coordinates large: the first differences are exact, the products not
        const double shift = n % 4 < 2 ? 0 : 0x1p52;
        for (int k = 0; k < 4; ++k) {
            for (int c = 0; c < 3; ++c)
                p[k][c] = (int64_t)(splitmix_next(&seed) % (uint64_t)(2 * range)) - range;
            if (k == 3 && n % 3 == 0) // in the plane of the others
                for (int c = 0; c < 3; ++c)
                    p[3][c] = p[1][c] + p[2][c] - p[0][c];
            v[k] = scree_vec3_make((double)p[k][0] + shift, (double)p[k][1], (double)p[k][2] - shift);
        }
        const int expected = sign_of(whole_orient((const int64_t(*)[3])p));
        assert_int_equal(scree_convex_orient(v[0], v[1], v[2], v[3]), expected);
        assert_int_equal(scree_convex_orient(v[1], v[0], v[2], v[3]), -expected);
        flat += expected == 0;
    }
    assert_true(flat > 30000);
    // one unit in the last place beside the plane of three points that are not exact binary numbers
    const struct scree_vec3 a = {0.1, 0.2, 0.3}, b = {0.7, 0.2, 0.3}, c = {0.1, 0.9, 0.3};
    const double up = scree_real_from_bits(scree_real_bits(0.3) + 1);
    assert_int_equal(scree_convex_orient(a, b, c, scree_vec3_make(12.3, -4.5, 0.3)), 0);
    assert_int_equal(scree_convex_orient(a, b, c, scree_vec3_make(12.3, -4.5, up)), 1);
}

static void signs_in_the_plane_are_exact(void **state)
{
    (void)state;
    // points of the line y = x, one moved by one unit in the last place
    for (int n = 0; n < 1000; ++n) {
        const double x = 0.1 * n, y = 12.7 + 0.3 * n;
        const double a[2] = {x, x}, b[2] = {y, y};
        const double c[2] = {0.5, 0.5}, d[2] = {0.5, scree_real_from_bits(scree_real_bits(0.5) + 1)};
        assert_int_equal(scree_convex_orient_plane(a, b, c), 0);
        assert_int_equal(scree_convex_orient_plane(a, b, d), 1);
        assert_int_equal(scree_convex_orient_plane(b, a, d), -1);
    }
}

// --- hulls

// Whether three points of whole coordinates are not on a line and have all others on one side.
static bool is_supporting(const int64_t (*p)[3], int points, const int at[3])
{
    int above = 0, below = 0;
    for (int n = 0; n < points; ++n) {
        int64_t q[4][3];
        for (int k = 0; k < 4; ++k)
            memcpy(q[k], p[k < 3 ? at[k] : n], sizeof q[k]);
        const int64_t side = whole_orient((const int64_t(*)[3])q);
        above += side > 0;
        below += side < 0;
    }
    // points on a line have no side
    return (above > 0) != (below > 0);
}

static bool is_on_face(const struct scree_convex *shape, const struct scree_vec3 *point, const int at[3])
{
    for (uint32_t f = 0; f < shape->faces; ++f) {
        double off = 0;
        for (int k = 0; k < 3; ++k)
            off += fabs(scree_vec3_dot(shape->face[f].normal, point[at[k]]) - shape->face[f].offset);
        // coordinates below 2^18 with a few round-offs; other planes are farther
        if (off < 1e-9)
            return true;
    }
    return false;
}

// Each triple of points with all others on one side is on a face, and no point is above a face.
static void check_hull(const int64_t (*p)[3], int points)
{
    struct scree_vec3 point[64];
    struct scree_convex shape;
    int found = 0, at[3];
    for (int n = 0; n < points; ++n)
        point[n] = scree_vec3_make((double)p[n][0], (double)p[n][1], (double)p[n][2]);
    const scree_status status = scree_convex_hull(3, point, (size_t)points, 0, &shape);
    for (at[0] = 0; at[0] < points; ++at[0])
        for (at[1] = at[0] + 1; at[1] < points; ++at[1])
            for (at[2] = at[1] + 1; at[2] < points; ++at[2])
                if (is_supporting(p, points, at)) {
                    ++found;
                    assert_int_equal(status, SCREE_OK);
                    assert_true(is_on_face(&shape, point, at));
                }
    if (found == 0) {
        assert_int_equal(status, SCREE_ERROR_ARGUMENT);
        return;
    }
    assert_int_equal(shape.vertices + shape.faces, shape.edges + 2);
    for (uint32_t v = 0; v < shape.vertices; ++v)
        assert_true(shape.neighbour_first[v + 1] >= shape.neighbour_first[v] + 3);
    for (uint32_t f = 0; f < shape.faces; ++f)
        for (int n = 0; n < points; ++n)
            assert_true(scree_vec3_dot(shape.face[f].normal, point[n]) < shape.face[f].offset + 1e-9);
    scree_convex_free(&shape);
}

static void hulls_have_the_faces_of_an_exhaustive_search(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 0; n < 400; ++n) {
        int64_t p[64][3];
        const int points = 4 + (int)(splitmix_next(&seed) % 12);
        // few values: many points in planes, on lines, and equal
        const uint64_t range = n % 3 == 0 ? 3 : n % 3 == 1 ? 8 : 1 << 18;
        for (int k = 0; k < points; ++k)
            for (int c = 0; c < 3; ++c)
                p[k][c] = (int64_t)(splitmix_next(&seed) % range);
        check_hull((const int64_t(*)[3])p, points);
    }
}

static void hulls_in_the_plane_are_anticlockwise(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 2000; ++n) {
        struct scree_vec3 point[20];
        struct scree_convex shape;
        const size_t points = 3 + splitmix_next(&seed) % 17;
        const uint64_t range = n % 2 == 0 ? 4 : 1000;
        for (size_t k = 0; k < points; ++k)
            point[k] = scree_vec3_make((double)(splitmix_next(&seed) % range),
                                       (double)(splitmix_next(&seed) % range), 0);
        if (scree_convex_hull(2, point, points, 0, &shape) != SCREE_OK)
            continue;
        for (uint32_t f = 0; f < shape.faces; ++f) {
            const struct scree_vec3 a = shape.face[f].normal, b = shape.face[(f + 1) % shape.faces].normal;
            assert_true(scree_vec3_cross(a, b).z > 0);
            for (size_t k = 0; k < points; ++k)
                assert_true(scree_vec3_dot(a, point[k]) <= shape.face[f].offset + 1e-12 * (double)range);
        }
        scree_convex_free(&shape);
    }
}

// A box of 9 x 9 x 9 points, rotated and so rounded: six faces of four corners.
static void rounded_points_of_a_plane_make_one_face(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 20; ++trial) {
        struct scree_vec3 point[729];
        struct scree_convex shape;
        const struct scree_mat3 rotation = convex_draw_rotation(&seed);
        const struct scree_vec3 shift = scree_vec3_scale(draw_vector(&seed), trial < 10 ? 1 : 1000);
        for (int n = 0; n < 729; ++n)
            point[n] = scree_vec3_add(
                scree_mat3_apply(rotation, scree_vec3_make(0.1 * (n % 9), 0.3 * (n / 9 % 9), 0.7 * (n / 81))),
                shift);
        // a rotated coordinate has at most six round-offs of the largest one, below 8 + |shift|
        const double error = 6 * 0x1p-53 * (8 + scree_vec3_norm(shift));
        assert_int_equal(scree_convex_hull(3, point, 729, error, &shape), SCREE_OK);
        assert_int_equal(shape.vertices, 8);
        assert_int_equal(shape.faces, 6);
        assert_int_equal(shape.edges, 12);
        scree_convex_free(&shape);
    }
}

// --- library

static void the_library_has_the_platonic_solids(void **state)
{
    (void)state;
    static const struct {
        enum scree_convex_kind kind;
        uint32_t vertices, edges, faces;
    } solid[] = {{SCREE_CONVEX_CUBE, 8, 12, 6},
                 {SCREE_CONVEX_TETRAHEDRON, 4, 6, 4},
                 {SCREE_CONVEX_OCTAHEDRON, 6, 12, 8},
                 {SCREE_CONVEX_DODECAHEDRON, 20, 30, 12},
                 {SCREE_CONVEX_ICOSAHEDRON, 12, 30, 20}};
    for (size_t n = 0; n < sizeof solid / sizeof solid[0]; ++n) {
        struct scree_convex shape;
        const struct scree_convex_def def = {.kind = solid[n].kind, .length = {2}};
        assert_int_equal(scree_convex_library(&def, &shape), SCREE_OK);
        assert_int_equal(shape.vertices, solid[n].vertices);
        assert_int_equal(shape.edges, solid[n].edges);
        assert_int_equal(shape.faces, solid[n].faces);
        for (uint32_t e = 0; e < shape.edges; ++e)
            assert_true(fabs(shape.edge[e].length - 2) < 1e-14);
        scree_convex_free(&shape);
    }
}

static void invalid_shapes_are_refused_by_name(void **state)
{
    (void)state;
    struct scree_convex shape;
    const struct scree_convex_def flat = {.kind = SCREE_CONVEX_BOX, .length = {1, 0, 1}},
                                  two = {.kind = SCREE_CONVEX_PRISM, .length = {1, 1}, .sides = 2};
    assert_int_equal(scree_convex_library(&flat, &shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "lengths"));
    assert_int_equal(scree_convex_library(&two, &shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "sides"));
    const struct scree_vec3 plane[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    assert_int_equal(scree_convex_hull(3, plane, 4, 0, &shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "in a plane"));
    const struct scree_vec3 line[4] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    assert_int_equal(scree_convex_hull(3, line, 4, 0, &shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "on a line"));
    const struct scree_vec3 nan[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, (double)NAN}};
    assert_int_equal(scree_convex_hull(3, nan, 4, 0, &shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "not finite"));
    assert_int_equal(scree_convex_hull(3, plane, 2, 0, &shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "different points"));
}

// A tetrahedron with one triangle replaced by three that lead to a point inside.
static void a_mesh_with_a_dent_is_not_convex(void **state)
{
    (void)state;
    struct scree_convex shape;
    double vertex[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3, 0.3, 0.4}};
    const uint32_t triangle[6][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}};
    assert_int_equal(scree_convex_from_mesh((const double(*)[3])vertex, 5, triangle, 6, 1e-15, &shape),
                     SCREE_OK);
    assert_int_equal(shape.vertices, 4);
    assert_int_equal(shape.faces, 4);
    scree_convex_free(&shape);
    vertex[4][2] = 0.3;
    assert_int_equal(scree_convex_from_mesh((const double(*)[3])vertex, 5, triangle, 6, 1e-15, &shape),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "not convex: triangle 3"));
}

// --- support

static void a_walk_finds_the_farthest_vertex(void **state)
{
    (void)state;
    uint64_t seed = 5;
    struct scree_vec3 point[200];
    struct scree_convex shape;
    for (int n = 0; n < 200; ++n)
        point[n] = scree_vec3_normalise(draw_vector(&seed));
    assert_int_equal(scree_convex_hull(3, point, 200, 0, &shape), SCREE_OK);
    assert_int_equal(shape.vertices, 200);
    for (int n = 0; n < 20000; ++n) {
        const struct scree_vec3 direction = draw_vector(&seed);
        const uint32_t start = (uint32_t)(splitmix_next(&seed) % shape.vertices);
        const double found =
            scree_vec3_dot(direction, shape.vertex[scree_convex_support(&shape, direction, start)]);
        for (uint32_t v = 0; v < shape.vertices; ++v)
            assert_true(scree_vec3_dot(direction, shape.vertex[v]) <= found);
    }
    scree_convex_free(&shape);
}

// --- cells

enum { CELLS = 300 };

static double volume_of(const struct scree_convex *shape)
{
    double volume = 0;
    for (uint32_t f = 0; f < shape->faces; ++f) {
        const struct scree_convex_face *face = &shape->face[f];
        const struct scree_vec3 a = shape->vertex[shape->corner[face->first]];
        for (uint32_t k = 1; k + 1 < face->corners; ++k)
            volume += scree_vec3_dot(a, scree_vec3_cross(shape->vertex[shape->corner[face->first + k]],
                                                         shape->vertex[shape->corner[face->first + k + 1]])) /
                      6;
    }
    return volume;
}

// Cells without gap fill the box, and a point belongs to the cell of the nearest point.
static void voronoi_cells_fill_the_box(void **state)
{
    (void)state;
    static struct scree_vec3 point[CELLS];
    static struct scree_convex shape[CELLS];
    const struct scree_vec3 lower = {-1, 2, 0}, upper = {1, 3, 0.5};
    const struct scree_convex_voronoi def = {
        .lower = lower, .upper = upper, .point = point, .points = CELLS, .dimension = 3};
    assert_int_equal(scree_convex_voronoi_points(&def, 7, point), SCREE_OK);
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_OK);
    double volume = 0;
    for (int n = 0; n < CELLS; ++n)
        volume += volume_of(&shape[n]);
    assert_true(fabs(volume - 1) < 1e-13);
    uint64_t seed = 8;
    for (int n = 0; n < 5000; ++n) {
        struct scree_vec3 p = draw_vector(&seed);
        p = scree_vec3_make(p.x, 2.5 + 0.5 * p.y, 0.25 + 0.25 * p.z);
        int nearest = 0;
        for (int k = 1; k < CELLS; ++k)
            if (scree_vec3_norm(scree_vec3_sub(p, point[k])) <
                scree_vec3_norm(scree_vec3_sub(p, point[nearest])))
                nearest = k;
        for (int k = 0; k < CELLS; ++k) {
            const double gap =
                scree_convex_point(&shape[k], scree_vec3_sub(p, point[k]), (double)INFINITY).gap;
            assert_true(k == nearest ? gap < 1e-12 : gap > -1e-12);
        }
    }
    for (int n = 0; n < CELLS; ++n)
        scree_convex_free(&shape[n]);
}

// A box that is thin along any axes. Each cell adds the round-off of its volume, far below 1e-13 of the box.
// A search that visits empty space around the box takes longer than the time that a test has.
static void voronoi_cells_fill_a_thin_box(void **state)
{
    (void)state;
    static struct scree_vec3 point[CELLS];
    static struct scree_convex shape[CELLS];
    static const double thin = 1e-6;
    for (int axes = 1; axes < 7; ++axes) {
        const struct scree_vec3 lower = {0, 0, 0},
                                upper = {axes & 1 ? thin : 1, axes & 2 ? thin : 1, axes & 4 ? thin : 1};
        const struct scree_convex_voronoi def = {
            .lower = lower, .upper = upper, .point = point, .points = CELLS, .dimension = 3};
        assert_int_equal(scree_convex_voronoi_points(&def, 7, point), SCREE_OK);
        assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_OK);
        double volume = 0;
        for (int n = 0; n < CELLS; ++n) {
            volume += volume_of(&shape[n]);
            scree_convex_free(&shape[n]);
        }
        const double whole = upper.x * upper.y * upper.z;
        assert_true(fabs(volume - whole) < 1e-13 * whole);
    }
}

// The same for many cells in a box so thin and narrow that the grid of the search has one direction only.
static void many_voronoi_cells_fill_a_thin_and_narrow_box(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    static struct scree_vec3 point[MANY];
    static struct scree_convex shape[MANY];
    const struct scree_vec3 lower = {0, 0, 0}, upper = {1e-13, 1, 1e-5};
    const struct scree_convex_voronoi def = {
        .lower = lower, .upper = upper, .point = point, .points = MANY, .dimension = 3};
    assert_int_equal(scree_convex_voronoi_points(&def, 7, point), SCREE_OK);
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_OK);
    double volume = 0;
    for (int n = 0; n < MANY; ++n) {
        volume += volume_of(&shape[n]);
        scree_convex_free(&shape[n]);
    }
    assert_true(fabs(volume - 1e-18) < 1e-13 * 1e-18);
}

static void a_gap_separates_voronoi_cells(void **state)
{
    (void)state;
    struct scree_vec3 point[40];
    struct scree_convex shape[40];
    const struct scree_vec3 lower = {0, 0, 0}, upper = {1, 1, 1};
    // jittered, so that no two points are nearer than the gap
    uint64_t seed = 9;
    for (int n = 0; n < 27; ++n)
        point[n] = scree_vec3_add_scaled(
            scree_vec3_make((n % 3 + 0.5) / 3, (n / 3 % 3 + 0.5) / 3, (n / 9 + 0.5) / 3), 0.1,
            draw_vector(&seed));
    const struct scree_convex_voronoi def = {
        .lower = lower, .upper = upper, .gap = 0.01, .point = point, .points = 27, .dimension = 3};
    assert_int_equal(scree_convex_voronoi_make(&def, shape), SCREE_OK);
    double least = 1;
    for (int a = 0; a < 27; ++a)
        for (int b = 0; b < a; ++b) {
            const struct scree_convex_body p = {&shape[a], point[a], scree_mat3_identity(), 0};
            const struct scree_convex_body q = {&shape[b], point[b], scree_mat3_identity(), 0};
            least = scree_real_min(least, scree_convex_distance(&p, &q).gap);
        }
    assert_true(fabs(least - 0.01) < 1e-13);
    for (int n = 0; n < 27; ++n)
        scree_convex_free(&shape[n]);
    const struct scree_convex_voronoi wide = {
        .lower = lower, .upper = upper, .gap = 0.5, .point = point, .points = 27, .dimension = 3};
    assert_int_equal(scree_convex_voronoi_make(&wide, shape), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "more than the gap"));
}

// The eroded body, rounded by the depth, has the faces of the body and is inside of it.
static void erosion_moves_all_faces(void **state)
{
    (void)state;
    static struct convex_shapes shapes;
    struct scree_convex core;
    convex_shapes_make(&shapes, 10);
    for (int n = 0; n < CONVEX_SHAPES - 5; ++n) {
        const struct scree_convex *shape = &shapes.shape[n];
        const double depth = 0.01;
        assert_int_equal(scree_convex_erode(shape, depth, &core), SCREE_OK);
        for (uint32_t f = 0; f < shape->faces; ++f) {
            double height = -1;
            for (uint32_t v = 0; v < core.vertices; ++v)
                height = scree_real_max(height, scree_vec3_dot(shape->face[f].normal, core.vertex[v]));
            // faces that vanish leave a larger distance
            assert_true(height < shape->face[f].offset - depth + 1e-13);
        }
        for (uint32_t f = 0; f < core.faces; ++f) {
            double nearest = 1;
            for (uint32_t g = 0; g < shape->faces; ++g)
                nearest = scree_real_min(
                    nearest, scree_vec3_norm(scree_vec3_sub(shape->face[g].normal, core.face[f].normal)) +
                                 fabs(shape->face[g].offset - depth - core.face[f].offset));
            // normals of small faces from their corners
            assert_true(nearest < 1e-9);
        }
        scree_convex_free(&core);
    }
    assert_int_equal(scree_convex_erode(&shapes.shape[0], 0.6, &core), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "too large"));
    convex_shapes_free(&shapes);
}

// --- memory

static scree_status make_all(void *user)
{
    (void)user;
    struct scree_convex shape, core, cells[3];
    const struct scree_vec3 point[3] = {{0.2, 0.3, 0.4}, {0.7, 0.8, 0.6}, {0.3, 0.8, 0.2}};
    const struct scree_convex_voronoi def = {.upper = {1, 1, 1}, .point = point, .points = 3, .dimension = 3};
    const struct scree_convex_def prism = {.kind = SCREE_CONVEX_PRISM, .length = {1, 1}, .sides = 5};
    const struct scree_convex_def square = {.kind = SCREE_CONVEX_RECTANGLE, .length = {1, 1}};
    scree_status status = scree_convex_library(&square, &shape);
    scree_convex_free(&shape);
    if (status == SCREE_OK)
        status = scree_convex_library(&prism, &shape);
    if (status != SCREE_OK)
        return status;
    status = scree_convex_erode(&shape, 0.1, &core);
    scree_convex_free(&core);
    scree_convex_free(&shape);
    if (status == SCREE_OK) {
        status = scree_convex_voronoi_make(&def, cells);
        for (int n = 0; n < 3 && status == SCREE_OK; ++n)
            scree_convex_free(&cells[n]);
    }
    return status;
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    assert_true(scree_starve(make_all, NULL) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_of_determinants_are_exact),
        cmocka_unit_test(signs_in_the_plane_are_exact),
        cmocka_unit_test(hulls_have_the_faces_of_an_exhaustive_search),
        cmocka_unit_test(hulls_in_the_plane_are_anticlockwise),
        cmocka_unit_test(rounded_points_of_a_plane_make_one_face),
        cmocka_unit_test(the_library_has_the_platonic_solids),
        cmocka_unit_test(invalid_shapes_are_refused_by_name),
        cmocka_unit_test(a_mesh_with_a_dent_is_not_convex),
        cmocka_unit_test(a_walk_finds_the_farthest_vertex),
        cmocka_unit_test(voronoi_cells_fill_the_box),
        cmocka_unit_test(voronoi_cells_fill_a_thin_box),
        cmocka_unit_test(many_voronoi_cells_fill_a_thin_and_narrow_box),
        cmocka_unit_test(a_gap_separates_voronoi_cells),
        cmocka_unit_test(erosion_moves_all_faces),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
