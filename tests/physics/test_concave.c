// Concave bodies made of several convex polyhedra. References: closed forms of rest and impact; a
// single box that a body of two boxes must equal; and conservation laws.

#include "math/vec3.h"
#include "support/concave.h"
#include "support/folder.h"
#include "support/worlds.h"

#include <float.h>

static const double rounding = 0.002;

struct setting {
    double gravity, friction, restitution, stiffness;
    bool floor;
};

static struct scree_world *make_world(const struct setting *setting, scree_material_id *material)
{
    const struct scree_interaction_value values[] = {{"friction", setting->friction, NULL},
                                                     {"restitution", setting->restitution, NULL},
                                                     {"stiffness", setting->stiffness, NULL}};
    const struct scree_interaction_def law = {.law = "linear", .values = values, .count = 3};
    const struct scree_material_def def = {.name = "m", .density = 1000};
    struct scree_world *world;
    if (setting->floor)
        return scree_test_floor(setting->gravity, &def, &law, material);
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -setting->gravity}}, &world));
    assert_ok(scree_material_add(world, &def, material));
    assert_ok(scree_interaction_add(world, &law));
    return world;
}

// --- one box and the same box of two parts

static void assert_same_motion(const struct scree_world *one, const struct scree_world *two, double tolerance)
{
    const struct scree_body_state a = scree_test_state(one, 1), b = scree_test_state(two, 1);
    for (int k = 0; k < 3; ++k) {
        scree_test_near(b.position[k], a.position[k], tolerance * scree_concave_width);
        scree_test_near(b.velocity[k], a.velocity[k], tolerance * 3);
        scree_test_near(b.spin[k], a.spin[k], tolerance * 30);
    }
    for (int k = 0; k < 4; ++k)
        scree_test_near(b.orientation[k], a.orientation[k], tolerance);
}

// Sharp boxes, so that the parts have no rounded edges at the cut. The impact is that of one corner.
static void a_box_of_two_parts_moves_and_bounces_as_one_box(void **state)
{
    (void)state;
    const struct setting setting = {
        .gravity = 10, .friction = 0.3, .restitution = 0.6, .stiffness = 1e5, .floor = true};
    const struct scree_rigid_def at = {.position = {0, 0, 0.1},
                                       .orientation = {0.9, 0.1, 0.3, 0.2},
                                       .velocity = {0.3, 0.2, -2},
                                       .spin = {3, -5, 2}};
    struct scree_world *world[2];
    struct scree_engine *engine[2];
    for (int n = 0; n < 2; ++n) {
        struct scree_rigid_def def = at;
        world[n] = make_world(&setting, &def.material);
        scree_concave_add(world[n], n == 0 ? &scree_concave_whole : &scree_concave_halves, 0, &def);
        engine[n] = scree_test_threaded_engine(world[n], 1e-5, 1);
    }
    const struct scree_body_state a = scree_test_state(world[0], 1), b = scree_test_state(world[1], 1);
    // a few roundings
    scree_test_near(b.mass, a.mass, 8 * DBL_EPSILON * a.mass);
    for (int k = 0; k < 3; ++k)
        scree_test_near(b.inertia[k], a.inertia[k], 16 * DBL_EPSILON * a.inertia[k]);
    // free flight: rounding errors of 100 steps
    assert_ok(scree_engine_run(engine[0], 100));
    assert_ok(scree_engine_run(engine[1], 100));
    assert_int_equal(scree_contact_count(world[0]), 0);
    assert_same_motion(world[0], world[1], 100 * 4 * DBL_EPSILON);
    // the place of the corner is rounded to 1e-17 of 0.1 m, which is 1e-13 of an overlap of 0.1 mm; the sum
    // of the forces of an impact has the same error, and so has the velocity after it
    bool touched = false;
    for (int n = 0; n < 20; ++n) {
        assert_ok(scree_engine_run(engine[0], 100));
        assert_ok(scree_engine_run(engine[1], 100));
        assert_int_equal(scree_contact_count(world[0]), scree_contact_count(world[1]));
        assert_true(scree_contact_count(world[0]) < 2);
        touched = touched || scree_contact_count(world[0]) > 0;
    }
    assert_true(touched && scree_contact_count(world[0]) == 0);
    assert_same_motion(world[0], world[1], 1e-11);
    scree_test_near(scree_test_energy(world[1]).dashpot, scree_test_energy(world[0]).dashpot, 1e-11);
    scree_test_end(world[0], engine[0]);
    scree_test_end(world[1], engine[1]);
}

