// Regions of measurements (scree/measure.h): without a region, measurements per volume use the box of the
// world, and each body is in exactly one of adjacent regions. References: the volume, force and velocity of
// single bodies, and counts.

#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>

#define HEAD                                                                                                 \
    "materials: {m: {density: 2500}}\n"                                                                      \
    "contacts: [{between: [any, any], law: linear, stiffness: 1 kN/m, friction: 0, restitution: 1}]\n"       \
    "engine: {soft: {step: 1 us}}\nrun: {steps: 0}\n"

static struct scree_world *build_world(const char *text)
{
    return scree_trial_run_text(text, &(struct scree_run_def){.threads = 1});
}

static struct scree_measure_region box_of(double x, double y, double z, double u, double v, double w)
{
    return (struct scree_measure_region){.shape = SCREE_MEASURE_BOX, .lower = {x, y, z}, .upper = {u, v, w}};
}

static size_t bodies_in(struct scree_world *world, const struct scree_measure_region *region)
{
    struct scree_measure_mean_motion motion;
    assert_ok(scree_measure_motion(world, region, &motion));
    return motion.bodies;
}

// --- the box of the world

enum { VALUES = 1 + 9 + 9 };

static void measure_per_volume(struct scree_world *world, const struct scree_measure_region *region,
                               double *out)
{
    assert_ok(scree_measure_solid_fraction(world, region, out));
    assert_ok(scree_measure_stress(world, region, out + 1));
    assert_ok(scree_measure_kinetic_stress(world, region, out + 10));
}

// One body inside, one cut by a face, two in contact through a face, and two in contact far outside.
static void measurements_per_volume_use_the_box_of_the_world(void **state)
{
    (void)state;
#define BALL(at) "  - sphere: {radius: 1 cm, at: " at ", material: m, velocity: [0.1, 0.2, 0.3]}\n"
#define DISK(at) "  - disk: {radius: 1 cm, thickness: 1 mm, at: " at ", material: m, velocity: [0.1, 0.2]}\n"
    static const struct {
        const char *text;
        double volume,
            length; // inside the box: volume in units of a body, and fraction of a branch vector
    } rows[] = {
        {"scree: 1\n" HEAD "world: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], outside: ignore}\n"
         "bodies:\n" BALL("[0.05, 0.05, 0.05]") BALL("[0.05, 0.05, 0]") BALL("[0.02, 0.02, 0.095]")
             BALL("[0.02, 0.02, 0.114]") BALL("[0.05, 0.05, 0.5]") BALL("[0.05, 0.05, 0.519]"),
         1 + 0.5 + 27.0 / 32, 5.0 / 19},
        {"scree: 1\n" HEAD "world: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], periodic: [x, y], outside: ignore}\n"
         "bodies:\n" BALL("[0, 0.1, 0.05]") BALL("[0.05, 0.05, 0]") BALL("[0.02, 0.02, 0.095]")
             BALL("[0.02, 0.02, 0.114]") BALL("[0, 0.05, 0.5]") BALL("[0, 0.05, 0.519]"),
         1 + 0.5 + 27.0 / 32, 5.0 / 19},
        {"scree: 1\ndimension: 2\n" HEAD
         "world: {box: [[0, 0], [0.1, 0.1]], periodic: [x], outside: ignore}\n"
         "bodies:\n" DISK("[0, 0.05]") DISK("[0.05, 0]") DISK("[0.02, 0.1]") DISK("[0.02, 0.119]")
             DISK("[0.1, 0.5]") DISK("[0.1, 0.519]"),
         2, 0},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_world *world = build_world(rows[r].text);
        const int last_axis = scree_world_dimension(world) - 1;
        struct scree_measure_region box = box_of(0, 0, 0, 0.1, 0.1, 0.1), group = {0};
        double without_region[VALUES], with_region[VALUES];
        assert_ok(scree_group_add(world, "g", &group.group));
        assert_int_equal(bodies_in(world, NULL), 6);
        measure_per_volume(world, NULL, without_region);
        measure_per_volume(world, &box, with_region);
        assert_memory_equal(without_region, with_region, sizeof without_region);
        measure_per_volume(world, &(struct scree_measure_region){0}, with_region);
        assert_memory_equal(without_region, with_region, sizeof without_region);
        const double body_volume = 3.14159265358979323846 * (last_axis == 1 ? 1e-4 : 4e-6 / 3);
        const double volume = last_axis == 1 ? 0.01 : 0.001;
        assert_true(fabs(without_region[0] - rows[r].volume * body_volume / volume) < 1e-14);
        // an overlap of 1 mm gives a force of 1 N; the branch vector is 19 mm long
        assert_true(fabs(without_region[1 + 4 * last_axis] + rows[r].length * 0.019 / volume) < 1e-11);
        // all bodies have the same velocity; without the mean velocity of the box, bodies outside would
        // contribute
        assert_true(fabs(without_region[10 + 4 * last_axis]) < 1e-12);
        // a group is measured in the box too, here an empty group
        assert_ok(scree_measure_solid_fraction(world, &group, &without_region[0]));
        assert_true(without_region[0] == 0);
        scree_world_destroy(world);
    }
}

// --- adjacent regions

