// Motion of walls against closed forms in long double, and bounds of their speed.

#include "plate.h"
#include "shape/surface.h"

#include <float.h>

// v rotated about `axis` by its length, by Rodrigues' formula.
static void turn(const long double *axis, long double *v)
{
    long double angle = 0, along = 0;
    for (int k = 0; k < 3; ++k)
        angle += axis[k] * axis[k];
    angle = sqrtl(angle);
    if (angle == 0)
        return;
    const long double original[3] = {v[0], v[1], v[2]};
    for (int k = 0; k < 3; ++k)
        along += axis[k] * v[k] / angle;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        v[k] = cosl(angle) * original[k] +
               sinl(angle) * (axis[i] * original[j] - axis[j] * original[i]) / angle +
               (1 - cosl(angle)) * along * axis[k] / angle;
    }
}

// A material point of the wall after some time.
static void move_with_wall(const double *pivot, const double *velocity, const double *spin, long double time,
                           long double *point)
{
    long double axis[3];
    for (int k = 0; k < 3; ++k) {
        axis[k] = time * (long double)spin[k];
        point[k] -= (long double)pivot[k];
    }
    turn(axis, point);
    for (int k = 0; k < 3; ++k)
        point[k] += (long double)pivot[k] + time * (long double)velocity[k];
}

static double error(const double *place, const long double *expected)
{
    long double largest = 0;
    for (int k = 0; k < 3; ++k)
        largest = fmaxl(largest, fabsl((long double)place[k] - expected[k]));
    return (double)largest;
}

static void set_numbers(double *v, double scale, uint64_t *seed)
{
    for (int k = 0; k < 3; ++k)
        v[k] = scale * splitmix_signed(seed);
}

// The total error after n steps consists of the errors of the elapsed time (half a rounding, because the
// rounding error is carried along), of its product with velocity and spin, of one rotation and a sum: below
// 16 roundings of the largest number, where an angle of a radians has a roundings.
static void walls_follow_the_closed_form_after_any_number_of_steps(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 60; ++n) {
        struct scree_world *world = make_world(3);
        struct scree_wall_def def = plate;
        double pivot[3];
        set_numbers(pivot, 3, &seed);
        set_numbers(def.velocity, n % 4 == 1 ? 0 : 2, &seed);
        set_numbers(def.spin, n % 4 == 2 ? 0 : 20, &seed);
        def.pivot = n % 4 == 3 ? NULL : pivot;
        const scree_wall_id id = add(world, &def);
        const struct scree_wall_state start = state_of(world, id);
        const double h = 1e-4 * (1 + splitmix_signed(&seed));
        const int steps = 20000;
        for (int s = 0; s < steps; ++s)
            scree_wall_advance(world, h);
        const struct scree_wall_state end = state_of(world, id);
        const long double time = (long double)steps * (long double)h;
        long double place[3], centre[3];
        for (int k = 0; k < 3; ++k) {
            place[k] = (long double)start.position[k];
            centre[k] = (long double)start.pivot[k];
        }
        move_with_wall(start.pivot, def.velocity, def.spin, time, place);
        move_with_wall(start.pivot, def.velocity, def.spin, time, centre);
        const double angle = sqrt(1200) * (double)time, arm = 8, far = 12;
        assert_true(error(end.pivot, centre) <= 4 * far * DBL_EPSILON / 2);
        assert_true(error(end.position, place) <= (16 * far + 2 * angle * arm) * DBL_EPSILON / 2);
        // the axes rotate too: a corner of the plate, computed by its axes
        const struct scree_wall *wall = scree_wall_row(world, 0);
        for (int axis = 0; axis < 3; ++axis) {
            long double unit[3] = {axis == 0, axis == 1, axis == 2};
            move_with_wall((const double[3]){0}, (const double[3]){0}, def.spin, time, unit);
            assert_true(error(wall->axes[axis], unit) <= (16 + 2 * angle) * DBL_EPSILON / 2);
        }
        assert_ok(scree_world_validate(world));
        scree_world_destroy(world);
    }
}

