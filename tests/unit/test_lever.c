// Lever arms of contacts. References: the definition m (r x t) A (r x t), for polyhedra at many points r of a
// body and for many unit vectors t; in two dimensions, where it is m (r x t)^2 / I, closed forms.

#include "engine/lever.h"
#include "math/mat3.h"
#include "support/splitmix.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/body.h>
#include <scree/material.h>
#include <scree/polyhedron_shape.h>
#include <scree/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SAMPLES = 40000 };
static const double length[3] = {0.01, 0.012, 0.05};

static struct scree_world *make_world(double rounding)
{
    struct scree_world *world;
    struct scree_polyhedron_def def = {0};
    scree_body_id id;
    assert_int_equal(scree_world_create(&(struct scree_world_def){.dimension = 3}, &world), SCREE_OK);
    assert_int_equal(scree_material_add(world, &(struct scree_material_def){.name = "stone", .density = 2500},
                                        &def.material),
                     SCREE_OK);
    assert_int_equal(scree_polyhedron_add_box(world, length, rounding, &def.shape), SCREE_OK);
    assert_int_equal(scree_polyhedron_add(world, &def, &id), SCREE_OK);
    return world;
}

static struct scree_vec3 direction(uint64_t *state)
{
    for (;;) {
        const struct scree_vec3 v =
            scree_vec3_make(splitmix_signed(state), splitmix_signed(state), splitmix_signed(state));
        const double square = scree_vec3_norm_squared(v);
        if (square > 0.01 && square < 1)
            return scree_vec3_scale(v, 1 / sqrt(square));
    }
}

// The largest value at points of the rounded corners, where the body is farthest from all axes.
static double largest_of(const struct scree_world *world, double rounding)
{
    const struct scree_grain *grain = &scree_world_grains(world)[0];
    const double *inertia = scree_world_rotors(world)[0].inertia;
    const struct scree_vec3 mobility = scree_vec3_make(1 / inertia[0], 1 / inertia[1], 1 / inertia[2]);
    uint64_t state = 7;
    double largest = 0;
    for (int n = 0; n < SAMPLES; ++n) {
        const struct scree_vec3 corner = scree_vec3_make(
            0.5 * length[0] - rounding, 0.5 * length[1] - rounding, 0.5 * length[2] - rounding);
        const struct scree_vec3 r = scree_vec3_add_scaled(corner, rounding, direction(&state));
        const struct scree_vec3 twist = scree_vec3_cross(r, direction(&state));
        const double value = grain->mass * scree_vec3_dot(twist, scree_vec3_multiply(mobility, twist));
        largest = value > largest ? value : largest;
    }
    return largest;
}

static double bound_of(const struct scree_world *world)
{
    const struct scree_step_inputs inputs = {.world = world};
    const struct scree_lever lever = scree_lever_bound(&inputs, 0);
    assert_true(lever.normal == lever.tangential && lever.normal == lever.coupling);
    return lever.normal;
}

static void the_bound_of_a_sharp_box_is_that_of_its_corners(void **state)
{
    (void)state;
    struct scree_world *world = make_world(0);
    const double largest = largest_of(world, 0), bound = bound_of(world);
    // the samples miss the best direction by an angle of about 1 / sqrt(SAMPLES), hence its square in the
    // value
    assert_true(largest <= bound * (1 + 1e-14) && largest > bound * (1 - 10.0 / SAMPLES));
    scree_world_destroy(world);
}

static void the_bound_of_a_rounded_box_is_above_all_its_points(void **state)
{
    (void)state;
    const double rounding = 2e-3;
    struct scree_world *world = make_world(rounding);
    const double largest = largest_of(world, rounding), bound = bound_of(world);
    // the square roots of both terms add, in the worst case in different directions
    assert_true(largest <= bound && bound < 2 * largest);
    scree_world_destroy(world);
}

// --- two dimensions

static struct scree_world *make_flat_world(scree_material_id *material)
{
    struct scree_world *world;
    assert_int_equal(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world), SCREE_OK);
    assert_int_equal(
        scree_material_add(world, &(struct scree_material_def){.name = "stone", .density = 2500}, material),
        SCREE_OK);
    return world;
}

// Some tens of round-offs of terms of one sign.
static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

