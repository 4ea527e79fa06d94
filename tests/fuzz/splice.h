// Replacement of a part of a text, for tests that change files at random.

#ifndef SCREE_TESTS_FUZZ_SPLICE_H
#define SCREE_TESTS_FUZZ_SPLICE_H

#include <stddef.h>
#include <string.h>

// Replaces `removed` bytes of a text (or fewer, up to its end) by a piece, and returns the new length. The
// text stays unchanged if it would reach `capacity` bytes.
static inline size_t splice(char *text, size_t capacity, size_t length, size_t at, size_t removed,
                            const char *piece, size_t size)
{
    removed = removed < length - at ? removed : length - at;
    if (length - removed + size >= capacity)
        return length;
    memmove(text + at + size, text + at + removed, length - at - removed);
    memcpy(text + at, piece, size);
    return length - removed + size;
}

#endif
