// Quantities: numbers with a dimension, as they are written in a scene: `2 mm`, `1.5 kg/m^3`, `30 deg`.
//
// What always holds: the value is in SI units, and a decimal prefix shifts the decimal exponent of what was
// written, so `3 mm` and `0.003` are the same bits. An angle is a dimension of its own: a spin in rad/s and a
// frequency in 1/s are not mistaken for each other.

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

// What is wrong with a text, and where in it.
struct scree_slip {
    size_t at, length;
    char what[200];
};

// Says what is wrong with `length` bytes at `at`; returns false, so that a reader can return it.
bool scree_quantity_slip(struct scree_slip *slip, size_t at, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline bool scree_dimension_equal(struct scree_dimension a, struct scree_dimension b)
{
    bool equal = true;
    for (int k = 0; k < SCREE_DIMENSIONS; ++k)
        equal = equal && a.power[k] == b.power[k];
    return equal;
}

// The dimension in words of base units, like `kg/m s^2`; `a plain number` where there is none.
void scree_quantity_format(struct scree_dimension dimension, char *text, size_t size);

// Reads a number and the unit after it, if there is one, from the start of a text; `used` gets how far that
// goes. The unit ends before what cannot be a part of one.
bool scree_quantity_start(const char *text, size_t length, struct scree_quantity *quantity, size_t *used,
                          struct scree_slip *slip);

// Reads a text that is one number with its unit and no more.
bool scree_quantity_read(const char *text, size_t length, struct scree_quantity *quantity,
                         struct scree_slip *slip);

// The dimension of a unit of a table, like "kg/m^3"; the empty text is that of plain numbers.
struct scree_dimension scree_quantity_dimension(const char *unit);

// Whether a word is a unit, with or without a prefix.
bool scree_quantity_is_unit(const char *word, size_t length);

// The symbol of unit number `index`, null past the last; its size in base units, its dimension, and whether
// it takes prefixes.
const char *scree_quantity_unit(size_t index, double *factor, struct scree_dimension *dimension,
                                bool *prefixed);

// Prefix number `index`, as "k"; null past the last.
const char *scree_quantity_prefix(size_t index);

#endif
