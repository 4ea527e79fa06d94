// A team does every item once, cuts the same way every time, and computes in the default arithmetic.

#include "base/team.h"

#include <fenv.h>
#include <float.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

enum { ITEMS = 1000, THREADS = 64 };

// the work of one call, as its threads saw it
struct witness {
    int visits[ITEMS];
    size_t first[THREADS], last[THREADS];
    int calls[THREADS];
};

static void see(void *context, size_t first, size_t last, int thread)
{
    struct witness *witness = context;
    for (size_t i = first; i < last; ++i)
        ++witness->visits[i];
    witness->first[thread] = first;
    witness->last[thread] = last;
    ++witness->calls[thread];
}

static struct witness run_team(int threads, size_t count, size_t grain)
{
    const struct scree_team team = {threads};
    struct witness witness = {0};
    scree_team_run(&team, count, grain, see, &witness);
    return witness;
}

static void assert_cut_is_right(const struct witness *witness, int threads, size_t count, size_t grain)
{
    for (size_t i = 0; i < ITEMS; ++i)
        assert_int_equal(witness->visits[i], i < count);
    size_t longest = 0, shortest = SIZE_MAX;
    for (int t = 0; t < THREADS; ++t) {
        assert_in_range(witness->calls[t], 0, t < threads);
        if (witness->calls[t] == 0)
            continue;
        assert_true(witness->first[t] < witness->last[t]);
        assert_int_equal(witness->first[t] % grain, 0);
        assert_true(witness->last[t] % grain == 0 || witness->last[t] == count);
        const size_t units = (witness->last[t] - witness->first[t] + grain - 1) / grain;
        longest = units > longest ? units : longest;
        shortest = units < shortest ? units : shortest;
    }
    assert_true(count == 0 || longest - shortest <= 1);
}

static void every_item_is_done_once_in_ranges_of_whole_grains(void **state)
{
    (void)state;
    // the largest first: libomp leaks when a team has to grow, and a leak checker hears of it
    static const int threads[] = {64, 7, 3, 2, 1};
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 999, 1000}, grains[] = {1, 8, 64, 2000};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
                const struct witness witness = run_team(threads[t], counts[c], grains[g]);
                assert_cut_is_right(&witness, threads[t], counts[c], grains[g]);
            }
}

static void a_grain_of_zero_is_a_grain_of_one(void **state)
{
    (void)state;
    const struct witness zero = run_team(3, 100, 0), one = run_team(3, 100, 1);
    assert_memory_equal(&zero, &one, sizeof one);
}

static void the_same_call_cuts_the_same_way(void **state)
{
    (void)state;
    const struct witness first = run_team(5, 997, 4);
    for (int i = 0; i < 20; ++i) {
        const struct witness again = run_team(5, 997, 4);
        assert_memory_equal(&again, &first, sizeof first);
    }
}

static void the_cut_does_not_depend_on_how_many_threads_are_granted(void **state)
{
    (void)state;
    const struct witness many = run_team(5, 997, 4);
#if defined(_OPENMP)
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
#endif
    const struct witness one = run_team(5, 997, 4);
#if defined(_OPENMP)
    omp_set_max_active_levels(levels);
#endif
    assert_memory_equal(&one, &many, sizeof many);
}

static void a_team_of_zero_has_all_processors(void **state)
{
    (void)state;
    const struct scree_team all = {0}, three = {3};
    assert_true(scree_team_size(&all) >= 1);
#if defined(_OPENMP)
    assert_int_equal(scree_team_size(&all), omp_get_num_procs());
#endif
    assert_int_equal(scree_team_size(&three), 3);
}

struct nest {
    const struct scree_team *team;
    pthread_t caller[8];
    int visits[8][ITEMS], foreign[8];
};

struct nested {
    struct nest *nest;
    size_t outer;
};

static void see_inside(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct nested *nested = context;
    struct nest *nest = nested->nest;
    for (size_t i = first; i < last; ++i)
        ++nest->visits[nested->outer][i];
    nest->foreign[nested->outer] += !pthread_equal(pthread_self(), nest->caller[nested->outer]);
}

