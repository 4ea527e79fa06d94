// What acts on bodies acts on clumps as wholes, and at the lever arms of their pebbles: servos, hinges, local
// damping, flux surfaces, the box of the world, groups and stages, and deletion. References: closed forms.

#include "measure/tally.h"
#include "support/clumps.h"
#include "support/trial.h"
#include "world/grain.h"

#include <scree/flux_surface.h>
#include <scree/servo.h>

#include <stdio.h>

static const double stiffness = 1e6;

static struct scree_world *make_world(double gravity, scree_material_id *material)
{
    const struct scree_interaction_value values[] = {
        {"friction", 0, NULL}, {"stiffness", stiffness, NULL}, {"damping", 0, NULL}};
    struct scree_world *world = scree_test_empty_world();
    *material = scree_test_material(world);
    assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, -gravity}));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    return world;
}

static scree_wall_id add_plane(struct scree_world *world, scree_material_id material, double height,
                               double normal)
{
    const struct scree_wall_def def = {.shape = SCREE_WALL_PLANE,
                                       .material = material,
                                       .plane = {.point = {0, 0, height}, .normal = {0, 0, normal}}};
    scree_wall_id id;
    assert_ok(scree_wall_add(world, &def, &id));
    return id;
}

static struct scree_engine *engine_of(struct scree_world *world, double step, struct scree_damping damping)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(
        world, &(struct scree_soft_def){.step = step, .threads = 1, .damping = damping}, &engine));
    return engine;
}

static struct scree_body_state body_of(const struct scree_world *world, scree_body_id id)
{
    struct scree_body_state state;
    assert_ok(scree_body_get(world, id, &state));
    return state;
}

// A rod of two spheres of radius 0.5 whose centre of mass is 0.3 from one and 0.7 from the other.
static scree_body_id add_rod(struct scree_world *world, scree_material_id material, double height)
{
    const struct scree_pebble pebble[2] = {{.offset = {-0.3, 0, 0}, .radius = 0.5},
                                           {.offset = {0.7, 0, 0}, .radius = 0.5}};
    const struct scree_clump_def def = {
        .body = {.mass = 500, .inertia = {50, 150, 150}, .material = material, .position = {0, 0, height}},
        .pebble = pebble,
        .pebbles = 2,
        .equal_radius = 0.6};
    scree_body_id id;
    assert_ok(scree_body_add_clump(world, &def, &id));
    return id;
}

