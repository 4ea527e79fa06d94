// The event engine: collisions at the times and with the velocities of closed forms, conservation, and the
// same bits however a run is divided.

#include "support/hard_bodies.h"

static const double pi = 3.14159265358979323846;

// A world of hard bodies of mass density 6/pi, so that a sphere of diameter 1 has mass 1.
static struct hard make(const struct scree_world_def *def, double restitution, double friction,
                        double tangential)
{
    return hard_make(def, 6 / pi, restitution, friction, tangential);
}

static void set_cube(struct hard *hard, double side)
{
    assert_ok(scree_cell_set(
        hard->world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, true}}));
}

static scree_body_id add(struct hard *hard, const double position[3], const double velocity[3])
{
    struct scree_sphere_def def = {.radius = 0.5, .material = hard->material};
    scree_body_id id;
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    assert_ok(scree_body_add_sphere(hard->world, &def, &id));
    return id;
}

// A gas of n^3 spheres that fill a fraction of a periodic cube, on a lattice with random velocities.
static void add_gas(struct hard *hard, int n, double fraction, bool spinning)
{
    const double side = cbrt(n * n * n * pi / 6 / fraction);
    uint64_t seed = 7;
    set_cube(hard, side);
    for (int g = 0; g < n * n * n; ++g) {
        const int at[3] = {g % n, g / n % n, g / n / n};
        struct scree_sphere_def def = {.radius = 0.5, .material = hard->material};
        scree_body_id id;
        for (int k = 0; k < 3; ++k) {
            def.position[k] = (at[k] + 0.5) * side / n;
            def.velocity[k] = splitmix_signed(&seed);
            def.spin[k] = spinning ? 3 * splitmix_signed(&seed) : 0;
        }
        assert_ok(scree_body_add_sphere(hard->world, &def, &id));
    }
}

// --- single collisions

// A gap of 2 closes with 1 + 3 at t = 0.5; equal masses with restitution e exchange (1 + e)/2 of their
// velocities. Rounding: a few 1e-16 of positions of order 1.
static void two_spheres_collide_at_the_exact_time_with_restitution(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 0.5, 0, 0);
    const scree_body_id a = add(&hard, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}),
                        b = add(&hard, (double[3]){3, 0, 0}, (double[3]){-3, 0, 0});
    hard_start(&hard, 0.3);
    assert_ok(scree_engine_run(hard.engine, 4));
    // after the collision at 0.5, with centres at 0.5 and 1.5: -2 and 0
    hard_within(scree_world_time(hard.world), 1.2, 1e-15);
    hard_within(hard_state_of(&hard, a).velocity[0], -2, 1e-15);
    hard_within(hard_state_of(&hard, b).velocity[0], 0, 1e-15);
    hard_within(hard_state_of(&hard, a).position[0], 0.5 - 2 * 0.7, 2e-15);
    hard_within(hard_state_of(&hard, b).position[0], 1.5, 2e-15);
    hard_end(&hard);
}

// The same through a face of a periodic cell: centres at 0.7 and 4.2 of a period 5 are 1.5 apart through it.
static void a_collision_through_a_periodic_face_is_found(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
    set_cube(&hard, 5);
    const scree_body_id a = add(&hard, (double[3]){0.7, 1, 1}, (double[3]){-1, 0, 0}),
                        b = add(&hard, (double[3]){4.2, 1, 1}, (double[3]){0, 0, 0});
    hard_start(&hard, 1);
    assert_ok(scree_engine_run(hard.engine, 1));
    hard_within(hard_state_of(&hard, a).velocity[0], 0, 1e-15);
    hard_within(hard_state_of(&hard, b).velocity[0], -1, 1e-15);
    hard_within(hard_state_of(&hard, a).position[0], 0.2, 2e-15);
    hard_within(hard_state_of(&hard, b).position[0], 3.7, 4e-15);
    hard_end(&hard);
}

