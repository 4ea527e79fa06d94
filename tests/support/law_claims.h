// Claims about the contact-law interface that hold in any number type; included by one test for each type.

#ifndef SCREE_TESTS_LAW_CLAIMS_H
#define SCREE_TESTS_LAW_CLAIMS_H

#include "support/spring_law.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const SCREE_REAL parameters[] = {1000, 2, (SCREE_REAL)0.5};

// round-off of a handful of operations in the number type at hand
static SCREE_REAL round_off(SCREE_REAL size)
{
    const SCREE_REAL epsilon =
        sizeof(SCREE_REAL) == sizeof(float) ? (SCREE_REAL)FLT_EPSILON : (SCREE_REAL)DBL_EPSILON;
    return 8 * epsilon * size;
}

static void assert_near(SCREE_REAL got, SCREE_REAL expected, SCREE_REAL size)
{
    const SCREE_REAL error = got > expected ? got - expected : expected - got;
    if (!(error <= round_off(size)))
        fail_msg("got %.17g, expected %.17g", (double)got, (double)expected);
}

static void trying_a_state_twice_commits_nothing(void **state)
{
    (void)state;
    const struct scree_law_contact contact = {.overlap = (SCREE_REAL)0.01,
                                              .slide = {(SCREE_REAL)0.001, 0, 0}};
    const SCREE_REAL before[3] = {(SCREE_REAL)0.002, 0, 0};
    SCREE_REAL once[3], twice[3];
    const struct scree_law_reply a = spring_law.force(parameters, &contact, before, once);
    const struct scree_law_reply b = spring_law.force(parameters, &contact, before, twice);
    assert_memory_equal(once, twice, sizeof once);
    assert_true(a.normal == b.normal && a.force[0] == b.force[0]);
    // and the try did change something
    assert_true(once[0] != before[0]);
}

static void the_stiffness_is_the_slope_of_the_force(void **state)
{
    (void)state;
    const SCREE_REAL none[3] = {0};
    SCREE_REAL after[3], stiffness[2];
    const struct scree_law_contact less = {.overlap = (SCREE_REAL)0.25}, more = {.overlap = (SCREE_REAL)0.5};
    spring_law.stiffness(parameters, &less, none, stiffness);
    const SCREE_REAL slope = (spring_law.force(parameters, &more, none, after).normal -
                              spring_law.force(parameters, &less, none, after).normal) /
                             (more.overlap - less.overlap);
    assert_near(slope, stiffness[0], stiffness[0]);
}

static void what_slips_is_booked_as_lost(void **state)
{
    (void)state;
    // cap 0.5 * 1000 * 0.01 = 5 N is a way of 5 mm; of 20 mm slid, 15 mm are lost at 5 N
    const struct scree_law_contact contact = {.overlap = (SCREE_REAL)0.01, .slide = {(SCREE_REAL)0.02, 0, 0}};
    const SCREE_REAL none[3] = {0};
    SCREE_REAL after[3];
    const struct scree_law_reply reply = spring_law.force(parameters, &contact, none, after);
    assert_near(reply.force[0], -5, 5);
    assert_near(reply.friction, (SCREE_REAL)0.075, (SCREE_REAL)0.1);
    assert_near(reply.stored, (SCREE_REAL)0.0625, (SCREE_REAL)0.0625);
}

static void a_contact_that_ends_forgets(void **state)
{
    (void)state;
    const struct scree_law_contact contact = {.overlap = -1};
    const SCREE_REAL before[3] = {1, 2, 3};
    SCREE_REAL after[3] = {9, 9, 9};
    const struct scree_law_reply reply = spring_law.force(parameters, &contact, before, after);
    assert_false(reply.live);
    assert_true(after[0] == 0 && after[1] == 0 && after[2] == 0);
    assert_true(reply.normal == 0 && reply.stored == 0 && reply.dashpot == 0);
}

static void a_law_is_a_complete_table(void **state)
{
    (void)state;
    assert_true(spring_law.history <= SCREE_LAW_HISTORY && 3 * spring_law.vectors <= spring_law.history);
    assert_true(spring_law.reach && spring_law.force && spring_law.stiffness);
    unsigned count = 0;
    for (const struct scree_law_parameter *p = spring_law.parameters; p->name; ++p, ++count)
        assert_true(p->least <= p->most && p->about && p->unit);
    assert_int_equal(count, sizeof parameters / sizeof parameters[0]);
    assert_true(spring_law.reach(parameters, 1) == 0);
}

static int run_law_claims(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trying_a_state_twice_commits_nothing),
        cmocka_unit_test(the_stiffness_is_the_slope_of_the_force),
        cmocka_unit_test(what_slips_is_booked_as_lost),
        cmocka_unit_test(a_contact_that_ends_forgets),
        cmocka_unit_test(a_law_is_a_complete_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
