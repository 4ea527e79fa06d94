// Paths in scenes (file/path.h): they stay within the folder of the scene, and missing folders are created.

#include "base/memory.h"
#include "file/path.h"
#include "support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// Contains the folder `real`, the link `away` to another folder and the link `real/file` to a file.
static struct scree_folder folder;

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("scree-path");
    assert_int_equal(mkdir(scree_folder_path(&folder, "real"), 0777), 0);
    assert_int_equal(symlink("/tmp", scree_folder_path(&folder, "away")), 0);
    assert_int_equal(symlink("/etc/hostname", scree_folder_path(&folder, "real/file")), 0);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"real/file", "away", "new/deep", "new", "real"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n)
        assert_int_equal(remove(scree_folder_path(&folder, names[n])), 0);
    scree_folder_end(&folder, "");
    return 0;
}

static void paths_that_leave_the_folder_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"/etc/passwd", "absolute"}, {"../a.csv", "leads out"},        {"a/../../b", "leads out"},
        {"", "is not a file name"},  {"a/", "is not a file name"},     {"away/a.csv", "away' is a link"},
        {"away", "is a link"},       {"real/file", "file' is a link"}, {"away/not/there", "away' is a link"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char *path;
        for (int make = 0; make < 2; ++make) {
            const scree_status status = make ? scree_path_make(folder.path, rows[r][0], &path)
                                             : scree_path_join(folder.path, rows[r][0], &path);
            assert_null(path);
            if (status != SCREE_ERROR_ARGUMENT || !strstr(scree_status_message(), rows[r][1]))
                fail_msg("'%s': %s", rows[r][0], scree_status_message());
        }
    }
}

static void missing_folders_are_created(void **state)
{
    (void)state;
    struct stat status;
    char *path;
    assert_int_equal(scree_path_make(folder.path, "new/deep/..table.csv", &path), SCREE_OK);
    assert_true(stat(path, &status) != 0);
    *strrchr(path, '/') = 0;
    assert_true(stat(path, &status) == 0 && S_ISDIR(status.st_mode));
    scree_memory_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_that_leave_the_folder_are_refused),
        cmocka_unit_test(missing_folders_are_created),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
