// Rigid bodies made of spheres in the event engine: conservation, equipartition, the same bits however a run
// is divided, contacts at rest and at once, orientations of spheres, and the limit of stiff soft bodies.

#include "support/hard_clumps.h"

// n^3 bodies on a lattice with random velocities, spins and orientations: dimers only, or in turn dimers,
// trimers and spheres; in a periodic cube or, without one, in free space around the origin.
static void add_gas(struct hard *hard, int n, double spacing, bool mixed, bool periodic)
{
    const double side = n * spacing;
    uint64_t seed = 7;
    if (periodic)
        assert_ok(scree_cell_set(hard->world, &(struct scree_cell_def){.upper = {side, side, side},
                                                                       .periodic = {true, true, true}}));
    for (int g = 0; g < n * n * n; ++g) {
        const int cell[3] = {g % n, g / n % n, g / n / n};
        struct scree_rigid_def at = {0};
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            at.position[k] = (cell[k] + 0.5) * spacing - (periodic ? 0 : 0.5 * side);
            // a cloud contracts
            at.velocity[k] = splitmix_signed(&seed) - (periodic ? 0 : 0.7 * at.position[k]);
            at.spin[k] = splitmix_signed(&seed);
        }
        for (int c = 0; c < 4; ++c) {
            at.orientation[c] = splitmix_signed(&seed);
            square += at.orientation[c] * at.orientation[c];
        }
        for (int c = 0; c < 4; ++c)
            at.orientation[c] /= sqrt(square);
        if (!mixed || g % 3 < 2) {
            (void)hard_add(hard, mixed ? g % 3 : 0, &at);
            continue;
        }
        struct scree_sphere_def def = {.radius = 0.4, .material = hard->material};
        scree_body_id id;
        memcpy(def.position, at.position, sizeof def.position);
        memcpy(def.velocity, at.velocity, sizeof def.velocity);
        memcpy(def.spin, at.spin, sizeof def.spin);
        assert_ok(scree_body_add_sphere(hard->world, &def, &id));
    }
}

// --- conservation

// A cloud of rough inelastic bodies in empty space that falls into itself. In each of the collisions,
// momentum and angular momentum change by rounding errors of the largest ones, here 2 and 20: 1e-14 of the
// sums of the parts of all bodies is far above that. All losses are in the ledger.
static void a_cloud_conserves_momentum_and_angular_momentum(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 0.9, 0.3, 0.4);
    add_gas(&hard, 5, 1.6, true, false);
    struct scree_momentum before, after;
    assert_ok(scree_energy_momentum(hard.world, &before));
    hard_start(&hard, 0.05);
    assert_ok(scree_engine_run(hard.engine, 60));
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    assert_true(counts.pairs > 300);
    assert_ok(scree_energy_momentum(hard.world, &after));
    double linear = 0, angular = 0;
    for (uint64_t id = 1; id <= 125; ++id) {
        const struct scree_body_state s = hard_state_of(&hard, (scree_body_id){id});
        for (int k = 0; k < 3; ++k) {
            linear += s.mass * fabs(s.velocity[k]);
            angular += s.mass * fabs(s.position[k] * s.velocity[(k + 1) % 3]) + fabs(s.momentum[k]);
        }
    }
    for (int k = 0; k < 3; ++k) {
        hard_within(after.linear[k], before.linear[k], 1e-14 * linear);
        hard_within(after.angular[k], before.angular[k], 1e-14 * angular);
    }
    struct scree_energy energy;
    assert_ok(scree_energy_get(hard.world, &energy));
    assert_true(energy.dashpot > 0.01 * energy.energy_input && energy.friction > 0.01 * energy.energy_input);
    hard_within(energy.balance / energy.energy_input, 0, 1e-13);
    hard_end(&hard);
}

// Smooth elastic dimers turn about two axes: in equilibrium 2/5 of their energy is in rotation. The mean of
// 200 samples of 216 dimers, some ten collisions of each apart: fluctuations of one sample are
// sqrt(2 * 0.4 * 0.6 / (5 * 216)) / 0.4 = 5 %, those of the mean 0.4 %, twice that with correlations. Energy
// has the rounding errors of 2e4 collisions, at random.
static void energy_is_shared_equally_by_elastic_dimers(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    add_gas(&hard, 6, 1.45, false, true);
    hard_start(&hard, 0.05);
    assert_ok(scree_engine_run(hard.engine, 60));
    struct scree_energy first, energy;
    assert_ok(scree_energy_get(hard.world, &first));
    double share = 0;
    for (int n = 0; n < 200; ++n) {
        assert_ok(scree_engine_run(hard.engine, 20));
        assert_ok(scree_energy_get(hard.world, &energy));
        share += energy.rotation / (energy.rotation + energy.translation) / 200;
    }
    hard_within(share, 0.4, 0.4 * 0.03);
    hard_within((energy.rotation + energy.translation) / (first.rotation + first.translation), 1, 1e-13);
    hard_end(&hard);
}

