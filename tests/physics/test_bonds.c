// Bonds: frequencies of two bonded spheres, strengths, momenta, and the energy ledger with large rotations
// and with breaking. References: closed forms of the vibrations of two bodies, and conservation laws.

#include "support/worlds.h"

#include <math.h>

enum { PARTS = 4 };

// Two spheres of radius 0.1 m with centres 0.25 m apart, and a bond between them.
static struct scree_world *pair(const struct scree_bond_def *def, scree_bond_id *bond)
{
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    struct scree_bond_def made = *def;
    made.side[0].body = scree_test_ball(world, material, 0.1, 0, 0);
    made.side[1].body = scree_test_ball(world, material, 0.1, 0.25, 0);
    assert_ok(scree_bond_add(world, &made, bond));
    return world;
}

static const struct scree_bond_def beam = {
    .kind = SCREE_BOND_EULER, .radius = 0.05, .young = 1e7, .shear_modulus = 4e6};

static void spin(struct scree_world *world, uint64_t id, double x, double y, double z)
{
    assert_ok(scree_body_set_spin(world, (scree_body_id){id}, (double[3]){x, y, z}));
}

static void move(struct scree_world *world, uint64_t id, double x, double y, double z)
{
    assert_ok(scree_body_set_velocity(world, (scree_body_id){id}, (double[3]){x, y, z}));
}

// --- frequencies

struct frequency {
    const char *name;
    double velocity[3], spin[3]; // of the second body; the first has the opposite
    double square;               // of the angular frequency
    bool turns;                  // follow the spin, not the velocity
    int axis;
};

// The time of `halves` half-periods, from zero crossings of a velocity or spin, interpolated linearly:
// between steps a sine deviates from a line by (w h)^2 / 8 of its amplitude, near a crossing by much less.
static double measure(struct scree_world *world, const struct frequency *f, double h, int halves)
{
    struct scree_engine *engine = scree_test_plain_engine(world, h);
    double last = f->turns ? f->spin[f->axis] : f->velocity[f->axis], first_time = 0, time = 0;
    for (int crossings = 0; crossings <= halves;) {
        assert_ok(scree_engine_run(engine, 1));
        const struct scree_body_state state = scree_test_state(world, 2);
        const double now = f->turns ? state.spin[f->axis] : state.velocity[f->axis];
        if (last * now < 0) {
            time = scree_world_time(world) - h * now / (now - last);
            first_time = crossings == 0 ? time : first_time;
            ++crossings;
        }
        last = now;
    }
    scree_engine_destroy(engine);
    return (time - first_time) / halves;
}

