// The elementary functions against MPFR: the largest error over random and difficult arguments, the special
// values of the C standard, and one digest of their bits that must be equal for every compiler and machine.
#include "math/elementary.h"
#include "math_inputs.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

// the references carry 200 bits, so their own error is below 2^-140 ulp of a double
#define REFERENCE_BITS 200
#define ARGUMENTS 50000

// the documented bound, in units of the last place
#define MAX_ERROR 1.0

typedef double unary(double x);
typedef int unary_reference(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding);

// the error of `got` in units of the last place of the reference. The exponent is unbounded above, so an
// infinity counts as 2^1024, and bounded below, so the unit of a subnormal is 2^-1074
static double error_in_ulp(double got, mpfr_t reference)
{
    if (mpfr_nan_p(reference) || got != got) {
        return mpfr_nan_p(reference) && got != got ? 0.0 : (double)INFINITY;
    }
    if (mpfr_inf_p(reference) || mpfr_zero_p(reference)) {
        return mpfr_get_d(reference, MPFR_RNDN) == got ? 0.0 : (double)INFINITY;
    }
    mpfr_exp_t exponent = mpfr_get_exp(reference);
    if (fabs(got) == (double)INFINITY && exponent > 1024) {
        return (got < 0.0) == (mpfr_sgn(reference) < 0) ? 0.0 : (double)INFINITY;
    }
    long unit = exponent - 53 < -1074 ? -1074 : (long)exponent - 53;
    mpfr_t difference;
    mpfr_init2(difference, REFERENCE_BITS);
    if (fabs(got) == (double)INFINITY) {
        mpfr_set_si_2exp(difference, got < 0.0 ? -1 : 1, 1024, MPFR_RNDN);
    } else {
        mpfr_set_d(difference, got, MPFR_RNDN);
    }
    mpfr_sub(difference, difference, reference, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, -unit, MPFR_RNDN);
    double error = fabs(mpfr_get_d(difference, MPFR_RNDU));
    mpfr_clear(difference);
    return error;
}

static double unary_error(unary *function, unary_reference *reference, double x)
{
    mpfr_t argument;
    mpfr_t result;
    mpfr_init2(argument, 53);
    mpfr_init2(result, REFERENCE_BITS);
    mpfr_set_d(argument, x, MPFR_RNDN);
    reference(result, argument, MPFR_RNDN);
    double error = error_in_ulp(function(x), result);
    mpfr_clear(argument);
    mpfr_clear(result);
    return error;
}

static double power_error(double x, double y)
{
    mpfr_t base;
    mpfr_t power;
    mpfr_t result;
    mpfr_init2(base, 53);
    mpfr_init2(power, 53);
    mpfr_init2(result, REFERENCE_BITS);
    mpfr_set_d(base, x, MPFR_RNDN);
    mpfr_set_d(power, y, MPFR_RNDN);
    mpfr_pow(result, base, power, MPFR_RNDN);
    double error = error_in_ulp(scree_pow(x, y), result);
    mpfr_clear(base);
    mpfr_clear(power);
    mpfr_clear(result);
    return error;
}

typedef double draw(struct inputs *in);

static double any_finite(struct inputs *in)
{
    for (;;) {
        double x = scree_real_from_bits(inputs_bits(in));
        if (x - x == 0.0) {
            return x;
        }
    }
}

static double any_positive(struct inputs *in)
{
    return fabs(any_finite(in));
}

static double within_a_turn(struct inputs *in)
{
    return inputs_uniform(in, -7.0, 7.0);
}

// within a few units of the last place of a multiple of pi/2, where cancellation leaves only the reduced
// argument
static double near_quarter_turns(struct inputs *in)
{
    double x = (double)(inputs_bits(in) >> (12 + inputs_bits(in) % 52)) * SCREE_HALF_PI;
    return scree_real_from_bits(scree_real_bits(x) + inputs_bits(in) % 5);
}

static double exponent_range(struct inputs *in)
{
    return inputs_uniform(in, -750.0, 712.0);
}

static double small_exponent(struct inputs *in)
{
    return inputs_spread(in, -60, 2);
}

static double near_one(struct inputs *in)
{
    return 1.0 + inputs_spread(in, -53, -2);
}

static double cosine_range(struct inputs *in)
{
    return inputs_uniform(in, -1.0, 1.0);
}

static double near_ends(struct inputs *in)
{
    double x = 1.0 - fabs(inputs_spread(in, -53, -2));
    return inputs_bits(in) & 1U ? -x : x;
}