// --- the same bits

static scree_status look(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct scree_energy energy;
    (void)engine;
    ++*(int *)user;
    return scree_energy_get(world, &energy);
}

// One run; the same divided into runs, with a callback in each step; continued by another engine; and
// continued from a file, with bodies in another order in memory.
static void a_run_has_the_same_bits_however_it_is_divided(void **state)
{
    (void)state;
    struct scree_digest digest[4];
    for (int way = 0; way < 4; ++way) {
        struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0.1, 0, -0.2}}, 1, 0.9, 0.3, 0.4);
        add_gas(&hard, 4, 1.5, true, true);
        hard_start(&hard, 0.05);
        int calls = 0;
        if (way == 1)
            assert_ok(scree_engine_set_callback(hard.engine, 70, look, &calls, NULL));
        assert_ok(scree_engine_run(hard.engine, way == 0 ? 200 : 70));
        if (way >= 2) {
            scree_engine_destroy(hard.engine);
            if (way == 3) {
                scree_test_restart(&hard.world, "event_rigid.scree");
                scree_test_shuffle(hard.world, 5);
            }
            hard_start(&hard, 0.05);
        }
        if (way > 0)
            assert_ok(scree_engine_run(hard.engine, 130));
        assert_int_equal(calls, way == 1 ? 200 : 0);
        assert_ok(scree_world_digest(hard.world, &digest[way]));
        hard_end(&hard);
    }
    for (int way = 1; way < 4; ++way)
        assert_memory_equal(&digest[0], &digest[way], sizeof digest[0]);
}

// The length of steps has no influence: positions, orientations and momenta after the same time.
static void steps_change_nothing(void **state)
{
    (void)state;
    struct hard hard[2];
    for (int way = 0; way < 2; ++way) {
        hard[way] = hard_make(&(struct scree_world_def){.gravity = {0, 0, -0.5}}, 1, 0.9, 0.3, 0.4);
        add_gas(&hard[way], 3, 1.5, true, true);
        hard_start(&hard[way], way == 0 ? 0.5 : 0.0625);
        assert_ok(scree_engine_run(hard[way].engine, way == 0 ? 16 : 128));
    }
    for (uint64_t id = 1; id <= 27; ++id) {
        const struct scree_body_state a = hard_state_of(&hard[0], (scree_body_id){id}),
                                      b = hard_state_of(&hard[1], (scree_body_id){id});
        scree_test_same_motion(&a, &b);
    }
    hard_end(&hard[0]);
    hard_end(&hard[1]);
}

// --- contacts at once and at rest

static scree_wall_id add_floor(struct hard *hard)
{
    scree_wall_id wall;
    assert_ok(scree_wall_add(hard->world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = hard->material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &wall));
    return wall;
}

// Two spheres of a dimer hit the floor at the same time, elastically: first one of them, which lets the dimer
// turn, then at once the other. In the end the energy is what it was and both sides part; no time passes.
static void a_dimer_that_lands_on_both_sides_leaves_the_floor(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    (void)add_floor(&hard);
    const scree_body_id id =
        hard_add(&hard, 0, &(struct scree_rigid_def){.position = {0, 0, 0.85}, .velocity = {0, 0, -1}});
    hard_start(&hard, 1);
    assert_ok(scree_engine_run(hard.engine, 1));
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    const struct scree_body_state s = hard_state_of(&hard, id);
    const double distance = 0.35, inertia = s.inertia[1], spin = s.spin[1];
    assert_in_range(counts.walls, 2, 5);
    hard_within(s.mass * s.velocity[2] * s.velocity[2] + inertia * spin * spin, s.mass, 1e-15);
    assert_true(s.velocity[2] > distance * fabs(spin) * (1 - 1e-12));
    // moments: m (2/5 0.35^2 + 0.35^2) and, with k = m 0.35^2 / I = 5/7, hits on both sides in turn: the
    // velocities of the sides (-1, -1) become (1, -1 + 2 (1 - k)/(1 + k)) = (1, -2/3), and then (11/9, 2/3)
    hard_within(inertia, 1.4 * s.mass * 0.1225, 1e-15);
    hard_within(s.velocity[2], 0.5 * (11. / 9 + 2. / 3), 1e-14);
    hard_within(distance * fabs(spin), 0.5 * (11. / 9 - 2. / 3), 1e-14);
    // it flies on from z = 0.35 at the time 0.5
    hard_within(s.position[2], 0.35 + 0.5 * s.velocity[2], 1e-14);
    hard_end(&hard);
}

