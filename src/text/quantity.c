// Quantities, see quantity.h.

#include "text/quantity.h"

#include "base/suggestion.h"
#include "math/real.h"
#include "text/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// One unit is factor * 10^decimal in base units.
struct unit {
    const char *symbol;
    double factor;
    int decimal;
    struct scree_dimension dimension;
    bool prefixed; // SI prefixes are allowed
};

static const struct unit units[] = {
    {"m", 1, 0, {{1, 0, 0, 0}}, true},
    {"g", 1, -3, {{0, 1, 0, 0}}, true},
    {"s", 1, 0, {{0, 0, 1, 0}}, true},
    {"rad", 1, 0, {{0, 0, 0, 1}}, true},
    {"deg", SCREE_PI / 180, 0, {{0, 0, 0, 1}}, false},
    {"\xc2\xb0", SCREE_PI / 180, 0, {{0, 0, 0, 1}}, false},
    {"rev", 2 * SCREE_PI, 0, {{0, 0, 0, 1}}, false},
    {"rpm", SCREE_PI / 30, 0, {{0, 0, -1, 1}}, false},
    {"N", 1, 0, {{1, 1, -2, 0}}, true},
    {"Pa", 1, 0, {{-1, 1, -2, 0}}, true},
    {"J", 1, 0, {{2, 1, -2, 0}}, true},
    {"W", 1, 0, {{2, 1, -3, 0}}, true},
    {"Hz", 1, 0, {{0, 0, -1, 0}}, true},
    {"t", 1, 3, {{0, 1, 0, 0}}, true},
    {"l", 1, -3, {{3, 0, 0, 0}}, true},
    {"L", 1, -3, {{3, 0, 0, 0}}, true},
    {"bar", 1, 5, {{-1, 1, -2, 0}}, true},
    {"min", 60, 0, {{0, 0, 1, 0}}, false},
    {"h", 3600, 0, {{0, 0, 1, 0}}, false},
    {"day", 86400, 0, {{0, 0, 1, 0}}, false},
    {"in", 0.0254, 0, {{1, 0, 0, 0}}, false},
    {"ft", 0.3048, 0, {{1, 0, 0, 0}}, false},
    {"lb", 0.45359237, 0, {{0, 1, 0, 0}}, false},
    {"psi", 6894.757293168361, 0, {{-1, 1, -2, 0}}, false},
    {"%", 1, -2, {{0, 0, 0, 0}}, false},
};
enum { UNITS = sizeof units / sizeof units[0] };

static const struct {
    const char *symbol;
    int decimal;
} prefixes[] = {{"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2},
                {"d", -1}, {"h", 2},  {"k", 3},         {"M", 6},         {"G", 9},  {"T", 12}};
enum { PREFIXES = sizeof prefixes / sizeof prefixes[0] };

const char *scree_quantity_unit(size_t index, double *factor, struct scree_dimension *dimension,
                                bool *prefixed)
{
    if (index >= UNITS)
        return NULL;
    *factor = units[index].factor;
    for (int k = 0; k < units[index].decimal; ++k)
        *factor *= 10;
    for (int k = units[index].decimal; k < 0; ++k)
        *factor /= 10;
    *dimension = units[index].dimension;
    *prefixed = units[index].prefixed;
    return units[index].symbol;
}

const char *scree_quantity_prefix(size_t index)
{
    return index < PREFIXES ? prefixes[index].symbol : NULL;
}

bool scree_quantity_error(struct scree_parse_error *error, size_t at, size_t length, const char *format, ...)
{
    va_list values;
    error->at = at;
    error->length = length;
    va_start(values, format);
    vsnprintf(error->message, sizeof error->message, format, values);
    va_end(values);
    return false;
}

void scree_quantity_format(struct scree_dimension dimension, char *text, size_t size)
{
    static const char *const base[] = {
        [SCREE_LENGTH] = "m", [SCREE_MASS] = "kg", [SCREE_TIME] = "s", [SCREE_ANGLE] = "rad"};
    static const int order[] = {SCREE_MASS, SCREE_LENGTH, SCREE_ANGLE, SCREE_TIME};
    char part[2][64] = {"", ""};
    for (int k = 0; k < SCREE_DIMENSIONS; ++k) {
        const int power = dimension.power[order[k]], denominator = power < 0;
        const size_t used = strlen(part[denominator]);
        if (power != 0)
            snprintf(part[denominator] + used, sizeof part[denominator] - used,
                     abs(power) == 1 ? "%s%s" : "%s%s^%d", used > 0 ? " " : "", base[order[k]], abs(power));
    }
    if (!part[0][0] && !part[1][0])
        snprintf(text, size, "a plain number");
    else if (!part[1][0])
        snprintf(text, size, "%s", part[0]);
    else
        snprintf(text, size, strchr(part[1], ' ') ? "%s/(%s)" : "%s/%s", part[0][0] ? part[0] : "1", part[1]);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 0x80;
}

static size_t word_length(const char *text, size_t length)
{
    size_t used = 0;
    while (used < length && is_letter(text[used]))
        ++used;
    return used;
}

static bool is_word(const char *symbol, const char *word, size_t length)
{
    return strlen(symbol) == length && memcmp(symbol, word, length) == 0;
}

// Finds a unit by name: first without, then with a prefix.
static bool find_unit(const char *word, size_t length, struct unit *found)
{
    for (size_t u = 0; u < UNITS; ++u)
        if (is_word(units[u].symbol, word, length)) {
            *found = units[u];
            return true;
        }
    for (size_t p = 0; p < PREFIXES; ++p) {
        const size_t prefix = strlen(prefixes[p].symbol);
        if (length <= prefix || memcmp(word, prefixes[p].symbol, prefix) != 0)
            continue;
        for (size_t u = 0; u < UNITS; ++u)
            if (units[u].prefixed && is_word(units[u].symbol, word + prefix, length - prefix)) {
                *found = units[u];
                found->decimal += prefixes[p].decimal;
                return true;
            }
    }
    return false;
}

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    return at;
}

