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
