// Clumps: what is refused, the rows of their pebbles, removal, and measurements that treat a clump as one
// body. References: closed forms.

#include "support/clumps.h"
#include "world/grain.h"

#include <scree/measure.h>

static struct scree_world *make_world(scree_material_id *material)
{
    const struct scree_interaction_value values[] = {
        {"friction", 0, NULL}, {"stiffness", 1e4, NULL}, {"damping", 0, NULL}};
    struct scree_world *world = scree_test_empty_world();
    *material = scree_test_material(world);
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    return world;
}

static void incomplete_clumps_are_refused(void **state)
{
    (void)state;
    const struct scree_pebble good = {.radius = 1}, no_radius = {.offset = {0, 0, 0}, .radius = 0},
                              unknown = {.radius = 1, .material = {99}};
    scree_material_id material;
    scree_body_id id;
    struct scree_world *world = make_world(&material);
    const struct scree_clump_def complete = {.body = {.mass = 1, .inertia = {1, 1, 1}, .material = material},
                                             .pebble = &good,
                                             .pebbles = 1,
                                             .equal_radius = 1};
    struct scree_clump_def def = complete;
    def.pebbles = 0;
    assert_refused(SCREE_ERROR_ARGUMENT, "a clump needs from 1 to 65535 pebbles; got 0",
                   scree_body_add_clump(world, &def, &id));
    def.pebbles = 70000;
    assert_refused(SCREE_ERROR_ARGUMENT, "got 70000", scree_body_add_clump(world, &def, &id));
    def = complete;
    def.pebble = &no_radius;
    assert_refused(SCREE_ERROR_ARGUMENT, "the radius of a grain", scree_body_add_clump(world, &def, &id));
    def.pebble = &unknown;
    assert_refused(SCREE_ERROR_MISSING, "99", scree_body_add_clump(world, &def, &id));
    def = complete;
    def.body.material.value = 0;
    assert_refused(SCREE_ERROR_ARGUMENT, "a clump needs a material", scree_body_add_clump(world, &def, &id));
    def = complete;
    def.body.tensor[0] = 1;
    assert_refused(SCREE_ERROR_ARGUMENT, "principal moments", scree_body_add_clump(world, &def, &id));
    def = complete;
    def.equal_radius = 0;
    assert_refused(SCREE_ERROR_ARGUMENT, "radius of equal volume", scree_body_add_clump(world, &def, &id));
    def = complete;
    def.body.mass = 0;
    assert_refused(SCREE_ERROR_ARGUMENT, "mass", scree_body_add_clump(world, &def, &id));
    assert_int_equal(scree_body_count(world), 0);
    assert_int_equal(scree_grain_carried(world), 0);
    assert_ok(scree_body_add_clump(world, &complete, &id));
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void a_pebble_has_its_own_material_or_that_of_the_clump(void **state)
{
    (void)state;
    scree_material_id material, other;
    scree_body_id id;
    struct scree_world *world = make_world(&material);
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "other", .density = 1}, &other));
    const struct scree_pebble pebble[2] = {{.offset = {0, 0, 0}, .radius = 1},
                                           {.offset = {1, 0, 0}, .radius = 1, .material = other}};
    const struct scree_clump_def def = {.body = {.mass = 1, .inertia = {1, 1, 1}, .material = material},
                                        .pebble = pebble,
                                        .pebbles = 2,
                                        .equal_radius = 1};
    assert_ok(scree_body_add_clump(world, &def, &id));
    scree_grain_update_records(world, 0, NULL);
    const struct scree_grain *grain = scree_world_grains(world) + 1;
    assert_int_equal(grain[0].material, material.value);
    assert_int_equal(grain[1].material, other.value);
    assert_int_equal(grain[1].part, 2);
    scree_world_destroy(world);
}

// After random additions and removals each pebble still belongs to its clump, which its radius identifies.
static void pebbles_follow_their_clumps_through_additions_and_removals(void **state)
{
    (void)state;
    enum { ROUNDS = 400 };
    scree_material_id material;
    scree_body_id id, known[ROUNDS];
    size_t pebbles_of[ROUNDS], count = 0, pebbles = 0;
    uint64_t seed = 3;
    struct scree_world *world = make_world(&material);
    for (int round = 0; round < ROUNDS; ++round) {
        struct scree_pebble pebble[5];
        const size_t number = 1 + splitmix_next(&seed) % 5;
        for (size_t p = 0; p < 5; ++p)
            pebble[p] = (struct scree_pebble){.offset = {(double)p, 0, 0}, .radius = round + 1};
        const struct scree_clump_def def = {.body = {.mass = 1, .inertia = {1, 1, 1}, .material = material},
                                            .pebble = pebble,
                                            .pebbles = number,
                                            .equal_radius = round + 1};
        assert_ok(scree_body_add_clump(world, &def, &id));
        assert_int_equal(id.value, round + 1);
        known[count] = id;
        pebbles_of[count++] = number;
        pebbles += number;
        if (round % 3 == 2) {
            const size_t removed = splitmix_next(&seed) % count;
            assert_ok(scree_body_remove(world, known[removed]));
            pebbles -= pebbles_of[removed];
            known[removed] = known[--count];
            pebbles_of[removed] = pebbles_of[count];
        }
    }
    assert_int_equal(scree_grain_carried(world), pebbles);
    scree_grain_update_records(world, 0, NULL);
    for (size_t g = 0; g < pebbles; ++g) {
        const struct scree_grain *grain = &scree_world_grains(world)[scree_world_bodies(world) + g];
        assert_int_equal(scree_world_ids(world)[grain->owner], (uint64_t)grain->radius);
    }
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", got, expected);
}

