// Bodies at rest in the event engine: what touches a wall without approaching it does not stop the run, and
// what comes to rest raises the alarm of collapse, on walls of all kinds and whatever the step.

#include "support/hard_clumps.h"

// --- touching

// Bodies that touch walls which move along themselves, or nearly touch them: nothing ever collides. Searches
// know the motion only by bounds, which promise nothing for a gap that is 0.
static void a_body_that_touches_a_wall_does_not_stop_the_run(void **state)
{
    (void)state;
    const struct {
        struct scree_wall_def wall;
        struct scree_wall_vibration vibration;
        double spin, x[3];
        bool clump, falls;
    } cases[] = {
        {.wall = {.shape = SCREE_WALL_CYLINDER,
                  .cylinder = {.from = {0, 0, -2}, .to = {0, 0, 2}, .radius = 1}},
         .vibration = {.direction = {0, 0, 1}, .amplitude = 0.1, .frequency = 50},
         .x = {0.8, 0, 0}},
        {.wall = {.shape = SCREE_WALL_CYLINDER,
                  .cylinder = {.from = {0, 0, -2}, .to = {0, 0, 2}, .radius = 1}},
         .vibration = {.direction = {0, 0, 1}, .amplitude = 0.1, .frequency = 50},
         .x = {0.8, 0, 1},
         .falls = true},
        {.wall = {.shape = SCREE_WALL_RECTANGLE,
                  .rectangle = {.corner = {-1, -1, 0}, .edge = {{2, 0, 0}, {0, 2, 0}}}},
         .spin = 5,
         .x = {0.3, 0.1, 0.2}},
        {.wall = {.shape = SCREE_WALL_PLANE, .plane = {.normal = {0, 0, 1}}},
         .vibration = {.direction = {0, 0, 1}, .amplitude = 0.25, .frequency = 50},
         .x = {0, 0, 0.7},
         .clump = true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const struct scree_world_def def = {.gravity = {0, 0, cases[c].falls ? -10 : 0}};
        struct hard hard = hard_make(&def, 1, 1, 0, 0);
        struct scree_wall_def wall = cases[c].wall;
        scree_wall_id id;
        wall.material = hard.material;
        wall.spin[2] = cases[c].spin;
        assert_ok(scree_wall_add(hard.world, &wall, &id));
        if (cases[c].vibration.frequency > 0)
            assert_ok(scree_wall_set_vibration(hard.world, id, &cases[c].vibration));
        struct scree_rigid_def at = {.orientation = {1, 0, 0, 0}};
        memcpy(at.position, cases[c].x, sizeof at.position);
        if (cases[c].clump)
            hard_add(&hard, 0, &at);
        else
            hard_add_body(hard.world, cases[c].x, (const double[3]){0, 0, 0}, 0.2, hard.material);
        hard_start(&hard, 0.02);
        assert_ok(scree_engine_run_until(hard.engine, 0.1));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_int_equal(counts.walls, 0);
        hard_end(&hard);
    }
}

// --- coming to rest

// A ball or a dimer falls on a wall with restitution and comes to rest there: below rounding its bounces take
// up no more time, or in a curved wall that of a rounding of the gap, some ten
// nanoseconds. The alarm comes after 1100 of these, 1e-5 of the time in which all bounces of an ideal ball
// end.
static void bodies_that_come_to_rest_raise_the_alarm_on_all_walls(void **state)
{
    (void)state;
    const double restitution = 0.9, radius = 0.1, height = 0.01, g = 10;
    const struct scree_wall_def walls[] = {
        {.shape = SCREE_WALL_PLANE, .plane = {.point = {0, 0, -1}, .normal = {0, 0, 1}}},
        {.shape = SCREE_WALL_SPHERE, .sphere = {.radius = 1, .side = SCREE_WALL_INSIDE}},
        {.shape = SCREE_WALL_CYLINDER, .cylinder = {.from = {0, -2, 0}, .to = {0, 2, 0}, .radius = 1}},
        {.shape = SCREE_WALL_DISK, .disk = {.centre = {0, 0, -1}, .normal = {0, 0, 1}, .radius = 0.5}},
    };
    const double steps[] = {1e-5, 1e-3, 0};
    // the fall, and bounces whose times are a geometric series
    const double fall = sqrt(2 * height / g), end = fall * (1 + 2 * restitution / (1 - restitution));
    for (size_t w = 0; w < sizeof walls / sizeof *walls; ++w)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
            struct hard hard =
                hard_make(&(struct scree_world_def){.gravity = {0, 0, -g}}, 1, restitution, 0, 0);
            struct scree_wall_def wall = walls[w];
            scree_wall_id id;
            wall.material = hard.material;
            assert_ok(scree_wall_add(hard.world, &wall, &id));
            hard_add_body(hard.world, (const double[3]){0, 0, -1 + radius + height},
                          (const double[3]){0, 0, 0}, radius, hard.material);
            hard_start(&hard, steps[k]);
            assert_refused(SCREE_ERROR_NUMBER, "body 1 and others have collided",
                           scree_engine_run_until(hard.engine, 1.1 * end));
            hard_within(scree_world_time(hard.world), end, 3e-5 * end);
            hard_end(&hard);
        }
}

