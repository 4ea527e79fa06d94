// Distributions: pairs of lattices in upright and skewed cells, histograms, layers and displacements, with
// references in closed form; sums do not depend on the order of bodies; refusals and failing allocations.

#include "support/folder.h"
#include "support/starve.h"
#include "support/table.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static struct scree_world *new_world(int dimension, double side, unsigned periodic)
{
    struct scree_world *world;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    struct scree_cell_def cell = {.upper = {side, side, dimension == 3 ? side : 0}};
    for (int k = 0; k < 3; ++k)
        cell.periodic[k] = periodic >> k & 1;
    assert_ok(scree_cell_set(world, &cell));
    scree_material_id material;
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "stuff", .density = 1000}, &material));
    return world;
}

static scree_body_id add(struct scree_world *world, double radius, const double position[3],
                         const double velocity[3])
{
    scree_body_id id;
    if (scree_world_dimension(world) == 3) {
        struct scree_sphere_def def = {.radius = radius, .material = {1}};
        memcpy(def.position, position, sizeof def.position);
        memcpy(def.velocity, velocity, sizeof def.velocity);
        assert_ok(scree_body_add_sphere(world, &def, &id));
    } else {
        struct scree_disk_def def = {.radius = radius, .thickness = 1, .material = {1}};
        memcpy(def.position, position, sizeof def.position);
        memcpy(def.velocity, velocity, sizeof def.velocity);
        assert_ok(scree_body_add_disk(world, &def, &id));
    }
    return id;
}

static const double at_rest[3];

// A cubic or square lattice of 4 bodies along an axis, 1 m apart; every second one, as on a chessboard, is in
// the group.
static struct scree_world *lattice(int dimension, scree_group_id *group)
{
    struct scree_world *world = new_world(dimension, 4, dimension == 3 ? 7 : 3);
    assert_ok(scree_group_add(world, "black", group));
    for (int z = 0; z < (dimension == 3 ? 4 : 1); ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x) {
                const double position[3] = {x + 0.25, y + 0.25, dimension == 3 ? z + 0.25 : 0};
                const scree_body_id id = add(world, 0.1, position, at_rest);
                if ((x + y + z) % 2 == 0)
                    assert_ok(scree_group_put_body(world, *group, id, true));
            }
    return world;
}

static double bin_value(const struct scree_world *world, scree_distribution_id id, uint32_t bin, int column)
{
    double value[SCREE_DISTRIBUTION_COLUMNS];
    assert_ok(scree_distribution_bin(world, id, bin, value));
    return value[column];
}

static scree_distribution_id add_sampled(struct scree_world *world, const struct scree_distribution_def *def)
{
    scree_distribution_id id;
    assert_ok(scree_distribution_add(world, def, &id));
    assert_ok(scree_distribution_sample(world, id));
    return id;
}

// --- pairs

// Numbers of neighbours of a site of the cubic and of the square lattice, by the square of their distance.
static const int cubic[] = {0, 6, 12, 8, 6, 24, 24, 0, 12, 30, 24, 24, 8, 24};
static const int quadratic[] = {0, 4, 4, 0, 4, 8, 0, 0, 4, 4, 8};

// Bins of width 0.1 from 0.05, or 0.05 from 0.025: no distance is near a bound. Images of a body itself,
// 4 m away, are beyond; those of others begin at 2 m. `with` is 0 for all partners, 1 for black ones, 2 for
// white ones.
static void check_pairs(struct scree_world *world, scree_group_id of, scree_group_id with, int colour)
{
    const int dimension = scree_world_dimension(world), *neighbours = dimension == 3 ? cubic : quadratic;
    const int shells = dimension == 3 ? 14 : 11;
    const double width = dimension == 3 ? 0.1 : 0.05, bodies = dimension == 3 ? 64 : 16;
    const scree_distribution_id id =
        add_sampled(world, &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_RADIAL,
                                                            .region.group = of,
                                                            .partners = with,
                                                            .from = width / 2,
                                                            .to = dimension == 3 ? 3.65 : 3.175,
                                                            .bins = dimension == 3 ? 36 : 63});
    double expected[64] = {0};
    for (int n = 1; n < shells; ++n) {
        const bool same = n % 2 == 0; // an even square of distance leads to a site of the same colour
        if (colour == 0 || same == (colour == 1))
            expected[(int)((sqrt(n) - width / 2) / width)] += neighbours[n];
    }
    const double centres = of.value ? bodies / 2 : bodies, partners = with.value ? bodies / 2 : bodies;
    const double pairs = centres * partners - (of.value == with.value   ? centres
                                               : of.value && with.value ? 0
                                                                        : centres);
    for (uint32_t b = 0; b < (dimension == 3 ? 36U : 63U); ++b) {
        const double first = (b + 0.5) * width, last = first + width;
        const double shell =
            dimension == 3 ? 4 * PI / 3 * (pow(last, 3) - pow(first, 3)) : PI * (last * last - first * first);
        scree_test_near(bin_value(world, id, b, 1), centres * expected[b], 0);
        // the shell in the program has another formula: a few roundings of its bounds over its width
        const double g = centres * expected[b] / (pairs / pow(4, dimension) * shell);
        scree_test_near(bin_value(world, id, b, 2), g, 1e-12 * g);
    }
}

