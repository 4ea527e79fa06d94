// The library of shapes, spheres in a mesh, and both in scenes: numbers of pebbles, symmetry, contact with
// the surface that they imitate, mass properties of the bodies, and refusals.

#include "support/starve.h"
#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

enum { MOST = 600 };

static void make(const struct scree_shape_def *def, struct scree_pebble *pebble,
                 struct scree_shape_mass *mass)
{
    assert_true(def->pebbles <= MOST);
    memset(pebble, 0, MOST * sizeof *pebble);
    if (scree_shape_make(def, pebble) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    assert_int_equal(scree_shape_mass_exact(pebble, def->pebbles, def->dimension, mass), SCREE_OK);
    for (size_t p = 0; p < def->pebbles; ++p)
        assert_true(pebble[p].radius > 0);
}

// Each shape: principal axes are the coordinate axes and the centre is the origin; `equal` of the three
// moments are equal. A centre has round-off of a few bits of the length of 3, for each pebble.
static const struct symmetric {
    struct scree_shape_def def;
    int equal; // 2: those about y and z, or x and y in two dimensions
} symmetric[] = {
    {{SCREE_SHAPE_ROD, 3, 2, {3, 0, 0}, 0.8, 0}, 2},
    {{SCREE_SHAPE_ROD, 3, 9, {3, 0, 0}, 0.4, 0}, 2},
    {{SCREE_SHAPE_DIMER, 3, 2, {1, 0, 0}, 0.8, 0}, 2},
    {{SCREE_SHAPE_CROSS, 3, 7, {3, 0, 0}, 0.5, 0}, 3},
    {{SCREE_SHAPE_CROSS, 3, 19, {3, 0, 0}, 0.4, 0}, 3},
    {{SCREE_SHAPE_TETRAHEDRON, 3, 4, {1, 0, 0}, 0.6, 0}, 3},
    {{SCREE_SHAPE_TETRAHEDRON, 3, 35, {2, 0, 0}, 0.3, 0}, 3},
    {{SCREE_SHAPE_CUBE, 3, 8, {1, 0, 0}, 0.6, 0}, 3},
    {{SCREE_SHAPE_CUBE, 3, 64, {2, 0, 0}, 0.4, 0}, 3},
    {{SCREE_SHAPE_ELLIPSOID, 3, 1, {1, 1, 1}, 0, 0}, 3},
    {{SCREE_SHAPE_ELLIPSOID, 3, 12, {3, 1, 1}, 0, 0}, 2},
    {{SCREE_SHAPE_ELLIPSOID, 3, 5, {3, 2, 1}, 0, 0}, 0},
    {{SCREE_SHAPE_ELLIPSOID, 3, 40, {1, 3, 2}, 0, 0}, 0},
    {{SCREE_SHAPE_ELLIPSOID, 3, 61, {1, 2, 3}, 0, 0}, 0},
    {{SCREE_SHAPE_ROD, 2, 4, {3, 0, 0}, 0.6, 0}, 0},
    {{SCREE_SHAPE_DIMER, 2, 2, {1, 0, 0}, 0.8, 0}, 0},
    {{SCREE_SHAPE_CROSS, 2, 9, {3, 0, 0}, 0.5, 0}, 2},
    {{SCREE_SHAPE_TRIANGLE, 2, 3, {1, 0, 0}, 0.6, 0}, 2},
    {{SCREE_SHAPE_TRIANGLE, 2, 15, {2, 0, 0}, 0.3, 0}, 2},
    {{SCREE_SHAPE_SQUARE, 2, 16, {2, 0, 0}, 0.4, 0}, 2},
    {{SCREE_SHAPE_ELLIPSE, 2, 9, {1, 2, 0}, 0, 0}, 0},
};

static void shapes_of_the_library_are_symmetric(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof symmetric / sizeof symmetric[0]; ++k) {
        struct scree_pebble pebble[MOST];
        struct scree_shape_mass mass;
        const struct scree_shape_def *def = &symmetric[k].def;
        make(def, pebble, &mass);
        const double *i = mass.value.inertia;
        const double tolerance = mass.error.inertia[0] + 1e-15 * (double)def->pebbles;
        for (int a = 0; a < 3; ++a) {
            assert_true(fabs(mass.value.centre[a]) <= mass.error.centre[a] + 1e-15 * (double)def->pebbles);
            assert_true(fabs(i[3 + a]) <= tolerance);
        }
        // about y and z in three dimensions, where x is the long axis
        const int first = def->dimension == 3 && symmetric[k].equal == 2;
        if (symmetric[k].equal >= 2)
            assert_true(fabs(i[first] - i[first + 1]) <= 2 * tolerance);
        if (symmetric[k].equal == 3)
            assert_true(fabs(i[0] - i[2]) <= 2 * tolerance);
        if (symmetric[k].equal == 0)
            assert_true(fabs(i[0] - i[1]) > 0.01);
    }
}

