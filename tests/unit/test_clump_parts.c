// Clumps of convex polyhedra: mass properties, bounds of lever arms, and what is refused. References: sums
// over cubes and closed forms; a single box that a body of two boxes must equal.

#include "engine/lever.h"
#include "support/concave.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/worlds.h"
#include "world/grain.h"

#include <float.h>

static const double rounding = 0.002;

// --- mass

// An L of five cubes of edge a, volume a^3: points and the inertia a^2 / 6 of each. Its parts are sharp.
static void mass_and_inertia_are_those_of_the_cubes_of_the_body(void **state)
{
    (void)state;
    static const double cube[5][3] = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-1, 0, 1}, {-1, 0, 2}};
    struct scree_world *world = scree_test_empty_world();
    struct scree_pebble part[2];
    struct scree_shape_mass mass;
    double centre[3] = {0}, expected[6] = {0};
    scree_concave_parts(world, &scree_concave_ell, 0, part);
    assert_ok(scree_shape_mass_clump(world, part, 2, &mass));
    for (int c = 0; c < 5; ++c)
        for (int k = 0; k < 3; ++k)
            centre[k] += scree_concave_width * cube[c][k] / 5;
    for (int c = 0; c < 5; ++c) {
        double d[3];
        for (int k = 0; k < 3; ++k)
            d[k] = scree_concave_width * cube[c][k] - centre[k];
        for (int k = 0; k < 3; ++k) {
            const double *u = &d[(k + 1) % 3], *v = &d[(k + 2) % 3];
            expected[k] += (scree_concave_width * scree_concave_width / 6 + *u * *u + *v * *v) / 5;
            expected[3 + k] -= *u * *v / 5;
        }
    }
    // the errors that the program gives are bounds
    scree_test_near(mass.value.volume, 5 * scree_concave_width * scree_concave_width * scree_concave_width,
                    mass.error.volume);
    assert_true(mass.error.volume < 1e-11 * mass.value.volume);
    for (int k = 0; k < 3; ++k)
        scree_test_near(mass.value.centre[k], centre[k], mass.error.centre[k]);
    for (int k = 0; k < 6; ++k)
        scree_test_near(mass.value.inertia[k], expected[k], mass.error.inertia[k]);
    assert_true(mass.error.inertia[0] < 1e-10 * expected[0]);
    scree_world_destroy(world);
}

// Spheres that overlap count once: two of radius r at the distance r have 2 balls less a lens of 5/12 pi r^3.
static void spheres_of_a_mixed_body_may_overlap_but_polyhedra_may_not(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_pebble part[3] = {{.radius = 0.1}, {.offset = {0, 0.1, 0}, .radius = 0.1}, {.radius = 0}};
    struct scree_shape_mass mass;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){0.3, 0.1, 0.1}, rounding, &part[2].shape));
    part[2].offset[2] = -0.15;
    assert_ok(scree_shape_mass_clump(world, part, 3, &mass));
    struct scree_shape_mass box;
    assert_ok(scree_shape_mass_clump(world, part + 2, 1, &box));
    const double pi = acos(-1), balls = (8.0 / 3 - 5.0 / 12) * pi * 1e-3;
    scree_test_near(mass.value.volume, balls + box.value.volume, mass.error.volume + box.error.volume);
    // the face of the box is 0.05 above its centre
    part[2].offset[2] = -0.149;
    assert_refused(SCREE_ERROR_ARGUMENT, "parts 1 and 3 overlap by 0.001 m",
                   scree_shape_mass_clump(world, part, 3, &mass));
    scree_concave_parts(world, &scree_concave_you, rounding, part);
    part[2].offset[2] -= 0.002;
    assert_refused(SCREE_ERROR_ARGUMENT, "parts 1 and 3 overlap by 0.002 m",
                   scree_shape_mass_clump(world, part, 3, &mass));
    scree_world_destroy(world);
}

// --- step

// The vertices of both parts are those of the box, and four at the cut within it: the largest is the same.
static void the_bound_of_the_lever_arm_is_that_of_the_box(void **state)
{
    (void)state;
    double bound[2] = {0};
    for (int n = 0; n < 2; ++n) {
        struct scree_rigid_def def = {.orientation = {0.9, 0.1, 0.3, 0.2}};
        struct scree_world *world = scree_test_empty_world();
        def.material = scree_test_material(world);
        scree_concave_add(world, n == 0 ? &scree_concave_whole : &scree_concave_halves, 0, &def);
        assert_ok(scree_grain_reserve_records(world));
        scree_grain_update_records(world, 0, NULL);
        const struct scree_step_inputs inputs = {.world = world};
        for (size_t part = 1; part <= (n == 0 ? 1 : 2); ++part) {
            const struct scree_lever lever = scree_lever_bound(&inputs, part);
            bound[n] = lever.normal > bound[n] ? lever.normal : bound[n];
        }
        scree_world_destroy(world);
    }
    scree_test_near(bound[1], bound[0], 64 * DBL_EPSILON * bound[0]);
}

