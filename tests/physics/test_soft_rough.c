// Rough walls in the soft engine: with stiff contacts rebounds have the distributions of the table and of the
// event engine, energy is kept, bits do not depend on threads and restarts, and bodies come to rest on the
// wall.

#include "support/table.h"
#include "support/worlds.h"

#include <scree/event.h>

static const double degree = 3.14159265358979323846 / 180, radius = 0.01, mass = 1000 * 4.18879020478639e-6;

// of a contact, and of a step: a body moves by 1 % of its radius in a contact
static const double duration = 1e-4, step = 2e-6;

enum { BODIES = 8000 };

// Bodies that do not touch each other near a rough plane y = 0, at an angle to it and different heights.
static struct scree_world *make(int dimension, bool soft, int bodies, double roughness, double angle,
                                double restitution, double friction)
{
    struct scree_world *world;
    scree_material_id ball, floor;
    scree_wall_id wall;
    scree_body_id id;
    uint64_t seed = 5;
    const double pi = 3.14159265358979323846;
    // disks of this thickness have the mass of the spheres
    const double thickness = mass / (1000 * pi * radius * radius),
                 stiffness = mass * pi * pi / duration / duration;
    const struct scree_interaction_value values[] = {
        {"restitution", restitution, NULL}, {"friction", friction, NULL}, {"stiffness", stiffness, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"ball", 1000}, &ball));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"floor", 1000}, &floor));
    assert_ok(scree_interaction_add(world, &(struct scree_interaction_def){{ball, ball}, "none", NULL, 0}));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){{{0}, {0}}, soft ? "linear" : "hard", values, soft ? 3 : 2}));
    assert_ok(scree_wall_add(world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = floor,
                                                      .plane = {.normal = {0, 1, 0}}},
                             &wall));
    assert_ok(scree_wall_set_roughness(world, wall, &(struct scree_wall_roughness){roughness, 11}));
    for (int b = 0; b < bodies; ++b) {
        const double place[3] = {0.03 * b, radius * (1.011 + 0.01 * splitmix_signed(&seed)), 0},
                     velocity[3] = {cos(angle), -sin(angle), 0};
        struct scree_sphere_def sphere = {.radius = radius, .material = ball};
        struct scree_disk_def disk = {.radius = radius, .thickness = thickness, .material = ball};
        memcpy(sphere.position, place, sizeof place);
        memcpy(sphere.velocity, velocity, sizeof velocity);
        memcpy(disk.position, place, 2 * sizeof place[0]);
        memcpy(disk.velocity, velocity, 2 * sizeof velocity[0]);
        assert_ok(dimension == 2 ? scree_body_add_disk(world, &disk, &id)
                                 : scree_body_add_sphere(world, &sphere, &id));
    }
    return world;
}

static void run(struct scree_world *world, bool soft, int threads, uint64_t steps)
{
    struct scree_engine *engine;
    if (soft)
        assert_ok(
            scree_soft_create(world, &(struct scree_soft_def){.step = step, .threads = threads}, &engine));
    else
        assert_ok(scree_event_create(world, &(struct scree_event_def){.step = step}, &engine));
    assert_ok(scree_engine_run(engine, steps));
    scree_engine_destroy(engine);
}

// Elastic smooth disks leave at the angle alpha + 2 gamma. A step of a fiftieth of the contact changes the
// rebound by (step / duration)^2 = 4e-4 of the speed, and the inclination by 0.02 degrees, at a density of
// 0.13 per degree.
static void angles_of_rebound_have_the_distribution_of_the_table(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("rough_wall_pdf.csv");
    struct scree_world *world = make(2, true, BODIES, 3 * degree, 45 * degree, 1, 0);
    size_t row = 0;
    run(world, true, 1, 300);
    while (scree_table_number(table, row, "sigma_deg") != 3 ||
           scree_table_number(table, row, "alpha_deg") != 45)
        ++row;
    const char *const columns[] = {"cdf_m5", "cdf_0", "cdf_5", "cdf_10"};
    double below[4] = {0};
    for (uint64_t b = 1; b <= BODIES; ++b) {
        const struct scree_body_state body = scree_test_state(world, b);
        const double speed = hypot(body.velocity[0], body.velocity[1]);
        const double angle = atan2(body.velocity[1], body.velocity[0]) / degree;
        if (!(fabs(speed - 1) < 2e-3 && body.velocity[2] == 0))
            fail_msg("body %d: speed %g at %g degrees", (int)b, speed, angle);
        for (int k = 0; k < 4; ++k)
            below[k] += 0.5 * (angle - 45) < 5 * k - 5;
    }
    for (int k = 0; k < 4; ++k) {
        const double p = scree_table_number(table, row, columns[k]);
        // five standard errors of a count, and the step
        if (!(fabs(below[k] - p * BODIES) < 5 * sqrt(p * (1 - p) * BODIES) + 0.003 * BODIES))
            fail_msg("%s: %g instead of %g", columns[k], below[k] / BODIES, p);
    }
    scree_world_destroy(world);
    scree_table_free(table);
}

