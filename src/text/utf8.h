// Characters of UTF-8: what they are, how wide they stand, and which of them a terminal would obey.

#ifndef SCREE_TEXT_UTF8_H
#define SCREE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the character that a text begins with, and its code; 0 where none begins: a byte that no text has,
// a sequence that is cut off or longer than it must be, half of a pair.
size_t scree_utf8_read(const char *text, size_t left, uint32_t *code);

// Bytes of a text, at most `most`, that end no character half-way.
size_t scree_utf8_fit(const char *text, size_t most);

// Whether a terminal would do something else than show it: controls, and marks that turn the direction of
// what is read. Ends of lines and tabs are among them.
bool scree_utf8_is_obeyed(uint32_t code);

// Columns that it takes on a terminal: none for what stands on top of another, two for wide ones of East
// Asia.
size_t scree_utf8_width(uint32_t code);

#endif