// --- rest

// Stands on its legs: eight corners carry the weight.
static void a_u_turned_over_comes_to_rest_on_its_legs(void **state)
{
    (void)state;
    const double height = 0.008, k = 1e5, drop = 10 * height;
    struct scree_rigid_def def = {.orientation = {0, 1, 0, 0}};
    struct scree_world *world = make_world(
        &(struct setting){.gravity = 10, .friction = 0.5, .restitution = 0.5, .stiffness = k, .floor = true},
        &def.material);
    // centre of mass of bars of 3 and 2 x 2 cubes, from the middle of the base; the legs end at 2.5
    const double centre = 4 * 1.5 / 7;
    def.position[2] = scree_concave_width * (2.5 - centre) + height;
    scree_concave_add(world, &scree_concave_you, rounding, &def);
    const double place = scree_test_state(world, 1).position[2] - height;
    const double mass = scree_test_state(world, 1).mass;
    // rounded edges take less than 1 % of the volume, and move the centre by less than 1 % of the width
    scree_test_near(mass, 7, 0.07);
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
    assert_ok(scree_engine_run(engine, 100000));
    const struct scree_energy energy = scree_test_energy(world);
    assert_int_equal(scree_contact_count(world), 8);
    if (!(energy.translation + energy.rotation < 1e-10 * mass * drop))
        fail_msg("kinetic energy %g J of %g J", energy.translation + energy.rotation, mass * drop);
    const struct scree_body_state rest = scree_test_state(world, 1);
    // the centre of the rounded body is lower than that of the cubes by what its parts say
    double lower[3], upper[3];
    assert_ok(scree_body_bounds(world, (scree_body_id){1}, lower, upper));
    scree_test_near(lower[2], -mass * 10 / (8 * k), 1e-12);
    assert_true(fabs(rest.position[2] - place) < 0.01 * scree_concave_width);
    scree_test_near(rest.position[0], 0, 1e-12);
    // the contacts of all parts go with the body: what it has on its own is in the totals of the ledger
    assert_ok(scree_body_remove(world, (scree_body_id){1}));
    assert_ok(scree_engine_run(engine, 1));
    const struct scree_energy empty = scree_test_energy(world);
    assert_true(empty.elastic == 0 && energy.elastic > 0.5 * mass * 10 * mass * 10 / (8 * k) * (1 - 1e-6));
    scree_test_near(empty.balance, energy.balance, 1e-12 * mass * drop);
    scree_test_end(world, engine);
}

// A fixed U, open above, and another one across it, open below: the second hangs with its base on the base of
// the first. Their convex hulls have much in common.
static void two_hooks_hang_on_each_other(void **state)
{
    (void)state;
    struct scree_rigid_def fixed = {.fixed = SCREE_FIX_ALL}, free = {.fixed = 0};
    struct scree_world *world =
        make_world(&(struct setting){.gravity = 10, .friction = 0.5, .restitution = 0.3, .stiffness = 1e5},
                   &fixed.material);
    const double half = sqrt(0.5), centre = 4 * 1.5 / 7, fall = 0.002;
    free.material = fixed.material;
    // turned over, and by a right angle about z
    free.orientation[1] = half;
    free.orientation[2] = half;
    fixed.position[2] = centre * scree_concave_width;
    free.position[2] = (1 - centre) * scree_concave_width + fall;
    scree_concave_add(world, &scree_concave_you, rounding, &fixed);
    scree_concave_add(world, &scree_concave_you, rounding, &free);
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-5, 1);
    assert_ok(scree_engine_run(engine, 100000));
    const struct scree_body_state state_of = scree_test_state(world, 2);
    const struct scree_energy energy = scree_test_energy(world);
    // a swing of small amplitude, whose friction ends, decays more slowly than the bounces
    if (!(energy.translation + energy.rotation < 1e-8 * state_of.mass * 10 * fall))
        fail_msg("kinetic energy %g J", energy.translation + energy.rotation);
    // overlaps are those of the weight at a few contacts at least
    assert_true(state_of.position[2] < (1 - centre) * scree_concave_width + 0.01 * scree_concave_width &&
                state_of.position[2] > (1 - centre) * scree_concave_width - 0.01 * scree_concave_width);
    assert_true(scree_contact_count(world) >= 4);
    scree_test_end(world, engine);
}

