// The same bits where bodies touch on any number of threads. What a sanitizer of threads is asked about
// contacts stands here; other ways to run are in test_contacts.c.

#include "determinism/touching_cases.h"

// A thread sanitizer does not see what wider sets read by intrinsics, so some of these take the narrowest.
static void any_number_of_threads_leaves_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, odd[] = {1, 2, 61, 36, 0};
    const char *const what[] = {"on 2 threads, watched in parts",
                                "on 3 threads, restarted, with a skin of 0.3", "on 4 threads by x86-64-v2",
                                "in rows on 3 threads by x86-64-v2, sorted at every search",
                                "on 2 threads with a skin of 1"};
    char file[64];
    snprintf(file, sizeof file, "threads-%ld.chk", (long)getpid());
    TRY_WAYS({.threads = 2, .watched = true, .cut = two},
             {.threads = 3, .cut = odd, .file = file, .skin = 0.3}, {.threads = 4, .set = 1},
             {.threads = 3, .rows = 1, .sorting = 1, .set = 1}, {.threads = 2, .skin = 1});
    unlink(file);
}

// Enough tiles for several pieces, near ones and, in random order, each with all others; a body that all
// pieces add to; and quanta that are renewed on the way.
static void crowds_of_many_tiles_leave_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t odd[] = {1, 62, 2, 35, 0};
    char file[64];
    snprintf(file, sizeof file, "large-%ld.chk", (long)getpid());
    const struct touching large[] = {
        {.name = "large", .bodies = 5300, .periodic = true, .walls = true},
        {.name = "giant", .bodies = 5300, .walls = true, .giant = true},
    };
    const char *const what[] = {"on 3 threads", "in random order", "in rows on 4 threads in random order",
                                "in parts on 4 threads, in other orders, by several engines, watched",
                                "after restarts on 2 threads"};
    const struct touching_way ways[] = {
        {.threads = 3},
        {.shuffled = true, .sorting = -1},
        {.rows = 1, .threads = 4, .shuffled = true, .sorting = -1},
        {.threads = 4, .shuffled = true, .cut = odd, .engines = true, .energies = true},
        {.threads = 2, .cut = odd, .file = file}};
    for (size_t w = 0; w < sizeof large / sizeof large[0]; ++w)
        try_large(large[w], ways, what, sizeof ways / sizeof ways[0]);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_leaves_the_same_bits),
        cmocka_unit_test(crowds_of_many_tiles_leave_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