static void pairs_of_lattices_are_counted_by_distance_and_group(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        scree_group_id black;
        struct scree_world *world = lattice(dimension, &black);
        const scree_group_id all = {0};
        check_pairs(world, all, all, 0);
        check_pairs(world, black, all, 0);
        check_pairs(world, black, black, 1);
        scree_world_destroy(world);
    }
}

// A cell that leans by half of a period has other images of the bodies, which are the same lattice.
static void a_skewed_cell_has_the_pairs_of_the_upright_one(void **state)
{
    (void)state;
    scree_group_id black;
    struct scree_world *world = lattice(3, &black);
    assert_ok(scree_cell_set_vectors(world, (double[3]){0}, (double[9]){4, 0, 0, 2, 4, 0, 2, 2, 4}));
    check_pairs(world, (scree_group_id){0}, (scree_group_id){0}, 0);
    check_pairs(world, black, black, 1);
    scree_world_destroy(world);
}

// One body that has its partner at 0.5 m, and the images of it every 4 m: of the body itself no image counts.
static void images_beyond_half_of_the_period_count(void **state)
{
    (void)state;
    struct scree_world *world = new_world(2, 4, 3);
    (void)add(world, 0.1, (double[3]){1, 1, 0}, at_rest);
    (void)add(world, 0.1, (double[3]){1.5, 1, 0}, at_rest);
    const scree_distribution_id id = add_sampled(
        world,
        &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_RADIAL, .from = 0, .to = 8, .bins = 32});
    double pairs = 0;
    for (uint32_t b = 0; b < 32; ++b)
        pairs += bin_value(world, id, b, 1);
    // the points (0.5 + 4 i, 4 j) within 8 m of the origin, from either body
    int expected = 0;
    for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j)
            expected += (0.5 + 4 * i) * (0.5 + 4 * i) + 16.0 * j * j < 64;
    scree_test_near(pairs, 2 * expected, 0);
    assert_true(expected > 8);
    scree_world_destroy(world);
}

// --- values

static void values_are_counted_in_their_bins(void **state)
{
    (void)state;
    struct scree_world *world = new_world(3, 4, 0);
    // the upper bound of the bins does not belong to them, the lower one does
    const double speeds[] = {-1, -0.6, 0, 0.4, 0.49, 1, 2};
    for (int b = 0; b < 7; ++b)
        (void)add(world, 0.1, (double[3]){0.5 * b + 0.2, 1, 1}, (double[3]){speeds[b], 0, 0});
    const scree_distribution_id id =
        add_sampled(world, &(struct scree_distribution_def){
                               .kind = SCREE_DISTRIBUTION_VELOCITY_X, .from = -1, .to = 1, .bins = 4});
    static const double counts[] = {2, 0, 3, 0};
    for (uint32_t b = 0; b < 4; ++b) {
        scree_test_near(bin_value(world, id, b, 0), -0.75 + 0.5 * b, 0);
        scree_test_near(bin_value(world, id, b, 1), counts[b], 0);
        // of all seven, over the width
        scree_test_near(bin_value(world, id, b, 2), counts[b] / (7 * 0.5), 1e-15);
    }
    const scree_distribution_id inside =
        add_sampled(world, &(struct scree_distribution_def){
                               .kind = SCREE_DISTRIBUTION_SPEED,
                               .region = {.shape = SCREE_MEASURE_BOX, .lower = {0, 0, 0}, .upper = {1, 4, 4}},
                               .to = 2,
                               .bins = 2});
    scree_test_near(bin_value(world, inside, 0, 1), 1, 0);
    scree_test_near(bin_value(world, inside, 1, 1), 1, 0);
    scree_world_destroy(world);
}

