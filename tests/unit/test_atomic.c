// Atomic writes: a file is complete or absent, also with two writers or after a killed run; errors are
// reported with path and reason.

#include "base/memory.h"
#include "file/atomic.h"
#include "support/folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct scree_folder folder;

static const char *path_of(const char *name)
{
    return scree_folder_path(&folder, name);
}

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("atomic-of-test");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "a a.part b b.part pipe fifo inner/a inner");
    return 0;
}

static scree_status write_text(const char *name, const char *text, bool durable)
{
    return scree_atomic_write(path_of(name), NULL, &(struct scree_atomic_piece){text, strlen(text)}, 1,
                              durable);
}

static void assert_content(const char *name, const char *text)
{
    void *data;
    size_t size;
    assert_int_equal(scree_atomic_read(path_of(name), 1 << 20, &data, &size), SCREE_OK);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(data, text, size);
    scree_memory_free(data);
}

static void pieces_are_written_in_order_and_replace_the_old_content(void **state)
{
    (void)state;
    const struct scree_atomic_piece pieces[] = {{"one ", 4}, {NULL, 0}, {"two", 3}};
    for (int durable = 0; durable < 2; ++durable) {
        assert_int_equal(write_text("a", "something longer than the new content", durable), SCREE_OK);
        assert_int_equal(scree_atomic_write(path_of("a"), NULL, pieces, 3, durable), SCREE_OK);
        assert_content("a", "one two");
        assert_int_equal(access(path_of("a.part"), F_OK), -1);
    }
}

static void temporary_files_of_a_killed_run_are_replaced(void **state)
{
    (void)state;
    FILE *stale = fopen(path_of("a.part"), "w");
    fputs("half a file", stale);
    fclose(stale);
    assert_int_equal(write_text("a", "whole", false), SCREE_OK);
    assert_content("a", "whole");
    // a symbolic link with the temporary name is replaced, and its target stays
    assert_int_equal(write_text("b", "mine", false), SCREE_OK);
    assert_int_equal(symlink("b", path_of("a.part")), 0);
    assert_int_equal(write_text("a", "again", false), SCREE_OK);
    assert_content("b", "mine");
}

// Two processes write the same file again and again: no write fails, and the file is always complete.
static void two_writers_do_not_share_a_temporary_file(void **state)
{
    (void)state;
    enum { SIZE = 100000, WRITES = 300 };
    static char text[2][SIZE];
    memset(text[0], 'a', SIZE);
    memset(text[1], 'b', SIZE);
    const pid_t child = fork();
    assert_true(child >= 0);
    const int writer = child == 0;
    const struct scree_atomic_piece pieces[] = {{text[writer], SIZE / 2}, {text[writer], SIZE - SIZE / 2}};
    int succeeded = 1, exit_status;
    for (int k = 0; k < WRITES && succeeded; ++k) {
        void *data = NULL;
        size_t size = 0;
        succeeded = scree_atomic_write(path_of("a"), NULL, pieces, 2, false) == SCREE_OK &&
                    scree_atomic_read(path_of("a"), SIZE, &data, &size) == SCREE_OK && size == SIZE &&
                    (memcmp(data, text[0], SIZE) == 0 || memcmp(data, text[1], SIZE) == 0);
        scree_memory_free(data);
    }
    if (child == 0)
        _exit(succeeded ? 0 : 1);
    assert_int_equal(waitpid(child, &exit_status, 0), child);
    assert_true(succeeded && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
    assert_int_equal(access(path_of("a.part"), F_OK), -1);
    assert_int_equal(access(path_of("a.part2"), F_OK), -1);
}

static void only_regular_files_are_replaced(void **state)
{
    (void)state;
    struct stat information;
    assert_int_equal(mkfifo(path_of("fifo"), 0666), 0);
    assert_int_equal(scree_atomic_check(path_of("fifo"), NULL), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "it is a pipe"));
    assert_int_equal(write_text("fifo", "x", true), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "it is a pipe"));
    assert_int_equal(scree_atomic_check("/dev/null", NULL), SCREE_ERROR_IO);
    assert_true(lstat(path_of("fifo"), &information) == 0 && S_ISFIFO(information.st_mode));
    assert_int_equal(access(path_of("fifo.part"), F_OK), -1);
}