// A plate that moves by a tenth of an ulp per step still arrives.
static void slow_walls_lose_nothing_to_rounding(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    struct scree_wall_def def = plate;
    def.velocity[2] = 1e-9;
    def.spin[0] = 1e-9;
    const scree_wall_id id = add(world, &def);
    for (int s = 0; s < 1000000; ++s)
        scree_wall_advance(world, 2e-8);
    const struct scree_wall_state end = state_of(world, id);
    assert_true(fabs(end.position[2] - 1 - 2e-11) <= DBL_EPSILON);
    assert_true(fabs(end.orientation[1] - 1e-11) <= 1e-11 * 4 * DBL_EPSILON);
    assert_true(fabs(scree_wall_row(world, 0)->elapsed - 0.02) <= 0.02 * 2 * DBL_EPSILON);
    scree_world_destroy(world);
}

static void a_change_of_motion_starts_from_the_present_position_of_the_wall(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    const double quarter = 0x1.921fb54442d18p+0, pivot[3] = {0, 0, 0};
    struct scree_wall_def def = plate;
    def.pivot = pivot;
    def.spin[2] = quarter;
    def.velocity[0] = 1;
    const scree_wall_id id = add(world, &def);
    // one second, in steps that add up exactly: (1.25, 1, 1) rotates to (-1, 1.25, 1) and moves on to x = 0
    for (int s = 0; s < 64; ++s)
        scree_wall_advance(world, 1.0 / 64);
    assert_true(error(state_of(world, id).position, (const long double[3]){0, 1.25L, 1}) <= 8 * DBL_EPSILON);
    assert_ok(scree_wall_set_spin(world, id, (const double[3]){quarter, 0, 0}));
    for (int s = 0; s < 32; ++s)
        scree_wall_advance(world, 1.0 / 32);
    // the pivot is at (2, 0, 0), and (-1, 1.25, 1) has rotated about x to (-1, -1, 1.25)
    const struct scree_wall_state half = state_of(world, id);
    assert_true(error(half.position, (const long double[3]){1, -1, 1.25L}) <= 16 * DBL_EPSILON);
    assert_ok(scree_wall_set_velocity(world, id, (const double[3]){0, 3, 0}));
    assert_ok(scree_wall_set_spin(world, id, (const double[3]){0, 0, 0}));
    scree_wall_advance(world, 2);
    const struct scree_wall_state end = state_of(world, id);
    assert_true(error(end.position, (const long double[3]){1, 5, 1.25L}) <= 32 * DBL_EPSILON);
    assert_true(error(end.pivot, (const long double[3]){2, 6, 0}) <= 8 * DBL_EPSILON);
    // first a quarter turn about z, then about x: half of (1, 1, -1, 1)
    for (int k = 0; k < 4; ++k)
        assert_true(fabs(end.orientation[k] - (k == 2 ? -0.5 : 0.5)) <= 4 * DBL_EPSILON);
    scree_world_destroy(world);
}

