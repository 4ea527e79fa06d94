// What a scene names stays in its folder, and its folders are made.

#include "base/memory.h"
#include "file/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// A folder with the folders `real/deep`, the link `away` to somewhere else and the file link `real/file`.
static char folder[32];

static void name(char *path, size_t size, const char *what)
{
    snprintf(path, size, "%s/%s", folder, what);
}

static int plant(void **state)
{
    (void)state;
    char path[64];
    snprintf(folder, sizeof folder, "scree-path-%ld", (long)getpid());
    assert_int_equal(mkdir(folder, 0777), 0);
    name(path, sizeof path, "real");
    assert_int_equal(mkdir(path, 0777), 0);
    name(path, sizeof path, "away");
    assert_int_equal(symlink("/tmp", path), 0);
    name(path, sizeof path, "real/file");
    assert_int_equal(symlink("/etc/hostname", path), 0);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    static const char *const files[] = {"real/file", "away"};
    static const char *const folders[] = {"new/deep", "new", "real"};
    char path[64];
    for (size_t f = 0; f < 2; ++f) {
        name(path, sizeof path, files[f]);
        assert_int_equal(unlink(path), 0);
    }
    for (size_t f = 0; f < 3; ++f) {
        name(path, sizeof path, folders[f]);
        assert_int_equal(rmdir(path), 0);
    }
    return rmdir(folder);
}

static void names_that_lead_out_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"/etc/passwd", "absolute"}, {"../a.csv", "leads out"},        {"a/../../b", "leads out"},
        {"", "no name of a file"},   {"a/", "no name of a file"},      {"away/a.csv", "away' is a link"},
        {"away", "is a link"},       {"real/file", "file' is a link"}, {"away/not/there", "away' is a link"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char *path;
        for (int make = 0; make < 2; ++make) {
            const scree_status status = make ? scree_path_make(folder, rows[r][0], &path)
                                             : scree_path_join(folder, rows[r][0], &path);
            assert_null(path);
            if (status != SCREE_ERROR_ARGUMENT || !strstr(scree_status_message(), rows[r][1]))
                fail_msg("'%s': %s", rows[r][0], scree_status_message());
        }
    }
}

static void folders_on_the_way_are_made(void **state)
{
    (void)state;
    struct stat about;
    char *path;
    assert_int_equal(scree_path_make(folder, "new/deep/..table.csv", &path), SCREE_OK);
    assert_true(stat(path, &about) != 0);
    *strrchr(path, '/') = 0;
    assert_true(stat(path, &about) == 0 && S_ISDIR(about.st_mode));
    scree_memory_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_lead_out_are_refused),
        cmocka_unit_test(folders_on_the_way_are_made),
    };
    return cmocka_run_group_tests(tests, plant, clear);
}
