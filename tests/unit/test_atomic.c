// Files that are either complete or absent, and the errors in writing them.

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

static const char *at(const char *name)
{
    return scree_folder_path(&folder, name);
}

static int enter(void **state)
{
    (void)state;
    folder = scree_folder_make("keep-of-test");
    return 0;
}

static int leave(void **state)
{
    (void)state;
    scree_folder_end(&folder, "a a.part b b.part pipe fifo inner/a inner");
    return 0;
}

static scree_status keep(const char *name, const char *text, bool durable)
{
    return scree_atomic_write(at(name), NULL, &(struct scree_atomic_piece){text, strlen(text)}, 1, durable);
}

static void assert_holds(const char *name, const char *text)
{
    void *data;
    size_t size;
    assert_int_equal(scree_atomic_read(at(name), 1 << 20, &data, &size), SCREE_OK);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(data, text, size);
    scree_memory_free(data);
}

static void pieces_follow_each_other_and_replace_what_was_there(void **state)
{
    (void)state;
    const struct scree_atomic_piece pieces[] = {{"one ", 4}, {NULL, 0}, {"two", 3}};
    for (int durable = 0; durable < 2; ++durable) {
        assert_int_equal(keep("a", "something longer than the new content", durable), SCREE_OK);
        assert_int_equal(scree_atomic_write(at("a"), NULL, pieces, 3, durable), SCREE_OK);
        assert_holds("a", "one two");
        assert_int_equal(access(at("a.part"), F_OK), -1);
    }
}

static void temporary_files_of_a_killed_run_are_replaced(void **state)
{
    (void)state;
    FILE *stale = fopen(at("a.part"), "w");
    fputs("half a file", stale);
    fclose(stale);
    assert_int_equal(keep("a", "whole", false), SCREE_OK);
    assert_holds("a", "whole");
    // a symbolic link there is replaced, and its target stays
    assert_int_equal(keep("b", "mine", false), SCREE_OK);
    assert_int_equal(symlink("b", at("a.part")), 0);
    assert_int_equal(keep("a", "again", false), SCREE_OK);
    assert_holds("b", "mine");
}

// Two processes write the same file again and again: no write fails, and the file is always a whole one.
static void two_writers_do_not_share_a_temporary_file(void **state)
{
    (void)state;
    enum { SIZE = 100000, WRITES = 300 };
    static char text[2][SIZE];
    memset(text[0], 'a', SIZE);
    memset(text[1], 'b', SIZE);
    const pid_t child = fork();
    assert_true(child >= 0);
    const int own = child == 0;
    const struct scree_atomic_piece pieces[] = {{text[own], SIZE / 2}, {text[own], SIZE - SIZE / 2}};
    int good = 1, exit_status;
    for (int k = 0; k < WRITES && good; ++k) {
        void *data = NULL;
        size_t size = 0;
        good = scree_atomic_write(at("a"), NULL, pieces, 2, false) == SCREE_OK &&
               scree_atomic_read(at("a"), SIZE, &data, &size) == SCREE_OK && size == SIZE &&
               (memcmp(data, text[0], SIZE) == 0 || memcmp(data, text[1], SIZE) == 0);
        scree_memory_free(data);
    }
    if (child == 0)
        _exit(good ? 0 : 1);
    assert_int_equal(waitpid(child, &exit_status, 0), child);
    assert_true(good && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
    assert_int_equal(access(at("a.part"), F_OK), -1);
    assert_int_equal(access(at("a.part2"), F_OK), -1);
}

static void only_files_are_replaced(void **state)
{
    (void)state;
    struct stat facts;
    assert_int_equal(mkfifo(at("fifo"), 0666), 0);
    assert_int_equal(scree_atomic_check(at("fifo"), NULL), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "it is a pipe"));
    assert_int_equal(keep("fifo", "x", true), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "it is a pipe"));
    assert_int_equal(scree_atomic_check("/dev/null", NULL), SCREE_ERROR_IO);
    assert_true(lstat(at("fifo"), &facts) == 0 && S_ISFIFO(facts.st_mode));
    assert_int_equal(access(at("fifo.part"), F_OK), -1);
}

static void errors_name_the_path_and_the_reason(void **state)
{
    (void)state;
    assert_int_equal(keep("none/a", "x", false), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), at("none/a")));
    assert_non_null(strstr(scree_status_message(), "No such file or directory"));
    // a non-empty folder cannot be replaced; the temporary file is removed
    assert_int_equal(mkdir(at("inner"), 0777), 0);
    assert_int_equal(keep("inner/a", "x", false), SCREE_OK);
    assert_int_equal(keep("inner", "x", true), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "cannot replace"));
    assert_int_equal(access(at("inner.part"), F_OK), -1);
}

static void a_file_beyond_the_limit_is_an_error_and_the_old_one_stays(void **state)
{
    (void)state;
    static const char large[65536];
    struct rlimit before, small;
    sigset_t mask;
    assert_int_equal(keep("a", "old", false), SCREE_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 10000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const scree_status status =
        scree_atomic_write(at("a"), NULL, &(struct scree_atomic_piece){large, sizeof large}, 1, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "ulimit"));
    assert_int_equal(access(at("a.part"), F_OK), -1);
    assert_holds("a", "old");
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
    assert_int_equal(keep("a", "0123456789", false), SCREE_OK);
    assert_int_equal(scree_atomic_read(at("a"), 10, &data, &size), SCREE_OK);
    scree_memory_free(data);
    assert_int_equal(scree_atomic_read(at("a"), 9, &data, &size), SCREE_ERROR_LIMIT);
    assert_null(data);
    assert_int_equal(scree_atomic_read(at("b"), 9, &data, &size), SCREE_ERROR_IO);
    assert_int_equal(scree_atomic_read(folder.path, 1 << 20, &data, &size), SCREE_ERROR_IO);
    // a pipe without a writer must not block
    assert_int_equal(mkfifo(at("pipe"), 0666), 0);
    assert_int_equal(scree_atomic_read(at("pipe"), 1 << 20, &data, &size), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "not a regular file"));
    assert_int_equal(keep("a", "", false), SCREE_OK);
    assert_int_equal(scree_atomic_read(at("a"), 9, &data, &size), SCREE_OK);
    assert_true(data == NULL && size == 0);
}

static void failed_allocations_are_reported(void **state)
{
    (void)state;
    void *data;
    size_t size;
    const size_t live = scree_memory_live();
    assert_int_equal(keep("a", "x", false), SCREE_OK);
    scree_memory_fail_at(1);
    assert_int_equal(keep("a", "y", false), SCREE_ERROR_MEMORY);
    scree_memory_fail_at(1);
    assert_int_equal(scree_atomic_read(at("a"), 10, &data, &size), SCREE_ERROR_MEMORY);
    assert_null(data);
    scree_memory_fail_at(0);
    assert_holds("a", "x");
    assert_int_equal(scree_memory_live(), live);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST(pieces_follow_each_other_and_replace_what_was_there),
        TEST(temporary_files_of_a_killed_run_are_replaced),
        TEST(two_writers_do_not_share_a_temporary_file),
        TEST(only_files_are_replaced),
        TEST(errors_name_the_path_and_the_reason),
        TEST(a_file_beyond_the_limit_is_an_error_and_the_old_one_stays),
        TEST(only_regular_files_of_a_bounded_size_are_read),
        TEST(failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
