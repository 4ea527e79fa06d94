// Queries between two convex bodies: distance, penetration and contacts, against exhaustive searches.

#include "convex/hull.h"
#include "convex/pair.h"
#include "convex/point.h"
#include "math/quat.h"
#include "support/convex_pairs.h"
#include "support/splitmix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// SCREE_FUZZ_ROUNDS multiplies the number of pairs.
static int rounds(int count)
{
    const char *text = getenv("SCREE_FUZZ_ROUNDS");
    const int factor = text != NULL ? atoi(text) : 1;
    return factor > 0 ? factor * count : count;
}

// The smallest height of a face: twice its area over the longest distance of its corners.
static double least_height(const struct scree_convex *shape)
{
    double least = (double)INFINITY;
    for (uint32_t f = 0; f < shape->faces; ++f) {
        const uint32_t *corner = &shape->corner[shape->face[f].first];
        struct scree_vec3 sum = scree_vec3_zero();
        double longest = 0;
        for (uint32_t k = 0; k < shape->face[f].corners; ++k) {
            const struct scree_vec3 p = scree_vec3_sub(shape->vertex[corner[k]], shape->vertex[corner[0]]);
            const struct scree_vec3 q = scree_vec3_sub(
                shape->vertex[corner[(k + 1) % shape->face[f].corners]], shape->vertex[corner[0]]);
            sum = scree_vec3_add(sum, scree_vec3_cross(p, q));
            longest = scree_real_max(longest, scree_vec3_norm(p));
        }
        least = scree_real_min(least, scree_vec3_norm(sum) / longest);
    }
    return least;
}

// All directions in which the separation can be largest are tried. Coordinates are below 4, those of rotated
// points have about ten round-offs, and the normal of a face has the error of its corners over its height,
// which the distance of the other body, below 4, multiplies. Directions between near points have the error of
// the points over their distance, so it is known to that angle times 4, and never below 0.
static void the_distance_is_that_of_an_exhaustive_search(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 0; n < rounds(6000); ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, n % 2 == 0 ? 0.1 : 1, &a, &b);
        double highest;
        const double expected = convex_exhaustive_gap(&a, &b, &highest);
        const struct scree_convex_gap gap = scree_convex_distance(&a, &b);
        const double height = scree_real_min(least_height(a.shape), least_height(b.shape));
        const double error = 10 * 0x1p-53 * 4 * (1 + 2 * 4 / height);
        const double turn = expected > 0 ? scree_real_min(expected, 10 * 0x1p-53 * 4 * 4 / expected) : 0;
        if (!(gap.gap > expected - turn - error && gap.gap < highest + error))
            fail_msg("pair %d: %.17g, expected %.17g", n, gap.gap, expected);
        // the two points are apart by the gap along the normal
        const struct scree_vec3 line = scree_vec3_sub(gap.point[1], gap.point[0]);
        const struct scree_vec3 rest = scree_vec3_add_scaled(line, -gap.gap, gap.normal);
        if (!(scree_vec3_norm(rest) < error))
            fail_msg("pair %d: the points are off by %g", n, scree_vec3_norm(rest));
    }
}

// Polygons: hulls of random points of the plane.
static void the_distance_of_polygons_is_that_of_an_exhaustive_search(void **state)
{
    (void)state;
    enum { POLYGONS = 12 };
    struct scree_convex polygon[POLYGONS];
    uint64_t seed = 6;
    for (int n = 0; n < POLYGONS; ++n) {
        struct scree_vec3 point[16];
        for (int k = 0; k < 4 + n; ++k) {
            const double x = splitmix_signed(&seed), y = splitmix_signed(&seed);
            point[k] = scree_vec3_make(x, y, 0);
        }
        assert_int_equal(scree_convex_hull(2, point, (size_t)(4 + n), 0, &polygon[n]), SCREE_OK);
    }
    int overlapping = 0;
    for (int n = 0; n < rounds(20000); ++n) {
        struct scree_convex_body body[2] = {0};
        for (int k = 0; k < 2; ++k) {
            const double angle = 4 * splitmix_signed(&seed);
            body[k].shape = &polygon[splitmix_next(&seed) % POLYGONS];
            body[k].position = scree_vec3_make(2 * splitmix_signed(&seed), splitmix_signed(&seed), 0);
            body[k].rotation =
                scree_quat_to_matrix(scree_quat_exp(scree_vec3_make(0, 0, n % 4 == 0 ? 0 : angle)));
        }
        double highest;
        const double expected = convex_exhaustive_gap(&body[0], &body[1], &highest);
        const struct scree_convex_gap gap = scree_convex_distance(&body[0], &body[1]);
        const double turn = expected > 0 ? scree_real_min(expected, 10 * 0x1p-53 * 4 * 4 / expected) : 0;
        if (!(gap.gap > expected - turn - 1e-13 && gap.gap < highest + 1e-13) || gap.normal.z != 0)
            fail_msg("pair %d: %.17g, expected %.17g", n, gap.gap, expected);
        overlapping += expected < 0;
    }
    assert_true(overlapping > 2000);
    for (int n = 0; n < POLYGONS; ++n)
        scree_convex_free(&polygon[n]);
}

enum { MOST = 4096 };

static struct scree_convex_contact first[MOST], second[MOST];

