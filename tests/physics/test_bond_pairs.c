// Bonded pairs and bars: damped vibrations of a pair, of a pebble of a clump and of a sphere on a wall, and
// the stress of a bar. References: the damped oscillator, and force over area.

#include "support/worlds.h"

#include <scree/measure.h>

static const double radius = 0.1, length = 0.25, stiffness = 1e4;

static scree_bond_id add_bond(struct scree_world *world, struct scree_bond_side first,
                              struct scree_bond_side second, scree_wall_id wall, double damping_ratio)
{
    const struct scree_bond_def def = {.kind = SCREE_BOND_CONTACT,
                                       .side = {first, second},
                                       .wall = wall,
                                       .normal_stiffness = stiffness,
                                       .shear_stiffness = 0.5 * stiffness,
                                       .damping_ratio = damping_ratio};
    scree_bond_id id;
    assert_ok(scree_bond_add(world, &def, &id));
    return id;
}

// A clump of two spheres along x, whose centres are 0.06 from the centre of mass.
static scree_body_id add_dimer(struct scree_world *world, scree_material_id material, double x)
{
    const struct scree_pebble pebble[2] = {{.offset = {-0.06, 0, 0}, .radius = radius},
                                           {.offset = {0.06, 0, 0}, .radius = radius}};
    const struct scree_clump_def def = {
        .body = {.mass = 6, .inertia = {0.02, 0.05, 0.05}, .material = material, .position = {x, 0, 0}},
        .pebble = pebble,
        .pebbles = 2,
        .equal_radius = 0.12};
    scree_body_id id;
    assert_ok(scree_body_add_clump(world, &def, &id));
    return id;
}

// --- damped vibrations

enum side { SPHERE, CLUMP, WALL };

// The error of the elongation relative to its amplitude, after two periods of a free vibration along the
// bond. Its equation is x'' + 2 z w x' + w^2 x = 0 with w^2 = k / m*, where m* is the mass of both sides.
static double vibrate(enum side other, double damping_ratio, size_t steps)
{
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_bond_state state;
    struct scree_body_state ball;
    const scree_material_id material = scree_test_material(world);
    const scree_body_id first = scree_test_ball(world, material, radius, 0, 0);
    struct scree_bond_side second = {{0}, 0};
    scree_wall_id wall = {0};
    double inverse = 0;
    assert_ok(scree_body_get(world, first, &ball));
    if (other == WALL) {
        const struct scree_wall_def def = {.shape = SCREE_WALL_PLANE,
                                           .material = material,
                                           .plane = {.point = {length, 0, 0}, .normal = {-1, 0, 0}}};
        assert_ok(scree_wall_add(world, &def, &wall));
    } else if (other == CLUMP) {
        second = (struct scree_bond_side){add_dimer(world, material, length + 0.06), 1};
        inverse = 1.0 / 6;
    } else {
        second.body = scree_test_ball(world, material, radius, length, 0);
        inverse = 1 / ball.mass;
    }
    inverse += 1 / ball.mass;
    const scree_bond_id bond =
        add_bond(world, (struct scree_bond_side){first, 0}, second, wall, damping_ratio);
    const double v = 1e-3, w = sqrt(stiffness * inverse), z = damping_ratio, damped = w * sqrt(1 - z * z),
                 time = 4 * acos(-1) / damped * 1.1;
    assert_ok(scree_body_set_velocity(world, first, (const double[3]){-v, 0, 0}));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = time / (double)steps, .threads = 1},
                                &engine));
    assert_ok(scree_engine_run(engine, steps));
    assert_ok(scree_bond_get(world, bond, &state));
    const double expected = v / damped * exp(-z * w * time) * sin(damped * time);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return fabs(state.elongation - expected) / (v / damped);
}

