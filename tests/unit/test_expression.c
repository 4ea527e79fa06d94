// Expressions: the usual precedence, dimensions of the results, and positions of mistakes. Expected values
// are computed by hand.

#include "support/quantity_text.h"
#include "text/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// the variable radius is 2 mm, count is 7; there is also one named h, which no expression reads
static bool variable(void *user, const char *name, size_t length, struct scree_quantity *quantity,
                     struct scree_parse_error *error)
{
    (void)user;
    if (!quantity)
        return length == 1 && name[0] == 'h';
    const bool radius = length == 6 && memcmp(name, "radius", 6) == 0;
    if (!radius && !(length == 5 && memcmp(name, "count", 5) == 0))
        return scree_quantity_error(error, 0, length, "there is no variable '%.*s'", (int)length, name);
    *quantity = (struct scree_quantity){radius ? 0.002 : 7, scree_quantity_dimension(radius ? "m" : "")};
    return true;
}

static bool read(const char *text, struct scree_quantity *quantity, struct scree_parse_error *error)
{
    return scree_expression_read(text, strlen(text), variable, NULL, quantity, error);
}

static void values_follow_the_usual_precedence(void **state)
{
    (void)state;
    static const struct scree_valid_quantity rows[] = {
        {"1 + 2 * 3", 7, ""},
        {"(1 + 2) * 3", 9, ""},
        {"2 - 3 - 4", -5, ""},
        {"24 / 4 / 3", 2, ""},
        {"2 ^ 3 ^ 2", 512, ""},
        {"-2 ^ 2", -4, ""},
        {"2 ^ -1", 0.5, ""},
        {"- - 2", 2, ""},
        {"radius * 2", 0.004, "m"},
        {"radius + 1 mm", 0.003, "m"},
        {"radius / 2 s", 0.001, "m/s"},
        {"radius ^ 2", 0.002 * 0.002, "m^2"},
        {"sqrt(radius ^ 2)", 0.002, "m"},
        {"min(radius, 1 m)", 0.002, "m"},
        {"max(2, count)", 7, ""},
        {"abs(-radius)", 0.002, "m"},
        {"floor(7 / 2) + ceil(0.2)", 4, ""},
        {"2 * pi", 6.283185307179586, ""},
        {"exp(0) + log(1)", 1, ""},
        {"cos(0 rad) + sin(0)", 1, ""},
        {"tan(45 deg)", 1, ""},
        {"6 m/radius", 3000, ""},
    };
    // each operation and function is within an ulp or two
    scree_quantities_valid(read, rows, sizeof rows / sizeof rows[0], 4e-16);
}

static void mistakes_are_reported_at_their_position(void **state)
{
    (void)state;
    char deep[200];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    const struct scree_invalid_quantity rows[] = {
        {"radius + 1", 0, "a plain number cannot be added to m"},
        {"1 s - radius", 0, "m cannot be subtracted from s"},
        {"radis", 0, "no variable 'radis'"},
        {"2 + ", 4, "was expected"},
        {"2 + * 3", 4, "was expected"},
        {"(1 + 2", 6, "')' must follow"},
        {"sqrt radius", 0, "'(' must follow"},
        {"sqrt(radius)", 0, "needs a unit of even powers"},
        {"exp(radius)", 0, "takes a plain number, not m"},
        {"sin(radius)", 0, "takes an angle"},
        {"min(1)", 5, "two values"},
        {"radius ^ 0.5", 0, "whole power"},
        {"2 ^ radius", 0, "plain number"},
        {"1 / 0", 0, "not a finite number"},
        {"(((2 m)^9)^9)^9", 0, "the powers of a unit are limited"},
        {"1 2", 2, "operator"},
        {"radius + 3 count", 11, "operator"},
        {"2 * 5 h", 6,
         "'h' after a number is a unit, but also a variable here: write '* h' for the variable"},
        {"9 N/h", 4, "'h' after a number is a unit, but also a variable here"},
        {"", 0, "was expected"},
        {deep, 40, "nested"},
    };
    scree_quantities_refused(read, rows, sizeof rows / sizeof rows[0]);
}

static void names_are_words_that_are_not_reserved(void **state)
{
    (void)state;
    struct scree_parse_error error;
    assert_true(scree_expression_is_name("radius_2", 8, &error));
    // units are no reserved words
    assert_true(scree_expression_is_name("h", 1, &error) && scree_expression_is_name("mm", 2, &error));
    static const char *const invalid[] = {"2nd", "a-b", "pi", "sqrt", ""};
    for (size_t w = 0; w < sizeof invalid / sizeof invalid[0]; ++w)
        assert_false(scree_expression_is_name(invalid[w], strlen(invalid[w]), &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_the_usual_precedence),
        cmocka_unit_test(mistakes_are_reported_at_their_position),
        cmocka_unit_test(names_are_words_that_are_not_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
