// Repair of meshes: equal and near vertices, facets without area, duplicates, orientation, cavities, and the
// defects that are reported. Reference: closed forms of cubes and squares.

#include "mesh/equal.h"
#include "shape/mesh_merge.h"
#include "unit/mesh.h"

#include <stdlib.h>

static struct scree_mesh_report repair(struct scree_mesh *mesh, double tolerance)
{
    struct scree_mesh_report report = {0};
    assert_int_equal(scree_mesh_repair(mesh, tolerance, &report), SCREE_OK);
    return report;
}

static uint64_t pick(uint64_t *seed, uint64_t count)
{
    return splitmix_next(seed) % count;
}

// --- property: a cube

// Adds a cube as separate facets, in random order and orientation, each from a random corner.
static void add_cube(double (*vertex)[3], const double corner[3], double size, uint64_t *seed,
                     uint32_t turned)
{
    uint32_t order[12];
    for (uint32_t f = 0; f < 12; ++f) {
        const uint64_t other = pick(seed, f + 1);
        order[f] = order[other];
        order[other] = f;
    }
    for (uint32_t f = 0; f < 12; ++f) {
        const uint64_t first = pick(seed, 3), step = turned >> f & 1 ? 2 : 1;
        for (uint64_t c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                vertex[3 * f + c][k] =
                    corner[k] + size * cube_vertex[cube_facet[order[f]][(first + step * c) % 3]][k];
    }
}

static void a_cube_in_any_order_and_orientation_has_its_volume(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (uint32_t turned = 0; turned < 4096; turned += 3) {
        double vertex[36][3];
        uint32_t facet[12][3];
        const double corner[3] = {-2, 3, 0.5};
        add_cube(vertex, corner, 2, &seed, turned);
        for (uint32_t i = 0; i < 36; ++i)
            facet[i / 3][i % 3] = i;
        struct scree_mesh mesh = mesh_of((const double(*)[3])vertex, 36, (const uint32_t(*)[3])facet, 12, 0);
        const struct scree_mesh_report report = repair(&mesh, 0);
        // all numbers are short, so nothing is rounded
        assert_true(report.volume == 8 && report.area == 24 && report.vertices == 8 && report.edges == 18 &&
                    report.watertight && report.shells == 1 && report.closed == 1 && report.cavities == 0);
        assert_int_equal(report.flipped, __builtin_popcount(turned));
        const struct scree_shape_mesh view = scree_mesh_view(&mesh);
        struct scree_shape_mass mass;
        assert_int_equal(scree_shape_mass_mesh(&view, &mass), SCREE_OK);
        assert_true(fabs(mass.value.volume - 8) <= mass.error.volume);
        scree_mesh_free(&mesh);
    }
}

// A cube in a cube in a cube, each of random orientation: the middle one is a cavity if it faces inwards, and
// a body inside of another one if it faces outwards; the innermost faces outwards.
static void a_cavity_keeps_its_orientation(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (uint32_t turned = 0; turned < 8; ++turned) {
        double vertex[108][3];
        uint32_t facet[36][3];
        for (uint32_t c = 0; c < 3; ++c) {
            const double corner[3] = {c, c, c};
            add_cube(vertex + 36 * c, corner, 6 - 2.0 * c, &seed, turned >> c & 1 ? 4095 : 0);
        }
        for (uint32_t i = 0; i < 108; ++i)
            facet[i / 3][i % 3] = i;
        struct scree_mesh mesh = mesh_of((const double(*)[3])vertex, 108, (const uint32_t(*)[3])facet, 36, 0);
        const struct scree_mesh_report report = repair(&mesh, 0);
        const bool cavity = turned & 2;
        assert_true(report.shells == 3 && report.closed == 3 && report.cavities == cavity);
        assert_true(report.volume == 216 + (cavity ? -64 : 64) + 8);
        assert_int_equal(report.flipped, 12 * ((turned & 1) + (turned >> 2 & 1)));
        scree_mesh_free(&mesh);
    }
}

// --- single repairs

// two triangles of a square, and more
static const double points[][3] = {{0, 0, 0},    {1, 0, 0},    {1, 1, 0}, {0, 1, 0},     {0.5, 0, 0},
                                   {0, -0.0, 0}, {1, 1, 1e-4}, {9, 9, 9}, {0.5, 0.5, 1}, {0.5, 0.5, -1}};
enum { POINTS = sizeof points / sizeof points[0] };

static struct scree_mesh_report repair_facets(const uint32_t (*facet)[3], size_t facets, double error,
                                              double tolerance)
{
    struct scree_mesh mesh = mesh_of(points, POINTS, facet, facets, error);
    const struct scree_mesh_report report = repair(&mesh, tolerance);
    assert_true(report.facets == mesh.facets && report.vertices == mesh.vertices);
    scree_mesh_free(&mesh);
    return report;
}

static void facets_without_area_and_duplicates_are_removed(void **state)
{
    (void)state;
    static const uint32_t facet[][3] = {{0, 1, 2}, {0, 4, 1}, {2, 3, 5}, {0, 0, 3},
                                        {0, 5, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 3}};
    // removed: 2 (three on a line), 4 (twice the same), 5 (equal vertices 0 and 5), duplicates 6, 7, 8
    const struct scree_mesh_report report = repair_facets(facet, 8, 0, 0);
    assert_true(report.facets_read == 8 && report.degenerate == 3 && report.duplicates == 3 &&
                report.facets == 2 && report.vertices == 4 && report.area == 1);
    // not used any more: 4, 6, 7, 8, 9; 5 has become 0
    assert_true(report.unused_vertices == 5 && report.near_vertices == 0 && report.open.count == 4);
    struct scree_mesh mesh = mesh_of(points, POINTS, facet, 8, 0);
    repair(&mesh, 0);
    assert_true(mesh.number[0] == 1 && mesh.number[1] == 3);
    scree_mesh_free(&mesh);
}

// The cube with a point on one of its edges that only a facet without area uses, or two points and two facets
// in a row: it stays closed, with the same volume.
static void a_facet_on_a_line_does_not_open_the_mesh(void **state)
{
    (void)state;
    for (uint32_t row = 1; row <= 3; ++row) {
        double vertex[11][3];
        uint32_t facet[20][3], facets = 11;
        memcpy(vertex, cube_vertex, sizeof cube_vertex);
        memcpy(facet, cube_facet, sizeof cube_facet);
        // facet 11 is (3, 4, 7), with the edge from 4 to 7; facet 3 is (4, 6, 7)
        for (uint32_t p = 0; p < row; ++p) {
            const double point[3] = {0, (p + 1.0) / (row + 1), 1};
            memcpy(vertex[8 + p], point, sizeof point);
        }
        for (uint32_t p = 0; p <= row; ++p) {
            const uint32_t from = p == 0 ? 4 : 7 + p, to = p == row ? 7 : 8 + p;
            const uint32_t part[3] = {3, from, to}, line[3] = {from, 7, to};
            memcpy(facet[facets++], part, sizeof part);
            if (p < row)
                memcpy(facet[facets++], line, sizeof line);
        }
        struct scree_mesh mesh =
            mesh_of((const double(*)[3])vertex, 8 + row, (const uint32_t(*)[3])facet, facets, 0);
        const struct scree_mesh_report report = repair(&mesh, 0);
        assert_true(report.mended == row && report.degenerate == 0 && report.facets == 12 + 2 * row);
        assert_true(report.watertight && report.shells == 1 && report.junctions.count == 0);
        assert_true(fabs(report.volume - 1) < 1e-15 && fabs(report.area - 6) < 1e-14);
        scree_mesh_free(&mesh);
    }
}

static void near_vertices_become_one_within_the_tolerance(void **state)
{
    (void)state;
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 6, 3}};
    struct scree_mesh_report report = repair_facets(facet, 2, 0, 0.99e-4);
    assert_true(report.near_vertices == 0 && report.open.count == 6 && report.shells == 2);
    report = repair_facets(facet, 2, 0, 1.01e-4);
    assert_true(report.near_vertices == 1 && report.open.count == 4 && report.shells == 1);
}

