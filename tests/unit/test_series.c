// Series of files in time (file/series.h): the index lists existing files, existing series are overwritten
// only with force, and a series can be truncated to an earlier time. Reference: the expected text of the
// index.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/series.h"
#include "support/folder.h"
#include "support/starve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *index_of(const char *name)
{
    static char text[2000];
    void *data;
    size_t size;
    char path[100];
    snprintf(path, sizeof path, "%s.hdf.series", name);
    assert_int_equal(
        scree_atomic_read(scree_folder_path(&scree_test_folder, path), sizeof text - 1, &data, &size),
        SCREE_OK);
    memcpy(text, data, size);
    text[size] = 0;
    scree_memory_free(data);
    return text;
}

static bool file_exists(const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "a/%s", name);
    return scree_folder_has(&scree_test_folder, path);
}

// Opens a series, to be created or overwritten.
static scree_status open_series(struct scree_series *series, const char *name, bool force)
{
    const scree_status status = scree_series_check(series, scree_test_folder.path, name, force);
    return status == SCREE_OK ? scree_series_begin(series) : status;
}

// Opens the series "a", truncated to a number of frames.
static scree_status truncate_series(struct scree_series *series, uint64_t frames)
{
    const scree_status status =
        scree_series_check_restart(series, scree_test_folder.path, "a", false, frames);
    return status == SCREE_OK ? scree_series_begin(series) : status;
}

// Makes a series of frames; number k contains the text "frame k", at k / 10 s.
static void make_series(struct scree_series *series, int frames, bool force)
{
    assert_int_equal(open_series(series, "a", force), SCREE_OK);
    for (int k = 0; k < frames; ++k) {
        char text[20];
        snprintf(text, sizeof text, "frame %d", k);
        assert_int_equal(scree_series_add(series, k / 10.0, text, strlen(text)), SCREE_OK);
    }
}

static const char full_index[] = "{\"file-series-version\": \"1.0\", \"files\": [\n"
                                 "  {\"name\": \"a/000000.hdf\", \"time\": 0},\n"
                                 "  {\"name\": \"a/000001.hdf\", \"time\": 0.1},\n"
                                 "  {\"name\": \"a/000002.hdf\", \"time\": 0.2}\n"
                                 "]}\n";

static void the_index_lists_files_and_times(void **state)
{
    (void)state;
    struct scree_series series = {0};
    const size_t live = scree_memory_live();
    make_series(&series, 3, false);
    assert_string_equal(index_of("a"), full_index);
    assert_string_equal(series.path, scree_folder_path(&scree_test_folder, "a.hdf.series"));
    scree_series_free(&series);
    assert_int_equal(scree_memory_live(), live);
}

static void existing_frames_are_overwritten_only_with_force(void **state)
{
    (void)state;
    struct scree_series series = {0};
    make_series(&series, 3, false);
    scree_series_free(&series);
    assert_int_equal(open_series(&series, "a", false), SCREE_ERROR_EXISTS);
    assert_non_null(strstr(scree_status_message(), "already exists"));
    scree_series_free(&series);
    // frames without an index are results too, and are not overwritten
    unlink(scree_folder_path(&scree_test_folder, "a.hdf.series"));
    assert_int_equal(open_series(&series, "a", false), SCREE_ERROR_EXISTS);
    scree_series_free(&series);
    scree_folder_write(&scree_test_folder, "a/notes.hdf", "mine");
    scree_folder_write(&scree_test_folder, "a/1000000.hdf", "the millionth");
    make_series(&series, 1, true);
    scree_series_free(&series);
    // no old frame is left, and no other file is removed
    assert_true(file_exists("000000.hdf") && !file_exists("000001.hdf") && !file_exists("000002.hdf"));
    assert_false(file_exists("1000000.hdf"));
    assert_true(file_exists("notes.hdf"));
}

static void a_series_is_truncated_and_continued(void **state)
{
    (void)state;
    struct scree_series series = {0};
    make_series(&series, 3, false);
    scree_series_free(&series);
    // files that a killed run may leave behind
    scree_folder_write(&scree_test_folder, "a/000003.hdf", "beyond the index");
    scree_folder_write(&scree_test_folder, "a/000002.hdf.part", "half a frame");
    assert_int_equal(truncate_series(&series, 2), SCREE_OK);
    assert_true(file_exists("000001.hdf") && !file_exists("000002.hdf") && !file_exists("000003.hdf"));
    assert_false(file_exists("000002.hdf.part"));
    assert_int_equal(series.frames, 2);
    assert_int_equal(scree_series_add(&series, 0.2, "frame 2", 7), SCREE_OK);
    assert_string_equal(index_of("a"), full_index);
    scree_series_free(&series);
    // truncation to all frames, and to none
    assert_int_equal(truncate_series(&series, 3), SCREE_OK);
    assert_string_equal(index_of("a"), full_index);
    scree_series_free(&series);
    assert_int_equal(truncate_series(&series, 0), SCREE_OK);
    assert_false(file_exists("000000.hdf"));
    scree_series_free(&series);
    make_series(&series, 3, true);
    assert_string_equal(index_of("a"), full_index);
    scree_series_free(&series);
}

