// Decimal text: reading gives the nearest double, compared with MPFR, and written text is read as the same
// bits, also by strtod.

#include "support/worlds.h"
#include "text/decimal.h"

#include <locale.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 7;

static void assert_nearest(const char *text)
{
    mpfr_t exact;
    double value;
    mpfr_init2(exact, 1200);
    assert_int_equal(mpfr_set_str(exact, text, 10, MPFR_RNDN), 0);
    const double expected = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_clear(exact);
    if (!scree_decimal_read(text, strlen(text), &value) || memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s' is %a, not %a", text, expected, value);
}

// A random double with its binary exponent in a range.
static double draw(int min_exponent, int max_exponent)
{
    const uint64_t bits = splitmix_next(&seed);
    const uint64_t exponent =
        (uint64_t)(min_exponent + 1023) + bits % (uint64_t)(max_exponent - min_exponent + 1);
    const uint64_t changed_bits = (bits & 0x800fffffffffffff) | exponent << 52;
    double value;
    memcpy(&value, &changed_bits, sizeof value);
    return value;
}

static void reading_gives_the_nearest_double(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1.5",
                                        ".5",
                                        "5.",
                                        "1e22",
                                        "1e23",
                                        "9007199254740993",
                                        "9007199254740992.5",
                                        "0.30000000000000004",
                                        "123456789012345678",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "1e-27",
                                        "1e-28",
                                        "4.9406564584124654e-324",
                                        "2.2250738585072011e-308",
                                        "1e308",
                                        "0.000000000000000000000000000000000001",
                                        "100000000000000000000000000000e-20",
                                        "1.00000000000000011102230246251565",
                                        "0e400",
                                        "8.5E+3"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t)
        assert_nearest(texts[t]);
    for (int round = 0; round < 40000; ++round) {
        char text[64];
        const uint64_t digits = splitmix_next(&seed) >> (splitmix_next(&seed) % 60);
        const int power = (int)(splitmix_next(&seed) % 70) - 35;
        snprintf(text, sizeof text, "%lluE%d", (unsigned long long)digits, power);
        assert_nearest(text);
        snprintf(text, sizeof text, "%.*g", (int)(1 + splitmix_next(&seed) % 20), draw(-60, 60));
        assert_nearest(text);
    }
    // midpoints of two doubles, which round to even
    for (int round = 0; round < 2000; ++round) {
        char text[64];
        const uint64_t odd = ((uint64_t)1 << 53 | splitmix_next(&seed) >> 11) * 2 + 1;
        snprintf(text, sizeof text, "%llu", (unsigned long long)odd);
        assert_nearest(text);
        snprintf(text, sizeof text, "%llu.5", (unsigned long long)(odd >> 2));
        assert_nearest(text);
    }
}

static void written_text_is_read_as_the_same_bits(void **state)
{
    (void)state;
    for (int round = 0; round < 100000; ++round) {
        char text[SCREE_DECIMAL_SIZE];
        const double value = round % 4 == 0 ? draw(-1022, 1023) : draw(-45, 62);
        double reread;
        const size_t length = scree_decimal_write(text, value);
        assert_int_equal(length, strlen(text));
        if (!scree_decimal_read(text, length, &reread) || memcmp(&reread, &value, sizeof value) != 0)
            fail_msg("%a was written as '%s'", value, text);
        assert_true(strtod(text, NULL) == value);
    }
}

static void written_text_has_15_digits_or_16_or_17_where_needed(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},
                {-0.0, "-0"},
                {1, "1"},
                {-2.5, "-2.5"},
                {0.1, "0.1"},
                {0.1 + 0.2, "0.30000000000000004"},
                {1e-4, "0.0001"},
                {1e-5, "1e-05"},
                {2.5e-9, "2.5e-09"},
                {1e15, "1000000000000000"},
                {1e16, "10000000000000000"},
                {1e17, "1e+17"},
                {123456.75, "123456.75"},
                {9.9999999999999995e-8, "1e-07"},
                {9999999999999998, "9999999999999998"},
                {0.99999999999999989, "0.9999999999999999"},
                {1e300, "1e+300"},
                {5e-324, "4.94065645841247e-324"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[SCREE_DECIMAL_SIZE];
        scree_decimal_write(text, rows[r].value);
        assert_string_equal(text, rows[r].text);
    }
}

static void text_that_is_not_a_number_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "-",
                                        ".",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "0x1p3",
                                        "1,5",
                                        "1 ",
                                        " 1",
                                        "1.2.3",
                                        "--1",
                                        "1e999",
                                        "1e99999999999999999999"};
    double value;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t)
        assert_false(scree_decimal_read(texts[t], strlen(texts[t]), &value));
    char many[100];
    memset(many, '1', sizeof many);
    assert_false(scree_decimal_read(many, SCREE_DECIMAL_MAX_LENGTH + 1, &value));
    // exponents of Fortran are accepted
    assert_true(scree_decimal_read("1.5D-3", 6, &value) && value == 1.5e-3);
    assert_true(scree_decimal_read("1.5d2", 5, &value) && value == 150);
}

static void the_locale_changes_nothing(void **state)
{
    (void)state;
    char text[SCREE_DECIMAL_SIZE];
    double value;
    // if the machine has such a locale
    (void)(setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8"));
    scree_decimal_write(text, 1.5e-200);
    assert_string_equal(text, "1.5e-200");
    assert_true(scree_decimal_read("1.5e-200", 8, &value) && value == 1.5e-200);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_gives_the_nearest_double),
        cmocka_unit_test(written_text_is_read_as_the_same_bits),
        cmocka_unit_test(written_text_has_15_digits_or_16_or_17_where_needed),
        cmocka_unit_test(text_that_is_not_a_number_is_refused),
        cmocka_unit_test(the_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
