// Fillings and insertions of polyhedra: no body overlaps another, a wall or the border of its region, and
// they are denser than the spheres around them could be. References: distances of all pairs of bodies, whose
// algorithm shares no test with that of the filling; points on the surfaces of walls; and the published
// density at which random placement of spheres ends.

#include "convex/pair.h"
#include "convex/point.h"
#include "math/elementary.h"
#include "math/real.h"
#include "support/folder.h"
#include "support/trial.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/cell.h>
#include <scree/polyhedron.h>
#include <scree/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {stone: {density: 2500}, paint: {density: 2500}}\n"                                          \
    "contacts:\n"                                                                                            \
    "  - {between: [paint, stone], law: none}\n"                                                             \
    "  - {between: [any, any], law: linear, stiffness: 10 kN/m, restitution: 0.5, friction: 0.4}\n"          \
    "polyhedra:\n"                                                                                           \
    "  cube: {cube: {edge: 1 cm}, rounding: 0.02 mm}\n"                                                      \
    "  die: {cube: {edge: 1 cm}, rounding: 1 mm}\n"                                                          \
    "  plate: {box: [2 cm, 2 cm, 2 mm], rounding: 0.1 mm}\n"                                                 \
    "  ball: {dodecahedron: {edge: 4 mm}, rounding: 0.1 mm}\n"                                               \
    "  thorn: {vertices: [[0, 0, 0], [3 cm, 0, 0], [0, 4 mm, 0], [0, 0, 4 mm]], rounding: 0.1 mm}\n"

// --- overlaps

// A grain as a convex body: a polyhedron, or the ball of a pebble or a sphere, which is a point with a
// rounding.
static struct scree_convex_body body_of(const struct scree_world *world, size_t grain)
{
    static struct scree_vec3 centre;
    static const struct scree_convex point = {.dimension = 3, .vertices = 1, .vertex = &centre};
    const struct scree_grain *row = &scree_world_grains(world)[grain];
    const struct scree_shape *shape = row->part == 0 ? scree_polyhedron_of(world, row->owner) : NULL;
    struct scree_convex_body body = {.shape = shape ? shape->hull : &point,
                                     .position = scree_vec3_load(row->position),
                                     .rotation = scree_mat3_identity(),
                                     .rounding = shape ? shape->rounding : row->radius};
    if (shape)
        body.rotation = scree_grain_axes(world, row->owner);
    return body;
}

static double gap_between(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    if (a->shape->vertices > 1 && b->shape->vertices > 1)
        return scree_convex_distance(a, b).gap;
    const struct scree_convex_body *body = a->shape->vertices > 1 ? a : b, *ball = body == a ? b : a;
    const struct scree_vec3 between = scree_vec3_sub(ball->position, body->position);
    return body->shape->vertices == 1
               ? scree_vec3_norm(between) - a->rounding - b->rounding
               : scree_convex_point(body->shape, scree_mat3_apply_transposed(body->rotation, between),
                                    (double)INFINITY)
                         .gap -
                     a->rounding - b->rounding;
}