// --- memory

static scree_status build_and_run(void *user)
{
    const struct scree_folder *folder = (const struct scree_folder *)user;
    const char *path = scree_folder_path(folder, "starved.chk");
    struct scree_world *world = NULL, *copy = NULL;
    struct scree_engine *engine = NULL;
    struct scree_clump_def def = {.body = {.orientation = {1, 0, 0, 0}}};
    struct scree_pebble part[2] = {{.offset = {0.05, 0, 0}}, {.offset = {-0.05, 0, 0.01}}};
    struct scree_shape_mass mass;
    scree_body_id id;
    scree_status status = scree_world_create(NULL, &world);
    if (status == SCREE_OK)
        status = scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000},
                                    &def.body.material);
    if (status == SCREE_OK)
        status = scree_polyhedron_add_box(
            world, (const double[3]){scree_concave_width, scree_concave_width, scree_concave_width}, rounding,
            &part[0].shape);
    part[1].shape = part[0].shape;
    if (status == SCREE_OK)
        status = scree_shape_mass_clump(world, part, 2, &mass);
    if (status == SCREE_OK)
        status = scree_shape_place_clump(&mass, 1000, part, 2, &def);
    if (status == SCREE_OK)
        status = scree_body_add_clump(world, &def, &id);
    if (status == SCREE_OK)
        status = scree_soft_create(world, &(struct scree_soft_def){.step = 1e-6, .threads = 1}, &engine);
    if (status == SCREE_OK)
        status = scree_engine_run(engine, 3);
    if (status == SCREE_OK)
        status = scree_checkpoint_write(world, path);
    if (status == SCREE_OK)
        status = scree_world_create(NULL, &copy);
    if (status == SCREE_OK)
        status = scree_checkpoint_read(copy, path);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_world_destroy(copy);
    return status;
}

static void nothing_is_lost_when_an_allocation_fails(void **state)
{
    (void)state;
    const struct scree_folder folder = scree_folder_make("concave-memory");
    assert_true(scree_starve(build_and_run, (void *)(uintptr_t)&folder) > 40);
    scree_folder_end(&folder, "starved.chk");
}

// --- what is refused

static void add_refused(struct scree_world *world, const struct scree_clump_def *good,
                        const struct scree_pebble *part, scree_status expected, const char *word)
{
    struct scree_clump_def def = *good;
    scree_body_id id;
    def.pebble = part;
    assert_refused(expected, word, scree_body_add_clump(world, &def, &id));
    assert_int_equal(scree_body_count(world), 0);
}

static void parts_that_are_not_possible_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world(), *flat;
    const struct scree_clump_def good = {
        .body = {.mass = 1, .inertia = {1, 1, 1}, .material = scree_test_material(world)},
        .pebbles = 1,
        .equal_radius = 1};
    struct scree_pebble part[1];
    scree_concave_parts(world, &scree_concave_whole, rounding, part);
    part[0].radius = 0.1;
    add_refused(world, &good, part, SCREE_ERROR_ARGUMENT,
                "pebble 1 is a polyhedron, which has no radius; got 0.1");
    part[0] = (struct scree_pebble){.shape = {7}};
    add_refused(world, &good, part, SCREE_ERROR_MISSING, "pebble 1 has the shape 7, which does not exist");
    part[0] = (struct scree_pebble){.radius = 1, .orientation = {1, 0, 0, 0}};
    add_refused(world, &good, part, SCREE_ERROR_ARGUMENT, "only a polyhedron has one");
    scree_world_destroy(world);
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &flat));
    const struct scree_clump_def polar = {
        .body = {.mass = 1, .polar = 1, .material = scree_test_material(flat)},
        .pebbles = 1,
        .equal_radius = 1};
    part[0] = (struct scree_pebble){.shape = {1}};
    add_refused(flat, &polar, part, SCREE_ERROR_UNSUPPORTED, "needs a world of three dimensions");
    scree_world_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_inertia_are_those_of_the_cubes_of_the_body),
        cmocka_unit_test(spheres_of_a_mixed_body_may_overlap_but_polyhedra_may_not),
        cmocka_unit_test(the_bound_of_the_lever_arm_is_that_of_the_box),
        cmocka_unit_test(nothing_is_lost_when_an_allocation_fails),
        cmocka_unit_test(parts_that_are_not_possible_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
