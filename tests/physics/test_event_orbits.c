// Orbits in walls of the event engine that are no planes: billiards in a circle, a sphere and a cube of
// facets, obstacles in a periodic cell, a paddle that turns, sliding, and coming to rest. References:
// closed forms, conservation, the same motion with other means of the engine.

#include "support/worlds.h"

#include <scree/event.h>

struct hall {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id ball, wall;
};

// Balls do not touch each other.
static struct hall make(int dimension, const double *gravity, double restitution, double friction)
{
    struct hall hall = {0};
    struct scree_world_def def = {.dimension = dimension};
    if (gravity)
        memcpy(def.gravity, gravity, sizeof def.gravity);
    const struct scree_interaction_value values[] = {{"restitution", restitution, NULL},
                                                     {"friction", friction, NULL},
                                                     {"tangential-restitution", 0, NULL}};
    assert_ok(scree_world_create(&def, &hall.world));
    assert_ok(scree_material_add(hall.world, &(struct scree_material_def){"ball", 1}, &hall.ball));
    assert_ok(scree_material_add(hall.world, &(struct scree_material_def){"wall", 1}, &hall.wall));
    assert_ok(scree_interaction_add(
        hall.world, &(struct scree_interaction_def){{hall.ball, hall.ball}, "none", NULL, 0}));
    assert_ok(
        scree_interaction_add(hall.world, &(struct scree_interaction_def){{{0}, {0}}, "hard", values, 3}));
    return hall;
}

static void start(struct hall *hall, double step, scree_event_observer *observer, void *user)
{
    assert_ok(scree_event_create(hall->world, &(struct scree_event_def){.step = step}, &hall->engine));
    assert_ok(scree_event_observe(hall->engine, observer, user));
}

static void end(struct hall *hall)
{
    scree_engine_destroy(hall->engine);
    scree_world_destroy(hall->world);
}

static scree_wall_id add_wall(struct hall *hall, struct scree_wall_def def)
{
    scree_wall_id id;
    def.material = hall->wall;
    assert_ok(scree_wall_add(hall->world, &def, &id));
    return id;
}

static void add_ball(struct hall *hall, double radius, double x, double y, double z, double vx, double vy,
                     double vz)
{
    scree_body_id id;
    assert_ok(scree_body_add_sphere(
        hall->world,
        &(struct scree_sphere_def){
            .radius = radius, .material = hall->ball, .position = {x, y, z}, .velocity = {vx, vy, vz}},
        &id));
}

// --- billiards

struct log {
    int count, most;
    double time[20000], position[20000][3], velocity[20000][3];
    uint64_t wall[20000], body[20000];
};

static void note(void *user, const struct scree_event_collision *c)
{
    struct log *log = (struct log *)user;
    if (log->count == 20000)
        return;
    log->time[log->count] = c->time;
    log->wall[log->count] = c->wall.value;
    log->body[log->count] = c->body[0].value;
    memcpy(log->position[log->count], c->position[0], sizeof c->position[0]);
    memcpy(log->velocity[log->count++], c->velocity[0], sizeof c->velocity[0]);
}

static struct log log_of;

