// Loads and wear of the facets of meshes, against closed forms and against the sums that other parts of the
// engine compute: the load of the wall, the friction losses of bodies, the weight and the momentum of a bed.

#include "support/worlds.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CELLS = 5, FLOOR = 2 * CELLS * CELLS, SIDES = 8 };

// A box with side lengths 1, open at the top: a floor of CELLS x CELLS squares at z = 0, then the side walls.
static scree_wall_id add_box(struct scree_world *world, scree_material_id material)
{
    double vertex[(CELLS + 1) * (CELLS + 1) + 8][3];
    uint32_t facet[FLOOR + SIDES][3];
    size_t vertices = 0, facets = 0;
    scree_wall_id wall;
    for (int i = 0; i <= CELLS; ++i)
        for (int j = 0; j <= CELLS; ++j, ++vertices)
            memcpy(vertex[vertices], (const double[]){(double)i / CELLS, (double)j / CELLS, 0},
                   sizeof vertex[0]);
    for (uint32_t i = 0; i < CELLS; ++i)
        for (uint32_t j = 0; j < CELLS; ++j) {
            const uint32_t a = i * (CELLS + 1) + j, b = a + CELLS + 1;
            memcpy(facet[facets++], (const uint32_t[]){a, b, b + 1}, sizeof facet[0]);
            memcpy(facet[facets++], (const uint32_t[]){a, b + 1, a + 1}, sizeof facet[0]);
        }
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const uint32_t first = (uint32_t)vertices;
    for (int c = 0; c < 4; ++c)
        for (int top = 0; top < 2; ++top, ++vertices)
            memcpy(vertex[vertices], (const double[]){corner[c][0], corner[c][1], 2.0 * top},
                   sizeof vertex[0]);
    for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t a = first + 2 * c, b = first + 2 * ((c + 1) % 4);
        memcpy(facet[facets++], (const uint32_t[]){a, b, b + 1}, sizeof facet[0]);
        memcpy(facet[facets++], (const uint32_t[]){a, b + 1, a + 1}, sizeof facet[0]);
    }
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                       .material = material,
                                       .mesh = {.vertex = (const double(*)[3])vertex,
                                                .vertices = vertices,
                                                .facet = (const uint32_t(*)[3])facet,
                                                .facets = facets}};
    assert_ok(scree_wall_add(world, &def, &wall));
    return wall;
}

static struct scree_world *make_world(double gravity, double friction, double restitution,
                                      scree_material_id *material, scree_wall_id *wall)
{
    struct scree_world *world;
    scree_group_id group;
    const struct scree_interaction_value values[] = {
        {"friction", friction, NULL}, {"restitution", restitution, NULL}, {"stiffness", 1e5, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -gravity}}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    scree_material_id air;
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "air", .density = 1}, &air));
    assert_ok(
        scree_interaction_add(world, &(struct scree_interaction_def){.law = "none", .between = {{1}, {2}}}));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    *wall = add_box(world, *material);
    assert_ok(scree_group_add(world, "box", &group));
    assert_ok(scree_group_put_wall(world, group, *wall, true));
    return world;
}

static void list(const struct scree_world *world, scree_wall_id wall, struct scree_wall_facet *facet)
{
    size_t count;
    assert_ok(scree_facet_list(world, wall, facet, FLOOR + SIDES, &count));
    assert_int_equal(count, FLOOR + SIDES);
}

