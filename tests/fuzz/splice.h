// Replacing a part of a text.

#ifndef SCREE_TESTS_FUZZ_SPLICE_H
#define SCREE_TESTS_FUZZ_SPLICE_H

#include <stddef.h>
#include <string.h>

// Replaces `gone` bytes of a text (or fewer, up to its end) by a piece, and returns the new length. The text
// stays unchanged if it would reach `room` bytes.
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
