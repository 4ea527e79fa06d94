// Measurements (src/measure) against closed forms for pairs, columns and lattices, and against sums over the
// parts of a region.

#include "base/memory.h"
#include "support/bed.h"
#include "support/starve.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

#define STIFFNESS 1e4

// A world with linear springs, without dashpots and friction, with a cell if `cell` is not null.
static struct scree_world *make_spring_world(int dimension, const struct scree_cell_def *cell,
                                             const double *gravity, scree_material_id *material)
{
    struct scree_world *world;
    struct scree_world_def def = {.dimension = dimension};
    static const struct scree_interaction_value values[3] = {
        {"friction", 0, NULL}, {"restitution", 1, NULL}, {"stiffness", STIFFNESS, NULL}};
    if (gravity)
        memcpy(def.gravity, gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, material));
    assert_ok(scree_material_set(world, *material, "young", 1e6));
    assert_ok(scree_material_set(world, *material, "poisson", 0.25));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    if (cell)
        assert_ok(scree_cell_set(world, cell));
    return world;
}

static void add_grain(struct scree_world *world, scree_material_id material, double radius, double x,
                      double y, double z)
{
    scree_body_id id;
    if (scree_world_dimension(world) == 2)
        assert_ok(scree_body_add_disk(
            world,
            &(struct scree_disk_def){
                .radius = radius, .thickness = 0.1, .material = material, .position = {x, y}},
            &id));
    else
        assert_ok(scree_body_add_sphere(
            world, &(struct scree_sphere_def){.radius = radius, .material = material, .position = {x, y, z}},
            &id));
}

// Finds contacts and computes forces, without motion.
static void compute_forces(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 0));
    scree_engine_destroy(engine);
}

static struct scree_measure_region box_of(double x, double y, double z, double u, double v, double w)
{
    return (struct scree_measure_region){.shape = SCREE_MEASURE_BOX, .lower = {x, y, z}, .upper = {u, v, w}};
}

static void assert_tensor(const double *tensor, const double *expected, double tolerance)
{
    for (int k = 0; k < 9; ++k)
        if (!(fabs(tensor[k] - expected[k]) <= tolerance))
            fail_msg("component %d is %.17g, not %.17g", k, tensor[k], expected[k]);
}

// The force k d acts along n, the direction of the branch vector, whose length is l = 2 r - d. Its stress is
// -F l n n / V, times the fraction of the branch vector inside the region.
static void the_stress_of_a_pair_is_its_force_times_its_branch_vector(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, NULL, NULL, &material);
    const double d = 0.01, l = 0.2 - d, n[3] = {0.6, 0, 0.8}, force = STIFFNESS * d;
    double stress[9], expected[9];
    add_grain(world, material, 0.1, 0, 0, 0);
    add_grain(world, material, 0.1, l * n[0], 0, l * n[2]);
    compute_forces(world);
    // regions with all, half, a quarter and half of the branch vector
    const struct scree_measure_region regions[4] = {
        box_of(-1, -1, -1, 1, 1, 1),
        box_of(-1, -1, -1, l * n[0] / 2, 1, 1),
        {.shape = SCREE_MEASURE_BALL, .from = {-0.3, 0, -0.4}, .radius = 0.5 + l / 4},
        {.shape = SCREE_MEASURE_CYLINDER, .from = {-1, 0, 0}, .to = {1, 0, 0}, .radius = l * n[2] / 2}};
    static const double fraction[4] = {1, 0.5, 0.25, 0.5};
    for (int r = 0; r < 4; ++r) {
        double volume;
        assert_ok(scree_measure_volume(world, &regions[r], &volume));
        for (int k = 0; k < 9; ++k)
            expected[k] = -fraction[r] * force * l * n[k / 3] * n[k % 3] / volume;
        assert_ok(scree_measure_stress(world, &regions[r], stress));
        // d is the difference of numbers about 20 times as large
        assert_tensor(stress, expected, 1e-13 * force * l / volume);
    }
    assert_refused(SCREE_ERROR_ARGUMENT, "cell", scree_measure_stress(world, NULL, stress));
    double ratio, max_overlap;
    assert_ok(scree_measure_unbalanced(world, &ratio));
    assert_ok(scree_measure_max_overlap(world, &max_overlap));
    // both bodies have the force of the only contact, rounded to a quantum of at most 2^-44 of it
    assert_true(fabs(ratio - 1) < 0x1p-44 && fabs(max_overlap - 0.1) < 1e-14);
    assert_ok(scree_measure_force_ratio(world, &ratio));
    assert_true(fabs(ratio - 1) < 0x1p-44);
    scree_world_destroy(world);
}