static void errors_name_the_path_and_the_reason(void **state)
{
    (void)state;
    assert_int_equal(write_text("none/a", "x", false), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), path_of("none/a")));
    assert_non_null(strstr(scree_status_message(), "No such file or directory"));
    // a non-empty folder cannot be replaced; the temporary file is removed
    assert_int_equal(mkdir(path_of("inner"), 0777), 0);
    assert_int_equal(write_text("inner/a", "x", false), SCREE_OK);
    assert_int_equal(write_text("inner", "x", true), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "cannot replace"));
    assert_int_equal(access(path_of("inner.part"), F_OK), -1);
}

static void a_file_above_the_size_limit_is_an_error_and_the_old_file_stays(void **state)
{
    (void)state;
    static const char large[65536];
    struct rlimit before, small;
    sigset_t mask;
    assert_int_equal(write_text("a", "old", false), SCREE_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 10000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const scree_status status =
        scree_atomic_write(path_of("a"), NULL, &(struct scree_atomic_piece){large, sizeof large}, 1, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "ulimit"));
    assert_int_equal(access(path_of("a.part"), F_OK), -1);
    assert_content("a", "old");
    // the signal was not delivered and is not pending, and can occur again
    assert_int_equal(sigpending(&mask), 0);
    assert_false(sigismember(&mask, SIGXFSZ));
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    assert_false(sigismember(&mask, SIGXFSZ));
}

static void only_regular_files_of_a_bounded_size_are_read(void **state)
{
    (void)state;
    void *data = &data;
    size_t size = 1;
    assert_int_equal(write_text("a", "0123456789", false), SCREE_OK);
    assert_int_equal(scree_atomic_read(path_of("a"), 10, &data, &size), SCREE_OK);
    scree_memory_free(data);
    assert_int_equal(scree_atomic_read(path_of("a"), 9, &data, &size), SCREE_ERROR_LIMIT);
    assert_null(data);
    assert_int_equal(scree_atomic_read(path_of("b"), 9, &data, &size), SCREE_ERROR_IO);
    assert_int_equal(scree_atomic_read(folder.path, 1 << 20, &data, &size), SCREE_ERROR_IO);
    // a pipe without a writer must not block
    assert_int_equal(mkfifo(path_of("pipe"), 0666), 0);
    assert_int_equal(scree_atomic_read(path_of("pipe"), 1 << 20, &data, &size), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "not a regular file"));
    assert_int_equal(write_text("a", "", false), SCREE_OK);
    assert_int_equal(scree_atomic_read(path_of("a"), 9, &data, &size), SCREE_OK);
    assert_true(data == NULL && size == 0);
}

static void failed_allocations_are_reported(void **state)
{
    (void)state;
    void *data;
    size_t size;
    const size_t live = scree_memory_live();
    assert_int_equal(write_text("a", "x", false), SCREE_OK);
    scree_memory_fail_at(1);
    assert_int_equal(write_text("a", "y", false), SCREE_ERROR_MEMORY);
    scree_memory_fail_at(1);
    assert_int_equal(scree_atomic_read(path_of("a"), 10, &data, &size), SCREE_ERROR_MEMORY);
    assert_null(data);
    scree_memory_fail_at(0);
    assert_content("a", "x");
    assert_int_equal(scree_memory_live(), live);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(pieces_are_written_in_order_and_replace_the_old_content),
        TEST(temporary_files_of_a_killed_run_are_replaced),
        TEST(two_writers_do_not_share_a_temporary_file),
        TEST(only_regular_files_are_replaced),
        TEST(errors_name_the_path_and_the_reason),
        TEST(a_file_above_the_size_limit_is_an_error_and_the_old_file_stays),
        TEST(only_regular_files_of_a_bounded_size_are_read),
        TEST(failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