static bool are_opposite(const struct scree_convex_contact *p, const struct scree_convex_contact *q,
                         struct scree_vec3 shift)
{
    const uint32_t kind = p->feature >> 30, swapped = kind == 2 ? 2 : 1 - kind;
    const uint32_t feature = scree_convex_feature_make((enum scree_convex_feature)swapped,
                                                       p->feature & 0x7FFF, p->feature >> 15 & 0x7FFF);
    const struct scree_vec3 n = scree_vec3_negate(q->normal);
    const struct scree_vec3 off = scree_vec3_sub(scree_vec3_sub(p->point, q->point), shift);
    return feature == q->feature && p->overlap == q->overlap && p->share == q->share && p->normal.x == n.x &&
           p->normal.y == n.y && p->normal.z == n.z && scree_vec3_norm(off) < 1e-14;
}

static void exchanged_sides_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 3;
    size_t contacts = 0;
    for (int n = 0; n < rounds(20000); ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, 0.1, &a, &b);
        a.rounding = 0.05;
        b.rounding = 0.03;
        struct scree_vec3 axis = scree_vec3_zero(), back = scree_vec3_zero();
        const size_t count = scree_convex_contacts(&a, &b, &axis, first, MOST);
        assert_int_equal(scree_convex_contacts(&b, &a, &back, second, MOST), count);
        for (size_t k = 0; k < count; ++k)
            if (!are_opposite(&first[k], &second[k], scree_vec3_sub(b.position, a.position)))
                fail_msg("pair %d: contact %zu differs", n, k);
        const struct scree_convex_gap gap = scree_convex_distance(&a, &b),
                                      other = scree_convex_distance(&b, &a);
        assert_true(gap.gap == other.gap && gap.normal.x == -other.normal.x &&
                    gap.normal.y == -other.normal.y && gap.normal.z == -other.normal.z);
        contacts += count;
    }
    assert_true(contacts > 20000);
}

// The axis of an earlier step must not matter: none, that of the query itself, and any.
static void the_axis_changes_no_bit(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 0; n < rounds(20000); ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, 0.1, &a, &b);
        a.rounding = 0.05;
        b.rounding = 0.03;
        struct scree_vec3 axis = scree_vec3_zero();
        const size_t count = scree_convex_contacts(&a, &b, &axis, first, MOST);
        const struct scree_vec3 start[] = {axis, scree_mat3_row_x(a.rotation), scree_vec3_negate(axis),
                                           scree_vec3_add_scaled(axis, 0.01, scree_mat3_row_y(b.rotation))};
        for (size_t k = 0; k < sizeof start / sizeof start[0]; ++k) {
            axis = start[k];
            assert_int_equal(scree_convex_contacts(&a, &b, &axis, second, MOST), count);
            assert_memory_equal(first, second, count * sizeof first[0]);
        }
    }
}

// Bodies that a plane separates have a gap, and others have none but for the error of its direction, see
// above, and the margin for round-off.
static void bodies_are_apart_if_they_have_a_gap(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int apart = 0;
    for (int n = 0; n < rounds(20000); ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, n % 2 == 0 ? 0.1 : 1, &a, &b);
        a.rounding = n % 3 == 0 ? 0.05 : 0;
        b.rounding = n % 3 == 0 ? 0.03 : 0;
        const struct scree_convex_gap gap = scree_convex_distance(&a, &b);
        const double reach = a.rounding + b.rounding, between = gap.gap + reach;
        const double height = scree_real_min(least_height(a.shape), least_height(b.shape));
        const double error = 10 * 0x1p-53 * 4 * (1 + 2 * 4 / height) + 0x1p-40 * 16;
        const double turn = between > 0 ? scree_real_min(between, 10 * 0x1p-53 * 4 * 4 / between) : 0;
        const bool found = scree_convex_are_apart(&a, &b);
        assert_int_equal(scree_convex_are_apart(&b, &a), found);
        if (found ? gap.gap <= 0 : gap.gap > error + turn)
            fail_msg("pair %d: %s, but the gap is %.17g", n, found ? "apart" : "not apart", gap.gap);
        apart += found;
    }
    assert_true(apart > 4000 && apart < 16000);
}

// A ball is a body of one vertex.
static void a_ball_is_apart_if_it_has_no_contact(void **state)
{
    (void)state;
    uint64_t seed = 6;
    int apart = 0;
    for (int n = 0; n < rounds(20000); ++n) {
        struct scree_vec3 centre = scree_vec3_zero();
        const struct scree_convex point = {.dimension = 3, .vertices = 1, .vertex = &centre};
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, n % 2 == 0 ? 0.1 : 1, &a, &b);
        a.rounding = 0;
        b.shape = &point;
        b.rounding = 0.5 * (n % 4);
        const bool found = scree_convex_are_apart(&a, &b);
        const double gap =
            scree_convex_point(
                a.shape, scree_mat3_apply_transposed(a.rotation, scree_vec3_sub(b.position, a.position)),
                (double)INFINITY)
                .gap -
            b.rounding;
        if (found ? gap <= 0 : gap > 1e-9)
            fail_msg("ball %d: %s, but the gap is %.17g", n, found ? "apart" : "not apart", gap);
        apart += found;
    }
    assert_true(apart > 1000 && apart < 19000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_apart_if_they_have_a_gap),
        cmocka_unit_test(a_ball_is_apart_if_it_has_no_contact),
        cmocka_unit_test(the_distance_is_that_of_an_exhaustive_search),
        cmocka_unit_test(the_distance_of_polygons_is_that_of_an_exhaustive_search),
        cmocka_unit_test(exchanged_sides_give_the_same_bits),
        cmocka_unit_test(the_axis_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, convex_group_begin, convex_group_end);
}
