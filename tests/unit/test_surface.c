// The nearest points of walls (shape/surface.h) against a search over the definition of every shape, point
// by point in long double (support/patch.h). A result is correct if the gap is the smallest distance, the
// point is on the surface, and the normal points from it to the centre.

#include "shape/surface.h"
#include "support/patch.h"
#include "support/worlds.h"
#include "world/wall.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Roundings of the wall's centre, of the difference (three), of a projection on each axis (a sum of three
// products, with axes that have a few roundings) and of a root: fewer than 16 roundings of the largest
// number.
static const double roundings = 16 * DBL_EPSILON / 2;

static struct scree_world *world_2d, *world_3d;
static scree_material_id material[2];
static uint64_t seed = 7;

static double random_signed(void)
{
    return splitmix_signed(&seed);
}

static unsigned random_below(unsigned count)
{
    return (unsigned)(splitmix_next(&seed) % count);
}

// From 1e-3 to 1.
static double random_size(void)
{
    return pow(10, 1.5 * random_signed() - 1.5);
}

static int make_worlds(void **state)
{
    (void)state;
    world_3d = scree_test_empty_world();
    material[1] = scree_test_material(world_3d);
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world_2d));
    material[0] = scree_test_material(world_2d);
    return 0;
}

static int destroy_worlds(void **state)
{
    (void)state;
    scree_world_destroy(world_2d);
    scree_world_destroy(world_3d);
    return 0;
}

// The stored row of a wall.
static struct scree_wall row_of(int dimension, const struct scree_wall_def *def)
{
    struct scree_world *world = dimension == 2 ? world_2d : world_3d;
    struct scree_wall_def with_material = *def;
    scree_wall_id id;
    with_material.material = material[dimension - 2];
    assert_ok(scree_wall_add(world, &with_material, &id));
    const struct scree_wall wall = *scree_wall_row(world, scree_wall_rows(world) - 1);
    assert_ok(scree_wall_remove(world, id));
    return wall;
}

static void random_position(int dimension, double limit, double *position)
{
    for (int k = 0; k < 3; ++k)
        position[k] = k < dimension ? limit * random_signed() : 0;
}

// A random direction, or a coordinate axis.
static void random_direction(int dimension, double *direction)
{
    const bool along_axis = random_below(3) == 0;
    random_position(dimension, 1, direction);
    for (int k = 0; k < 3 && along_axis; ++k)
        direction[k] = 0;
    if (along_axis)
        direction[random_below((unsigned)dimension)] = random_below(2) ? 2 : -2;
}

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; ++k)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void set_rectangle(int dimension, struct scree_wall_rectangle *def)
{
    double first[3], other[3];
    const double scales[2] = {random_size(), random_size()};
    random_position(dimension, 1, def->corner);
    random_direction(dimension, first);
    random_position(3, 1, other);
    if (dimension == 2)
        other[0] = other[1] = 0;
    cross(first, other, def->edge[1]);
    if (dimension == 2)
        memcpy(def->edge[1], other, sizeof other);
    memcpy(def->edge[0], first, sizeof first);
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 3; ++k)
            def->edge[e][k] *= scales[e];
}

static void set_box(int dimension, struct scree_wall_box *def)
{
    random_position(dimension, 1, def->lower);
    for (int k = 0; k < dimension; ++k)
        def->upper[k] = def->lower[k] + random_size();
    for (int k = 0; k < 4 && random_below(2); ++k)
        def->orientation[k] = dimension == 3 || k == 0 || k == 3 ? random_signed() : 0;
    def->side = SCREE_WALL_OUTSIDE;
}