static double tiny(struct inputs *in)
{
    return inputs_spread(in, -1074, -2);
}

static void check_unary(const char *name, unary *function, unary_reference *reference, draw *const *draws,
                        uint64_t seed)
{
    double largest = 0.0;
    struct inputs in = {seed};
    for (; *draws != NULL; ++draws) {
        for (int i = 0; i < ARGUMENTS; ++i) {
            double x = (*draws)(&in);
            double error = unary_error(function, reference, x);
            if (!(error < MAX_ERROR)) {
                fail_msg("%s(%a) = %a has an error of %g ulp", name, x, function(x), error);
            }
            largest = scree_real_max(largest, error);
        }
    }
    print_message("%s: largest error %.3f ulp\n", name, largest);
}

static void sin_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {any_finite, within_a_turn, near_quarter_turns, tiny, NULL};
    check_unary("sin", scree_sin, mpfr_sin, draws, 1);
}

static void cos_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {any_finite, within_a_turn, near_quarter_turns, tiny, NULL};
    check_unary("cos", scree_cos, mpfr_cos, draws, 2);
}

static void asin_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {cosine_range, near_ends, tiny, NULL};
    check_unary("asin", scree_asin, mpfr_asin, draws, 3);
}

static void acos_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {cosine_range, near_ends, tiny, NULL};
    check_unary("acos", scree_acos, mpfr_acos, draws, 4);
}

static void exp_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {any_finite, exponent_range, small_exponent, NULL};
    check_unary("exp", scree_exp, mpfr_exp, draws, 5);
}

static void log_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {any_positive, near_one, NULL};
    check_unary("log", scree_log, mpfr_log, draws, 6);
}

static void cbrt_is_within_an_ulp(void **state)
{
    (void)state;
    draw *const draws[] = {any_finite, within_a_turn, NULL};
    check_unary("cbrt", scree_cbrt, mpfr_cbrt, draws, 7);
}

// pow multiplies the logarithm by up to 2^10 ulp of its result, so it needs these extra bits
static void log_as_a_pair_is_accurate_to_68_bits(void **state)
{
    (void)state;
    struct inputs in = {11};
    mpfr_t reference;
    mpfr_t difference;
    mpfr_init2(reference, REFERENCE_BITS);
    mpfr_init2(difference, REFERENCE_BITS);
    for (int i = 0; i < 2 * ARGUMENTS; ++i) {
        double x = i % 2 ? near_one(&in) : any_positive(&in);
        struct scree_exact pair = scree_power_log_kernel(x);
        mpfr_set_d(reference, x, MPFR_RNDN);
        mpfr_log(reference, reference, MPFR_RNDN);
        mpfr_sub_d(difference, reference, pair.hi, MPFR_RNDN);
        mpfr_sub_d(difference, difference, pair.lo, MPFR_RNDN);
        mpfr_div(difference, difference, reference, MPFR_RNDN);
        if (x != 1.0 && !(fabs(mpfr_get_d(difference, MPFR_RNDN)) < 0x1p-68)) {
            fail_msg("log(%a) = %a + %a is not accurate to 68 bits", x, pair.hi, pair.lo);
        }
    }
    mpfr_clear(reference);
    mpfr_clear(difference);
}

// the double closest to a multiple of pi/2, and the ends of each branch of the reduction
static void sin_and_cos_are_within_an_ulp_at_the_hardest_arguments(void **state)
{
    (void)state;
    const double hardest[] = {0x1.6ac5b262ca1ffp+849,
                              SCREE_HALF_PI / 2.0,
                              nextafter(SCREE_HALF_PI / 2.0, 1.0),
                              0x1p20,
                              nextafter(0x1p20, 0.0),
                              0x1.fffffffffffffp1023,
                              0x1p1023,
                              SCREE_HALF_PI,
                              SCREE_PI,
                              0x1p-1074};
    for (size_t i = 0; i < sizeof hardest / sizeof hardest[0]; ++i) {
        assert_true(unary_error(scree_sin, mpfr_sin, hardest[i]) < MAX_ERROR);
        assert_true(unary_error(scree_cos, mpfr_cos, hardest[i]) < MAX_ERROR);
        assert_true(unary_error(scree_sin, mpfr_sin, -hardest[i]) < MAX_ERROR);
        assert_true(unary_error(scree_cos, mpfr_cos, -hardest[i]) < MAX_ERROR);
    }
}

