// The same bits where bodies touch: on any number of threads, with any set of instructions, whenever contacts
// are searched and however far ahead, in any order of slots, and however the steps are taken.

#include "determinism/touching.h"
#include "support/sketch.h"

#include <stdio.h>
#include <unistd.h>

enum { STEPS = 100, SETS = 3 };

static const char *const set_names[SETS] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};

static const struct touching everything = TOUCHING_EVERYTHING(160);

// Nothing but contacts, so that bodies go ahead as soon as their force is known.
static const struct touching alone = {.name = "alone", .bodies = 160, .walls = true};

// several tiles, and a last one that is not full
static const struct touching many = {.name = "many", .bodies = 3300, .walls = true, .periodic = true};

static const struct touching uneven = {.name = "uneven", .bodies = 250, .ratio = 50, .walls = true};

static const struct touching automatic = {
    .name = "automatic", .bodies = 160, .walls = true, .automatic = true};

static struct scree_digest run(const struct touching *t, const struct touching_way *way)
{
    struct scree_digest digest;
    assert_ok(touching_run(t, way, STEPS, &digest));
    return digest;
}

static void assert_same(const struct touching *t, struct scree_digest expected,
                        const struct touching_way *way, const char *what)
{
    if (!scree_sketch_equal(expected, run(t, way)))
        fail_msg("'%s' in %d dimensions by '%s' differs %s", t->name, touching_dimension(t),
                 t->law ? t->law : "several laws", what);
}

// Each law and several of them, in the dimensions that it has; false past the last.
static bool next_law(struct touching *t, size_t *index)
{
    const struct scree_contact_law *law;
    for (t->law = NULL; (law = scree_law_at(*index / 2)); ++*index) {
        t->dimension = 2 + (int)(*index % 2);
        t->law = law->name;
        if (law->dimensions >> t->dimension & 1)
            break;
    }
    if (!law) {
        size_t laws = 0;
        while (scree_law_at(laws))
            ++laws;
        t->law = NULL;
        t->dimension = 2 + (int)(*index % 2);
        return (*index)++ < 2 * laws + 2;
    }
    ++*index;
    return true;
}

// Every world in every dimension by every law, in ways that must not show.
static void try_ways(const struct touching_way *ways, const char *const *what, size_t count)
{
    const struct touching *const worlds[] = {&everything, &alone, &uneven};
    for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; ++w) {
        struct touching t = *worlds[w];
        for (size_t index = 0; next_law(&t, &index);) {
            const struct scree_digest expected = run(&t, &(struct touching_way){0});
            for (size_t k = 0; k < count; ++k)
                assert_same(&t, expected, &ways[k], what[k]);
        }
    }
    const struct touching *const larger[] = {&many, &automatic};
    for (size_t w = 0; w < sizeof larger / sizeof larger[0]; ++w) {
        struct touching t = *larger[w];
        for (t.dimension = 2; t.dimension <= 3; ++t.dimension) {
            t.law = t.dimension == 3 && w == 0 ? "hertz-mindlin" : "linear";
            const struct scree_digest expected = run(&t, &(struct touching_way){0});
            for (size_t k = 0; k < count; ++k)
                assert_same(&t, expected, &ways[k], what[k]);
        }
    }
}

#define TRY_WAYS(...)                                                                                        \
    do {                                                                                                     \
        const struct touching_way ways[] = {__VA_ARGS__};                                                    \
        try_ways(ways, what, sizeof ways / sizeof ways[0]);                                                  \
    } while (0)

// A thread sanitizer does not see what wider sets read by intrinsics, so one of these takes the narrowest.
static void one_to_four_threads_leave_the_same_bits(void **state)
{
    (void)state;
    const char *const what[] = {"on 2 threads", "on 3 threads", "on 4 threads by x86-64-v2"};
    TRY_WAYS({.threads = 2}, {.threads = 3}, {.threads = 4, .set = 1});
}

static void every_set_of_instructions_leaves_the_same_bits(void **state)
{
    (void)state;
    const int best = scree_processor_best();
    for (int set = 0; set < SETS; ++set) {
        const char *const what[] = {set_names[set]};
        if (set > best)
            print_message("skipped: %s, which this processor lacks\n", set_names[set]);
        else
            TRY_WAYS({.set = set + 1});
    }
}

static void the_order_of_slots_leaves_the_same_bits(void **state)
{
    (void)state;
    const char *const what[] = {"sorted at every search", "never sorted", "sorted at every step"};
    TRY_WAYS({.sorting = 1}, {.sorting = -1}, {.sorting = 1, .skin = 1e-9});
}

static void rows_and_lists_leave_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0};
    const char *const what[] = {"in rows", "in lists",
                                "in rows, sorted at every search on 3 threads by x86-64-v2",
                                "in rows by two engines in turn"};
    TRY_WAYS({.rows = 1}, {.rows = -1}, {.rows = 1, .sorting = 1, .threads = 3, .set = 1},
             {.rows = 1, .cut = two, .engines = true});
}

static void any_skin_leaves_the_same_bits(void **state)
{
    (void)state;
    const char *const what[] = {"with a skin of 0.01",         "with a skin of 0.03",
                                "with a skin of 0.1",          "with a skin of 0.5",
                                "with a search at every step", "with a skin of 1 on 2 threads"};
    TRY_WAYS({.skin = 0.01}, {.skin = 0.03}, {.skin = 0.1}, {.skin = 0.5}, {.skin = 1e-9},
             {.skin = 1, .threads = 2});
}