// --- layers

// Volume of a ball below a plane at the height h above its centre.
static double below(double radius, double h)
{
    const double cut = h < -radius ? -radius : h > radius ? radius : h;
    return PI * (radius * radius * cut - cut * cut * cut / 3 + 2 * pow(radius, 3) / 3);
}

static void layers_have_the_parts_of_balls_that_are_in_them(void **state)
{
    (void)state;
    struct scree_world *world = new_world(3, 4, 4);
    // two balls; the second passes the periodic face at the top
    (void)add(world, 0.6, (double[3]){1, 1, 1.1}, (double[3]){1, 0, 2});
    (void)add(world, 0.5, (double[3]){3, 3, 3.8}, (double[3]){3, 0, -2});
    (void)add(world, 0.4, (double[3]){3, 3, 3.2}, (double[3]){-1, 0, 0});
    const scree_distribution_id id = add_sampled(
        world,
        &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_PROFILE, .axis = 2, .to = 4, .bins = 8});
    const double volume = 16 * 0.5;
    for (uint32_t b = 0; b < 8; ++b) {
        double solid = 0;
        for (int turn = -1; turn <= 1; ++turn) {
            const double low = 0.5 * b + 4 * turn, high = low + 0.5;
            solid += below(0.6, high - 1.1) - below(0.6, low - 1.1);
            solid += below(0.5, high - 3.8) - below(0.5, low - 3.8);
            solid += below(0.4, high - 3.2) - below(0.4, low - 3.2);
        }
        // differences of volumes below 1 m^3, of a few roundings each
        scree_test_near(bin_value(world, id, b, 3), solid / volume, 1e-14);
        scree_test_near(bin_value(world, id, b, 1), b == 2 || b == 6 || b == 7, 0);
    }
    scree_test_near(bin_value(world, id, 2, 2), 1 / volume, 1e-15);
    scree_test_near(bin_value(world, id, 2, 4), 1, 1e-15);
    scree_test_near(bin_value(world, id, 2, 6), 2, 1e-15);
    scree_test_near(bin_value(world, id, 2, 7), 0, 1e-14);
    scree_world_destroy(world);
}

// Two samples with two bodies of masses m and 3 m in one layer: the mean velocity is that of their mass, and
// the temperature a third of the mean square about it.
static void a_layer_has_the_mean_velocity_and_the_temperature_of_its_samples(void **state)
{
    (void)state;
    struct scree_world *world = new_world(3, 2, 0);
    const scree_body_id one = add(world, 0.1, (double[3]){0.5, 1, 1}, (double[3]){1, 2, 0});
    (void)add(world, 0.1 * cbrt(3), (double[3]){1.5, 1, 1}, (double[3]){-1, 0, 0});
    scree_wall_id wall;
    assert_ok(scree_wall_add(world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = {1},
                                                      .plane = {.point = {0, 0, 2}, .normal = {0, 0, -1}}},
                             &wall));
    const struct scree_distribution_def def = {
        .kind = SCREE_DISTRIBUTION_PROFILE, .wall = wall, .from = 0.5, .to = 1.5, .bins = 1};
    const scree_distribution_id id = add_sampled(world, &def);
    assert_ok(scree_body_set_velocity(world, one, (double[3]){5, 2, 0}));
    assert_ok(scree_distribution_sample(world, id));
    // velocities 1, 5 of weight 1 and -1, -1 of weight 3 along x; 2, 2 and 0, 0 along y
    const double x = (1 + 5 - 3 - 3) / 8.0, y = 4 / 8.0;
    const double mean_square = (1 + 25 + 3 + 3 + 4 + 4) / 8.0;
    scree_test_near(bin_value(world, id, 0, 0), 1, 0);
    scree_test_near(bin_value(world, id, 0, 1), 4, 0);
    scree_test_near(bin_value(world, id, 0, 4), x, 1e-14);
    scree_test_near(bin_value(world, id, 0, 5), y, 1e-14);
    scree_test_near(bin_value(world, id, 0, 7), (mean_square - x * x - y * y) / 3, 1e-14);
    scree_world_destroy(world);
}

