// When the event engine looks for walls again: a search of very many steps, and bodies that come through a
// face of the cell where a wall stands.

#include "support/folder.h"
#include "support/hard_bodies.h"

#include <scree/checkpoint.h>

struct noted {
    int count;
    double time[4], earliest; // of the last collision
    bool goes_back;
};

static void note(void *user, const struct scree_event_collision *c)
{
    struct noted *noted = (struct noted *)user;
    noted->goes_back = noted->goes_back || c->time < noted->earliest;
    noted->earliest = c->time;
    if (noted->count < 4)
        noted->time[noted->count] = c->time;
    ++noted->count;
}

// --- searches that take very many steps

// A tube vibrates along its axis, which moves no wall towards the ball that drifts across. As the search only
// knows that the wall may be anywhere within twice its amplitude, it looks at the ball in every period.
static struct hard make_tube(const struct scree_wall_vibration *vibration, const char *checkpoint)
{
    struct hard hard = {NULL, NULL, {0}};
    scree_wall_id tube = {1};
    if (checkpoint) {
        assert_ok(scree_world_create(&(struct scree_world_def){0}, &hard.world));
        assert_ok(scree_checkpoint_read(hard.world, checkpoint));
    } else {
        hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
        const struct scree_wall_def def = {.shape = SCREE_WALL_CYLINDER,
                                           .material = hard.material,
                                           .cylinder = {.from = {0, 0, -10}, .to = {0, 0, 10}, .radius = 1}};
        assert_ok(scree_wall_add(hard.world, &def, &tube));
        hard_add_body(hard.world, (const double[]){0.79, 0, 0}, (const double[]){1e-2, 0, 0}, 0.2,
                      hard.material);
    }
    assert_ok(scree_wall_set_vibration(hard.world, tube, vibration));
    hard_start(&hard, 0.3);
    return hard;
}

// The gap of 0.01 closes after 1 s: 130,000 steps of a radian. The search stops after 20,000 and looks again.
static void a_search_of_many_steps_goes_on(void **state)
{
    (void)state;
    const struct scree_wall_vibration vibration = {
        .direction = {0, 0, 1}, .amplitude = 0.05, .frequency = 2e4};
    const char *checkpoint = scree_folder_path(&scree_test_folder, "tube.h5");
    struct noted noted = {0}, pieces = {0};
    struct hard hard = make_tube(&vibration, NULL);
    assert_ok(scree_event_observe(hard.engine, note, &noted));
    assert_ok(scree_engine_run_until(hard.engine, 1.5));
    hard_end(&hard);
    assert_int_equal(noted.count, 1);
    // the gap has roundings of a few 1e-16, which the speed divides
    hard_within(noted.time[0], 1, 1e-13);

    // looks in between, and a restart, change no bit
    hard = make_tube(&vibration, NULL);
    assert_ok(scree_event_observe(hard.engine, note, &pieces));
    assert_ok(scree_engine_run_until(hard.engine, 0.97));
    assert_ok(scree_checkpoint_write(hard.world, checkpoint));
    hard_end(&hard);
    hard = make_tube(&vibration, checkpoint);
    assert_ok(scree_event_observe(hard.engine, note, &pieces));
    assert_ok(scree_engine_run_until(hard.engine, 1.5));
    hard_end(&hard);
    assert_int_equal(pieces.count, 1);
    assert_memory_equal(pieces.time, noted.time, sizeof noted.time);
}

// --- faces of the cell where a wall stands

// A solid sphere touches the lower face of the cell, of which the alarm is ignored. A ball comes in there: it
// meets the wall when it is seen to be in the cell again, which is later than it crosses the face, by the
// rounding that is allowed for. A second ball meets a plane in between. Time does not go back, the first one
// is sent back, and the run goes on.
static void a_ball_that_comes_in_beside_a_wall_does_not_turn_back_the_time(void **state)
{
    (void)state;
    const double speed = 1e-3, radius = 0.05;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    struct noted noted = {0};
    scree_wall_id id;
    assert_ok(scree_cell_set(hard.world,
                             &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true, false, false}}));
    const struct scree_wall_def ball = {
        .shape = SCREE_WALL_SPHERE,
        .material = hard.material,
        .sphere = {.centre = {0.25, 0.5, 0.5}, .radius = 0.25, .side = SCREE_WALL_OUTSIDE}};
    const struct scree_wall_def plane = {
        .shape = SCREE_WALL_PLANE, .material = hard.material, .plane = {.normal = {0, 0, 1}}};
    assert_ok(scree_wall_add(hard.world, &ball, &id));
    assert_ok(scree_wall_add(hard.world, &plane, &id));
    hard_add_body(hard.world, (const double[]){0.9, 0.5, 0.5}, (const double[]){speed, 0, 0}, radius,
                  hard.material);
    hard_add_body(hard.world, (const double[]){0.7, 0.5, radius + 0.1 + 0.5e-12},
                  (const double[]){0, 0, -speed}, radius, hard.material);
    struct scree_event_def def = {.step = 7};
    def.alarms.policy[SCREE_ALARM_FACE] = SCREE_ALARM_IGNORE;
    assert_ok(scree_event_create(hard.world, &def, &hard.engine));
    assert_ok(scree_event_observe(hard.engine, note, &noted));
    assert_ok(scree_engine_run_until(hard.engine, 150));
    assert_int_equal(noted.count, 2);
    assert_false(noted.goes_back);
    assert_true(noted.time[1] - noted.time[0] < 1e-12 / speed);
    assert_true(hard_state_of(&hard, (scree_body_id){1}).velocity[0] == -speed);
    hard_end(&hard);
}

// The same wall moves to the face, which it gets too near to after 2 s, or stays at it.
static void walls_that_get_to_a_face_raise_the_alarm(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; ++moves) {
        struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
        scree_wall_id id;
        assert_ok(scree_cell_set(
            hard.world, &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true, false, false}}));
        const struct scree_wall_def ball = {
            .shape = SCREE_WALL_SPHERE,
            .material = hard.material,
            .velocity = {moves ? -0.1 : 0},
            .sphere = {.centre = {moves ? 0.5 : 0.29, 0.5, 0.5}, .radius = 0.25, .side = SCREE_WALL_OUTSIDE}};
        assert_ok(scree_wall_add(hard.world, &ball, &id));
        hard_add_body(hard.world, (const double[]){0.9, 0.9, 0.9}, (const double[]){0, 0, 0}, 0.05,
                      hard.material);
        hard_start(&hard, 0.125);
        assert_refused(SCREE_ERROR_NUMBER, "wall 1, a sphere, extends from",
                       scree_engine_run_until(hard.engine, 3));
        hard_within(scree_world_time(hard.world), moves ? 2 : 0, 0.125);
        hard_end(&hard);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_of_many_steps_goes_on),
        cmocka_unit_test(a_ball_that_comes_in_beside_a_wall_does_not_turn_back_the_time),
        cmocka_unit_test(walls_that_get_to_a_face_raise_the_alarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
