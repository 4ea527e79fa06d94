// Levels and the way to the sink.

#include "base/log.h"

enum { MESSAGE_SIZE = 2048 };

static const char *const level_names[] = {
    [SCREE_LOG_ERROR] = "error",
    [SCREE_LOG_WARNING] = "warning",
    [SCREE_LOG_INFO] = "info",
    [SCREE_LOG_DEBUG] = "debug",
};

const char *scree_log_level_name(enum scree_log_level level)
{
    return (size_t)level < sizeof level_names / sizeof *level_names ? level_names[level] : "unknown";
}

void scree_log_write(const struct scree_log *log, enum scree_log_level level, const char *format, ...)
{
    if (log == NULL || log->sink == NULL || level > log->level)
        return;
    char message[MESSAGE_SIZE];
    va_list values;
    va_start(values, format);
    scree_status_format(message, sizeof message, format, values);
    va_end(values);
    log->sink(log->context, level, message);
}