// A wall of a shape with random dimensions, some of them special.
static struct scree_wall_def random_wall(int dimension, enum scree_wall_shape shape)
{
    struct scree_wall_def def = {.shape = shape};
    double axis[3];
    random_direction(dimension, axis);
    const double length = random_size();
    switch (shape) {
    case SCREE_WALL_PLANE:
        random_position(dimension, 1, def.plane.point);
        memcpy(def.plane.normal, axis, sizeof axis);
        break;
    case SCREE_WALL_RECTANGLE:
        set_rectangle(dimension, &def.rectangle);
        break;
    case SCREE_WALL_DISK:
        random_position(dimension, 1, def.disk.centre);
        memcpy(def.disk.normal, axis, sizeof axis);
        def.disk.radius = random_size();
        def.disk.hole = random_below(2) ? 0 : def.disk.radius * fabs(random_signed());
        break;
    case SCREE_WALL_BOX:
        set_box(dimension, &def.box);
        break;
    case SCREE_WALL_CYLINDER:
        random_position(dimension, 1, def.cylinder.from);
        for (int k = 0; k < 3; ++k)
            def.cylinder.to[k] = def.cylinder.from[k] + length * axis[k];
        if (dimension == 2 && random_below(2)) {
            memcpy(def.cylinder.to, def.cylinder.from, sizeof def.cylinder.to);
            def.cylinder.to[2] = random_signed();
        }
        def.cylinder.radius = random_size();
        break;
    case SCREE_WALL_CONE:
        random_position(dimension, 1, def.cone.from);
        for (int k = 0; k < 3; ++k)
            def.cone.to[k] = def.cone.from[k] + length * axis[k];
        for (int e = 0; e < 2; ++e)
            def.cone.radius[e] = random_size();
        if (random_below(2))
            def.cone.radius[random_below(2)] = 0;
        break;
    default:
        random_position(dimension, 1, def.sphere.centre);
        def.sphere.radius = random_size();
        def.sphere.side = random_below(2) ? SCREE_WALL_INSIDE : SCREE_WALL_OUTSIDE;
    }
    return def;
}

static const long double spread = 16; // half the width of planes in the search

static long double distance(const struct scree_patch *patch, unsigned patches, const double *position)
{
    const long double point[3] = {(long double)position[0], (long double)position[1],
                                  (long double)position[2]};
    long double min_distance = (long double)INFINITY;
    for (unsigned s = 0; s < patches; ++s) {
        const long double patch_distance = scree_patch_distance(&patch[s], point);
        min_distance = patch_distance < min_distance ? patch_distance : min_distance;
    }
    return min_distance;
}

// Signed distance from a flat patch, along first edge x second edge.
static long double height_above(const struct scree_patch *patch, const double *position)
{
    long double sum = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const long double n = patch->edge[0][i] * patch->edge[1][j] - patch->edge[0][j] * patch->edge[1][i];
        sum += n * ((long double)position[k] - patch->corner[k]);
        square += n * n;
    }
    return sum / sqrtl(square);
}

// Whether a position is inside the solid that the wall bounds.
static bool is_inside_solid(const struct scree_wall_def *def, const struct scree_patch *patch,
                            unsigned patches, const double *position)
{
    bool inside = true;
    if (def->shape == SCREE_WALL_PLANE) {
        long double along = 0;
        for (int k = 0; k < 3; ++k)
            along += (long double)def->plane.normal[k] *
                     ((long double)position[k] - (long double)def->plane.point[k]);
        return along < 0;
    }
    if (def->shape == SCREE_WALL_SPHERE) {
        long double square = 0;
        for (int k = 0; k < 3; ++k) {
            const long double d = (long double)position[k] - patch->corner[k];
            square += d * d;
        }
        return (sqrtl(square) < patch->radius[0]) == (def->sphere.side == SCREE_WALL_OUTSIDE);
    }
    // the solid of a box is below its odd faces and above its even ones
    for (unsigned f = 0; f < patches; ++f)
        inside = inside && (height_above(&patch[f], position) > 0) == (f % 2 == 0);
    return def->shape == SCREE_WALL_BOX && inside;
}