// A ball dropped from a height h falls for sqrt(2h/g), and each flight between bounces takes 2 e^k
// sqrt(2h/g).
static void a_ball_bounces_on_a_floor_at_the_times_of_the_closed_form(void **state)
{
    (void)state;
    const double g = 9.81, e = 0.8, h = 0.7;
    struct hard hard = make(&(struct scree_world_def){.gravity = {0, 0, -g}}, e, 0, 0);
    scree_wall_id wall;
    assert_ok(scree_wall_add(hard.world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = hard.material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &wall));
    const scree_body_id ball = add(&hard, (double[3]){0, 0, 0.5 + h}, (double[3]){0.3, 0, 0});
    hard_start(&hard, 0.01);
    const double fall = sqrt(2 * h / g);
    double begun = fall, flight = 2 * e * fall, speed = e * g * fall;
    while (begun + flight < 2) {
        begun += flight;
        flight *= e;
        speed *= e;
    }
    assert_ok(scree_engine_run(hard.engine, 200));
    // the errors of times add up over 6 bounces, each a few roundings of 2 s
    const double t = scree_world_time(hard.world) - begun;
    hard_within(hard_state_of(&hard, ball).position[2], 0.5 + t * (speed - 0.5 * g * t), 2e-14);
    hard_within(hard_state_of(&hard, ball).velocity[2], speed - g * t, 1e-13);
    hard_within(hard_state_of(&hard, ball).position[0], 0.3 * scree_world_time(hard.world), 1e-15);
    hard_end(&hard);
}

// A wall that moves with w sends a ball back with -v + 2 w, without gravity, and both meet at gap/(w - v).
static void a_wall_that_moves_sends_a_ball_back_with_twice_its_velocity(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
    scree_wall_id wall;
    assert_ok(scree_wall_add(hard.world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = hard.material,
                                                      .plane = {.normal = {0, 0, 1}},
                                                      .velocity = {0, 0, 0.5}},
                             &wall));
    const scree_body_id ball = add(&hard, (double[3]){0, 0, 2}, (double[3]){0, 0, -1});
    hard_start(&hard, 0.07);
    assert_ok(scree_engine_run(hard.engine, 20));
    // they meet at t = 1 at height 0.5
    const double t = scree_world_time(hard.world);
    hard_within(hard_state_of(&hard, ball).velocity[2], 2, 1e-14);
    hard_within(hard_state_of(&hard, ball).position[2], 1 + 2 * (t - 1), 1e-14);
    struct scree_energy energy;
    assert_ok(scree_energy_get(hard.world, &energy));
    // from 1/2 to 2: the wall did the work
    hard_within(energy.work, 1.5, 1e-13);
    hard_within(energy.balance, 0, 1e-13);
    hard_end(&hard);
}

// A plate at amplitude sin(w t), and a ball that bounces on it.
static const double amplitude = 0.05, frequency = 12;

static void vibrate(void *user, double time, struct scree_wall_motion *motion)
{
    (void)user;
    motion->velocity[2] = amplitude * frequency * cos(frequency * time);
}

// The height of the ball at an end time, by steps of 1e-4 s and bisection.
static double bounce_on_plate(double z, double v, double g, double e, double last)
{
    double t = 0;
    for (;;) {
        double low = 0, high = 0;
        for (double s = 1e-4; high == 0; s += 1e-4) {
            if (t + s > last)
                return z + (last - t) * (v - 0.5 * g * (last - t));
            if (z + s * (v - 0.5 * g * s) - amplitude * sin(frequency * (t + s)) < 0.5)
                high = s;
            else
                low = s;
        }
        for (int k = 0; k < 60; ++k) {
            const double s = 0.5 * (low + high);
            *(z + s * (v - 0.5 * g * s) - amplitude * sin(frequency * (t + s)) < 0.5 ? &high : &low) = s;
        }
        const double w = amplitude * frequency * cos(frequency * (t + low));
        z += low * (v - 0.5 * g * low);
        v = w + e * (w - (v - g * low));
        t += low;
    }
}

static double end_on_plate(double step)
{
    struct hard hard = make(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, 0.8, 0, 0);
    scree_wall_id wall;
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_PLANE, .material = hard.material, .plane = {.normal = {0, 0, 1}}};
    assert_ok(scree_wall_add(hard.world, &def, &wall));
    assert_ok(scree_wall_motion_set_function(hard.world, wall,
                                             &(struct scree_wall_motion_def){.function = vibrate}));
    const scree_body_id ball = add(&hard, (double[3]){0, 0, 1}, (double[3]){0, 0, 0});
    hard_start(&hard, step);
    assert_ok(scree_engine_run_until(hard.engine, 1));
    const double height = hard_state_of(&hard, ball).position[2];
    hard_end(&hard);
    return height;
}

