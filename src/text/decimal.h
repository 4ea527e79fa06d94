// Doubles as decimal text, both ways exact, whatever the user's language.
//
// What always holds: what is written reads back as the same bits, with no more digits than 15, 16 or 17 as it
// needs; what is read is the double nearest to what stands there, ties to even. Numbers of common size cost
// some ten nanoseconds either way.

#ifndef SCREE_TEXT_DECIMAL_H
#define SCREE_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

// room for any double, and the longest number that is read
enum { SCREE_DECIMAL_ROOM = 40, SCREE_DECIMAL_LONGEST = 64 };

// Writes a number, closed by a zero; returns its length without that.
size_t scree_decimal_write(char text[SCREE_DECIMAL_ROOM], double value);

// The length of the number that a text begins with: digits, a point, digits, an exponent after e, E, d or D.
// 0 where it begins otherwise.
size_t scree_decimal_length(const char *text, size_t length);

// The double nearest to such a number, of at most SCREE_DECIMAL_LONGEST characters, times ten to the `shift`.
double scree_decimal_value(const char *text, size_t length, int shift);

// Reads a text that is one finite number and no more.
bool scree_decimal_read(const char *text, size_t length, double *value);

#endif
