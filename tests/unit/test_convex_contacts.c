// Contacts and overlaps of convex bodies: forces are gradients of potentials, bodies rest on their corners,
// and keys last.

#include "convex/library.h"
#include "convex/pair.h"
#include "convex/triangle.h"
#include "math/quat.h"
#include "support/convex_pairs.h"
#include "support/splitmix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4096 };

static struct scree_convex_contact contact[MOST];
static struct scree_vec3 draw_vector(uint64_t *seed)
{
    const double x = splitmix_signed(seed), y = splitmix_signed(seed), z = splitmix_signed(seed);
    return scree_vec3_make(x, y, z);
}

static void make_box(double a, double b, double c, struct scree_convex *shape)
{
    const struct scree_convex_def def = {.kind = SCREE_CONVEX_BOX, .length = {a, b, c}};
    assert_int_equal(scree_convex_library(&def, shape), SCREE_OK);
}

static struct scree_convex_body body_at(const struct scree_convex *shape, double x, double y, double z,
                                        double rounding)
{
    return (struct scree_convex_body){shape, {x, y, z}, scree_mat3_identity(), rounding};
}

static size_t find(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    struct scree_vec3 axis = scree_vec3_zero();
    return scree_convex_contacts(a, b, &axis, contact, MOST);
}

// --- potentials

// Of a law whose force is the overlap to the power 3/2, as Hertz's.
static double energy(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    double sum = 0;
    const size_t count = find(a, b);
    for (size_t n = 0; n < count; ++n)
        sum += 0.4 * contact[n].overlap * contact[n].overlap * sqrt(contact[n].overlap);
    return sum;
}

// Moves b by a small step along an axis, or turns it about the position of a.
static struct scree_convex_body moved(const struct scree_convex_body *a, struct scree_convex_body b, int k,
                                      double step)
{
    double along[3] = {0};
    along[k % 3] = step;
    const struct scree_vec3 by = scree_vec3_load(along);
    if (k < 3) {
        b.position = scree_vec3_add(b.position, by);
        return b;
    }
    const struct scree_mat3 turn = scree_quat_to_matrix(scree_quat_exp(by));
    b.position = scree_vec3_add(a->position, scree_mat3_apply(turn, scree_vec3_sub(b.position, a->position)));
    b.rotation = scree_mat3_product(turn, b.rotation);
    return b;
}

// Forces times `share` and their moments are the gradient of the energies of the contacts. The second
// derivative of an energy is at most 1.5 overlap^(1/2), about 0.5, times the square of the arm, and changes
// by as much over about 1e-3, where contacts begin and in the zones at the ends of edges. So a difference
// over 1e-6 has an error of about 1e-6 of the force; a wrong term would be of the order of the force.
static void forces_are_the_gradient_of_the_energy(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int tested = 0;
    double worst = 0;
    for (int n = 0; n < 15000; ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, 0.1, &a, &b);
        a.rounding = 0.06;
        b.rounding = 0.04;
        // the polyhedra must be apart, or it is no potential
        if (scree_convex_distance(&a, &b).gap < -0.09)
            continue;
        const size_t count = find(&a, &b);
        double slope[6] = {0}, scale = 0;
        for (size_t c = 0; c < count; ++c) {
            const double force = contact[c].share * contact[c].overlap * sqrt(contact[c].overlap);
            const struct scree_vec3 push = scree_vec3_scale(contact[c].normal, force);
            const struct scree_vec3 moment = scree_vec3_cross(contact[c].point, push);
            const double add[6] = {push.x, push.y, push.z, moment.x, moment.y, moment.z};
            for (int k = 0; k < 6; ++k)
                slope[k] += add[k];
            scale += force;
        }
        if (count == 0)
            continue;
        for (int k = 0; k < 6; ++k) {
            const double step = 1e-6;
            const struct scree_convex_body up = moved(&a, b, k, step), down = moved(&a, b, k, -step);
            const double found = -(energy(&a, &up) - energy(&a, &down)) / (2 * step);
            worst = scree_real_max(worst, fabs(found - slope[k]) / (scale + 1e-3));
            if (!(fabs(found - slope[k]) < 1e-5 * (scale + 1e-3)))
                fail_msg("pair %d, direction %d: %g, expected %g", n, k, slope[k], found);
        }
        ++tested;
    }
    print_message("%d pairs, largest difference %g\n", tested, worst);
    assert_true(tested > 2000);
}

