// Rectangles and disks that share edges act as one surface: bodies roll over seams as on one rectangle, and
// hit edges as those of a solid box. The references are walls of one piece.

#include "support/trial.h"
#include "support/worlds.h"

#include <scree/scree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct outcome {
    double state[9];           // position, velocity, spin
    double load[3];            // on all walls together, at the end
    double largest_velocity_z; // during the run
    size_t most_contacts;
};

struct scene {
    double gravity[3], position[3], velocity[3], spin[3];
    size_t steps;
};

static struct scree_wall_def rectangle(double x, double y, double z, const double *a, const double *b)
{
    struct scree_wall_def def = {.shape = SCREE_WALL_RECTANGLE, .rectangle.corner = {x, y, z}};
    memcpy(def.rectangle.edge[0], a, 3 * sizeof *a);
    memcpy(def.rectangle.edge[1], b, 3 * sizeof *b);
    return def;
}

static struct outcome run(const struct scene *scene, const struct scree_wall_def *walls, size_t count)
{
    const struct scree_interaction_value values[] = {{"stiffness", 1e5, NULL},
                                                     {"restitution", 0.6, NULL},
                                                     {"friction", 0.4, NULL},
                                                     {"rolling-friction", 0.05, NULL}};
    struct outcome outcome = {.state = {0}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall[16];
    scree_body_id body;
    struct scree_sphere_def ball = {.radius = 0.01};
    struct scree_world_def def = {0};
    memcpy(def.gravity, scene->gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2500}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 4}));
    for (size_t w = 0; w < count; ++w) {
        struct scree_wall_def copy = walls[w];
        copy.material = material;
        assert_ok(scree_wall_add(world, &copy, &wall[w]));
    }
    ball.material = material;
    memcpy(ball.position, scene->position, sizeof ball.position);
    memcpy(ball.velocity, scene->velocity, sizeof ball.velocity);
    memcpy(ball.spin, scene->spin, sizeof ball.spin);
    assert_ok(scree_body_add_sphere(world, &ball, &body));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 2e-5, .threads = 1}, &engine));
    for (size_t s = 0; s < scene->steps; ++s) {
        struct scree_body_state state;
        assert_ok(scree_engine_run(engine, 1));
        assert_ok(scree_body_get(world, body, &state));
        memcpy(outcome.state, state.position, sizeof state.position);
        memcpy(outcome.state + 3, state.velocity, sizeof state.velocity);
        memcpy(outcome.state + 6, state.spin, sizeof state.spin);
        outcome.largest_velocity_z = fmax(outcome.largest_velocity_z, fabs(state.velocity[2]));
        const size_t contacts = scree_contact_count(world);
        outcome.most_contacts = contacts > outcome.most_contacts ? contacts : outcome.most_contacts;
    }
    for (size_t w = 0; w < count; ++w) {
        double force[3], moment[3];
        assert_ok(scree_wall_load(world, wall[w], force, moment));
        for (int k = 0; k < 3; ++k)
            outcome.load[k] += force[k];
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return outcome;
}

static void assert_same(const struct outcome *expected, const struct outcome *found, double tolerance)
{
    // the surface moves by the radius of 0.01 m times the spin
    for (int k = 0; k < 9; ++k)
        if (!(fabs(expected->state[k] - found->state[k]) <= tolerance * (k < 6 ? 1 : 100)))
            fail_msg("component %d of position, velocity and spin is %.17g instead of %.17g", k,
                     found->state[k], expected->state[k]);
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(expected->load[k] - found->load[k]) <= 1e5 * tolerance);
}

static const double ex[3] = {1, 0, 0}, ey[3] = {0, 1, 0};

// The overlap is 1e-6 m, and a point of the other wall would add a force of the same size. Round-off of 1e-16
// m in the gap changes forces by 1e-10 of themselves at most; over 20,000 steps these differences add up to
// less than 1e-9 of the motion.
static const double tolerance = 1e-10;

