// Arithmetic with quantities, see expression.h: a recursive descent parser.

#include "text/expression.h"

#include "math/elementary.h"
#include "math/power.h"
#include "math/real.h"
#include "math/trigonometry.h"
#include "text/decimal.h"

#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 40, MAX_LENGTH = 4096 };

struct reader {
    const char *text;
    size_t length, at;
    int depth;
    bool of_time; // `t` is the time `time`
    double time;
    scree_variable_reader *variable;
    scree_column_reader *column; // if not null, names are columns
    void *user;
    struct scree_parse_error *error;
};

static bool read_sum(struct reader *reader, struct scree_quantity *value);

static bool is_plain(const struct scree_quantity *value)
{
    return scree_dimension_equal(value->dimension, (struct scree_dimension){{0}});
}

static char peek(struct reader *reader)
{
    while (reader->at < reader->length && strchr(" \t\r\n", reader->text[reader->at]))
        ++reader->at;
    return reader->at < reader->length ? reader->text[reader->at] : 0;
}

static bool accept(struct reader *reader, char c)
{
    if (peek(reader) != c)
        return false;
    ++reader->at;
    return true;
}

// --- functions

// dimensions of arguments and result
enum signature {
    PLAIN,      // plain number -> plain number
    OF_ANGLE,   // angle or plain number -> plain number
    SAME,       // any quantity -> the same dimension
    PAIR,       // two quantities of one dimension -> the same dimension
    SQUARE_ROOT // any quantity with even powers -> half of the powers
};

static const struct {
    const char *name;
    enum signature signature;
} functions[] = {
    {"sqrt", SQUARE_ROOT}, {"abs", SAME},  {"floor", PLAIN},  {"ceil", PLAIN},
    {"exp", PLAIN},        {"log", PLAIN}, {"sin", OF_ANGLE}, {"cos", OF_ANGLE},
    {"tan", OF_ANGLE},     {"min", PAIR},  {"max", PAIR},
};
// in the order of the table
enum function { SQRT, ABS, FLOOR, CEIL, EXP, LOG, SIN, COS, TAN, MIN, MAX, FUNCTIONS };

static double compute(enum function function, double x, double second)
{
    struct scree_sincos both;
    switch (function) {
    case SQRT:
        return sqrt(x);
    case ABS:
        return fabs(x);
    case FLOOR:
        return floor(x);
    case CEIL:
        return ceil(x);
    case EXP:
        return scree_exp(x);
    case LOG:
        return scree_log(x);
    case SIN:
        return scree_sin(x);
    case COS:
        return scree_cos(x);
    case TAN:
        both = scree_sincos(x);
        return both.sin / both.cos;
    case MIN:
        return x < second ? x : second;
    default:
        return x > second ? x : second;
    }
}

static size_t find_function(const char *name, size_t length)
{
    size_t f = 0;
    while (f < FUNCTIONS &&
           !(strlen(functions[f].name) == length && memcmp(functions[f].name, name, length) == 0))
        ++f;
    return f;
}

static bool same_dimension(struct reader *reader, size_t at, const char *verb, const struct scree_quantity *a,
                           const struct scree_quantity *b)
{
    if (scree_dimension_equal(a->dimension, b->dimension))
        return true;
    char left[48], right[48];
    scree_quantity_format(a->dimension, left, sizeof left);
    scree_quantity_format(b->dimension, right, sizeof right);
    return scree_quantity_error(reader->error, at, reader->at - at,
                                "the units do not match: %s cannot be %s %s", right, verb, left);
}

