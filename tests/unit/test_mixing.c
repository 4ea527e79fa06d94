// Lacey's mixing index (measure/mixing.c) against its definition, closed forms and the statistics of random
// mixtures.

#include "support/splitmix.h"
#include "support/starve.h"
#include "support/worlds.h"

#include <scree/body.h>
#include <scree/group.h>
#include <scree/material.h>
#include <scree/measure.h>

#include <math.h>

static struct scree_world *make_world(scree_material_id *material)
{
    struct scree_world *world;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 3}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    return world;
}

static struct scree_measure_region box_of(double x, double y, double z)
{
    return (struct scree_measure_region){.shape = SCREE_MEASURE_BOX, .upper = {x, y, z}};
}

// Adds a sphere, to the group too if `member` is true.
static void add_sphere(struct scree_world *world, scree_material_id material, scree_group_id group,
                       bool member, double radius, const double position[3])
{
    const struct scree_sphere_def sphere = {
        .radius = radius, .material = material, .position = {position[0], position[1], position[2]}};
    scree_body_id id;
    assert_ok(scree_body_add_sphere(world, &sphere, &id));
    if (member)
        assert_ok(scree_group_put_body(world, group, id, true));
}

static void the_mixing_index_agrees_with_its_definition(void **state)
{
    (void)state;
    const uint32_t cells[3] = {2, 1, 1}, no_cells[3] = {2, 0, 1};
    const struct scree_measure_region box = box_of(2, 1, 1);
    double number, mass;
    // membership of eight equal spheres, four per cell: separated; half of each cell; no members
    static const bool patterns[][8] = {{1, 1, 1, 1}, {1, 1, 0, 0, 1, 1, 0, 0}, {0}};
    static const double expected[] = {0, 4.0 / 3, 0};
    scree_material_id material;
    scree_group_id group;
    for (size_t p = 0; p < 3; ++p) {
        struct scree_world *world = make_world(&material);
        assert_ok(scree_group_add(world, "red", &group));
        for (int b = 0; b < 8; ++b) {
            const double position[3] = {b < 4 ? 0.5 : 1.5, 0.1 + 0.2 * (b % 4), 0.5};
            add_sphere(world, material, group, patterns[p][b], 0.05, position);
        }
        assert_ok(scree_measure_mixing(world, &box, group, cells, false, &number));
        assert_ok(scree_measure_mixing(world, &box, group, cells, true, &mass));
        assert_true(fabs(number - expected[p]) < 1e-15 && fabs(mass - expected[p]) < 1e-14);
        // cells with at most one body: the index is not defined, and 0 is returned
        const uint32_t one_body_each[3] = {2, 5, 1};
        assert_ok(scree_measure_mixing(world, &box, group, one_body_each, false, &number));
        assert_true(number == 0);
        assert_refused(SCREE_ERROR_ARGUMENT, "got 0 along y",
                       scree_measure_mixing(world, &box, group, no_cells, false, &number));
        scree_world_destroy(world);
    }
    // members have mass 1 beside 8 in one cell, 8 beside 1 in the other: S0^2 = 1/4, S^2 = (7/18)^2,
    // SR^2 = 65/324
    struct scree_world *world = make_world(&material);
    assert_ok(scree_group_add(world, "red", &group));
    for (int b = 0; b < 4; ++b)
        add_sphere(world, material, group, b % 2 == 0, b == 0 || b == 3 ? 0.05 : 0.1,
                   (double[3]){0.5 + (b > 1), 0.2 + 0.5 * (b % 2), 0.5});
    assert_ok(scree_measure_mixing(world, &box, group, cells, true, &mass));
    assert_true(fabs(mass - 2) < 1e-13);
    scree_world_destroy(world);
}

enum { BODIES = 4096 };

// Half of the bodies, drawn at random, are members. Bodies are denser at small z.
static struct scree_world *random_mixture(bool reversed, scree_group_id *group)
{
    scree_material_id material;
    struct scree_world *world = make_world(&material);
    assert_ok(scree_group_add(world, "red", group));
    for (size_t n = 0; n < BODIES; ++n) {
        uint64_t seed = reversed ? BODIES - 1 - n : n;
        const double radius = 1e-3 * (1 + (double)(splitmix_next(&seed) >> 11) * 0x1p-53);
        const bool member = splitmix_next(&seed) >> 63;
        double position[3];
        for (int k = 0; k < 3; ++k)
            position[k] = (double)(splitmix_next(&seed) >> 11) * 0x1p-53;
        position[2] *= position[2];
        add_sphere(world, material, *group, member, radius, position);
    }
    return world;
}

// For equal bodies 64 S^2 / SR^2 has a chi-squared distribution with 63 degrees of freedom: the index is 1
// with a standard deviation of sqrt(2 / 63) / 64 = 0.003, here somewhat more, because masses and cells are
// unequal.
static void the_mixing_index_of_a_random_mixture_is_one_in_any_order_of_bodies(void **state)
{
    (void)state;
    const uint32_t cells[3] = {4, 4, 4};
    const struct scree_measure_region box = box_of(1, 1, 1);
    double index[2][2];
    for (int reversed = 0; reversed < 2; ++reversed) {
        scree_group_id group;
        struct scree_world *world = random_mixture(reversed, &group);
        for (int by_mass = 0; by_mass < 2; ++by_mass) {
            assert_ok(scree_measure_mixing(world, &box, group, cells, by_mass, &index[reversed][by_mass]));
            assert_true(fabs(index[reversed][by_mass] - 1) < 0.02);
        }
        scree_world_destroy(world);
    }
    assert_memory_equal(index[0], index[1], sizeof index[0]);
}

static scree_status try_mixing(void *user)
{
    double value;
    struct scree_world *world = (struct scree_world *)user;
    const struct scree_measure_region box = box_of(1, 1, 1);
    return scree_measure_mixing(world, &box, (scree_group_id){1}, (const uint32_t[3]){2, 2, 2}, true, &value);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    scree_group_id group;
    struct scree_world *world = random_mixture(false, &group);
    assert_int_equal(group.value, 1);
    assert_true(scree_starve(try_mixing, world) >= 4);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mixing_index_agrees_with_its_definition),
        cmocka_unit_test(the_mixing_index_of_a_random_mixture_is_one_in_any_order_of_bodies),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