// A stack of spheres compressed by its weight: in equilibrium the stress between two centres is minus the
// weight above over the area. Overlaps are differences of heights about 10^4 times as large.
static void the_stress_in_a_column_is_the_weight_above_over_the_area(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static const double down[3] = {0, 0, -10};
    scree_material_id material;
    scree_wall_id floor;
    struct scree_world *world = make_spring_world(3, NULL, down, &material);
    const double r = 0.1, weight = 10 * 1000 * 4 * pi / 3 * r * r * r;
    double height[COUNT], ratio, stress[9], force[3];
    for (int b = 0; b < COUNT; ++b) {
        const double overlap = weight * (COUNT - b) / STIFFNESS;
        height[b] = b == 0 ? r - overlap : height[b - 1] + 2 * r - overlap;
        add_grain(world, material, r, 0, 0, height[b]);
    }
    const struct scree_wall_def plane = {
        .shape = SCREE_WALL_PLANE, .material = material, .plane = {.normal = {0, 0, 1}}};
    assert_ok(scree_wall_add(world, &plane, &floor));
    compute_forces(world);
    for (int b = 0; b < COUNT; ++b) {
        const double below = b == 0 ? 0 : height[b - 1];
        const struct scree_measure_region slice =
            box_of(-0.2, -0.3, below + 0.01, 0.2, 0.3, height[b] - 0.02);
        double expected[9] = {0};
        expected[8] = -weight * (COUNT - b) / (0.4 * 0.6);
        assert_ok(scree_measure_stress(world, &slice, stress));
        assert_tensor(stress, expected, 1e-11 * COUNT * weight / 0.24);
    }
    assert_ok(scree_measure_unbalanced(world, &ratio));
    assert_true(ratio < 1e-11);
    assert_ok(scree_measure_force_ratio(world, &ratio));
    assert_true(ratio < 1e-11);
    assert_ok(scree_wall_load(world, floor, force, NULL));
    assert_true(fabs(force[2] + COUNT * weight) < 1e-11 * COUNT * weight);
    scree_world_destroy(world);
}