// Means of velocities and of their squares after flat impacts, in which many bodies hit several virtual
// walls.
static void moments_of(const struct scree_world *world, double moment[6])
{
    memset(moment, 0, 6 * sizeof *moment);
    for (uint64_t b = 1; b <= BODIES; ++b) {
        const struct scree_body_state body = scree_test_state(world, b);
        for (int k = 0; k < 3; ++k) {
            moment[k] += body.velocity[k] / BODIES;
            moment[3 + k] += body.velocity[k] * body.velocity[k] / BODIES;
        }
    }
}

// Both are samples of BODIES from the same distribution in the limit: differences of means are below five
// times sqrt(2 / BODIES) of the spread, and of squares below that of their spread, at most 0.3; and 0.5 % for
// the stiffness.
static void stiff_contacts_rebound_as_in_the_event_engine(void **state)
{
    (void)state;
    double moment[2][6];
    for (int soft = 0; soft < 2; ++soft) {
        struct scree_world *world = make(3, soft, BODIES, 10 * degree, 20 * degree, 0.8, 0);
        run(world, soft, 1, 1500);
        moments_of(world, moment[soft]);
        scree_world_destroy(world);
    }
    for (int k = 0; k < 6; ++k) {
        const double spread = k < 3 ? sqrt(moment[0][3 + k] - moment[0][k] * moment[0][k]) : 0.3;
        if (!(fabs(moment[0][k] - moment[1][k]) < 5 * spread * sqrt(2.0 / BODIES) + 0.005))
            fail_msg("moment %d: %g in the soft engine, %g in the event engine", k, moment[1][k],
                     moment[0][k]);
    }
}

// In the middle of contacts, also after a restart there.
static void bits_do_not_depend_on_threads_and_restarts(void **state)
{
    (void)state;
    enum { FEW = 3000 };
    struct scree_digest digest[3];
    for (int way = 0; way < 3; ++way) {
        struct scree_world *world = make(3, true, FEW, 5 * degree, 30 * degree, 0.9, 0.3);
        run(world, true, way == 1 ? 3 : 1, way == 2 ? 60 : 130);
        if (way == 2) {
            scree_test_restart(&world, "soft-rough.chk");
            run(world, true, 1, 70);
        }
        digest[way] = scree_test_digest(world);
        scree_world_destroy(world);
    }
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
    assert_true(scree_test_digests_equal(digest[0], digest[2]));
}

// Balls that fall on a rough wall stay on it, no deeper than 5 % of the radius and their overlap; the bumps
// let those that still roll hop, and they gain no energy, with friction and without.
static void balls_stay_on_a_rough_wall(void **state)
{
    (void)state;
    enum { FEW = 100 };
    for (int smooth = 0; smooth < 2; ++smooth) {
        struct scree_world *world = make(3, true, FEW, 5 * degree, 60 * degree, 0.5, smooth ? 0 : 0.3);
        struct scree_energy energy[2];
        const double gravity[3] = {0, -9.81, 0};
        double all = 0;
        assert_ok(scree_world_set_gravity(world, gravity));
        assert_ok(scree_energy_get(world, &energy[0]));
        run(world, true, 1, 150000);
        assert_ok(scree_energy_get(world, &energy[1]));
        for (uint64_t b = 1; b <= FEW; ++b) {
            const struct scree_body_state body = scree_test_state(world, b);
            if (!(body.position[1] > 0.94 * radius))
                fail_msg("ball %d is at %g radii", (int)b, body.position[1] / radius);
            all += mass * 9.81 * (body.position[1] - radius);
        }
        // the ledger is balanced to the (step / duration)^2 of each contact
        if (!(fabs(energy[1].balance) < 0.003 * energy[0].translation))
            fail_msg("balance %g of %g", energy[1].balance, energy[0].translation);
        // by at most the height from which they fall
        all += energy[1].translation + energy[1].rotation;
        assert_true(all < energy[0].translation + FEW * mass * 9.81 * 0.021 * radius);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_of_rebound_have_the_distribution_of_the_table),
        cmocka_unit_test(stiff_contacts_rebound_as_in_the_event_engine),
        cmocka_unit_test(bits_do_not_depend_on_threads_and_restarts),
        cmocka_unit_test(balls_stay_on_a_rough_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
