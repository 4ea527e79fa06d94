// Measurements in cells with cell vectors: regions with images along the vectors, motion without the mean
// motion, mixing and percentiles. Reference: boxes that fill space exactly with their images, sums over all
// bodies, and the same world in a box along the axes.

#include "support/trial.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>

#define SCENE                                                                                                \
    "scree: 1\n"                                                                                             \
    "materials: {m: {density: 2500, young: 5 MPa, poisson: 0.3}}\n"                                          \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.5, "                 \
    "rolling-friction: 0.1}]\n"                                                                              \
    "alarms: {overlap: {policy: ignore}}\n"                                                                  \
    "engine: {soft: {step: 50 us}}\n"                                                                        \
    "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y, z]%s}\n"                                          \
    "bodies:\n"                                                                                              \
    "  - {fill: {shape: {sphere: {radius: {uniform: [5 cm, 7 cm]}}}, count: 180, material: m, velocity: "    \
    "[3, 0, 0], inside: {box: [[0, 0, 0], [1, 1, 1]]}}, group: red}\n"                                       \
    "  - {fill: {shape: {sphere: {radius: 4 cm}}, count: 20, material: m, velocity: [0, 4, 0], "             \
    "inside: {box: [[0, 0, 0], [1, 1, 1]]}}}\n"                                                              \
    "run: {steps: %d}\n"

enum { BODIES = 200 };

static struct scree_world *run_world(const char *deform, int steps)
{
    char text[2000];
    snprintf(text, sizeof text, SCENE, deform, steps);
    return scree_trial_run_text(text, &(struct scree_run_def){.threads = 1});
}

// A cell sheared by 1.3, with vectors that have changed, and contacts between moving grains.
static struct scree_world *make_sheared(void)
{
    struct scree_world *world = run_world(", deform: {shear: {rate: 20, of: x, along: y}}", 1300);
    struct scree_cell_state cell;
    assert_ok(scree_cell_get_state(world, &cell));
    scree_test_near(cell.vectors[3], 0.3, 1e-12);
    assert_true(scree_contact_count(world) > 20);
    return world;
}

static struct scree_measure_region box(double x0, double y0, double x1, double y1)
{
    return (struct scree_measure_region){
        .shape = SCREE_MEASURE_BOX, .lower = {x0, y0, -0.25}, .upper = {x1, y1, 0.75}};
}

static void cross(const double a[3], const double b[3], double sign, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] += sign * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
}

// Half the difference of the moments of a contact on both bodies about their centres, and the displacement of
// the first from the nearest image of the second.
static void moment_and_branch(const struct scree_world *world, const struct scree_contact *contact,
                              double moment[3], double branch[3])
{
    struct scree_cell_state cell;
    struct scree_body_state body[2];
    double arm[2][3];
    assert_ok(scree_cell_get_state(world, &cell));
    for (int s = 0; s < 2; ++s)
        assert_ok(scree_body_get(world, contact->body[s], &body[s]));
    for (int k = 0; k < 3; ++k)
        branch[k] = body[0].position[k] - body[1].position[k];
    // cell vectors along x, in the plane of x and y, and along z
    for (int v = 2; v >= 0; --v) {
        const double n = round(branch[v] / cell.vectors[4 * v]);
        for (int k = 0; k < 3; ++k)
            branch[k] -= n * cell.vectors[3 * v + k];
    }
    for (int k = 0; k < 3; ++k) {
        arm[0][k] = contact->point[k] - body[0].position[k];
        arm[1][k] = arm[0][k] + branch[k];
        moment[k] = contact->couple[k];
    }
    cross(arm[0], contact->force, 0.5, moment);
    cross(arm[1], contact->force, 0.5, moment);
}

// By the list of contacts. Rolling resistance gives couples, and friction between grains of different sizes
// moments of forces.
static void couple_stress_is_the_sum_of_moments_times_branches(void **state)
{
    (void)state;
    struct scree_world *world = make_sheared();
    static struct scree_contact contacts[1000];
    size_t count;
    double stress[9], expected[9] = {0}, size = 0, of_couples = 0;
    assert_ok(scree_contact_list(world, contacts, 1000, &count));
    assert_true(count <= 1000);
    for (size_t c = 0; c < count; ++c) {
        double moment[3], branch[3];
        moment_and_branch(world, &contacts[c], moment, branch);
        for (int k = 0; k < 9; ++k) {
            expected[k] -= moment[k / 3] * branch[k % 3];
            size += fabs(moment[k / 3] * branch[k % 3]);
            of_couples += fabs(contacts[c].couple[k / 3] * branch[k % 3]);
        }
    }
    assert_true(of_couples > 0.01 * size && of_couples < 0.99 * size);
    assert_ok(scree_measure_couple_stress(world, NULL, stress));
    // the cell has volume 1; the nearest images are those of grains that touch
    for (int k = 0; k < 9; ++k)
        scree_test_near(stress[k], expected[k], 1e-11 * size);
    scree_world_destroy(world);
}

