// Mass properties of closed meshes: a box in closed form, ellipsoids, rotation, and refused meshes.

#include "mass.h"

// --- meshes

enum { VERTICES = 20000, TRIANGLES = 40000 };

struct mesh {
    double vertex[VERTICES][3];
    uint32_t triangle[TRIANGLES][3];
    size_t vertices, triangles;
};

static struct mesh mesh;

static struct scree_shape_mesh view(void)
{
    return (struct scree_shape_mesh){(const double(*)[3])mesh.vertex, mesh.vertices,
                                     (const uint32_t(*)[3])mesh.triangle, mesh.triangles};
}

static void add_triangle(size_t a, size_t b, size_t c)
{
    const size_t v[3] = {a, b, c};
    for (int k = 0; k < 3; ++k)
        mesh.triangle[mesh.triangles][k] = (uint32_t)v[k];
    ++mesh.triangles;
}

// A box with a corner at `lower`, two triangles for each face.
static void make_box(const double lower[3], const double edge[3])
{
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    mesh.vertices = 8;
    mesh.triangles = 0;
    for (int v = 0; v < 8; ++v)
        for (int k = 0; k < 3; ++k)
            mesh.vertex[v][k] = lower[k] + (v >> k & 1) * edge[k];
    for (int f = 0; f < 6; ++f) {
        add_triangle((size_t)face[f][0], (size_t)face[f][1], (size_t)face[f][2]);
        add_triangle((size_t)face[f][0], (size_t)face[f][2], (size_t)face[f][3]);
    }
}

static void a_box_has_its_closed_form(void **state)
{
    (void)state;
    struct scree_shape_mass mass;
    for (int far = 0; far < 2; ++far) {
        // numbers with few digits, so that the corners are exact
        const double lower[3] = {1, far ? -1024 : -2, 0.5}, edge[3] = {1, 2, 4};
        make_box(lower, edge);
        const struct scree_shape_mesh box = view();
        const struct scree_shape_values reference = {
            8, {1.5, lower[1] + 1, 2.5}, {20.0 / 12, 17.0 / 12, 5.0 / 12, 0, 0, 0}};
        assert_int_equal(scree_shape_mass_mesh(&box, &mass), SCREE_OK);
        assert_equal_within(&mass, &reference, 4, far ? 600 : 4, 1e-12);
    }
}

// An ellipsoid with half axes 3, 2, 1, of `n` by 2 n faces in latitude and longitude.
static void make_ellipsoid(size_t n)
{
    static const double axis[3] = {3, 2, 1};
    mesh.vertices = mesh.triangles = 0;
    for (size_t i = 0; i <= n; ++i)
        for (size_t j = 0; j < (i % n == 0 ? 1 : 2 * n); ++j) {
            const double theta = pi * (double)i / (double)n, phi = pi * (double)j / (double)n;
            double *v = mesh.vertex[mesh.vertices++];
            v[0] = axis[0] * sin(theta) * cos(phi);
            v[1] = axis[1] * sin(theta) * sin(phi);
            v[2] = axis[2] * cos(theta);
        }
    for (size_t j = 0; j < 2 * n; ++j) {
        const size_t next = (j + 1) % (2 * n), last = 1 + (n - 2) * 2 * n;
        add_triangle(0, 1 + j, 1 + next);
        add_triangle(mesh.vertices - 1, last + next, last + j);
        for (size_t i = 0; i + 2 < n; ++i) {
            const size_t above = 1 + i * 2 * n, below = above + 2 * n;
            add_triangle(above + j, below + j, above + next);
            add_triangle(above + next, below + j, below + next);
        }
    }
}

// The distance of the faces from the ellipsoid is proportional to the square of their size.
static void meshes_of_an_ellipsoid_converge_at_order_2(void **state)
{
    (void)state;
    static const double inertia[3] = {(4.0 + 1) / 5, (9.0 + 1) / 5, (9.0 + 4) / 5};
    double before[4] = {0};
    for (size_t n = 12; n <= 96; n *= 2) {
        struct scree_shape_mass mass;
        make_ellipsoid(n);
        const struct scree_shape_mesh ellipsoid = view();
        assert_int_equal(scree_shape_mass_mesh(&ellipsoid, &mass), SCREE_OK);
        const double error[4] = {1 - mass.value.volume / (8 * pi), 1 - mass.value.inertia[0] / inertia[0],
                                 1 - mass.value.inertia[1] / inertia[1],
                                 1 - mass.value.inertia[2] / inertia[2]};
        for (int k = 0; k < 4; ++k) {
            assert_true(n == 12 || (before[k] / error[k] > 3.8 && before[k] / error[k] < 4.2));
            before[k] = error[k];
        }
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(mass.value.centre[k]) <= mass.error.centre[k] + 1e-15);
    }
    assert_true(before[0] < 1e-3);
}