// --- impacts

// One corner of an L hits the plane without friction: a dashpot of constant coefficient with the effective
// mass of the contact point gives the restitution there, as for a sphere, as long as the L hardly turns
// meanwhile.
static void the_restitution_of_an_impact_on_a_corner_is_the_given_one(void **state)
{
    (void)state;
    const double restitution = 0.5;
    struct scree_rigid_def def = {
        .position = {0, 0, 0.25}, .orientation = {0.8, 0.4, 0.3, 0.2}, .velocity = {0, 0, -1}};
    struct scree_world *world = make_world(
        &(struct setting){.restitution = restitution, .stiffness = 1e7, .floor = true}, &def.material);
    scree_concave_add(world, &scree_concave_ell, rounding, &def);
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-7, 1);
    double lower[3], upper[3];
    assert_ok(scree_body_bounds(world, (scree_body_id){1}, lower, upper));
    assert_ok(scree_engine_run(engine, (uint64_t)((lower[2] - 1e-5) / 1e-7)));
    assert_int_equal(scree_contact_count(world), 0);
    // the contact lasts for about pi sqrt(m / k) = 2 ms at most; its point is the lowest vertex of a part
    struct scree_contact contact;
    size_t count = 0;
    while (count == 0) {
        assert_ok(scree_engine_run(engine, 10));
        assert_ok(scree_contact_list(world, &contact, 1, &count));
    }
    const struct scree_body_state before = scree_test_state(world, 1);
    const struct scree_vec3 arm =
        scree_vec3_sub(scree_vec3_load(contact.point), scree_vec3_load(before.position));
    while (scree_contact_count(world) > 0)
        assert_ok(scree_engine_run(engine, 10));
    const struct scree_body_state after = scree_test_state(world, 1);
    const double rate = scree_vec3_cross(scree_vec3_load(after.spin), arm).z + after.velocity[2];
    // it has turned by a spin of about 10/s for 1 ms
    scree_test_near(rate, restitution, 0.02);
    scree_test_end(world, engine);
}

// The same for a carried sphere on the face of a polyhedron: the arm is that of the clump, 0.1 m across.
static void a_carried_sphere_has_the_effective_mass_of_its_body(void **state)
{
    (void)state;
    const double restitution = 0.5, offset = 0.1, radius = 0.05;
    const struct scree_pebble sphere = {.offset = {offset, 0, 0}, .radius = radius};
    struct scree_clump_def def = {.body = {.mass = 2,
                                           .inertia = {0.01, 0.01, 0.01},
                                           .position = {0, 0, 0.05 + radius + 1e-4},
                                           .velocity = {0, 0, -1}},
                                  .pebble = &sphere,
                                  .pebbles = 1,
                                  .equal_radius = 0.1};
    struct scree_world *world =
        make_world(&(struct setting){.restitution = restitution, .stiffness = 1e7}, &def.body.material);
    struct scree_polyhedron_def plate = {.material = def.body.material, .fixed = SCREE_FIX_ALL};
    scree_body_id id;
    assert_ok(scree_polyhedron_add_box(world, (const double[3]){1, 1, 0.1}, rounding, &plate.shape));
    assert_ok(scree_polyhedron_add(world, &plate, &id));
    assert_ok(scree_body_add_clump(world, &def, &id));
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-7, 1);
    // the effective mass is 1 / (1 / 2 + 0.1^2 / 0.01) kg, so the contact lasts for 0.8 ms
    assert_ok(scree_engine_run(engine, 15000));
    assert_int_equal(scree_contact_count(world), 0);
    const struct scree_body_state after = scree_test_state(world, 2);
    // a moment -y on a body that goes up: it turns by less than 20 / s for 1 ms
    assert_true(fabs(after.spin[1]) > 1);
    scree_test_near(after.velocity[2] - after.spin[1] * offset, restitution, 0.01);
    scree_test_end(world, engine);
}