// Random points of several scales: each point that was moved is within the tolerance of where it was, points
// that stayed are further apart than it, and a point stayed if no earlier one near it had stayed.
static void moved_vertices_are_those_of_a_search_of_all(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    uint64_t seed = 5;
    for (int round = 0; round < 20; ++round) {
        static double vertex[COUNT][3];
        static uint32_t facet[COUNT / 3][3], same[COUNT];
        const double tolerance = 0.01 * (1 + round % 5), spacing = round % 2 ? 0.05 : 0;
        size_t moved, wanted = 0, kept = 0;
        for (uint32_t v = 0; v < COUNT; ++v) {
            facet[v / 3][v % 3] = v;
            for (int k = 0; k < 3; ++k) {
                vertex[v][k] = 0.3 * splitmix_signed(&seed);
                // points on a lattice are at the borders of cells
                if (spacing > 0)
                    vertex[v][k] = spacing * (double)(int)(vertex[v][k] / spacing);
            }
        }
        for (uint32_t v = 0; v < COUNT; ++v) {
            same[v] = v;
            for (uint32_t w = 0; w < v && same[v] == v; ++w) {
                const double x = vertex[v][0] - vertex[w][0], y = vertex[v][1] - vertex[w][1],
                             z = vertex[v][2] - vertex[w][2];
                if (same[w] == w && x * x + y * y + z * z <= tolerance * tolerance)
                    same[v] = w;
            }
            wanted += same[v] != v;
        }
        struct scree_mesh mesh =
            mesh_of((const double(*)[3])vertex, COUNT, (const uint32_t(*)[3])facet, COUNT / 3, 0);
        assert_int_equal(scree_mesh_merge_near(&mesh, tolerance, &moved), SCREE_OK);
        assert_int_equal(moved, wanted);
        assert_true(moved > 0 && moved < COUNT && mesh.vertices == COUNT - moved);
        for (uint32_t v = 0; v < COUNT; ++v) {
            assert_memory_equal(mesh.vertex[mesh.facet[v / 3][v % 3]], vertex[same[v]], sizeof vertex[v]);
            kept += same[v] == v;
        }
        assert_int_equal(kept, mesh.vertices);
        scree_mesh_free(&mesh);
    }
}

