// Each allocation in runs of the event engine fails in turn: when the engine is created, when lists and
// events are made, also after an edit, and when lists grow in a step. A failed call is repeated.
//
// Reference: a run without failures. A step in which a list cannot grow ends at the time of this event, and
// the motion goes on from there: velocities, which only collisions change, must be equal to the last bit, and
// positions, at a time that is a sum of other steps, to rounding.

#include "base/memory.h"
#include "support/splitmix.h"
#include "support/worlds.h"

#include <scree/event.h>

#include <math.h>

enum { SIDE = 4, BODIES = SIDE * SIDE * SIDE, REMOVED = 4 };

static const double spacing = 1.2, step = 0.5, first_end = 5, last_end = 10;

struct result {
    uint64_t failures;
    bool step_ended_early;
    double velocity[BODIES][3], place[BODIES][3];
};

static bool has_failed(struct result *result, scree_status status)
{
    if (status == SCREE_OK)
        return false;
    if (status != SCREE_ERROR_MEMORY)
        fail_msg("%s: %s", scree_status_name(status), scree_status_message());
    ++result->failures;
    return true;
}

#define REPEAT(result, call)                                                                                 \
    do {                                                                                                     \
        if (has_failed(result, call))                                                                        \
            assert_ok(call);                                                                                 \
    } while (0)

static struct scree_world *make(scree_material_id *material)
{
    struct scree_world *world;
    const double side = SIDE * spacing;
    const struct scree_interaction_value values[] = {{"restitution", 0.95, NULL}, {"friction", 0, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "ball", .density = 1}, material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    assert_ok(scree_cell_set(
        world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, false}}));
    for (int w = 0; w < 2; ++w) {
        struct scree_wall_def def = {.shape = SCREE_WALL_PLANE,
                                     .material = *material,
                                     .plane = {.point = {0, 0, w ? side : 0}, .normal = {0, 0, w ? -1 : 1}}};
        scree_wall_id id;
        assert_ok(scree_wall_add(world, &def, &id));
    }
    return world;
}

// A body of three spheres, with three different moments of inertia.
static void add_clump(struct scree_world *world, const struct scree_sphere_def *like)
{
    static const struct scree_pebble pebble[3] = {{.offset = {-0.25, 0, 0}, .radius = 0.25},
                                                  {.offset = {0.2, 0, 0}, .radius = 0.3},
                                                  {.offset = {0, 0.25, 0.1}, .radius = 0.2}};
    struct scree_clump_def def = {
        .body = {.mass = 0.3, .inertia = {0.01, 0.015, 0.02}, .spin = {2, 1, -1}, .material = like->material},
        .pebble = pebble,
        .pebbles = 3,
        .equal_radius = 0.35};
    scree_body_id id;
    memcpy(def.body.position, like->position, sizeof def.body.position);
    memcpy(def.body.velocity, like->velocity, sizeof def.body.velocity);
    assert_ok(scree_body_add_clump(world, &def, &id));
}

static void add_bodies(struct scree_world *world, scree_material_id material, bool clumps)
{
    uint64_t seed = 5;
    for (int b = 0; b < BODIES; ++b) {
        const int at[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        struct scree_sphere_def def = {.radius = 0.5, .material = material};
        scree_body_id id;
        for (int k = 0; k < 3; ++k) {
            def.position[k] = (at[k] + 0.5) * spacing;
            def.velocity[k] = splitmix_signed(&seed);
        }
        if (clumps && b % 2 == 1)
            add_clump(world, &def);
        else
            assert_ok(scree_body_add_sphere(world, &def, &id));
    }
}

// Runs up to a time, with a shorter step at the end.
static void run(struct scree_world *world, struct scree_engine *engine, double end, struct result *result)
{
    while (scree_world_time(world) < end - 1e-9) {
        const double left = end - scree_world_time(world), before = scree_world_time(world);
        assert_ok(scree_engine_set_step(engine, left < step ? left : step));
        if (!has_failed(result, scree_engine_run(engine, 1)))
            continue;
        assert_ok(scree_world_validate(world));
        result->step_ended_early |= scree_world_time(world) > before;
    }
}

// Runs with the allocation of this number failing, or none; returns whether there was such an allocation.
static bool run_with_failure(uint64_t nth, bool clumps, struct result *result)
{
    scree_material_id material;
    struct scree_engine *engine;
    struct scree_world *world = make(&material);
    add_bodies(world, material, clumps);
    *result = (struct result){0};
    const uint64_t before = scree_memory_count();
    scree_memory_fail_at(nth);
    REPEAT(result, scree_event_create(world, &(struct scree_event_def){.step = step}, &engine));
    // clumps take ten times as long for a collision
    const double part = clumps ? 0.4 : 1;
    run(world, engine, part * first_end, result);
    REPEAT(result, scree_body_remove(world, (scree_body_id){REMOVED + 1}));
    run(world, engine, part * last_end, result);
    const bool failed = nth > 0 && scree_memory_count() - before >= nth;
    scree_memory_fail_at(0);
    for (int b = 0; b < BODIES; ++b) {
        struct scree_body_state state;
        const scree_body_id id = {(uint64_t)b + 1};
        if (b == REMOVED)
            continue;
        assert_ok(scree_body_get(world, id, &state));
        assert_ok(scree_cell_unwrapped_position(world, id, result->place[b]));
        memcpy(result->velocity[b], state.velocity, sizeof state.velocity);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    assert_int_equal(result->failures, failed ? 1 : 0);
    return failed;
}

static void check_motion(bool clumps)
{
    const size_t live = scree_memory_live();
    struct result first, result;
    unsigned early_ends = 0;
    assert_false(run_with_failure(0, clumps, &first));
    for (uint64_t nth = 1; run_with_failure(nth, clumps, &result); ++nth) {
        early_ends += result.step_ended_early;
        assert_memory_equal(first.velocity, result.velocity, sizeof first.velocity);
        // times up to 10 have errors of 1e-15, and speeds are about 1
        for (int b = 0; b < BODIES; ++b)
            for (int k = 0; k < 3; ++k)
                assert_true(fabs(first.place[b][k] - result.place[b][k]) < 1e-13);
    }
    assert_int_equal(scree_memory_live(), live);
    // some lists grew in a step
    assert_true(early_ends > 0);
}

static void failed_allocations_do_not_change_the_motion(void **state)
{
    (void)state;
    check_motion(false);
}

static void failed_allocations_do_not_change_the_motion_of_clumps(void **state)
{
    (void)state;
    check_motion(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_do_not_change_the_motion),
        cmocka_unit_test(failed_allocations_do_not_change_the_motion_of_clumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