// --- resting

static void a_box_stands_on_its_four_corners(void **state)
{
    (void)state;
    struct scree_convex small, large;
    make_box(1, 2, 0.5, &small);
    make_box(4, 4, 1, &large);
    const struct scree_convex_body ground = body_at(&large, 0, 0, 0, 0.05),
                                   box = body_at(&small, 0.3, 0.2, 0.849, 0.05);
    assert_int_equal(find(&ground, &box), 4);
    double x = 0, y = 0;
    for (int n = 0; n < 4; ++n) {
        // vertices of b, in their order
        assert_int_equal(contact[n].feature,
                         scree_convex_feature_make(SCREE_CONVEX_VERTEX_B, 0, (uint32_t)n));
        assert_true(fabs(contact[n].overlap - 0.001) < 1e-15 && contact[n].normal.z == 1 &&
                    contact[n].share == 1);
        assert_true(fabs(contact[n].point.z - 0.5495) < 1e-15);
        x += contact[n].point.x / 4;
        y += contact[n].point.y / 4;
    }
    assert_true(fabs(x - 0.3) < 1e-15 && fabs(y - 0.2) < 1e-15);
    // the same as on a plane
    struct scree_convex_contact on[4];
    const struct scree_vec3 up = {0, 0, 1};
    assert_int_equal(scree_convex_plane_contacts(&box, up, 0.55, on, 4), 4);
    for (int n = 0; n < 4; ++n) {
        assert_int_equal(on[n].feature, scree_convex_feature_make(SCREE_CONVEX_VERTEX_A, (uint32_t)n, 0));
        const struct scree_vec3 off =
            scree_vec3_sub(scree_vec3_add(on[n].point, box.position), contact[n].point);
        assert_true(fabs(on[n].overlap - contact[n].overlap) < 1e-15 && on[n].normal.z == -1 &&
                    scree_vec3_norm(off) < 1e-15);
    }
    // across the border of the lower box: two corners, and two pairs of edges
    const struct scree_convex_body out = body_at(&small, 2.1, 0.2, 0.849, 0.05);
    assert_int_equal(find(&ground, &out), 4);
    int edges = 0;
    for (int n = 0; n < 4; ++n)
        edges += contact[n].feature >> 30 == SCREE_CONVEX_EDGES;
    assert_int_equal(edges, 2);
    scree_convex_free(&small);
    scree_convex_free(&large);
}

// While a box slides over the border of another, a key never changes: it only begins and ends.
static void keys_last_while_a_box_slides(void **state)
{
    (void)state;
    struct scree_convex small, large;
    make_box(1, 1, 1, &small);
    make_box(4, 4, 1, &large);
    const struct scree_convex_body ground = body_at(&large, 0, 0, 0, 0.05);
    uint32_t before[64];
    size_t count = 0, changes = 0;
    for (int step = 0; step < 2000; ++step) {
        const struct scree_convex_body box = body_at(&small, 0.001 * step, 0.1 + 0.0003 * step, 1.099, 0.05);
        const size_t now = find(&ground, &box);
        for (size_t n = 0; n < now; ++n) {
            bool known = false;
            for (size_t m = 0; m < count; ++m)
                known = known || before[m] == contact[n].feature;
            changes += !known;
            for (size_t m = 0; m < n; ++m)
                assert_true(contact[m].feature != contact[n].feature);
        }
        count = now < 64 ? now : 64;
        for (size_t n = 0; n < count; ++n)
            before[n] = contact[n].feature;
    }
    // four corners, and two pairs of edges as the corners go over the border
    assert_true(changes >= 6 && changes <= 8);
    scree_convex_free(&small);
    scree_convex_free(&large);
}

// --- simple bodies

