// Plates that vibrate in the event engine, against long double: each flight of a ball is certified by bounds,
// which no collision can pass between two times looked at; bouncing balls in closed form; clumps.

#include "support/folder.h"
#include "support/hard_clumps.h"

#include <scree/checkpoint.h>

typedef long double real;

static const double pi = 3.14159265358979323846;

// --- a plate and a ball above it, along the normal of the plate

struct plate {
    real amplitude, angular, phase, drift; // along the normal
    real start;                            // its height at time 0
};

static real height_of(const struct plate *p, real time, real *velocity)
{
    const real angle = p->angular * time + p->phase;
    *velocity = p->drift + p->angular * p->amplitude * cosl(angle);
    return p->start + p->drift * time + p->amplitude * (sinl(angle) - sinl(p->phase));
}

// A flight of the centre of a ball, or of a body with a member that turns about it, and the gap.
struct flight {
    const struct plate *plate;
    real time, height, velocity, gravity, radius;
    real reach, angle,
        turn; // the member is at the height -reach * sin(angle + turn * delay) above the centre
};

static real gap_at(const struct flight *f, real delay, real *rate)
{
    real speed;
    const real at = height_of(f->plate, f->time + delay, &speed);
    const real angle = f->angle + f->turn * delay;
    *rate = f->velocity - f->gravity * delay - speed - f->reach * f->turn * cosl(angle);
    return f->height + delay * (f->velocity - 0.5L * f->gravity * delay) - at - f->radius -
           f->reach * sinl(angle);
}

// Whether the gap is above `depth` at all delays between two: with a bound M on the second derivative the gap
// is above g - |g'| s - M s^2 / 2 within s of the middle. Otherwise both halves are looked at.
static bool is_clear(const struct flight *f, real from, real to, real depth, int level)
{
    const real middle = 0.5L * (from + to), half = 0.5L * (to - from);
    const real bend = f->gravity + fabsl(f->reach) * f->turn * f->turn +
                      f->plate->angular * f->plate->angular * fabsl(f->plate->amplitude);
    real rate;
    const real gap = gap_at(f, middle, &rate);
    if (gap < depth)
        return false;
    if (gap - half * (fabsl(rate) + 0.5L * bend * half) > depth)
        return true;
    if (level == 0)
        return false;
    return is_clear(f, from, middle, depth, level - 1) && is_clear(f, middle, to, depth, level - 1);
}

// --- what the engine does

struct bounces {
    struct plate plate;
    struct flight flight; // the present one
    real normal[3], restitution;
    double *time; // of the first ones, if not null
    int count, slow, most;
    real least_closing;
    double last; // time
};

// Errors of a gap, of a few roundings of heights and of the phase, which grows with time.
static real rounding_of(const struct bounces *b, real time)
{
    const struct plate *p = &b->plate;
    const real size = fabsl(b->flight.height) + fabsl(p->start) + fabsl(p->drift * time) + b->flight.radius +
                      fabsl(p->amplitude) * (1 + p->angular * time + fabsl(p->phase)) +
                      fabsl(b->flight.velocity) * time;
    return 16 * 0x1p-53L * size;
}

static void check_bounce(void *user, const struct scree_event_collision *c)
{
    struct bounces *b = (struct bounces *)user;
    struct flight *f = &b->flight;
    if (b->count >= b->most)
        return;
    const real time = (real)c->time, delay = time - f->time, depth = rounding_of(b, time);
    real rate, speed, height = 0, velocity = 0;
    const real gap = gap_at(f, delay, &rate);
    height_of(&b->plate, time, &speed);
    for (int k = 0; k < 3; ++k) {
        height += b->normal[k] * (real)c->position[0][k];
        velocity += b->normal[k] * (real)c->velocity[0][k];
    }
    // they touch, and have not before: the time is right up to what its own rounding moves them
    const real moved = depth + 0x1p-52L * time * fabsl(rate);
    if (!(delay >= 0) || !(fabsl(gap) <= moved) || !is_clear(f, 0, delay, -moved, 60))
        fail_msg("bounce %d at %.17g, %g after the last: the gap is %g, its rate %g", b->count, c->time,
                 (double)delay, (double)gap, (double)rate);
    // the law of collision; velocities have errors of a few roundings, and that of the phase
    const real expected = speed - b->restitution * rate;
    const real error = 16 * 0x1p-53L *
                       (fabsl(f->velocity) + f->gravity * time + fabsl(speed) +
                        b->plate.angular * fabsl(b->plate.amplitude) *
                            (1 + b->plate.angular * time + fabsl(b->plate.phase)));
    if (!(fabsl(velocity - expected) <= error) && fabsl(rate) > error)
        fail_msg("bounce %d at %.17g: the velocity is %.17g instead of %.17g", b->count, c->time,
                 (double)velocity, (double)expected);
    if (b->time)
        b->time[b->count] = c->time;
    ++b->count;
    b->slow += fabsl(rate) < 1e-3L;
    b->least_closing = fminl(b->least_closing, fabsl(rate));
    f->time = time;
    f->height = height;
    f->velocity = velocity;
}