// A body on the lower bound of a region is inside, for any position of the region in the cell. The image
// 0.03 - 0.04 of the body is rounded to less than -0.01.
static void a_region_as_wide_as_the_cell_has_all_bodies(void **state)
{
    (void)state;
    struct scree_world *world =
        build_world("scree: 1\n" HEAD "world: {box: [[0, 0, 0], [0.04, 0.04, 0.04]], periodic: [x, y, z]}\n"
                    "bodies: [sphere: {radius: 2 mm, at: [0.03, 0.02, 0.02], material: m}]\n");
    const struct scree_measure_region cell = box_of(-0.01, 0, 0, 0.03, 0.04, 0.04);
    const struct scree_measure_region left = box_of(-0.01, 0, 0, 0.01, 0.04, 0.04);
    const struct scree_measure_region right = box_of(0.01, 0, 0, 0.03, 0.04, 0.04);
    const struct scree_measure_region cylinder = {.shape = SCREE_MEASURE_CYLINDER,
                                                  .from = {-0.01, 0.02, 0.02},
                                                  .to = {0.03, 0.02, 0.02},
                                                  .radius = 0.01};
    assert_int_equal(bodies_in(world, &cell), 1);
    assert_int_equal(bodies_in(world, &left), 1);
    assert_int_equal(bodies_in(world, &right), 0);
    assert_int_equal(bodies_in(world, &cylinder), 1);
    scree_world_destroy(world);
}

// The cell is divided at lattice points, on which bodies lie, into regions in any periodic image: together
// they contain each body, contact and stress exactly once.
static void regions_with_bounds_on_bodies_contain_each_body_once(void **state)
{
    (void)state;
    enum { SIDE = 8, LAYERS = 10 };
    char text[50000];
    size_t length = (size_t)snprintf(text, sizeof text,
                                     "scree: 1\n" HEAD
                                     "world: {box: [[0, 0, 0], [0.04, 0.04, 0.05]], periodic: [x, y, z]}\n"
                                     "bodies:\n");
    for (int b = 0; b < SIDE * SIDE * LAYERS; ++b)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "  - sphere: {radius: 2.51 mm, at: [%.3f, %.3f, %.3f], material: m}\n",
                                   0.005 * (b % SIDE), 0.005 * (b / SIDE % SIDE), 0.005 * (b / SIDE / SIDE));
    struct scree_world *world = build_world(text);
    double cell_stress[9], fabric[9];
    size_t contacts;
    assert_ok(scree_measure_stress(world, NULL, cell_stress));
    assert_ok(scree_measure_fabric(world, NULL, fabric, &contacts));
    // lower bounds of the divided period, multiples of the lattice step; the last two are thousands of
    // periods away
    static const double starts[] = {0, -0.01, -0.005, -0.025, 0.015, 0.03, 0.035, 400.005, -80.015};
    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; ++s) {
        const double ends[5] = {starts[s], starts[s] + 0.01, starts[s] + 0.023, starts[s] + 0.03,
                                starts[s] + 0.04};
        size_t body_sum = 0, contact_sum = 0;
        double stress = 0;
        for (int tile = 0; tile < 16; ++tile) {
            const int i = tile % 4, j = tile / 4 % 2, k = tile / 8;
            const struct scree_measure_region box =
                box_of(ends[i], 0.02 * j, k ? 0.015 : -0.01, ends[i + 1], 0.02 * (j + 1), k ? 0.04 : 0.015);
            double tensor[9];
            size_t part_contacts;
            body_sum += bodies_in(world, &box);
            assert_ok(scree_measure_stress(world, &box, tensor));
            stress += tensor[8] * (ends[i + 1] - ends[i]) / 0.04 / 4;
            assert_ok(scree_measure_fabric(world, &box, tensor, &part_contacts));
            contact_sum += part_contacts;
        }
        assert_int_equal(body_sum, SIDE * SIDE * LAYERS);
        assert_int_equal(contact_sum, contacts);
        // thousands of periods away, the width is rounded to fewer digits
        assert_true(fabs(stress - cell_stress[8]) <
                    (fabs(starts[s]) < 1 ? 1e-13 : 1e-9) * fabs(cell_stress[8]));
    }
    scree_world_destroy(world);
}

// Random bounds, with bodies on a bound or one unit in the last place beside it.
static void bodies_on_bounds_are_in_one_region(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct scree_world *world = build_world(
        "scree: 1\n" HEAD "world: {box: [[0.1, 0, 0], [0.4, 1, 1]], periodic: [x], outside: ignore}\n"
        "bodies: [sphere: {radius: 2 mm, at: [0.3, 0.2, 0.2], material: m}]\n");
    for (int round = 0; round < 2000; ++round) {
        const double start = floor(4000 * splitmix_signed(&seed)) / 1000;
        const double a = start + 0.1 + 0.05 * splitmix_signed(&seed), b = a + 0.1, period = 0.4 - 0.1;
        const double ends[4] = {start, a, b, start + period};
        double position[3] = {ends[round % 4], 0.2, 0.2};
        position[0] = round % 3 == 0   ? nextafter(position[0], -9)
                      : round % 3 == 1 ? nextafter(position[0], 9)
                                       : position[0];
        assert_ok(scree_body_set_position(world, (scree_body_id){1}, position));
        size_t in_boxes = 0, in_cylinders = 0;
        for (int i = 0; i < 3; ++i) {
            const struct scree_measure_region box = box_of(ends[i], 0, 0, ends[i + 1], 1, 1);
            const struct scree_measure_region cylinder = {.shape = SCREE_MEASURE_CYLINDER,
                                                          .from = {ends[i + 1], 0.2, 0.2},
                                                          .to = {ends[i], 0.2, 0.2},
                                                          .radius = 0.1};
            in_boxes += bodies_in(world, &box);
            in_cylinders += bodies_in(world, &cylinder);
        }
        assert_true(in_boxes == 1 && in_cylinders == 1);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measurements_per_volume_use_the_box_of_the_world),
        cmocka_unit_test(a_region_as_wide_as_the_cell_has_all_bodies),
        cmocka_unit_test(regions_with_bounds_on_bodies_contain_each_body_once),
        cmocka_unit_test(bodies_on_bounds_are_in_one_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
