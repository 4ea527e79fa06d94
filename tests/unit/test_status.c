// Statuses and their messages (base/status.h): every status has a name, and each thread keeps the message of
// its own last failure.

#include "base/status.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const scree_status every_status[] = {
#define SCREE_STATUS(symbol, name, meaning) SCREE_##symbol,
#include <scree/status.def>
#undef SCREE_STATUS
};

static const int status_count = sizeof every_status / sizeof *every_status;

static void statuses_count_up_from_ok(void **state)
{
    (void)state;
    assert_int_equal(SCREE_OK, 0);
    for (int i = 0; i < status_count; ++i)
        assert_int_equal(every_status[i], i);
}

static void every_status_has_a_name_and_a_meaning_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(scree_status_name(SCREE_OK), "ok");
    assert_string_equal(scree_status_name(SCREE_ERROR_ARGUMENT), "argument");
    assert_string_equal(scree_status_name(SCREE_ERROR_NUMBER), "number");
    for (int i = 0; i < status_count; ++i) {
        assert_true(strlen(scree_status_name(every_status[i])) > 0);
        assert_true(strlen(scree_status_meaning(every_status[i])) > 0);
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(scree_status_name(every_status[i]), scree_status_name(every_status[j]));
            assert_string_not_equal(scree_status_meaning(every_status[i]),
                                    scree_status_meaning(every_status[j]));
        }
    }
}

static void a_value_that_is_not_a_status_is_unknown(void **state)
{
    (void)state;
    assert_string_equal(scree_status_name((scree_status)status_count), "unknown");
    assert_string_equal(scree_status_meaning((scree_status)status_count), "");
}

static void a_failure_returns_its_code_and_leaves_its_message(void **state)
{
    (void)state;
    scree_status_clear();
    assert_string_equal(scree_status_message(), "");
    assert_int_equal(scree_status_fail(SCREE_ERROR_MISSING, "no material %d named %s", 7, "glass"),
                     SCREE_ERROR_MISSING);
    assert_string_equal(scree_status_message(), "no material 7 named glass");
    scree_status_clear();
    assert_string_equal(scree_status_message(), "");
}

static void a_message_can_contain_the_previous_message(void **state)
{
    (void)state;
    assert_int_equal(scree_status_fail(SCREE_ERROR_ARGUMENT, "radius is 0"), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_status_fail(SCREE_ERROR_ARGUMENT, "line 4: %s", scree_status_message()),
                     SCREE_ERROR_ARGUMENT);
    assert_string_equal(scree_status_message(), "line 4: radius is 0");
}

static void format_long(char *buffer, size_t size, const char *format, ...) SCREE_PRINTF(3, 4);

static void format_long(char *buffer, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    scree_status_format(buffer, size, format, values);
    va_end(values);
}

static void a_text_that_does_not_fit_is_truncated_after_a_whole_character_and_ends_in_dots(void **state)
{
    (void)state;
    char buffer[10];
    format_long(buffer, sizeof buffer, "%s", "123456789");
    assert_string_equal(buffer, "123456789");
    format_long(buffer, sizeof buffer, "%s", "1234567890");
    assert_string_equal(buffer, "123456...");
    format_long(buffer, sizeof buffer, "%s",
                "1234\xC3\xA9"
                "7890");
    assert_string_equal(buffer, "1234\xC3\xA9...");
    format_long(buffer, sizeof buffer, "%s",
                "12345\xC3\xA9"
                "890");
    assert_string_equal(buffer, "12345...");
}

static void a_long_message_is_truncated_at_its_end(void **state)
{
    (void)state;
    char text[10001];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(scree_status_fail(SCREE_ERROR_IO, "%s", text), SCREE_ERROR_IO);
    const char *message = scree_status_message();
    const size_t length = strlen(message);
    assert_true(length > 1000);
    assert_memory_equal(message, text, length - 3);
    assert_string_equal(message + length - 3, "...");
}

static void *fail_on_another_thread(void *out)
{
    const char *before = scree_status_message();
    if (strcmp(before, "") == 0 && scree_status_fail(SCREE_ERROR_IO, "theirs") == SCREE_ERROR_IO)
        *(int *)out = strcmp(scree_status_message(), "theirs") == 0;
    return NULL;
}

static void each_thread_has_its_own_message(void **state)
{
    (void)state;
    assert_int_equal(scree_status_fail(SCREE_ERROR_STATE, "mine"), SCREE_ERROR_STATE);
    int passed = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_on_another_thread, &passed), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(passed);
    assert_string_equal(scree_status_message(), "mine");
}

static int evaluations;

static scree_status evaluated(scree_status status)
{
    ++evaluations;
    return status;
}

static scree_status try_three_calls(scree_status second)
{
    SCREE_TRY(evaluated(SCREE_OK));
    SCREE_TRY(evaluated(second));
    SCREE_TRY(evaluated(SCREE_OK));
    return SCREE_OK;
}

static void scree_try_returns_at_the_first_failure_and_evaluates_once(void **state)
{
    (void)state;
    evaluations = 0;
    assert_int_equal(try_three_calls(SCREE_OK), SCREE_OK);
    assert_int_equal(evaluations, 3);
    evaluations = 0;
    assert_int_equal(try_three_calls(SCREE_ERROR_LIMIT), SCREE_ERROR_LIMIT);
    assert_int_equal(evaluations, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_count_up_from_ok),
        cmocka_unit_test(every_status_has_a_name_and_a_meaning_of_its_own),
        cmocka_unit_test(a_value_that_is_not_a_status_is_unknown),
        cmocka_unit_test(a_failure_returns_its_code_and_leaves_its_message),
        cmocka_unit_test(a_message_can_contain_the_previous_message),
        cmocka_unit_test(a_text_that_does_not_fit_is_truncated_after_a_whole_character_and_ends_in_dots),
        cmocka_unit_test(a_long_message_is_truncated_at_its_end),
        cmocka_unit_test(each_thread_has_its_own_message),
        cmocka_unit_test(scree_try_returns_at_the_first_failure_and_evaluates_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