// The smallest gap of two bodies, of which one is a polyhedron, over all images.
static double least_gap(struct scree_world *world)
{
    struct scree_cell_def cell;
    double least = (double)INFINITY;
    assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
    scree_grain_update_records(world, 0, NULL);
    scree_cell_get(world, &cell);
    const struct scree_grain *grain = scree_world_grains(world);
    for (size_t i = 0; i < scree_grain_count(world); ++i)
        for (size_t j = 0; j < i; ++j)
            for (int image = 0; image < 27; ++image) {
                const int step[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
                double square = 0, shift[3];
                bool exists = true;
                for (int k = 0; k < 3; ++k) {
                    exists = exists && (step[k] == 0 || cell.periodic[k]);
                    shift[k] = step[k] == 0 ? 0 : step[k] * (cell.upper[k] - cell.lower[k]);
                    const double d = grain[j].position[k] + shift[k] - grain[i].position[k];
                    square += d * d;
                }
                const double reach = grain[i].radius + grain[j].radius;
                if (!exists || grain[i].radius == 0 || grain[j].radius == 0 ||
                    grain[i].owner == grain[j].owner || square > reach * reach)
                    continue;
                const struct scree_convex_body a = body_of(world, i);
                struct scree_convex_body b = body_of(world, j);
                b.position = scree_vec3_add(b.position, scree_vec3_load(shift));
                const double gap = gap_between(&a, &b);
                least = gap < least ? gap : least;
            }
    return least;
}

static double volume_of(const struct scree_world *world)
{
    double volume = 0;
    for (size_t b = 0; b < scree_world_bodies(world); ++b) {
        const struct scree_shape *shape = scree_polyhedron_of(world, b);
        volume += shape ? shape->volume : 0;
    }
    return volume;
}

static void assert_inside(const struct scree_world *world, size_t first, const double lower[3],
                          const double upper[3])
{
    for (size_t b = first; b < scree_world_bodies(world); ++b) {
        double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
        assert_true(scree_polyhedron_include(world, b, low, high));
        for (int k = 0; k < 3; ++k)
            assert_true(low[k] >= lower[k] && high[k] <= upper[k]);
    }
}

// Random placement of equal spheres ends at a solid fraction of about 0.384, also without walls; the body is
// a part of the sphere around it. For cubes this is 0.14.
static double densest_of_spheres_around(const struct scree_shape *shape)
{
    return 0.384 * shape->volume / (4.0 / 3 * SCREE_PI * shape->reach * shape->reach * shape->reach);
}

static void cubes_are_denser_than_spheres_around_them_could_be(void **state)
{
    (void)state;
    // Random placement of equal spheres ends at a solid fraction of about 0.384, also without walls. Of the
    // sphere around a sharp cube the cube is 2 / (sqrt(3) pi) = 0.368. So cubes in spheres that do not
    // overlap end at 0.141.
    struct scree_world *world = scree_trial_build_text(
        HEAD "world: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]], periodic: [x, y, z]}\n"
             "bodies:\n"
             "  - fill: {shape: {polyhedron: {shape: cube}}, porosity: 0.78, material: stone, seed: 3,\n"
             "           inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n");
    assert_true(fabs(volume_of(world) / 1e-3 - 0.22) < 0.5e-3);
    assert_true(densest_of_spheres_around(scree_polyhedron_of(world, 0)) < 0.15);
    assert_true(least_gap(world) >= 0);
    scree_world_destroy(world);
}

static void bodies_overlap_no_image_in_a_narrow_cell(void **state)
{
    (void)state;
    // the nearest centre of two plates is often not that of the images which could overlap
    struct scree_world *world = scree_trial_build_text(
        HEAD "world: {box: [[0, 0, 0], [3 cm, 3 cm, 20 cm]], periodic: [x, y]}\n"
             "bodies:\n"
             "  - fill: {shape: {polyhedron: {shape: plate}}, count: 30, material: stone, seed: 3,\n"
             "           inside: {box: [[0, 0, 0], [3 cm, 3 cm, 20 cm]]}}\n");
    assert_int_equal(scree_world_bodies(world), 30);
    assert_true(least_gap(world) >= 0);
    scree_world_destroy(world);
}

static void bodies_of_all_sizes_fill_a_box_up_to_its_faces(void **state)
{
    (void)state;
    const double lower[3] = {0, 0, 0}, upper[3] = {0.1, 0.1, 0.1};
    struct scree_world *world = scree_trial_build_text(
        HEAD "bodies:\n"
             "  - fill: {shape: {polyhedron: {shape: plate, radius: {uniform: [2 mm, 8 mm]}}}, count: 120,\n"
             "           material: stone, seed: 1, inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n"
             "  - fill: {shape: {polyhedron: {shape: thorn}}, count: 100, material: stone, seed: 2,\n"
             "           inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n");
    double nearest = (double)INFINITY;
    assert_int_equal(scree_world_bodies(world), 220);
    assert_true(least_gap(world) >= 0);
    assert_inside(world, 0, lower, upper);
    // centres are nearer to the faces than those of the spheres around the bodies could be
    for (size_t b = 0; b < 220; ++b)
        for (int k = 0; k < 3; ++k) {
            const struct scree_grain *grain = &scree_world_grains(world)[b];
            nearest = fmin(nearest, fmin(grain->position[k], 0.1 - grain->position[k]) / grain->radius);
        }
    assert_true(nearest < 0.5);
    scree_world_destroy(world);
}

static void existing_bodies_are_obstacles_by_their_own_shape(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD "clumps: {pair: {spheres: [{radius: 4 mm, at: [0, 0, 0]}, {radius: 3 mm, at: [5 mm, 0, 0]}]}}\n"
             "world: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]], periodic: [x, y]}\n"
             "bodies:\n"
             "  - blocks: {inside: {box: [[0, 0, 0], [10 cm, 10 cm, 2 cm]]}, count: 20, rounding: 0.1 mm,\n"
             "             gap: 0.1 mm, material: stone, seed: 2}\n"
             "  - fill: {shape: {clump: {shape: pair}}, count: 60, material: stone, seed: 3,\n"
             "           inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n"
             "  - fill: {shape: {sphere: {radius: 3 mm}}, count: 100, material: stone, seed: 4,\n"
             "           inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n"
             "  - fill: {shape: {polyhedron: {shape: ball, radius: {uniform: [3 mm, 6 mm]}}}, count: 150,\n"
             "           material: stone, seed: 5, inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n"
             "  - fill: {shape: {polyhedron: {shape: plate}}, count: 40, material: stone, seed: 6,\n"
             "           inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}\n");
    assert_int_equal(scree_world_bodies(world), 370);
    // the rounding of coordinates of 10 cm, for spheres in periodic cells
    assert_true(least_gap(world) >= -1e-16);
    scree_world_destroy(world);
}