// Two dimers that turn about their fixed centres hit each other and keep the energy.
static void dimers_on_hinges_hit_each_other(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    (void)add_floor(&hard);
    for (int k = 0; k < 2; ++k)
        (void)hard_add(&hard, 0,
                       &(struct scree_rigid_def){.position = {0, 0.9 * k, 0.9},
                                                 .spin = {0, 0, k ? 0 : 1},
                                                 .fixed = SCREE_FIX_POSITION});
    struct scree_energy before, after;
    struct scree_event_counts counts;
    assert_ok(scree_energy_get(hard.world, &before));
    hard_start(&hard, 1);
    assert_ok(scree_engine_run(hard.engine, 40));
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    assert_ok(scree_energy_get(hard.world, &after));
    assert_true(counts.pairs > 5 && counts.walls == 0);
    hard_within(after.rotation, before.rotation, 1e-14 * before.rotation);
    hard_within(after.balance, 0, 1e-14 * before.rotation);
    for (int k = 0; k < 2; ++k)
        assert_true(hard_state_of(&hard, (scree_body_id){(uint64_t)k + 1}).position[1] == 0.9 * k);
    hard_end(&hard);
}

// Three dimers in touch along their axes: the velocity passes from the first to the last, in no time.
static void dimers_in_touch_pass_a_velocity_on(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    for (int k = 0; k < 3; ++k)
        (void)hard_add(&hard, 0,
                       &(struct scree_rigid_def){.position = {1.4 * k}, .velocity = {k == 0 ? 1 : 0}});
    hard_start(&hard, 1);
    assert_ok(scree_engine_run(hard.engine, 1));
    for (uint64_t id = 1; id <= 3; ++id)
        hard_within(hard_state_of(&hard, (scree_body_id){id}).velocity[0], id == 3 ? 1 : 0, 1e-15);
    hard_end(&hard);
}

// A dimer that comes to rest on a floor collides infinitely often: the alarm ends the run and names it. With
// a contact time it keeps bouncing, and does not sink into the floor.
static void a_dimer_that_comes_to_rest_raises_the_alarm_of_collapse(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; ++timed) {
        struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0, 0, -10}}, 1, 0.5, 0.3, 0);
        (void)add_floor(&hard);
        const scree_body_id id =
            hard_add(&hard, 0, &(struct scree_rigid_def){.position = {0, 0, 0.5}, .spin = {0, 1, 0}});
        const struct scree_event_def def = {.step = 0.1, .contact_time = timed ? 1e-3 : 0};
        assert_ok(scree_event_create(hard.world, &def, &hard.engine));
        if (!timed)
            assert_refused(SCREE_ERROR_NUMBER, "body 1", scree_engine_run(hard.engine, 100));
        else
            assert_ok(scree_engine_run(hard.engine, 30));
        hard_within(hard_state_of(&hard, id).position[2], 0.35, 1e-4);
        // both sides are above the floor, up to rounding
        double lower[3], upper[3];
        assert_ok(scree_body_bounds(hard.world, id, lower, upper));
        assert_true(lower[2] > -1e-6 * 0.35);
        hard_end(&hard);
    }
}

// More bounces between two walls in one step than that alarm needs, of a dimer that cannot turn, so that
// nothing bends its path: each is at the speed 1, and none is one of a body at rest. In 1100 s it goes
// 110,000 times through the gap of 0.01.
static void many_bounces_of_a_dimer_that_does_not_turn_are_no_collapse(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    scree_wall_id wall;
    assert_ok(scree_wall_add(
        hard.world,
        &(struct scree_wall_def){
            .shape = SCREE_WALL_BOX,
            .material = hard.material,
            .box = {.lower = {-1, -1, -0.355}, .upper = {1, 1, 0.355}, .side = SCREE_WALL_INSIDE}},
        &wall));
    (void)hard_add(&hard, 0, &(struct scree_rigid_def){.velocity = {0, 0, 1}, .fixed = SCREE_FIX_SPIN});
    hard_start(&hard, 1100);
    assert_ok(scree_engine_run(hard.engine, 1));
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    assert_in_range(counts.walls, 109990, 110010);
    hard_end(&hard);
}

