// UTF-8 characters: decoding, display width, and recognition of control characters.

#ifndef SCREE_TEXT_UTF8_H
#define SCREE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes the first character of a text: returns its number of bytes, and its code point in `code`. Returns 0
// for invalid bytes, truncated or overlong sequences, and surrogates.
size_t scree_utf8_read(const char *text, size_t left, uint32_t *code);

// Returns the length of the longest prefix of at most `max` bytes that ends between two characters.
size_t scree_utf8_fit(const char *text, size_t max);

// Returns true if a character controls the terminal instead of being shown: control codes, line ends and
// tabs, and marks that change the text direction.
bool scree_utf8_is_control(uint32_t code);

// Returns the columns of a character on a terminal: 0 for combining marks, 2 for wide East Asian ones.
size_t scree_utf8_width(uint32_t code);

#endif