static struct scree_world *make_collision(double friction, double restitution)
{
    struct scree_rigid_def one = {.position = {-0.19, 0.01, 0.02},
                                  .orientation = {0.9, 0.1, 0.3, 0.2},
                                  .velocity = {1, 0.1, 0},
                                  .spin = {3, -5, 2}};
    struct scree_rigid_def other = {.position = {0.19, 0, 0},
                                    .orientation = {0.5, 0.3, -0.3, 0.2},
                                    .velocity = {-1, 0, 0.2},
                                    .spin = {-1, 4, 6}};
    struct scree_world *world = make_world(
        &(struct setting){.friction = friction, .restitution = restitution, .stiffness = 4e6}, &one.material);
    other.material = one.material;
    scree_concave_add(world, &scree_concave_ell, 5 * rounding, &one);
    scree_concave_add(world, &scree_concave_you, 5 * rounding, &other);
    return world;
}

static void colliding_bodies_conserve_momentum_and_angular_momentum(void **state)
{
    (void)state;
    struct scree_world *world = make_collision(0.3, 0.7);
    struct scree_engine *engine = scree_test_threaded_engine(world, 5e-6, 1);
    struct scree_momentum before, after;
    assert_ok(scree_energy_momentum(world, &before));
    const struct scree_energy initial = scree_test_energy(world);
    assert_ok(scree_engine_run(engine, 30000));
    assert_ok(scree_energy_momentum(world, &after));
    const struct scree_energy final = scree_test_energy(world);
    assert_true(final.friction + final.dashpot > 0.05 * initial.translation);
    // relative to the momenta of each body, which nearly cancel in their sum: 7 kg, 1 m/s, 0.2 m
    for (int k = 0; k < 3; ++k) {
        scree_test_near(after.angular[k], before.angular[k], 1e-12 * 7 * 0.2);
        scree_test_near(after.linear[k], before.linear[k], 1e-12 * 7);
    }
    scree_test_end(world, engine);
}

static void elastic_collisions_conserve_energy_with_order_two(void **state)
{
    (void)state;
    double error[2];
    for (int n = 0; n < 2; ++n) {
        const double step = n == 0 ? 2e-5 : 5e-6;
        struct scree_world *world = make_collision(0, 1);
        struct scree_engine *engine = scree_test_threaded_engine(world, step, 1);
        const struct scree_energy initial = scree_test_energy(world);
        assert_ok(scree_engine_run(engine, (uint64_t)(0.15 / step + 0.5)));
        const struct scree_energy final = scree_test_energy(world);
        assert_true(fabs(final.rotation - initial.rotation) > 0.01 * initial.rotation);
        error[n] = fabs(final.balance) / initial.translation;
        scree_test_end(world, engine);
    }
    assert_true(error[0] < 1e-4);
    // of second order it would be a sixteenth; the order of a collision is not exact, so at least a quarter
    if (!(error[1] < 0.25 * error[0]))
        fail_msg("errors %g and %g", error[0], error[1]);
}

// --- parts of one body

static void parts_of_one_body_do_not_touch_each_other(void **state)
{
    (void)state;
    struct scree_pebble part[2];
    struct scree_rigid_def at = {.mass = 3, .inertia = {0.1, 0.1, 0.1}, .velocity = {1, 0, 0}};
    struct scree_world *world =
        make_world(&(struct setting){.friction = 0.3, .restitution = 0.6, .stiffness = 1e5}, &at.material);
    scree_concave_parts(world, &scree_concave_whole, rounding, part);
    part[1] = part[0];
    part[1].offset[0] = 0.5 * scree_concave_width;
    scree_body_id id;
    assert_ok(scree_body_add_clump(
        world, &(struct scree_clump_def){.body = at, .pebble = part, .pebbles = 2, .equal_radius = 0.06},
        &id));
    struct scree_engine *engine = scree_test_threaded_engine(world, 1e-4, 1);
    assert_ok(scree_engine_run(engine, 10));
    assert_int_equal(scree_contact_count(world), 0);
    assert_true(scree_test_state(world, 1).velocity[0] == 1);
    scree_test_end(world, engine);
}

// --- reproducible