// A ball is a body of one vertex: the smallest tetrahedron there is.
static void a_ball_touches_a_box_as_a_tiny_body(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct scree_convex box;
    make_box(1, 0.6, 0.8, &box);
    int touching = 0;
    for (int n = 0; n < 20000; ++n) {
        const struct scree_convex_body body = {&box, draw_vector(&seed), convex_draw_rotation(&seed), 0.1};
        const struct scree_vec3 arm = draw_vector(&seed);
        struct scree_convex_contact found;
        const bool any = scree_convex_sphere_contact(&body, scree_vec3_add(body.position, arm), 0.2, &found);
        // distance from a box, outside of it
        double p[3], square = 0;
        scree_vec3_store(scree_mat3_apply_transposed(body.rotation, arm), p);
        const double half[3] = {0.5, 0.3, 0.4};
        for (int k = 0; k < 3; ++k) {
            const double over = fabs(p[k]) - half[k];
            square += over > 0 ? over * over : 0;
        }
        if (square == 0)
            continue;
        assert_int_equal(any, sqrt(square) < 0.3);
        if (!any)
            continue;
        ++touching;
        assert_true(fabs(found.overlap - (0.3 - sqrt(square))) < 1e-14);
        // the contact point is half an overlap inside of the ball
        const struct scree_vec3 line = scree_vec3_sub(arm, found.point);
        assert_true(fabs(scree_vec3_dot(line, found.normal) - (0.2 - 0.5 * found.overlap)) < 1e-14);
        assert_true(scree_vec3_norm(scree_vec3_cross(line, found.normal)) < 1e-14);
    }
    assert_true(touching > 1000);
    scree_convex_free(&box);
}

// On a triangle far larger than a box, contacts are those on its plane; beyond its edge and behind it none.
static void a_box_rests_on_a_triangle(void **state)
{
    (void)state;
    struct scree_convex small;
    struct scree_convex_triangle triangle;
    const struct scree_vec3 corner[3] = {{-5, -5, 0}, {5, -5, 0}, {0, 5, 0}};
    make_box(1, 2, 0.5, &small);
    assert_true(scree_convex_triangle_make(corner, &triangle));
    const struct scree_convex_body facet = body_at(&triangle.shape, 0, 0, 0, 0);
    const struct scree_convex_body box = body_at(&small, 0.1, -2, 0.299, 0.05);
    assert_int_equal(find(&facet, &box), 4);
    for (int n = 0; n < 4; ++n)
        assert_true(fabs(contact[n].overlap - 0.001) < 1e-15 && contact[n].normal.z == 1);
    const struct scree_convex_body beyond = body_at(&small, 0, -6.5, 0.299, 0.05);
    assert_int_equal(find(&facet, &beyond), 0);
    // over the border, with two corners beyond it
    const struct scree_convex_body across = body_at(&small, 0, -5, 0.299, 0.05);
    assert_int_equal(find(&facet, &across), 4);
    const struct scree_convex_gap gap = scree_convex_distance(&facet, &box);
    assert_true(fabs(gap.gap + 0.001) < 1e-15 && gap.normal.z == 1);
    const struct scree_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    assert_false(scree_convex_triangle_make(line, &triangle));
    scree_convex_free(&small);
}

// --- two dimensions

static void a_square_stands_on_two_corners(void **state)
{
    (void)state;
    struct scree_convex square;
    const struct scree_convex_def def = {.kind = SCREE_CONVEX_RECTANGLE, .length = {1, 1}};
    assert_int_equal(scree_convex_library(&def, &square), SCREE_OK);
    const struct scree_convex_body ground = body_at(&square, 0, 0, 0, 0.05);
    const struct scree_convex_body box = body_at(&square, 0.3, 1.099, 0, 0.05);
    assert_int_equal(find(&ground, &box), 2);
    assert_int_equal(contact[0].feature >> 30, SCREE_CONVEX_VERTEX_A);
    assert_int_equal(contact[1].feature >> 30, SCREE_CONVEX_VERTEX_B);
    for (int n = 0; n < 2; ++n)
        assert_true(fabs(contact[n].overlap - 0.001) < 1e-15 && fabs(contact[n].normal.y - 1) < 1e-15);
    struct scree_convex_overlap overlap;
    const struct scree_convex_body in = body_at(&square, 0.25, 0.5, 0, 0);
    assert_true(scree_convex_overlap(&ground, &in, &overlap));
    assert_true(fabs(overlap.volume - 0.375) < 1e-13 && fabs(overlap.centroid.x - 0.125) < 1e-13 &&
                fabs(overlap.centroid.y - 0.25) < 1e-13);
    assert_true(fabs(overlap.area.x - 0.5) < 1e-13 && fabs(overlap.area.y - 0.75) < 1e-13);
    assert_true(fabs(scree_convex_distance(&ground, &box).gap + 0.001) < 1e-15);
    scree_convex_free(&square);
}

// --- overlap

