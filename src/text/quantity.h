// Quantities: numbers with a unit as written in a scene: `2 mm`, `1.5 kg/m^3`, `30 deg`.
//
// Invariants: values are in SI units. A decimal prefix shifts the decimal exponent before the conversion, so
// `3 mm` and `0.003` are the same bits. Angle is a dimension of its own, so a spin in rad/s and a frequency
// in 1/s cannot be confused.

#ifndef SCREE_TEXT_QUANTITY_H
#define SCREE_TEXT_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

enum { SCREE_LENGTH, SCREE_MASS, SCREE_TIME, SCREE_ANGLE, SCREE_DIMENSIONS };

struct scree_dimension {
    int power[SCREE_DIMENSIONS]; // of m, kg, s, rad
};

struct scree_quantity {
    double value;
    struct scree_dimension dimension;
};

// An error in a text and its position.
struct scree_parse_error {
    size_t at, length;
    char message[200];
};

// Sets an error for `length` bytes at `at`; always returns false, so that a reader can return it.
bool scree_quantity_error(struct scree_parse_error *error, size_t at, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline bool scree_dimension_equal(struct scree_dimension a, struct scree_dimension b)
{
    bool equal = true;
    for (int k = 0; k < SCREE_DIMENSIONS; ++k)
        equal = equal && a.power[k] == b.power[k];
    return equal;
}

// Writes a dimension in base units, as `kg/(m s^2)`; `a plain number` if it has none.
void scree_quantity_format(struct scree_dimension dimension, char *text, size_t size);

// Reads a number from the start of a text, with the unit after it, if any; `used` gets their length.
bool scree_quantity_start(const char *text, size_t length, struct scree_quantity *quantity, size_t *used,
                          struct scree_parse_error *error);

// Reads a text that is exactly one number with its unit.
bool scree_quantity_read(const char *text, size_t length, struct scree_quantity *quantity,
                         struct scree_parse_error *error);

// Returns the dimension of a unit such as "kg/m^3"; an empty text has no dimension.
struct scree_dimension scree_quantity_dimension(const char *unit);

// Returns the symbol of unit number `index`, null past the last, and its value in base units.
const char *scree_quantity_unit(size_t index, double *factor, struct scree_dimension *dimension,
                                bool *prefixed);

// Returns prefix number `index`, such as "k"; null past the last.
const char *scree_quantity_prefix(size_t index);

#endif
