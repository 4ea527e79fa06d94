// The verdicts of `scree verify` (verify/report.c): a row passes within its tolerance and fails beyond it,
// and NaN never passes. Expected verdicts follow from the numbers of each row.

#include "verify/report.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct scree_report make_report(double scale)
{
    const struct scree_report report = {.tolerance_scale = scale};
    return report;
}

static void assert_rows(const struct scree_report *report, size_t passed, size_t failed)
{
    assert_int_equal(report->passed, passed);
    assert_int_equal(report->failed, failed);
}

static void a_row_passes_up_to_its_tolerance(void **state)
{
    (void)state;
    struct scree_report report = make_report(1);
    struct scree_trial trial = {.report = &report};
    scree_report_near(&trial, 2, 2.25, 0.25, "at the tolerance");
    scree_report_near(&trial, 2, 1.75, 0.25, "below, at the tolerance");
    scree_report_near(&trial, 2, 2, 0, "exact");
    scree_report_at_most(&trial, 0.5, 0.5, "at the limit");
    scree_report_zero(&trial, 0, "none");
    assert_rows(&report, 5, 0);
}

static void a_row_beyond_its_tolerance_fails(void **state)
{
    (void)state;
    struct scree_report report = make_report(1);
    struct scree_trial trial = {.report = &report};
    scree_report_near(&trial, 2, nextafter(2.25, 3), 0.25, "above");
    scree_report_near(&trial, 2, nextafter(1.75, 1), 0.25, "below");
    scree_report_at_most(&trial, 0.5, nextafter(0.5, 1), "above");
    scree_report_zero(&trial, 1, "one");
    assert_rows(&report, 0, 4);
}

static void a_value_that_is_not_finite_fails(void **state)
{
    (void)state;
    struct scree_report report = make_report(1);
    struct scree_trial trial = {.report = &report};
    const double nan = (double)NAN, infinity = (double)INFINITY;
    scree_report_near(&trial, 2, nan, infinity, "computed");
    scree_report_near(&trial, nan, 2, infinity, "expected");
    scree_report_near(&trial, 2, 2, nan, "tolerance");
    scree_report_near(&trial, infinity, infinity, 1, "both infinite");
    scree_report_at_most(&trial, 1, infinity, "infinite");
    assert_rows(&report, 0, 5);
}

static void a_tolerance_scale_of_zero_requires_equality(void **state)
{
    (void)state;
    struct scree_report report = make_report(0);
    struct scree_trial trial = {.report = &report};
    scree_report_near(&trial, 2, 2, 0.25, "exact");
    scree_report_near(&trial, 2, nextafter(2, 3), 0.25, "one rounding above");
    scree_report_at_most(&trial, 0.5, 1e-300, "above zero");
    assert_rows(&report, 1, 2);
}

static void an_unchecked_value_has_no_verdict(void **state)
{
    (void)state;
    struct scree_report report = make_report(1);
    struct scree_trial trial = {.report = &report};
    scree_report_unchecked(&trial, 0, 1e300, "not checked");
    assert_rows(&report, 0, 0);
    assert_int_equal(report.unchecked, 1);
}

static void a_case_fails_if_it_stops_early_or_has_no_rows(void **state)
{
    (void)state;
    struct scree_report report = make_report(1);
    struct scree_trial trial = {.report = &report};
    scree_report_open_case(&report, "family/error", "ends with an error");
    scree_report_near(&trial, 2, 2, 0, "exact");
    scree_report_close_case(&report, scree_status_fail(SCREE_ERROR_IO, "no file"), 0);
    assert_int_equal(report.failed, 1);
    scree_report_open_case(&report, "family/empty", "has no rows");
    scree_report_close_case(&report, SCREE_OK, 0);
    assert_int_equal(report.failed, 2);
    scree_report_open_case(&report, "family/good", "passes");
    scree_report_near(&trial, 2, 2, 0, "exact");
    scree_report_close_case(&report, SCREE_OK, 0);
    assert_int_equal(report.failed, 2);
    assert_int_equal(report.failed_cases, 2);
}

static void an_order_is_the_mean_over_halvings(void **state)
{
    (void)state;
    const double second[] = {16, 4, 1, 0.25, 0.0625}, constant[] = {1, 1, 1};
    assert_true(scree_report_order(second, 5) == 2);
    assert_true(scree_report_order(constant, 3) == 0);
}

static void the_larger_of_two_errors_is_nan_if_one_is(void **state)
{
    (void)state;
    assert_true(scree_report_larger(1, 2) == 2);
    assert_true(scree_report_larger(2, 1) == 2);
    assert_true(isnan(scree_report_larger((double)NAN, 1)));
    assert_true(isnan(scree_report_larger(1, (double)NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_passes_up_to_its_tolerance),
        cmocka_unit_test(a_row_beyond_its_tolerance_fails),
        cmocka_unit_test(a_value_that_is_not_finite_fails),
        cmocka_unit_test(a_tolerance_scale_of_zero_requires_equality),
        cmocka_unit_test(an_unchecked_value_has_no_verdict),
        cmocka_unit_test(a_case_fails_if_it_stops_early_or_has_no_rows),
        cmocka_unit_test(an_order_is_the_mean_over_halvings),
        cmocka_unit_test(the_larger_of_two_errors_is_nan_if_one_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