static void overlaps_at_the_start_are_named(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    (void)hard_add(&hard, 0, &(struct scree_rigid_def){0});
    // across, so that only the spheres around both overlap; then in the middle of the other
    const scree_body_id other = hard_add(&hard, 0, &(struct scree_rigid_def){.position = {0, 0.71, 0}});
    hard_start(&hard, 0.1);
    assert_ok(scree_engine_run(hard.engine, 1));
    assert_ok(scree_body_set_position(hard.world, other, (double[3]){0, 0.63, 0}));
    assert_refused(SCREE_ERROR_NUMBER, "body 1 overlaps body 2 by 0.2", scree_engine_run(hard.engine, 1));
    hard_end(&hard);
}

static void what_is_not_made_of_spheres_is_refused(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    scree_body_id id;
    assert_ok(
        scree_body_add_rigid(hard.world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 1, 1}}, &id));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "body 1 is neither a sphere nor a disk nor a clump",
                   scree_event_create(hard.world, &(struct scree_event_def){.step = 1}, &hard.engine));
    scree_world_destroy(hard.world);
}

// --- orientations of spheres

// A sphere turns with its spin: about z by 1.5 rad in 0.5 s, then it hits the floor, sticks in the sense of a
// perfectly rough collision, which changes its spin to w', and turns by 0.5 w' more.
static void spheres_turn_with_their_spin(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){.sphere_orientation = true}, 1, 1, 10, 1);
    (void)add_floor(&hard);
    const struct scree_sphere_def def = {.radius = 0.5,
                                         .material = hard.material,
                                         .position = {0, 0, 1},
                                         .velocity = {0.4, 0, -1},
                                         .spin = {0, 3, 0}};
    scree_body_id id;
    assert_ok(scree_body_add_sphere(hard.world, &def, &id));
    hard_start(&hard, 0.125);
    assert_ok(scree_engine_run(hard.engine, 8));
    const struct scree_body_state s = hard_state_of(&hard, id);
    // q = 0.4 - 0.5 * 3 = -1.1 becomes 1.1: J = 2.2 * 2/7 m, w' = w - R J / I
    hard_within(s.velocity[0], 0.4 + 2.2 * 2 / 7, 1e-15);
    const double spin = 3 - 0.5 * (2.2 * 2 / 7) / (0.4 * 0.25), turned = 0.5 * 3 + 0.5 * spin;
    hard_within(s.spin[1], spin, 4e-15);
    hard_within(s.orientation[0], cos(0.5 * turned), 2e-15);
    hard_within(s.orientation[2], sin(0.5 * turned), 2e-15);
    hard_end(&hard);
}

static void orientations_of_spheres_do_not_change_the_motion(void **state)
{
    (void)state;
    struct hard hard[2];
    for (int way = 0; way < 2; ++way) {
        hard[way] = hard_make(&(struct scree_world_def){.sphere_orientation = way == 1}, 1, 0.9, 0.3, 0.4);
        assert_ok(scree_cell_set(
            hard[way].world, &(struct scree_cell_def){.upper = {5, 5, 5}, .periodic = {true, true, true}}));
        uint64_t seed = 3;
        for (int g = 0; g < 64; ++g) {
            struct scree_sphere_def def = {.radius = 0.5, .material = hard[way].material};
            scree_body_id id;
            for (int k = 0; k < 3; ++k) {
                def.position[k] = 1.25 * (g >> 2 * k & 3);
                def.velocity[k] = splitmix_signed(&seed);
                def.spin[k] = splitmix_signed(&seed);
            }
            assert_ok(scree_body_add_sphere(hard[way].world, &def, &id));
        }
        hard_start(&hard[way], 0.1);
        assert_ok(scree_engine_run(hard[way].engine, 100));
    }
    for (uint64_t id = 1; id <= 64; ++id) {
        struct scree_body_state a = hard_state_of(&hard[0], (scree_body_id){id}),
                                b = hard_state_of(&hard[1], (scree_body_id){id});
        memcpy(a.orientation, b.orientation, sizeof a.orientation);
        scree_test_same_motion(&a, &b);
    }
    hard_end(&hard[0]);
    hard_end(&hard[1]);
}