// All chords of a circle are equal: each bounce is at the angle of the last plus the same one, and each takes
// the same time. Angular momentum and speed are kept. Each impulse has the same few roundings of masses, by
// which the speed may change by up to 1e-15 n after n bounces, and angles and times by its sum, 1e-15 n^2.
static void a_billiard_in_a_circle_keeps_its_angular_momentum(void **state)
{
    (void)state;
    struct hall hall = make(2, NULL, 1, 0);
    scree_body_id id;
    add_wall(&hall, (struct scree_wall_def){
                        .shape = SCREE_WALL_CYLINDER,
                        .cylinder = {.from = {0.1, -0.2, -1}, .to = {0.1, -0.2, 1}, .radius = 1.5}});
    assert_ok(scree_body_add_disk(hall.world,
                                  &(struct scree_disk_def){.radius = 0.5,
                                                           .thickness = 1,
                                                           .material = hall.ball,
                                                           .position = {0.4, -0.2},
                                                           .velocity = {0.3, 0.9}},
                                  &id));
    log_of.count = 0;
    start(&hall, 10, note, &log_of);
    while (log_of.count < 10000)
        assert_ok(scree_engine_run(hall.engine, 10));
    // of the centre, on a circle of radius 1: 0.3 m from the middle at 0.9 m/s across
    const double momentum = 0.3 * 0.9, speed = sqrt(0.9), half = sqrt(1 - momentum * momentum / 0.9);
    const double turn = 2 * acos(momentum / speed), chord = 2 * half / speed;
    const double first = atan2(log_of.position[0][1] + 0.2, log_of.position[0][0] - 0.1);
    for (int n = 0; n < 10000; n += n < 100 ? 1 : 99) {
        const double x = log_of.position[n][0] - 0.1, y = log_of.position[n][1] + 0.2;
        const double vx = log_of.velocity[n][0], vy = log_of.velocity[n][1], angle = first + n * turn;
        const double error = 1e-13 + 1e-15 * n * n;
        assert_true(fabs(x * vy - y * vx - momentum) < 1e-14 + 1e-15 * n);
        assert_true(fabs(hypot(vx, vy) - speed) < 1e-14 + 1e-15 * n);
        assert_true(fabs(log_of.time[n] - log_of.time[0] - n * chord) < error);
        if (!(fabs(x - cos(angle)) < error && fabs(y - sin(angle)) < error))
            fail_msg("bounce %d: %g %g", n, x - cos(angle), y - sin(angle));
    }
    end(&hall);
}

// With all velocities reversed the ball flies back through 2000 bounces in a sphere. Errors grow linearly
// with their number along closed chords, as above: 2000^2 * 1e-15 = 4e-9, if all are alike.
static void a_ball_in_a_sphere_finds_back(void **state)
{
    (void)state;
    struct hall hall = make(3, NULL, 1, 0);
    struct scree_body_state body;
    const double from[3] = {0.2, 0.1, 0.1};
    add_wall(&hall, (struct scree_wall_def){.shape = SCREE_WALL_SPHERE,
                                            .sphere = {.radius = 1, .side = SCREE_WALL_INSIDE}});
    add_ball(&hall, 0.25, from[0], from[1], from[2], 0.7, 0.4, -0.1);
    log_of.count = 0;
    start(&hall, 1, note, &log_of);
    for (int way = 0; way < 2; ++way) {
        assert_ok(scree_engine_run(hall.engine, 3300));
        assert_ok(scree_body_get(hall.world, (scree_body_id){1}, &body));
        const double back[3] = {-body.velocity[0], -body.velocity[1], -body.velocity[2]};
        assert_ok(scree_body_set_velocity(hall.world, (scree_body_id){1}, back));
    }
    assert_true(log_of.count > 3500);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(body.position[k] - from[k]) < 4e-9);
    end(&hall);
}