static void exp_is_within_an_ulp_at_overflow_and_underflow(void **state)
{
    (void)state;
    const double ends[] = {SCREE_POWER_EXP_MAX, SCREE_POWER_EXP_MIN, -708.39641853226408,
                           -744.44007192138122};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        assert_true(unary_error(scree_exp, mpfr_exp, ends[i]) < MAX_ERROR);
        assert_true(unary_error(scree_exp, mpfr_exp, nextafter(ends[i], 0.0)) < MAX_ERROR);
        assert_true(unary_error(scree_exp, mpfr_exp, nextafter(ends[i], 2.0 * ends[i])) < MAX_ERROR);
    }
}

// y such that x^y covers all exponents, and slightly more
static double power_for(struct inputs *in, double x)
{
    double logarithm = scree_log(fabs(x));
    return logarithm == 0.0 ? 1.5 : inputs_uniform(in, -750.0, 715.0) / logarithm;
}

static void pow_is_within_an_ulp(void **state)
{
    (void)state;
    double largest = 0.0;
    struct inputs in = {8};
    for (int i = 0; i < 4 * ARGUMENTS; ++i) {
        double x = any_positive(&in);
        double y = inputs_uniform(&in, -3.0, 3.0);
        if (i % 4 == 1) {
            y = power_for(&in, x);
        } else if (i % 4 == 2) {
            x = near_one(&in);
            y = power_for(&in, x);
        } else if (i % 4 == 3) {
            x = inputs_uniform(&in, -40.0, 40.0);
            y = scree_real_round(inputs_uniform(&in, -300.0, 300.0));
        }
        double error = power_error(x, y);
        if (!(error < MAX_ERROR)) {
            fail_msg("pow(%a, %a) = %a has an error of %g ulp", x, y, scree_pow(x, y), error);
        }
        largest = scree_real_max(largest, error);
    }
    print_message("pow: largest error %.3f ulp\n", largest);
}

static void assert_same(const char *name, double x, double got, double expected)
{
    int both_nan = got != got && expected != expected;
    if (!both_nan && scree_real_bits(got) != scree_real_bits(expected)) {
        fail_msg("%s(%a) = %a, not %a", name, x, got, expected);
    }
}

static void special_arguments_give_the_values_of_the_c_standard(void **state)
{
    (void)state;
    const double infinity = (double)INFINITY;
    const double not_a_number = (double)NAN;
    const struct {
        const char *name;
        unary *function;
        double x, expected;
    } cases[] = {
        {"sin", scree_sin, 0.0, 0.0},
        {"sin", scree_sin, -0.0, -0.0},
        {"sin", scree_sin, infinity, not_a_number},
        {"sin", scree_sin, not_a_number, not_a_number},
        {"sin", scree_sin, -0x1p-1074, -0x1p-1074},
        {"cos", scree_cos, -0.0, 1.0},
        {"cos", scree_cos, -infinity, not_a_number},
        {"cos", scree_cos, not_a_number, not_a_number},
        {"asin", scree_asin, -0.0, -0.0},
        {"asin", scree_asin, -1.0, -SCREE_HALF_PI},
        {"asin", scree_asin, nextafter(1.0, 2.0), not_a_number},
        {"asin", scree_asin, not_a_number, not_a_number},
        {"acos", scree_acos, 1.0, 0.0},
        {"acos", scree_acos, -1.0, SCREE_PI},
        {"acos", scree_acos, 0.0, SCREE_HALF_PI},
        {"acos", scree_acos, -2.0, not_a_number},
        {"acos", scree_acos, infinity, not_a_number},
        {"acos", scree_acos, not_a_number, not_a_number},
        {"exp", scree_exp, -0.0, 1.0},
        {"exp", scree_exp, infinity, infinity},
        {"exp", scree_exp, -infinity, 0.0},
        {"exp", scree_exp, 1000.0, infinity},
        {"exp", scree_exp, -1000.0, 0.0},
        {"exp", scree_exp, not_a_number, not_a_number},
        {"log", scree_log, 1.0, 0.0},
        {"log", scree_log, 0.0, -infinity},
        {"log", scree_log, -0.0, -infinity},
        {"log", scree_log, -1.0, not_a_number},
        {"log", scree_log, -infinity, not_a_number},
        {"log", scree_log, infinity, infinity},
        {"log", scree_log, not_a_number, not_a_number},
        {"cbrt", scree_cbrt, -0.0, -0.0},
        {"cbrt", scree_cbrt, 0.0, 0.0},
        {"cbrt", scree_cbrt, -27.0, -3.0},
        {"cbrt", scree_cbrt, 0x1p-1074, 0x1p-358},
        {"cbrt", scree_cbrt, -infinity, -infinity},
        {"cbrt", scree_cbrt, not_a_number, not_a_number},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_same(cases[i].name, cases[i].x, cases[i].function(cases[i].x), cases[i].expected);
    }
}

