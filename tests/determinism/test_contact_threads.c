// Equal bits for bodies in contact on any number of threads. A separate file, because it also runs under the
// thread sanitizer; other variants to run are in test_contacts.c.

#include "determinism/touching_cases.h"

// The thread sanitizer does not see memory accesses by intrinsics of wider instruction sets, so some variants
// use the narrowest set.
static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, odd[] = {1, 2, 61, 36, 0};
    const char *const what[] = {"on 2 threads, watched in parts",
                                "on 3 threads, restarted, with a skin of 0.3", "on 4 threads by x86-64-v2",
                                "in rows on 3 threads by x86-64-v2, sorted at every search",
                                "on 2 threads with a skin of 1"};
    char file[64];
    snprintf(file, sizeof file, "threads-%ld.chk", (long)getpid());
    TRY_VARIANTS({.threads = 2, .observed = true, .cut = two},
                 {.threads = 3, .cut = odd, .file = file, .skin = 0.3}, {.threads = 4, .set = 1},
                 {.threads = 3, .rows = 1, .sorting = 1, .set = 1}, {.threads = 2, .skin = 1});
    unlink(file);
}

// Enough tiles for several pieces, both close in space and in random order; one body that gets terms from all
// pieces; and quanta that are renewed during the run.
static void many_tiles_give_the_same_bits(void **state)
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
    const struct touching_variant variants[] = {
        {.threads = 3},
        {.shuffled = true, .sorting = -1},
        {.rows = 1, .threads = 4, .shuffled = true, .sorting = -1},
        {.threads = 4, .shuffled = true, .cut = odd, .new_engines = true, .energies = true},
        {.threads = 2, .cut = odd, .file = file}};
    for (size_t w = 0; w < sizeof large / sizeof large[0]; ++w)
        try_large(large[w], variants, what, sizeof variants / sizeof variants[0]);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(many_tiles_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