// Under gravity in a sphere, a cylinder with caps, and a cone: energy is kept, and the angular momentum about
// the vertical, to 1e-15 for each of 3000 bounces.
static void a_ball_in_a_bowl_keeps_its_energy(void **state)
{
    (void)state;
    for (int shape = 0; shape < 3; ++shape) {
        struct hall hall = make(3, (const double[3]){0, 0, -1}, 1, 0);
        if (shape == 0)
            add_wall(&hall, (struct scree_wall_def){.shape = SCREE_WALL_SPHERE,
                                                    .sphere = {.radius = 1, .side = SCREE_WALL_INSIDE}});
        if (shape == 1) {
            add_wall(&hall,
                     (struct scree_wall_def){.shape = SCREE_WALL_CYLINDER,
                                             .cylinder = {.from = {0, 0, -1}, .to = {0, 0, 1}, .radius = 1}});
            for (int side = -1; side <= 1; side += 2)
                add_wall(&hall, (struct scree_wall_def){
                                    .shape = SCREE_WALL_DISK,
                                    .disk = {.centre = {0, 0, side}, .normal = {0, 0, 1}, .radius = 1}});
        }
        if (shape == 2)
            add_wall(&hall, (struct scree_wall_def){
                                .shape = SCREE_WALL_CONE,
                                .cone = {.from = {0, 0, -1}, .to = {0, 0, 9}, .radius = {0.2, 10.2}}});
        add_ball(&hall, 0.25, 0.2, 0.1, 0.1, 0.3, 0.4, 0);
        log_of.count = 0;
        start(&hall, 0.03, note, &log_of);
        while (log_of.count < 3000)
            assert_ok(scree_engine_run(hall.engine, 100));
        const double energy = 0.5 * 0.25 + 0.1, momentum = 0.2 * 0.4 - 0.1 * 0.3;
        for (int n = 0; n < 3000; ++n) {
            const double *x = log_of.position[n], *v = log_of.velocity[n];
            assert_true(fabs(0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + x[2] - energy) < 3e-12);
            assert_true(fabs(x[0] * v[1] - x[1] * v[0] - momentum) < 3e-12);
        }
        end(&hall);
    }
}

// --- facets

enum { CUTS = 4 };

// A cube of side 2 around the origin, of 2 * CUTS^2 facets for each face.
static void add_cube(struct hall *hall)
{
    static double vertex[6 * (CUTS + 1) * (CUTS + 1)][3];
    static uint32_t facet[12 * CUTS * CUTS][3];
    uint32_t vertices = 0, facets = 0;
    for (int face = 0; face < 6; ++face) {
        const int k = face / 2;
        const uint32_t first = vertices;
        for (int i = 0; i <= CUTS; ++i)
            for (int j = 0; j <= CUTS; ++j, ++vertices) {
                vertex[vertices][k] = face % 2 ? 1 : -1;
                vertex[vertices][(k + 1) % 3] = 2.0 * i / CUTS - 1;
                vertex[vertices][(k + 2) % 3] = 2.0 * j / CUTS - 1;
            }
        for (uint32_t i = 0; i < CUTS; ++i)
            for (uint32_t j = 0; j < CUTS; ++j) {
                const uint32_t a = first + i * (CUTS + 1) + j, c = a + CUTS + 1;
                const uint32_t both[2][3] = {{a, c, c + 1}, {a, c + 1, a + 1}};
                memcpy(facet[facets], both, sizeof both);
                facets += 2;
            }
    }
    add_wall(hall, (struct scree_wall_def){.shape = SCREE_WALL_MESH,
                                           .mesh = {.vertex = (const double(*)[3])vertex,
                                                    .vertices = vertices,
                                                    .facet = (const uint32_t(*)[3])facet,
                                                    .facets = facets}});
}

// The same balls in a box of planes and in a cube of facets: the motion is the same to rounding, which grows
// linearly with time between parallel planes; inner edges are not felt.
static void a_cube_of_facets_is_a_box(void **state)
{
    (void)state;
    enum { BALLS = 8, STEPS = 3000 };
    double position[2][BALLS][3];
    uint64_t walls[2];
    for (int way = 0; way < 2; ++way) {
        struct hall hall = make(3, (const double[3]){0.3, -1, 0.2}, 1, 0);
        uint64_t seed = 3;
        struct scree_event_counts counts;
        if (way == 0)
            add_wall(&hall,
                     (struct scree_wall_def){
                         .shape = SCREE_WALL_BOX,
                         .box = {.lower = {-1, -1, -1}, .upper = {1, 1, 1}, .side = SCREE_WALL_INSIDE}});
        else
            add_cube(&hall);
        for (int b = 0; b < BALLS; ++b) {
            double n[6];
            for (int k = 0; k < 6; ++k)
                n[k] = splitmix_signed(&seed);
            add_ball(&hall, 0.2, 0.7 * n[0], 0.7 * n[1], 0.7 * n[2], n[3], n[4], n[5]);
        }
        start(&hall, 0.05, NULL, NULL);
        assert_ok(scree_engine_run(hall.engine, STEPS));
        assert_ok(scree_event_get_counts(hall.engine, &counts));
        walls[way] = counts.walls;
        for (int b = 0; b < BALLS; ++b) {
            struct scree_body_state body;
            assert_ok(scree_body_get(hall.world, (scree_body_id){(uint64_t)b + 1}, &body));
            memcpy(position[way][b], body.position, sizeof body.position);
        }
        end(&hall);
    }
    assert_true(walls[0] > 1000 && walls[0] == walls[1]);
    for (int b = 0; b < BALLS; ++b)
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(position[0][b][k] - position[1][b][k]) < 1e-11);
}