// Reads a power: `^` and -9 to 9, or 2 to 9 as in m2; 1 if there is none. Returns the position after it.
static size_t read_power(const char *text, size_t length, size_t at, int *power)
{
    *power = 1;
    if (at < length && text[at] >= '2' && text[at] <= '9') {
        *power = text[at] - '0';
        return at + 1;
    }
    if (at >= length || text[at] != '^')
        return at;
    const bool negative = at + 1 < length && text[at + 1] == '-';
    const size_t digit = at + 1 + negative;
    if (digit >= length || text[digit] < '0' || text[digit] > '9')
        return at;
    *power = (negative ? -1 : 1) * (text[digit] - '0');
    return digit + 1;
}

static void multiply(struct unit *product, const struct unit *by, int power)
{
    for (int k = 0; k < abs(power); ++k)
        product->factor = power > 0 ? product->factor * by->factor : product->factor / by->factor;
    product->decimal += power * by->decimal;
    for (int k = 0; k < SCREE_DIMENSIONS; ++k)
        product->dimension.power[k] += power * by->dimension.power[k];
}

// Multiplies by a unit with its power; `sign` is -1 in the denominator. Returns the position after it, or 0.
static size_t read_unit(const char *text, size_t length, size_t at, int sign, struct unit *product)
{
    struct unit unit;
    int power;
    const size_t word = word_length(text + at, length - at);
    if (!find_unit(text + at, word, &unit))
        return 0;
    at = read_power(text, length, at + word, &power);
    multiply(product, &unit, sign * power);
    return at;
}

static size_t read_bracket(const char *text, size_t length, size_t at, struct unit *product)
{
    struct unit inside = *product;
    for (;;) {
        at = read_unit(text, length, skip_blanks(text, length, at), -1, &inside);
        const size_t next = at > 0 ? skip_blanks(text, length, at) : length;
        if (next == length)
            return 0;
        if (text[next] == ')') {
            *product = inside;
            return next + 1;
        }
        at = next + (text[next] == '*');
    }
}

// Reads units such as "kg/(m s^2)", "1/s", "/s": after '/' one unit, or a bracket, is in the denominator.
static size_t read_units(const char *text, size_t length, size_t at, struct unit *product)
{
    size_t end = at;
    size_t next = at + (at + 1 < length && text[at] == '1' && text[at + 1] == '/');
    for (bool first = true; next < length; first = false) {
        const char symbol = text[next];
        const bool denominator = symbol == '/';
        if (denominator || (symbol == '*' && !first))
            next = skip_blanks(text, length, next + 1);
        const bool bracket = denominator && next < length && text[next] == '(';
        const size_t read = bracket ? read_bracket(text, length, next + 1, product)
                                    : read_unit(text, length, next, denominator ? -1 : 1, product);
        if (read == 0)
            return end;
        end = read;
        next = skip_blanks(text, length, end);
    }
    return end;
}