// Checks a periodic lattice in which each grain has a number of neighbours; `fraction`: solid fraction.
static void check_lattice(struct scree_world *world, double neighbours, double fraction, int dimension)
{
    double fabric[9], solid_fraction, expected[9] = {0};
    struct scree_measure_coordination_numbers coordination;
    size_t contacts;
    for (int k = 0; k < dimension; ++k)
        expected[4 * k] = 1.0 / dimension;
    compute_forces(world);
    assert_ok(scree_measure_fabric(world, NULL, fabric, &contacts));
    assert_tensor(fabric, expected, 1e-13);
    assert_ok(scree_measure_coordination(world, NULL, &coordination));
    assert_true(coordination.mean == neighbours && coordination.mechanical == neighbours &&
                coordination.rattlers == 0);
    assert_true((double)contacts == neighbours * (double)coordination.bodies / 2);
    assert_ok(scree_measure_solid_fraction(world, NULL, &solid_fraction));
    assert_true(fabs(solid_fraction - fraction) < 1e-14);
    // the same for a box as wide as the cell at any position, also when its faces cut grains
    struct scree_cell_def cell;
    scree_cell_get(world, &cell);
    struct scree_measure_region box = {.shape = SCREE_MEASURE_BOX};
    for (int k = 0; k < 3; ++k) {
        box.lower[k] = cell.lower[k] + 0.0371 * (k + 1);
        box.upper[k] = cell.upper[k] + 0.0371 * (k + 1);
    }
    double stress[9], shifted[9], size = 0;
    assert_ok(scree_measure_solid_fraction(world, &box, &solid_fraction));
    assert_true(fabs(solid_fraction - fraction) < 1e-13);
    assert_ok(scree_measure_fabric(world, &box, fabric, &contacts));
    assert_true((double)contacts == neighbours * (double)coordination.bodies / 2);
    assert_ok(scree_measure_stress(world, NULL, stress));
    assert_ok(scree_measure_stress(world, &box, shifted));
    for (int k = 0; k < 9; ++k)
        size = fmax(size, fabs(stress[k]));
    assert_true(stress[0] < 0);
    assert_tensor(shifted, stress, 1e-12 * size);
    // the stress of the whole is the mean of the stresses of two parts, weighted by volume
    const double cut = (box.lower[0] + box.upper[0]) / 2 - 0.01;
    struct scree_measure_region left = box, right = box;
    left.upper[0] = right.lower[0] = cut;
    double left_stress[9], right_stress[9];
    assert_ok(scree_measure_stress(world, &left, left_stress));
    assert_ok(scree_measure_stress(world, &right, right_stress));
    const double left_fraction = (cut - box.lower[0]) / (box.upper[0] - box.lower[0]);
    for (int k = 0; k < 9; ++k)
        left_stress[k] = left_fraction * left_stress[k] + (1 - left_fraction) * right_stress[k];
    assert_tensor(left_stress, stress, 1e-12 * size);
}

static void a_cubic_lattice_has_six_neighbours_and_no_preferred_axis(void **state)
{
    (void)state;
    const double a = 0.1, r = 0.0505;
    const struct scree_cell_def cell = {.upper = {0.4, 0.4, 0.4}, .periodic = {true, true, true}};
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, &cell, NULL, &material);
    for (int k = 0; k < 64; ++k)
        add_grain(world, material, r, a * (k % 4) + 0.013, a * (k / 4 % 4), a * (k / 16) + 0.05);
    check_lattice(world, 6, 4 * pi / 3 * r * r * r / (a * a * a), 3);
    scree_world_destroy(world);
}

static void a_face_centred_lattice_has_twelve_neighbours(void **state)
{
    (void)state;
    const double a = 0.1, r = 0.0505 * 0.70710678118654752;
    const struct scree_cell_def cell = {.upper = {0.3, 0.3, 0.3}, .periodic = {true, true, true}};
    static const double base[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, &cell, NULL, &material);
    for (int k = 0; k < 108; ++k) {
        const double *b = base[k % 4];
        const int c = k / 4;
        add_grain(world, material, r, a * (c % 3 + b[0]), a * (c / 3 % 3 + b[1]), a * (c / 9 + b[2]));
    }
    check_lattice(world, 12, 4 * 4 * pi / 3 * r * r * r / (a * a * a), 3);
    scree_world_destroy(world);
}

static void a_hexagonal_layer_has_six_neighbours(void **state)
{
    (void)state;
    const double a = 0.1, row_height = a * 1.7320508075688772, r = 0.0505;
    const struct scree_cell_def cell = {.upper = {4 * a, 3 * row_height, 0}, .periodic = {true, true, false}};
    scree_material_id material;
    struct scree_world *world = make_spring_world(2, &cell, NULL, &material);
    for (int k = 0; k < 24; ++k)
        add_grain(world, material, r, a * (k / 2 % 4 + 0.5 * (k % 2)), row_height * (k / 8 + 0.5 * (k % 2)),
                  0);
    check_lattice(world, 6, 2 * pi * r * r / (a * row_height), 2);
    scree_world_destroy(world);
}

