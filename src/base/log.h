// Where Scree's running commentary goes: nowhere, until its user names a sink.
//
// A log is a plain value that the user hands over; a zeroed one is silent. There is no global log. A sink is
// called on the thread that makes the call, one message at a time, without a trailing newline.

#ifndef SCREE_BASE_LOG_H
#define SCREE_BASE_LOG_H

#include "base/status.h"

enum scree_log_level {
    SCREE_LOG_ERROR,   // something was lost
    SCREE_LOG_WARNING, // the results may not be what was meant
    SCREE_LOG_INFO,    // what a user follows a run by
    SCREE_LOG_DEBUG,   // what a developer looks for
};

// The message is valid only during the call.
typedef void scree_log_sink(void *context, enum scree_log_level level, const char *message);

struct scree_log {
    scree_log_sink *sink;       // NULL: silent
    void *context;              // handed to the sink as it is
    enum scree_log_level level; // messages beyond this level are dropped
};

// "error", "warning", "info" or "debug"; "unknown" for a value that is none.
const char *scree_log_level_name(enum scree_log_level level);

// Does nothing, and formats nothing, when nobody listens at that level. A NULL log is silent.
void scree_log_write(const struct scree_log *log, enum scree_log_level level, const char *format, ...)
    SCREE_PRINTF(3, 4);

#endif
