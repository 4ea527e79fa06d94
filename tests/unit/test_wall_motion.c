// Motion of walls (world/wall.h) against closed forms in long double, and bounds of their speed against the
// motion of points.

#include "plate.h"
#include "shape/surface.h"

#include <float.h>

// v rotated about `axis` by its length, by Rodrigues' formula.
static void rotate(const long double *axis, long double *v)
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

// Moves a material point with the wall for some time.
static void move_with_wall(const double *pivot, const double *velocity, const double *spin, long double time,
                           long double *point)
{
    long double axis[3];
    for (int k = 0; k < 3; ++k) {
        axis[k] = time * (long double)spin[k];
        point[k] -= (long double)pivot[k];
    }
    rotate(axis, point);
    for (int k = 0; k < 3; ++k)
        point[k] += (long double)pivot[k] + time * (long double)velocity[k];
}

static double error(const double *position, const long double *expected)
{
    long double largest = 0;
    for (int k = 0; k < 3; ++k)
        largest = fmaxl(largest, fabsl((long double)position[k] - expected[k]));
    return (double)largest;
}

static void set_numbers(double *v, double scale, uint64_t *seed)
{
    for (int k = 0; k < 3; ++k)
        v[k] = scale * splitmix_signed(seed);
}

// Errors after n steps: of the elapsed time (half a rounding, because its rounding error is carried to the
// next step), of its product with velocity and spin, of one rotation and one sum. Together they are below 16
// roundings of the largest number, where an angle of a radians has a roundings.
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
        long double expected[3], moved_pivot[3];
        for (int k = 0; k < 3; ++k) {
            expected[k] = (long double)start.position[k];
            moved_pivot[k] = (long double)start.pivot[k];
        }
        move_with_wall(start.pivot, def.velocity, def.spin, time, expected);
        move_with_wall(start.pivot, def.velocity, def.spin, time, moved_pivot);
        const double angle = sqrt(1200) * (double)time, arm = 8, largest = 12;
        assert_true(error(end.pivot, moved_pivot) <= 4 * largest * DBL_EPSILON / 2);
        assert_true(error(end.position, expected) <= (16 * largest + 2 * angle * arm) * DBL_EPSILON / 2);
        // the axes rotate too
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

// A plate that moves by a tenth of a unit in the last place per step reaches its position.
static void slow_walls_do_not_lose_displacements_to_rounding(void **state)
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

// A nearest point does not depend on the previous motion of the wall, if the centre has moved with it.
static void nearest_points_move_with_the_wall(void **state)
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
        double position[3], moved_centre[3];
        long double moved_point[3], normal[3], point[3];
        const double zero[3] = {0}, *pivot = zero;
        set_numbers(def.velocity, 1, &seed);
        set_numbers(def.spin, 1, &seed);
        set_numbers(position, 2, &seed);
        def.pivot = pivot;
        (void)add(world, &def);
        const unsigned feature = (unsigned)(n / 6) % scree_surface_features(scree_wall_row(world, 0));
        struct scree_surface_touch start, end;
        scree_surface_touch(scree_wall_row(world, 0), feature, position, &start);
        for (int s = 0; s < 10; ++s)
            scree_wall_advance(world, 0.125);
        for (int k = 0; k < 3; ++k) {
            moved_point[k] = (long double)position[k];
            normal[k] = (long double)start.normal[k];
            point[k] = (long double)start.point[k];
        }
        move_with_wall(zero, def.velocity, def.spin, 1.25L, moved_point);
        move_with_wall(zero, def.velocity, def.spin, 1.25L, point);
        move_with_wall(zero, zero, def.spin, 1.25L, normal);
        for (int k = 0; k < 3; ++k)
            moved_centre[k] = (double)moved_point[k];
        scree_surface_touch(scree_wall_row(world, 0), feature, moved_centre, &end);
        // two results with 16 roundings each, and 16 roundings of the motion between them, of coordinates
        // below 8; the error of a normal is larger by 1 / gap
        const double tolerance = 48 * 8 * DBL_EPSILON / 2;
        assert_true(fabs(end.gap - start.gap) <= tolerance);
        assert_true(fabs(start.gap) < 1e-3 || error(end.normal, normal) <= 2 * tolerance / fabs(start.gap));
        assert_true(fabs(start.gap) < 1e-3 || error(end.point, point) <= 4 * 8 * tolerance / fabs(start.gap));
        scree_world_destroy(world);
    }
}

