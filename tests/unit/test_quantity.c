// Numbers with units (text/quantity.h): values, dimensions, and positions of mistakes. Reference: the
// definitions of the units.

#include "support/quantity_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static bool read(const char *text, struct scree_quantity *quantity, struct scree_parse_error *error)
{
    return scree_quantity_read(text, strlen(text), quantity, error);
}

static void quantities_are_converted_to_base_units(void **state)
{
    (void)state;
    static const struct scree_valid_quantity rows[] = {
        {"3 mm", 0.003, "m"},
        {"0.7 um", 0.7e-6, "m"},
        {"7 \xc2\xb5m", 7e-6, "m"},
        {"5 GPa", 5e9, "Pa"},
        {"-1.5e-3 kg/m^3", -1.5e-3, "kg/m^3"},
        {"+2.65 g/cm^3", 2650, "kg/m^3"},
        {"2.65g/cm^3", 2650, "kg/m^3"},
        {"2.65 g/cm3", 2650, "kg/m^3"},
        {"2 mm3/s2", 2e-9, "m^3/s^2"},
        {"2 t", 2000, "kg"},
        {"12 l/min", 12e-3 / 60, "m^3/s"},
        {"9 N s/m", 9, "kg/s"},
        {"9 N*s/m", 9, "kg/s"},
        {"4 W/(m s)", 4, "kg m/s^4"},
        {"4 W/(m*s)", 4, "kg m/s^4"},
        {"5 1/s", 5, "Hz"},
        {"5 /s", 5, "Hz"},
        {"5 s^-1", 5, "1/s"},
        {"30 deg", 30 * (pi / 180), "rad"},
        {"60 rpm", 60 * (pi / 30), "rad/s"},
        {"35 %", 0.35, ""},
        {".5", 0.5, ""},
        {"5.", 5, ""},
        {"1 kPa", 1000, "N/m^2"},
        {"2 min", 120, "s"},
        {"2 h", 7200, "s"},
        {"1 in", 0.0254, "m"},
        {"1e3", 1000, ""},
    };
    scree_quantities_valid(read, rows, sizeof rows / sizeof rows[0], 0);
}

static void mistakes_are_reported_at_their_position(void **state)
{
    (void)state;
    static const struct scree_invalid_quantity rows[] = {
        {"3 m22", 4, "only a unit may follow"},
        {"abc", 0, "a number was expected"},
        {"", 0, "a number was expected"},
        {"5 mn", 2, "no unit 'mn'"},
        {"5 kg/q", 4, "only a unit may follow"},
        {"5 mm mm x", 8, "no unit 'x'"},
        {"1e999", 0, "too large"},
        {"1 2", 2, "only a unit may follow"},
        {"0x10", 1, "no unit 'x'"},
        {"nan", 0, "a number was expected"},
        {"5 mPaa", 2, "no unit 'mPaa'"},
        {"1e400 km", 0, "too large"},
        {"5 gpa", 2, "'gpa': did you mean 'GPa'?"},
        {"1 Mpa", 2, "'Mpa': did you mean 'MPa'?"},
        {"1 mpa", 2, "'mpa': did you mean 'MPa'?"},
        {"1 Sec", 2, "'Sec': did you mean 's'?"},
        {"5 GPaa", 2, "'GPaa': did you mean 'GPa'?"},
        {"5 KG", 2, "'KG': did you mean 'kg'?"},
        {"5 hogsheads", 2, "there is no unit 'hogsheads'"},
    };
    scree_quantities_refused(read, rows, sizeof rows / sizeof rows[0]);
}

static void dimensions_are_printed_in_base_units(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"Pa", "kg/(m s^2)"}, {"m/s", "m/s"},     {"", "a plain number"},
                                          {"Hz", "1/s"},        {"rad/s", "rad/s"}, {"N m", "kg m^2/s^2"},
                                          {"kg/m^3", "kg/m^3"}, {"J/m^2", "kg/s^2"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[64];
        scree_quantity_format(scree_quantity_dimension(rows[r][0]), text, sizeof text);
        assert_string_equal(text, rows[r][1]);
    }
}

static void a_unit_ends_before_the_next_word(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t used;
    } rows[] = {{"2 mm + x", 4}, {"2 m / 3", 3}, {"2 * x", 1}, {"6 m/radius", 3}, {"2 m * s)", 7}, {"3)", 1}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_quantity quantity;
        struct scree_parse_error error;
        size_t used;
        assert_true(scree_quantity_start(rows[r].text, strlen(rows[r].text), &quantity, &used, &error));
        if (used != rows[r].used)
            fail_msg("'%s': the quantity ends at %zu, not %zu", rows[r].text, used, rows[r].used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_converted_to_base_units),
        cmocka_unit_test(mistakes_are_reported_at_their_position),
        cmocka_unit_test(dimensions_are_printed_in_base_units),
        cmocka_unit_test(a_unit_ends_before_the_next_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