// Velocity Verlet with a dashpot at on-step velocities has order 2. Without a dashpot its phase is wrong by w
// t (w h)^2 / 24 and its amplitude by (w h)^2 / 8: with w t = 4.4 pi in 1600 steps together at most 5.3e-5.
static void bonds_are_damped_oscillators(void **state)
{
    (void)state;
    enum { RUNS = 4 };
    static const char *const names[] = {"sphere", "clump", "wall"};
    for (enum side other = SPHERE; other <= WALL; ++other)
        for (int damped = 0; damped < 2; ++damped) {
            double error[RUNS];
            for (int r = 0; r < RUNS; ++r)
                error[r] = vibrate(other, 0.15 * damped, (size_t)200 << r);
            const double order = log2(error[0] / error[RUNS - 1]) / (RUNS - 1);
            print_message("%s, damping ratio %g: order %.3f, error %.2g\n", names[other], 0.15 * damped,
                          order, error[RUNS - 1]);
            assert_true(fabs(order - 2) < 0.05);
            assert_true(error[RUNS - 1] < 5.3e-5);
        }
}

// --- stress

enum { SPHERES = 4 };

// A bar of spheres of unequal distances and a clump in the middle, whose ends are fixed; each bond is
// stretched by d. Elongations are differences of coordinates of about 1 m: round-off is 1e-16 / d of the
// force.
static void stress_of(double d, double *force, double *error)
{
    const double position[SPHERES] = {0, 0.27, 0.27 + 0.42, 0.27 + 0.42 + 0.23};
    const double clump = 0.27 + 0.21, area = 0.6 * 0.8;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_body_id id[SPHERES];
    const scree_material_id material = scree_test_material(world);
    for (int b = 0; b < SPHERES; ++b)
        id[b] = scree_test_ball(world, material, radius, position[b], 0);
    const scree_body_id dimer = add_dimer(world, material, clump);
    const scree_wall_id none = {0};
    (void)add_bond(world, (struct scree_bond_side){id[0], 0}, (struct scree_bond_side){id[1], 0}, none, 0);
    (void)add_bond(world, (struct scree_bond_side){id[1], 0}, (struct scree_bond_side){dimer, 1}, none, 0);
    (void)add_bond(world, (struct scree_bond_side){dimer, 2}, (struct scree_bond_side){id[2], 0}, none, 0);
    (void)add_bond(world, (struct scree_bond_side){id[2], 0}, (struct scree_bond_side){id[3], 0}, none, 0);
    const double moved[SPHERES] = {0, 1, 3, 4};
    for (int b = 0; b < SPHERES; ++b) {
        const double at[3] = {position[b] + moved[b] * d, 0, 0};
        assert_ok(scree_body_set_position(world, id[b], at));
        assert_ok(scree_body_fix(world, id[b], SCREE_FIX_ALL));
    }
    assert_ok(scree_body_set_position(world, dimer, (const double[3]){clump + 2 * d, 0, 0}));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-6, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 1));
    *force = stiffness * d;
    *error = 0;
    // in one bond, across the clump, and from the middle of a bond to that of another
    static const double slice[3][2] = {{0.05, 0.2}, {0.4, 0.55}, {0.1, 0.8}};
    for (int s = 0; s < 3; ++s) {
        const struct scree_measure_region region = {
            .shape = SCREE_MEASURE_BOX, .lower = {slice[s][0], -0.3, -0.4}, .upper = {slice[s][1], 0.3, 0.4}};
        double stress[9];
        assert_ok(scree_measure_stress(world, &region, stress));
        for (int k = 0; k < 9; ++k)
            *error = fmax(*error, fabs(stress[k] - (k == 0 ? *force / area : 0)) * area);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Tension is positive.
static void the_stress_of_a_bonded_bar_is_its_force_over_the_area(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        double force, error;
        stress_of(sign * 1e-3, &force, &error);
        print_message("force %g N, error %.2g N\n", force, error);
        assert_true(error < 10 * 1e-16 / 1e-3 * fabs(force));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bonds_are_damped_oscillators),
        cmocka_unit_test(the_stress_of_a_bonded_bar_is_its_force_over_the_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