// The rod lies on a floor below a lid that presses with F. Each sphere has an overlap t with the lid and b
// with the floor, t + b = D. Vertical forces: k (t1 + t2) = F and k (b1 + b2) = F + W, so the lid is lowered
// by D = (2 F + W) / (2 k). Moments about the centre of mass: 0.3 k (b1 - t1) = 0.7 k (b2 - t2), so b1 - t1 =
// 0.7 W / k and b2 - t2 = 0.3 W / k, and the rod is inclined by b1 - b2 = 0.2 W / k. The cosine of this angle
// differs from 1 by 5e-7, which is the relative tolerance of lengths. The slowest mode, of the lid, is
// critically damped by its servo; others have sqrt(4 k / m) = 90 / s and a damping of 40 / s.
static void a_servo_presses_on_a_clump_at_its_lever_arms(void **state)
{
    (void)state;
    const double gravity = 10, force = 2e4, weight = 500 * gravity, tilt = 0.2 * weight / stiffness;
    scree_material_id material;
    scree_group_id lid;
    struct scree_wall_state wall;
    struct scree_world *world = make_world(gravity, &material);
    const scree_body_id id = add_rod(world, material, 0.5);
    (void)add_plane(world, material, 0, 1);
    const scree_wall_id top = add_plane(world, material, 1, -1);
    assert_ok(scree_group_add(world, "lid", &lid));
    assert_ok(scree_group_put_wall(world, lid, top, true));
    const struct scree_servo_def servo = {
        .group = lid, .direction = {0, 0, -1}, .force = force, .velocity = 1};
    struct scree_engine *engine = engine_of(world, 1e-3, (struct scree_damping){.viscous = 40});
    assert_ok(scree_servo_set(world, &servo));
    assert_ok(scree_engine_run(engine, 3000));
    assert_ok(scree_wall_get(world, top, &wall));
    const double lowered = (2 * force + weight) / (2 * stiffness);
    scree_test_near(1 - wall.position[2], lowered, 5e-7);
    scree_test_near(2 * fabs(body_of(world, id).orientation[2]), tilt, 1e-3 * tilt);
    // the height of the centre of mass: 0.5 less the overlap with the floor below it
    const double left = 0.5 * (lowered + 0.7 * weight / stiffness);
    scree_test_near(body_of(world, id).position[2], 0.5 - left + 0.3 * tilt, 5e-7);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// A ball hits the longer arm of the rod, whose centre cannot move: the impulse is 2 v / (1 / m + d^2 / I),
// and the spin d J / I. The arm turns by about w T in the impact of duration T.
static void a_hinged_clump_turns_by_the_impulse_at_its_lever_arm(void **state)
{
    (void)state;
    const double v = 1e-3, arm = 0.7, inertia = 150;
    scree_material_id material;
    scree_body_id ball;
    struct scree_world *world = make_world(0, &material);
    const scree_body_id id = add_rod(world, material, 0);
    assert_ok(scree_body_fix(world, id, SCREE_FIX_POSITION));
    assert_ok(scree_body_add_sphere(
        world,
        &(struct scree_sphere_def){
            .radius = 0.2, .material = material, .position = {arm, 0, 0.70001}, .velocity = {0, 0, -v}},
        &ball));
    struct scree_engine *engine = engine_of(world, 1e-5, (struct scree_damping){0});
    assert_ok(scree_engine_run(engine, 5000));
    const struct scree_body_state rod = body_of(world, id), small = body_of(world, ball);
    const double impulse = 2 * v / (1 / small.mass + arm * arm / inertia);
    const double tolerance = 10 * v * sqrt(small.mass / stiffness);
    assert_true(small.force[2] == 0 && rod.spin[1] > 0);
    scree_test_near(small.mass * (small.velocity[2] + v) / impulse, 1, tolerance);
    scree_test_near(rod.spin[1] * inertia / (arm * impulse), 1, tolerance);
    scree_test_near(rod.velocity[2], 0, 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Local damping takes the fraction a of the force and the moment on the body while it moves along them:
// v = v0 + (1 - a) f t / m. Sums of a thousand terms are rounded.
static void local_damping_acts_on_the_force_and_the_moment_of_the_body(void **state)
{
    (void)state;
    const double a = 0.3, force = 50, moment = 20, time = 1;
    scree_material_id material;
    scree_load_id load;
    struct scree_world *world = make_world(0, &material);
    const scree_body_id id = add_rod(world, material, 0);
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){0, 0.1, 0}));
    assert_ok(scree_body_set_spin(world, id, (const double[3]){0, 0, 0.2}));
    assert_ok(scree_load_add(
        world, &(struct scree_load_def){.body = id, .force = {0, force, 0}, .moment = {0, 0, moment}},
        &load));
    struct scree_engine *engine = engine_of(world, 1e-3, (struct scree_damping){.local = a});
    assert_ok(scree_engine_run(engine, 1000));
    const struct scree_body_state rod = body_of(world, id);
    scree_test_near(rod.velocity[1], 0.1 + (1 - a) * force * time / 500, 1e-12);
    scree_test_near(rod.spin[2], 0.2 + (1 - a) * moment * time / 150, 1e-12);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// While its centre moves by 0.5 through the surface, its first sphere crosses it several times.
static void a_flux_surface_counts_the_centre_and_the_mass_of_a_clump(void **state)
{
    (void)state;
    scree_material_id material;
    scree_flux_surface_id surface;
    struct scree_flux_surface_crossings passed;
    struct scree_world *world = make_world(0, &material);
    const scree_body_id id = add_rod(world, material, 0);
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){0.5, 0, 0}));
    assert_ok(scree_body_set_spin(world, id, (const double[3]){0, 0, 18}));
    assert_ok(scree_flux_surface_add(
        world, &(struct scree_flux_surface_def){.centre = {0.25, 0, 0}, .normal = {1, 0, 0}, .radius = 3},
        &surface));
    struct scree_engine *engine = engine_of(world, 1e-2, (struct scree_damping){0});
    uint64_t ends = 0;
    const struct scree_grain *pebble = scree_world_grains(world) + 1;
    for (int step = 0; step < 100; ++step) {
        const double before = pebble->position[0];
        assert_ok(scree_engine_run(engine, 1));
        assert_ok(scree_flux_surface_update(world));
        scree_grain_update_records(world, 0, NULL);
        pebble = scree_world_grains(world) + 1;
        ends += (before < 0.25) != (pebble->position[0] < 0.25);
    }
    assert_ok(scree_flux_surface_get(world, surface, &passed));
    assert_true(ends >= 3);
    assert_int_equal(passed.bodies[0], 1);
    assert_int_equal(passed.bodies[1], 0);
    scree_test_near(passed.mass[0], 500, 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

#define RODS                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500}}\n"                                                                  \
    "clumps: {rod: {spheres: [{radius: 1 cm, at: [-3 cm, 0, 0]}, {radius: 1 cm, at: [3 cm, 0, 0]}], mass: "  \
    "{given: {mass: 20 g, centre: [0, 0, 0], inertia: [1e-6, 2e-5, 2e-5]}}}}\n"                              \
    "engine: {soft: {step: 1 ms}}\n"

// The box ends 1 cm from the centre and 3 cm before the outer sphere, which does not matter.
static void a_clump_is_deleted_when_its_centre_leaves_the_box(void **state)
{
    (void)state;
    for (int late = 0; late < 2; ++late) {
        char text[2000];
        uint64_t bodies;
        double mass;
        snprintf(text, sizeof text,
                 RODS "world: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]], outside: delete}\n"
                      "bodies: [clump: {shape: rod, at: [9 cm, 5 cm, 5 cm], material: glass, velocity: "
                      "[0.1, 0, 0]}]\n"
                      "run: {until: %d ms}\n",
                 late ? 200 : 90);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        scree_tally_sum(world, SCREE_TALLY_OUT, &bodies, &mass);
        assert_int_equal(scree_body_count(world), late ? 0 : 1);
        assert_int_equal(scree_grain_carried(world), late ? 0 : 2);
        assert_int_equal(bodies, late);
        scree_test_near(mass, late ? 0.02 : 0, 1e-17);
        scree_world_destroy(world);
    }
}

// One newton and 1 N mm act on each of two rods in a group for 0.1 s; then a stage gives one of them a spin,
// by which its spheres turn.
static void groups_and_stages_act_on_the_body(void **state)
{
    (void)state;
    static const char text[] = RODS
        "bodies:\n"
        "  - {clump: {shape: rod, at: [0, 0, 0], material: glass}, group: [rods, first]}\n"
        "  - {clump: {shape: rod, at: [1, 0, 0], material: glass}, group: rods}\n"
        "  - {sphere: {radius: 1 cm, at: [2, 0, 0], material: glass}}\n"
        "run:\n"
        "  - {for: 0.1 s, bodies: [{group: rods, load: {force: [1, 0, 0], moment: [0, 0, 1 N mm]}}]}\n"
        "  - {for: 0.1 s, bodies: [{group: rods, load: {}}, {group: first, velocity: [0, 0, 0], spin: [0, "
        "0, 10]}]}\n";
    struct scree_world *world = scree_trial_run_text(text, NULL);
    struct scree_energy energy;
    const struct scree_body_state first = body_of(world, (scree_body_id){1}),
                                  second = body_of(world, (scree_body_id){2});
    const double spin = 1e-3 * 0.1 / 2e-5, turned = 0.5 * spin * 0.1 + 10 * 0.1;
    // order 2 in the step: (w h)^2 is 1e-4; sums of a hundred terms are rounded
    scree_test_near(second.velocity[0], 0.1 / 0.02, 1e-12);
    scree_test_near(second.spin[2], spin, 1e-12);
    scree_test_near(first.velocity[0], 0, 0);
    scree_test_near(first.spin[2], 10, 1e-13);
    scree_grain_update_records(world, 0, NULL);
    for (size_t g = 0; g < 2; ++g) {
        const struct scree_grain *grain = &scree_world_grains(world)[scree_world_bodies(world) + g];
        const double arm = g == 0 ? -0.03 : 0.03;
        scree_test_near(grain->position[0] - first.position[0], arm * cos(turned), 1e-4 * 0.03);
        scree_test_near(grain->position[1] - first.position[1], arm * sin(turned), 1e-4 * 0.03);
    }
    assert_ok(scree_energy_get(world, &energy));
    scree_test_near(energy.balance, 0, 1e-12 * energy.work);
    scree_world_destroy(world);
}

// A rod that rolls on its spheres, compressed, is removed with the energy of its contacts.
static void a_clump_in_contact_is_removed_with_its_energies(void **state)
{
    (void)state;
    scree_material_id material;
    struct scree_energy before, after;
    struct scree_world *world = make_world(10, &material);
    const scree_body_id id = add_rod(world, material, 0.499), other = add_rod(world, material, 1.49);
    (void)add_plane(world, material, 0, 1);
    assert_ok(scree_body_set_spin(world, id, (const double[3]){1, 0, 0}));
    struct scree_engine *engine = engine_of(world, 1e-3, (struct scree_damping){0});
    assert_ok(scree_engine_run(engine, 10));
    assert_true(scree_contact_count(world) >= 4);
    assert_ok(scree_energy_get(world, &before));
    assert_ok(scree_body_remove(world, id));
    assert_ok(scree_energy_get(world, &after));
    assert_int_equal(scree_contact_count(world), 0);
    assert_int_equal(scree_grain_carried(world), 2);
    assert_true(before.elastic > 10 && before.rotation > 10);
    const struct scree_body_state left = body_of(world, other);
    const double kinetic = 0.5 * 500 * left.velocity[2] * left.velocity[2];
    const double size = before.elastic + before.rotation + before.translation + fabs(before.gravity);
    scree_test_near(after.elastic, 0, 1e-13 * size);
    scree_test_near(after.translation, kinetic, 1e-13 * size);
    scree_test_near(after.balance, before.balance, 1e-13 * size);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_servo_presses_on_a_clump_at_its_lever_arms),
        cmocka_unit_test(a_hinged_clump_turns_by_the_impulse_at_its_lever_arm),
        cmocka_unit_test(local_damping_acts_on_the_force_and_the_moment_of_the_body),
        cmocka_unit_test(a_flux_surface_counts_the_centre_and_the_mass_of_a_clump),
        cmocka_unit_test(a_clump_is_deleted_when_its_centre_leaves_the_box),
        cmocka_unit_test(groups_and_stages_act_on_the_body),
        cmocka_unit_test(a_clump_in_contact_is_removed_with_its_energies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
