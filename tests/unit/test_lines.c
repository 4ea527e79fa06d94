// Text files read line by line: each line as it was written, also from a file that grows after it was opened.

#include "base/memory.h"
#include "support/folder.h"
#include "text/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { LINES = 60 };

// Line n has (n^3 mod 60000) bytes: from none to more than the first buffer of a small file.
static size_t length_of(int n)
{
    return (size_t)n * (size_t)n * (size_t)n % 60000;
}

static void append(const char *path, int first, int last)
{
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    for (int n = first; n < last; ++n) {
        for (size_t k = 0; k < length_of(n); ++k)
            fputc('a' + (int)((size_t)n + k) % 26, file);
        // the last line has no end
        fputs(n + 1 == LINES ? "" : n % 2 ? "\r\n" : "\n", file);
    }
    assert_int_equal(fclose(file), 0);
}

static void check(struct scree_lines *lines, int first, int last)
{
    for (int n = first; n < last; ++n) {
        assert_true(scree_lines_next(lines));
        assert_int_equal(lines->number, n + 1);
        assert_int_equal(lines->length, length_of(n));
        for (size_t k = 0; k < lines->length; ++k)
            if (lines->text[k] != 'a' + (int)((size_t)n + k) % 26)
                fail_msg("byte %zu of line %d is changed", k, n);
    }
}

// The file has four short lines when it is opened, so that its buffer is small, and grows twice.
static void lines_are_those_that_were_written(void **state)
{
    const char *path = scree_folder_path(&scree_test_folder, "a.txt");
    struct scree_lines lines;
    (void)state;
    const size_t blocks = scree_memory_live();
    append(path, 0, 4);
    assert_int_equal(scree_lines_open(&lines, path, "a", NULL), SCREE_OK);
    check(&lines, 0, 3);
    append(path, 4, LINES / 2);
    check(&lines, 3, 20);
    const struct scree_lines_mark mark = scree_lines_here(&lines);
    append(path, LINES / 2, LINES);
    check(&lines, 20, LINES);
    assert_false(scree_lines_next(&lines));
    scree_lines_return(&lines, mark);
    check(&lines, 19, LINES);
    assert_false(scree_lines_next(&lines));
    assert_int_equal(lines.status, SCREE_OK);
    scree_lines_close(&lines);
    assert_int_equal(scree_memory_live(), blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_are_those_that_were_written, scree_test_folder_make,
                                        scree_test_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