// --- walls

// Points of a surface of revolution about z.
static struct scree_vec3 revolve(double radius, double height, double angle)
{
    const struct scree_sincos a = scree_sincos(angle);
    return scree_vec3_make(radius * a.cos, radius * a.sin, height);
}

// Fails if a point is in a body.
static void assert_outside(const struct scree_world *world, struct scree_vec3 point)
{
    for (size_t b = 0; b < scree_world_bodies(world); ++b) {
        const struct scree_convex_body body = body_of(world, b);
        const struct scree_vec3 local =
            scree_mat3_apply_transposed(body.rotation, scree_vec3_sub(point, body.position));
        if (scree_vec3_norm(local) < body.shape->radius + body.rounding)
            assert_true(scree_convex_point(body.shape, local, (double)INFINITY).gap >= body.rounding);
    }
}

enum { ALONG = 100, AROUND = 200 };

// A wall, and its surface.
struct wall {
    const char *text;
    struct scree_vec3 (*at)(double u, double v); // for u, v from 0 to 1
};

static struct scree_vec3 at_cylinder(double u, double v)
{
    return revolve(0.03, 0.06 * u - 0.03, 2 * SCREE_PI * v);
}
static struct scree_vec3 at_cone(double u, double v)
{
    return revolve(0.04 * u, 0.06 * u - 0.03, 2 * SCREE_PI * v);
}
static struct scree_vec3 at_disk(double u, double v)
{
    return revolve(0.02 + 0.02 * u, 0, 2 * SCREE_PI * v);
}
static struct scree_vec3 at_rectangle(double u, double v)
{
    return scree_vec3_make(0, 0.08 * u - 0.04, 0.06 * v - 0.03);
}
static struct scree_vec3 at_sphere(double u, double v)
{
    const struct scree_sincos polar = scree_sincos(SCREE_PI * u);
    return revolve(0.03 * polar.sin, 0.03 * polar.cos, 2 * SCREE_PI * v);
}
static struct scree_vec3 at_plane(double u, double v)
{
    return scree_vec3_make(0.1 * u - 0.05, 0.1 * v - 0.05, 0.01 * (10 * u - 5));
}
static struct scree_vec3 at_container(double u, double v)
{
    return scree_vec3_make(0.04 * (2 * u - 1), 0.04 * (2 * v - 1), -0.04);
}
static struct scree_vec3 at_hollow(double u, double v)
{
    return scree_vec3_scale(at_sphere(u, v), 0.045 / 0.03);
}
// the top of a solid box
static struct scree_vec3 at_box(double u, double v)
{
    return scree_vec3_make(0.06 * u - 0.03, 0.04 * v - 0.02, 0.01);
}
// the first facet
static struct scree_vec3 at_mesh(double u, double v)
{
    return scree_vec3_make(-0.04 + 0.08 * u, -0.04 + 0.08 * v * (1 - u), 0.005);
}