// Points that have one place in the hash table are sorted instead: the result is the same as that of a
// search.
static void points_with_one_hash_are_merged_too(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static double vertex[2 * COUNT][3];
    static uint32_t facet[2 * COUNT / 3][3];
    uint32_t found = 0;
    for (uint32_t n = 0; found < COUNT; ++n) {
        const double x[3] = {n, 0, 0};
        if ((scree_mesh_equal_hash(x) & 0x3fff) == 0)
            vertex[found++][0] = n;
    }
    for (uint32_t v = 0; v < 2 * COUNT; ++v) {
        vertex[v][0] = vertex[v % COUNT][0];
        facet[v / 3][v % 3] = v;
    }
    struct scree_mesh mesh =
        mesh_of((const double(*)[3])vertex, 2 * COUNT, (const uint32_t(*)[3])facet, 2 * COUNT / 3, 0);
    assert_int_equal(scree_mesh_merge_equal(&mesh), SCREE_OK);
    assert_int_equal(mesh.vertices, COUNT);
    for (uint32_t v = 0; v < 2 * COUNT; ++v)
        assert_int_equal(mesh.facet[v / 3][v % 3], v % COUNT);
    scree_mesh_free(&mesh);
}

// --- defects that are reported

static void open_edges_have_their_facet_and_place(void **state)
{
    (void)state;
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 3, 2}};
    const struct scree_mesh_report report = repair_facets(facet, 2, 0, 0);
    assert_true(report.open.count == 4 && report.edges == 5 && report.flipped == 1 && !report.watertight &&
                report.shells == 1 && report.closed == 0 && report.volume == 0);
    // edges are in the order of their vertices: 0-1, 0-3, 1-2, 2-3
    assert_true(report.open.first[0].facet[0] == 1 && report.open.first[0].facet[1] == 0);
    assert_true(report.open.first[0].position[0] == 0.5 && report.open.first[0].position[1] == 0);
    assert_true(report.open.first[1].facet[0] == 2 && report.open.first[1].position[1] == 0.5);
    assert_int_equal(scree_mesh_check_oriented(&report), SCREE_OK);
}

static void three_facets_at_an_edge_have_no_orientation(void **state)
{
    (void)state;
    static const uint32_t facet[3][3] = {{0, 2, 3}, {0, 2, 8}, {0, 2, 9}};
    const struct scree_mesh_report report = repair_facets(facet, 3, 0, 0);
    assert_true(report.nonmanifold.count == 1 && report.unoriented.count == 1 && report.shells == 3 &&
                report.open.count == 6 && !report.watertight);
    assert_true(report.nonmanifold.first[0].facet[0] == 1 && report.nonmanifold.first[0].facet[1] == 2);
    assert_message(
        scree_mesh_check_oriented(&report), SCREE_ERROR_ARGUMENT,
        "the orientations of facets 1 and 2 contradict at (0.5, 0.5, 0): facets must meet in pairs");
}

