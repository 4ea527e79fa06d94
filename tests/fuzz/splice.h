// A text is changed by what is put in place of some of it.

#ifndef SCREE_TESTS_FUZZ_SPLICE_H
#define SCREE_TESTS_FUZZ_SPLICE_H

#include <stddef.h>
#include <string.h>

// Puts a piece in place of `gone` bytes of a text, or of as many as there are; the length that it has then.
// Where the text would grow to `room` or more it stays as it is.
static inline size_t splice(char *text, size_t room, size_t length, size_t at, size_t gone, const char *piece,
                            size_t size)
{
    gone = gone < length - at ? gone : length - at;
    if (length - gone + size >= room)
        return length;
    memmove(text + at + size, text + at + gone, length - at - gone);
    memcpy(text + at, piece, size);
    return length - gone + size;
}

#endif