static bool apply(struct reader *reader, size_t f, size_t at, struct scree_quantity *value,
                  const struct scree_quantity *second)
{
    const bool angle = scree_dimension_equal(value->dimension, scree_quantity_dimension("rad"));
    const enum signature signature = functions[f].signature;
    if ((signature == PLAIN && !is_plain(value)) || (signature == OF_ANGLE && !is_plain(value) && !angle)) {
        char text[48];
        scree_quantity_format(value->dimension, text, sizeof text);
        return scree_quantity_error(reader->error, at, reader->at - at, "'%s' takes %s, not %s",
                                    functions[f].name, signature == PLAIN ? "a plain number" : "an angle",
                                    text);
    }
    if (signature == PAIR && !same_dimension(reader, at, "compared with", value, second))
        return false;
    for (int k = 0; k < SCREE_DIMENSIONS && signature == SQUARE_ROOT; ++k) {
        if (value->dimension.power[k] % 2 != 0)
            return scree_quantity_error(reader->error, at, reader->at - at,
                                        "the square root needs a unit of even powers, such as m^2");
        value->dimension.power[k] /= 2;
    }
    if (signature == OF_ANGLE)
        value->dimension = (struct scree_dimension){{0}};
    value->value = compute((enum function)f, value->value, second->value);
    return true;
}

static bool read_call(struct reader *reader, size_t f, size_t at, struct scree_quantity *value)
{
    struct scree_quantity second = {0};
    if (!accept(reader, '('))
        return scree_quantity_error(reader->error, at, reader->at - at, "'%s' is a function: '(' must follow",
                                    functions[f].name);
    if (!read_sum(reader, value))
        return false;
    if (functions[f].signature == PAIR && !accept(reader, ','))
        return scree_quantity_error(reader->error, reader->at, 1, "'%s' takes two values: ',' must follow",
                                    functions[f].name);
    if (functions[f].signature == PAIR && !read_sum(reader, &second))
        return false;
    if (!accept(reader, ')'))
        return scree_quantity_error(reader->error, reader->at, 1, "')' must follow here");
    return apply(reader, f, at, value, &second);
}

// --- words

static size_t name_length(const char *text, size_t length)
{
    size_t used = 0;
    while (used < length &&
           (text[used] == '_' || (text[used] >= 'a' && text[used] <= 'z') ||
            (text[used] >= 'A' && text[used] <= 'Z') || (used > 0 && text[used] >= '0' && text[used] <= '9')))
        ++used;
    return used;
}

bool scree_expression_is_name(const char *name, size_t length, struct scree_parse_error *error)
{
    if (length == 0 || length > 63 || name_length(name, length) != length)
        return scree_quantity_error(
            error, 0, length,
            "a name must have at most 63 letters, digits and '_', and not begin with a digit");
    if (find_function(name, length) < FUNCTIONS || (length == 2 && memcmp(name, "pi", 2) == 0))
        return scree_quantity_error(error, 0, length,
                                    "'%.*s' is a function or constant: choose another name, such as '%.*s_1'",
                                    (int)length, name, (int)length, name);
    return true;
}

// Reads the name of a column; `length` is that of the word at its start.
static bool read_column(struct reader *reader, size_t length, struct scree_quantity *value)
{
    const size_t at = reader->at;
    const char *name = reader->text + at;
    size_t run = 0, used = 0;
    while (run < reader->length - at && name[run] && strchr(SCREE_EXPRESSION_COLUMN, name[run]))
        ++run;
    if (reader->column(reader->user, name, run, &used, value, reader->error)) {
        reader->at += used;
        return true;
    }
    if (length == 2 && memcmp(name, "pi", 2) == 0) {
        reader->at += 2;
        *value = (struct scree_quantity){.value = SCREE_PI};
        return true;
    }
    reader->error->at = at;
    reader->error->length = run;
    return false;
}

static bool read_word(struct reader *reader, struct scree_quantity *value)
{
    const size_t at = reader->at;
    const char *name = reader->text + at;
    const size_t length = name_length(name, reader->length - at), f = find_function(name, length);
    if (reader->column && !(f < FUNCTIONS && at + length < reader->length && name[length] == '('))
        return read_column(reader, length, value);
    reader->at += length;
    if (f < FUNCTIONS)
        return read_call(reader, f, at, value);
    if (length == 2 && memcmp(name, "pi", 2) == 0) {
        *value = (struct scree_quantity){.value = SCREE_PI};
        return true;
    }
    if (reader->of_time && length == 1 && name[0] == 't') {
        *value = (struct scree_quantity){reader->time, scree_quantity_dimension("s")};
        return true;
    }
    if (reader->of_time)
        return scree_quantity_error(reader->error, at, length,
                                    "'%.*s' is unknown here: an expression of time has the variable t, and "
                                    "variables of the scene are written as ${name}",
                                    (int)(length < 40 ? length : 40), name);
    if (reader->variable && reader->variable(reader->user, name, length, value, reader->error))
        return true;
    if (!reader->variable)
        return scree_quantity_error(reader->error, at, length, "variables cannot be used here");
    reader->error->at = at;
    reader->error->length = length;
    return false;
}