// --- displacements

// Bodies that fly through periodic faces with constant velocities: squares of displacements and products of
// velocities are exact at each time. After four samples a new start is taken; a body that is removed counts
// no more.
static void displacements_grow_with_the_time_since_the_last_start(void **state)
{
    (void)state;
    struct scree_world *world = new_world(3, 1, 7);
    const scree_body_id one = add(world, 0.01, (double[3]){0.1, 0.2, 0.3}, (double[3]){3, 0, 0});
    (void)add(world, 0.01, (double[3]){0.1, 0.6, 0.7}, (double[3]){0, -1, 2});
    struct scree_engine *engine;
    scree_distribution_id id;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.125, .threads = 1}, &engine));
    assert_ok(scree_distribution_add(
        world, &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_DISPLACEMENT, .bins = 4}, &id));
    for (int s = 0; s <= 8; ++s) {
        assert_ok(scree_distribution_sample(world, id));
        if (s == 6)
            assert_ok(scree_body_remove(world, one));
        assert_ok(scree_engine_run(engine, 2));
    }
    for (uint32_t b = 0; b < 4; ++b) {
        const double t = 0.25 * (b + 1), fast = b < 2 ? 2 : 1, all = fast + 2;
        scree_test_near(bin_value(world, id, b, 0), t, 1e-15);
        scree_test_near(bin_value(world, id, b, 1), all, 0);
        // positions are sums of a few rounded steps
        scree_test_near(bin_value(world, id, b, 2), (fast * 9 + 2 * 5) / all * t * t, 1e-14);
        scree_test_near(bin_value(world, id, b, 3), fast * 9 / all * t * t, 1e-14);
        scree_test_near(bin_value(world, id, b, 5), 2 * 4 / all * t * t, 1e-14);
        scree_test_near(bin_value(world, id, b, 6), (fast * 9 + 2 * 5) / all, 1e-14);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// --- state

// A world of random bodies with one distribution of each family, after two samples; `seed` gives the order in
// memory before each, 0 for none.
static struct scree_digest sampled_digest(uint64_t seed)
{
    static const struct scree_distribution_def defs[] = {
        {.kind = SCREE_DISTRIBUTION_RADIAL, .to = 0.5, .bins = 20},
        {.kind = SCREE_DISTRIBUTION_SPEED, .to = 2, .bins = 20},
        {.kind = SCREE_DISTRIBUTION_PROFILE, .axis = 1, .to = 1, .bins = 20},
        {.kind = SCREE_DISTRIBUTION_DISPLACEMENT, .bins = 20}};
    struct scree_world *world = new_world(3, 1, 7);
    uint64_t random = 5;
    for (int b = 0; b < 100; ++b) {
        double position[3], velocity[3];
        for (int k = 0; k < 3; ++k) {
            position[k] = 0.5 + 0.5 * splitmix_signed(&random);
            velocity[k] = splitmix_signed(&random);
        }
        (void)add(world, 0.02, position, velocity);
    }
    for (int s = 0; s < 2; ++s) {
        if (seed)
            scree_test_shuffle(world, seed + (uint64_t)s);
        for (int d = 0; d < 4; ++d) {
            scree_distribution_id id;
            assert_ok(scree_distribution_add(world, &defs[d], &id));
            assert_int_equal(id.value, d + 1);
            assert_ok(scree_distribution_sample(world, id));
        }
    }
    const struct scree_digest digest = scree_test_digest(world);
    scree_world_destroy(world);
    return digest;
}

static void no_sum_depends_on_the_order_of_bodies(void **state)
{
    (void)state;
    const struct scree_digest digest = sampled_digest(0);
    assert_true(scree_test_digests_equal(sampled_digest(1), digest));
    assert_true(scree_test_digests_equal(sampled_digest(2), digest));
}

static void a_reset_begins_a_new_average(void **state)
{
    (void)state;
    struct scree_world *world = new_world(3, 2, 0);
    struct scree_distribution_state progress;
    (void)add(world, 0.1, (double[3]){0.5, 1, 1}, (double[3]){0, 0, 1});
    const scree_distribution_id id = add_sampled(
        world, &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_SPEED, .to = 2, .bins = 1});
    assert_ok(scree_distribution_sample(world, id));
    assert_ok(scree_distribution_get(world, id, &progress));
    assert_int_equal(progress.samples, 2);
    assert_ok(scree_distribution_reset(world, id));
    assert_ok(scree_distribution_sample(world, id));
    assert_ok(scree_distribution_get(world, id, &progress));
    assert_int_equal(progress.samples, 1);
    scree_test_near(bin_value(world, id, 0, 1), 1, 0);
    scree_test_near(bin_value(world, id, 0, 2), 0.5, 0);
    scree_world_destroy(world);
}