// Within a step a wall that moves by a function has the acceleration that its velocities have: order 2.
static void a_plate_that_vibrates_is_hit_with_errors_of_order_two(void **state)
{
    (void)state;
    const double expected = bounce_on_plate(1, 0, 9.81, 0.8, 1);
    double error[3];
    for (int k = 0; k < 3; ++k)
        error[k] = fabs(end_on_plate(0.004 / (1 << 2 * k)) - expected);
    // four bounces, each with the derivatives of the motion of the plate, w^2 = 144 and w^3
    assert_true(error[0] < 1e-4 && error[2] < error[0] / 60);
}

// Where walls with constant velocities are is a function of time.
static void walls_with_constant_velocities_are_hit_at_the_same_times_in_any_steps(void **state)
{
    (void)state;
    double height[2];
    for (int k = 0; k < 2; ++k) {
        struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, 1, 0.9, 0, 0);
        const struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE,
                                             .material = hard.material,
                                             .plane = {.normal = {0.6, 0, 0.8}},
                                             .velocity = {0.1, 0.2, 0.3}};
        const struct scree_wall_def ball = {.shape = SCREE_WALL_SPHERE,
                                            .material = hard.material,
                                            .sphere = {{-3, 0, 5}, 1, SCREE_WALL_OUTSIDE},
                                            .velocity = {0.1, 0, 0.2}};
        scree_wall_id wall;
        assert_ok(scree_wall_add(hard.world, &plane, &wall));
        assert_ok(scree_wall_add(hard.world, &ball, &wall));
        hard_add_body(hard.world, (double[3]){0, 0, 2}, (double[3]){0, 0, 3}, 0.1, hard.material);
        hard_start(&hard, k ? 3 : 0.001);
        assert_ok(scree_engine_run_until(hard.engine, 3));
        height[k] = hard_state_of(&hard, (scree_body_id){1}).position[2];
        hard_end(&hard);
    }
    // the place at the end of the steps, at 3 s, which have another rounding of the time: a speed of 30 m/s
    hard_within(height[1], height[0], 30 * 1e-15 * 3);
}

// --- many collisions

// Momentum and energy of 512 elastic smooth spheres: each of 10^5 collisions rounds them to 1e-16 of one
// body, at random.
static void a_gas_conserves_momentum_and_energy(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
    add_gas(&hard, 8, 0.3, false);
    struct scree_energy before, after;
    struct scree_momentum start_momentum, momentum;
    assert_ok(scree_energy_get(hard.world, &before));
    assert_ok(scree_energy_momentum(hard.world, &start_momentum));
    hard_start(&hard, 0.1);
    struct scree_event_counts counts = {0};
    while (counts.pairs < 100000) {
        assert_ok(scree_engine_run(hard.engine, 50));
        assert_ok(scree_event_get_counts(hard.engine, &counts));
    }
    assert_ok(scree_energy_get(hard.world, &after));
    assert_ok(scree_energy_momentum(hard.world, &momentum));
    hard_within(after.translation / before.translation, 1, 1e-13);
    for (int k = 0; k < 3; ++k)
        hard_within(momentum.linear[k], start_momentum.linear[k], 1e-12);
    hard_end(&hard);
}

// What inelastic rough collisions lose is in the ledger: the balance is round-off of the losses.
static void the_ledger_has_the_losses_of_collisions(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 0.8, 0.3, 0.4);
    add_gas(&hard, 6, 0.3, true);
    hard_start(&hard, 0.1);
    assert_ok(scree_engine_run(hard.engine, 200));
    struct scree_energy energy;
    assert_ok(scree_energy_get(hard.world, &energy));
    assert_true(energy.dashpot > 0.1 * energy.energy_input && energy.friction > 0.01 * energy.energy_input);
    hard_within(energy.balance / energy.energy_input, 0, 1e-13);
    hard_end(&hard);
}

static scree_status look(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct scree_energy energy;
    (void)engine;
    ++*(int *)user;
    return scree_energy_get(world, &energy);
}