// Two cubes that touch at an edge: four facets, but each cube is closed.
static void two_cubes_may_share_an_edge(void **state)
{
    (void)state;
    double vertex[16][3];
    uint32_t facet[24][3];
    for (uint32_t c = 0; c < 2; ++c) {
        for (uint32_t v = 0; v < 8; ++v)
            for (int k = 0; k < 3; ++k)
                vertex[8 * c + v][k] = cube_vertex[v][k] + (k < 2 ? c : 0);
        for (uint32_t f = 0; f < 12; ++f)
            for (uint32_t k = 0; k < 3; ++k)
                // the second cube faces inwards in the file
                facet[12 * c + f][k] = 8 * c + cube_facet[f][c ? 2 - k : k];
    }
    struct scree_mesh mesh = mesh_of((const double(*)[3])vertex, 16, (const uint32_t(*)[3])facet, 24, 0);
    const struct scree_mesh_report report = repair(&mesh, 0);
    assert_true(report.nonmanifold.count == 1 && report.unoriented.count == 0 && report.shells == 2 &&
                report.closed == 2 && report.watertight && report.volume == 2 && report.flipped == 12);
    scree_mesh_free(&mesh);
}

// A strip of squares, turned by half a turn from end to end.
static void a_moebius_strip_is_refused_by_name(void **state)
{
    (void)state;
    enum { SQUARES = 12 };
    double vertex[2 * SQUARES][3];
    uint32_t facet[2 * SQUARES][3];
    for (uint32_t s = 0; s < SQUARES; ++s) {
        const double angle = 2 * 3.14159265358979323846 * s / SQUARES;
        for (uint32_t side = 0; side < 2; ++side) {
            const double width = side ? 0.3 : -0.3, radius = 1 + width * cos(angle / 2);
            vertex[2 * s + side][0] = radius * cos(angle);
            vertex[2 * s + side][1] = radius * sin(angle);
            vertex[2 * s + side][2] = width * sin(angle / 2);
        }
        const uint32_t a = 2 * s, b = a + 1, swap = s + 1 == SQUARES, next = swap ? 0 : a + 2;
        const uint32_t square[2][3] = {{a, next + swap, next + 1 - swap}, {a, next + 1 - swap, b}};
        memcpy(facet[2 * s], square, sizeof square);
    }
    struct scree_mesh mesh =
        mesh_of((const double(*)[3])vertex, 2 * SQUARES, (const uint32_t(*)[3])facet, 2 * SQUARES, 0);
    const struct scree_mesh_report report = repair(&mesh, 0);
    assert_true(report.shells == 1 && report.unoriented.count == 1 && report.nonmanifold.count == 0 &&
                report.open.count == 2 * SQUARES);
    assert_message(scree_mesh_check_oriented(&report), SCREE_ERROR_ARGUMENT, "the orientations of facets ");
    // with some facets reversed there is one such edge again, and a second repair changes nothing
    uint64_t seed = 9;
    for (size_t f = 0; f < mesh.facets; ++f)
        if (pick(&seed, 2)) {
            const uint32_t v = mesh.facet[f][1];
            mesh.facet[f][1] = mesh.facet[f][2];
            mesh.facet[f][2] = v;
        }
    assert_int_equal(repair(&mesh, 0).unoriented.count, 1);
    assert_int_equal(repair(&mesh, 0).flipped, 0);
    scree_mesh_free(&mesh);
}

static void a_vertex_on_an_open_edge_is_a_junction(void **state)
{
    (void)state;
    // vertex 4 is in the middle of the edge from 0 to 1
    static const uint32_t facet[3][3] = {{0, 1, 2}, {0, 9, 4}, {4, 9, 1}};
    struct scree_mesh_report report = repair_facets(facet, 3, 0, 0);
    assert_true(report.junctions.count == 1 && report.junctions.first[0].position[0] == 0.5);
    assert_true(report.junctions.first[0].facet[0] == 1 && report.junctions.first[0].facet[1] == 2);
    report = repair_facets(facet, 1, 0, 0);
    assert_int_equal(report.junctions.count, 0);
}