// A position on a patch or at any distance from it; special 1: at a corner or rim; special 2: on the axis.
static void random_centre(int dimension, bool plane, const struct scree_patch *patch, double *centre)
{
    const unsigned special = plane ? 0 : random_below(4);
    const double offset = random_below(8) ? pow(10, 4.5 * random_signed() - 4) : 0;
    long double s = (long double)fabs(random_signed()), t = (long double)fabs(random_signed()), point[3];
    s = special == 1 ? random_below(2) : s;
    t = special == 1 && patch->kind == SCREE_PATCH_FLAT ? random_below(2) : t;
    // a plane has no edges
    if (plane) {
        s = 0.5L + 0.2L * (long double)random_signed();
        t = 0.5L + 0.2L * (long double)random_signed();
    }
    scree_patch_point(patch, s, t, point);
    for (int k = 0; k < 3; ++k) {
        if (special == 2)
            point[k] = patch->corner[k] + s * patch->edge[0][k];
        centre[k] = k < dimension ? (double)point[k] + offset * random_signed() : 0;
    }
}

static double largest_number(const struct scree_wall *wall, const double *centre)
{
    double largest = 0;
    for (int k = 0; k < 3; ++k) {
        const double s = isinf(wall->size[k]) ? 0 : wall->size[k];
        largest = scree_real_max(largest, scree_real_max(s, fabs(wall->reference[k]) + fabs(centre[k])));
    }
    return largest;
}

static double largest_ratio; // of an error to its tolerance

static void check_error(const char *quantity, enum scree_wall_shape shape, const double *centre,
                        long double error, double scale)
{
    const double ratio = (double)fabsl(error) / (scale * roundings);
    largest_ratio = scree_real_max(largest_ratio, ratio);
    if (!(ratio <= 1))
        fail_msg("shape %d, centre (%.17g, %.17g, %.17g): the error of the %s is %Lg, %g times the bound of "
                 "rounding",
                 (int)shape, centre[0], centre[1], centre[2], quantity, error, ratio);
}

// Checks that the normal is a unit vector and the point is on the surface.
static void check_touch(const struct scree_wall *wall, const double *centre,
                        const struct scree_surface_touch *touch, double scale)
{
    const enum scree_wall_shape shape = (enum scree_wall_shape)wall->shape;
    long double square = 0;
    for (int k = 0; k < 3; ++k) {
        const long double n = (long double)touch->normal[k];
        square += n * n;
        check_error("point", shape, centre,
                    (long double)touch->point[k] + (long double)touch->gap * n - (long double)centre[k],
                    scale);
    }
    check_error("length of the normal", shape, centre, sqrtl(square) - 1, 1);
}

static void check_wall(int dimension, enum scree_wall_shape shape)
{
    struct scree_patch patch[SCREE_PATCHES_MAX];
    const struct scree_wall_def def = random_wall(dimension, shape);
    const struct scree_wall wall = row_of(dimension, &def);
    const unsigned patches = scree_patch_make(&def, dimension, spread, patch);
    assert_int_equal(scree_surface_features(&wall), 1);
    for (int c = 0; c < 6; ++c) {
        struct scree_surface_touch touch;
        double centre[3];
        random_centre(dimension, shape == SCREE_WALL_PLANE, &patch[random_below(patches)], centre);
        scree_surface_touch(&wall, 0, centre, &touch);
        const double scale = largest_number(&wall, centre);
        const long double gap = distance(patch, patches, centre);
        const bool inside_solid = is_inside_solid(&def, patch, patches, centre);
        check_error("gap", shape, centre, (long double)touch.gap - (inside_solid ? -gap : gap), scale);
        check_error("point", shape, centre, distance(patch, patches, touch.point), scale);
        check_touch(&wall, centre, &touch, scale);
        if (dimension == 2)
            assert_true(touch.normal[2] == 0 && touch.point[2] == 0);
        assert_true(scree_surface_within(&wall, 0, centre, touch.gap));
        assert_false(scree_surface_within(&wall, 0, centre, nextafter(touch.gap, -INFINITE)));
    }
}

