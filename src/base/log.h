// Writing to the log a user has set up; see the public header for what a log is.

#ifndef SCREE_BASE_LOG_H
#define SCREE_BASE_LOG_H

#include "base/status.h"

#include <scree/log.h>

// Does nothing, and formats nothing, when nobody listens at that level. A NULL log is silent.
void scree_log_write(const struct scree_log *log, enum scree_log_level level, const char *format, ...)
    SCREE_PRINTF(3, 4);

#endif
