// Equal bits for bodies in contact on any number of threads; the reference is a run on one thread. This is a
// separate file because it also runs under the thread sanitizer; other variants are in test_contacts.c.

#include "determinism/touching_cases.h"

// The thread sanitizer does not see memory accesses by intrinsics of wider instruction sets, so some variants
// use the narrowest set.
static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, unequal[] = {1, 2, 61, 36, 0};
    const char *const how[] = {"on 2 threads, with callbacks, in parts",
                               "on 3 threads, restarted, with a skin of 0.3", "on 4 threads by x86-64-v2",
                               "in rows on 3 threads by x86-64-v2, sorted at every search",
                               "on 2 threads with a skin of 1"};
    char file[64];
    snprintf(file, sizeof file, "threads-%ld.chk", (long)getpid());
    TRY_VARIANTS({.threads = 2, .observed = true, .run_lengths = two},
                 {.threads = 3, .run_lengths = unequal, .file = file, .skin = 0.3},
                 {.threads = 4, .instruction_set = 1},
                 {.threads = 3, .rows = 1, .sorting = 1, .instruction_set = 1}, {.threads = 2, .skin = 1});
    unlink(file);
}

// Several pieces of tiles; bodies sorted in space and in random order; in one world, a body with contacts in
// all pieces; quanta are renewed during the run.
static void several_pieces_of_tiles_give_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t unequal[] = {1, 62, 2, 35, 0};
    char file[64];
    snprintf(file, sizeof file, "pieces-%ld.chk", (long)getpid());
    const struct touching worlds[] = {
        {.name = "giant", .bodies = 5300, .walls = true, .giant = true},
        {.name = "large", .bodies = 5300, .periodic = true, .walls = true},
    };
    const char *const how[] = {
        "on 3 threads", "in random order", "in rows on 4 threads in random order",
        "in parts on 4 threads, in random orders, with new engines, when energies are read",
        "after restarts on 2 threads"};
    const struct touching_variant variants[] = {
        {.threads = 3},
        {.shuffled = true, .sorting = -1},
        {.rows = 1, .threads = 4, .shuffled = true, .sorting = -1},
        {.threads = 4, .shuffled = true, .run_lengths = unequal, .new_engines = true, .energies = true},
        {.threads = 2, .run_lengths = unequal, .file = file}};
    for (size_t w = 0; w < FEWER(sizeof worlds / sizeof worlds[0], 1); ++w)
        try_world(worlds[w], variants, how, sizeof variants / sizeof variants[0]);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(several_pieces_of_tiles_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