static void nearest_points_of_every_shape_agree_with_brute_force(void **state)
{
    (void)state;
    for (int shape = SCREE_WALL_PLANE; shape <= SCREE_WALL_SPHERE; ++shape) {
        for (int n = 0; n < 40; ++n)
            check_wall(3, (enum scree_wall_shape)shape);
    }
    // the largest error is close to the tolerance, so the tolerance is not too large
    assert_true(largest_ratio > 0.1);
}

static void nearest_points_in_two_dimensions_agree_with_brute_force(void **state)
{
    (void)state;
    for (int shape = SCREE_WALL_PLANE; shape <= SCREE_WALL_SPHERE; ++shape)
        for (int n = 0; n < 20; ++n)
            check_wall(2, (enum scree_wall_shape)shape);
}

// Each face of a box with bodies inside is a half-space; for a centre inside the box, the nearest point is
// on the face itself.
static void each_face_of_a_container_is_a_half_space(void **state)
{
    (void)state;
    for (int n = 0; n < 60; ++n) {
        const int dimension = n % 3 == 0 ? 2 : 3;
        struct scree_patch patch[SCREE_PATCHES_MAX];
        struct scree_wall_def def = random_wall(dimension, SCREE_WALL_BOX);
        def.box.side = SCREE_WALL_INSIDE;
        const struct scree_wall wall = row_of(dimension, &def);
        const unsigned patches = scree_patch_make(&def, dimension, spread, patch);
        assert_int_equal(scree_surface_features(&wall), patches);
        for (unsigned f = 0; f < patches; ++f) {
            struct scree_surface_touch touch;
            double centre[3];
            random_centre(dimension, false, &patch[random_below(patches)], centre);
            const double scale = largest_number(&wall, centre);
            const long double height = height_above(&patch[f], centre);
            scree_surface_touch(&wall, f, centre, &touch);
            check_error("gap", SCREE_WALL_BOX, centre, (long double)touch.gap - (f % 2 ? -height : height),
                        scale);
            check_error("point", SCREE_WALL_BOX, centre, height_above(&patch[f], touch.point), scale);
            check_touch(&wall, centre, &touch, scale);
            if (is_inside_solid(&def, patch, patches, centre))
                check_error("face", SCREE_WALL_BOX, centre,
                            (long double)touch.gap - distance(&patch[f], 1, centre), scale);
        }
    }
}

// For a wall centred at the origin, mirrored centres give mirrored results, bit for bit.
static void mirrored_centres_give_mirrored_bits(void **state)
{
    (void)state;
    const double radii[2] = {0.3, 0.1};
    const struct scree_wall_def defs[] = {
        {.shape = SCREE_WALL_RECTANGLE, .rectangle = {{-0.1, -0.3, 0}, {{0.2, 0, 0}, {0, 0.6, 0}}}},
        {.shape = SCREE_WALL_DISK, .disk = {.normal = {0, 0, 1}, .radius = radii[0], .hole = radii[1]}},
        {.shape = SCREE_WALL_BOX, .box = {{-0.4, -0.25, -0.1}, {0.4, 0.25, 0.1}, {0}, SCREE_WALL_OUTSIDE}},
        {.shape = SCREE_WALL_CYLINDER, .cylinder = {{0, 0, -0.7}, {0, 0, 0.7}, 0.3}},
        {.shape = SCREE_WALL_SPHERE, .sphere = {{0}, 0.3, SCREE_WALL_INSIDE}},
    };
    struct scree_wall_def container = defs[2];
    container.box.side = SCREE_WALL_INSIDE;
    const struct scree_wall inside = row_of(3, &container);
    for (int n = 0; n < 100; ++n) {
        const double position[3] = {random_signed(), random_signed(), random_signed()},
                     mirrored[3] = {-position[0], -position[1], -position[2]};
        struct scree_surface_touch touch, mirrored_touch;
        for (size_t d = 0; d < sizeof defs / sizeof defs[0]; ++d) {
            const struct scree_wall wall = row_of(3, &defs[d]);
            scree_surface_touch(&wall, 0, position, &touch);
            scree_surface_touch(&wall, 0, mirrored, &mirrored_touch);
            assert_true(touch.gap == mirrored_touch.gap);
            for (int k = 0; k < 3; ++k)
                assert_true(touch.normal[k] == -mirrored_touch.normal[k] &&
                            touch.point[k] == -mirrored_touch.point[k]);
        }
        for (unsigned f = 0; f < 6; f += 2) {
            scree_surface_touch(&inside, f, position, &touch);
            scree_surface_touch(&inside, f + 1, mirrored, &mirrored_touch);
            assert_true(touch.gap == mirrored_touch.gap);
        }
    }
}