static bool is_in_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The end of the text that can belong to a number and its unit: the time `t` is no unit.
static size_t number_end(const struct reader *reader)
{
    for (size_t k = reader->at + 1; reader->of_time && k < reader->length; ++k)
        if (reader->text[k] == 't' && !is_in_name(reader->text[k - 1]) &&
            (k + 1 == reader->length || !is_in_name(reader->text[k + 1])))
            return k;
    return reader->length;
}

// Refuses a unit that is also the name of a variable: `2 h` could be two hours or a forgotten `*`.
static bool check_unit(struct reader *reader, size_t at, size_t end)
{
    while (reader->variable && at < end) {
        const char *name = reader->text + at;
        const size_t length = name_length(name, end - at);
        at += length > 0 ? length : 1;
        if (length > 0 && reader->variable(reader->user, name, length, NULL, NULL))
            return scree_quantity_error(
                reader->error, at - length, length,
                "'%.*s' after a number is a unit, but also a variable here: write '* %.*s' for the "
                "variable, or rename it to use the unit",
                (int)length, name, (int)length, name);
    }
    return true;
}

static bool read_number(struct reader *reader, struct scree_quantity *value)
{
    size_t used;
    const size_t at = reader->at;
    if (!scree_quantity_start(reader->text + at, number_end(reader) - at, value, &used, reader->error)) {
        reader->error->at += at;
        return false;
    }
    reader->at += used;
    const size_t digits = scree_decimal_length(reader->text + at, used);
    if (!check_unit(reader, at + digits, reader->at))
        return false;
    // `2 pi` is a product, as if pi were a unit
    const bool may_be_pi = peek(reader) == 'p';
    const char *rest = reader->text + reader->at;
    if (may_be_pi && name_length(rest, reader->length - reader->at) == 2 && rest[1] == 'i') {
        reader->at += 2;
        value->value *= SCREE_PI;
    }
    // before a sum reports that its units do not match: in `2 cm + 3 d` the `*` before d is missing
    if (is_in_name(peek(reader)))
        return scree_quantity_error(reader->error, reader->at, 1, "an operator was expected here");
    return true;
}

static bool read_atom(struct reader *reader, struct scree_quantity *value)
{
    const char next = peek(reader);
    if ((next >= '0' && next <= '9') || next == '.')
        return read_number(reader, value);
    if (name_length(&next, 1) == 1)
        return read_word(reader, value);
    if (!accept(reader, '('))
        return scree_quantity_error(reader->error, reader->at, reader->at < reader->length,
                                    "a number, a name or '(' was expected here");
    if (!read_sum(reader, value))
        return false;
    return accept(reader, ')') || scree_quantity_error(reader->error, reader->at, 1, "')' must follow here");
}

// --- operators, the highest precedence first

static bool read_factor(struct reader *reader, struct scree_quantity *value);

static bool check_powers(struct reader *reader, size_t at, const struct scree_quantity *value)
{
    for (int k = 0; k < SCREE_DIMENSIONS; ++k)
        if (value->dimension.power[k] > 99 || value->dimension.power[k] < -99)
            return scree_quantity_error(reader->error, at, reader->at - at,
                                        "the powers of a unit are limited to 99");
    return true;
}

