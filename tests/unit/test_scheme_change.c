// Changing the integration schemes between two runs: a scheme begins from the on-step state only, and uses
// no internal state of the previous scheme. Reference: a new world with that state, which must give equal
// bits.
//
// A leapfrog scheme followed by itself keeps its internal state, so this case is left out. Loads depend on
// position and orientation only: a velocity-dependent load would get a predicted velocity within a run, but
// the on-step velocity at its start.

#include "motion/motion.h"
#include "support/worlds.h"
#include "world/world.h"

enum { BODIES = 12, STEPS = 4 };

static scree_status restoring_load(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            batch->force[i][k] -= 9 * batch->mass[i] * batch->position[i][k];
            batch->moment[i][k] += 0.02 * batch->orientation[i][1 + k] + 0.01 * batch->position[i][k];
        }
    return SCREE_OK;
}

struct schemes {
    const char *translation, *rotation;
};

static struct scree_world *build(bool round)
{
    struct scree_world *world;
    scree_load_id load;
    const struct scree_test_world setup = {
        .bodies = BODIES, .fixed = true, .oriented = true, .spheres_only = round};
    assert_ok(scree_test_world_build(&setup, &world));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = restoring_load}, &load));
    return world;
}

static void run(struct scree_world *world, struct schemes schemes)
{
    struct scree_engine *engine;
    const struct scree_test_world setup = {.translation = schemes.translation,
                                           .rotation = schemes.rotation,
                                           .step = 0.01,
                                           .damping = {.viscous = 0.3}};
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_run(engine, STEPS));
    scree_engine_destroy(engine);
}

// Copies the on-step state bit for bit, without the rounding of setters.
static void copy_state(const struct scree_world *from, struct scree_world *to)
{
    for (size_t i = 0; i < BODIES; ++i) {
        const struct scree_grain *source = &scree_world_grains(from)[i];
        struct scree_grain *grain = &scree_world_grains(to)[i];
        memcpy(grain->position, source->position, sizeof source->position);
        memcpy(grain->velocity, source->velocity, sizeof source->velocity);
        memcpy(grain->spin, source->spin, sizeof source->spin);
        scree_world_rotors(to)[i] = scree_world_rotors(from)[i];
    }
}

static void assert_same(const double *a, const double *b, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        assert_true(isfinite(a[k]));
    assert_memory_equal(a, b, count * sizeof *a);
}

static void assert_equal_motion(const struct scree_world *a, const struct scree_world *b)
{
    struct scree_body_state x, y;
    for (uint64_t id = 1; id <= BODIES; ++id) {
        assert_ok(scree_body_get(a, (scree_body_id){id}, &x));
        assert_ok(scree_body_get(b, (scree_body_id){id}, &y));
        assert_same(x.position, y.position, 3);
        assert_same(x.orientation, y.orientation, 4);
        assert_same(x.velocity, y.velocity, 3);
        assert_same(x.spin, y.spin, 3);
        assert_same(x.momentum, y.momentum, 3);
    }
}

static bool keeps_own_state(scree_motion_kind kind, const char *first, const char *second)
{
    const struct scree_motion_scheme *scheme;
    assert_ok(scree_motion_find(kind, first, &scheme));
    return scheme->leapfrog && strcmp(first, second) == 0;
}

static void compare_with_new_world(struct schemes first, struct schemes second)
{
    const bool round = strcmp(first.rotation, "spherical") == 0 || strcmp(second.rotation, "spherical") == 0;
    struct scree_world *changed = build(round), *reference = build(round);
    run(changed, first);
    copy_state(changed, reference);
    run(changed, second);
    run(reference, second);
    assert_equal_motion(changed, reference);
    scree_world_destroy(changed);
    scree_world_destroy(reference);
}

static void a_scheme_of_rotation_begins_from_the_on_step_state_after_any_other(void **state)
{
    (void)state;
    struct schemes first = {.translation = "velocity-verlet"}, second = first;
    for (size_t a = 0; (first.rotation = scree_motion_name(SCREE_ROTATION, a)); ++a)
        for (size_t b = 0; (second.rotation = scree_motion_name(SCREE_ROTATION, b)); ++b)
            if (!keeps_own_state(SCREE_ROTATION, first.rotation, second.rotation))
                compare_with_new_world(first, second);
}

static void a_scheme_of_translation_begins_from_the_on_step_state_after_any_other(void **state)
{
    (void)state;
    struct schemes first = {.rotation = "splitting"}, second = first;
    for (size_t a = 0; (first.translation = scree_motion_name(SCREE_TRANSLATION, a)); ++a)
        for (size_t b = 0; (second.translation = scree_motion_name(SCREE_TRANSLATION, b)); ++b)
            if (!keeps_own_state(SCREE_TRANSLATION, first.translation, second.translation))
                compare_with_new_world(first, second);
}

static void both_schemes_may_change_at_once(void **state)
{
    (void)state;
    struct schemes first, second;
    for (size_t a = 0; (first.translation = scree_motion_name(SCREE_TRANSLATION, a)); ++a)
        for (size_t b = 0; (first.rotation = scree_motion_name(SCREE_ROTATION, b)); ++b)
            for (size_t c = 1; c <= 3; ++c) {
                // the next three schemes of each kind; after the last comes the first
                second.translation = scree_motion_name(SCREE_TRANSLATION, a + c);
                second.rotation = scree_motion_name(SCREE_ROTATION, b + c);
                second.translation =
                    second.translation ? second.translation : scree_motion_name(SCREE_TRANSLATION, c - 1);
                second.rotation =
                    second.rotation ? second.rotation : scree_motion_name(SCREE_ROTATION, c - 1);
                if (!keeps_own_state(SCREE_TRANSLATION, first.translation, second.translation) &&
                    !keeps_own_state(SCREE_ROTATION, first.rotation, second.rotation))
                    compare_with_new_world(first, second);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scheme_of_rotation_begins_from_the_on_step_state_after_any_other),
        cmocka_unit_test(a_scheme_of_translation_begins_from_the_on_step_state_after_any_other),
        cmocka_unit_test(both_schemes_may_change_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