static void centres_with_many_nearest_points_have_a_definite_unit_normal(void **state)
{
    (void)state;
    const struct scree_wall_def disk = {.shape = SCREE_WALL_DISK,
                                        .disk = {.normal = {0, 0, 3}, .radius = 0.5, .hole = 0.25}};
    const struct scree_wall_def plate = {.shape = SCREE_WALL_RECTANGLE,
                                         .rectangle = {{0}, {{1, 0, 0}, {0, 2, 0}}}};
    const struct scree_wall_def tube = {.shape = SCREE_WALL_CYLINDER, .cylinder = {{0}, {0, 0, 1}, 0.5}};
    const struct scree_wall_def tip = {.shape = SCREE_WALL_CONE, .cone = {{0}, {0, 0, 1}, {0, 0.75}}};
    const struct scree_wall_def inside_of_sphere = {.shape = SCREE_WALL_SPHERE,
                                                    .sphere = {{0}, 2, SCREE_WALL_INSIDE}};
    const struct scree_wall_def ball = {.shape = SCREE_WALL_SPHERE, .sphere = {{0}, 2, SCREE_WALL_OUTSIDE}};
    const struct scree_wall_def box = {.shape = SCREE_WALL_BOX,
                                       .box = {{-1, -1, -1}, {1, 1, 1}, {0}, SCREE_WALL_OUTSIDE}};
    const struct {
        const struct scree_wall_def *def;
        double centre[3], gap, normal[3];
    } cases[] = {
        // on thin walls, at their rims and corners: in the direction of the third axis
        {&disk, {0.375, 0, 0}, 0, {0, 0, 1}},
        {&disk, {0.5, 0, 0}, 0, {0, 0, 1}},
        {&disk, {0.25, 0, 0}, 0, {0, 0, 1}},
        {&plate, {0.5, 0.5, 0}, 0, {0, 0, 1}},
        {&plate, {1, 2, 0}, 0, {0, 0, 1}},
        {&plate, {0.5, 0.5, -1e-200}, 1e-200, {0, 0, -1}},
        // on a tube: outward
        {&tube, {0, -0.5, 0.5}, 0, {0, -1, 0}},
        // on axes and at centres: along the first axis
        {&tube, {0, 0, 0.5}, 0.5, {-1, 0, 0}},
        {&disk, {0, 0, 0}, 0.25, {-1, 0, 0}},
        {&inside_of_sphere, {0, 0, 0}, 2, {-1, 0, 0}},
        {&ball, {0, 0, 0}, -2, {1, 0, 0}},
        {&box, {0, 0, 0}, -1, {0, 0, 1}},
        {&box, {1, 1, 1}, 0, {0, 0, 1}},
        {&box, {1, 1, 0.5}, 0, {0, 1, 0}},
        {&box, {1, 0.5, 0.25}, 0, {1, 0, 0}},
        // below the tip of a cone: along its axis
        {&tip, {0, 0, -0.5}, 0.5, {0, 0, -1}},
        {&tip, {0, 0, 0.5}, 0.3, {-0.8, 0, 0.6}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const struct scree_wall wall = row_of(3, cases[c].def);
        struct scree_surface_touch touch;
        scree_surface_touch(&wall, 0, cases[c].centre, &touch);
        for (int k = 0; k < 3; ++k)
            if (!(fabs(touch.normal[k] - cases[c].normal[k]) <= roundings &&
                  fabs(touch.gap - cases[c].gap) <= roundings * fabs(cases[c].gap)))
                fail_msg("case %zu: gap %g, normal (%g, %g, %g)", c, touch.gap, touch.normal[0],
                         touch.normal[1], touch.normal[2]);
    }
}

// Distances from axis-aligned walls are exact, however far the centre is displaced along them.
static void axis_aligned_walls_have_exact_distances(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE}, plate = {.shape = SCREE_WALL_RECTANGLE};
        plane.plane.normal[axis] = 5;
        plate.rectangle.edge[0][(axis + 1) % 3] = plate.rectangle.edge[1][(axis + 2) % 3] = 8e6;
        const struct scree_wall walls[2] = {row_of(3, &plane), row_of(3, &plate)};
        double centre[3] = {1e6 / 3, 1e6 / 3, 1e6 / 3};
        centre[axis] = 1e-9 / 3;
        for (int w = 0; w < 2; ++w) {
            struct scree_surface_touch touch;
            scree_surface_touch(&walls[w], 0, centre, &touch);
            assert_true(touch.gap == centre[axis]);
            for (int k = 0; k < 3; ++k)
                assert_true(touch.normal[k] == (k == axis) && touch.point[k] == (k == axis ? 0 : centre[k]));
        }
    }
}