// The distance of a wall from positions in a box changes at most at the reported speed; for a plane at a
// corner, or a rotating plate, at this speed.
static void no_distance_changes_faster_than_the_approach_speed(void **state)
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
        double position[3], pivot[3];
        set_numbers(def.velocity, n % 4 == 1 ? 0 : 1, &seed);
        set_numbers(def.spin, n % 4 == 2 ? 0 : 3, &seed);
        set_numbers(pivot, 2, &seed);
        def.pivot = pivot;
        for (int k = 0; k < 3; ++k) {
            const double fraction = 0.5 + 0.5 * splitmix_signed(&seed);
            position[k] = n % 3            ? lower[k] + fraction * (upper[k] - lower[k])
                          : fraction < 0.5 ? lower[k]
                                           : upper[k];
        }
        (void)add(world, &def);
        const struct scree_wall *wall = scree_wall_row(world, 0);
        const double speed = scree_wall_approach(wall, lower, upper);
        assert_true(speed <= scree_wall_speed(wall, lower, upper));
        struct scree_surface_touch start, end;
        scree_surface_touch(wall, 0, position, &start);
        scree_wall_advance(world, h);
        scree_surface_touch(wall, 0, position, &end);
        // within the step the speed changes by spin^2 times arm times h; 1e-9 is rounding over h
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
    const double distant_box[2][3] = {{100, 100, 100}, {101, 101, 101}}, zero[3] = {0};
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
    const struct scree_wall *sliding = scree_wall_row(world, 0), *rotating = scree_wall_row(world, 1);
    const struct scree_wall *orbiting = scree_wall_row(world, 2);
    // without spin the speed is equal everywhere
    assert_true(scree_wall_speed(sliding, everywhere[0], everywhere[1]) == 5);
    // a plane is bounded by the box only, whose farthest corner is at sqrt(2) from the axis
    assert_true(fabs(scree_wall_speed(rotating, lower, upper) - 2 * sqrt(2.0)) < 1e-14);
    assert_true(scree_wall_speed(rotating, everywhere[0], everywhere[1]) == INFINITE);
    // no point of the ball is faster than 2 (3 + 0.5), and for the small box the limit is 2 sqrt(2)
    assert_true(fabs(scree_wall_speed(orbiting, everywhere[0], everywhere[1]) - 7) < 1e-14);
    assert_true(fabs(scree_wall_speed(orbiting, distant_box[0], distant_box[1]) - 7) < 1e-14);
    assert_true(fabs(scree_wall_speed(orbiting, lower, upper) - 2 * sqrt(2.0)) < 1e-14);
    scree_world_destroy(world);
}

static void the_speed_is_the_largest_in_the_box(void **state)
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
            double position[3];
            set_numbers(position, 5, &seed);
            for (int k = 0; k < 3; ++k)
                position[k] = fmin(fmax(position[k], lower[k]), upper[k]);
            const struct scree_vec3 speed =
                scree_wall_velocity(scree_wall_row(world, 0), scree_vec3_load(position));
            largest = fmax(largest, scree_vec3_norm(speed));
        }
        assert_true(largest == scree_wall_speed(scree_wall_row(world, 0), lower, upper));
        scree_world_destroy(world);
    }
}

// Motion of a wall within its own surface brings it closer to no point; rotation of a box does.
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
        const double about_own_axis = scree_wall_approach(scree_wall_row(world, 0), lower, upper);
        const double about_other_axis = scree_wall_approach(scree_wall_row(world, 1), lower, upper);
        // speeds of about 10 m/s, with a dozen roundings
        const double rounding = 1e-14;
        assert_true(def.shape == SCREE_WALL_BOX ? about_own_axis > 1 : about_own_axis < rounding);
        // about an axis beside the wall, every wall but the plane moves at 2 m times 3 rad/s
        const double arm = 2 * 3;
        const double expected = def.shape == SCREE_WALL_PLANE ? 0 : arm;
        assert_true(def.shape == SCREE_WALL_BOX ? about_other_axis > 1
                                                : fabs(about_other_axis - expected) < rounding);
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
        double position[3], velocity[3];
        long double after[3], before[3];
        set_numbers(position, 2, &seed);
        for (int k = 0; k < 3; ++k)
            after[k] = before[k] = (long double)position[k];
        move_with_wall(start.pivot, def.velocity, def.spin, (long double)h, after);
        move_with_wall(start.pivot, def.velocity, def.spin, -(long double)h, before);
        for (int k = 0; k < 3; ++k)
            after[k] = (after[k] - before[k]) / (2 * (long double)h);
        scree_vec3_store(scree_wall_velocity(scree_wall_row(world, 0), scree_vec3_load(position)), velocity);
        // error of the central difference: spin^3 times arm times h^2 / 6, and rounding of long double over
        // h
        assert_true(error(velocity, after) <= 42 * 6 * h * h / 6 + 1e-12);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_follow_the_closed_form_after_any_number_of_steps),
        cmocka_unit_test(slow_walls_do_not_lose_displacements_to_rounding),
        cmocka_unit_test(a_change_of_motion_starts_from_the_present_position_of_the_wall),
        cmocka_unit_test(nearest_points_move_with_the_wall),
        cmocka_unit_test(no_distance_changes_faster_than_the_approach_speed),
        cmocka_unit_test(the_speed_is_bounded_by_the_wall_or_by_the_box),
        cmocka_unit_test(the_speed_is_the_largest_in_the_box),
        cmocka_unit_test(a_wall_that_moves_within_its_surface_has_no_approach_speed),
        cmocka_unit_test(walls_move_as_rigid_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