static void what_has_no_meaning_is_refused(void **state)
{
    (void)state;
    scree_distribution_id id;
    struct scree_world *world = new_world(3, 2, 3);
    const struct {
        const char *word;
        struct scree_distribution_def def;
    } cases[] = {
        {"periodic along all axes, and this one is not along z",
         {.kind = SCREE_DISTRIBUTION_RADIAL, .to = 0.5, .bins = 5}},
        {"must be 1 to 10000", {.kind = SCREE_DISTRIBUTION_SPEED, .to = 1}},
        {"end above the value", {.kind = SCREE_DISTRIBUTION_SPEED, .from = 1, .to = 1, .bins = 3}},
        {"does not take partners", {.kind = SCREE_DISTRIBUTION_SPEED, .to = 1, .bins = 3, .partners = {1}}},
        {"does not take an axis", {.kind = SCREE_DISTRIBUTION_SPEED, .to = 1, .bins = 3, .axis = 1}},
        {"does not take a region",
         {.kind = SCREE_DISTRIBUTION_DISPLACEMENT,
          .bins = 3,
          .region = {.shape = SCREE_MEASURE_BALL, .radius = 1}}},
        {"must be a box, or a cylinder along x",
         {.kind = SCREE_DISTRIBUTION_PROFILE,
          .to = 1,
          .bins = 3,
          .region = {.shape = SCREE_MEASURE_BALL, .radius = 0.5}}},
        {"within 1000 periods", {.kind = SCREE_DISTRIBUTION_PROFILE, .to = 3000, .bins = 3}},
        {"has no axis 3", {.kind = SCREE_DISTRIBUTION_PROFILE, .to = 1, .bins = 3, .axis = 3}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const scree_status status = scree_distribution_add(world, &cases[c].def, &id);
        if (status != SCREE_ERROR_ARGUMENT && status != SCREE_ERROR_UNSUPPORTED)
            fail_msg("case %zu: status %d", c, (int)status);
        if (!strstr(scree_status_message(), cases[c].word))
            fail_msg("'%s' is not in '%s'", cases[c].word, scree_status_message());
    }
    scree_world_destroy(world);
}

// --- scenes

// A gas of hard spheres with a distribution of each family, and means over collisions.
static const char gas[] =
    "scree: 1\n"
    "materials: {glass: {density: 2500}}\n"
    "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0}]\n"
    "world: {box: [[0, 0, 0], [12 mm, 12 mm, 12 mm]], periodic: [x, y, z]}\n"
    "bodies:\n"
    "  - {fill: {shape: {sphere: {radius: 1 mm}}, count: 30, material: glass, velocity: [0.1, 0, 0], inside: "
    "{box: "
    "[[0, 0, 0], [12 mm, 12 mm, 12 mm]]}, seed: 1}, group: a}\n"
    "  - {fill: {shape: {sphere: {radius: 1 mm}}, count: 30, material: glass, velocity: [-0.1, 0, 0], "
    "inside: {box: "
    "[[0, 0, 0], [12 mm, 12 mm, 12 mm]]}, seed: 2}, group: b}\n"
    "engine: {event: {step: 1 ms}}\n"
    "run: [{for: 0.1 s}, {for: 0.3 s}]\n"
    "record:\n"
    "  - {table: t.csv, every: 20 ms, columns: [time, collision-rate, {measure: mean-free-path, over: 50 "
    "ms}, "
    "collision-pressure, velocity-kurtosis, kinetic-pressure, {measure: square-displacement, since: "
    "stage}]}\n"
    "  - {distribution: g.csv, quantity: radial, group: a, with: b, every: 5 ms, stages: 2, to: 6 mm, bins: "
    "12}\n"
    "  - {distribution: v.csv, quantity: velocity-x, every: 5 ms, over: 70 ms, to: 0.2 m/s, bins: 8}\n"
    "  - {distribution: p.csv, quantity: profile, every: 7 steps, over: 70 steps, along: y, to: 12 mm, bins: "
    "3}\n"
    "  - {distribution: d.csv, quantity: displacement, every: 5 ms, bins: 7}\n"
    "  - {checkpoint: c.chk, every: 0.173 s}\n";
static const char *const files[] = {"t.csv", "g.csv", "v.csv", "p.csv", "d.csv"};
enum { FILES = sizeof files / sizeof files[0] };

static void averages_go_on_after_a_restart(void **state)
{
    (void)state;
    char *uninterrupted[FILES];
    const struct scree_run_def def = {.force = true, .folder = scree_test_folder.path};
    struct scree_world *world = scree_trial_run_text(gas, &def);
    const struct scree_digest digest = scree_test_digest(world);
    scree_world_destroy(world);
    for (int f = 0; f < FILES; ++f)
        uninterrupted[f] = scree_folder_read(&scree_test_folder, files[f], NULL);
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "c.chk.previous"));
    (void)scree_trial_run(&trial, NULL);
    scree_trial_assert_ok(&trial);
    assert_true(scree_test_digests_equal(scree_test_digest(trial.world), digest));
    scree_trial_free(&trial);
    for (int f = 0; f < FILES; ++f) {
        char *restarted = scree_folder_read(&scree_test_folder, files[f], NULL);
        assert_string_equal(restarted, uninterrupted[f]);
        free(restarted);
        free(uninterrupted[f]);
    }
}