// A ball that slides along facets without gravity, in touch with them, is not stopped at their edges.
static void a_ball_slides_over_inner_edges(void **state)
{
    (void)state;
    struct hall hall = make(3, NULL, 1, 0);
    add_cube(&hall);
    add_ball(&hall, 0.25, -0.6, -0.75, 0.1, 1, 0, 0.3);
    log_of.count = 0;
    start(&hall, 0.1, note, &log_of);
    assert_ok(scree_engine_run(hall.engine, 13));
    struct scree_body_state body;
    assert_ok(scree_body_get(hall.world, (scree_body_id){1}, &body));
    assert_int_equal(log_of.count, 0);
    assert_true(fabs(body.position[0] - 0.7) < 1e-14 && fabs(body.position[1] + 0.75) < 1e-14);
    end(&hall);
}

// --- periodic cells

// An obstacle in a periodic cell is a wall or a fixed body: the first bounces are the same. Paths of 18 m
// between bounces, 27 m^3 over pi times the square of 0.7 m, spread differences 2 * 18 / 0.7 = 50 times in
// each bounce.
static void a_spherical_wall_in_a_cell_is_a_fixed_sphere(void **state)
{
    (void)state;
    enum { BALLS = 40, BOUNCES = 4 };
    static struct log logs[2];
    for (int falls = 0; falls < 2; ++falls) {
        for (int way = 0; way < 2; ++way) {
            struct hall hall = make(3, falls ? (const double[3]){0.5, 0.1, -0.4} : NULL, 1, 0);
            uint64_t seed = 5;
            assert_ok(scree_cell_set(hall.world, &(struct scree_cell_def){.lower = {-1.5, -1.5, -1.5},
                                                                          .upper = {1.5, 1.5, 1.5},
                                                                          .periodic = {true, true, true}}));
            for (int b = 0; b < BALLS; ++b) {
                double n[6];
                for (int k = 0; k < 6; ++k)
                    n[k] = splitmix_signed(&seed);
                const double far = (0.75 + 0.2 * fabs(n[0])) / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                add_ball(&hall, 0.1, far * n[0], far * n[1], far * n[2], n[3], n[4], n[5]);
            }
            if (way == 0) {
                add_wall(&hall,
                         (struct scree_wall_def){.shape = SCREE_WALL_SPHERE,
                                                 .sphere = {.radius = 0.6, .side = SCREE_WALL_OUTSIDE}});
            } else {
                scree_body_id id;
                assert_ok(scree_body_add_sphere(
                    hall.world,
                    &(struct scree_sphere_def){.radius = 0.6, .material = hall.wall, .fixed = SCREE_FIX_ALL},
                    &id));
            }
            logs[way].count = 0;
            start(&hall, 0.05, note, &logs[way]);
            assert_ok(scree_engine_run(hall.engine, 1000));
            end(&hall);
        }
        int bounce[BALLS + 1] = {0}, compared = 0;
        for (int n = 0; n < logs[0].count; ++n) {
            const uint64_t b = logs[0].body[n];
            int seen = bounce[b]++, m = -1;
            while (seen >= 0 && ++m < logs[1].count)
                seen -= logs[1].body[m] == b;
            if (bounce[b] > BOUNCES)
                continue;
            if (!(m < logs[1].count && fabs(logs[0].time[n] - logs[1].time[m]) < 1e-14 * pow(50, bounce[b])))
                fail_msg("ball %d, bounce %d: at %.17g and %.17g", (int)b, bounce[b], logs[0].time[n],
                         logs[1].time[m]);
            ++compared;
        }
        assert_true(compared > 2 * BALLS);
    }
}