static bool apply_power(struct reader *reader, size_t at, struct scree_quantity *value,
                        const struct scree_quantity *exponent)
{
    const double rounded = floor(exponent->value);
    if (!is_plain(exponent))
        return scree_quantity_error(reader->error, at, reader->at - at, "an exponent must be a plain number");
    if (!is_plain(value) && !(rounded == exponent->value && fabs(rounded) <= 9))
        return scree_quantity_error(reader->error, at, reader->at - at,
                                    "a quantity with a unit takes only whole powers from -9 to 9");
    for (int k = 0; k < SCREE_DIMENSIONS; ++k)
        value->dimension.power[k] *= is_plain(value) ? 1 : (int)rounded;
    value->value = scree_pow(value->value, exponent->value);
    return check_powers(reader, at, value);
}

static bool read_power(struct reader *reader, struct scree_quantity *value)
{
    struct scree_quantity exponent;
    const size_t at = reader->at;
    if (!read_atom(reader, value))
        return false;
    if (!accept(reader, '^'))
        return true;
    return read_factor(reader, &exponent) && apply_power(reader, at, value, &exponent);
}

static bool read_factor(struct reader *reader, struct scree_quantity *value)
{
    if (++reader->depth > MAX_DEPTH)
        return scree_quantity_error(reader->error, reader->at, 1,
                                    "an expression can be nested %d deep at most", (int)MAX_DEPTH);
    const bool minus = accept(reader, '-');
    const bool good = minus ? read_factor(reader, value) : read_power(reader, value);
    value->value = minus && good ? -value->value : value->value;
    --reader->depth;
    return good;
}

static bool read_product(struct reader *reader, struct scree_quantity *value)
{
    const size_t at = reader->at;
    if (!read_factor(reader, value))
        return false;
    for (char sign = peek(reader); sign == '*' || sign == '/'; sign = peek(reader)) {
        struct scree_quantity operand;
        ++reader->at;
        if (!read_factor(reader, &operand))
            return false;
        value->value = sign == '*' ? value->value * operand.value : value->value / operand.value;
        for (int k = 0; k < SCREE_DIMENSIONS; ++k)
            value->dimension.power[k] +=
                sign == '*' ? operand.dimension.power[k] : -operand.dimension.power[k];
        if (!check_powers(reader, at, value))
            return false;
    }
    return true;
}

static bool read_sum(struct reader *reader, struct scree_quantity *value)
{
    const size_t at = reader->at;
    if (!read_product(reader, value))
        return false;
    for (char sign = peek(reader); sign == '+' || sign == '-'; sign = peek(reader)) {
        struct scree_quantity operand;
        ++reader->at;
        if (!read_product(reader, &operand) ||
            !same_dimension(reader, at, sign == '+' ? "added to" : "subtracted from", value, &operand))
            return false;
        value->value = sign == '+' ? value->value + operand.value : value->value - operand.value;
    }
    return true;
}

static bool read_all(struct reader *reader, struct scree_quantity *quantity)
{
    if (reader->length > MAX_LENGTH)
        return scree_quantity_error(reader->error, 0, reader->length,
                                    "an expression can have at most %d characters", (int)MAX_LENGTH);
    if (!read_sum(reader, quantity))
        return false;
    if (peek(reader) != 0 || reader->at < reader->length)
        return scree_quantity_error(reader->error, reader->at, 1, "an operator was expected here");
    if (!reader->column && !isfinite(quantity->value))
        return scree_quantity_error(reader->error, 0, reader->length, "the result is not a finite number");
    return true;
}

bool scree_expression_read(const char *text, size_t length, scree_variable_reader *variable, void *user,
                           struct scree_quantity *quantity, struct scree_parse_error *error)
{
    struct reader reader = {
        .text = text, .length = length, .variable = variable, .user = user, .error = error};
    return read_all(&reader, quantity);
}

bool scree_expression_read_of_time(const char *text, size_t length, double time,
                                   struct scree_quantity *quantity, struct scree_parse_error *error)
{
    struct reader reader = {.text = text, .length = length, .of_time = true, .time = time, .error = error};
    return read_all(&reader, quantity);
}

bool scree_expression_read_of_columns(const char *text, size_t length, scree_column_reader *column,
                                      void *user, struct scree_quantity *quantity,
                                      struct scree_parse_error *error)
{
    struct reader reader = {.text = text, .length = length, .column = column, .user = user, .error = error};
    return read_all(&reader, quantity);
}