static void runs_in_parts_leave_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, odd[] = {1, 2, 61, 36, 0}, others[] = {7, 33, 60, 0};
    const char *const what[] = {"in parts of 60 and 40", "in odd parts", "by two engines in turn",
                                "by three engines with a skin of 0.5"};
    TRY_WAYS({.cut = two}, {.cut = odd}, {.cut = two, .engines = true},
             {.cut = others, .engines = true, .skin = 0.5});
}

static void restarts_from_checkpoints_leave_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0}, odd[] = {1, 2, 61, 36, 0};
    const char *const what[] = {"after a restart", "after three restarts on 3 threads with a skin of 0.3"};
    char file[64];
    snprintf(file, sizeof file, "restart-%ld.chk", (long)getpid());
    TRY_WAYS({.cut = two, .file = file}, {.cut = odd, .file = file, .threads = 3, .skin = 0.3});
    unlink(file);
}

static void being_watched_leaves_the_same_bits(void **state)
{
    (void)state;
    static const uint64_t two[] = {60, 40, 0};
    const char *const what[] = {"when watched", "when asked for energies", "when watched in parts"};
    TRY_WAYS({.watched = true}, {.energies = true}, {.watched = true, .cut = two, .threads = 2});
}

// Runs a world in ways that must not show, by a law with friction.
static void try_large(struct touching t, const struct touching_way *ways, const char *const *what,
                      size_t count)
{
    t.law = "hertz-mindlin";
    const struct scree_digest expected = run(&t, &(struct touching_way){0});
    for (size_t k = 0; k < count; ++k)
        assert_same(&t, expected, &ways[k], what[k]);
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
        {.name = "large", .bodies = 8300, .periodic = true, .walls = true},
        {.name = "giant", .bodies = 8300, .walls = true, .giant = true},
    };
    const char *const what[] = {"on 2 threads",
                                "on 3 threads",
                                "on 4 threads in random order",
                                "in random order",
                                "in rows on 4 threads in random order",
                                "in parts on 4 threads, in other orders, by several engines, watched",
                                "after restarts on 3 threads"};
    const struct touching_way ways[] = {
        {.threads = 2},
        {.threads = 3},
        {.threads = 4, .shuffled = true, .sorting = -1},
        {.shuffled = true, .sorting = -1},
        {.rows = 1, .threads = 4, .shuffled = true, .sorting = -1},
        {.threads = 4, .shuffled = true, .cut = odd, .engines = true, .energies = true},
        {.threads = 3, .cut = odd, .file = file}};
    for (size_t w = 0; w < sizeof large / sizeof large[0]; ++w)
        try_large(large[w], ways, what, sizeof ways / sizeof ways[0]);
    unlink(file);
}

// Quanta are renewed at steps that do not depend on how a run is cut, nor on who looks.
static void quanta_follow_from_the_state_alone(void **state)
{
    (void)state;
    static const uint64_t before[] = {63, 37, 0}, at[] = {64, 36, 0}, after[] = {65, 35, 0};
    char file[64];
    snprintf(file, sizeof file, "quanta-%ld.chk", (long)getpid());
    const struct touching *const worlds[] = {&everything, &alone, &uneven, &automatic};
    const char *const what[] = {"when asked for energies before the quanta are renewed",
                                "when asked for energies as they are renewed",
                                "after a restart before they are renewed",
                                "after a restart as they are renewed, and energies asked for",
                                "after a restart when they have been renewed"};
    const struct touching_way ways[] = {{.energies = true, .cut = before},
                                        {.energies = true, .cut = at, .engines = true},
                                        {.cut = before, .file = file},
                                        {.cut = at, .file = file, .energies = true},
                                        {.cut = after, .file = file, .threads = 2}};
    for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; ++w)
        try_large(*worlds[w], ways, what, sizeof ways / sizeof ways[0]);
    unlink(file);
}

static void different_worlds_leave_different_bits(void **state)
{
    (void)state;
    struct touching t = alone;
    struct scree_digest seen[64];
    size_t count = 0;
    for (size_t index = 0; next_law(&t, &index); ++count) {
        assert_true(count < sizeof seen / sizeof seen[0]);
        seen[count] = run(&t, &(struct touching_way){0});
        for (size_t k = 0; k < count; ++k)
            assert_false(scree_sketch_equal(seen[k], seen[count]));
    }
    // five laws of three dimensions, two of both, and several in both
    assert_int_equal(count, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_to_four_threads_leave_the_same_bits),
        cmocka_unit_test(every_set_of_instructions_leaves_the_same_bits),
        cmocka_unit_test(the_order_of_slots_leaves_the_same_bits),
        cmocka_unit_test(rows_and_lists_leave_the_same_bits),
        cmocka_unit_test(any_skin_leaves_the_same_bits),
        cmocka_unit_test(runs_in_parts_leave_the_same_bits),
        cmocka_unit_test(restarts_from_checkpoints_leave_the_same_bits),
        cmocka_unit_test(being_watched_leaves_the_same_bits),
        cmocka_unit_test(crowds_of_many_tiles_leave_the_same_bits),
        cmocka_unit_test(quanta_follow_from_the_state_alone),
        cmocka_unit_test(different_worlds_leave_different_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