// MPFR follows annex F of the C standard too, so it is the reference for all pairs of special values
static void pow_of_special_pairs_gives_the_values_of_the_c_standard(void **state)
{
    (void)state;
    const double infinity = (double)INFINITY;
    const double values[] = {
        0.0,     0.5,  1.0,    1.5,   2.0,   3.0,      0x1p53,        0x1.fffffffffffffp52, 0x1p-1074,
        0x1p-53, 1e30, 1e-300, 1e300, 710.0, infinity, 1.0 - 0x1p-53, 1.0 + 0x1p-52,        (double)NAN};
    const int count = (int)(sizeof values / sizeof values[0]);
    mpfr_t base;
    mpfr_t power;
    mpfr_t result;
    mpfr_init2(base, 53);
    mpfr_init2(power, 53);
    mpfr_init2(result, REFERENCE_BITS);
    for (int i = 0; i < 4 * count * count; ++i) {
        double x = i & 1 ? -values[i / 4 % count] : values[i / 4 % count];
        double y = i & 2 ? -values[i / 4 / count] : values[i / 4 / count];
        mpfr_set_d(base, x, MPFR_RNDN);
        mpfr_set_d(power, y, MPFR_RNDN);
        mpfr_pow(result, base, power, MPFR_RNDN);
        double got = scree_pow(x, y);
        if (!(error_in_ulp(got, result) < MAX_ERROR) ||
            (got == got && !signbit(got) != !mpfr_signbit(result))) {
            fail_msg("pow(%a, %a) = %a", x, y, got);
        }
    }
    mpfr_clear(base);
    mpfr_clear(power);
    mpfr_clear(result);
}

static void sincos_is_sin_and_cos(void **state)
{
    (void)state;
    struct inputs in = {9};
    for (int i = 0; i < ARGUMENTS; ++i) {
        double x = i % 2 ? any_finite(&in) : within_a_turn(&in);
        struct scree_sincos both = scree_sincos(x);
        assert_same("sin", x, both.sin, scree_sin(x));
        assert_same("cos", x, both.cos, scree_cos(x));
    }
}

// the digest depends only on coefficients and the order of operations, so it detects builds that reorder or
// contract operations, or keep extra bits
static void bits_are_the_same_on_every_machine(void **state)
{
    (void)state;
    struct inputs in = {10};
    struct inputs digest = {0};
    for (int i = 0; i < ARGUMENTS; ++i) {
        double wide = any_finite(&in);
        double turn = within_a_turn(&in);
        double unit = cosine_range(&in);
        double values[] = {scree_sin(wide),
                           scree_cos(wide),
                           scree_sin(turn),
                           scree_cos(turn),
                           scree_asin(unit),
                           scree_acos(unit),
                           scree_exp(100.0 * turn),
                           scree_log(fabs(wide)),
                           scree_pow(fabs(wide), unit),
                           scree_pow(2.0 + unit, 50.0 * turn),
                           scree_cbrt(wide)};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
            digest.state ^= scree_real_bits(values[k]);
            digest.state = inputs_bits(&digest);
        }
    }
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)digest.state);
    assert_string_equal(text, "562d1e72ca6a0131");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sin_is_within_an_ulp),
        cmocka_unit_test(cos_is_within_an_ulp),
        cmocka_unit_test(asin_is_within_an_ulp),
        cmocka_unit_test(acos_is_within_an_ulp),
        cmocka_unit_test(exp_is_within_an_ulp),
        cmocka_unit_test(log_is_within_an_ulp),
        cmocka_unit_test(cbrt_is_within_an_ulp),
        cmocka_unit_test(pow_is_within_an_ulp),
        cmocka_unit_test(log_as_a_pair_is_accurate_to_68_bits),
        cmocka_unit_test(sin_and_cos_are_within_an_ulp_at_the_hardest_arguments),
        cmocka_unit_test(exp_is_within_an_ulp_at_overflow_and_underflow),
        cmocka_unit_test(special_arguments_give_the_values_of_the_c_standard),
        cmocka_unit_test(pow_of_special_pairs_gives_the_values_of_the_c_standard),
        cmocka_unit_test(sincos_is_sin_and_cos),
        cmocka_unit_test(bits_are_the_same_on_every_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
