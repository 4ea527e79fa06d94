// Rough walls in the event engine: rebounds have the distribution of the table, energy and the bits of a run
// that is divided are kept.

#include "support/table.h"
#include "support/worlds.h"

#include <scree/event.h>

static const double degree = 3.14159265358979323846 / 180;

enum { BODIES = 20000 };

// Bodies far apart, which do not touch each other, fall on a rough plane y = 0 at an angle to it. Half of the
// gaps are random, so that they hit it at different times.
static struct scree_world *make(int dimension, double roughness, double angle, double restitution,
                                double friction)
{
    struct scree_world *world;
    scree_material_id ball, floor;
    scree_wall_id wall;
    scree_body_id id;
    uint64_t seed = 5;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"ball", 1000}, &ball));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"floor", 1000}, &floor));
    const struct scree_interaction_value values[] = {{"restitution", restitution, NULL},
                                                     {"friction", friction, NULL},
                                                     {"tangential-restitution", 0.4, NULL}};
    assert_ok(scree_interaction_add(world, &(struct scree_interaction_def){{ball, ball}, "none", NULL, 0}));
    assert_ok(scree_interaction_add(world, &(struct scree_interaction_def){{{0}, {0}}, "hard", values, 3}));
    assert_ok(scree_wall_add(world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = floor,
                                                      .plane = {.normal = {0, 1, 0}}},
                             &wall));
    assert_ok(scree_wall_set_roughness(world, wall, &(struct scree_wall_roughness){roughness, 11}));
    for (int b = 0; b < BODIES; ++b) {
        const double place[3] = {0.1 * b, 0.02 + 0.005 * splitmix_signed(&seed), 0},
                     velocity[3] = {cos(angle), -sin(angle), 0};
        struct scree_sphere_def sphere = {.radius = 0.01, .material = ball};
        struct scree_disk_def disk = {.radius = 0.01, .thickness = 0.01, .material = ball};
        memcpy(sphere.position, place, sizeof place);
        memcpy(sphere.velocity, velocity, sizeof velocity);
        memcpy(disk.position, place, 2 * sizeof place[0]);
        memcpy(disk.velocity, velocity, 2 * sizeof velocity[0]);
        assert_ok(dimension == 2 ? scree_body_add_disk(world, &disk, &id)
                                 : scree_body_add_sphere(world, &sphere, &id));
    }
    return world;
}

static struct scree_engine *start(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_event_create(world, &(struct scree_event_def){.step = 0.01}, &engine));
    return engine;
}

// At 45 degrees and a spread of 3 degrees no body hits the wall twice: that needs a virtual wall at -22.5
// degrees. Elastic smooth disks leave at the angle alpha + 2 gamma.
static void angles_of_rebound_have_the_distribution_of_the_table(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("rough_wall_pdf.csv");
    struct scree_world *world = make(2, 3 * degree, 45 * degree, 1, 0);
    struct scree_engine *engine = start(world);
    struct scree_event_counts counts;
    assert_ok(scree_engine_run(engine, 10));
    assert_ok(scree_event_get_counts(engine, &counts));
    assert_int_equal(counts.walls, BODIES);
    size_t row = 0;
    while (scree_table_number(table, row, "sigma_deg") != 3 ||
           scree_table_number(table, row, "alpha_deg") != 45)
        ++row;
    const char *const columns[] = {"cdf_m5", "cdf_0", "cdf_5", "cdf_10"};
    double below[4] = {0};
    for (uint64_t b = 1; b <= BODIES; ++b) {
        struct scree_body_state body;
        assert_ok(scree_body_get(world, (scree_body_id){b}, &body));
        const double speed = hypot(body.velocity[0], body.velocity[1]);
        const double angle = atan2(body.velocity[1], body.velocity[0]) / degree;
        // one reflection rounds a few times
        assert_true(fabs(speed - 1) < 1e-14 && body.velocity[2] == 0);
        for (int k = 0; k < 4; ++k)
            below[k] += 0.5 * (angle - 45) < 5 * k - 5;
    }
    for (int k = 0; k < 4; ++k) {
        const double p = scree_table_number(table, row, columns[k]);
        // five standard errors of a count, and one body
        assert_true(fabs(below[k] - p * BODIES) < 5 * sqrt(p * (1 - p) * BODIES) + 1);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_table_free(table);
}

// Flat paths, so that many bodies hit several virtual walls, with friction and spins: all leave the wall, the
// ledger has what they lose, to the rounding of a few operations per body, and it does not matter how the run
// is divided.
static void bodies_leave_the_wall_whatever_the_steps(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    for (int k = 0; k < 2; ++k) {
        struct scree_world *world = make(3, 10 * degree, 6 * degree, 0.8, 0.3);
        struct scree_engine *engine = start(world);
        struct scree_energy before, after;
        struct scree_event_counts counts;
        assert_ok(scree_energy_get(world, &before));
        assert_ok(scree_engine_run(engine, k ? 7 : 20));
        if (k) {
            scree_engine_destroy(engine);
            engine = start(world);
            assert_ok(scree_engine_run(engine, 13));
        }
        assert_ok(scree_energy_get(world, &after));
        assert_ok(scree_event_get_counts(engine, &counts));
        const double kinetic = before.translation + before.rotation, lost = after.dashpot + after.friction;
        assert_true(lost > 0.005 * kinetic && after.rotation > 0);
        assert_true(fabs(after.translation + after.rotation + lost - kinetic) < 1e-14 * kinetic);
        for (uint64_t b = 1; b <= BODIES; ++b) {
            struct scree_body_state body;
            assert_ok(scree_body_get(world, (scree_body_id){b}, &body));
            assert_true(body.velocity[1] > 0 && body.position[1] > 0.01);
        }
        digest[k] = scree_test_digest(world);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_of_rebound_have_the_distribution_of_the_table),
        cmocka_unit_test(bodies_leave_the_wall_whatever_the_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