// Two overlapping pebbles of radius 1 at the distance 1: their union has the volume 27 pi / 12 = 8/3 pi -
// 5/12 pi. A position that has been set counts at once.
static void the_solid_fraction_and_the_size_count_overlapping_pebbles_once(void **state)
{
    (void)state;
    const double pi = acos(-1), volume = 27 * pi / 12;
    const struct scree_pebble pebble[2] = {{.offset = {-0.5, 0, 0}, .radius = 1},
                                           {.offset = {0.5, 0, 0}, .radius = 1}};
    scree_material_id material;
    scree_body_id id;
    struct scree_world *world = make_world(&material);
    const struct scree_clump_def def = {.body = {.mass = 1, .inertia = {1, 1, 1}, .material = material},
                                        .pebble = pebble,
                                        .pebbles = 2,
                                        .equal_radius = cbrt(volume * 3 / 4 / pi)};
    const struct scree_measure_region whole = {
        .shape = SCREE_MEASURE_BOX, .lower = {-5, -5, -5}, .upper = {5, 5, 5}};
    const struct scree_measure_region right = {
        .shape = SCREE_MEASURE_BOX, .lower = {0, -5, -5}, .upper = {5, 5, 5}};
    double fraction;
    assert_ok(scree_body_add_clump(world, &def, &id));
    assert_ok(scree_measure_solid_fraction(world, &whole, &fraction));
    assert_near(fraction, volume / 1000);
    assert_ok(scree_measure_solid_fraction(world, &right, &fraction));
    assert_near(fraction, volume / 1000);
    assert_ok(scree_body_set_position(world, id, (const double[3]){2, 0, 0}));
    assert_ok(scree_measure_solid_fraction(world, &right, &fraction));
    assert_near(fraction, 2 * volume / 1000);
    assert_near(scree_grain_equal_radius(world, 0), def.equal_radius);
    assert_near(scree_grain_reach(world, 0), 1.5);
    scree_world_destroy(world);
}

// A dimer that stands between two plates, each of which it overlaps by d: the forces k d act at its ends. The
// stress is that of the forces times the distance of the plates, 2 - 2 d, over the volume.
// Two pebbles of radius 0.1 m, 0.4 m apart along x, turned by 90 degrees about z.
static void the_bounding_box_of_a_clump_is_that_of_its_pebbles(void **state)
{
    (void)state;
    const struct scree_pebble pebble[2] = {{.offset = {-0.2, 0, 0}, .radius = 0.1},
                                           {.offset = {0.2, 0, 0}, .radius = 0.1}};
    const double half = sqrt(0.5), expected[2][3] = {{0.9, 1.7, 2.9}, {1.1, 2.3, 3.1}};
    scree_material_id material;
    scree_body_id id;
    double box[2][3];
    struct scree_world *world = make_world(&material);
    const struct scree_clump_def def = {
        .body = {.mass = 1, .inertia = {1, 2, 3}, .material = material, .position = {1, 2, 3}},
        .pebble = pebble,
        .pebbles = 2,
        .equal_radius = 0.1};
    assert_ok(scree_body_add_clump(world, &def, &id));
    assert_ok(scree_body_set_orientation(world, id, (double[4]){half, 0, 0, half}));
    assert_ok(scree_body_bounds(world, id, box[0], box[1]));
    for (int k = 0; k < 3; ++k)
        for (int b = 0; b < 2; ++b)
            assert_true(fabs(box[b][k] - expected[b][k]) < 1e-15 * 8);
    scree_world_destroy(world);
}

static void the_stress_of_a_clump_has_the_branches_of_the_body(void **state)
{
    (void)state;
    const double d = 0.01, half = sqrt(0.5);
    struct scree_test_clump shape;
    scree_material_id material;
    struct scree_engine *engine;
    scree_wall_id wall;
    struct scree_world *world = make_world(&material);
    struct scree_measure_coordination_numbers numbers;
    double stress[9];
    scree_test_clump_dimer(0, 1000, &shape);
    (void)scree_test_clump_add(
        world, &shape, material,
        &(struct scree_rigid_def){.orientation = {half, 0, half, 0}, .fixed = SCREE_FIX_ALL});
    for (int side = -1; side <= 1; side += 2)
        assert_ok(scree_wall_add(
            world,
            &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                     .material = material,
                                     .plane = {.point = {0, 0, side * (1 - d)}, .normal = {0, 0, -side}}},
            &wall));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 2));
    const struct scree_measure_region whole = {
        .shape = SCREE_MEASURE_BOX, .lower = {-5, -5, -5}, .upper = {5, 5, 5}};
    assert_ok(scree_measure_stress(world, &whole, stress));
    if (!(fabs(stress[8] + 1e4 * d * (2 - 2 * d) / 1000) < 1e-9))
        fail_msg("the stress is %.12g Pa", stress[8]);
    assert_ok(scree_measure_coordination(world, &whole, &numbers));
    assert_int_equal(numbers.bodies, 1);
    assert_int_equal(numbers.contacts, 2);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incomplete_clumps_are_refused),
        cmocka_unit_test(a_pebble_has_its_own_material_or_that_of_the_clump),
        cmocka_unit_test(pebbles_follow_their_clumps_through_additions_and_removals),
        cmocka_unit_test(the_solid_fraction_and_the_size_count_overlapping_pebbles_once),
        cmocka_unit_test(the_bounding_box_of_a_clump_is_that_of_its_pebbles),
        cmocka_unit_test(the_stress_of_a_clump_has_the_branches_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