// A sphere is inside of the ellipsoid and touches it if the least of g = x^2/a^2 + ... on the ellipsoid's
// surface as seen from its centre is at its radius: sampled on directions, whose distance of 0.02 leaves an
// error of its square.
static void pebbles_of_an_ellipsoid_touch_it_from_inside(void **state)
{
    (void)state;
    static const double half[3] = {3, 1.5, 1};
    struct scree_pebble pebble[MOST];
    struct scree_shape_mass mass;
    const struct scree_shape_def def = {SCREE_SHAPE_ELLIPSOID, 3, 30, {3, 1.5, 1}, 0, 0};
    make(&def, pebble, &mass);
    for (size_t p = 0; p < def.pebbles; ++p) {
        double least = (double)INFINITY;
        for (double theta = 0.01; theta < pi; theta += 0.02)
            for (double phi = 0; phi < 2 * pi; phi += 0.02) {
                const double at[3] = {half[0] * sin(theta) * cos(phi), half[1] * sin(theta) * sin(phi),
                                      half[2] * cos(theta)};
                double square = 0;
                for (int k = 0; k < 3; ++k)
                    square += (at[k] - pebble[p].offset[k]) * (at[k] - pebble[p].offset[k]);
                least = square < least ? square : least;
            }
        assert_true(sqrt(least) >= pebble[p].radius * (1 - 1e-12));
        assert_true(sqrt(least) <= pebble[p].radius + 0.02 * 0.02 * 9);
    }
    // more pebbles fill more of it: a fixed number of spheres can not
    double before = 0;
    for (size_t n = 8; n <= 512; n *= 4) {
        const struct scree_shape_def finer = {SCREE_SHAPE_ELLIPSOID, 3, n, {3, 1.5, 1}, 0, 0};
        make(&finer, pebble, &mass);
        assert_true(mass.value.volume > before && mass.value.volume < 4 * pi / 3 * 4.5);
        before = mass.value.volume;
    }
    assert_true(before > 0.97 * 4 * pi / 3 * 4.5);
}

static void pebbles_of_an_ellipse_touch_it_from_inside(void **state)
{
    (void)state;
    struct scree_pebble pebble[MOST];
    struct scree_shape_mass mass;
    const struct scree_shape_def def = {SCREE_SHAPE_ELLIPSE, 2, 100, {3, 1, 0}, 0, 0};
    make(&def, pebble, &mass);
    assert_true(fabs(pebble[0].offset[0] + pebble[99].offset[0]) < 1e-15);
    // the outermost disk has the radius of curvature b^2 / a
    assert_true(fabs(pebble[0].radius - 1.0 / 3) < 1e-15);
    assert_true(mass.value.volume < 3 * pi && mass.value.volume > 0.999 * 3 * pi);
}

static void irregular_bodies_follow_the_seed(void **state)
{
    (void)state;
    struct scree_pebble a[MOST], b[MOST];
    struct scree_shape_mass mass, other;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        struct scree_shape_def def = {SCREE_SHAPE_PEBBLE, dimension, 12, {0}, 3, 5};
        make(&def, a, &mass);
        make(&def, b, &other);
        assert_memory_equal(a, b, 12 * sizeof *a);
        for (size_t p = 0; p < 12; ++p) {
            const double *c = a[p].offset;
            const double far = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) + a[p].radius;
            assert_true(p == 0 ? far == 0.6 * 3 : fabs(far - 3) < 1e-14);
        }
        def.seed = 6;
        make(&def, b, &other);
        assert_true(other.value.volume != mass.value.volume);
    }
}