static void the_overlap_of_two_boxes_is_a_box(void **state)
{
    (void)state;
    struct scree_convex box;
    make_box(1, 1, 1, &box);
    struct scree_convex_overlap overlap;
    // one side on one of the other: the surface there counts once
    const struct scree_convex_body a = body_at(&box, 1, 2, 3, 0), b = body_at(&box, 1.75, 2, 3.5, 0);
    assert_true(scree_convex_overlap(&a, &b, &overlap));
    assert_true(fabs(overlap.volume - 0.125) < 1e-13);
    assert_true(fabs(overlap.centroid.x - 0.375) < 1e-13 && fabs(overlap.centroid.y) < 1e-13 &&
                fabs(overlap.centroid.z - 0.25) < 1e-13);
    const struct scree_convex_body touching = body_at(&box, 2, 2, 3, 0), apart = body_at(&box, 2.5, 2, 3, 0);
    assert_false(scree_convex_overlap(&a, &touching, &overlap));
    assert_false(scree_convex_overlap(&a, &apart, &overlap));
    assert_true(overlap.volume == 0);
    assert_true(scree_convex_overlap(&a, &a, &overlap));
    assert_true(fabs(overlap.volume - 1) < 1e-13);
    scree_convex_free(&box);
}

// Whether a face of each body are nearly in one plane: the gradient then changes within a small step.
static bool share_a_plane(const struct scree_convex_body *a, const struct scree_convex_body *b)
{
    const struct scree_vec3 shift = scree_vec3_sub(b->position, a->position);
    for (uint32_t f = 0; f < a->shape->faces; ++f)
        for (uint32_t g = 0; g < b->shape->faces; ++g) {
            const struct scree_vec3 n = scree_mat3_apply(a->rotation, a->shape->face[f].normal);
            const struct scree_vec3 m = scree_mat3_apply(b->rotation, b->shape->face[g].normal);
            const double cosine = scree_vec3_dot(n, m), sign = cosine > 0 ? 1 : -1;
            const double off =
                a->shape->face[f].offset - sign * b->shape->face[g].offset - scree_vec3_dot(n, shift);
            if (fabs(cosine) > 1 - 1e-8 && fabs(off) < 1e-3)
                return true;
        }
    return false;
}

// Moving and turning a body by a small step changes the volume by the area and the moment.
static void the_area_is_the_gradient_of_the_volume(void **state)
{
    (void)state;
    uint64_t seed = 4;
    int tested = 0;
    for (int n = 0; n < 3000; ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&convex_group_shapes, &seed, 0.4, &a, &b);
        struct scree_convex_overlap overlap;
        if (!scree_convex_overlap(&a, &b, &overlap) || overlap.volume < 1e-4 || share_a_plane(&a, &b))
            continue;
        struct scree_convex_overlap other;
        assert_true(scree_convex_overlap(&b, &a, &other));
        assert_true(other.volume == overlap.volume && other.area.x == -overlap.area.x);
        const double slope[6] = {-overlap.area.x,   -overlap.area.y,   -overlap.area.z,
                                 -overlap.moment.x, -overlap.moment.y, -overlap.moment.z};
        for (int k = 0; k < 6; ++k) {
            const double step = 1e-6;
            const struct scree_convex_body up = moved(&a, b, k, step), down = moved(&a, b, k, -step);
            struct scree_convex_overlap high, low;
            (void)scree_convex_overlap(&a, &up, &high);
            (void)scree_convex_overlap(&a, &down, &low);
            // the volume has round-offs and a margin of 1e-13, which the step divides; its second derivative
            // is an area over the sine of the angle of two faces
            const double found = (high.volume - low.volume) / (2 * step);
            assert_true(fabs(found - slope[k]) < 1e-4);
        }
        ++tested;
    }
    assert_true(tested > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_the_gradient_of_the_energy),
        cmocka_unit_test(a_box_stands_on_its_four_corners),
        cmocka_unit_test(keys_last_while_a_box_slides),
        cmocka_unit_test(a_ball_touches_a_box_as_a_tiny_body),
        cmocka_unit_test(a_box_rests_on_a_triangle),
        cmocka_unit_test(a_square_stands_on_two_corners),
        cmocka_unit_test(the_overlap_of_two_boxes_is_a_box),
        cmocka_unit_test(the_area_is_the_gradient_of_the_volume),
    };
    return cmocka_run_group_tests(tests, convex_group_begin, convex_group_end);
}