// A ball rolls askew over a seam, over the middle of a longer edge, and over a corner that four have in
// common.
static void a_ball_rolls_over_seams_as_on_one_rectangle(void **state)
{
    (void)state;
    const struct scene scenes[] = {
        {{0, 0, -9.81}, {-0.1, 0.53, 0.01}, {0.6, 0.07, 0}, {0, 60, 0}, 20000},
        {{0, 0, -9.81}, {-0.1, -0.1 / 3, 0.01}, {0.6, 0.2, 0}, {-20, 60, 0}, 20000},
        {{0, 0, -9.81}, {0.1, 0.2, 0.01}, {-0.6, 0, 0}, {0, -10, 0}, 20000},
    };
    const double long_edge[3] = {0, 2, 0};
    const struct scree_wall_def one[] = {
        rectangle(-1, -1, 0, (const double[]){2, 0, 0}, (const double[]){0, 2, 0})};
    const struct scree_wall_def four[] = {rectangle(-1, -1, 0, ex, ey), rectangle(0, -1, 0, ex, ey),
                                          rectangle(0, 0, 0, ex, ey), rectangle(-1, 0, 0, ex, ey)};
    // edges that are shared in part
    const struct scree_wall_def three[] = {rectangle(0, -1, 0, ex, ey), rectangle(-1, -1, 0, ex, long_edge),
                                           rectangle(0, 0, 0, ex, ey)};
    // edges that are 1e-10 m apart, and that overlap by as much
    const struct scree_wall_def apart[] = {rectangle(-1, -1, 0, ex, long_edge),
                                           rectangle(1e-10, -1, 0, ex, long_edge)};
    const struct scree_wall_def over[] = {rectangle(-1, -1, 0, ex, long_edge),
                                          rectangle(-1e-10, -1, 0, ex, long_edge)};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; ++s) {
        const struct outcome expected = run(&scenes[s], one, 1);
        const struct outcome found[] = {run(&scenes[s], four, 4), run(&scenes[s], three, 3),
                                        run(&scenes[s], apart, 2), run(&scenes[s], over, 2)};
        // otherwise the seam has not been passed
        assert_true(expected.state[0] * scenes[s].position[0] < 0);
        for (size_t f = 0; f < sizeof found / sizeof found[0]; ++f) {
            assert_same(&expected, &found[f], tolerance);
            assert_int_equal(found[f].most_contacts, 1);
        }
    }
}

// The same with walls that move and turn together: a turntable of four pieces.
static void a_turntable_of_four_rectangles_turns_a_ball_as_one(void **state)
{
    (void)state;
    const struct scene scene = {{0, 0, -9.81}, {0.05, 0.3, 0.01}, {0, 0, 0}, {0, 0, 0}, 20000};
    static const double pivot[3] = {0.1, 0.2, 0};
    struct scree_wall_def one[] = {
        rectangle(-1, -1, 0, (const double[]){2, 0, 0}, (const double[]){0, 2, 0})};
    struct scree_wall_def four[] = {rectangle(-1, -1, 0, ex, ey), rectangle(0, -1, 0, ex, ey),
                                    rectangle(0, 0, 0, ex, ey), rectangle(-1, 0, 0, ex, ey)};
    one[0].spin[2] = 8;
    one[0].pivot = pivot;
    for (int w = 0; w < 4; ++w) {
        four[w].spin[2] = 8;
        four[w].pivot = pivot;
    }
    const struct outcome expected = run(&scene, one, 1), found = run(&scene, four, 4);
    assert_same(&expected, &found, tolerance);
}