// One run, and the same divided into runs, with a callback in each step, and continued by another engine:
// equal bits. It is long enough for rows to be sorted again, which happens after 16 rebuilds per body.
static void a_run_has_the_same_bits_however_it_is_divided(void **state)
{
    (void)state;
    struct scree_digest digest[3];
    for (int way = 0; way < 3; ++way) {
        struct hard hard = make(&(struct scree_world_def){.gravity = {0.1, 0, -0.2}}, 0.9, 0.3, 0.4);
        add_gas(&hard, 5, 0.35, true);
        hard_start(&hard, 0.05);
        int calls = 0;
        if (way == 1)
            assert_ok(scree_engine_set_callback(hard.engine, 70, look, &calls, NULL));
        assert_ok(scree_engine_run(hard.engine, way == 0 ? 300 : 110));
        if (way == 2) {
            scree_engine_destroy(hard.engine);
            hard_start(&hard, 0.05);
        }
        if (way > 0)
            assert_ok(scree_engine_run(hard.engine, 190));
        assert_int_equal(calls, way == 1 ? 300 : 0);
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_true(way == 2 || counts.rebuilds > 17 * scree_body_count(hard.world));
        assert_ok(scree_world_digest(hard.world, &digest[way]));
        hard_end(&hard);
    }
    assert_memory_equal(&digest[0], &digest[1], sizeof digest[0]);
    assert_memory_equal(&digest[0], &digest[2], sizeof digest[0]);
}

// Carnahan and Starling's equation of state at a packing of 0.3, by the virial of 4e5 collisions: the mean
// over n collisions scatters by about 1/sqrt(n), with correlations by less than 0.4 %; the equation itself
// has 0.2 %.
static void the_pressure_is_that_of_carnahan_and_starling(void **state)
{
    (void)state;
    const double f = 0.3;
    struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
    add_gas(&hard, 8, f, false);
    hard_start(&hard, 0.2);
    assert_ok(scree_engine_run(hard.engine, 100));
    struct scree_event_counts from, to;
    struct scree_energy energy;
    assert_ok(scree_event_get_counts(hard.engine, &from));
    const double begun = scree_world_time(hard.world);
    do {
        assert_ok(scree_engine_run(hard.engine, 50));
        assert_ok(scree_event_get_counts(hard.engine, &to));
    } while (to.pairs < from.pairs + 400000);
    assert_ok(scree_energy_get(hard.world, &energy));
    const double z =
        1 + (to.virial - from.virial) / (scree_world_time(hard.world) - begun) / (2 * energy.translation);
    hard_within(z / ((1 + f + f * f - f * f * f) / pow(1 - f, 3)), 1, 0.006);
    hard_end(&hard);
}

// --- special cases

// A sphere falls on a fixed one beside its centre: it touches where the parabola is at the distance of both
// radii, found here by small steps and bisection.
static void a_falling_sphere_meets_a_fixed_one_on_its_parabola(void **state)
{
    (void)state;
    const double g = 9.81, x = 0.4, u = -0.3, v = 0.5;
    struct hard hard = make(&(struct scree_world_def){.gravity = {0, 0, -g}}, 1, 0, 0);
    const struct scree_sphere_def fixed = {.radius = 0.5, .material = hard.material, .fixed = SCREE_FIX_ALL};
    scree_body_id base;
    assert_ok(scree_body_add_sphere(hard.world, &fixed, &base));
    const scree_body_id ball = add(&hard, (double[3]){x, 0, 2}, (double[3]){u, 0, v});
    hard_start(&hard, 0.01);
    double low = 0, high = 0;
    for (double t = 0; high == 0; t += 1e-3)
        if (hypot(x + u * t, 2 + t * (v - 0.5 * g * t)) < 1)
            high = t;
        else
            low = t;
    for (int k = 0; k < 100; ++k) {
        const double t = 0.5 * (low + high);
        *(hypot(x + u * t, 2 + t * (v - 0.5 * g * t)) < 1 ? &high : &low) = t;
    }
    const double n[2] = {x + u * low, 2 + low * (v - 0.5 * g * low)}, w = v - g * low;
    const double closing = u * n[0] + w * n[1];
    // mirrored at the tangent plane; n has the length 1
    const double after[2] = {u - 2 * closing * n[0], w - 2 * closing * n[1]};
    assert_ok(scree_engine_run(hard.engine, 62));
    const double t = scree_world_time(hard.world) - low;
    assert_true(t > 0 && t < 0.2);
    hard_within(hard_state_of(&hard, ball).velocity[0], after[0], 1e-13);
    hard_within(hard_state_of(&hard, ball).velocity[2], after[1] - g * t, 1e-13);
    hard_within(hard_state_of(&hard, ball).position[2], n[1] + t * (after[1] - 0.5 * g * t), 1e-13);
    hard_within(hard_state_of(&hard, base).velocity[2], 0, 0);
    hard_end(&hard);
}