// The box of the unit cube and its images by (1, 0, 0), (0.3, 1, 0) and (0, 0, 1) fill space, and so do its
// parts; sums over all parts are those of the cell. Tolerances: round-off of some hundred terms.
static void boxes_that_fill_space_have_the_sums_of_the_cell(void **state)
{
    (void)state;
    struct scree_world *world = make_sheared();
    const struct scree_measure_region parts[] = {box(0.2, 0.1, 0.9, 0.4), box(0.9, 0.1, 1.2, 0.4),
                                                 box(0.2, 0.4, 1.2, 1.1)};
    static const double volume[] = {0.21, 0.09, 0.7};
    double stress[9], sum[9] = {0}, couple[9], couples[9] = {0}, size = 0, fraction, solid = 0, fabric[9];
    size_t bodies = 0, contacts = 0, all;
    for (size_t p = 0; p < 3; ++p) {
        struct scree_measure_mean_motion motion;
        size_t count;
        assert_ok(scree_measure_stress(world, &parts[p], stress));
        assert_ok(scree_measure_couple_stress(world, &parts[p], couple));
        assert_ok(scree_measure_solid_fraction(world, &parts[p], &fraction));
        assert_ok(scree_measure_motion(world, &parts[p], &motion));
        assert_ok(scree_measure_fabric(world, &parts[p], fabric, &count));
        for (int k = 0; k < 9; ++k) {
            sum[k] += volume[p] * stress[k];
            couples[k] += volume[p] * couple[k];
            size += fabs(volume[p] * couple[k]);
        }
        solid += volume[p] * fraction;
        bodies += motion.bodies;
        contacts += count;
    }
    assert_int_equal(bodies, BODIES);
    assert_ok(scree_measure_fabric(world, NULL, fabric, &all));
    assert_int_equal(contacts, all);
    assert_ok(scree_measure_stress(world, NULL, stress));
    assert_ok(scree_measure_solid_fraction(world, NULL, &fraction));
    assert_ok(scree_measure_couple_stress(world, NULL, couple));
    for (int k = 0; k < 9; ++k) {
        scree_test_near(sum[k], stress[k], 1e-10 * fabs(stress[0]));
        scree_test_near(couples[k], couple[k], 1e-10 * size);
    }
    scree_test_near(solid, fraction, 1e-12);
    scree_world_destroy(world);
}

// Counts bodies in a ball or a box by their images.
static size_t count_images(const struct scree_world *world, const struct scree_measure_region *region)
{
    struct scree_cell_state cell;
    size_t count = 0;
    assert_ok(scree_cell_get_state(world, &cell));
    for (uint64_t id = 1; id <= BODIES; ++id) {
        struct scree_body_state body;
        assert_ok(scree_body_get(world, (scree_body_id){id}, &body));
        for (int n = 0; n < 343; ++n) {
            const int turn[3] = {n % 7 - 3, n / 7 % 7 - 3, n / 49 - 3};
            double square = 0;
            for (int k = 0; k < 3; ++k) {
                double x = body.position[k] - region->from[k];
                for (int v = 0; v < 3; ++v)
                    x += turn[v] * cell.vectors[3 * v + k];
                square += x * x;
            }
            count += square < region->radius * region->radius;
        }
    }
    return count;
}

static void balls_contain_the_images_of_bodies(void **state)
{
    (void)state;
    struct scree_world *world = make_sheared();
    static const double centres[][3] = {
        {0.05, 0.02, 0.5}, {0.95, 0.9, 0.01}, {-0.7, 2.3, 1}, {0.5, 0.5, 0.5}};
    for (size_t c = 0; c < 4; ++c) {
        struct scree_measure_region ball = {.shape = SCREE_MEASURE_BALL, .radius = 0.35};
        struct scree_measure_mean_motion motion;
        memcpy(ball.from, centres[c], sizeof ball.from);
        assert_ok(scree_measure_motion(world, &ball, &motion));
        assert_true(motion.bodies > 20);
        assert_int_equal(motion.bodies, count_images(world, &ball));
    }
    // overlaps the image at (1, 0, 0), and that at (0.3, 1, 0)
    double value[9];
    const struct scree_measure_region wide = box(0, 0, 1.1, 0.2), high = box(0, 0, 0.4, 1.1);
    assert_refused(SCREE_ERROR_ARGUMENT, "must not overlap its periodic images",
                   scree_measure_stress(world, &wide, value));
    assert_refused(SCREE_ERROR_ARGUMENT, "must not overlap its periodic images",
                   scree_measure_stress(world, &high, value));
    scree_world_destroy(world);
}