// The result of a touch does not depend on the motion of the wall before, if the centre has moved along.
static void touches_move_with_the_wall(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const struct scree_wall_def defs[] = {
        plate,
        {.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {{1, 2, 3}, {1, 1, 0}}},
        {.shape = SCREE_WALL_DISK, .material = {1}, .disk = {{1, 0, 0}, {1, 2, 0}, 1, 0.5}},
        {.shape = SCREE_WALL_BOX, .material = {1}, .box = {{0, 0, 0}, {1, 2, 3}, {0}, SCREE_WALL_INSIDE}},
        {.shape = SCREE_WALL_CONE, .material = {1}, .cone = {{0, 0, 0}, {1, 1, 1}, {0.5, 1}}},
        {.shape = SCREE_WALL_SPHERE, .material = {1}, .sphere = {{0, 0, 1}, 1, SCREE_WALL_OUTSIDE}},
    };
    for (size_t n = 0; n < 600; ++n) {
        struct scree_world *world = make_world(3);
        struct scree_wall_def def = defs[n % 6];
        double place[3], moved[3];
        long double moved_point[3], normal[3], point[3];
        const double still[3] = {0}, *pivot = still;
        set_numbers(def.velocity, 1, &seed);
        set_numbers(def.spin, 1, &seed);
        set_numbers(place, 2, &seed);
        def.pivot = pivot;
        (void)add(world, &def);
        const unsigned feature = (unsigned)(n / 6) % scree_surface_features(scree_wall_row(world, 0));
        struct scree_surface_touch start, end;
        scree_surface_touch(scree_wall_row(world, 0), feature, place, &start);
        for (int s = 0; s < 10; ++s)
            scree_wall_advance(world, 0.125);
        for (int k = 0; k < 3; ++k) {
            moved_point[k] = (long double)place[k];
            normal[k] = (long double)start.normal[k];
            point[k] = (long double)start.point[k];
        }
        move_with_wall(still, def.velocity, def.spin, 1.25L, moved_point);
        move_with_wall(still, def.velocity, def.spin, 1.25L, point);
        move_with_wall(still, still, def.spin, 1.25L, normal);
        for (int k = 0; k < 3; ++k)
            moved[k] = (double)moved_point[k];
        scree_surface_touch(scree_wall_row(world, 0), feature, moved, &end);
        // two results with 16 roundings each, and as many for the motion between, of coordinates below 8; the
        // error of a normal is larger by 1 / gap
        const double tolerance = 48 * 8 * DBL_EPSILON / 2;
        assert_true(fabs(end.gap - start.gap) <= tolerance);
        assert_true(fabs(start.gap) < 1e-3 || error(end.normal, normal) <= 2 * tolerance / fabs(start.gap));
        assert_true(fabs(start.gap) < 1e-3 || error(end.point, point) <= 4 * 8 * tolerance / fabs(start.gap));
        scree_world_destroy(world);
    }
}

// The distance from positions in a box changes by no more than the reported speed; for a plane that sweeps
// over a corner, or a rotating lid, by exactly that.
static void no_distance_changes_faster_than_the_speed_says(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const double lower[3] = {-1, -2, -0.5}, upper[3] = {2, 1, 1.5}, h = 1e-6;
    const struct scree_wall_def defs[] = {
        plate,
        {.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {{1, 2, 3}, {1, 1, 0}}},
        {.shape = SCREE_WALL_DISK, .material = {1}, .disk = {{1, 0, 0}, {1, 2, 0}, 1, 0.5}},
        {.shape = SCREE_WALL_BOX, .material = {1}, .box = {{0, 0, 0}, {1, 2, 3}, {0}, SCREE_WALL_OUTSIDE}},
        {.shape = SCREE_WALL_CYLINDER, .material = {1}, .cylinder = {{0, 0, 0}, {1, 1, 1}, 0.5}},
        {.shape = SCREE_WALL_SPHERE, .material = {1}, .sphere = {{0, 0, 1}, 1, SCREE_WALL_INSIDE}},
    };
    double largest = 0;
    for (size_t n = 0; n < 600; ++n) {
        struct scree_world *world = make_world(3);
        struct scree_wall_def def = defs[n % 6];
        double place[3], pivot[3];
        set_numbers(def.velocity, n % 4 == 1 ? 0 : 1, &seed);
        set_numbers(def.spin, n % 4 == 2 ? 0 : 3, &seed);
        set_numbers(pivot, 2, &seed);
        def.pivot = pivot;
        for (int k = 0; k < 3; ++k) {
            const double share = 0.5 + 0.5 * splitmix_signed(&seed);
            place[k] = n % 3 ? lower[k] + share * (upper[k] - lower[k]) : share < 0.5 ? lower[k] : upper[k];
        }
        (void)add(world, &def);
        const struct scree_wall *wall = scree_wall_row(world, 0);
        const double speed = scree_wall_approach(wall, lower, upper);
        assert_true(speed <= scree_wall_speed(wall, lower, upper));
        struct scree_surface_touch start, end;
        scree_surface_touch(wall, 0, place, &start);
        scree_wall_advance(world, h);
        scree_surface_touch(wall, 0, place, &end);
        // the speed itself changes by spin squared times arm times h in the step; 1e-9 is round-off over h
        const double rate = fabs(end.gap - start.gap) / h, slack = 27 * 8 * h + 1e-9;
        assert_true(rate <= speed + slack);
        largest = fmax(largest, speed > 0 ? rate / speed : 0);
        scree_world_destroy(world);
    }
    assert_true(largest > 0.9);
}

