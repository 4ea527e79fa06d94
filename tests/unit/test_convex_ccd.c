// Distances and penetrations of convex bodies against libccd, an independent library (GJK and EPA).

#include "convex/pair.h"
#include "support/convex_pairs.h"

#include <ccd/ccd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

// The vertex that is farthest along a direction.
static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const struct scree_convex_body *body = object;
    struct scree_vec3 best = scree_vec3_zero();
    double height = -(double)INFINITY;
    for (uint32_t v = 0; v < body->shape->vertices; ++v) {
        const struct scree_vec3 p =
            scree_vec3_add(scree_mat3_apply(body->rotation, body->shape->vertex[v]), body->position);
        const double other = p.x * direction->v[0] + p.y * direction->v[1] + p.z * direction->v[2];
        if (other > height) {
            height = other;
            best = p;
        }
    }
    ccdVec3Set(out, best.x, best.y, best.z);
}

// How far b must move along a direction to be beyond a.
static double overlap_along(const struct scree_convex_body *a, const struct scree_convex_body *b,
                            const ccd_vec3_t *direction)
{
    ccd_vec3_t back = *direction, p, q;
    ccdVec3Scale(&back, -1);
    support(a, direction, &p);
    support(b, &back, &q);
    ccdVec3Sub(&p, &q);
    return ccdVec3Dot(&p, direction) / sqrt(ccdVec3Len2(direction));
}

static int rounds(int count)
{
    const char *text = getenv("SCREE_FUZZ_ROUNDS");
    const int factor = text != NULL ? atoi(text) : 1;
    return factor > 0 ? factor * count : count;
}

// Both agree whether bodies overlap, unless they touch within 1e-5 (slivers are 1e-6 thick). The extent of
// the overlap along any direction is at least the length of the shortest translation. The search of libccd
// ends before the shortest one for some bodies with slivers and parallel faces, which are counted.
static void penetrations_are_not_longer_than_those_of_libccd(void **state)
{
    (void)state;
    static struct convex_shapes shapes;
    convex_shapes_make(&shapes, 1);
    uint64_t seed = 5;
    int overlapping = 0, longer = 0, differ = 0;
    const int pairs = rounds(20000);
    for (int n = 0; n < pairs; ++n) {
        struct scree_convex_body a, b;
        convex_draw_pair(&shapes, &seed, 0.3, &a, &b);
        const double gap = scree_convex_distance(&a, &b).gap;
        ccd_t ccd;
        CCD_INIT(&ccd);
        ccd.support1 = ccd.support2 = support;
        ccd.max_iterations = 500;
        ccd.epa_tolerance = 1e-8;
        ccd_real_t depth = 0;
        ccd_vec3_t direction, position;
        if (fabs(gap) < 1e-5)
            continue;
        if (ccdGJKIntersect(&a, &b, &ccd) != (gap < 0)) {
            ++differ;
            assert_int_equal(convex_exhaustive_gap(&a, &b, NULL) < 0, gap < 0);
        }
        if (gap > 0 || ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) != 0)
            continue;
        ++overlapping;
        // its direction may also be no number
        if (!(ccdVec3Len2(&direction) > 0)) {
            ++longer;
            continue;
        }
        const double other = overlap_along(&a, &b, &direction);
        if (!(-gap < other + 1e-9))
            fail_msg("pair %d: depth %.9g, along libccd's direction %.9g", n, -gap, other);
        longer += other > -gap + 1e-5;
    }
    print_message("%d pairs, %d overlap, libccd differs in %d and has a longer translation in %d\n", pairs,
                  overlapping, differ, longer);
    assert_true(overlapping > pairs / 10);
    assert_true(differ <= pairs / 1000 && longer <= overlapping / 10);
    convex_shapes_free(&shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(penetrations_are_not_longer_than_those_of_libccd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