static void assert_refused(enum scree_shape_kind kind, int dimension, size_t pebbles, double length,
                           double radius, const char *message)
{
    struct scree_pebble pebble[MOST];
    const struct scree_shape_def def = {kind, dimension, pebbles, {length, length, length}, radius, 0};
    assert_int_equal(scree_shape_make(&def, pebble), SCREE_ERROR_ARGUMENT);
    if (!strstr(scree_status_message(), message))
        fail_msg("'%s' does not contain '%s'", scree_status_message(), message);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    assert_refused(SCREE_SHAPE_ROD, 3, 3, 10, 1, "neighbouring pebbles of radius 1 m would be 4 m apart");
    assert_refused(SCREE_SHAPE_ROD, 3, 3, 2, 1, "must be above twice the radius");
    assert_refused(SCREE_SHAPE_ROD, 3, 1, 2, 1, "at least 2 pebbles");
    assert_refused(SCREE_SHAPE_DIMER, 3, 2, 2.1, 1, "not touch");
    assert_refused(SCREE_SHAPE_DIMER, 3, 3, 1, 1, "a dimer has 2 pebbles");
    assert_refused(SCREE_SHAPE_CROSS, 3, 9, 4, 1, "7, 13, 19 and so on, not 9");
    assert_refused(SCREE_SHAPE_CROSS, 2, 7, 4, 1, "5, 9, 13 and so on, not 7");
    assert_refused(SCREE_SHAPE_CUBE, 3, 9, 4, 3, "8, 27, 64 pebbles and so on, not 9");
    assert_refused(SCREE_SHAPE_CUBE, 3, 8, 4, 1, "not touch");
    assert_refused(SCREE_SHAPE_CUBE, 2, 8, 4, 1, "there is no cube in 2 dimensions");
    assert_refused(SCREE_SHAPE_TETRAHEDRON, 3, 5, 4, 3, "4, 10, 20 pebbles and so on, not 5");
    assert_refused(SCREE_SHAPE_TRIANGLE, 3, 6, 4, 3, "there is no triangle in 3 dimensions");
    assert_refused(SCREE_SHAPE_ELLIPSOID, 3, 6, 0, 1, "length 1 of the ellipsoid must be a positive number");
    assert_refused(SCREE_SHAPE_PEBBLE, 3, 6, 0, (double)NAN,
                   "the radius of the pebble must be a positive number");
    assert_refused(SCREE_SHAPE_KINDS, 3, 6, 1, 1, "there is no shape number");
    assert_refused(SCREE_SHAPE_ELLIPSE, 2, 0, 1, 1, "at least one pebble");
}