// Every 70 ms, and at the end of the run: time and number of samples of each average.
static void an_average_over_a_time_is_written_when_it_is_over(void **state)
{
    (void)state;
    static double row[60][5];
    char head[200];
    const struct scree_run_def def = {.force = true, .folder = scree_test_folder.path};
    scree_world_destroy(scree_trial_run_text(gas, &def));
    const size_t rows = scree_table_read_numbers(scree_folder_path(&scree_test_folder, "v.csv"), head,
                                                 sizeof head, row[0], 5, 60);
    assert_string_equal(head, "time [s],samples,velocity-x [m/s],count,density [s/m]\n");
    assert_int_equal(rows, 6 * 8);
    for (size_t r = 0; r < rows; ++r) {
        const size_t average = r / 8;
        scree_test_near(row[r][0], average < 5 ? 0.07 * (double)(average + 1) : 0.4, 1e-12);
        // the first average has the sample at its start too
        assert_int_equal(row[r][1], average == 0 ? 15 : average < 5 ? 14 : 10);
    }
}

// A ball of radius 0.1 m flies at 1 m/s between two walls 1 m apart: 0.8 m from one collision to the next.
// Counts are kept every 64 steps, 0.64 s, so the window of ten of them has eight collisions. Two balls at the
// side never collide.
static void a_ball_between_walls_has_the_free_path_of_their_distance(void **state)
{
    (void)state;
    static double row[4][5];
    char head[200];
    const struct scree_run_def def = {.force = true, .folder = scree_test_folder.path};
    scree_world_destroy(scree_trial_run_text(
        "scree: 1\n"
        "materials: {glass: {density: 2500}}\n"
        "contacts: [{between: [any, any], law: hard, restitution: 1, friction: 0}]\n"
        "world: {box: [[0, 0, 0], [1, 1, 1]]}\n"
        "walls:\n"
        "  - plane: {point: [0, 0, 0], normal: [1, 0, 0], material: glass}\n"
        "  - plane: {point: [1, 0, 0], normal: [-1, 0, 0], material: glass}\n"
        "bodies:\n"
        "  - {sphere: {radius: 10 cm, at: [0.5, 0.5, 0.5], velocity: [1, 0, 0], material: glass}, group: "
        "fast}\n"
        "  - sphere: {radius: 10 cm, at: [0.5, 0.2, 0.2], material: glass}\n"
        "  - sphere: {radius: 10 cm, at: [0.5, 0.8, 0.2], material: glass}\n"
        "engine: {event: {step: 10 ms}}\n"
        "run: {for: 12.8 s}\n"
        "record: [{table: t.csv, every: 12.8 s, columns: [{measure: collision-rate, over: 6.4 s}, {measure: "
        "mean-free-path, over: 6.4 s}, {measure: collision-pressure, over: 6.4 s}, {measure: "
        "square-displacement, "
        "of: fast}, velocity-kurtosis]}]\n",
        &def));
    assert_int_equal(scree_table_read_numbers(scree_folder_path(&scree_test_folder, "t.csv"), head,
                                              sizeof head, row[0], 5, 4),
                     2);
    for (int c = 0; c < 4; ++c)
        scree_test_near(row[0][c], 0, 0);
    // a third of the rate of the ball that collides; rounding of twenty flights
    scree_test_near(row[1][0], 1.25 / 3, 1e-12);
    scree_test_near(row[1][1], 0.8, 1e-12);
    scree_test_near(row[1][2], 0, 0);
    // 12.8 s are 0.4 + 15 flights of 0.8 and 0.4 s: back in the middle
    scree_test_near(row[1][3], 0, 1e-12);
    // velocities 1, 0, 0 about their mean 1/3: the mean of c^4 is 18/243, of c^2 2/9
    scree_test_near(row[1][4], 3.0 / 5 * (18.0 / 243) / (4.0 / 81) - 1, 1e-12);
}

