// Exact conversion between doubles and decimal text, independent of the locale.
//
// Invariants: a written number reads back as the same bits and has 15 digits, or 16 or 17 where needed. A
// read number is the nearest double, ties to even.

#ifndef SCREE_TEXT_DECIMAL_H
#define SCREE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

// buffer size for any double, and maximum length of a number that is read
enum { SCREE_DECIMAL_SIZE = 40, SCREE_DECIMAL_MAX_LENGTH = 64 };

// Writes a number with a terminating zero; returns its length without it.
size_t scree_decimal_write(char text[SCREE_DECIMAL_SIZE], double value);

// Returns the length of the number at the start of a text, with an exponent after e, E, d or D; 0 if none.
size_t scree_decimal_length(const char *text, size_t length);

// Returns the double nearest to a number times 10^shift. The text is as scree_decimal_length finds it, at
// most SCREE_DECIMAL_MAX_LENGTH characters.
double scree_decimal_value(const char *text, size_t length, int shift);

// Reads a text that is exactly one finite number.
bool scree_decimal_read(const char *text, size_t length, double *value);

#endif