// Velocities are those without the mean motion; sums over all bodies.
static void motion_is_that_of_fluctuations(void **state)
{
    (void)state;
    struct scree_world *world = make_sheared();
    struct scree_measure_mean_motion motion;
    struct scree_momentum momentum;
    double kinetic[9], mass = 0, mean[3] = {0}, tensor[9] = {0}, fastest = 0, median;
    assert_ok(scree_measure_motion(world, NULL, &motion));
    assert_ok(scree_energy_momentum(world, &momentum));
    assert_ok(scree_measure_kinetic_stress(world, NULL, kinetic));
    for (int pass = 0; pass < 2; ++pass)
        for (uint64_t id = 1; id <= BODIES; ++id) {
            struct scree_body_state body;
            double w[3], square = 0;
            assert_ok(scree_body_get(world, (scree_body_id){id}, &body));
            assert_ok(scree_cell_fluctuation(world, (scree_body_id){id}, w));
            mass += pass == 0 ? body.mass : 0;
            for (int k = 0; k < 3; ++k) {
                mean[k] += pass == 0 ? body.mass * w[k] : 0;
                square += w[k] * w[k];
            }
            fastest = sqrt(square) > fastest ? sqrt(square) : fastest;
            for (int k = 0; k < 9 && pass == 1; ++k)
                tensor[k] += body.mass * (w[k / 3] - mean[k / 3] / mass) * (w[k % 3] - mean[k % 3] / mass);
        }
    for (int k = 0; k < 3; ++k) {
        scree_test_near(momentum.linear[k], mean[k], 1e-12 * mass);
        scree_test_near(motion.velocity[k], mean[k] / mass, 1e-12);
        assert_true(isnan(momentum.angular[k]));
    }
    for (int k = 0; k < 9; ++k)
        scree_test_near(kinetic[k], -tensor[k], 1e-12 * tensor[0] + 1e-12);
    scree_test_near(motion.temperature, (tensor[0] + tensor[4] + tensor[8]) / (3 * mass), 1e-12);
    scree_test_near(motion.fastest, fastest, 1e-12);
    assert_ok(scree_measure_percentile(world, NULL, SCREE_MEASURE_SPEED, false, 100, &median));
    scree_test_near(median, fastest, 1e-12);
    scree_world_destroy(world);
}

// The unit cube as a cell with cell vectors, beside the box. After some steps
// coordinates differ by round-off, 1e-16 times a small number for each of few collisions.
static void a_cube_measures_as_a_box(void **state)
{
    (void)state;
    struct scree_world *world[2] = {run_world("", 200),
                                    run_world(", deform: {shear: {rate: 0, of: x, along: y}}", 200)};
    static const uint32_t grid[3] = {3, 4, 2};
    const struct scree_measure_region regions[] = {
        box(0.7, -0.4, 1.6, 0.3),
        {.shape = SCREE_MEASURE_BALL, .from = {0.9, 0.1, 0.2}, .radius = 0.4},
        {.shape = SCREE_MEASURE_CYLINDER, .from = {0.9, 0.1, 0.2}, .to = {0.4, 0.6, 0.7}, .radius = 0.2}};
    for (size_t r = 0; r < 4; ++r) {
        const struct scree_measure_region *region = r < 3 ? &regions[r] : NULL;
        struct scree_measure_mean_motion motion[2];
        struct scree_measure_mean_position place[2];
        double stress[2][9], solid[2], diameter[2];
        for (int w = 0; w < 2; ++w) {
            assert_ok(scree_measure_motion(world[w], region, &motion[w]));
            assert_ok(scree_measure_position(world[w], region, SCREE_MEASURE_SINCE_RUN, &place[w]));
            assert_ok(scree_measure_stress(world[w], region, stress[w]));
            assert_ok(scree_measure_solid_fraction(world[w], region, &solid[w]));
            assert_ok(
                scree_measure_percentile(world[w], region, SCREE_MEASURE_DIAMETER, true, 50, &diameter[w]));
        }
        assert_true(motion[0].bodies > 10 && motion[0].bodies == motion[1].bodies);
        scree_test_near(motion[0].temperature, motion[1].temperature, 1e-12);
        scree_test_near(solid[0], solid[1], 1e-8);
        assert_true(diameter[0] == diameter[1]);
        for (int k = 0; k < 9; ++k)
            scree_test_near(stress[0][k], stress[1][k], 1e-6);
        for (int k = 0; k < 3; ++k)
            scree_test_near(place[0].position[k], place[1].position[k], 1e-12);
    }
    scree_group_id red;
    double index[2];
    for (int w = 0; w < 2; ++w) {
        assert_ok(scree_group_find(world[w], "red", &red));
        assert_ok(scree_measure_mixing(world[w], NULL, red, grid, false, &index[w]));
    }
    scree_test_near(index[0], index[1], 1e-12);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "mixing index of a region",
                   scree_measure_mixing(world[1], &regions[0], red, grid, false, index));
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(couple_stress_is_the_sum_of_moments_times_branches),
        cmocka_unit_test(boxes_that_fill_space_have_the_sums_of_the_cell),
        cmocka_unit_test(balls_contain_the_images_of_bodies),
        cmocka_unit_test(motion_is_that_of_fluctuations),
        cmocka_unit_test(a_cube_measures_as_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