static void the_speed_is_bounded_by_the_wall_or_by_the_box(void **state)
{
    (void)state;
    const double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    const double everywhere[2][3] = {{-INFINITE, -INFINITE, -INFINITE}, {INFINITE, INFINITE, INFINITE}};
    const double far[2][3] = {{100, 100, 100}, {101, 101, 101}}, zero[3] = {0};
    struct scree_world *world = make_world(3);
    struct scree_wall_def floor = {.shape = SCREE_WALL_PLANE,
                                   .material = {1},
                                   .plane = {.normal = {0, 0, 1}},
                                   .velocity = {3, 4, 0},
                                   .pivot = zero};
    struct scree_wall_def ball = {.shape = SCREE_WALL_SPHERE,
                                  .material = {1},
                                  .sphere = {{3, 0, 0}, 0.5, SCREE_WALL_OUTSIDE},
                                  .spin = {0, 0, 2},
                                  .pivot = zero};
    (void)add(world, &floor);
    floor.velocity[0] = floor.velocity[1] = 0;
    floor.spin[0] = 2;
    (void)add(world, &floor);
    (void)add(world, &ball);
    const struct scree_wall *sliding = scree_wall_row(world, 0), *swinging = scree_wall_row(world, 1);
    const struct scree_wall *orbiting = scree_wall_row(world, 2);
    // no spin: the same everywhere
    assert_true(scree_wall_speed(sliding, everywhere[0], everywhere[1]) == 5);
    // a plane is bounded by the box only, whose farthest corner is at sqrt(2) from the axis
    assert_true(fabs(scree_wall_speed(swinging, lower, upper) - 2 * sqrt(2.0)) < 1e-14);
    assert_true(scree_wall_speed(swinging, everywhere[0], everywhere[1]) == INFINITE);
    // no point of the ball is faster than 2 (3 + 0.5), and for the small box the limit is 2 sqrt(2)
    assert_true(fabs(scree_wall_speed(orbiting, everywhere[0], everywhere[1]) - 7) < 1e-14);
    assert_true(fabs(scree_wall_speed(orbiting, far[0], far[1]) - 7) < 1e-14);
    assert_true(fabs(scree_wall_speed(orbiting, lower, upper) - 2 * sqrt(2.0)) < 1e-14);
    scree_world_destroy(world);
}

static void the_speed_is_that_of_the_fastest_place_in_the_box(void **state)
{
    (void)state;
    uint64_t seed = 23;
    const double lower[3] = {-1, -2, -0.5}, upper[3] = {2, 1, 1.5};
    for (int n = 0; n < 100; ++n) {
        struct scree_world *world = make_world(3);
        struct scree_wall_def def = {
            .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 0, 1}}};
        double largest = 0, pivot[3];
        set_numbers(def.velocity, 1, &seed);
        set_numbers(def.spin, 1, &seed);
        set_numbers(pivot, 3, &seed);
        def.pivot = pivot;
        (void)add(world, &def);
        for (int p = 0; p < 200; ++p) {
            double place[3];
            set_numbers(place, 5, &seed);
            for (int k = 0; k < 3; ++k)
                place[k] = fmin(fmax(place[k], lower[k]), upper[k]);
            const struct scree_vec3 speed =
                scree_wall_velocity(scree_wall_row(world, 0), scree_vec3_load(place));
            largest = fmax(largest, scree_vec3_norm(speed));
        }
        assert_true(largest == scree_wall_speed(scree_wall_row(world, 0), lower, upper));
        scree_world_destroy(world);
    }
}

