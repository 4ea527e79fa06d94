// Messages reach the sink that was set, at the levels that were asked for, and nobody else.

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct heard {
    int count;
    enum scree_log_level level;
    char message[64];
    size_t length;
};

static void hear(void *context, enum scree_log_level level, const char *message)
{
    struct heard *heard = context;
    ++heard->count;
    heard->level = level;
    heard->length = strlen(message);
    strncpy(heard->message, message, sizeof heard->message - 1);
}

static void a_log_without_a_sink_is_silent(void **state)
{
    (void)state;
    const struct scree_log silent = {.level = SCREE_LOG_DEBUG};
    // a message that were formatted would be counted
    int formatted = 0;
    scree_log_write(NULL, SCREE_LOG_ERROR, "lost%n", &formatted);
    scree_log_write(&silent, SCREE_LOG_ERROR, "lost%n", &formatted);
    assert_int_equal(formatted, 0);
}

static void a_message_reaches_the_sink_as_it_was_written(void **state)
{
    (void)state;
    struct heard heard = {0};
    const struct scree_log log = {hear, &heard, SCREE_LOG_INFO};
    scree_log_write(&log, SCREE_LOG_WARNING, "step %d of %s", 3, "ten");
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.level, SCREE_LOG_WARNING);
    assert_string_equal(heard.message, "step 3 of ten");
}

static void messages_beyond_the_level_are_dropped(void **state)
{
    (void)state;
    static const enum scree_log_level levels[] = {SCREE_LOG_ERROR, SCREE_LOG_WARNING, SCREE_LOG_INFO,
                                                  SCREE_LOG_DEBUG};
    for (int limit = 0; limit < 4; ++limit) {
        struct heard heard = {0};
        const struct scree_log log = {hear, &heard, levels[limit]};
        for (int i = 0; i < 4; ++i)
            scree_log_write(&log, levels[i], "message");
        assert_int_equal(heard.count, limit + 1);
        assert_int_equal(heard.level, levels[limit]);
    }
}

static void a_long_message_is_cut(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    struct heard heard = {0};
    const struct scree_log log = {hear, &heard, SCREE_LOG_INFO};
    scree_log_write(&log, SCREE_LOG_INFO, "%s", text);
    assert_in_range(heard.length, 1000, sizeof text - 2);
}

static void levels_have_names(void **state)
{
    (void)state;
    assert_string_equal(scree_log_level_name(SCREE_LOG_ERROR), "error");
    assert_string_equal(scree_log_level_name(SCREE_LOG_WARNING), "warning");
    assert_string_equal(scree_log_level_name(SCREE_LOG_INFO), "info");
    assert_string_equal(scree_log_level_name(SCREE_LOG_DEBUG), "debug");
    assert_string_equal(scree_log_level_name((enum scree_log_level)4), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_without_a_sink_is_silent),
        cmocka_unit_test(a_message_reaches_the_sink_as_it_was_written),
        cmocka_unit_test(messages_beyond_the_level_are_dropped),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(levels_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