static void bodies_overlap_no_wall_of_any_shape(void **state)
{
    (void)state;
    static const char facet[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex -0.04 -0.04 0.005\n"
                                "vertex 0.04 -0.04 0.005\nvertex -0.04 0.04 0.005\nendloop\nendfacet\n"
                                "endsolid a\n";
    static const struct wall walls[] = {
        {"cylinder: {from: [0, 0, -3 cm], to: [0, 0, 3 cm], radius: 3 cm", at_cylinder},
        {"cone: {from: [0, 0, -3 cm], to: [0, 0, 3 cm], radii: [0, 4 cm]", at_cone},
        {"disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 4 cm, hole: 2 cm", at_disk},
        {"rectangle: {corner: [0, -4 cm, -3 cm], edges: [[0, 8 cm, 0], [0, 0, 6 cm]]", at_rectangle},
        {"sphere: {centre: [0, 0, 0], radius: 3 cm, bodies: outside", at_sphere},
        {"box: {lower: [-3 cm, -2 cm, -1 cm], upper: [3 cm, 2 cm, 1 cm], bodies: outside", at_box},
        {"plane: {point: [0, 0, 0], normal: [-1, 0, 1]", at_plane},
        {"box: {lower: [-4 cm, -4 cm, -4 cm], upper: [4 cm, 4 cm, 6 cm]", at_container},
        {"sphere: {centre: [0, 0, 0], radius: 4.5 cm", at_hollow},
        {"mesh: {file: facet.stl, unit: m", at_mesh},
    };
    scree_folder_write(&scree_test_folder, "facet.stl", facet);
    for (size_t w = 0; w < sizeof walls / sizeof walls[0]; ++w) {
        char text[2000];
        struct scree_trial trial;
        snprintf(text, sizeof text,
                 HEAD "bodies:\n"
                      "  - fill: {shape: {polyhedron: {shape: die}}, count: 80, material: stone, seed: 1,\n"
                      "           inside: {box: [[-5 cm, -5 cm, -5 cm], [5 cm, 5 cm, 5 cm]]}}\n"
                      "walls: [{%s, material: paint}}]\n",
                 walls[w].text);
        // polyhedra have no contacts with some of these walls, but do not overlap them
        trial = scree_trial_read(scree_folder_path(&scree_test_folder, "scene.yaml"), text);
        scree_trial_assert_ok(&trial);
        (void)scree_trial_build(&trial);
        scree_trial_assert_ok(&trial);
        struct scree_world *world = scree_trial_take_world(&trial);
        assert_int_equal(scree_world_bodies(world), 80);
        for (int u = 0; u <= ALONG; ++u)
            for (int v = 0; v < AROUND; ++v)
                assert_outside(world, walls[w].at((double)u / ALONG, (double)v / AROUND));
        scree_world_destroy(world);
    }
}

static void a_body_is_inside_of_a_round_region_or_not_at_all(void **state)
{
    (void)state;
    static const char *const region[] = {"{sphere: {centre: [0, 0, 0], radius: 4 cm}}",
                                         "{cylinder: {from: [0, 0, -4 cm], to: [0, 0, 4 cm], radius: 4 cm}}"};
    for (int k = 0; k < 2; ++k) {
        char text[1500];
        double farthest = 0;
        snprintf(text, sizeof text,
                 HEAD "bodies:\n"
                      "  - fill: {shape: {polyhedron: {shape: die}}, count: 50, material: stone, seed: 1,\n"
                      "           inside: %s}\n",
                 region[k]);
        struct scree_world *world = scree_trial_build_text(text);
        assert_int_equal(scree_world_bodies(world), 50);
        assert_true(least_gap(world) >= 0);
        for (size_t b = 0; b < 50; ++b) {
            const struct scree_convex_body body = body_of(world, b);
            for (uint32_t v = 0; v < body.shape->vertices; ++v) {
                const struct scree_vec3 p =
                    scree_vec3_add(body.position, scree_mat3_apply(body.rotation, body.shape->vertex[v]));
                const double out =
                    k == 0 ? scree_vec3_norm(p) : scree_vec3_norm(scree_vec3_make(p.x, p.y, 0));
                assert_true(out + body.rounding <= 0.04 && (k == 0 || fabs(p.z) + body.rounding <= 0.04));
                farthest = fmax(farthest, out + body.rounding);
            }
        }
        // of 50 bodies of 1 cm one is nearly at the border
        assert_true(farthest > 0.039);
        scree_world_destroy(world);
    }
}

// --- insertions

static void inserted_bodies_overlap_neither_others_nor_each_other(void **state)
{
    (void)state;
    // nothing moves, so the bodies stay where they were inserted
    const double lower[3] = {0, 0, 0}, upper[3] = {0.05, 0.05, 0.05};
    struct scree_world *world =
        scree_trial_run_text(HEAD "world: {box: [[0, 0, 0], [5 cm, 5 cm, 10 cm]], periodic: [x]}\n"
                                  "bodies:\n"
                                  "  - polyhedron: {shape: plate, at: [2 cm, 2 cm, 2 cm], material: stone}\n"
                                  "  - sphere: {radius: 5 mm, at: [4 cm, 4 cm, 4 cm], material: stone}\n"
                                  "insert:\n"
                                  "  - {shape: {polyhedron: {shape: cube}}, material: stone, rate: {bodies: "
                                  "1e9 1/s}, count: 20, seed: 1,\n"
                                  "     inside: {box: [[0, 0, 0], [5 cm, 5 cm, 5 cm]]}}\n"
                                  "engine: {soft: {step: 1 us}}\nrun: {until: 2 ms}\n",
                             NULL);
    assert_int_equal(scree_world_bodies(world), 22);
    assert_true(least_gap(world) >= 0);
    // more than spheres around the cubes could fill at random
    assert_true(20 * scree_polyhedron_of(world, 21)->volume / 125e-6 >
                densest_of_spheres_around(scree_polyhedron_of(world, 21)));
    for (size_t b = 2; b < 22; ++b) {
        double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
        assert_true(scree_polyhedron_include(world, b, low, high));
        for (int k = 1; k < 3; ++k)
            assert_true(low[k] >= lower[k] && high[k] <= upper[k]);
    }
    scree_world_destroy(world);
}

// --- what does not fit

static void fillings_that_cannot_be_are_refused_by_name(void **state)
{
    (void)state;
#define FILL HEAD "bodies: [{fill: {shape: {polyhedron: {shape: cube}}, material: stone, "
#define INSIDE "inside: {box: [[0, 0, 0], [5 cm, 5 cm, 5 cm]]}}}]\n"
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "polyhedra do not grow", "%s",
                                    FILL "arrange: grow, count: 5, " INSIDE);
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD,
                                    "random packings of these sizes have at most about 0.5", "%s",
                                    FILL "count: 70, " INSIDE);
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "of 50 could be placed without overlap", "%s",
                                    FILL "count: 50, " INSIDE);
}