static void edges_that_are_nearly_perpendicular_are_made_perpendicular(void **state)
{
    (void)state;
    const struct scree_wall wall =
        row_of(3, &(struct scree_wall_def){.shape = SCREE_WALL_RECTANGLE,
                                           .rectangle = {{0}, {{3, 0, 1e-10}, {1e-10, 0.5, 0.25}}}});
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            const double dot = scree_vec3_dot(scree_vec3_load(wall.axes[a]), scree_vec3_load(wall.axes[b]));
            assert_true(fabs(dot - (a == b)) <= 4 * DBL_EPSILON);
        }
}

static void for_centres_far_away_or_not_finite_the_result_is_correct_or_nan(void **state)
{
    (void)state;
    const double bad[] = {NOT_A_NUMBER, INFINITE, -INFINITE, 1e150, -1e150, 1e-300, 0};
    for (int shape = SCREE_WALL_PLANE; shape <= SCREE_WALL_SPHERE; ++shape) {
        const struct scree_wall_def def = random_wall(3, (enum scree_wall_shape)shape);
        const struct scree_wall wall = row_of(3, &def);
        for (unsigned n = 0; n < 7 * 7 * 7; ++n) {
            const double centre[3] = {bad[n % 7], bad[n / 7 % 7], bad[n / 49]};
            const double length = sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
            struct scree_surface_touch touch;
            scree_surface_touch(&wall, 0, centre, &touch);
            const bool finite = isfinite(length);
            assert_true(!finite || isfinite(touch.gap));
            if (isnan(touch.gap))
                assert_false(scree_surface_within(&wall, 0, centre, INFINITE));
            // very far away, the gap of every finite wall is the distance from the origin
            if (finite && length >= 1e150 && shape != SCREE_WALL_PLANE)
                assert_true(fabs(fabs(touch.gap) / length - 1) <= roundings);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points_of_every_shape_agree_with_brute_force),
        cmocka_unit_test(nearest_points_in_two_dimensions_agree_with_brute_force),
        cmocka_unit_test(each_face_of_a_container_is_a_half_space),
        cmocka_unit_test(mirrored_centres_give_mirrored_bits),
        cmocka_unit_test(centres_with_many_nearest_points_have_a_definite_unit_normal),
        cmocka_unit_test(axis_aligned_walls_have_exact_distances),
        cmocka_unit_test(edges_that_are_nearly_perpendicular_are_made_perpendicular),
        cmocka_unit_test(for_centres_far_away_or_not_finite_the_result_is_correct_or_nan),
    };
    return cmocka_run_group_tests(tests, make_worlds, destroy_worlds);
}