static void mistakes_of_records_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *record, *message;
    } cases[] = {
        {"{distribution: x.csv, every: 1 ms}", "quantity"},
        {"{distribution: x.csv, quantity: radial, every: 1 ms}", "a distribution of 'radial' needs 'to'"},
        {"{distribution: x.csv, quantity: speed, every: 1 ms, to: 1 m}",
         "'to' must be in m/s, but this is in m"},
        {"{distribution: x.csv, quantity: speed, every: 1 ms, to: 1, with: a}",
         "a distribution of 'speed' does not take 'with'"},
        {"{distribution: x.csv, quantity: profile, every: 1 ms, to: 1 mm}",
         "a distribution of 'profile' needs 'along'"},
        {"{distribution: x.csv, quantity: radial, every: 1 ms, to: 1 m}", "more than 4 widths"},
        {"{table: x.csv, every: 1 ms, to: 1}", "distribution"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, cases[c].message, "%s  - %s\n", gas,
                                        cases[c].record);
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    scree_trial_starve(
        SCREE_TRIAL_RUN,
        "scree: 1\n"
        "materials: {glass: {density: 2500}}\n"
        "contacts: [{between: [any, any], law: hard, restitution: 0.9, friction: 0}]\n"
        "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y, z]}\n"
        "bodies: [{sphere: {radius: 1 cm, at: [0.5, 0.5, 0.5], velocity: [1, 0, 0], material: glass}}]\n"
        "engine: {event: {step: 1 ms}}\n"
        "run: {steps: 3}\n"
        "record:\n"
        "  - {distribution: g.csv, quantity: radial, every: 1 steps, to: 0.4 m, bins: 3}\n"
        "  - {distribution: p.csv, quantity: profile, every: 1 steps, along: y, to: 1 m, bins: 3}\n"
        "  - {distribution: d.csv, quantity: displacement, every: 1 steps, bins: 2}\n"
        "  - {table: t.csv, every: 1 steps, columns: [mean-free-path]}\n",
        &(struct scree_run_def){.force = true, .folder = scree_test_folder.path});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_lattices_are_counted_by_distance_and_group),
        cmocka_unit_test(a_skewed_cell_has_the_pairs_of_the_upright_one),
        cmocka_unit_test(images_beyond_half_of_the_period_count),
        cmocka_unit_test(values_are_counted_in_their_bins),
        cmocka_unit_test(layers_have_the_parts_of_balls_that_are_in_them),
        cmocka_unit_test(a_layer_has_the_mean_velocity_and_the_temperature_of_its_samples),
        cmocka_unit_test(displacements_grow_with_the_time_since_the_last_start),
        cmocka_unit_test(no_sum_depends_on_the_order_of_bodies),
        cmocka_unit_test(a_reset_begins_a_new_average),
        cmocka_unit_test(what_has_no_meaning_is_refused),
        cmocka_unit_test(averages_go_on_after_a_restart),
        cmocka_unit_test(an_average_over_a_time_is_written_when_it_is_over),
        cmocka_unit_test(a_ball_between_walls_has_the_free_path_of_their_distance),
        cmocka_unit_test(mistakes_of_records_are_reported),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
