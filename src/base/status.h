// How failures travel inside the library: a status is returned, a sentence is left behind for the user.
//
// The message belongs to the calling thread (thread-local, never freed, never allocated), so storing one
// cannot fail. Work that runs on a team of threads reports its failure through its own context, and the
// thread that called the team says so.

#ifndef SCREE_BASE_STATUS_H
#define SCREE_BASE_STATUS_H

#include <scree/status.h>

#include <stdarg.h>
#include <stddef.h>

#define SCREE_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))

// Stores what was wrong, where, and what would be right; returns the code. The values may include the message
// stored before, so that a caller can wrap it.
SCREE_NODISCARD scree_status scree_status_fail(scree_status code, const char *format, ...) SCREE_PRINTF(2, 3);

void scree_status_clear(void);

// printf into a buffer of any size above 4; a text that does not fit ends in "..." at a whole UTF-8
// character.
void scree_status_format(char *buffer, size_t size, const char *format, va_list values) SCREE_PRINTF(3, 0);

// Hands a failure on to the caller. The expression is evaluated once.
#define SCREE_TRY(expression)                                                                                \
    do {                                                                                                     \
        const scree_status scree_try_ = (expression);                                                        \
        if (__builtin_expect(scree_try_ != SCREE_OK, 0))                                                     \
            return scree_try_;                                                                               \
    } while (0)

#endif