// Motion of a wall within its own surface does not bring it closer to anything; rotation of a box does.
static void a_wall_that_moves_within_its_surface_has_no_approach_speed(void **state)
{
    (void)state;
    const double lower[3] = {-1, -2, -0.5}, upper[3] = {2, 1, 1.5}, on_axis[3] = {1, 2, 3},
                 beside_axis[3] = {1, 0, 3};
    const double axis[3] = {1 / sqrt(5.0), 0, 2 / sqrt(5.0)};
    const struct scree_wall_def defs[] = {
        {.shape = SCREE_WALL_PLANE, .plane = {{1, 2, 3}, {1, 0, 2}}, .velocity = {4, 7, -2}},
        {.shape = SCREE_WALL_DISK, .disk = {{1, 2, 3}, {1, 0, 2}, 1, 0.5}},
        {.shape = SCREE_WALL_CYLINDER, .cylinder = {{0, 2, 1}, {2, 2, 5}, 0.5}},
        {.shape = SCREE_WALL_CONE, .cone = {{0, 2, 1}, {2, 2, 5}, {0.5, 0.2}}},
        {.shape = SCREE_WALL_SPHERE, .sphere = {{1, 2, 3}, 1, SCREE_WALL_INSIDE}},
        {.shape = SCREE_WALL_BOX, .box = {{0, 0, 0}, {2, 4, 6}, {0}, SCREE_WALL_OUTSIDE}},
    };
    for (size_t n = 0; n < sizeof defs / sizeof defs[0]; ++n) {
        struct scree_world *world = make_world(3);
        struct scree_wall_def def = defs[n];
        def.material = (scree_material_id){1};
        for (int k = 0; k < 3; ++k)
            def.spin[k] = 3 * axis[k];
        def.pivot = on_axis;
        (void)add(world, &def);
        def.pivot = beside_axis;
        (void)add(world, &def);
        const double still = scree_wall_approach(scree_wall_row(world, 0), lower, upper);
        const double round = scree_wall_approach(scree_wall_row(world, 1), lower, upper);
        // speeds of about 10 m/s, with a dozen roundings
        const double rounding = 1e-14;
        assert_true(def.shape == SCREE_WALL_BOX ? still > 1 : still < rounding);
        // about an axis 2 m to the side, everything except the plane rotates at 3 / s
        const double arm = 2 * 3;
        const double expected = def.shape == SCREE_WALL_PLANE ? 0 : arm;
        assert_true(def.shape == SCREE_WALL_BOX ? round > 1 : fabs(round - expected) < rounding);
        scree_world_destroy(world);
    }
}

static void walls_move_as_rigid_bodies(void **state)
{
    (void)state;
    uint64_t seed = 17;
    const double h = 1e-6;
    struct scree_world *world = make_world(3);
    struct scree_wall_def def = plate;
    set_numbers(def.velocity, 1, &seed);
    set_numbers(def.spin, 2, &seed);
    const scree_wall_id id = add(world, &def);
    const struct scree_wall_state start = state_of(world, id);
    for (int n = 0; n < 20; ++n) {
        double place[3], velocity[3];
        long double after[3], before[3];
        set_numbers(place, 2, &seed);
        for (int k = 0; k < 3; ++k)
            after[k] = before[k] = (long double)place[k];
        move_with_wall(start.pivot, def.velocity, def.spin, (long double)h, after);
        move_with_wall(start.pivot, def.velocity, def.spin, -(long double)h, before);
        for (int k = 0; k < 3; ++k)
            after[k] = (after[k] - before[k]) / (2 * (long double)h);
        scree_vec3_store(scree_wall_velocity(scree_wall_row(world, 0), scree_vec3_load(place)), velocity);
        // a central difference: spin cubed times arm times h^2 / 6, and round-off of long double over h
        assert_true(error(velocity, after) <= 42 * 6 * h * h / 6 + 1e-12);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_follow_the_closed_form_after_any_number_of_steps),
        cmocka_unit_test(slow_walls_lose_nothing_to_rounding),
        cmocka_unit_test(a_change_of_motion_starts_from_the_present_position_of_the_wall),
        cmocka_unit_test(touches_move_with_the_wall),
        cmocka_unit_test(no_distance_changes_faster_than_the_speed_says),
        cmocka_unit_test(the_speed_is_bounded_by_the_wall_or_by_the_box),
        cmocka_unit_test(the_speed_is_that_of_the_fastest_place_in_the_box),
        cmocka_unit_test(a_wall_that_moves_within_its_surface_has_no_approach_speed),
        cmocka_unit_test(walls_move_as_rigid_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