// At the ends of the longest axis the radius of curvature is c^2 / a, so two disks are 2 (a - c^2 / a) - 2
// c^2 / a apart.
static void ellipsoids_that_would_fall_apart_are_refused(void **state)
{
    (void)state;
    struct scree_pebble pebble[MOST];
    static const struct {
        struct scree_shape_def def;
        const char *message;
    } rows[] = {
        {{SCREE_SHAPE_ELLIPSE, 2, 2, {3, 1, 0}, 0, 0},
         "this ellipse is too flat for 2 pebbles: some would be 4.67 m"},
        {{SCREE_SHAPE_ELLIPSOID, 3, 25, {3, 2, 1e-3}, 0, 0}, "this ellipsoid is too flat for 25 pebbles"},
        {{SCREE_SHAPE_ELLIPSOID, 3, 25, {3, 2, 1e-12}, 0, 0},
         "this ellipsoid is too flat: pebbles at its edge"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        assert_int_equal(scree_shape_make(&rows[r].def, pebble), SCREE_ERROR_ARGUMENT);
        if (!strstr(scree_status_message(), rows[r].message))
            fail_msg("'%s' does not contain '%s'", scree_status_message(), rows[r].message);
    }
}

// --- spheres in a mesh

static const double cube_vertex[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t cube_triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                              {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const struct scree_shape_mesh cube = {cube_vertex, 8, cube_triangle, 12};

static size_t pack(const struct scree_shape_packing *wanted, struct scree_pebble *pebble,
                   struct scree_shape_fidelity *fidelity)
{
    size_t pebbles;
    memset(pebble, 0, MOST * sizeof *pebble);
    if (scree_shape_pack(&cube, wanted, pebble, &pebbles, fidelity) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    assert_in_range(pebbles, 1, wanted->pebbles);
    for (size_t p = 0; p < pebbles; ++p)
        for (int k = 0; k < 3; ++k) {
            assert_true(pebble[p].offset[k] - pebble[p].radius > -1e-12);
            assert_true(pebble[p].offset[k] + pebble[p].radius < 1 + 1e-12);
        }
    return pebbles;
}

// One sphere in a cube: the inscribed one, found by steps down to 1e-4 of the radius. Its surface is
// sqrt(3)/2 - 1/2 from the corners, and the sphere of equal volume has the radius (3 / (4 pi))^(1/3).
static void one_sphere_in_a_cube_is_the_inscribed_one(void **state)
{
    (void)state;
    struct scree_pebble pebble[MOST];
    struct scree_shape_fidelity fidelity;
    const struct scree_shape_packing one = {.pebbles = 1};
    assert_int_equal(pack(&one, pebble, &fidelity), 1);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(pebble[0].offset[k] - 0.5) < 2e-4);
    assert_true(fabs(pebble[0].radius - 0.5) < 2e-4);
    assert_true(fabs(fidelity.volume - (1 - pi / 6)) < 1e-3);
    assert_true(fabs(fidelity.inertia - (1 - 0.1 / (1.0 / 6))) < 1e-3);
    assert_true(fabs(fidelity.surface - (sqrt(0.75) - 0.5) / cbrt(3 / (4 * pi))) < 1e-3);
}

static void more_spheres_follow_a_mesh_more_closely(void **state)
{
    (void)state;
    struct scree_pebble pebble[MOST];
    struct scree_shape_mass mass;
    struct scree_shape_fidelity fidelity, before = {1, 1, 1};
    // with a few spheres the farthest corner may stay the same
    for (size_t n = 1; n <= 125; n *= 5) {
        const struct scree_shape_packing wanted = {.pebbles = n};
        const size_t pebbles = pack(&wanted, pebble, &fidelity);
        assert_true(fidelity.volume < before.volume && fidelity.inertia < before.inertia &&
                    fidelity.surface <= before.surface + 1e-3);
        assert_int_equal(scree_shape_mass_exact(pebble, pebbles, 3, &mass), SCREE_OK);
        assert_true(fabs(1 - mass.value.volume - fidelity.volume) < 1e-12);
        before = fidelity;
    }
    assert_true(before.volume < 0.1 && before.surface < 0.2);
}

static void spheres_are_added_until_the_wanted_errors_are_reached(void **state)
{
    (void)state;
    struct scree_pebble pebble[MOST];
    struct scree_shape_fidelity by_volume, by_surface;
    const struct scree_shape_packing volume = {.pebbles = 500, .volume_error = 0.2};
    const struct scree_shape_packing surface = {.pebbles = 500, .surface_error = 0.35};
    const size_t first = pack(&volume, pebble, &by_volume);
    // the volume is counted with 20000 points, whose lattice has an error of a few percent of the difference
    assert_true(first < 100 && by_volume.volume < 0.21 && by_volume.volume > 0.17);
    const size_t second = pack(&surface, pebble, &by_surface);
    assert_true(second < 100 && by_surface.surface <= 0.35);
}

// --- scenes

#define HEAD                                                                                                 \
    "scree: 1\nmaterials: {glass: {density: 2000}}\ncontacts: [{between: [any, any], law: none}]\n"          \
    "engine: {soft: {step: 1 us}}\nrun: {until: 1 us}\n"
#define TETRAHEDRON                                                                                          \
    "mesh: {vertices: [[0, 0, 0], [6 mm, 0, 0], [0, 6 mm, 0], [0, 0, 6 mm]], "                               \
    "triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], pebbles: 8}"

static struct scree_body_state body_of(const char *text, struct scree_trial *trial)
{
    struct scree_body_state body;
    *trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    scree_trial_build(trial);
    scree_trial_assert_ok(trial);
    assert_int_equal(scree_body_get(trial->world, (scree_body_id){1}, &body), SCREE_OK);
    return body;
}

// The tetrahedron with three edges of length a along the axes: volume a^3/6, moments of inertia a^2/20 m +
// ... about the principal axes: the variance of a coordinate is 3 a^2/80, the covariance of two -a^2/80.
static void mass_and_inertia_of_a_body_can_be_those_of_its_mesh(void **state)
{
    (void)state;
    struct scree_trial trial;
    struct scree_scene_clump clump;
    const struct scree_body_state body =
        body_of(HEAD "clumps: {t: {" TETRAHEDRON ", mass: {of: mesh}}}\n"
                     "bodies: [{clump: {shape: t, at: [0, 0, 0], material: glass, scale: 2}}]\n",
                &trial);
    const double a = 12e-3, mass = 2000 * a * a * a / 6, unit = mass * a * a / 80;
    assert_true(fabs(body.mass / mass - 1) < 1e-13);
    // eigenvalues of the covariance in units of a^2/80: 4, 4 and 1; moments are the trace 9 minus them
    double sum = 0, largest = 0;
    for (int k = 0; k < 3; ++k) {
        sum += body.inertia[k] / unit;
        largest = body.inertia[k] / unit > largest ? body.inertia[k] / unit : largest;
    }
    assert_true(fabs(sum - 18) < 1e-11 && fabs(largest - 8) < 1e-11);
    assert_true(scree_scene_clump_at(trial.scene, 0, &clump));
    assert_string_equal(clump.name, "t");
    assert_true(clump.is_mesh && clump.method == SCREE_SHAPE_OF_MESH && clump.pebbles == 8);
    assert_true(fabs(clump.mass.value.centre[1] - 1.5e-3) < 1e-15);
    assert_true(clump.fidelity.volume > 0.1 && clump.fidelity.volume < 0.6);
    assert_false(scree_scene_clump_at(trial.scene, 1, &clump));
    scree_trial_free(&trial);
}

static void shapes_in_scenes_have_the_mass_of_their_pebbles(void **state)
{
    (void)state;
    static const char *const shapes[] = {"rod: {length: 6 mm, radius: 1 mm, pebbles: 5}",
                                         "dimer: {distance: 2 mm, radius: 1.5 mm}",
                                         "cross: {length: 6 mm, radius: 1 mm, pebbles: 13}",
                                         "tetrahedron: {edge: 4 mm, radius: 1.5 mm, pebbles: 10}",
                                         "cube: {edge: 4 mm, radius: 1.5 mm, pebbles: 27}",
                                         "ellipsoid: {half-axes: [3 mm, 2 mm, 1 mm], pebbles: 25}",
                                         "pebble: {radius: 3 mm, pebbles: 12, seed: 5}"};
    static const struct scree_shape_def def[] = {{SCREE_SHAPE_ROD, 3, 5, {6e-3, 0, 0}, 1e-3, 0},
                                                 {SCREE_SHAPE_DIMER, 3, 2, {2e-3, 0, 0}, 1.5e-3, 0},
                                                 {SCREE_SHAPE_CROSS, 3, 13, {6e-3, 0, 0}, 1e-3, 0},
                                                 {SCREE_SHAPE_TETRAHEDRON, 3, 10, {4e-3, 0, 0}, 1.5e-3, 0},
                                                 {SCREE_SHAPE_CUBE, 3, 27, {4e-3, 0, 0}, 1.5e-3, 0},
                                                 {SCREE_SHAPE_ELLIPSOID, 3, 25, {3e-3, 2e-3, 1e-3}, 0, 0},
                                                 {SCREE_SHAPE_PEBBLE, 3, 12, {0}, 3e-3, 5}};
    for (size_t k = 0; k < sizeof def / sizeof def[0]; ++k) {
        char text[1000];
        struct scree_trial trial;
        struct scree_pebble pebble[MOST];
        struct scree_shape_mass mass;
        snprintf(text, sizeof text,
                 HEAD "clumps: {a: {%s}}\nbodies: [{clump: {shape: a, at: [0, 0, 0], material: glass}}]\n",
                 shapes[k]);
        const struct scree_body_state body = body_of(text, &trial);
        make(&def[k], pebble, &mass);
        assert_true(fabs(body.mass / (2000 * mass.value.volume) - 1) < 1e-13);
        const double trace = mass.value.inertia[0] + mass.value.inertia[1] + mass.value.inertia[2];
        const double sum = body.inertia[0] + body.inertia[1] + body.inertia[2];
        assert_true(fabs(sum / (body.mass * trace) - 1) < 1e-12);
        scree_trial_free(&trial);
    }
}

static void a_sampled_mass_is_within_its_error(void **state)
{
    (void)state;
    struct scree_trial trial;
    struct scree_scene_clump exact, sampled;
    body_of(
        HEAD
        "clumps: {a: {dimer: {distance: 2 mm, radius: 1.5 mm}}, b: {dimer: {distance: 2 mm, radius: 1.5 mm}, "
        "mass: {samples: 10000, seed: 4}}}\n"
        "bodies: [{clump: {shape: a, at: [0, 0, 0], material: glass}}]\n",
        &trial);
    assert_true(scree_scene_clump_at(trial.scene, 0, &exact) &&
                scree_scene_clump_at(trial.scene, 1, &sampled));
    assert_true(exact.method == SCREE_SHAPE_EXACT && sampled.method == SCREE_SHAPE_SAMPLED);
    const double difference = fabs(exact.mass.value.volume - sampled.mass.value.volume);
    assert_true(difference > 0 && difference < 4 * sampled.mass.error.volume);
    scree_trial_free(&trial);
}

static void mistakes_in_shapes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *message;
    } wrong[] = {
        {"cube: {edge: 4 mm, radius: 3 mm, pebbles: 9}", "8, 27, 64 pebbles and so on, not 9"},
        {"square: {edge: 4 mm, radius: 3 mm, pebbles: 9}", "there is no square in 3 dimensions"},
        {"rod: {length: 4 mm, radius: 3 mm, pebbles: 9}", "must be above twice the radius"},
        {"mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], "
         "[0, 3, 2], "
         "[2, 1, 3]], pebbles: 20}",
         "opposite orientations"},
        {"mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], "
         "[0, 3, 2], "
         "[1, 2, 2.5]], pebbles: 20}",
         "must be whole, not 2.5"},
        {"mesh: {vertices: [[0, 0]], triangles: [[0, 2, 1]], pebbles: 20}", "a list of three numbers"},
        {"dimer: {distance: 1 mm, radius: 3 mm}, mass: {of: mesh}", "the shape has no 'mesh'"},
        {"dimer: {distance: 1 mm, radius: 3 mm}, rod: {length: 4 mm, radius: 1 mm, pebbles: 9}", "rod"},
    };
    // the shape is not used by any body
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, wrong[k].message, HEAD "clumps: {a: {%s}}\n",
                                        wrong[k].shape);
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    assert_true(
        scree_trial_starve(SCREE_TRIAL_BUILD,
                           HEAD "clumps: {t: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
                                "triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], pebbles: 1}}, "
                                "r: {rod: {length: 6 mm, radius: 1 mm, pebbles: 5}}}\n"
                                "bodies: [{clump: {shape: r, at: [0, 0, 0], material: glass}}]\n",
                           NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_the_library_are_symmetric),
        cmocka_unit_test(pebbles_of_an_ellipsoid_touch_it_from_inside),
        cmocka_unit_test(pebbles_of_an_ellipse_touch_it_from_inside),
        cmocka_unit_test(ellipsoids_that_would_fall_apart_are_refused),
        cmocka_unit_test(irregular_bodies_follow_the_seed),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(one_sphere_in_a_cube_is_the_inscribed_one),
        cmocka_unit_test(more_spheres_follow_a_mesh_more_closely),
        cmocka_unit_test(spheres_are_added_until_the_wanted_errors_are_reached),
        cmocka_unit_test(mass_and_inertia_of_a_body_can_be_those_of_its_mesh),
        cmocka_unit_test(shapes_in_scenes_have_the_mass_of_their_pebbles),
        cmocka_unit_test(a_sampled_mass_is_within_its_error),
        cmocka_unit_test(mistakes_in_shapes_are_reported),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
