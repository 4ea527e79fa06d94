// The interface of contact laws, called directly with the spring law of spring_law.h: replies are compared
// with the closed form of a spring with friction. Included by one test for each number type.

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

// round-off of about eight operations in the number type
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

static void evaluating_a_state_twice_gives_the_same_result(void **state)
{
    (void)state;
    const struct scree_law_contact contact = {.overlap = (SCREE_REAL)0.01,
                                              .tangential_displacement = {(SCREE_REAL)0.001, 0, 0}};
    const SCREE_REAL before[3] = {(SCREE_REAL)0.002, 0, 0};
    SCREE_REAL once[3], twice[3];
    const struct scree_law_reply a = spring_law.force(parameters, &contact, before, once);
    const struct scree_law_reply b = spring_law.force(parameters, &contact, before, twice);
    assert_memory_equal(once, twice, sizeof once);
    assert_true(a.normal == b.normal && a.force.x == b.force.x);
    // the evaluation changes the history
    assert_true(once[0] != before[0]);
}

static void the_stiffness_is_the_slope_of_the_force(void **state)
{
    (void)state;
    const SCREE_REAL none[3] = {0};
    SCREE_REAL after[3];
    const struct scree_law_contact less = {.overlap = (SCREE_REAL)0.25}, more = {.overlap = (SCREE_REAL)0.5};
    const struct scree_law_reply low = spring_law.force(parameters, &less, none, after);
    const struct scree_law_reply high = spring_law.force(parameters, &more, none, after);
    const SCREE_REAL slope = (high.normal - low.normal) / (more.overlap - less.overlap);
    assert_near(slope, low.stiffness[0], low.stiffness[0]);
}

static void slip_is_counted_as_frictional_dissipation(void **state)
{
    (void)state;
    // Coulomb limit 0.5 * 1000 * 0.01 = 5 N, a spring of 5 mm; of 20 mm slip, 15 mm dissipate energy at 5 N
    const struct scree_law_contact contact = {.overlap = (SCREE_REAL)0.01,
                                              .tangential_displacement = {(SCREE_REAL)0.02, 0, 0}};
    const SCREE_REAL none[3] = {0};
    SCREE_REAL after[3];
    const struct scree_law_reply reply = spring_law.force(parameters, &contact, none, after);
    assert_near(reply.force.x, -5, 5);
    assert_near(reply.friction, (SCREE_REAL)0.075, (SCREE_REAL)0.1);
    assert_near(reply.stored, (SCREE_REAL)0.0625, (SCREE_REAL)0.0625);
}

static void a_contact_that_ends_clears_its_history(void **state)
{
    (void)state;
    const struct scree_law_contact contact = {.overlap = -1};
    const SCREE_REAL before[3] = {1, 2, 3};
    SCREE_REAL after[3] = {9, 9, 9};
    const struct scree_law_reply reply = spring_law.force(parameters, &contact, before, after);
    assert_true(reply.live == 0);
    assert_true(after[0] == 0 && after[1] == 0 && after[2] == 0);
    assert_true(reply.normal == 0 && reply.stored == 0 && reply.dashpot == 0);
}

static void a_law_is_a_complete_table(void **state)
{
    (void)state;
    assert_int_equal(spring_law.version, SCREE_LAW_VERSION);
    assert_true(spring_law.name && spring_law.about && spring_law.dimensions);
    assert_true(spring_law.prepare && spring_law.range && spring_law.force);
    unsigned count = 0;
    for (const struct scree_law_parameter *p = spring_law.parameters; p->name; ++p, ++count)
        assert_true(p->least <= p->most && p->about && p->unit);
    assert_int_equal(count, sizeof parameters / sizeof parameters[0]);
    assert_true(count <= SCREE_LAW_PARAMETERS && count <= SCREE_LAW_CONSTANTS);
    unsigned history = 0;
    for (const struct scree_law_value *v = spring_law.values; v->name; history += v++->width)
        assert_true(v->unit && v->about && (v->width == 3 || v->width == 1));
    assert_int_equal(history, 3);
    assert_true(history <= SCREE_LAW_HISTORY);
}

static void constants_come_from_the_parameters_of_a_pair(void **state)
{
    (void)state;
    const double constants_of_pair[] = {1000, 2, 0.5};
    struct scree_law_pair pair = {.parameter = constants_of_pair, .dimension = 3};
    double constants[SCREE_LAW_CONSTANTS];
    assert_null(spring_law.prepare(&pair, constants));
    assert_true(constants[SPRING_STIFFNESS] == 1000 && constants[SPRING_FRICTION] == 0.5);
    assert_true(spring_law.range(constants, 1) == 0);
    pair.dimension = 2;
    assert_non_null(spring_law.prepare(&pair, constants));
}

static int run_law_claims(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluating_a_state_twice_gives_the_same_result),
        cmocka_unit_test(the_stiffness_is_the_slope_of_the_force),
        cmocka_unit_test(slip_is_counted_as_frictional_dissipation),
        cmocka_unit_test(a_contact_that_ends_clears_its_history),
        cmocka_unit_test(a_law_is_a_complete_table),
        cmocka_unit_test(constants_come_from_the_parameters_of_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