// Bodies with at most one contact carry no load: in a chain of three bodies and a single body, only the
// middle one counts.
static void rattlers_are_excluded_from_mechanical_coordination(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, NULL, NULL, &material);
    struct scree_measure_coordination_numbers coordination;
    for (int b = 0; b < 3; ++b)
        add_grain(world, material, 0.1, 0.19 * b, 0, 0);
    add_grain(world, material, 0.1, 5, 0, 0);
    compute_forces(world);
    assert_ok(scree_measure_coordination(world, NULL, &coordination));
    assert_true(coordination.bodies == 4 && coordination.contacts == 4 && coordination.rattlers == 3);
    assert_true(coordination.mean == 1 && coordination.mechanical == 2);
    const struct scree_measure_region box_of_fourth = box_of(4, -1, -1, 6, 1, 1);
    assert_ok(scree_measure_coordination(world, &box_of_fourth, &coordination));
    assert_true(coordination.bodies == 1 && coordination.mean == 0 && coordination.mechanical == 0);
    scree_world_destroy(world);
}

// Two streams of equal mass, with velocities V + u and V - u. Their temperature is u^2 / 3; their stress is
// -2 m u u divided by the volume.
static void two_streams_have_their_mean_velocity_and_temperature(void **state)
{
    (void)state;
    static const double mean[3] = {1000, 2, -3}, relative[3] = {0.5, -0.25, 1};
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, NULL, NULL, &material);
    struct scree_measure_mean_motion motion;
    for (int b = 0; b < 4; ++b) {
        add_grain(world, material, 0.1, 0.5 * b, 0, 0);
        double velocity[3];
        for (int k = 0; k < 3; ++k)
            velocity[k] = mean[k] + (b % 2 ? relative[k] : -relative[k]);
        assert_ok(scree_body_set_velocity(world, (scree_body_id){(uint64_t)b + 1}, velocity));
    }
    // a box includes its lower bound but not its upper one
    const struct scree_measure_region region = box_of(0.5, -1, -1, 1.5, 1, 1);
    const double mass = 1000 * 4 * pi / 3 * 0.001;
    assert_ok(scree_measure_motion(world, &region, &motion));
    assert_int_equal(motion.bodies, 2);
    assert_true(fabs(motion.mass - 2 * mass) < 1e-15 * 10 * mass);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(motion.velocity[k] - mean[k]) < 1e-12);
    assert_true(fabs(motion.temperature - (0.25 + 0.0625 + 1) / 3) < 1e-12);
    assert_true(fabs(motion.fastest - sqrt(1000.5 * 1000.5 + 1.75 * 1.75 + 4)) < 1e-12);
    double stress[9], expected[9];
    for (int k = 0; k < 9; ++k)
        expected[k] = -2 * mass * relative[k / 3] * relative[k % 3] / 4;
    assert_ok(scree_measure_kinetic_stress(world, &region, stress));
    assert_tensor(stress, expected, 1e-12 * mass);
    scree_world_destroy(world);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void percentiles_agree_with_the_sorted_list(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    uint64_t seed = 9;
    double diameter[COUNT], cube_sum_before = 0, cube_sum = 0, value;
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, NULL, NULL, &material);
    for (int b = 0; b < COUNT; ++b) {
        const double radius = 0.1 * (1.5 + splitmix_signed(&seed));
        diameter[b] = 2 * radius;
        add_grain(world, material, radius, b, 0, 0);
    }
    qsort(diameter, COUNT, sizeof *diameter, compare_numbers);
    for (int b = 0; b < COUNT; ++b)
        cube_sum += diameter[b] * diameter[b] * diameter[b];
    for (int b = 0; b < COUNT; ++b) {
        // the percentage at the middle of a body, by number and by mass
        const double number = 100 * (b + 0.5) / COUNT;
        cube_sum_before += diameter[b] * diameter[b] * diameter[b];
        const double mass =
            100 * (cube_sum_before - 0.5 * diameter[b] * diameter[b] * diameter[b]) / cube_sum;
        assert_ok(scree_measure_percentile(world, NULL, SCREE_MEASURE_DIAMETER, false, number, &value));
        assert_true(value == diameter[b]);
        assert_ok(scree_measure_percentile(world, NULL, SCREE_MEASURE_DIAMETER, true, mass, &value));
        assert_true(value == diameter[b]);
    }
    assert_ok(scree_measure_percentile(world, NULL, SCREE_MEASURE_DIAMETER, false, 0, &value));
    assert_true(value == diameter[0]);
    assert_ok(scree_measure_percentile(world, NULL, SCREE_MEASURE_DIAMETER, true, 100, &value));
    assert_true(value == diameter[COUNT - 1]);
    assert_ok(scree_measure_percentile(world, NULL, SCREE_MEASURE_SPEED, true, 50, &value));
    assert_true(value == 0);
    assert_refused(SCREE_ERROR_ARGUMENT, "0 to 100",
                   scree_measure_percentile(world, NULL, SCREE_MEASURE_SPEED, true, 101, &value));
    assert_refused(SCREE_ERROR_ARGUMENT, "by number",
                   scree_measure_percentile(world, NULL, SCREE_MEASURE_FORCE, true, 1, &value));
    scree_world_destroy(world);
}