// --- worlds

struct shaken {
    double gravity, radius, restitution;
    double normal[3], height, velocity; // of the ball, along the normal of the plate
    struct scree_wall_vibration vibration;
    double elastic_below, step;
    const char *checkpoint;
};

static struct hard make_shaken(const struct shaken *s, bool restored)
{
    struct hard hard = {NULL, NULL, {0}};
    const struct scree_world_def def = {
        .gravity = {-s->gravity * s->normal[0], -s->gravity * s->normal[1], -s->gravity * s->normal[2]}};
    struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE};
    scree_wall_id wall = {1};
    if (restored) {
        assert_ok(scree_world_create(&def, &hard.world));
        assert_ok(scree_checkpoint_read(hard.world, s->checkpoint));
    } else {
        hard = hard_make(&def, 1, s->restitution, 0, 0);
        memcpy(plane.plane.normal, s->normal, sizeof plane.plane.normal);
        plane.material = hard.material;
        assert_ok(scree_wall_add(hard.world, &plane, &wall));
        double x[3], v[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = s->height * s->normal[k];
            v[k] = s->velocity * s->normal[k];
        }
        hard_add_body(hard.world, x, v, s->radius, hard.material);
    }
    assert_ok(scree_wall_set_vibration(hard.world, wall, &s->vibration));
    assert_ok(scree_event_create(
        hard.world, &(struct scree_event_def){.step = s->step, .elastic_below = s->elastic_below},
        &hard.engine));
    return hard;
}

static struct bounces follow(const struct shaken *s, const struct hard *hard, int most)
{
    struct bounces b = {.most = most, .restitution = (real)s->restitution, .least_closing = 1e9L};
    const struct scree_wall_vibration *v = &s->vibration;
    real length = 0;
    for (int k = 0; k < 3; ++k)
        length += (real)v->direction[k] * (real)v->direction[k];
    for (int k = 0; k < 3; ++k) {
        b.normal[k] = (real)s->normal[k];
        b.plate.amplitude += (real)v->amplitude * (real)v->direction[k] / sqrtl(length) * (real)s->normal[k];
        b.plate.drift += (real)v->velocity[k] * (real)s->normal[k];
    }
    b.plate.angular = 2 * acosl(-1) * (real)v->frequency;
    b.plate.phase = (real)v->phase;
    const struct scree_body_state ball = hard_state_of(hard, (scree_body_id){1});
    b.flight = (struct flight){.gravity = (real)s->gravity, .radius = (real)s->radius};
    for (int k = 0; k < 3; ++k) {
        b.flight.height += (real)ball.position[k] * b.normal[k];
        b.flight.velocity += (real)ball.velocity[k] * b.normal[k];
    }
    return b;
}

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (0.5 + 0.5 * splitmix_signed(seed));
}

// --- random balls

