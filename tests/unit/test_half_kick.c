// Pending half-kicks: within a step, velocity plus pending half-kick, and spin plus pending half-twist, give
// the motion that loads get; between steps nothing is pending.
//
// Half-kicks are floats, rounded once, by at most 2^-24. Their sums with velocities are in double, with at
// most some hundred operations on numbers of the size of the spins, amplified by the ratio of moments of
// inertia, at most 3: 2^-53 each, so the tolerance 2^-44 (1 + size) is far above all of these.

#include "support/sketch.h"
#include "world/world.h"

enum { BODIES = 22 };

// What a load got last, by id, and the largest pending half-kick.
struct shown {
    double velocity[BODIES + 1][3], spin[BODIES + 1][3];
    double most_kick, most_twist;
    unsigned looks;
};

static scree_status note(void *user, const struct scree_load_batch *batch)
{
    struct shown *shown = (struct shown *)user;
    for (size_t i = 0; i < batch->count; ++i) {
        memcpy(shown->velocity[batch->id[i].value], batch->velocity[i], sizeof batch->velocity[i]);
        memcpy(shown->spin[batch->id[i].value], batch->spin[i], sizeof batch->spin[i]);
    }
    return SCREE_OK;
}

static void assert_adds_up(const double part[3], const float lack[3], const double whole[3], double *most)
{
    double size = 1;
    for (int k = 0; k < 3; ++k)
        size += fabs(part[k]);
    for (int k = 0; k < 3; ++k) {
        const double lacking = (double)lack[k];
        assert_true(fabs(part[k] + lacking - whole[k]) <= 0x1p-24 * fabs(lacking) + 0x1p-44 * size);
        *most = fmax(*most, fabs(lacking));
    }
}

static scree_status compare(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    struct shown *shown = (struct shown *)user;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const uint64_t id = scree_world_ids(world)[i];
        assert_adds_up(grain->velocity, grain->half_kick, shown->velocity[id], &shown->most_kick);
        assert_adds_up(grain->spin, grain->half_twist, shown->spin[id], &shown->most_twist);
    }
    ++shown->looks;
    return SCREE_OK;
}

static void assert_nothing_pending(const struct scree_world *world)
{
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        for (int k = 0; k < 3; ++k) {
            assert_true(scree_world_grains(world)[i].half_kick[k] == 0);
            assert_true(scree_world_grains(world)[i].half_twist[k] == 0);
        }
}

static scree_status nothing_pending(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    assert_nothing_pending(world);
    return SCREE_OK;
}

// Another law has run before, so that anything it left behind would be found.
static void watch(const struct scree_sketch *scene, const char *before, bool at_begin)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_sketch first = *scene;
    static struct shown shown;
    scree_load_id load;
    shown = (struct shown){.looks = 0};
    first.translation = NULL;
    first.rotation = before;
    assert_ok(scree_sketch_build(scene, &world));
    assert_ok(scree_sketch_engine(&first, world, &engine));
    assert_ok(scree_engine_run(engine, 2));
    scree_engine_destroy(engine);
    assert_nothing_pending(world);
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = note, .user = &shown}, &load));
    assert_ok(scree_sketch_engine(scene, world, &engine));
    assert_ok(scree_engine_set_callback(engine, 47, compare, &shown, NULL));
    if (at_begin)
        assert_ok(scree_engine_set_callback(engine, 0, nothing_pending, NULL, NULL));
    for (int run = 0; run < 2; ++run) {
        assert_ok(scree_engine_run(engine, 3));
        assert_nothing_pending(world);
    }
    assert_true(shown.looks >= 6);
    // a law with mid-step velocities has a pending half-kick
    assert_int_equal(shown.most_kick > 0, strncmp(scene->translation, "euler", 5) != 0);
    assert_true(shown.most_twist > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void each_pair(const struct scree_sketch *about)
{
    struct scree_sketch scene = *about;
    for (size_t t = 0; (scene.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        for (size_t r = 0; (scene.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            scene.round = strcmp(scene.rotation, "spherical") == 0;
            watch(&scene, scene.round ? "spherical" : "splitting", r % 2 == 0);
        }
}

static void velocities_and_pending_half_kicks_add_up_to_what_loads_get(void **state)
{
    (void)state;
    each_pair(&(struct scree_sketch){.bodies = BODIES, .loads = true, .oriented = true});
}

static void the_same_holds_for_damped_and_fixed_bodies(void **state)
{
    (void)state;
    each_pair(&(struct scree_sketch){
        .bodies = BODIES, .damping = {0.1, 0.3}, .own_damping = true, .loads = true, .fixed = true});
}

static void the_same_holds_in_two_dimensions(void **state)
{
    (void)state;
    each_pair(&(struct scree_sketch){.dimension = 2, .bodies = BODIES, .damping = {0, 0.3}, .loads = true});
}

static void no_law_leaves_pending_half_kicks_to_another(void **state)
{
    (void)state;
    const char *before;
    struct scree_sketch scene = {
        .translation = "velocity-verlet", .bodies = BODIES, .damping = {0, 0.3}, .loads = true};
    for (size_t b = 0; (before = scree_motion_name(SCREE_ROTATION, b)); ++b)
        for (size_t r = 0; (scene.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            scene.round = strcmp(scene.rotation, "spherical") == 0 || strcmp(before, "spherical") == 0;
            watch(&scene, before, false);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_and_pending_half_kicks_add_up_to_what_loads_get),
        cmocka_unit_test(the_same_holds_for_damped_and_fixed_bodies),
        cmocka_unit_test(the_same_holds_in_two_dimensions),
        cmocka_unit_test(no_law_leaves_pending_half_kicks_to_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