// With 100 bodies each percent is one body, by number and, for equal masses, by mass; with 1000 bodies each
// 0.1 %.
static void a_percentile_at_a_whole_number_of_bodies_is_the_last_of_them(void **state)
{
    (void)state;
    for (int count = 100; count <= 1000; count *= 10) {
        scree_material_id material;
        struct scree_world *sizes = make_spring_world(3, NULL, NULL, &material);
        struct scree_world *speeds = make_spring_world(3, NULL, NULL, &material);
        for (int b = 1; b <= count; ++b) {
            scree_body_id id;
            add_grain(sizes, material, 0.001 * b, b, 0, 0);
            assert_ok(scree_body_add_sphere(
                speeds,
                &(struct scree_sphere_def){
                    .radius = 0.0123, .material = material, .position = {b, 0, 0}, .velocity = {0, -b, 0}},
                &id));
        }
        for (int b = 1; b <= count; ++b) {
            double value;
            const double percent = b / (count / 100.0);
            assert_ok(scree_measure_percentile(sizes, NULL, SCREE_MEASURE_DIAMETER, false, percent, &value));
            assert_true(value == 2 * (0.001 * b));
            assert_ok(scree_measure_percentile(speeds, NULL, SCREE_MEASURE_SPEED, true, percent, &value));
            assert_true(value == b);
        }
        scree_world_destroy(sizes);
        scree_world_destroy(speeds);
    }
}

