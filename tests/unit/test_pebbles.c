// Files with the pebbles of a clump: rows and commands that are accepted, and mistakes with their line.
// Reference: the numbers in the files.

#include "base/memory.h"
#include "exchange/pebbles.h"
#include "support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 5 };

struct result {
    struct scree_pebbles pebbles;
    struct scree_diagnostics diagnostics;
    scree_status status;
    bool good;
};

static struct result read_path(const char *path, int dimension)
{
    struct result result = {0};
    result.good = scree_pebbles_read(&result.pebbles, path, "stone.txt", dimension, MAX, &result.diagnostics,
                                     &result.status);
    return result;
}

static struct result read_text(const char *text, int dimension)
{
    scree_folder_write(&scree_test_folder, "stone.txt", text);
    return read_path(scree_folder_path(&scree_test_folder, "stone.txt"), dimension);
}

static void free_result(struct result *result)
{
    scree_pebbles_free(&result->pebbles);
    scree_diagnostic_free(&result->diagnostics);
}

static void assert_pebble(const struct result *result, size_t p, double x, double y, double z, double r)
{
    assert_true(p < result->pebbles.row.count);
    const struct scree_pebbles_row *row = &result->pebbles.row.data[p];
    assert_true(row->offset[0] == x && row->offset[1] == y && row->offset[2] == z && row->radius == r);
}

static void rows_of_numbers_are_pebbles(void **state)
{
    (void)state;
    struct result result = read_path(SCREE_TEST_DATA "/clumps/multisphere.txt", 3);
    assert_true(result.good && result.status == SCREE_OK && result.pebbles.row.count == 3);
    assert_pebble(&result, 0, -2, 0, 0, 1.5);
    assert_pebble(&result, 1, 0, 0, 0, 2);
    assert_pebble(&result, 2, 2, 0, 0, 1.5);
    assert_true(result.pebbles.volume == 0);
    free_result(&result);
    result = read_text("1,2,\t3,4 # a comment\r\n\n(1, 2, 3) 4", 3);
    assert_true(result.good && result.pebbles.row.count == 2);
    assert_pebble(&result, 1, 1, 2, 3, 4);
    free_result(&result);
    result = read_text("1 2 3\n1 2 0 3\n", 2);
    assert_true(result.good && result.pebbles.row.count == 2);
    assert_pebble(&result, 0, 1, 2, 0, 3);
    assert_pebble(&result, 1, 1, 2, 0, 3);
    free_result(&result);
}

static void a_command_gives_pebbles_and_mass_properties(void **state)
{
    (void)state;
    struct result result = read_path(SCREE_TEST_DATA "/clumps/template.txt", 3);
    assert_true(result.good && result.pebbles.row.count == 2);
    assert_pebble(&result, 0, -1, 0, 0, 1);
    assert_pebble(&result, 1, 1, 0, 0, 1);
    assert_true(result.pebbles.volume == 8.377580409572781 && result.pebbles.tensor[0] == 3.351032163829113 &&
                result.pebbles.tensor[2] == 11.728612573401895);
    free_result(&result);
    // moments of inertia are xx yy zz xy xz yz in the file, and xx yy zz yz zx xy in memory
    result = read_text("clump create pebbles 1 1 0 0 0 inertia 1 2 3 4 5 6 position 7 8 9 volume 10\n", 3);
    static const double tensor[6] = {1, 2, 3, 6, 5, 4}, centre[3] = {7, 8, 9};
    assert_true(result.good && result.pebbles.volume == 10);
    assert_memory_equal(result.pebbles.tensor, tensor, sizeof tensor);
    assert_memory_equal(result.pebbles.centre, centre, sizeof centre);
    free_result(&result);
    result = read_text("clump template create pebcalculate 0.01 pebbles 2 1 0 0 2 1 0 name b\n", 2);
    assert_true(result.good && result.pebbles.row.count == 2 && result.pebbles.volume == 0);
    assert_pebble(&result, 1, 1, 0, 0, 2);
    free_result(&result);
}

static void mistakes_are_reported_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "this file has no pebbles"},
        {"# nothing\n", "this file has no pebbles"},
        {"0 0 0 1\n0 0 1\n", "stone.txt:2:1: a pebble has 4 numbers, x y z r; this line has 3"},
        {"0 0 0 1 1\n", "stone.txt:1:1: a pebble has 4 numbers, x y z r; this line has 5"},
        {"0 0 0 0\n", "stone.txt:1:1: the radius of a pebble must be above 0; got 0"},
        {"0 0 0 -1\n", "the radius of a pebble must be above 0; got -1"},
        {"0 0 nan 1\n", "stone.txt:1:5: a number was expected, not 'nan'"},
        {"0 0 1e200 1\n", "stone.txt:1:5: a number must be at most 1e100 in magnitude"},
        {"0 0 0 1\n0 0 0 1\n0 0 0 1\n0 0 0 1\n0 0 0 1\n0 0 0 1\n",
         "stone.txt:6:1: a clump has at most 5 pebbles"},
        {"stone 0 0 0\n", "stone.txt:1:1: a number was expected, not 'stone'"},
        {"0 0 0 1\nclump create pebbles 1 1 0 0 0\n", "stone.txt:2:1: a row `x y z r` was expected"},
        {"clump make\n", "`clump template create` or `clump create` was expected, not 'make'"},
        {"clump create pebbles 1e9 1 0 0 0\n", "a clump has from 1 to 5 pebbles, all in one list"},
        {"clump create pebbles 0.5 1 0 0 0\n", "a clump has from 1 to 5 pebbles, all in one list"},
        {"clump create pebbles 2 1 0 0 0\n", "the radius and the position of the next pebble was expected at"},
        {"clump create pebbles 1 1 0 0 0 density 3\n", "position or calculate was expected, not 'density'"},
        {"clump create pebbles 1 1 0 0 0 volume 3\n", "'volume' and 'inertia' must be given together"},
        {"clump create pebbles 1 1 0 0 0 volume 0\n", "the volume must be above 0"},
        {"clump create pebbles 1 1 0 0 0 inertia 1 2 3 4 5 &", "one of six moments of inertia was expected at"},
        {"clump create name a\n", "this file has no pebbles"},
        {"clump create pebbles 1 1 0 0 0\nclump create pebbles 1 1 0 0 0\n",
         "stone.txt:2:1: a file has the pebbles of one clump only"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct result result = read_text(rows[r].text, 3);
        char *text;
        assert_false(result.good);
        assert_int_equal(result.status, SCREE_OK);
        assert_int_equal(scree_diagnostic_text(&result.diagnostics, &text), SCREE_OK);
        if (!strstr(text, rows[r].message))
            fail_msg("expected '%s', got '%s'", rows[r].message, text);
        scree_memory_free(text);
        free_result(&result);
    }
    struct result result = read_path("does-not-exist", 3);
    assert_true(!result.good && result.status == SCREE_ERROR_IO);
    free_result(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_numbers_are_pebbles),
        cmocka_unit_test(a_command_gives_pebbles_and_mass_properties),
        cmocka_unit_test(mistakes_are_reported_with_their_line),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