// Forces in the plane at r, along t across r, have the largest moment, r: the bound is m r^2 / I. At a corner
// of a sharp rectangle r^2 = (a^2 + b^2) / 4 and I = m (a^2 + b^2) / 12, so that it is 3 for all rectangles.
// A rounding moves the farthest point along the diagonal of the core.
static void the_bound_of_a_rectangle_is_that_of_its_farthest_points(void **state)
{
    (void)state;
    const double roundings[] = {0, 2e-3};
    for (int n = 0; n < 2; ++n)
        for (int turned = 0; turned < 2; ++turned) {
            struct scree_polyhedron_def def = {.thickness = 1e-3, .orientation = {1, 0, 0, 0.7 * turned}};
            struct scree_world *world = make_flat_world(&def.material);
            scree_body_id id;
            struct scree_body_state body;
            assert_int_equal(scree_polyhedron_add_box(world, (const double[3]){length[0], length[2], 0},
                                                      roundings[n], &def.shape),
                             SCREE_OK);
            assert_int_equal(scree_polyhedron_add(world, &def, &id), SCREE_OK);
            assert_int_equal(scree_body_get(world, id, &body), SCREE_OK);
            const double x = 0.5 * length[0] - roundings[n], y = 0.5 * length[2] - roundings[n],
                         r = sqrt(x * x + y * y) + roundings[n];
            assert_near(bound_of(world), n == 0 ? 3 : body.mass * r * r / body.inertia[2]);
            scree_world_destroy(world);
        }
}

// A disk of the radius R at the offset d is touched at r = d - R n. A force along n has the moment d x n, one
// across n has r n, and one at the centre of the disk at most d.
static void lever_arms_of_a_carried_disk_are_those_of_closed_forms(void **state)
{
    (void)state;
    static const double offset[2] = {0.03, -0.01}, radius = 0.02, mass = 0.4, polar = 3e-4, half_turn = 0.4;
    const struct scree_pebble pebble[2] = {
        {.offset = {offset[0], offset[1], 0}, .radius = radius},
        {.offset = {-offset[0], -offset[1], 0}, .radius = radius},
    };
    struct scree_clump_def def = {
        .body = {.mass = mass, .polar = polar, .orientation = {cos(half_turn), 0, 0, sin(half_turn)}},
        .pebble = pebble,
        .pebbles = 2,
        .equal_radius = radius};
    struct scree_world *world = make_flat_world(&def.body.material);
    const struct scree_step_inputs inputs = {.world = world};
    scree_body_id id;
    assert_int_equal(scree_body_add_clump(world, &def, &id), SCREE_OK);
    assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
    scree_grain_update_records(world, 0, NULL);
    const double square = offset[0] * offset[0] + offset[1] * offset[1], far = sqrt(square) + radius;
    const struct scree_lever bound = scree_lever_bound(&inputs, 1);
    assert_near(bound.normal, mass * square / polar);
    assert_near(bound.coupling, mass * square / polar);
    assert_near(bound.tangential, mass * far * far / polar);
    assert_near(bound.rolling, mass / polar);
    // the offset in world axes
    const double c = cos(2 * half_turn), s = sin(2 * half_turn),
                 d[2] = {c * offset[0] - s * offset[1], s * offset[0] + c * offset[1]};
    for (int k = 0; k < 16; ++k) {
        const double n[3] = {cos(0.1 + 0.39 * k), sin(0.1 + 0.39 * k), 0};
        const struct scree_lever at = scree_lever_at(&inputs, 1, n);
        const double moment = d[0] * n[1] - d[1] * n[0], r[2] = {d[0] - radius * n[0], d[1] - radius * n[1]};
        // differences of terms: round-off of the largest
        assert_true(fabs(at.normal - mass * moment * moment / polar) <= 1e-14 * bound.tangential);
        assert_true(fabs(at.tangential - mass * (r[0] * r[0] + r[1] * r[1]) / polar) <=
                    1e-14 * bound.tangential);
        assert_near(at.coupling, mass * square / polar);
        assert_near(at.rolling, mass / polar);
        assert_true(at.normal <= bound.normal * (1 + 1e-14) &&
                    at.tangential <= bound.tangential * (1 + 1e-14));
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_of_a_sharp_box_is_that_of_its_corners),
        cmocka_unit_test(the_bound_of_a_rounded_box_is_above_all_its_points),
        cmocka_unit_test(the_bound_of_a_rectangle_is_that_of_its_farthest_points),
        cmocka_unit_test(lever_arms_of_a_carried_disk_are_those_of_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