// --- motion

// A paddle that turns in the plane hits a resting ball: a point at 0.5 m from the axis moves at 0.5 m/s along
// the normal, and an elastic ball leaves at twice this speed.
static void a_paddle_that_turns_hits_a_ball(void **state)
{
    (void)state;
    struct hall hall = make(3, NULL, 1, 0);
    const double origin[3] = {0}, spin[3] = {0, 0, 1};
    // a blade in the plane x, z; the ball is touched when the blade is at the angle at which its distance is
    // 0.1
    const scree_wall_id blade = add_wall(
        &hall, (struct scree_wall_def){.shape = SCREE_WALL_RECTANGLE,
                                       .rectangle = {.corner = {0, 0, -1}, .edge = {{1, 0, 0}, {0, 0, 2}}}});
    assert_ok(scree_wall_set_pivot(hall.world, blade, origin));
    assert_ok(scree_wall_set_spin(hall.world, blade, spin));
    add_ball(&hall, 0.1, 0.3, 0.4, 0, 0, 0, 0);
    log_of.count = 0;
    start(&hall, 0.05, note, &log_of);
    assert_ok(scree_engine_run(hall.engine, 20));
    assert_int_equal(log_of.count, 1);
    // at a distance of 0.5 from the axis: the arm along the blade is sqrt(0.25 - 0.01)
    const double arm = sqrt(0.24), angle = atan2(0.4, 0.3) - asin(0.1 / 0.5);
    assert_true(fabs(log_of.time[0] - angle) < 1e-13);
    const double expected[2] = {-2 * arm * sin(angle), 2 * arm * cos(angle)};
    for (int k = 0; k < 2; ++k)
        assert_true(fabs(log_of.velocity[0][k] - expected[k]) < 1e-13);
    end(&hall);
}

// A drum that turns about its axis takes along what touches it: with friction enough and a tangential
// restitution of 0 a small ball that hits it has the velocity of the surface at the contact.
static void a_drum_takes_balls_along(void **state)
{
    (void)state;
    struct hall hall = make(3, NULL, 1, 100);
    const double spin[3] = {0, 0, 2};
    const scree_wall_id drum = add_wall(
        &hall, (struct scree_wall_def){.shape = SCREE_WALL_CYLINDER,
                                       .cylinder = {.from = {0, 0, -1}, .to = {0, 0, 1}, .radius = 1}});
    assert_ok(scree_wall_set_spin(hall.world, drum, spin));
    add_ball(&hall, 0.1, 0, 0, 0, 1, 0, 0);
    log_of.count = 0;
    start(&hall, 0.05, note, &log_of);
    assert_ok(scree_engine_run(hall.engine, 20));
    assert_int_equal(log_of.count, 1);
    struct scree_body_state body;
    assert_ok(scree_body_get(hall.world, (scree_body_id){1}, &body));
    // J_t = m_t q_t with m_t = 2/7 m: the centre gets 2/7 of the 2 m/s of the surface, and the spin the rest
    assert_true(fabs(log_of.time[0] - 0.9) < 1e-14);
    assert_true(fabs(body.velocity[0] + 1) < 1e-14 && fabs(body.velocity[1] - 4.0 / 7) < 1e-14);
    assert_true(fabs(body.velocity[1] + 0.1 * body.spin[2] - 2) < 1e-13);
    end(&hall);
}

// --- rest