// L and U, and bodies of a box and a sphere, with spheres and boxes between them, in a cell periodic along x.
static struct scree_world *make_pile(void)
{
    struct scree_rigid_def at = {.velocity = {0, 0, -2}};
    struct scree_world *world = make_world(
        &(struct setting){
            .gravity = 10, .friction = 0.4, .restitution = 0.5, .stiffness = 2e6, .floor = true},
        &at.material);
    const struct scree_cell_def cell = {
        .lower = {0, -5, -5}, .upper = {1.5, 5, 5}, .periodic = {true, false, false}};
    assert_ok(scree_cell_set(world, &cell));
    for (int i = 0; i < 18; ++i) {
        const double position[3] = {0.5 * (i % 3) + 0.02 * (i % 7), 0.45 * (i / 3 % 3), 0.3 + 0.5 * (i / 9)},
                     orientation[4] = {0.9, 0.1 * (i % 4), 0.3 * (i % 3), 0.2},
                     spin[3] = {i % 3, i % 5, -i % 7};
        memcpy(at.position, position, sizeof position);
        memcpy(at.orientation, orientation, sizeof orientation);
        memcpy(at.spin, spin, sizeof spin);
        scree_concave_add(world, i % 2 ? &scree_concave_ell : &scree_concave_you, 5 * rounding, &at);
    }
    struct scree_pebble part[2] = {{.radius = 0}, {.offset = {0.11, 0, 0}, .radius = 0.06}};
    struct scree_shape_mass mass;
    scree_concave_parts(world, &scree_concave_whole, 5 * rounding, part);
    for (int i = 0; i < 8; ++i) {
        scree_body_id id;
        struct scree_clump_def def = {.body = {.material = at.material,
                                               .position = {0.35 * (i % 4), 0.4 * (i / 4), 1.2},
                                               .velocity = {0, 0, -4}}};
        struct scree_pebble own[2] = {part[0], part[1]};
        assert_ok(scree_shape_mass_clump(world, own, 2, &mass));
        assert_ok(scree_shape_place_clump(&mass, 1000, own, 2, &def));
        assert_ok(scree_body_add_clump(world, &def, &id));
        const struct scree_sphere_def ball = {.radius = 0.05,
                                              .material = at.material,
                                              .position = {0.35 * (i % 4), 0.4 * (i / 4), 1.4},
                                              .velocity = {0, 0, -5}};
        assert_ok(scree_body_add_sphere(world, &ball, &id));
        const struct scree_polyhedron_def box = {.shape = part[0].shape,
                                                 .material = at.material,
                                                 .position = {0.35 * (i % 4), 0.4 * (i / 4), 1.6},
                                                 .velocity = {0, 0, -5}};
        assert_ok(scree_polyhedron_add(world, &box, &id));
    }
    return world;
}

static void assert_equal_digests(struct scree_world *a, struct scree_world *b)
{
    assert_ok(scree_world_validate(a));
    assert_true(scree_test_digests_equal(scree_test_digest(a), scree_test_digest(b)));
}

enum { ROUNDS = 4, STEPS = 1200 };
static const double pile_step = 6e-5;

static void digests_are_equal_for_threads_skins_orders_and_restarts(void **state)
{
    (void)state;
    struct scree_world *one = make_pile(), *three = make_pile(), *restarted = make_pile();
    struct scree_engine *engine = scree_test_threaded_engine(one, pile_step, 1),
                        *team = scree_test_engine(three, pile_step, 3, 0.2, 1);
    const struct scree_folder folder = scree_folder_make("concave");
    const char *path = scree_folder_path(&folder, "pile.chk");
    size_t most = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        struct scree_engine *other = scree_test_threaded_engine(restarted, pile_step, 1);
        assert_ok(scree_engine_run(engine, STEPS));
        assert_ok(scree_engine_run(team, STEPS));
        assert_ok(scree_engine_run(other, STEPS));
        assert_equal_digests(three, one);
        assert_equal_digests(restarted, one);
        scree_engine_destroy(other);
        scree_test_restart(&restarted, path);
        most = scree_contact_count(one) > most ? scree_contact_count(one) : most;
    }
    assert_true(most > 8);
    scree_world_destroy(restarted);
    scree_test_end(three, team);
    scree_test_end(one, engine);
    scree_folder_end(&folder, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_two_parts_moves_and_bounces_as_one_box),
        cmocka_unit_test(a_u_turned_over_comes_to_rest_on_its_legs),
        cmocka_unit_test(two_hooks_hang_on_each_other),
        cmocka_unit_test(the_restitution_of_an_impact_on_a_corner_is_the_given_one),
        cmocka_unit_test(a_carried_sphere_has_the_effective_mass_of_its_body),
        cmocka_unit_test(colliding_bodies_conserve_momentum_and_angular_momentum),
        cmocka_unit_test(elastic_collisions_conserve_energy_with_order_two),
        cmocka_unit_test(parts_of_one_body_do_not_touch_each_other),
        cmocka_unit_test(digests_are_equal_for_threads_skins_orders_and_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
