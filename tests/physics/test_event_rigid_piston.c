// Rigid bodies made of spheres beside pistons in the event engine: one collision in closed form, the energy
// ledger, walls that hold, and the same bits however a run is divided.

#include "math/quat.h"
#include "support/hard_clumps.h"
#include "world/world.h"

#include <scree/load.h>
#include <scree/wall.h>

// Puts a wall on a body at a point that may move along z, or along all axes.
static scree_body_id attach(struct hard *hard, const struct scree_wall_def *def, const double *point,
                            double mass, double speed, bool only_along_z)
{
    scree_wall_id wall;
    scree_body_id body;
    struct scree_rigid_def at = {.mass = mass,
                                 .inertia = {1, 1, 1},
                                 .velocity = {0, 0, speed},
                                 .material = hard->material,
                                 .fixed = SCREE_FIX_SPIN | (only_along_z ? SCREE_FIX_X | SCREE_FIX_Y : 0)};
    memcpy(at.position, point, sizeof at.position);
    assert_ok(scree_wall_add(hard->world, def, &wall));
    assert_ok(scree_body_add_rigid(hard->world, &at, &body));
    assert_ok(scree_wall_body_attach(hard->world, wall, body));
    return body;
}

// A smooth dimer or trimer without spin flies up against a piston of mass 2, which comes down at 0.5, with
// the restitution 0.8. The impulse along the normal n is J = -1.8 q / (1/m + n . K n + (r x n) . I^-1 (r x
// n)), with q = (c - v) . n, the arm r of the member that touches, and K = 1/M along the free axes. Without
// spin members fly straight, so that which one touches follows from the initial state.
static void one_collision_is_that_of_its_impulse(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 40; ++n) {
        struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 0.8, 0, 0);
        const double tilt = 0.5 * splitmix_signed(&seed), normal[3] = {sin(tilt), 0, -cos(tilt)};
        const bool only_along_z = n % 3 == 0;
        const double point[3] = {0, 0, 2};
        struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE, .material = hard.material};
        memcpy(plane.plane.point, point, sizeof point);
        memcpy(plane.plane.normal, normal, sizeof normal);
        const scree_body_id piston = attach(&hard, &plane, point, 2, -0.5, only_along_z);
        struct scree_rigid_def at = {.velocity = {0.1, 0.2, 1}};
        double square = 0;
        for (int c = 0; c < 4; ++c) {
            at.orientation[c] = splitmix_signed(&seed);
            square += at.orientation[c] * at.orientation[c];
        }
        for (int c = 0; c < 4; ++c)
            at.orientation[c] /= sqrt(square);
        const scree_body_id id = hard_add(&hard, n % 2, &at);
        const struct scree_body_state before = hard_state_of(&hard, id);
        // the lowest gap of a member, its arm to the surface and the moment of the normal there
        struct scree_test_clump shape;
        hard_make_shape(n % 2, &shape);
        const struct scree_vec3 up = scree_vec3_load(normal);
        struct scree_vec3 arm = scree_vec3_zero();
        double lowest = (double)INFINITY;
        for (int p = 0; p < 2 + n % 2; ++p) {
            const struct scree_vec3 r = scree_quat_rotate(scree_quat_load(before.orientation),
                                                          scree_vec3_load(shape.pebble[p].offset));
            if (scree_vec3_dot(r, up) - shape.pebble[p].radius < lowest) {
                lowest = scree_vec3_dot(r, up) - shape.pebble[p].radius;
                arm = r;
            }
        }
        const struct scree_vec3 moment = scree_vec3_cross(arm, up),
                                inside =
                                    scree_quat_rotate_inverse(scree_quat_load(before.orientation), moment);
        const double q = 0.1 * normal[0] + 1.5 * normal[2];
        const double mobility =
            1 / before.mass + (only_along_z ? normal[2] * normal[2] : 1) / 2 +
            scree_vec3_dot(inside, scree_vec3_divide(inside, scree_vec3_load(before.inertia)));
        const double impulse = -1.8 * q / mobility;
        // the gap of the plane at the start is 2 cos(tilt) plus the lowest; the rest of the time it flies on
        const double time = (2 * cos(tilt) + lowest) / -q;
        hard_start(&hard, 0.0078125);
        while (hard_state_of(&hard, id).velocity[2] == 1)
            assert_ok(scree_engine_run(hard.engine, 1));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_int_equal(counts.walls, 1);
        const struct scree_body_state after = hard_state_of(&hard, id), moved = hard_state_of(&hard, piston);
        const double since = scree_world_time(hard.world) - time;
        double momentum[3];
        scree_vec3_store(scree_vec3_scale(moment, impulse), momentum);
        for (int k = 0; k < 3; ++k) {
            const bool fixed = only_along_z && k < 2;
            hard_within(after.velocity[k], before.velocity[k] + impulse * normal[k] / before.mass, 1e-13);
            hard_within(moved.velocity[k], (k == 2 ? -0.5 : 0) - (fixed ? 0 : impulse * normal[k] / 2),
                        1e-13);
            hard_within(after.momentum[k], momentum[k], 1e-14);
            hard_within(after.position[k],
                        time * before.velocity[k] +
                            since * (before.velocity[k] + impulse * normal[k] / before.mass),
                        1e-12);
        }
        hard_end(&hard);
    }
}