// Plates with accelerations of 0.5 to 30 times gravity, moving steadily too, and balls with coefficients from
// 0.4 to 1. A ball that comes to rest on its plate ends its run by the alarm of collapse, after so many
// bounces that none of them need be near the last. Normals are along an axis, so that the plate and the ball
// have no other roundings than those of heights.
static void bounces_on_a_plate_are_certified_by_bounds(void **state)
{
    (void)state;
    enum { WORLDS = FEWER(100, 40), MOST = 60 };
    int bounces = 0, slow = 0, collapsed = 0;
    real least = 1;
    for (uint64_t number = 0; number < WORLDS; ++number) {
        uint64_t seed = number;
        struct shaken s = {.gravity = between(&seed, 0, 10),
                           .radius = between(&seed, 0.001, 0.5),
                           .restitution = between(&seed, 0.4, 1),
                           .step = exp(between(&seed, log(1e-3), log(1)))};
        s.normal[number % 3] = number / 3 % 2 ? 1 : -1;
        struct scree_wall_vibration *v = &s.vibration;
        v->frequency = exp(between(&seed, log(0.3), log(50)));
        const double angular = 2 * pi * v->frequency;
        v->amplitude = exp(between(&seed, log(0.5), log(30))) * s.gravity / (angular * angular);
        v->phase = between(&seed, -4, 4);
        for (int k = 0; k < 3; ++k) {
            v->direction[k] = k == (int)(number % 3) ? between(&seed, 0.5, 1) : between(&seed, -1, 1);
            v->velocity[k] = number % 5 == 0 ? between(&seed, -0.1, 0.1) : 0;
        }
        s.height = s.radius + between(&seed, 0, 4 * v->amplitude);
        // not in the plate later than now
        s.velocity = between(&seed, 1, 3) * v->amplitude * angular;
        struct hard hard = make_shaken(&s, false);
        struct bounces b = follow(&s, &hard, MOST);
        b.flight.plate = &b.plate;
        assert_ok(scree_event_observe(hard.engine, check_bounce, &b));
        scree_status status = SCREE_OK;
        for (int k = 0; k < 1000 && b.count < MOST && status == SCREE_OK; ++k)
            status = scree_engine_run(hard.engine, 1 + (uint64_t)(1 / (s.step * v->frequency)));
        assert_true(status == SCREE_OK || status == SCREE_ERROR_NUMBER);
        collapsed += status != SCREE_OK;
        bounces += b.count;
        slow += b.slow;
        least = fminl(least, b.least_closing);
        hard_end(&hard);
    }
    print_message("%d bounces, %d slower than 1 mm/s, the slowest %g m/s; %d balls came to rest\n", bounces,
                  slow, (double)least, collapsed);
    assert_true(bounces > 50 * WORLDS && 2 * slow > 5 * WORLDS && 20 * collapsed > WORLDS);
}

// A ball whose path touches that of the plate at one point from above, but for a gap between -1e-3 and 1e-3
// of the amplitude: it is hit or not, without a doubt.
static void paths_that_graze_the_plate_are_told_apart(void **state)
{
    (void)state;
    enum { WORLDS = FEWER(800, 200) };
    int hit = 0, passed = 0;
    for (uint64_t number = 0; number < WORLDS; ++number) {
        uint64_t seed = number;
        struct shaken s = {.gravity = 10, .radius = 0.01, .restitution = 0.8, .normal = {0, 0, 1}};
        struct scree_wall_vibration *v = &s.vibration;
        v->direction[2] = 1;
        v->frequency = between(&seed, 5, 20);
        const double angular = 2 * pi * v->frequency, strength = between(&seed, 1.5, 10);
        v->amplitude = strength * s.gravity / (angular * angular);
        // the plate accelerates downwards faster than the ball falls: there the gap has a minimum
        const double angle = between(&seed, asin(1 / strength) + 0.05, pi - asin(1 / strength) - 0.05);
        const double touch = between(&seed, 0.01, 0.9) / v->frequency;
        const double depth =
            (number % 2 ? -1 : 1) * v->amplitude * exp(between(&seed, log(1e-13), log(1e-3)));
        v->phase = angle - angular * touch;
        const double speed = v->amplitude * angular * cos(angle);
        s.velocity = speed + s.gravity * touch;
        s.height = s.radius + v->amplitude * (sin(angle) - sin(v->phase)) + depth -
                   touch * (s.velocity - 0.5 * s.gravity * touch);
        s.step = touch + 2e-3 / v->frequency;
        struct hard hard = make_shaken(&s, false);
        struct bounces b = follow(&s, &hard, 2);
        b.flight.plate = &b.plate;
        // those that have been hit before are of no use
        real rate;
        const bool is_above =
            gap_at(&b.flight, 0, &rate) > 0 && is_clear(&b.flight, 0, (real)(0.95 * touch), 0, 40);
        assert_ok(scree_event_observe(hard.engine, check_bounce, &b));
        if (is_above) {
            double times[2] = {1e9, 1e9};
            b.time = times;
            const scree_status status = scree_engine_run(hard.engine, 1);
            assert_true(status == SCREE_OK || status == SCREE_ERROR_NUMBER);
            const bool at_once = times[0] < touch + 1e-3 / v->frequency;
            // depths beyond rounding decide
            if (fabs(depth) > 1e-14)
                assert_true(at_once == (depth < 0));
            hit += at_once;
            passed += !at_once;
        }
        hard_end(&hard);
    }
    print_message("%d hit, %d passed\n", hit, passed);
    assert_true(20 * hit > 3 * WORLDS && 20 * passed > 3 * WORLDS);
}