// Three equal spheres in a row, the two right ones in touch: the cradle, in which the third takes the
// velocity.
static void spheres_in_touch_pass_a_velocity_on(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
    scree_body_id id[3];
    for (int k = 0; k < 3; ++k)
        id[k] = add(&hard, (double[3]){k == 0 ? -2 : k, 0, 0}, (double[3]){k == 0, 0, 0});
    hard_start(&hard, 0.5);
    assert_ok(scree_engine_run(hard.engine, 5));
    hard_within(hard_state_of(&hard, id[0]).velocity[0], 0, 0);
    hard_within(hard_state_of(&hard, id[1]).velocity[0], 0, 0);
    hard_within(hard_state_of(&hard, id[2]).velocity[0], 1, 0);
    hard_end(&hard);
}

// A sphere without restitution comes to rest on one that is driven into it, and is pushed on: no collision is
// repeated for ever.
static void a_sphere_without_restitution_is_pushed(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 0, 0, 0);
    const struct scree_sphere_def pusher = {
        .radius = 0.5, .material = hard.material, .fixed = SCREE_FIX_ALL, .velocity = {1, 0, 0}};
    scree_body_id id;
    assert_ok(scree_body_add_sphere(hard.world, &pusher, &id));
    const scree_body_id ball = add(&hard, (double[3]){2, 0, 0}, (double[3]){0, 0, 0});
    hard_start(&hard, 0.25);
    assert_ok(scree_engine_run(hard.engine, 12));
    hard_within(hard_state_of(&hard, ball).velocity[0], 1, 1e-15);
    hard_within(hard_state_of(&hard, ball).position[0], 4, 1e-14);
    hard_end(&hard);
}

// A ball that comes to rest on a floor bounces infinitely often: the alarm ends the run and names the ball.
// With a contact time it keeps bouncing, lower than a fall in that time.
static void a_ball_that_comes_to_rest_raises_the_alarm_of_collapse(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; ++timed) {
        struct hard hard = make(&(struct scree_world_def){.gravity = {0, 0, -10}}, 0.5, 0, 0);
        scree_wall_id wall;
        assert_ok(scree_wall_add(hard.world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = hard.material,
                                                          .plane = {.normal = {0, 0, 1}}},
                                 &wall));
        const scree_body_id ball = add(&hard, (double[3]){0, 0, 1}, (double[3]){0, 0, 0});
        const struct scree_event_def def = {.step = 0.1, .contact_time = timed ? 1e-3 : 0};
        assert_ok(scree_event_create(hard.world, &def, &hard.engine));
        if (!timed)
            assert_refused(SCREE_ERROR_NUMBER, "body 1", scree_engine_run(hard.engine, 20));
        else
            assert_ok(scree_engine_run(hard.engine, 20));
        // a fall in half of 1e-3 s with 10 m/s^2: 1.25e-6 m
        hard_within(hard_state_of(&hard, ball).position[2], 0.5, 1.3e-6);
        hard_end(&hard);
    }
}

// Bodies that overlap at the start are named; those that just touch are fine.
static void overlaps_at_the_start_are_named(void **state)
{
    (void)state;
    struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
    (void)add(&hard, (double[3]){0, 0, 0}, (double[3]){0, 0, 0});
    const scree_body_id other = add(&hard, (double[3]){0.9, 0, 0}, (double[3]){0, 0, 0});
    hard_start(&hard, 0.1);
    // also in the second run, without an edit in between
    for (int k = 0; k < 2; ++k)
        assert_refused(SCREE_ERROR_NUMBER, "body 1 overlaps body 2 by 0.2", scree_engine_run(hard.engine, 1));
    assert_ok(scree_body_set_position(hard.world, other, (double[3]){1, 0, 0}));
    assert_ok(scree_engine_run(hard.engine, 1));
    hard_end(&hard);
}