// Bodies can be selected by a group; contacts cannot.
static void a_region_with_a_group_measures_the_bodies_of_the_group(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, NULL, NULL, &material);
    struct scree_measure_region region = box_of(-1, -1, -1, 1, 1, 1);
    struct scree_measure_mean_motion motion;
    struct scree_measure_coordination_numbers coordination;
    double value, tensor[9];
    for (int b = 0; b < 3; ++b)
        add_grain(world, material, 0.1 * (b + 1), 0.5 * b, 0, 0);
    assert_ok(scree_group_add(world, "some", &region.group));
    assert_ok(scree_measure_motion(world, &region, &motion));
    assert_int_equal(motion.bodies, 0);
    assert_ok(scree_group_put_body(world, region.group, (scree_body_id){2}, true));
    assert_ok(scree_group_put_body(world, region.group, (scree_body_id){3}, true));
    assert_ok(scree_measure_motion(world, &region, &motion));
    // the third is in the group but outside the box, the first is inside but not in the group
    assert_true(motion.bodies == 1 && fabs(motion.mass - 1000 * 4 * pi / 3 * 0.008) < 1e-12);
    assert_ok(scree_measure_percentile(world, &region, SCREE_MEASURE_DIAMETER, false, 0, &value));
    assert_true(value == 0.4);
    assert_ok(scree_measure_coordination(world, &region, &coordination));
    assert_int_equal(coordination.bodies, 1);
    assert_ok(scree_measure_solid_fraction(world, &region, &value));
    // the part of the third body inside the box: a cap of height 0.3 m, with its centre on a face
    const double inside = 4 * pi / 3 * 0.008 + 2 * pi / 3 * 0.027;
    assert_true(fabs(value - inside / 8) < 1e-15);
    assert_refused(SCREE_ERROR_ARGUMENT, "without a group", scree_measure_stress(world, &region, tensor));
    assert_refused(SCREE_ERROR_ARGUMENT, "without a group",
                   scree_measure_fabric(world, &region, tensor, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "without a group",
                   scree_measure_percentile(world, &region, SCREE_MEASURE_OVERLAP, false, 50, &value));
    region.group.value = 7;
    assert_refused(SCREE_ERROR_MISSING, "group", scree_measure_motion(world, &region, &motion));
    scree_world_destroy(world);
}

// All measurements of a bed, one number after the other.
enum { VALUES = 9 * 3 + 16 };
static void measure_all(struct scree_world *world, double *out)
{
    const struct scree_measure_region region = {
        .shape = SCREE_MEASURE_BALL, .from = {0.2, 0.25, 0.22}, .radius = 0.21};
    struct scree_measure_coordination_numbers coordination;
    struct scree_measure_mean_motion motion;
    size_t contacts;
    memset(out, 0, VALUES * sizeof *out);
    assert_ok(scree_measure_stress(world, &region, out));
    assert_ok(scree_measure_kinetic_stress(world, &region, out + 9));
    assert_ok(scree_measure_fabric(world, &region, out + 18, &contacts));
    assert_ok(scree_measure_coordination(world, &region, &coordination));
    assert_ok(scree_measure_motion(world, &region, &motion));
    out += 27;
    *out++ = (double)contacts;
    *out++ = coordination.mean;
    *out++ = coordination.mechanical;
    *out++ = motion.mass;
    *out++ = motion.velocity[1];
    *out++ = motion.temperature;
    *out++ = motion.fastest;
    assert_ok(scree_measure_solid_fraction(world, &region, out++));
    assert_ok(scree_measure_unbalanced(world, out++));
    assert_ok(scree_measure_force_ratio(world, out++));
    assert_ok(scree_measure_max_overlap(world, out++));
    assert_ok(scree_measure_wall_power(world, out++));
    for (int q = 0; q < 4; ++q)
        assert_ok(scree_measure_percentile(world, NULL, (enum scree_measure_quantity)q, false, 37, out++));
}

static const struct scree_bed dense_bed = {.law = "hertz-mindlin",
                                           .values = {{"friction", 0.3, NULL}, {"restitution", 0.6, NULL}},
                                           .overlapping = true,
                                           .plate = true,
                                           .gravity = -9.81,
                                           .step = 1e-5};