// The energy of the impact of a ball that falls from the height h is m g h, and at most m g v dt more,
// because the contact is found at the end of the step in which it begins. The velocity is exact but for the
// half of a kick, which is rounded to 24 bits: at most h/v 2^-24 of the velocity, here below 1e-9.
static void a_falling_ball_makes_one_impact_with_the_energy_of_its_fall(void **state)
{
    (void)state;
    const double gravity = 10, height = 0.2, step = 1e-4, radius = 0.05;
    const double mass = 1000 * 4.0 / 3 * 3.141592653589793 * radius * radius * radius;
    struct scree_wall_facet facet[FLOOR + SIDES];
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    struct scree_world *world = make_world(gravity, 0.3, 0.5, &material, &wall);
    // over the inside of a facet of the square in the middle
    assert_ok(scree_body_add_sphere(world,
                                    &(struct scree_sphere_def){.position = {0.53, 0.47, radius + height},
                                                               .radius = radius,
                                                               .material = material},
                                    &body));
    assert_ok(scree_facet_keep_wear(world));
    struct scree_engine *engine = scree_test_plain_engine(world, step);
    // until the ball is on its way up again
    assert_ok(scree_engine_run_until(engine, 1.2 * sqrt(2 * height / gravity)));
    list(world, wall, facet);
    for (int f = 0; f < FLOOR + SIDES; ++f) {
        const bool hit = f == 2 * (2 * CELLS + 2);
        assert_int_equal(facet[f].wear.impacts, hit);
        if (!hit)
            assert_true(facet[f].wear.impact_energy == 0 && facet[f].wear.friction_work == 0);
    }
    const double fall = mass * gravity * height, speed = sqrt(2 * gravity * height),
                 energy = facet[2 * (2 * CELLS + 2)].wear.impact_energy;
    assert_true(energy >= fall * (1 - 1e-8));
    assert_true(energy <= fall + mass * gravity * speed * step * (1 + 1e-3));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// A ball that slides and then rolls loses 1/7 of m v^2 to friction. It crosses facets, where the contact goes
// on: there is one impact. The work on facets is the friction loss of the ball: each step adds the same
// number, rounded once to the ledger of the ball, so they differ by half a unit in the last place per step.
// The closed form is of a rigid contact: its tangential spring takes part of the energy and gives it back or
// slides; its energy is at most (mu m g)^2 / 2 k_t, with k_t = 2/7 k, here 5e-7 of the loss.
static void friction_work_of_facets_is_that_of_a_ball_that_slides_to_roll(void **state)
{
    (void)state;
    const double gravity = 10, friction = 0.2, radius = 0.05, speed = 0.5, start = 0.1, stiffness = 1e5;
    const double mass = 1000 * 4.0 / 3 * 3.141592653589793 * radius * radius * radius;
    const int steps = 10000;
    struct scree_wall_facet facet[FLOOR + SIDES];
    struct scree_energy energy;
    struct scree_wall_wear total;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    struct scree_world *world = make_world(gravity, friction, 1, &material, &wall);
    assert_ok(scree_body_add_sphere(
        world,
        &(struct scree_sphere_def){.position = {start, 0.31, radius - mass * gravity / stiffness},
                                   .velocity = {speed, 0, 0},
                                   .radius = radius,
                                   .material = material},
        &body));
    assert_ok(scree_facet_keep_wear(world));
    struct scree_engine *engine = scree_test_plain_engine(world, 1e-4);
    assert_ok(scree_engine_run(engine, steps));
    list(world, wall, facet);
    double sum = 0;
    int worn = 0;
    for (int f = 0; f < FLOOR + SIDES; ++f) {
        sum += facet[f].wear.friction_work;
        worn += facet[f].wear.friction_work > 0;
        assert_int_equal(facet[f].wear.impacts, 0);
    }
    assert_true(worn > 1);
    assert_ok(scree_energy_get(world, &energy));
    assert_true(fabs(sum - energy.friction) <= steps * DBL_EPSILON * sum);
    const double loss = mass * speed * speed / 7,
                 spring = pow(friction * mass * gravity, 2) / (2 * 2.0 / 7 * stiffness);
    assert_true(fabs(sum - loss) <= 2 * spring + 1e-3 * loss);
    scree_group_id group;
    assert_ok(scree_group_find(world, "box", &group));
    assert_ok(scree_facet_group_wear(world, group, &total));
    assert_true(fabs(total.friction_work - sum) <= FLOOR * DBL_EPSILON * sum);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void add_bed(struct scree_world *world, scree_material_id material)
{
    uint64_t seed = 5;
    for (int b = 0; b < 180; ++b) {
        scree_body_id body;
        const double position[3] = {0.1 + 0.16 * (b % 6) + 0.01 * splitmix_signed(&seed),
                                    0.1 + 0.16 * (b / 6 % 6) + 0.01 * splitmix_signed(&seed),
                                    0.09 + 0.17 * (b / 36)};
        struct scree_sphere_def ball = {.radius = 0.06 + 0.01 * splitmix_signed(&seed), .material = material};
        memcpy(ball.position, position, sizeof position);
        assert_ok(scree_body_add_sphere(world, &ball, &body));
    }
}

// The load of the wall is computed apart from that of its facets: both add the same exact terms, and the
// facets are rounded each before they are added here.
static void forces_on_facets_add_up_to_that_on_the_wall(void **state)
{
    (void)state;
    struct scree_wall_facet facet[FLOOR + SIDES];
    scree_material_id material;
    scree_wall_id wall;
    double force[3], sum[3] = {0}, size = 0;
    struct scree_world *world = make_world(10, 0.4, 0.3, &material, &wall);
    add_bed(world, material);
    struct scree_engine *engine = scree_test_plain_engine(world, 2e-4);
    assert_ok(scree_engine_run(engine, 1000));
    list(world, wall, facet);
    assert_ok(scree_wall_load(world, wall, force, NULL));
    for (int f = 0; f < FLOOR + SIDES; ++f) {
        assert_int_equal(facet[f].wear.impacts, 0);
        assert_true(fabs(facet[f].area - (f < FLOOR ? 0.5 / CELLS / CELLS : 1)) < 1e-15);
        for (int k = 0; k < 3; ++k) {
            sum[k] += facet[f].force[k];
            size += fabs(facet[f].force[k]);
        }
    }
    assert_true(force[2] < -100);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(sum[k] - force[k]) <= (FLOOR + SIDES) * DBL_EPSILON * size);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Without friction the vertical side walls carry no weight, so the pressure on the floor carries all of it
// and what accelerates the bed: over a step, the mean of the forces before and after is the weight plus the
// change of the momentum over the step. There are no dashpots, whose velocities are predicted. The tolerance
// is the round-off of the momentum over the step, and of 180 velocities of which half a kick is rounded to 24
// bits: 180 m g h 2^-24 over h.
static void the_pressure_on_the_floor_carries_the_weight_of_a_bed(void **state)
{
    (void)state;
    const double step = 1e-4, gravity = 10;
    struct scree_wall_facet facet[FLOOR + SIDES];
    scree_material_id material;
    scree_wall_id wall;
    double carried[2] = {0}, momentum[2], weight = 0;
    struct scree_world *world = make_world(gravity, 0, 1, &material, &wall);
    add_bed(world, material);
    struct scree_engine *engine = scree_test_plain_engine(world, step);
    assert_ok(scree_engine_set_damping(engine, &(struct scree_damping){.local = 0.4}));
    assert_ok(scree_engine_run(engine, 40000));
    assert_ok(scree_engine_set_damping(engine, &(struct scree_damping){0}));
    for (int n = 0; n < 2; ++n) {
        struct scree_momentum now;
        assert_ok(scree_engine_run(engine, 1));
        assert_ok(scree_energy_momentum(world, &now));
        momentum[n] = now.linear[2];
        list(world, wall, facet);
        for (int f = 0; f < FLOOR; ++f)
            carried[n] += facet[f].pressure * facet[f].area;
    }
    for (uint64_t b = 1; b <= 180; ++b) {
        struct scree_body_state body;
        assert_ok(scree_body_get(world, (scree_body_id){b}, &body));
        weight += gravity * body.mass;
    }
    const double change = (momentum[1] - momentum[0]) / step;
    assert_true(fabs(0.5 * (carried[0] + carried[1]) - (weight + change)) <=
                weight * 0x1p-24 + 180 * DBL_EPSILON * fabs(momentum[1]) / step);
    // the bed is nearly at rest
    assert_true(fabs(change) < 0.02 * weight);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// A cube that bodies do not touch, as a region, and the box of equal corners: the shares of branch vectors
// inside have a few roundings of numbers up to 1 over lengths of at least 0.1.
static void a_mesh_as_a_region_measures_what_a_box_does(void **state)
{
    (void)state;
    static const double low = 0.2, high = 0.6;
    double vertex[8][3], stress[2][9], volume[2], largest = 0;
    static const uint32_t facet[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                          {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    scree_material_id material;
    scree_wall_id wall, cube;
    for (int v = 0; v < 8; ++v) {
        vertex[v][0] = v % 4 == 1 || v % 4 == 2 ? high : low;
        vertex[v][1] = v % 4 > 1 ? high : low;
        vertex[v][2] = v > 3 ? high : low;
    }
    struct scree_world *world = make_world(10, 0.4, 0.3, &material, &wall);
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_MESH,
        .material = {2},
        .mesh = {.vertex = (const double(*)[3])vertex, .vertices = 8, .facet = facet, .facets = 12}};
    add_bed(world, material);
    assert_ok(scree_wall_add(world, &def, &cube));
    struct scree_engine *engine = scree_test_plain_engine(world, 1e-4);
    assert_ok(scree_engine_run(engine, 5000));
    const struct scree_measure_region region[2] = {
        {.shape = SCREE_MEASURE_MESH, .mesh = cube},
        {.shape = SCREE_MEASURE_BOX, .lower = {low, low, low}, .upper = {high, high, high}}};
    struct scree_measure_mean_motion motion[2];
    for (int r = 0; r < 2; ++r) {
        assert_ok(scree_measure_stress(world, &region[r], stress[r]));
        assert_ok(scree_measure_volume(world, &region[r], &volume[r]));
        assert_ok(scree_measure_motion(world, &region[r], &motion[r]));
    }
    for (int k = 0; k < 9; ++k)
        largest = fmax(largest, fabs(stress[1][k]));
    assert_true(largest > 100 && motion[1].bodies > 5);
    for (int k = 0; k < 9; ++k)
        assert_true(fabs(stress[0][k] - stress[1][k]) < 1e-12 * largest);
    assert_true(fabs(volume[0] - volume[1]) < 1e-15);
    assert_int_equal(motion[0].bodies, motion[1].bodies);
    double share;
    assert_refused(SCREE_ERROR_UNSUPPORTED, "inside of a mesh",
                   scree_measure_solid_fraction(world, &region[0], &share));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "closed mesh",
        scree_measure_volume(world, &(struct scree_measure_region){.shape = SCREE_MEASURE_MESH, .mesh = wall},
                             &share));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void refusals_say_what_is_missing(void **state)
{
    (void)state;
    scree_material_id material;
    scree_wall_id wall, plane;
    scree_group_id group;
    struct scree_wall_wear wear;
    size_t count;
    struct scree_world *world = make_world(0, 0, 1, &material, &wall);
    assert_ok(scree_wall_add(world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &plane));
    assert_ok(scree_group_add(world, "plane", &group));
    assert_ok(scree_group_put_wall(world, group, plane, true));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "mesh", scree_facet_list(world, plane, NULL, 0, &count));
    assert_refused(SCREE_ERROR_MISSING, "wall", scree_facet_list(world, (scree_wall_id){9}, NULL, 0, &count));
    assert_refused(SCREE_ERROR_ARGUMENT, "no wall of the group is a mesh",
                   scree_facet_group_wear(world, group, &wear));
    assert_ok(scree_group_find(world, "box", &group));
    assert_refused(SCREE_ERROR_STATE, "scree_facet_keep_wear", scree_facet_group_wear(world, group, &wear));
    assert_ok(scree_facet_keep_wear(world));
    assert_ok(scree_facet_group_wear(world, group, &wear));
    assert_true(wear.impacts == 0 && wear.friction_work == 0 && wear.impact_energy == 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_ball_makes_one_impact_with_the_energy_of_its_fall),
        cmocka_unit_test(friction_work_of_facets_is_that_of_a_ball_that_slides_to_roll),
        cmocka_unit_test(forces_on_facets_add_up_to_that_on_the_wall),
        cmocka_unit_test(the_pressure_on_the_floor_carries_the_weight_of_a_bed),
        cmocka_unit_test(a_mesh_as_a_region_measures_what_a_box_does),
        cmocka_unit_test(refusals_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