// Rows of small squares beside one long rectangle, against a comparison of all edges with all vertices.
static void junctions_are_those_of_a_search_of_all(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    static double vertex[3 * COUNT][3];
    static uint32_t facet[COUNT][3];
    uint64_t seed = 11;
    size_t wanted = 0;
    // separate triangles on a lattice, so that vertices lie on edges exactly
    for (uint32_t v = 0; v < 3 * COUNT; ++v) {
        facet[v / 3][v % 3] = v;
        for (int k = 0; k < 3; ++k)
            vertex[v][k] = (double)pick(&seed, 8);
    }
    struct scree_mesh mesh =
        mesh_of((const double(*)[3])vertex, 3 * COUNT, (const uint32_t(*)[3])facet, COUNT, 0);
    const struct scree_mesh_report report = repair(&mesh, 0);
    for (size_t s = 0; s < 3 * mesh.facets; ++s) {
        const uint32_t a = mesh.facet[s / 3][s % 3], b = mesh.facet[s / 3][(s % 3 + 1) % 3];
        bool open = true, found = false;
        for (size_t t = 0; t < 3 * mesh.facets; ++t) {
            const uint32_t c = mesh.facet[t / 3][t % 3], d = mesh.facet[t / 3][(t % 3 + 1) % 3];
            open = open && (s == t || !((a == c && b == d) || (a == d && b == c)));
        }
        for (size_t v = 0; open && v < mesh.vertices; ++v) {
            double along = 0, across = 0, length = 0;
            for (int k = 0; k < 3; ++k) {
                const double e = mesh.vertex[b][k] - mesh.vertex[a][k],
                             x = mesh.vertex[v][k] - mesh.vertex[a][k];
                const int j = (k + 1) % 3;
                const double c =
                    x * (mesh.vertex[b][j] - mesh.vertex[a][j]) - e * (mesh.vertex[v][j] - mesh.vertex[a][j]);
                along += e * x;
                length += e * e;
                across += c * c;
            }
            found = found || (along > 0 && along < length && across == 0);
        }
        wanted += open && found;
    }
    // nearly all edges are open, so all vertices are ends of open edges
    assert_int_equal(report.junctions.count, wanted);
    assert_true(wanted > 100 && wanted < report.open.count);
    scree_mesh_free(&mesh);
}

static void thin_facets_are_counted(void **state)
{
    (void)state;
    // vertex 6 is 1e-4 above vertex 2: the inscribed circle of the last facet is thinner than 1e-4
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 6}};
    assert_int_equal(repair_facets(facet, 2, 1e-4, 0).slivers, 1);
    assert_int_equal(repair_facets(facet, 2, 1e-5, 0).slivers, 0);
}

static void wrong_meshes_are_refused(void **state)
{
    (void)state;
    static const uint32_t high[1][3] = {{0, 1, POINTS}}, line[1][3] = {{0, 1, 4}};
    static const double wide[3][3] = {{1e41, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t one[1][3] = {{0, 1, 2}};
    struct scree_mesh mesh = mesh_of(points, POINTS, high, 1, 0);
    assert_message(scree_mesh_repair(&mesh, 0, NULL), SCREE_ERROR_ARGUMENT,
                   "facet 0 has vertex 10, but the mesh has 10 vertices");
    scree_mesh_free(&mesh);
    mesh = mesh_of(points, POINTS, line, 1, 0);
    assert_message(scree_mesh_repair(&mesh, -1, NULL), SCREE_ERROR_ARGUMENT, "must be at least 0; got -1");
    assert_message(scree_mesh_repair(&mesh, 0, NULL), SCREE_ERROR_ARGUMENT,
                   "the mesh has no facet with an area: each of its 1 facets");
    scree_mesh_free(&mesh);
    mesh = mesh_of(points, POINTS, one, 1, 0);
    assert_message(scree_mesh_repair(&mesh, 1e-13, NULL), SCREE_ERROR_ARGUMENT,
                   "must be 0 or at least 1e-12 of its largest coordinate, 9 m; got 1e-13 m");
    scree_mesh_free(&mesh);
    mesh = mesh_of(wide, 3, one, 1, 0);
    assert_message(scree_mesh_repair(&mesh, 0, NULL), SCREE_ERROR_ARGUMENT,
                   "the coordinates of vertex 0 must be at most 1e40 m");
    scree_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_in_any_order_and_orientation_has_its_volume),
        cmocka_unit_test(a_cavity_keeps_its_orientation),
        cmocka_unit_test(facets_without_area_and_duplicates_are_removed),
        cmocka_unit_test(a_facet_on_a_line_does_not_open_the_mesh),
        cmocka_unit_test(near_vertices_become_one_within_the_tolerance),
        cmocka_unit_test(moved_vertices_are_those_of_a_search_of_all),
        cmocka_unit_test(points_with_one_hash_are_merged_too),
        cmocka_unit_test(open_edges_have_their_facet_and_place),
        cmocka_unit_test(three_facets_at_an_edge_have_no_orientation),
        cmocka_unit_test(two_cubes_may_share_an_edge),
        cmocka_unit_test(a_moebius_strip_is_refused_by_name),
        cmocka_unit_test(a_vertex_on_an_open_edge_is_a_junction),
        cmocka_unit_test(junctions_are_those_of_a_search_of_all),
        cmocka_unit_test(thin_facets_are_counted),
        cmocka_unit_test(wrong_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
