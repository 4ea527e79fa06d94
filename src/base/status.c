// Names of status codes, and the message of the last failure of each thread, which is the only state.

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
    // the arguments may point into the old message
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
    static const char ellipsis[] = "...";
    assert(size > sizeof ellipsis);
    const int length = vsnprintf(buffer, size, format, values);
    if (length < 0)
        buffer[0] = '\0';
    if (length < 0 || (size_t)length < size)
        return;
    // bytes 10xxxxxx continue a UTF-8 character: cut before its first byte
    size_t end = size - sizeof ellipsis;
    while (end > 0 && ((unsigned char)buffer[end] & 0xC0) == 0x80)
        --end;
    memcpy(buffer + end, ellipsis, sizeof ellipsis);
}