// With a contact time a ball at rest bounces for ever, by about g t^2: in low gravity that is less than the
// way below which collisions are short, but it takes the contact time, and so is no collapse.
static void a_ball_at_rest_in_low_gravity_bounces_in_the_contact_time(void **state)
{
    (void)state;
    const double g = 1e-5, contact_time = 2e-4;
    struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0, 0, -g}}, 1, 0.5, 0, 0);
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = hard.material, .plane = {.normal = {0, 0, 1}}};
    scree_wall_id id;
    assert_ok(scree_wall_add(hard.world, &floor, &id));
    hard_add_body(hard.world, (const double[3]){0, 0, 1 + 1e-9}, (const double[3]){0, 0, 0}, 1,
                  hard.material);
    const struct scree_event_def def = {.step = 0.1, .contact_time = contact_time};
    assert_ok(scree_event_create(hard.world, &def, &hard.engine));
    assert_ok(scree_engine_run_until(hard.engine, 10));
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    // a bounce takes less than the contact time, and at least half of it, since each before halved it
    assert_in_range(counts.walls, 9 / contact_time, 10 / (0.5 * contact_time));
    hard_end(&hard);
}

// --- two bodies

struct pairs {
    int count;
    bool approach;
};

static void look_at_pair(void *user, const struct scree_event_collision *c)
{
    struct pairs *pairs = (struct pairs *)user;
    double closing = 0;
    for (int k = 0; k < 3; ++k)
        closing += (c->position[0][k] - c->position[1][k]) * (c->velocity[0][k] - c->velocity[1][k]);
    ++pairs->count;
    pairs->approach = pairs->approach || closing < 0;
}

// Without restitution two spheres have the same velocity along their normal after a collision, but for
// rounding, which makes half of them approach. They must not collide again.
static void spheres_that_stay_together_collide_once(void **state)
{
    (void)state;
    enum { PAIRS = 300 };
    uint64_t seed = 5;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 0, 0, 0);
    for (int p = 0; p < PAIRS; ++p) {
        double x[2][3], v[2][3];
        for (int k = 0; k < 3; ++k) {
            x[0][k] = splitmix_signed(&seed) + (k == 0 ? 10 * p : 0);
            x[1][k] = x[0][k] + (k == 0 ? 1.5 : 0.2 * splitmix_signed(&seed));
            v[0][k] = k == 0 ? 1 : 0.1 * splitmix_signed(&seed);
            v[1][k] = k == 0 ? -1 : 0.1 * splitmix_signed(&seed);
        }
        hard_add_body(hard.world, x[0], v[0], 0.3, hard.material);
        hard_add_body(hard.world, x[1], v[1], 0.5 + 0.1 * splitmix_signed(&seed), hard.material);
    }
    hard_start(&hard, 0.1);
    struct pairs pairs = {0};
    assert_ok(scree_event_observe(hard.engine, look_at_pair, &pairs));
    assert_ok(scree_engine_run(hard.engine, 20));
    assert_int_equal(pairs.count, PAIRS);
    assert_false(pairs.approach);
    hard_end(&hard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_touches_a_wall_does_not_stop_the_run),
        cmocka_unit_test(bodies_that_come_to_rest_raise_the_alarm_on_all_walls),
        cmocka_unit_test(a_ball_at_rest_in_low_gravity_bounces_in_the_contact_time),
        cmocka_unit_test(spheres_that_stay_together_collide_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