// --- soft bodies

// Adds a dimer that hits a wall, or one that is hit, and returns it.
static scree_body_id add_case(struct hard *hard, int which)
{
    const double turn = 0.35;
    const struct scree_rigid_def at = {.position = {0, 0, 1},
                                       .orientation = {cos(turn), 0, sin(turn), 0},
                                       .velocity = {0.2, 0.1, -1},
                                       .spin = {0.3, -0.5, 0.4}};
    if (which == 0)
        (void)add_floor(hard);
    else
        (void)hard_add(hard, 1, &(struct scree_rigid_def){.position = {0.3, 0.1, -0.2}, .spin = {1, 0, 0}});
    return hard_add(hard, 0, &at);
}

// The velocity and the angular momentum of the dimer after its collision.
static void after(struct hard *hard, scree_body_id id, double out[6])
{
    const struct scree_body_state s = hard_state_of(hard, id);
    for (int k = 0; k < 3; ++k) {
        out[k] = s.velocity[k];
        out[3 + k] = s.momentum[k] / s.inertia[1] * 0.35;
    }
}

// With a linear contact of stiffness k the dimer leaves with the velocities of the event engine, up to the
// angle by which it turns during the contact, which lasts pi sqrt(m/k): an error of order 1/2 in 1/k.
static void stiff_soft_bodies_leave_with_the_same_velocities(void **state)
{
    (void)state;
    for (int which = 0; which < 2; ++which) {
        double hard_out[6], error[4];
        struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
        scree_body_id id = add_case(&hard, which);
        hard_start(&hard, 0.1);
        assert_ok(scree_engine_run(hard.engine, 8));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_int_equal(counts.pairs + counts.walls, 1);
        after(&hard, id, hard_out);
        hard_end(&hard);
        for (int n = 0; n < 4; ++n) {
            const double stiffness = 1e4 * pow(16, n), step = 0.02 / sqrt(stiffness);
            struct hard soft = {0};
            double out[6];
            assert_ok(scree_world_create(&(struct scree_world_def){0}, &soft.world));
            assert_ok(scree_material_add(
                soft.world, &(struct scree_material_def){.name = "soft", .density = 1}, &soft.material));
            const struct scree_interaction_value values[] = {
                {"stiffness", stiffness, NULL}, {"restitution", 1, NULL}, {"friction", 0, NULL}};
            assert_ok(scree_interaction_add(
                soft.world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
            id = add_case(&soft, which);
            assert_ok(scree_soft_create(soft.world, &(struct scree_soft_def){.step = step}, &soft.engine));
            assert_ok(scree_engine_run(soft.engine, (uint64_t)(0.8 / step)));
            after(&soft, id, out);
            error[n] = 0;
            for (int k = 0; k < 6; ++k)
                error[n] = fmax(error[n], fabs(out[k] - hard_out[k]));
            hard_end(&soft);
        }
        // the error falls by 4 each time, within 10 % once it is small
        assert_true(error[3] < 1e-3);
        hard_within(log2(error[2] / error[3]) / 4, 0.5, 0.05);
        hard_within(log2(error[1] / error[2]) / 4, 0.5, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloud_conserves_momentum_and_angular_momentum),
        cmocka_unit_test(energy_is_shared_equally_by_elastic_dimers),
        cmocka_unit_test(a_run_has_the_same_bits_however_it_is_divided),
        cmocka_unit_test(steps_change_nothing),
        cmocka_unit_test(a_dimer_that_lands_on_both_sides_leaves_the_floor),
        cmocka_unit_test(dimers_on_hinges_hit_each_other),
        cmocka_unit_test(dimers_in_touch_pass_a_velocity_on),
        cmocka_unit_test(a_dimer_that_comes_to_rest_raises_the_alarm_of_collapse),
        cmocka_unit_test(many_bounces_of_a_dimer_that_does_not_turn_are_no_collapse),
        cmocka_unit_test(overlaps_at_the_start_are_named),
        cmocka_unit_test(what_is_not_made_of_spheres_is_refused),
        cmocka_unit_test(spheres_turn_with_their_spin),
        cmocka_unit_test(orientations_of_spheres_do_not_change_the_motion),
        cmocka_unit_test(stiff_soft_bodies_leave_with_the_same_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