// A rotated and moved mesh, against the rotated values.
static void rotation_of_a_mesh_rotates_the_values(void **state)
{
    (void)state;
    uint64_t seed = 9;
    struct scree_shape_mass mass, turned;
    for (int trial = 0; trial < 20; ++trial) {
        const struct scree_quat rotation = draw_rotation(&seed, 3);
        make_ellipsoid(10);
        for (size_t v = 0; v < mesh.vertices; ++v)
            mesh.vertex[v][0] += 0.3 * mesh.vertex[v][1] * mesh.vertex[v][2] + 1;
        struct scree_shape_mesh body = view();
        assert_int_equal(scree_shape_mass_mesh(&body, &mass), SCREE_OK);
        for (size_t v = 0; v < mesh.vertices; ++v)
            scree_vec3_store(scree_quat_rotate(rotation, scree_vec3_load(mesh.vertex[v])), mesh.vertex[v]);
        assert_int_equal(scree_shape_mass_mesh(&body, &turned), SCREE_OK);
        const struct scree_shape_values reference = rotated(&mass.value, rotation);
        assert_equal_within(&turned, &reference, 6, 100, 1e-12);
    }
}

static void open_and_inverted_meshes_are_refused(void **state)
{
    (void)state;
    static const double lower[3] = {0}, edge[3] = {1, 1, 1};
    struct scree_shape_mass mass;
    struct scree_shape_mesh box;
    make_box(lower, edge);
    mesh.triangles = 11;
    box = view();
    assert_refused(scree_shape_mass_mesh(&box, &mass),
                   "the mesh is open: the edge from vertex 1 to vertex 5 belongs to 1 triangle,");
    make_box(lower, edge);
    mesh.triangle[4][0] = 1;
    mesh.triangle[4][1] = 0;
    box = view();
    assert_refused(scree_shape_mass_mesh(&box, &mass), "vertex 0 to vertex 5 have opposite orientations");
    make_box(lower, edge);
    for (size_t t = 0; t < mesh.triangles; ++t) {
        const uint32_t first = mesh.triangle[t][0];
        mesh.triangle[t][0] = mesh.triangle[t][1];
        mesh.triangle[t][1] = first;
    }
    box = view();
    assert_refused(scree_shape_mass_mesh(&box, &mass),
                   "oriented inwards, as at the edge from vertex 2 to vertex 0");
    make_box(lower, (const double[3]){1, 1, 0});
    box = view();
    assert_refused(scree_shape_mass_mesh(&box, &mass), "encloses no volume");
    make_box(lower, edge);
    mesh.triangle[3][2] = 8;
    box = view();
    assert_refused(scree_shape_mass_mesh(&box, &mass),
                   "triangle 3 has vertex 8, but vertices have numbers from 0 to 7");
    mesh.triangle[3][2] = mesh.triangle[3][1];
    assert_refused(scree_shape_mass_mesh(&box, &mass), "triangle 3 has vertex");
    make_box(lower, edge);
    mesh.vertex[5][1] = (double)NAN;
    assert_refused(scree_shape_mass_mesh(&box, &mass), "vertex 5 is not finite");
    mesh.triangles = 3;
    box = view();
    assert_refused(scree_shape_mass_mesh(&box, &mass), "at least 4 triangles");
}

static scree_status integrate(void *user)
{
    static const double lower[3] = {0}, edge[3] = {1, 1, 1};
    struct scree_shape_mass mass;
    (void)user;
    make_box(lower, edge);
    const struct scree_shape_mesh box = view();
    return scree_shape_mass_mesh(&box, &mass);
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    assert_true(scree_starve(integrate, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_its_closed_form),
        cmocka_unit_test(meshes_of_an_ellipsoid_converge_at_order_2),
        cmocka_unit_test(rotation_of_a_mesh_rotates_the_values),
        cmocka_unit_test(open_and_inverted_meshes_are_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