static void each_failed_allocation_is_reported(void **state)
{
    (void)state;
    (void)scree_trial_starve(
        SCREE_TRIAL_BUILD,
        HEAD "bodies:\n"
             "  - polyhedron: {shape: die, at: [0, 0, 0], material: stone}\n"
             "  - fill: {shape: {polyhedron: {shape: die}}, count: 3, material: stone,\n"
             "           inside: {box: [[0, 0, 0], [4 cm, 4 cm, 4 cm]]}}\n"
             "  - fill: {shape: {polyhedron: {shape: die}}, arrange: cubic, material: stone,\n"
             "           inside: {box: [[1, 0, 0], [1.04, 0.04, 0.02]]}}\n",
        NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_are_denser_than_spheres_around_them_could_be),
        cmocka_unit_test(bodies_overlap_no_image_in_a_narrow_cell),
        cmocka_unit_test(bodies_of_all_sizes_fill_a_box_up_to_its_faces),
        cmocka_unit_test(existing_bodies_are_obstacles_by_their_own_shape),
        cmocka_unit_test(bodies_overlap_no_wall_of_any_shape),
        cmocka_unit_test(a_body_is_inside_of_a_round_region_or_not_at_all),
        cmocka_unit_test(inserted_bodies_overlap_neither_others_nor_each_other),
        cmocka_unit_test(fillings_that_cannot_be_are_refused_by_name),
        cmocka_unit_test(each_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