// Bodies that are fixed keep their velocities, also where they meet each other: they pass through each other.
// A third body collides with the first.
static void fixed_bodies_pass_through_each_other(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; ++falls) {
        struct hard hard = make(&(struct scree_world_def){.gravity = {0, falls ? -1e-9 : 0, 0}}, 1, 0, 0);
        const double from[3] = {0, 1.5, -3}, velocity[3] = {0.1, -0.1, 1};
        for (int b = 0; b < 3; ++b) {
            const struct scree_sphere_def def = {.radius = 0.5,
                                                 .material = hard.material,
                                                 .position = {from[b], 0, 0},
                                                 .velocity = {velocity[b], 0, 0},
                                                 .fixed = b < 2 ? SCREE_FIX_POSITION : 0};
            scree_body_id id;
            assert_ok(scree_body_add_sphere(hard.world, &def, &id));
        }
        hard_start(&hard, 0.1);
        assert_ok(scree_engine_run_until(hard.engine, 10));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_int_equal(counts.pairs, 1);
        for (int b = 0; b < 2; ++b) {
            const struct scree_body_state after = hard_state_of(&hard, (scree_body_id){(uint64_t)b + 1});
            assert_true(after.velocity[0] == velocity[b]);
            hard_within(after.position[0], from[b] + 10 * velocity[b], 1e-14);
        }
        // from -1 relative to the first one, with 0.9: after 20/9 s it goes back with -0.8
        const struct scree_body_state third = hard_state_of(&hard, (scree_body_id){3});
        hard_within(third.velocity[0], -0.8, 1e-14);
        hard_end(&hard);
    }
}

// A periodic cell must be wider than twice a diameter, so that a body has one image of each neighbour.
static void a_cell_that_is_too_narrow_is_refused(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; ++wide) {
        struct hard hard = make(&(struct scree_world_def){0}, 1, 0, 0);
        set_cube(&hard, wide ? 2.06 : 2.04);
        (void)add(&hard, (double[3]){1, 1, 1}, (double[3]){1, 0, 0});
        const struct scree_event_def def = {.step = 0.1};
        if (wide)
            assert_ok(scree_event_create(hard.world, &def, &hard.engine));
        else
            assert_refused(SCREE_ERROR_ARGUMENT, "2.04 m along x",
                           scree_event_create(hard.world, &def, &hard.engine));
        hard_end(&hard);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres_collide_at_the_exact_time_with_restitution),
        cmocka_unit_test(a_collision_through_a_periodic_face_is_found),
        cmocka_unit_test(fixed_bodies_pass_through_each_other),
        cmocka_unit_test(a_ball_bounces_on_a_floor_at_the_times_of_the_closed_form),
        cmocka_unit_test(a_wall_that_moves_sends_a_ball_back_with_twice_its_velocity),
        cmocka_unit_test(a_plate_that_vibrates_is_hit_with_errors_of_order_two),
        cmocka_unit_test(walls_with_constant_velocities_are_hit_at_the_same_times_in_any_steps),
        cmocka_unit_test(a_gas_conserves_momentum_and_energy),
        cmocka_unit_test(the_ledger_has_the_losses_of_collisions),
        cmocka_unit_test(a_run_has_the_same_bits_however_it_is_divided),
        cmocka_unit_test(a_falling_sphere_meets_a_fixed_one_on_its_parabola),
        cmocka_unit_test(spheres_in_touch_pass_a_velocity_on),
        cmocka_unit_test(a_sphere_without_restitution_is_pushed),
        cmocka_unit_test(a_ball_that_comes_to_rest_raises_the_alarm_of_collapse),
        cmocka_unit_test(overlaps_at_the_start_are_named),
        cmocka_unit_test(a_cell_that_is_too_narrow_is_refused),
        cmocka_unit_test(the_pressure_is_that_of_carnahan_and_starling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