// A ball without restitution slides along the inside of a cylinder: ever more collisions at once, which the
// alarm of collapse ends; with a contact time it goes on, and each of up to 1e5 bounces sinks by a rounding
// of 1e-16.
static void sliding_in_a_cylinder_is_a_collapse(void **state)
{
    (void)state;
    for (int way = 0; way < 2; ++way) {
        struct hall hall = make(3, NULL, 0, 0);
        add_wall(&hall,
                 (struct scree_wall_def){.shape = SCREE_WALL_CYLINDER,
                                         .cylinder = {.from = {0, 0, -1}, .to = {0, 0, 1}, .radius = 1}});
        add_ball(&hall, 0.1, 0.5, 0, 0, 0.1, 1, 0);
        assert_ok(scree_event_create(hall.world,
                                     &(struct scree_event_def){.step = 0.05, .contact_time = way ? 1e-3 : 0},
                                     &hall.engine));
        if (way == 0) {
            assert_refused(SCREE_ERROR_NUMBER, "collided 1100 times", scree_engine_run(hall.engine, 100));
        } else {
            struct scree_body_state body;
            assert_ok(scree_engine_run(hall.engine, 100));
            assert_ok(scree_body_get(hall.world, (scree_body_id){1}, &body));
            const double r = hypot(body.position[0], body.position[1]);
            if (!(r > 0.9 - 1e-6 && r < 0.9 + 1e-11))
                fail_msg("%.17g", r);
        }
        end(&hall);
    }
}

static void overlaps_with_shapes_are_named(void **state)
{
    (void)state;
    struct hall hall = make(3, NULL, 1, 0);
    add_cube(&hall);
    add_wall(&hall, (struct scree_wall_def){.shape = SCREE_WALL_SPHERE,
                                            .sphere = {.radius = 0.5, .side = SCREE_WALL_OUTSIDE}});
    add_ball(&hall, 0.25, 0.70, 0, 0, 0, 0, 0);
    start(&hall, 0.1, NULL, NULL);
    assert_refused(SCREE_ERROR_NUMBER, "body 1 overlaps wall 2 by 0.2 of", scree_engine_run(hall.engine, 1));
    scree_engine_destroy(hall.engine);
    scree_world_destroy(hall.world);
    hall = make(3, NULL, 1, 0);
    add_cube(&hall);
    add_ball(&hall, 0.25, 0.80, 0, 0, 0, 0, 0);
    start(&hall, 0.1, NULL, NULL);
    assert_refused(SCREE_ERROR_NUMBER, "body 1 overlaps wall 1 by 0.2 of", scree_engine_run(hall.engine, 1));
    end(&hall);
}

// Balls that fall along the axis of a tube and cross it, exactly or nearly: every way across takes the same
// time, 2 (R - r)/v, and gravity along the axis changes nothing of it. Directions differ by less than an ulp
// and by more, so the part of the velocity around the axis is 0, tiny, or small.
static void balls_that_cross_the_axis_of_a_tube_keep_their_energy(void **state)
{
    (void)state;
    enum { BALLS = 40, BOUNCES = 20 };
    const double down[3] = {0, 0, -1}, radius = 0.1, speed = 1;
    struct hall hall = make(3, down, 1, 0);
    add_wall(&hall,
             (struct scree_wall_def){.shape = SCREE_WALL_CYLINDER,
                                     .cylinder = {.from = {0, 0, -1000}, .to = {0, 0, 1000}, .radius = 1}});
    for (int b = 0; b < BALLS; ++b) {
        const double angle = 0.1 + 0.7 * b, aside = b % 4 == 0 ? 0 : pow(10, -4 - b / 4);
        add_ball(&hall, radius, -aside * sin(angle), aside * cos(angle), 0.01 * b, speed * cos(angle),
                 speed * sin(angle), 0);
    }
    start(&hall, 0.37, NULL, NULL);
    assert_ok(scree_engine_run_until(hall.engine, BOUNCES * 2 * (1 - radius) / speed));
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hall.engine, &counts));
    assert_int_equal(counts.walls, BALLS * BOUNCES);
    for (uint64_t b = 1; b <= BALLS; ++b) {
        struct scree_body_state ball;
        assert_ok(scree_body_get(hall.world, (scree_body_id){b}, &ball));
        // each bounce rounds the velocity a few times
        assert_true(fabs(hypot(ball.velocity[0], ball.velocity[1]) - speed) < BOUNCES * 1e-15);
    }
    end(&hall);
}