// A disk in the hole of another one.
static void a_ball_rolls_over_a_gate_as_on_one_disk(void **state)
{
    (void)state;
    const struct scene scene = {{0, 0, -9.81}, {-0.14, 0.01, 0.01}, {0.8, 0.07, 0}, {0, 80, 0}, 20000};
    const struct scree_wall_def one[] = {
        {.shape = SCREE_WALL_DISK, .disk = {.normal = {0, 0, 1}, .radius = 0.5}}};
    const struct scree_wall_def two[] = {
        {.shape = SCREE_WALL_DISK, .disk = {.normal = {0, 0, 1}, .radius = 0.5, .hole = 0.1}},
        {.shape = SCREE_WALL_DISK, .disk = {.normal = {0, 0, -1}, .radius = 0.1}}};
    const struct outcome expected = run(&scene, one, 1), found = run(&scene, two, 2);
    assert_true(expected.state[0] > 0.11);
    assert_same(&expected, &found, tolerance);
    assert_int_equal(found.most_contacts, 1);
}

// A convex edge of two rectangles is that of a box, and counts once. Round-off grows by an impact on an edge
// at most by a factor v t / R, here 100.
static void a_ball_hits_an_edge_of_rectangles_as_that_of_a_box(void **state)
{
    (void)state;
    const struct scene scene = {{0, 0, -9.81}, {0.003, 0.5, 0.05}, {0, 0.1, 0}, {0, 0, 0}, 10000};
    const double down[3] = {0, 0, -1};
    const struct scree_wall_def box[] = {
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {-1, 0, -1}, .upper = {0, 1, 0}, .side = SCREE_WALL_OUTSIDE}}};
    const struct scree_wall_def two[] = {rectangle(-1, 0, 0, ex, ey), rectangle(0, 0, 0, ey, down)};
    const struct outcome expected = run(&scene, box, 1), found = run(&scene, two, 2);
    // otherwise it has not been deflected
    assert_true(expected.state[3] > 0.1);
    assert_same(&expected, &found, 1e-9);
    assert_int_equal(found.most_contacts, 1);
}

// In a concave edge a ball touches both faces, as in a box.
static void a_ball_rests_on_both_faces_of_a_concave_edge(void **state)
{
    (void)state;
    const struct scene scene = {{-9, 0, -9.81}, {0.0101, 0.5, 0.0101}, {0, 0.1, 0}, {0, 0, 0}, 10000};
    const double up[3] = {0, 0, 1};
    const struct scree_wall_def box[] = {
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {0, -1, 0}, .upper = {1, 2, 1}, .side = SCREE_WALL_INSIDE}}};
    const struct scree_wall_def two[] = {rectangle(0, -1, 0, ex, (const double[]){0, 3, 0}),
                                         rectangle(0, -1, 0, up, (const double[]){0, 3, 0})};
    const struct outcome expected = run(&scene, box, 1), found = run(&scene, two, 2);
    assert_same(&expected, &found, tolerance);
    assert_int_equal(found.most_contacts, 2);
}

// Walls that move differently are two surfaces: the ball is kicked at the seam.
static void walls_that_move_differently_are_not_joined(void **state)
{
    (void)state;
    const struct scene scene = {{0, 0, -9.81}, {-0.1, 0.5, 0.01}, {0.6, 0, 0}, {0, 60, 0}, 20000};
    struct scree_wall_def two[] = {rectangle(-1, 0, 0, ex, ey), rectangle(0, 0, 0, ex, ey)};
    const struct outcome joined = run(&scene, two, 2);
    two[1].velocity[1] = 1e-9;
    const struct outcome apart = run(&scene, two, 2);
    assert_int_equal(joined.most_contacts, 1);
    assert_int_equal(apart.most_contacts, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rolls_over_seams_as_on_one_rectangle),
        cmocka_unit_test(a_turntable_of_four_rectangles_turns_a_ball_as_one),
        cmocka_unit_test(a_ball_rolls_over_a_gate_as_on_one_disk),
        cmocka_unit_test(a_ball_hits_an_edge_of_rectangles_as_that_of_a_box),
        cmocka_unit_test(a_ball_rests_on_both_faces_of_a_concave_edge),
        cmocka_unit_test(walls_that_move_differently_are_not_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