bool scree_quantity_start(const char *text, size_t length, struct scree_quantity *quantity, size_t *used,
                          struct scree_parse_error *error)
{
    const size_t number = scree_decimal_length(text, length);
    if (number == 0)
        return scree_quantity_error(error, 0, length, "a number was expected here");
    if (number > SCREE_DECIMAL_MAX_LENGTH)
        return scree_quantity_error(error, 0, number, "a number can have at most %d characters",
                                    (int)SCREE_DECIMAL_MAX_LENGTH);
    struct unit unit = {.factor = 1};
    const size_t at = skip_blanks(text, length, number), end = read_units(text, length, at, &unit);
    *used = end > at ? end : number;
    quantity->value = scree_decimal_value(text, number, unit.decimal) * unit.factor;
    quantity->dimension = unit.dimension;
    if (!isfinite(quantity->value))
        return scree_quantity_error(error, 0, *used, "this number is too large");
    return true;
}

// Words that are not accepted, and the unit to suggest instead.
static const struct {
    const char *word, *symbol;
} wrong_units[] = {{"sec", "s"},      {"secs", "s"},      {"second", "s"}, {"seconds", "s"},
                   {"minute", "min"}, {"minutes", "min"}, {"hour", "h"},   {"hours", "h"},
                   {"days", "day"},   {"metre", "m"},     {"meter", "m"},  {"metres", "m"},
                   {"meters", "m"},   {"inch", "in"},     {"gram", "g"},   {"grams", "g"},
                   {"degree", "deg"}, {"degrees", "deg"}, {"mpa", "MPa"},  {"newton", "N"}};

// Distance from a unit: number of letters in the wrong case; 100 if one letter differs; else SIZE_MAX.
static size_t distance_of(const char *word, const char *unit)
{
    size_t wrong_case = 0;
    if (strcasecmp(word, unit) != 0)
        return strlen(word) >= 3 && scree_suggestion_distance(word, unit) == 1 ? 100 : SIZE_MAX;
    for (size_t k = 0; word[k]; ++k)
        wrong_case += word[k] != unit[k];
    return wrong_case;
}

// Finds the closest unit; an empty text if there is none.
static void suggest_unit(const char *word, char suggestion[32])
{
    size_t least = SIZE_MAX;
    suggestion[0] = 0;
    for (size_t o = 0; o < sizeof wrong_units / sizeof wrong_units[0]; ++o)
        if (strcasecmp(word, wrong_units[o].word) == 0) {
            snprintf(suggestion, 32, "%s", wrong_units[o].symbol);
            return;
        }
    for (size_t u = 0; u < UNITS; ++u)
        for (size_t p = 0; p <= (units[u].prefixed ? PREFIXES : 0); ++p) {
            char unit[32];
            snprintf(unit, sizeof unit, "%s%s", p > 0 ? prefixes[p - 1].symbol : "", units[u].symbol);
            const size_t distance = distance_of(word, unit);
            if (distance >= least)
                continue;
            least = distance;
            memcpy(suggestion, unit, sizeof unit);
        }
}

static bool report_unit(struct scree_parse_error *error, size_t at, const char *text, size_t length)
{
    char word[41], suggestion[32];
    snprintf(word, sizeof word, "%.*s", (int)(length < 40 ? length : 40), text);
    suggest_unit(word, suggestion);
    return scree_quantity_error(error, at, length, "there is no unit '%s'%s%s%s", word,
                                suggestion[0] ? ": did you mean '" : "", suggestion,
                                suggestion[0] ? "'?" : "");
}

bool scree_quantity_read(const char *text, size_t length, struct scree_quantity *quantity,
                         struct scree_parse_error *error)
{
    size_t used;
    if (!scree_quantity_start(text, length, quantity, &used, error))
        return false;
    const size_t rest = skip_blanks(text, length, used);
    if (rest == length)
        return true;
    const size_t word = word_length(text + rest, length - rest);
    if (word > 0)
        return report_unit(error, rest, text + rest, word);
    return scree_quantity_error(error, rest, length - rest, "only a unit may follow a number");
}

struct scree_dimension scree_quantity_dimension(const char *unit)
{
    struct unit product = {.factor = 1};
    read_units(unit, strlen(unit), 0, &product);
    return product.dimension;
}