// Dimers and trimers in a box under a piston that falls and presses with a load, and on top of it, where they
// push it down. They are rough and inelastic.
static struct hard add_tube(scree_body_id *piston)
{
    struct hard hard = hard_make(&(struct scree_world_def){.gravity = {0, 0, -0.5}}, 1, 0.95, 0.3, 0.4);
    scree_wall_id wall;
    uint64_t seed = 7;
    assert_ok(
        scree_wall_add(hard.world,
                       &(struct scree_wall_def){.shape = SCREE_WALL_BOX,
                                                .material = hard.material,
                                                .box = {.upper = {4.8, 4.8, 8}, .side = SCREE_WALL_INSIDE}},
                       &wall));
    const struct scree_wall_def slab = {
        .shape = SCREE_WALL_BOX,
        .material = hard.material,
        .box = {.lower = {-1, -1, 5}, .upper = {6, 6, 5.2}, .side = SCREE_WALL_OUTSIDE}};
    *piston = attach(&hard, &slab, (double[3]){2, 2, 5}, 5, 0, true);
    scree_load_id load;
    assert_ok(
        scree_load_add(hard.world, &(struct scree_load_def){.body = *piston, .force = {0, 0, -1.5}}, &load));
    for (int g = 0; g < 36; ++g) {
        const int cell[3] = {g % 3, g / 3 % 3, g / 9};
        struct scree_rigid_def at = {.orientation = {1}};
        for (int k = 0; k < 3; ++k) {
            at.position[k] = (cell[k] + 0.5) * 1.6 + (g >= 27 && k == 2 ? 0.8 : 0);
            at.velocity[k] = 2 * splitmix_signed(&seed);
            at.spin[k] = 2 * splitmix_signed(&seed);
        }
        (void)hard_add(&hard, g % 2, &at);
    }
    return hard;
}

// No member gets above the piston, up to the sinking that is allowed and rounding; and the energy of bodies,
// piston, losses and the work of the load add up.
static void a_piston_holds_clumps(void **state)
{
    (void)state;
    scree_body_id piston;
    struct hard hard = add_tube(&piston);
    struct scree_energy energy;
    hard_start(&hard, 0.02);
    for (int n = 0; n < 300; ++n) {
        assert_ok(scree_engine_run(hard.engine, 1));
        const double height = hard_state_of(&hard, piston).position[2];
        for (uint64_t id = 2; id <= 37; ++id) {
            double lower[3], upper[3];
            assert_ok(scree_body_bounds(hard.world, (scree_body_id){id}, lower, upper));
            assert_true(upper[2] <= (id > 28 ? 8 : height) + 1e-11);
            assert_true(lower[2] >= (id > 28 ? height + 0.2 : 0) - 1e-11);
        }
        assert_ok(scree_energy_get(hard.world, &energy));
    }
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    assert_true(counts.walls > 100 && counts.pairs > 100);
    assert_true(fabs(hard_state_of(&hard, piston).position[2] - 5) > 0.1);
    // the work of the load in the present flight of the piston is entered when that ends
    scree_slot slot;
    assert_ok(scree_entity_find(scree_world_entity(hard.world, SCREE_ENTITY_BODY), piston.value, &slot));
    const double coming = -1.5 * (hard_state_of(&hard, piston).position[2] -
                                  scree_world_flights(hard.world)[slot.index].position[2]);
    hard_within((energy.balance - coming) / energy.energy_input, 0, 1e-12);
    hard_end(&hard);
}

static void a_run_has_the_same_bits_however_it_is_divided(void **state)
{
    (void)state;
    struct scree_digest digest[3];
    for (int way = 0; way < 3; ++way) {
        scree_body_id piston;
        struct hard hard = add_tube(&piston);
        hard_start(&hard, 0.02);
        assert_ok(scree_engine_run(hard.engine, way == 0 ? 200 : 70));
        if (way == 2) {
            scree_engine_destroy(hard.engine);
            scree_test_restart(&hard.world, "event_rigid_piston.scree");
            scree_test_shuffle(hard.world, 5);
            hard_start(&hard, 0.02);
        }
        if (way > 0)
            assert_ok(scree_engine_run(hard.engine, 130));
        assert_ok(scree_world_digest(hard.world, &digest[way]));
        hard_end(&hard);
    }
    for (int way = 1; way < 3; ++way)
        assert_memory_equal(&digest[0], &digest[way], sizeof digest[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_collision_is_that_of_its_impulse),
        cmocka_unit_test(a_piston_holds_clumps),
        cmocka_unit_test(a_run_has_the_same_bits_however_it_is_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