// A slow ball in a tube that vibrates very often while it crosses: 200,000 periods before it meets the wall.
static void a_ball_does_not_fly_through_a_tube_that_vibrates_fast(void **state)
{
    (void)state;
    const double radius = 0.01, speed = 0.1, amplitude = 1e-5;
    struct hall hall = make(3, NULL, 1, 0);
    const scree_wall_id tube = add_wall(
        &hall, (struct scree_wall_def){.shape = SCREE_WALL_CYLINDER,
                                       .cylinder = {.from = {0, 0, -1}, .to = {0, 0, 1}, .radius = 1}});
    const struct scree_wall_vibration vibration = {
        .direction = {1, 0, 0}, .amplitude = amplitude, .frequency = 20000};
    assert_ok(scree_wall_set_vibration(hall.world, tube, &vibration));
    add_ball(&hall, radius, 0, 0.1, 0, speed, 0, 0);
    start(&hall, 1, NULL, NULL);
    struct scree_event_counts counts = {0};
    for (int s = 0; s < 12; ++s) {
        struct scree_body_state ball;
        assert_ok(scree_engine_run(hall.engine, 1));
        assert_ok(scree_body_get(hall.world, (scree_body_id){1}, &ball));
        assert_true(hypot(ball.position[0], ball.position[1]) < 1 - radius + amplitude);
    }
    assert_ok(scree_event_get_counts(hall.engine, &counts));
    assert_true(counts.walls > 0);
    end(&hall);
}

// A ball that falls along the axis into a cone touches it all around. It collides with one side, then with
// the side opposite to its new motion, until it parts from all.
static void a_ball_falls_into_the_tip_of_a_cone(void **state)
{
    (void)state;
    struct log log = {.most = 0};
    const double down[3] = {0, 0, -1}, height = 0.9, radius = 0.1, slope = sqrt(5);
    struct hall hall = make(3, down, 1, 0);
    add_wall(&hall, (struct scree_wall_def){.shape = SCREE_WALL_CONE,
                                            .cone = {.from = {0, 0, 0}, .to = {0, 0, 2}, .radius = {0, 1}}});
    add_ball(&hall, radius, 0, 0, height, 0, 0, 0);
    start(&hall, 0.1, note, &log);
    assert_ok(scree_engine_run_until(hall.engine, 2));
    // the side has the slope 2: the centre stays at a height of at least r 5^(1/2)
    const double lowest = radius * slope, speed = sqrt(2 * (height - lowest));
    assert_in_range(log.count, 2, 8);
    for (int c = 0; c < 2; ++c)
        assert_true(fabs(log.time[c] - speed) < 1e-14);
    for (int c = 0; c < log.count; ++c) {
        const double *v = log.velocity[c], z = log.position[c][2];
        assert_true(fabs(0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + z - height) < 1e-14);
    }
    end(&hall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_billiard_in_a_circle_keeps_its_angular_momentum),
        cmocka_unit_test(a_ball_in_a_sphere_finds_back),
        cmocka_unit_test(a_ball_in_a_bowl_keeps_its_energy),
        cmocka_unit_test(a_cube_of_facets_is_a_box),
        cmocka_unit_test(a_ball_slides_over_inner_edges),
        cmocka_unit_test(a_spherical_wall_in_a_cell_is_a_fixed_sphere),
        cmocka_unit_test(a_paddle_that_turns_hits_a_ball),
        cmocka_unit_test(a_drum_takes_balls_along),
        cmocka_unit_test(sliding_in_a_cylinder_is_a_collapse),
        cmocka_unit_test(overlaps_with_shapes_are_named),
        cmocka_unit_test(a_ball_does_not_fly_through_a_tube_that_vibrates_fast),
        cmocka_unit_test(a_ball_falls_into_the_tip_of_a_cone),
        cmocka_unit_test(balls_that_cross_the_axis_of_a_tube_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