static void run_inside(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    struct nest *nest = context;
    for (size_t i = first; i < last; ++i) {
        struct nested nested = {nest, i};
        nest->caller[i] = pthread_self();
        scree_team_run(nest->team, ITEMS, 1, see_inside, &nested);
    }
}

static void a_team_inside_a_team_works_on_the_calling_thread(void **state)
{
    (void)state;
    const struct scree_team team = {4};
    static struct nest nest;
    nest = (struct nest){.team = &team};
#if defined(_OPENMP)
    // a runtime that would nest if it were let
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(2);
#endif
    scree_team_run(&team, 8, 1, run_inside, &nest);
#if defined(_OPENMP)
    omp_set_max_active_levels(levels);
#endif
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(nest.foreign[i], 0);
        for (int k = 0; k < ITEMS; ++k)
            assert_int_equal(nest.visits[i][k], 1);
    }
}

// operands the compiler cannot fold
static volatile double smallest_normal = DBL_MIN, one = 1, tiny = 0x1p-60;

static bool keeps_subnormal_numbers(void)
{
    const volatile double half = smallest_normal / 2;
    return half + half == smallest_normal;
}

static bool rounds_to_nearest(void)
{
    return one + tiny == one && -one - tiny == -one;
}

static void probe_arithmetic(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    for (size_t i = first; i < last; ++i)
        ((bool *)context)[i] = keeps_subnormal_numbers() && rounds_to_nearest();
}

// sets the arithmetic a caller might have left behind
static void spoil_arithmetic(void)
{
    fesetround(FE_UPWARD);
#if defined(__SSE2__)
    // flush-to-zero and denormals-are-zero
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
}

static void restore_arithmetic(void)
{
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
    fesetround(FE_TONEAREST);
}

struct arithmetic {
    bool keeps_subnormal_numbers, rounds_to_nearest;
};

static struct arithmetic arithmetic_now(void)
{
    return (struct arithmetic){keeps_subnormal_numbers(), rounds_to_nearest()};
}

// an emulator may ignore the settings of the processor: nothing can be spoilt then, nor tested
static void assert_spoilt_and_back(struct arithmetic before, struct arithmetic after)
{
    if (before.rounds_to_nearest)
        skip();
    assert_false(after.rounds_to_nearest);
    assert_int_equal(after.keeps_subnormal_numbers, before.keeps_subnormal_numbers);
}

static void workers_compute_in_the_default_arithmetic_and_the_callers_comes_back(void **state)
{
    (void)state;
    static const int threads[] = {1, 4};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t) {
        const struct scree_team team = {threads[t]};
        bool good[ITEMS] = {false};
        spoil_arithmetic();
        const struct arithmetic before = arithmetic_now();
        scree_team_run(&team, ITEMS, 1, probe_arithmetic, good);
        const struct arithmetic after = arithmetic_now();
        restore_arithmetic();
        assert_spoilt_and_back(before, after);
        for (int i = 0; i < ITEMS; ++i)
            assert_true(good[i]);
    }
}

static void the_arithmetic_can_be_entered_and_left_without_a_team(void **state)
{
    (void)state;
    spoil_arithmetic();
    const struct arithmetic before = arithmetic_now();
    const struct scree_team_float saved = scree_team_float_enter();
    const bool inside = keeps_subnormal_numbers() && rounds_to_nearest();
    scree_team_float_leave(saved);
    const struct arithmetic after = arithmetic_now();
    restore_arithmetic();
    assert_true(inside);
    assert_spoilt_and_back(before, after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once_in_ranges_of_whole_grains),
        cmocka_unit_test(a_grain_of_zero_is_a_grain_of_one),
        cmocka_unit_test(the_same_call_cuts_the_same_way),
        cmocka_unit_test(the_cut_does_not_depend_on_how_many_threads_are_granted),
        cmocka_unit_test(a_team_of_zero_has_all_processors),
        cmocka_unit_test(a_team_inside_a_team_works_on_the_calling_thread),
        cmocka_unit_test(workers_compute_in_the_default_arithmetic_and_the_callers_comes_back),
        cmocka_unit_test(the_arithmetic_can_be_entered_and_left_without_a_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
