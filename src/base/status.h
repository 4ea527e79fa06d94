// Error handling inside the library: functions return a status, and store a message for the user.
//
// The message is a fixed thread-local buffer, so storing one cannot fail. Work on a team of threads reports
// errors through its own context; the thread that called the team then stores the message.

#ifndef SCREE_BASE_STATUS_H
#define SCREE_BASE_STATUS_H

#include <scree/status.h>

#include <stdarg.h>
#include <stddef.h>

void scree_status_clear(void);

// printf into a buffer of at least 5 bytes; a text that does not fit is cut at a whole UTF-8 character and
// ends in "...".
void scree_status_format(char *buffer, size_t size, const char *format, va_list values) SCREE_PRINTF(3, 0);

// Returns from the calling function if the expression fails. It is evaluated once.
#define SCREE_TRY(expression)                                                                                \
    do {                                                                                                     \
        const scree_status scree_try_ = (expression);                                                        \
        if (__builtin_expect(scree_try_ != SCREE_OK, 0))                                                     \
            return scree_try_;                                                                               \
    } while (0)

#endif
