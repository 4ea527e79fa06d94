// Lacey's mixing index against its definition, closed forms and the statistics of random mixtures.

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

// Puts a sphere and makes it a member of the group, or not.
static void put_member(struct scree_world *world, scree_material_id material, scree_group_id group,
                       bool member, double radius, const double place[3])
{
    const struct scree_sphere_def sphere = {
        .radius = radius, .material = material, .position = {place[0], place[1], place[2]}};
    scree_body_id id;
    assert_ok(scree_body_add_sphere(world, &sphere, &id));
    if (member)
        assert_ok(scree_group_put_body(world, group, id, true));
}

static void a_mixing_index_is_that_of_its_definition(void **state)
{
    (void)state;
    const uint32_t two[3] = {2, 1, 1}, none[3] = {2, 0, 1};
    const struct scree_measure_region box = box_of(2, 1, 1);
    double number, mass;
    // where eight equal spheres are members: separated; equal shares in both cells; no members
    static const bool patterns[][8] = {{1, 1, 1, 1}, {1, 1, 0, 0, 1, 1, 0, 0}, {0}};
    static const double expected[] = {0, 4.0 / 3, 0};
    scree_material_id material;
    scree_group_id group;
    for (size_t p = 0; p < 3; ++p) {
        struct scree_world *world = make_world(&material);
        assert_ok(scree_group_add(world, "red", &group));
        for (int b = 0; b < 8; ++b) {
            const double place[3] = {b < 4 ? 0.5 : 1.5, 0.1 + 0.2 * (b % 4), 0.5};
            put_member(world, material, group, patterns[p][b], 0.05, place);
        }
        assert_ok(scree_measure_mixing(world, &box, group, two, false, &number));
        assert_ok(scree_measure_mixing(world, &box, group, two, true, &mass));
        assert_true(fabs(number - expected[p]) < 1e-15 && fabs(mass - expected[p]) < 1e-14);
        // one body in each cell: undefined
        const uint32_t fine[3] = {2, 5, 1};
        assert_ok(scree_measure_mixing(world, &box, group, fine, false, &number));
        assert_true(number == 0);
        assert_refused(SCREE_ERROR_ARGUMENT, "got 0 along y",
                       scree_measure_mixing(world, &box, group, none, false, &number));
        scree_world_destroy(world);
    }
    // masses 1 and 8, and 8 and 1: S0^2 = 1/4, S^2 = (7/18)^2, SR^2 = 1/4 65/81
    struct scree_world *world = make_world(&material);
    assert_ok(scree_group_add(world, "red", &group));
    for (int b = 0; b < 4; ++b)
        put_member(world, material, group, b % 2 == 0, b == 0 || b == 3 ? 0.05 : 0.1,
                   (double[3]){0.5 + (b > 1), 0.2 + 0.5 * (b % 2), 0.5});
    assert_ok(scree_measure_mixing(world, &box, group, two, true, &mass));
    assert_true(fabs(mass - 2) < 1e-13);
    scree_world_destroy(world);
}

enum { MIXED = 4096 };

// Members drawn at random, half of all; places in four layers, which differ in the number of bodies.
static struct scree_world *mixture(bool reversed, scree_group_id *group)
{
    scree_material_id material;
    struct scree_world *world = make_world(&material);
    assert_ok(scree_group_add(world, "red", group));
    for (size_t n = 0; n < MIXED; ++n) {
        uint64_t seed = reversed ? MIXED - 1 - n : n;
        const double radius = 1e-3 * (1 + (double)(splitmix_next(&seed) >> 11) * 0x1p-53);
        const bool member = splitmix_next(&seed) >> 63;
        double place[3];
        for (int k = 0; k < 3; ++k)
            place[k] = (double)(splitmix_next(&seed) >> 11) * 0x1p-53;
        place[2] *= place[2];
        put_member(world, material, *group, member, radius, place);
    }
    return world;
}

// For equal bodies S^2 / SR^2 is chi-squared with 63 degrees of freedom, over 64: the index is 1 with a
// standard deviation of sqrt(2 / 63) / 64 = 0.003, here somewhat more, because masses and cells are unequal.
static void a_random_mixture_has_a_mixing_index_of_one_in_any_order(void **state)
{
    (void)state;
    const uint32_t cells[3] = {4, 4, 4};
    const struct scree_measure_region box = box_of(1, 1, 1);
    double index[2][2];
    for (int reversed = 0; reversed < 2; ++reversed) {
        scree_group_id group;
        struct scree_world *world = mixture(reversed, &group);
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
    struct scree_world *world = mixture(false, &group);
    assert_int_equal(group.value, 1);
    assert_true(scree_starve(try_mixing, world) >= 4);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mixing_index_is_that_of_its_definition),
        cmocka_unit_test(a_random_mixture_has_a_mixing_index_of_one_in_any_order),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