// Closed forms for two equal spheres (m, I = 0.4 m r^2) at a distance L: axial w^2 = 2 k_x / m; twist and
// symmetric bending w^2 = 2 k / I; antisymmetric shear with both spinning alike, arms L / 2:
// w^2 = k_s (2 / m + L^2 / (2 I)), in the motion without angular momentum, I spin = -m v L / 2. Amplitudes
// are so small that the nonlinearity, of the order of the square of the angles, is below 1e-9;
// velocity-verlet makes the frequency larger by (w h)^2 / 24, here 4e-7.
static void two_spheres_vibrate_at_their_frequencies(void **unused)
{
    (void)unused;
    const double r = 0.05, length = 0.25, pi = 3.14159265358979323846, mass = 4.0 / 3 * pi * 1e-3 * 1000;
    const double area = pi * r * r, second = pi * r * r * r * r / 4, inertia = 0.4 * mass * 0.01;
    const double axial = 1e7 * area / length, shear = 12e7 * second / (length * length * length),
                 twist = 4e6 * 2 * second / length, bend = 1e7 * second / length;
    const double v = 1e-6, turn = mass * v * length / 2 / inertia;
    const struct frequency cases[] = {
        {"axial", {v, 0, 0}, {0}, 2 * axial / mass, false, 0},
        {"twist", {0}, {1e-5, 0, 0}, 2 * twist / inertia, true, 0},
        {"bending", {0}, {0, 1e-5, 0}, 2 * bend / inertia, true, 1},
        {"shear", {0, v, 0}, {0, 0, -turn}, shear * (2 / mass + length * length / (2 * inertia)), false, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const struct frequency *f = &cases[c];
        scree_bond_id bond;
        struct scree_world *world = pair(&beam, &bond);
        // in the shear mode both bodies turn alike
        const double sign = c == 3 ? 1 : -1;
        move(world, 1, -f->velocity[0], -f->velocity[1], -f->velocity[2]);
        move(world, 2, f->velocity[0], f->velocity[1], f->velocity[2]);
        spin(world, 1, sign * f->spin[0], sign * f->spin[1], sign * f->spin[2]);
        spin(world, 2, f->spin[0], f->spin[1], f->spin[2]);
        const double w = sqrt(f->square), half = measure(world, f, 0.003 / w, 6);
        if (!(fabs(half * w / pi - 1) < 1e-6))
            fail_msg("%s: half period %g, expected %g", f->name, half, pi / w);
        scree_world_destroy(world);
    }
}

// An axial vibration with damping ratio zeta decays by exp(-pi zeta / sqrt(1 - zeta^2)) in half a period.
static void the_damping_ratio_is_that_of_axial_vibration(void **unused)
{
    (void)unused;
    struct scree_bond_def def = beam;
    def.damping_ratio = 0.2;
    scree_bond_id bond;
    struct scree_world *world = pair(&def, &bond);
    const double pi = 3.14159265358979323846, mass = 4.0 / 3 * pi;
    const double w = sqrt(2 * 1e7 * pi * 0.0025 / 0.25 / mass), damped = w * sqrt(1 - 0.04);
    move(world, 1, -1e-6, 0, 0);
    move(world, 2, 1e-6, 0, 0);
    const int steps = 1000;
    struct scree_engine *engine = scree_test_plain_engine(world, pi / damped / steps);
    assert_ok(scree_engine_run(engine, (uint64_t)steps));
    // order 2: (pi / 1000)^2 is 1e-5
    const double expected = -1e-6 * exp(-pi * 0.2 / sqrt(0.96));
    assert_true(fabs(scree_test_state(world, 2).velocity[0] / expected - 1) < 1e-4);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// --- ledger

struct tumbling {
    double balance, momentum, broken;
};

// Three spheres and a clump of two, bonded in a chain, with velocities so large that they turn by a radian.
static struct tumbling tumble(double softening, double strength, double damping, size_t steps)
{
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    const struct scree_pebble pebble[2] = {{.radius = 0.1, .offset = {-0.06, 0, 0}},
                                           {.radius = 0.1, .offset = {0.06, 0, 0}}};
    struct scree_bond_def def = beam;
    scree_body_id id[4];
    scree_bond_id bond;
    for (int b = 0; b < 3; ++b)
        id[b] = scree_test_ball(world, material, 0.1, 0.25 * b, 0);
    const struct scree_clump_def clump = {.body = {.mass = 5,
                                                   .inertia = {0.02, 0.05, 0.06},
                                                   .material = material,
                                                   .position = {0.6, 0.22, 0.1}},
                                          .pebble = pebble,
                                          .pebbles = 2,
                                          .equal_radius = 0.12};
    assert_ok(scree_body_add_clump(world, &clump, &id[3]));
    def.young = 1e5;
    def.shear_modulus = 4e4;
    def.damping_ratio = damping;
    def.tensile_strength = strength;
    def.ignores_moments = strength > 0;
    def.bending_strength = 2 * strength;
    def.softening = strength > 0 ? softening : 0;
    for (int b = 0; b < 3; ++b) {
        def.side[0].body = id[b];
        def.side[1] = (struct scree_bond_side){id[b + 1], b == 2 ? 1 : 0};
        assert_ok(scree_bond_add(world, &def, &bond));
    }
    move(world, 1, 0, 1, 0.5);
    move(world, 3, 0.3, -1, 0);
    spin(world, 2, 3, 2, -1);
    spin(world, 4, 0, 1, 2);
    struct scree_momentum before, after;
    struct scree_energy energy;
    assert_ok(scree_energy_momentum(world, &before));
    const double time = 0.6;
    struct scree_engine *engine = scree_test_plain_engine(world, time / (double)steps);
    for (int part = 0; part < PARTS; ++part)
        assert_ok(scree_engine_run(engine, steps / PARTS));
    assert_ok(scree_energy_momentum(world, &after));
    assert_ok(scree_energy_get(world, &energy));
    struct tumbling result = {.balance = energy.balance, .broken = (double)scree_bond_broken(world, NULL)};
    for (int k = 0; k < 3; ++k)
        result.momentum = fmax(result.momentum, fmax(fabs(after.linear[k] - before.linear[k]),
                                                     fabs(after.angular[k] - before.angular[k])));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return result;
}

// Order 2: an eighth of the step divides the balance by 64; less is required, because the instants of
// breaking within a step change errors of that order.
static void the_balance_is_of_order_2_with_breaking_and_damage(void **unused)
{
    (void)unused;
    const struct {
        const char *name;
        double softening, strength, damping, broken, min_ratio;
    } cases[] = {{"elastic", 0, 0, 0, 0, 55},
                 {"damped", 0, 0, 0.1, 0, 55},
                 {"brittle", 0, 1.5e4, 0, 1, 25},
                 {"brittle and damped", 0, 1.5e4, 0.05, 1, 25},
                 {"softening", 3, 1e4, 0.02, 0, 25}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const struct tumbling coarse = tumble(cases[c].softening, cases[c].strength, cases[c].damping, 4000);
        const struct tumbling fine = tumble(cases[c].softening, cases[c].strength, cases[c].damping, 32000);
        if (!(fabs(coarse.balance) > cases[c].min_ratio * fabs(fine.balance)))
            fail_msg("%s: the balance falls from %g J to %g J only", cases[c].name, coarse.balance,
                     fine.balance);
        assert_true(coarse.broken >= cases[c].broken && coarse.broken == fine.broken);
    }
}

// Two spheres that overlap by 0.02 m are held by a contact bond that excludes their contact; it breaks in
// shear, and the contact pushes them apart. The energy of the contact is input when it begins to act.
static double part(size_t steps)
{
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e5, NULL}, {"friction", 0.3, NULL}, {"restitution", 0.8, NULL}};
    const struct scree_interaction_def rule = {.law = "linear", .values = values, .count = 3};
    struct scree_bond_def def = {
        .kind = SCREE_BOND_CONTACT, .normal_stiffness = 1e5, .shear_stiffness = 5e4, .shear_strength = 80};
    scree_bond_id bond;
    struct scree_energy energy;
    assert_ok(scree_interaction_add(world, &rule));
    def.side[0].body = scree_test_ball(world, material, 0.1, 0, 0);
    def.side[1].body = scree_test_ball(world, material, 0.1, 0.18, 0);
    assert_ok(scree_bond_add(world, &def, &bond));
    move(world, 2, 0, 0.5, 0);
    struct scree_engine *engine = scree_test_plain_engine(world, 0.04 / (double)steps);
    assert_ok(scree_engine_run(engine, steps / 16));
    assert_int_equal(scree_contact_count(world), 0);
    assert_true(scree_bond_exists(world, bond));
    assert_ok(scree_engine_run(engine, steps - steps / 16));
    assert_ok(scree_energy_get(world, &energy));
    assert_false(scree_bond_exists(world, bond));
    // k overlap^2 / 2 was in the contact, and the spheres part with it
    assert_true(energy.energy_input > 15 && energy.translation > 1);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return energy.balance;
}

static void an_excluded_contact_enters_the_ledger_when_its_bond_breaks(void **unused)
{
    (void)unused;
    const double coarse = part(1600), fine = part(12800);
    print_message("%g J, %g J\n", coarse, fine);
    if (!(fabs(coarse) > 25 * fabs(fine)))
        fail_msg("the balance falls from %g J to %g J only", coarse, fine);
}

// Forces are opposite in quanta, so linear momentum changes by rounding only, 1e-12 of its size; so does the
// angular momentum, up to the error of the arms.
static void momenta_are_conserved(void **unused)
{
    (void)unused;
    assert_true(tumble(0, 0, 0, 4000).momentum < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres_vibrate_at_their_frequencies),
        cmocka_unit_test(the_damping_ratio_is_that_of_axial_vibration),
        cmocka_unit_test(the_balance_is_of_order_2_with_breaking_and_damage),
        cmocka_unit_test(an_excluded_contact_enters_the_ledger_when_its_bond_breaks),
        cmocka_unit_test(momenta_are_conserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