// --- the orbit of one period

// A ball with the coefficient e that is hit once in n periods T takes off with the velocity g n T / 2 and
// comes back with minus that. So the plate has the velocity (g n T / 2) (1 - e) / (1 + e) then, which is
// cos(phase) = pi n g (1 - e) / (A w^2 (1 + e)). At these accelerations the orbit is stable, with
// multipliers of the modulus e, the root of the determinant e^2: after 100 bounces what is left is rounding,
// of the phase of up to 1300 rad.
static void a_ball_settles_on_the_orbit_of_one_period_at_its_phase(void **state)
{
    (void)state;
    const double cases[][3] = {{0.5, 1.3, 1}, {0.3, 1.75, 1}, {0.7, 0.9, 1}, {0.6, 1.75, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const double e = cases[c][0], strength = cases[c][1], n = cases[c][2], g = 9.81;
        struct shaken s = {.gravity = g, .radius = 0.01, .restitution = e, .normal = {0, 0, 1}, .step = 0.37};
        struct scree_wall_vibration *v = &s.vibration;
        v->direction[2] = 2;
        v->frequency = 10;
        const double angular = 2 * pi * v->frequency, period = 1 / v->frequency;
        v->amplitude = strength * g / (angular * angular);
        const double cosine = pi * n * (1 - e) / (strength * (1 + e)), angle = acos(cosine);
        // a start near the orbit, just after a bounce
        v->phase = angle + 0.01;
        s.height = s.radius * (1 + 1e-9);
        s.velocity = 0.5 * g * n * period;
        double time[120];
        struct hard hard = make_shaken(&s, false);
        struct bounces b = follow(&s, &hard, 120);
        b.flight.plate = &b.plate;
        b.time = time;
        assert_ok(scree_event_observe(hard.engine, check_bounce, &b));
        assert_ok(scree_engine_run_until(hard.engine, 121 * n * period));
        assert_int_equal(b.count, 120);
        for (int k = 100; k < 120; ++k)
            hard_within(cos(angular * time[k] + v->phase), cosine, 1e-11);
        for (int k = 100; k < 119; ++k)
            hard_within(time[k + 1] - time[k], n * period, 1e-12);
        hard_end(&hard);
    }
}

// --- steps, restarts

static void bounce(const struct shaken *s, double until, int pieces, double *time, int most)
{
    struct hard hard = make_shaken(s, false);
    struct bounces b = follow(s, &hard, most);
    b.flight.plate = &b.plate;
    b.time = time;
    for (int p = 1; p <= pieces; ++p) {
        assert_ok(scree_event_observe(hard.engine, check_bounce, &b));
        assert_ok(scree_engine_run_until(hard.engine, until * p / pieces));
        if (p == pieces)
            break;
        assert_ok(scree_checkpoint_write(hard.world, s->checkpoint));
        hard_end(&hard);
        hard = make_shaken(s, true);
    }
    assert_int_equal(b.count, most);
    hard_end(&hard);
}

// The motion of ball and plate are functions of time: neither steps nor restarts change a bit of the
// collisions.
static void neither_steps_nor_restarts_change_a_bit(void **state)
{
    (void)state;
    enum { MOST = 200 };
    static double expected[MOST], time[MOST];
    struct shaken s = {.gravity = 9.81,
                       .radius = 0.01,
                       .restitution = 0.9,
                       .normal = {0, 0, 1},
                       .height = 0.02,
                       .velocity = 0.3,
                       .step = 100};
    s.vibration = (struct scree_wall_vibration){.direction = {0.3, 0, 1},
                                                .amplitude = 0.004,
                                                .frequency = 13.4,
                                                .phase = 0.4,
                                                .velocity = {0, 0, 0.01}};
    s.checkpoint = scree_folder_path(&scree_test_folder, "plate.h5");
    bounce(&s, 100, 1, expected, MOST);
    const double steps[] = {1e-4, 0.0123, 0.77, 3};
    for (int k = 0; k < 4; ++k) {
        s.step = steps[k];
        bounce(&s, 100, k + 1, time, MOST);
        assert_memory_equal(time, expected, sizeof time);
    }
}

// --- rest

// A ball that loses all is at once at rest on the plate, which carries it: the alarm of collapse says so.
// With collisions that are elastic when slow it goes on in ever the same small bounces, above the plate.
static void a_ball_that_the_plate_carries_does_not_stop_the_time(void **state)
{
    (void)state;
    const double strengths[] = {0.5, 0.99, 3};
    for (int k = 0; k < 6; ++k) {
        struct shaken s = {.gravity = 10,
                           .radius = 0.01,
                           .restitution = k % 2 ? 0.5 : 0,
                           .normal = {0, 0, 1},
                           .height = 0.02,
                           .step = 0.01};
        s.vibration = (struct scree_wall_vibration){.direction = {0, 0, 1}, .frequency = 5};
        const double angular = 2 * pi * s.vibration.frequency;
        s.vibration.amplitude = strengths[k / 2] * s.gravity / (angular * angular);
        struct hard hard = make_shaken(&s, false);
        const scree_status status = scree_engine_run_until(hard.engine, 20);
        assert_int_equal(status, SCREE_ERROR_NUMBER);
        assert_non_null(strstr(scree_status_message(), "contact-time"));
        assert_true(scree_world_time(hard.world) > 0.01 && scree_world_time(hard.world) < 20);
        hard_end(&hard);
        // without a rebound there are no small bounces
        if (s.restitution == 0)
            continue;
        s.elastic_below = 0.01;
        hard = make_shaken(&s, false);
        struct bounces b = follow(&s, &hard, 0);
        for (int step = 0; step < 300; ++step) {
            assert_ok(scree_engine_run(hard.engine, 1));
            real speed;
            const real floor = height_of(&b.plate, (real)scree_world_time(hard.world), &speed);
            const real height = (real)hard_state_of(&hard, (scree_body_id){1}).position[2];
            assert_true(height - floor - b.flight.radius > -1e-15L);
        }
        hard_end(&hard);
    }
}

// --- dimers

// A dimer of two members on both sides of the centre, that turns about the y axis.
struct dimer {
    struct plate plate;
    real mass, moment, reach, radius, gravity, restitution;
    real time, height, velocity, angle, turn;
    int hits;
};

static struct flight flight_of(const struct dimer *d, int side)
{
    return (struct flight){.plate = &d->plate,
                           .time = d->time,
                           .height = d->height,
                           .velocity = d->velocity,
                           .gravity = d->gravity,
                           .radius = d->radius,
                           .reach = side ? d->reach : -d->reach,
                           .angle = d->angle,
                           .turn = d->turn};
}

// Members that press on the plate sink by up to 1e-12 of their size before they are looked at again.
static real depth_of(const struct dimer *d)
{
    return 2e-12L * d->radius + 64 * 0x1p-53L * (fabsl(d->height) + d->plate.angular * d->time);
}

static void fly_dimer(struct dimer *d, real time)
{
    const real delay = time - d->time;
    for (int side = 0; side < 2; ++side) {
        const struct flight f = flight_of(d, side);
        if (!is_clear(&f, 0, delay, -depth_of(d), 60))
            fail_msg("a member passes the plate before %.17g", (double)time);
    }
    d->time = time;
    d->height += delay * (d->velocity - 0.5L * d->gravity * delay);
    d->velocity -= d->gravity * delay;
    d->angle += d->turn * delay;
}

static void check_dimer(void *user, const struct scree_event_collision *c)
{
    struct dimer *d = (struct dimer *)user;
    real rate[2], gap[2];
    fly_dimer(d, (real)c->time);
    for (int side = 0; side < 2; ++side) {
        const struct flight f = flight_of(d, side);
        gap[side] = gap_at(&f, 0, &rate[side]);
    }
    const int side = gap[1] < gap[0];
    if (!(fabsl(gap[side]) < depth_of(d)))
        fail_msg("a hit at %.17g with a gap of %g", c->time, (double)gap[side]);
    const real along = (side ? d->reach : -d->reach) * cosl(d->angle);
    const real impulse = -(1 + d->restitution) * rate[side] / (1 / d->mass + along * along / d->moment);
    // the gap within which the hit is, at the rate of the curvature, changes the closing speed
    const real error = 1e-10L * d->mass * (1 + fabsl(rate[side]));
    if (!(fabsl((real)c->impulse[2] - impulse) < error))
        fail_msg("the impulse at %.17g is %.17g instead of %.17g", c->time, c->impulse[2], (double)impulse);
    d->velocity += impulse / d->mass;
    d->turn -= along * impulse / d->moment;
    ++d->hits;
}

static void read_dimer(struct dimer *d, const struct hard *hard, bool compares)
{
    const struct scree_body_state state = hard_state_of(hard, (scree_body_id){1});
    const double *q = state.orientation;
    if (compares) {
        hard_within(state.position[2], (double)d->height, 1e-10);
        hard_within(state.velocity[2], (double)d->velocity, 1e-9);
        hard_within(state.spin[1], (double)d->turn, 1e-9);
    }
    d->height = (real)state.position[2];
    d->velocity = (real)state.velocity[2];
    d->turn = (real)state.spin[1];
    // where the first axis is
    d->angle = atan2l(-2 * ((real)q[1] * (real)q[3] - (real)q[0] * (real)q[2]),
                      1 - 2 * ((real)q[2] * (real)q[2] + (real)q[3] * (real)q[3]));
    d->time = (real)scree_world_time(hard->world);
}

static void dimers_on_a_plate_are_certified_by_bounds(void **state)
{
    (void)state;
    enum { WORLDS = FEWER(60, 15) };
    int hits = 0;
    for (uint64_t number = 0; number < WORLDS; ++number) {
        uint64_t seed = number;
        struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, 1, 0.8, 0, 0);
        struct scree_test_clump shape;
        hard_make_shape(0, &shape);
        assert_true(shape.pebble[0].offset[1] == 0 && shape.pebble[0].offset[2] == 0);
        struct dimer d = {.mass = (real)shape.def.body.mass,
                          .moment = (real)shape.def.body.inertia[1],
                          .reach = fabsl((real)shape.pebble[0].offset[0]),
                          .radius = (real)shape.pebble[0].radius,
                          .gravity = (real)9.81,
                          .restitution = (real)0.8};
        struct scree_wall_vibration v = {.direction = {0, 0, 1}, .phase = between(&seed, -3, 3)};
        v.frequency = between(&seed, 1, 5);
        v.velocity[2] = number % 2 ? 0.05 : 0;
        v.amplitude = between(&seed, 1, 6) * 9.81 / pow(2 * pi * v.frequency, 2);
        d.plate = (struct plate){.amplitude = (real)v.amplitude,
                                 .angular = 2 * acosl(-1) * (real)v.frequency,
                                 .phase = (real)v.phase,
                                 .drift = (real)v.velocity[2]};
        const double half = between(&seed, -1, 1);
        const struct scree_rigid_def at = {.position = {0, 0, 1},
                                           .orientation = {cos(half), 0, sin(half), 0},
                                           .velocity = {0, 0, between(&seed, 0, 5)},
                                           .spin = {0, between(&seed, -8, 8), 0}};
        scree_wall_id wall;
        assert_ok(scree_wall_add(hard.world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = hard.material,
                                                          .plane = {.normal = {0, 0, 1}}},
                                 &wall));
        assert_ok(scree_wall_set_vibration(hard.world, wall, &v));
        hard_add(&hard, 0, &at);
        hard_start(&hard, 0.01);
        read_dimer(&d, &hard, false);
        for (int step = 0; step < 400; ++step) {
            assert_ok(scree_event_observe(hard.engine, check_dimer, &d));
            assert_ok(scree_engine_run(hard.engine, 1));
            fly_dimer(&d, (real)scree_world_time(hard.world));
            read_dimer(&d, &hard, true);
        }
        hits += d.hits;
        hard_end(&hard);
    }
    print_message("%d hits\n", hits);
    assert_true(3 * hits > 20 * WORLDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_on_a_plate_are_certified_by_bounds),
        cmocka_unit_test(paths_that_graze_the_plate_are_told_apart),
        cmocka_unit_test(a_ball_settles_on_the_orbit_of_one_period_at_its_phase),
        cmocka_unit_test_setup_teardown(neither_steps_nor_restarts_change_a_bit, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(a_ball_that_the_plate_carries_does_not_stop_the_time),
        cmocka_unit_test(dimers_on_a_plate_are_certified_by_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