static void a_series_with_missing_frames_is_not_continued(void **state)
{
    (void)state;
    static const char *const removed[] = {"a/000000.hdf", "a/000001.hdf"};
    for (int k = 0; k < 2; ++k) {
        struct scree_series series = {0};
        make_series(&series, 3, true);
        scree_series_free(&series);
        unlink(scree_folder_path(&scree_test_folder, removed[k]));
        assert_int_equal(truncate_series(&series, 2), SCREE_ERROR_IO);
        assert_non_null(strstr(scree_status_message(), "a.hdf.series' lists missing frames"));
        scree_series_free(&series);
        // index and frames are unchanged
        assert_string_equal(index_of("a"), full_index);
        assert_true(file_exists("000002.hdf"));
        // frames that truncation removes may be missing
        assert_int_equal(truncate_series(&series, (uint64_t)k), SCREE_OK);
        scree_series_free(&series);
    }
}

static void a_series_that_is_too_short_or_of_another_run_is_not_continued(void **state)
{
    (void)state;
    static const char *const invalid_index[] = {"", "{}", "[\n]",
                                                "{\"file-series-version\": \"1.0\", \"files\": [",
                                                "{\"file-series-version\": \"1.0\", \"files\": [\n  x"};
    struct scree_series series = {0};
    make_series(&series, 3, false);
    scree_series_free(&series);
    assert_int_equal(truncate_series(&series, 4), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "has fewer frames"));
    scree_series_free(&series);
    for (size_t w = 0; w < sizeof invalid_index / sizeof invalid_index[0]; ++w) {
        scree_folder_write(&scree_test_folder, "a.hdf.series", invalid_index[w]);
        assert_int_equal(truncate_series(&series, 1), SCREE_ERROR_IO);
        assert_non_null(
            strstr(scree_status_message(), scree_folder_path(&scree_test_folder, "a.hdf.series")));
        scree_series_free(&series);
        assert_true(file_exists("000000.hdf"));
    }
    // a removed series is created again, but not over existing frames
    unlink(scree_folder_path(&scree_test_folder, "a.hdf.series"));
    assert_int_equal(truncate_series(&series, 2), SCREE_ERROR_EXISTS);
    scree_series_free(&series);
    for (int k = 0; k < 3; ++k) {
        char path[100];
        snprintf(path, sizeof path, "a/%06d.hdf", k);
        unlink(scree_folder_path(&scree_test_folder, path));
    }
    // its frames have the numbers of the other series of the run
    assert_int_equal(truncate_series(&series, 2), SCREE_OK);
    assert_int_equal(series.frames, 2);
    assert_int_equal(scree_series_add(&series, 0.2, "frame 2", 7), SCREE_OK);
    scree_series_free(&series);
    assert_int_equal(truncate_series(&series, 3), SCREE_OK);
    assert_non_null(strstr(index_of("a"), "[\n  {\"name\": \"a/000002.hdf\", \"time\": 0.2}\n]}"));
    assert_int_equal(scree_series_add(&series, 0.3, "frame 3", 7), SCREE_OK);
    scree_series_free(&series);
    assert_int_equal(truncate_series(&series, 2), SCREE_OK);
    assert_false(file_exists("000002.hdf") || file_exists("000003.hdf"));
    assert_int_equal(scree_series_add(&series, 0.25, "frame 2", 7), SCREE_OK);
    assert_non_null(strstr(index_of("a"), "[\n  {\"name\": \"a/000002.hdf\", \"time\": 0.25}\n]}"));
    scree_series_free(&series);
}

static void quotes_backslashes_and_control_characters_in_names_are_escaped(void **state)
{
    (void)state;
    struct scree_series series = {0};
    assert_int_equal(open_series(&series, "q\"\\\x01", false), SCREE_OK);
    assert_int_equal(scree_series_add(&series, 1e-300, "x", 1), SCREE_OK);
    assert_non_null(
        strstr(index_of("q\"\\\x01"), "{\"name\": \"q\\u0022\\u005c\\u0001/000000.hdf\", \"time\": 1e-300}"));
    scree_series_free(&series);
}

static scree_status begin_and_continue(void *user)
{
    struct scree_series *series = (struct scree_series *)user;
    scree_status status = open_series(series, "a", true);
    if (status == SCREE_OK)
        status = scree_series_add(series, 0, "x", 1);
    scree_series_free(series);
    if (status == SCREE_OK)
        status = truncate_series(series, 1);
    scree_series_free(series);
    return status;
}

static void failed_allocations_and_invalid_folders_are_reported(void **state)
{
    (void)state;
    struct scree_series series = {0};
    assert_true(scree_starve(begin_and_continue, &series) > 1);
    scree_folder_write(&scree_test_folder, "file", "no folder");
    assert_int_equal(open_series(&series, "file/a", false), SCREE_ERROR_IO);
    scree_series_free(&series);
    assert_int_equal(open_series(&series, "../a", false), SCREE_ERROR_ARGUMENT);
    scree_series_free(&series);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scree_test_folder_make, scree_test_folder_remove)
    const struct CMUnitTest tests[] = {
        TEST(the_index_lists_files_and_times),
        TEST(existing_frames_are_overwritten_only_with_force),
        TEST(a_series_is_truncated_and_continued),
        TEST(a_series_with_missing_frames_is_not_continued),
        TEST(a_series_that_is_too_short_or_of_another_run_is_not_continued),
        TEST(quotes_backslashes_and_control_characters_in_names_are_escaped),
        TEST(failed_allocations_and_invalid_folders_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
