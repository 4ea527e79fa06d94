// Edges, bends and flat patches of meshes. Reference: closed forms; counts of regular bodies.

#include "math/quat.h"
#include "shape/mesh_topology.h"
#include "unit/mesh.h"

#include <stdlib.h>

enum { MOST = 20000 };

static double vertex[MOST][3];
static uint32_t facet[MOST][3];
static size_t vertices, facets;

static struct scree_mesh made(double error)
{
    return mesh_of((const double(*)[3])vertex, vertices, (const uint32_t(*)[3])facet, facets, error);
}

static void add_facet(size_t a, size_t b, size_t c)
{
    const uint32_t row[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    assert_true(facets < MOST);
    memcpy(facet[facets++], row, sizeof row);
}

static size_t add_vertex(double x, double y, double z)
{
    assert_true(vertices < MOST);
    vertex[vertices][0] = x;
    vertex[vertices][1] = y;
    vertex[vertices][2] = z;
    return vertices++;
}

static void count_bends(const struct scree_mesh_topology *topology, size_t bends[SCREE_MESH_BENDS])
{
    memset(bends, 0, SCREE_MESH_BENDS * sizeof *bends);
    for (size_t e = 0; e < topology->edges.count; ++e)
        ++bends[topology->bend[e]];
}

// --- small bodies

static void a_cube_has_six_patches_and_twelve_convex_edges(void **state)
{
    (void)state;
    struct scree_mesh_topology topology;
    size_t bends[SCREE_MESH_BENDS];
    for (int inside = 0; inside < 2; ++inside) {
        struct scree_mesh mesh = mesh_of(cube_vertex, 8, cube_facet, 12, 0);
        for (size_t f = 0; inside && f < 12; ++f) {
            const uint32_t a = mesh.facet[f][1];
            mesh.facet[f][1] = mesh.facet[f][2];
            mesh.facet[f][2] = a;
        }
        assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
        count_bends(&topology, bends);
        assert_true(bends[SCREE_MESH_FLAT] == 6 && bends[SCREE_MESH_OPEN] == 0 &&
                    bends[inside ? SCREE_MESH_CONCAVE : SCREE_MESH_CONVEX] == 12);
        assert_int_equal(topology.patches, 6);
        // two facets of a side are neighbours in the list
        for (uint32_t f = 0; f < 12; ++f)
            assert_int_equal(topology.patch[f], f / 2);
        scree_mesh_topology_free(&topology);
        scree_mesh_free(&mesh);
    }
}

static void sides_vertices_and_edges_refer_to_each_other(void **state)
{
    (void)state;
    struct scree_mesh_topology topology;
    struct scree_mesh mesh = mesh_of(cube_vertex, 8, cube_facet, 12, 0);
    assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
    const struct scree_mesh_edges *edges = &topology.edges;
    assert_int_equal(edges->count, 18);
    for (uint32_t f = 0; f < 12; ++f)
        for (uint32_t k = 0; k < 3; ++k) {
            const struct scree_mesh_edge *edge = &edges->edge[edges->of_facet[f][k]];
            const uint32_t a = mesh.facet[f][k], b = mesh.facet[f][(k + 1) % 3];
            assert_true(edge->vertex[0] == (a < b ? a : b) && edge->vertex[1] == (a < b ? b : a));
            assert_true(edge->sides == 2 && edges->side[edge->first] < edges->side[edge->first + 1]);
            assert_true(edges->side[edge->first] == 3 * f + k || edges->side[edge->first + 1] == 3 * f + k);
            assert_true(scree_mesh_edges_forward(&mesh, 3 * f + k) == (a < b));
            assert_int_equal(scree_mesh_edges_opposite(&mesh, 3 * f + k), mesh.facet[f][(k + 2) % 3]);
        }
    for (uint32_t v = 0; v < 8; ++v) {
        uint32_t at = topology.vertex_begin[v];
        for (uint32_t f = 0; f < 12; ++f)
            if (mesh.facet[f][0] == v || mesh.facet[f][1] == v || mesh.facet[f][2] == v)
                assert_int_equal(topology.vertex_facet[at++], f);
        assert_int_equal(at, topology.vertex_begin[v + 1]);
    }
    scree_mesh_topology_free(&topology);
    scree_mesh_free(&mesh);
}

// --- flat within the precision

static uint32_t rounded(double x)
{
    const float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double as_float(double x)
{
    const uint32_t bits = rounded(x);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// A square of irregular triangles (vertices of a lattice, each moved by up to a fifth of its spacing: none is
// turned over) in a plane of random direction, far from the origin, rounded to floats: one
// patch and flat edges only, whatever the triangles. Without the error of floats it would be many.
static void a_plane_rounded_to_floats_is_one_patch(void **state)
{
    (void)state;
    enum { ROWS = 30 };
    uint64_t seed = 3;
    for (int round = 0; round < 60; ++round) {
        const struct scree_quat turn = scree_quat_normalise(
            scree_quat_make(splitmix_signed(&seed), splitmix_signed(&seed), splitmix_signed(&seed), 0.1));
        // squares become narrow strips in some rounds
        const double narrow = round % 3 == 0 ? 1e-3 : 1, far = round % 2 ? 10 : 0.1;
        double reach = 0;
        vertices = facets = 0;
        for (int i = 0; i <= ROWS; ++i)
            for (int j = 0; j <= ROWS; ++j) {
                const double x = i + 0.2 * splitmix_signed(&seed), y = j + 0.2 * splitmix_signed(&seed);
                const struct scree_vec3 p =
                    scree_quat_rotate(turn, scree_vec3_make(x / ROWS, narrow * y / ROWS, far));
                add_vertex(as_float(p.x), as_float(p.y), as_float(p.z));
                for (int k = 0; k < 3; ++k)
                    reach = fmax(reach, fabs(vertex[vertices - 1][k]));
            }
        for (size_t i = 0; i < ROWS; ++i)
            for (size_t j = 0; j < ROWS; ++j) {
                const size_t a = i * (ROWS + 1) + j, b = a + ROWS + 1;
                if (splitmix_signed(&seed) < 0) {
                    add_facet(a, b, b + 1);
                    add_facet(a, b + 1, a + 1);
                } else {
                    add_facet(a, b, a + 1);
                    add_facet(a + 1, b, b + 1);
                }
            }
        struct scree_mesh_topology topology;
        size_t bends[SCREE_MESH_BENDS];
        for (int exact = 0; exact < 2; ++exact) {
            struct scree_mesh mesh = made(exact ? 0 : 0x1p-24 * reach);
            assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
            count_bends(&topology, bends);
            if (exact) {
                assert_true(topology.patches > 2 * ROWS * ROWS / 10);
            } else {
                assert_true(bends[SCREE_MESH_CONVEX] == 0 && bends[SCREE_MESH_CONCAVE] == 0);
                assert_int_equal(topology.patches, 1);
            }
            scree_mesh_topology_free(&topology);
            scree_mesh_free(&mesh);
        }
    }
}

// The side of a cylinder of radius 1 in `count` strips, each of two triangles and 1 high; fronts outside.
static struct scree_mesh make_cylinder(size_t count, double error)
{
    vertices = facets = 0;
    for (size_t i = 0; i < count; ++i) {
        const double angle = 2 * SCREE_PI * (double)i / (double)count;
        add_vertex(cos(angle), sin(angle), 0);
        add_vertex(cos(angle), sin(angle), 1);
    }
    for (size_t i = 0; i < count; ++i) {
        const size_t next = (i + 1) % count;
        add_facet(2 * i, 2 * next, 2 * next + 1);
        add_facet(2 * i, 2 * next + 1, 2 * i + 1);
    }
    return made(error);
}

// Strips with n sides are flat within d up to a width w with a deviation of w^2 / 8 over the radius. At an
// error of 1e-4, 24 strips are patches of their own. With 9,000 strips neighbours are flat, but no patch may
// deviate from its plane by more than the bound of the fit: 2 + sqrt(3) + sqrt(3) times the error, where
// uniform strips extend to sqrt(3) times their root mean square, and somewhat more where the plane was fitted
// to half of the patch.
static void a_finely_divided_cylinder_is_not_one_patch(void **state)
{
    (void)state;
    struct scree_mesh_topology topology;
    size_t bends[SCREE_MESH_BENDS];
    struct scree_mesh mesh = make_cylinder(24, 1e-4);
    assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
    count_bends(&topology, bends);
    assert_true(topology.patches == 24 && bends[SCREE_MESH_FLAT] == 24 && bends[SCREE_MESH_CONVEX] == 24 &&
                bends[SCREE_MESH_OPEN] == 48);
    scree_mesh_topology_free(&topology);
    scree_mesh_free(&mesh);

    const double error = 1e-4;
    mesh = make_cylinder(9000, error);
    assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
    count_bends(&topology, bends);
    assert_true(bends[SCREE_MESH_CONVEX] == 0 && bends[SCREE_MESH_FLAT] == 18000);
    // an arc of half angle a deviates by 1 - cos(a) from its chord, which is below 2 * 6 * sqrt(3) * error
    const double most = 2 * 6 * sqrt(3) * error;
    size_t *first = calloc(topology.patches, sizeof *first), *count = calloc(topology.patches, sizeof *count);
    for (size_t f = 0; f < mesh.facets; ++f)
        ++count[topology.patch[f]];
    for (size_t p = 0; p < topology.patches; ++p) {
        const double angle = SCREE_PI * (double)count[p] / 2 / 9000;
        assert_true(1 - cos(angle) <= most);
    }
    // and the patches are not small: the arc of one error is shorter than the mean
    assert_true((double)topology.patches < SCREE_PI / acos(1 - sqrt(3) * error));
    free(first);
    free(count);
    scree_mesh_topology_free(&topology);
    scree_mesh_free(&mesh);
}

// Two squares that meet at an angle: flat below the angle at which the inscribed sphere of the tetrahedron of
// the neighbouring facets reaches the error, convex and concave above.
static void an_edge_bends_if_the_error_cannot_explain_it(void **state)
{
    (void)state;
    const double error = 1e-6;
    for (int way = -1; way <= 1; way += 2)
        for (int k = 0; k < 2; ++k) {
            // facets (0,0) (1,0) (0,1) and (1,0) (1,1) (0,1) with the last vertex lifted by z. 6 V = z, the
            // faces have areas of 1/2 each: r = 3 V / A = z / 4 in first order
            const double z = way * 4 * sqrt(3) * error * (k ? 1.01 : 0.99);
            vertices = facets = 0;
            add_vertex(0, 0, 0);
            add_vertex(1, 0, 0);
            add_vertex(0, 1, 0);
            add_vertex(1, 1, z);
            add_facet(0, 1, 2);
            add_facet(1, 3, 2);
            struct scree_mesh mesh = made(error);
            struct scree_mesh_topology topology;
            size_t bends[SCREE_MESH_BENDS];
            assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
            count_bends(&topology, bends);
            assert_int_equal(bends[k == 0    ? SCREE_MESH_FLAT
                                   : way > 0 ? SCREE_MESH_CONCAVE
                                             : SCREE_MESH_CONVEX],
                             1);
            assert_int_equal(topology.patches, k == 0 ? 1 : 2);
            scree_mesh_topology_free(&topology);
            scree_mesh_free(&mesh);
        }
}

static void folded_facets_are_not_flat(void **state)
{
    (void)state;
    vertices = facets = 0;
    add_vertex(0, 0, 0);
    add_vertex(1, 0, 0);
    add_vertex(0, 1, 0);
    add_vertex(0.9, 1, 0);
    add_facet(0, 1, 2);
    add_facet(1, 0, 3);
    struct scree_mesh mesh = made(1e-9);
    struct scree_mesh_topology topology;
    size_t bends[SCREE_MESH_BENDS];
    assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
    count_bends(&topology, bends);
    assert_true(bends[SCREE_MESH_FLAT] == 0 && topology.patches == 2);
    scree_mesh_topology_free(&topology);
    scree_mesh_free(&mesh);
}

// A sliver between two squares, thinner than the error, does not divide the plane.
static void a_sliver_does_not_divide_a_plane(void **state)
{
    (void)state;
    vertices = facets = 0;
    add_vertex(0, 0, 0);
    add_vertex(1, 0, 0);
    add_vertex(1, 1, 0);
    add_vertex(0, 1, 0);
    add_vertex(0.5, 0.5 + 3e-7, 2e-7);
    add_facet(0, 1, 2);
    add_facet(0, 2, 4);
    add_facet(0, 4, 3);
    add_facet(4, 2, 3);
    struct scree_mesh mesh = made(1e-6);
    struct scree_mesh_topology topology;
    assert_int_equal(scree_mesh_topology_find(&mesh, &topology), SCREE_OK);
    assert_int_equal(topology.patches, 1);
    scree_mesh_topology_free(&topology);
    scree_mesh_free(&mesh);
}

static scree_status attempt(void *user)
{
    struct scree_mesh_topology topology;
    const scree_status status = scree_mesh_topology_find((const struct scree_mesh *)user, &topology);
    scree_mesh_topology_free(&topology);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scree_mesh mesh = make_cylinder(24, 1e-4);
    assert_true(scree_starve(attempt, &mesh) > 8);
    scree_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_six_patches_and_twelve_convex_edges),
        cmocka_unit_test(sides_vertices_and_edges_refer_to_each_other),
        cmocka_unit_test(a_plane_rounded_to_floats_is_one_patch),
        cmocka_unit_test(a_finely_divided_cylinder_is_not_one_patch),
        cmocka_unit_test(an_edge_bends_if_the_error_cannot_explain_it),
        cmocka_unit_test(folded_facets_are_not_flat),
        cmocka_unit_test(a_sliver_does_not_divide_a_plane),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
