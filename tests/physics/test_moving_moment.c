// Moments that depend on position. The centre of a free body is at x + v t, so its moment is a function of
// time: the reference of support/tumble.h gives the rotation. Order 2 shows that loads get the position of
// the right instant; with the position of another instant the order is 1.

#include "support/order.h"
#include "support/tumble.h"
#include "support/worlds.h"

static const double initial_position[3] = {0.2, -0.5, 0.1}, velocity[3] = {1, -0.7, 0.4}, duration = 4;

static void moment_at_position(const double position[3], double moment[3])
{
    for (int k = 0; k < 3; ++k)
        moment[k] = sin(3 * position[k]);
}

static void moment_at_time(const void *user, double time, const double orientation[4], const double spin[3],
                           double moment[3])
{
    (void)user, (void)orientation, (void)spin;
    double position[3];
    for (int k = 0; k < 3; ++k)
        position[k] = initial_position[k] + time * velocity[k];
    moment_at_position(position, moment);
}

static scree_status load(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i) {
        double moment[3];
        moment_at_position(batch->position[i], moment);
        for (int k = 0; k < 3; ++k)
            batch->moment[i][k] += moment[k];
    }
    return SCREE_OK;
}

static const struct scree_tumble body = {
    .inertia = {1, 2, 2.5}, .orientation = {1, 0, 0, 0}, .spin = {0.3, 1, 0.2}, .moment = moment_at_time};

struct trial {
    const char *translation, *rotation;
    struct scree_tumble_state expected;
};

static double error(void *context, size_t steps)
{
    const struct trial *trial = (const struct trial *)context;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_body_state end;
    struct scree_tumble_state got;
    scree_body_id id;
    scree_load_id load_id;
    struct scree_rigid_def def = {.mass = 1};
    memcpy(def.inertia, body.inertia, sizeof def.inertia);
    memcpy(def.spin, body.spin, sizeof def.spin);
    memcpy(def.position, initial_position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    assert_ok(scree_body_add_rigid(world, &def, &id));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = load}, &load_id));
    const struct scree_test_world setup = {
        .translation = trial->translation, .rotation = trial->rotation, .step = duration / (double)steps};
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_run(engine, steps));
    assert_ok(scree_body_get(world, id, &end));
    memcpy(got.orientation, end.orientation, sizeof got.orientation);
    memcpy(got.spin, end.spin, sizeof got.spin);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return scree_tumble_error(&got, &trial->expected, 1);
}

static void every_rotation_scheme_has_order_2_with_moments_that_depend_on_position(void **state)
{
    (void)state;
    struct trial trial = {.rotation = NULL};
    scree_tumble_reference(&body, duration, &trial.expected);
    for (size_t r = 0; (trial.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r)
        if (strcmp(trial.rotation, "spherical") != 0)
            scree_order_check(error, &trial, 200, 2, trial.rotation);
}

static void pcdm_has_order_2_with_the_positions_of_every_translation_scheme(void **state)
{
    (void)state;
    struct trial trial = {.rotation = "pcdm"};
    scree_tumble_reference(&body, duration, &trial.expected);
    for (size_t t = 0; (trial.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        scree_order_check(error, &trial, 200, 2, trial.translation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rotation_scheme_has_order_2_with_moments_that_depend_on_position),
        cmocka_unit_test(pcdm_has_order_2_with_the_positions_of_every_translation_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