static void no_value_depends_on_threads_or_slots(void **state)
{
    (void)state;
    double expected[VALUES], values[VALUES];
    for (int threads = 1; threads <= 3; ++threads) {
        struct scree_bed bed = dense_bed;
        struct scree_world *world;
        struct scree_engine *engine;
        bed.threads = threads;
        scree_bed_build(&bed, &world);
        if (threads == 2) {
            uint64_t keys[64], seed = 5;
            for (int k = 0; k < 64; ++k)
                keys[k] = splitmix_next(&seed);
            assert_ok(scree_world_sort(world, keys, 64));
        }
        scree_bed_engine(&bed, world, &engine);
        assert_ok(scree_engine_run(engine, 100));
        measure_all(world, threads == 1 ? expected : values);
        if (threads > 1)
            assert_memory_equal(expected, values, sizeof expected);
        // the plate moves into the bed, so no value is trivially zero
        assert_true(expected[0] < 0 && expected[9] < 0 && expected[27] > 10 && expected[27 + 10] > 0);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

static void invalid_regions_are_refused(void **state)
{
    (void)state;
    const struct scree_cell_def cell = {.upper = {1, 1, 1}, .periodic = {true, false, false}};
    scree_material_id material;
    struct scree_world *world = make_spring_world(3, &cell, NULL, &material);
    const struct {
        const char *word;
        struct scree_measure_region region;
    } rows[] = {
        {"along y", box_of(0, 1, 0, 1, 1, 1)},
        {"at most as wide as the periodic cell", box_of(0, 0, 0, 1.5, 1, 1)},
        {"periods of the cell", box_of(1e12, 0, 0, 1e12 + 0.5, 1, 1)},
        {"above its lower one", box_of(0, 0, 0, 1, INFINITE, 1)},
        {"radius", {.shape = SCREE_MEASURE_BALL}},
        {"radius", {.shape = SCREE_MEASURE_BALL, .radius = NOT_A_NUMBER}},
        {"axis", {.shape = SCREE_MEASURE_CYLINDER, .radius = 0.1}},
        {"number 7", {.shape = (enum scree_measure_shape)7}},
    };
    double value;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_refused(SCREE_ERROR_ARGUMENT, rows[r].word,
                       scree_measure_volume(world, &rows[r].region, &value));
    add_grain(world, material, 1e9, 0, 0, 0);
    const struct scree_measure_region half = box_of(0, 0, 0, 0.5, 1, 1);
    assert_refused(SCREE_ERROR_ARGUMENT, "too large", scree_measure_solid_fraction(world, &half, &value));
    scree_world_destroy(world);
    world = make_spring_world(2, NULL, NULL, &material);
    const struct scree_measure_region tube = {.shape = SCREE_MEASURE_CYLINDER, .to = {0, 0, 1}, .radius = 1};
    assert_refused(SCREE_ERROR_ARGUMENT, "two dimensions", scree_measure_volume(world, &tube, &value));
    scree_world_destroy(world);
}

static scree_status try_coordination(void *user)
{
    struct scree_measure_coordination_numbers coordination;
    return scree_measure_coordination((const struct scree_world *)user, NULL, &coordination);
}

static scree_status try_percentile(void *user)
{
    double value;
    return scree_measure_percentile((struct scree_world *)user, NULL, SCREE_MEASURE_FORCE, false, 50, &value);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    scree_bed_build(&dense_bed, &world);
    scree_bed_engine(&dense_bed, world, &engine);
    assert_ok(scree_engine_run(engine, 1));
    assert_true(scree_starve(try_coordination, world) >= 1);
    assert_true(scree_starve(try_percentile, world) >= 5);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stress_of_a_pair_is_its_force_times_its_branch_vector),
        cmocka_unit_test(the_stress_in_a_column_is_the_weight_above_over_the_area),
        cmocka_unit_test(a_cubic_lattice_has_six_neighbours_and_no_preferred_axis),
        cmocka_unit_test(a_face_centred_lattice_has_twelve_neighbours),
        cmocka_unit_test(a_hexagonal_layer_has_six_neighbours),
        cmocka_unit_test(rattlers_are_excluded_from_mechanical_coordination),
        cmocka_unit_test(two_streams_have_their_mean_velocity_and_temperature),
        cmocka_unit_test(percentiles_agree_with_the_sorted_list),
        cmocka_unit_test(a_percentile_at_a_whole_number_of_bodies_is_the_last_of_them),
        cmocka_unit_test(a_region_with_a_group_measures_the_bodies_of_the_group),
        cmocka_unit_test(no_value_depends_on_threads_or_slots),
        cmocka_unit_test(invalid_regions_are_refused),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
