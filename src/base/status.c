// The names of the outcomes and the message each thread keeps of its last failure. The message buffer is the
// only state here, and no two threads share it.

#include "base/status.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 2048 };

static _Thread_local char last_message[MESSAGE_SIZE];

static const struct {
    const char *name;
    const char *meaning;
} statuses[] = {
#define SCREE_STATUS(symbol, name, meaning) {name, meaning},
#include <scree/status.def>
#undef SCREE_STATUS
};

static const size_t status_count = sizeof statuses / sizeof *statuses;

const char *scree_status_name(scree_status status)
{
    return (size_t)status < status_count ? statuses[status].name : "unknown";
}

const char *scree_status_meaning(scree_status status)
{
    return (size_t)status < status_count ? statuses[status].meaning : "";
}

const char *scree_status_message(void)
{
    return last_message;
}

void scree_status_clear(void)
{
    last_message[0] = '\0';
}

scree_status scree_status_fail(scree_status code, const char *format, ...)
{
    assert(code != SCREE_OK);
    // the values may point into the message that is about to be replaced
    char message[MESSAGE_SIZE];
    va_list values;
    va_start(values, format);
    scree_status_format(message, sizeof message, format, values);
    va_end(values);
    memcpy(last_message, message, strlen(message) + 1);
    return code;
}

void scree_status_format(char *buffer, size_t size, const char *format, va_list values)
{
    static const char mark[] = "...";
    assert(size > sizeof mark);
    const int length = vsnprintf(buffer, size, format, values);
    if (length < 0)
        buffer[0] = '\0';
    if (length < 0 || (size_t)length < size)
        return;
    // bytes 10xxxxxx continue a character: cut before the one they belong to
    size_t end = size - sizeof mark;
    while (end > 0 && ((unsigned char)buffer[end] & 0xC0) == 0x80)
        --end;
    memcpy(buffer + end, mark, sizeof mark);
}
