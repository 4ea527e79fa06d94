// Equal bits for bodies in contact: with any instruction set, any skin and frequency of searches, any order
// of slots, any division of the steps into runs, restarts, and callbacks that only read. The reference is a
// run with default settings on one thread. Threads are in test_contact_threads.c.

#include "determinism/touching_cases.h"

enum { SETS = 3 };

static const char *const set_names[SETS] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    const int best = scree_processor_best();
    for (int set = 0; set < SETS; ++set) {
        const char *const how[] = {set_names[set]};
        if (set > best)
            print_message("skipped: this processor lacks %s\n", set_names[set]);
        else
            TRY_VARIANTS({.instruction_set = set + 1});
    }
}

static void any_order_of_slots_gives_the_same_bits(void **state)
{
    (void)state;
    const char *const how[] = {"sorted at every search", "never sorted", "sorted at every step"};
    TRY_VARIANTS({.sorting = 1}, {.sorting = -1}, {.sorting = 1, .skin = 1e-9});
}

static void contacts_in_rows_and_in_lists_give_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0};
    const char *const how[] = {"in rows", "in lists", "in rows with a second engine after 60 steps"};
    TRY_VARIANTS({.rows = 1}, {.rows = -1}, {.rows = 1, .run_lengths = two, .new_engines = true});
}

static void any_skin_gives_the_same_bits(void **state)
{
    (void)state;
    const char *const how[] = {"with a skin of 0.01", "with a skin of 0.03", "with a skin of 0.1",
                               "with a skin of 0.5", "with a search at every step"};
    TRY_VARIANTS({.skin = 0.01}, {.skin = 0.03}, {.skin = 0.1}, {.skin = 0.5}, {.skin = 1e-9});
}

static void runs_in_parts_give_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, unequal[] = {1, 2, 61, 36, 0}, others[] = {7, 33, 60, 0};
    const char *const how[] = {"in parts of 60 and 40", "in four parts",
                               "with a second engine after 60 steps",
                               "with three engines in turn and a skin of 0.5", "with memory reserved"};
    TRY_VARIANTS({.run_lengths = two}, {.run_lengths = unequal}, {.run_lengths = two, .new_engines = true},
                 {.run_lengths = others, .new_engines = true, .skin = 0.5},
                 {.run_lengths = unequal, .reserve = true});
}

static void restarts_from_checkpoints_give_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, unequal[] = {1, 2, 61, 36, 0};
    const char *const how[] = {"after a restart", "after three restarts with a skin of 0.3"};
    char file[64];
    snprintf(file, sizeof file, "restart-%ld.chk", (long)getpid());
    TRY_VARIANTS({.run_lengths = two, .file = file}, {.run_lengths = unequal, .file = file, .skin = 0.3});
    unlink(file);
}

static void callbacks_that_only_read_change_no_bit(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0};
    const char *const how[] = {"with callbacks", "when energies are read", "with callbacks and in parts"};
    TRY_VARIANTS({.observed = true}, {.energies = true}, {.observed = true, .run_lengths = two});
}

// Quanta are renewed after 64 steps, however the steps are divided into runs, and with any callbacks.
static void renewed_quanta_depend_on_the_state_alone(void **state)
{
    (void)state;
    static const uint64_t before[] = {63, 37, 0}, at[] = {64, 36, 0}, after[] = {65, 35, 0};
    char file[64];
    snprintf(file, sizeof file, "quanta-%ld.chk", (long)getpid());
    const struct touching *const worlds[] = {&everything, &contacts_only, &large_ratio, &automatic};
    const char *const how[] = {"when energies are read before the quanta are renewed",
                               "when energies are read at the renewal",
                               "after a restart before the renewal",
                               "after a restart at the renewal, when energies are read",
                               "after a restart after the renewal",
                               "with a second engine and other slots from the renewal on"};
    const struct touching_variant variants[] = {{.energies = true, .run_lengths = before},
                                                {.energies = true, .run_lengths = at, .new_engines = true},
                                                {.run_lengths = before, .file = file},
                                                {.run_lengths = at, .file = file, .energies = true},
                                                {.run_lengths = after, .file = file, .threads = 2},
                                                {.run_lengths = at, .new_engines = true, .shuffled = true}};
    for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; ++w)
        try_world(*worlds[w], variants, how, sizeof variants / sizeof variants[0]);
    unlink(file);
}

static void different_worlds_give_different_bits(void **state)
{
    (void)state;
    struct touching t = contacts_only;
    struct scree_digest seen[64];
    size_t count = 0;
    for (size_t index = 0; next_law(&t, &index); ++count) {
        assert_true(count < sizeof seen / sizeof seen[0]);
        seen[count] = run(&t, &(struct touching_variant){0});
        for (size_t k = 0; k < count; ++k)
            assert_false(scree_test_digests_equal(seen[k], seen[count]));
    }
    // five laws in three dimensions only, two in both, and several laws at once in both
    assert_int_equal(count, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(any_order_of_slots_gives_the_same_bits),
        cmocka_unit_test(contacts_in_rows_and_in_lists_give_the_same_bits),
        cmocka_unit_test(any_skin_gives_the_same_bits),
        cmocka_unit_test(runs_in_parts_give_the_same_bits),
        cmocka_unit_test(restarts_from_checkpoints_give_the_same_bits),
        cmocka_unit_test(callbacks_that_only_read_change_no_bit),
        cmocka_unit_test(renewed_quanta_depend_on_the_state_alone),
        cmocka_unit_test(different_worlds_give_different_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
