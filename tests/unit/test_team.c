// Thread teams (base/team.h): every item is done once, the work is always divided in the same way, the
// default floating-point mode is used, and the work is finished even if threads stop or cannot start.

// sched_getaffinity, which gives the processors of a process, is not in POSIX
#define _GNU_SOURCE

#include "base/team.h"

#include <fenv.h>
#include <float.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#if defined(__SANITIZE_THREAD__)
#define UNDER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#endif

enum { ITEMS = 1000, THREADS = 64 };

// visits of items and pieces in one call
struct record {
    atomic_int visits[ITEMS];
    atomic_int piece_begins[ITEMS]; // pieces that begin at this item
    atomic_int at_work[THREADS];
    atomic_int pieces, invalid;
    size_t count, grain;
    int threads;
};

static void record_piece(void *context, size_t first, size_t last, int thread)
{
    struct record *record = context;
    if (first >= last || last > record->count || first % record->grain != 0 ||
        (last % record->grain != 0 && last != record->count) || thread < 0 || thread >= record->threads) {
        atomic_fetch_add(&record->invalid, 1);
        return;
    }
    // two concurrent pieces with one thread number would share scratch memory
    if (atomic_fetch_add(&record->at_work[thread], 1) != 0)
        atomic_fetch_add(&record->invalid, 1);
    atomic_fetch_add(&record->pieces, 1);
    atomic_fetch_add(&record->piece_begins[first], 1);
    for (size_t i = first; i < last; ++i)
        atomic_fetch_add(&record->visits[i], 1);
    atomic_fetch_sub(&record->at_work[thread], 1);
}

static void run_team(struct record *record, int threads, size_t count, size_t grain)
{
    const struct scree_team team = {threads};
    memset(record, 0, sizeof *record);
    record->count = count;
    record->grain = grain > 0 ? grain : 1;
    record->threads = threads;
    scree_team_run(&team, count, grain, record_piece, record);
}

static bool each_item_done_once(const struct record *record)
{
    bool once = record->invalid == 0;
    for (size_t i = 0; i < ITEMS; ++i)
        once &= record->visits[i] == (i < record->count);
    return once;
}

static void every_item_is_done_once_in_pieces_of_whole_multiples_of_the_grain(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 7, THREADS, 5};
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 999, 1000}, grains[] = {1, 8, 64, 2000};
    static const enum scree_team_sharing sharing[] = {SCREE_TEAM_ALWAYS, SCREE_TEAM_WORTH_WHILE};
    struct record record;
    for (size_t s = 0; s < 2; ++s) {
        scree_team_set_sharing(sharing[s]);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
                for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
                    run_team(&record, threads[t], counts[c], grains[g]);
                    assert_true(each_item_done_once(&record));
                }
    }
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
}

static void assert_same_division(const struct record *a, const struct record *b)
{
    for (size_t i = 0; i < ITEMS; ++i)
        assert_int_equal(a->piece_begins[i], b->piece_begins[i]);
}

static void a_grain_of_zero_items_means_one(void **state)
{
    (void)state;
    struct record zero, one;
    run_team(&zero, 3, 100, 0);
    run_team(&one, 3, 100, 1);
    assert_same_division(&zero, &one);
}

static void the_division_depends_on_count_grain_and_team_only(void **state)
{
    (void)state;
    struct record first, second;
    run_team(&first, 5, 997, 4);
    // several pieces per thread, so that a stopped thread does not delay all
    assert_true(first.pieces >= 10 * 5);
    for (int i = 0; i < 20; ++i) {
        scree_team_set_sharing(i % 2 ? SCREE_TEAM_ALWAYS : SCREE_TEAM_WORTH_WHILE);
        run_team(&second, 5, 997, 4);
        assert_same_division(&second, &first);
    }
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
    assert_true(scree_team_stop());
    scree_team_refuse_from(1);
    run_team(&second, 5, 997, 4);
    scree_team_refuse_from(0);
    assert_true(scree_team_stop());
    assert_same_division(&second, &first);
}

static void a_team_size_of_zero_means_all_processors_of_the_process(void **state)
{
    (void)state;
    const struct scree_team all = {0}, three = {3};
    assert_int_equal(scree_team_size(&three), 3);
    const pid_t child = fork();
    if (child == 0) {
        cpu_set_t set;
        size_t one = 0;
        if (sched_getaffinity(0, sizeof set, &set) != 0)
            _exit(2);
        while (!CPU_ISSET(one, &set))
            ++one;
        CPU_ZERO(&set);
        CPU_SET(one, &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0)
            _exit(2);
        _exit(scree_team_size(&all) == 1 ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 1);
    assert_true(scree_team_size(&all) >= 1);
}

// --- stopped and refused threads

// thread 1 stops, and the others must do the rest
struct stopped {
    atomic_int done, calls_of_thread_1, left_undone;
};

static void stop_thread_1(void *context, size_t first, size_t last, int thread)
{
    struct stopped *stopped = context;
    if (thread == 1 && atomic_fetch_add(&stopped->calls_of_thread_1, 1) == 0) {
        const time_t start = time(NULL);
        while (atomic_load(&stopped->done) < ITEMS - (int)(last - first) && time(NULL) - start < 30)
            sched_yield();
        atomic_store(&stopped->left_undone, ITEMS - (int)(last - first) - atomic_load(&stopped->done));
    }
    atomic_fetch_add(&stopped->done, (int)(last - first));
}

static void a_stopped_thread_delays_only_its_own_piece(void **state)
{
    (void)state;
    const struct scree_team team = {3};
    int stops = 0;
    // thread 1 may start too late to get a piece
    for (int i = 0; i < 1000 && stops == 0; ++i) {
        struct stopped stopped = {0};
        scree_team_run(&team, ITEMS, 1, stop_thread_1, &stopped);
        assert_int_equal(stopped.left_undone, 0);
        assert_int_equal(stopped.done, ITEMS);
        stops += stopped.calls_of_thread_1 > 0;
    }
    assert_true(stops > 0);
}

static void return_at_once(void *context, size_t first, size_t last, int thread)
{
    (void)context, (void)first, (void)last, (void)thread;
}

static void work_a_millisecond(void *context, size_t first, size_t last, int thread)
{
    (void)context, (void)first, (void)last, (void)thread;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void short_calls_start_no_threads_and_long_calls_do(void **state)
{
    (void)state;
    const struct scree_team team = {3};
    scree_team_set_sharing(SCREE_TEAM_WORTH_WHILE);
    bool no_threads = false;
    // repeated, because a call is a long one if the system suspends the process during it
    for (int i = 0; i < 100 && !no_threads; ++i) {
        assert_true(scree_team_stop());
        for (int k = 0; k < 100; ++k)
            scree_team_run(&team, 10, 1, return_at_once, NULL);
        no_threads = scree_team_started() == 0;
    }
    assert_true(no_threads);
    scree_team_run(&team, 100, 1, work_a_millisecond, NULL);
    assert_true(scree_team_stop());
    scree_team_run(&team, 10, 1, work_a_millisecond, NULL);
    assert_true(scree_team_started() > 0);
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
}

static void the_work_is_done_if_threads_cannot_start(void **state)
{
    (void)state;
    struct record record;
    for (int max_threads = 0; max_threads < 4; ++max_threads) {
        assert_true(scree_team_stop());
        scree_team_refuse_from(max_threads + 1);
        for (int i = 0; i < 10; ++i) {
            run_team(&record, 5, ITEMS, 1);
            assert_true(each_item_done_once(&record));
        }
        assert_in_range(scree_team_started(), 0, max_threads);
    }
    scree_team_refuse_from(0);
    assert_true(scree_team_stop());
    run_team(&record, 5, ITEMS, 1);
    assert_true(each_item_done_once(&record));
}

static void try_to_stop(void *context, size_t first, size_t last, int thread)
{
    (void)first, (void)last, (void)thread;
    if (scree_team_stop())
        atomic_fetch_add((atomic_int *)context, 1);
}

static void threads_can_be_ended_outside_calls_only(void **state)
{
    (void)state;
    const struct scree_team team = {4};
    atomic_int stopped = 0;
    scree_team_run(&team, ITEMS, 1, try_to_stop, &stopped);
    assert_int_equal(stopped, 0);
    assert_true(scree_team_stop());
    assert_int_equal(scree_team_started(), 0);
    assert_true(scree_team_stop());
}

static void check_signals(void *context, size_t first, size_t last, int thread)
{
    (void)first, (void)last;
    sigset_t blocked;
    if (pthread_sigmask(SIG_SETMASK, NULL, &blocked) != 0 || (thread > 0) != sigismember(&blocked, SIGUSR1))
        atomic_fetch_add((atomic_int *)context, 1);
}

static void signals_are_not_delivered_to_team_threads(void **state)
{
    (void)state;
    const struct scree_team team = {4};
    atomic_int errors = 0;
    scree_team_run(&team, ITEMS, 1, check_signals, &errors);
    assert_int_equal(errors, 0);
}

// --- several callers, and nested calls

struct outer_call {
    const struct scree_team *team;
    pthread_t caller[8];
    int visits[8][ITEMS], on_other_threads[8];
};

struct nested {
    struct outer_call *outer_call;
    size_t outer;
};

static void record_nested(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct nested *nested = context;
    struct outer_call *outer_call = nested->outer_call;
    for (size_t i = first; i < last; ++i)
        ++outer_call->visits[nested->outer][i];
    outer_call->on_other_threads[nested->outer] +=
        !pthread_equal(pthread_self(), outer_call->caller[nested->outer]);
}

static void run_nested(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    struct outer_call *outer_call = context;
    for (size_t i = first; i < last; ++i) {
        struct nested nested = {outer_call, i};
        outer_call->caller[i] = pthread_self();
        scree_team_run(outer_call->team, ITEMS, 1, record_nested, &nested);
    }
}

static void a_nested_team_works_on_the_calling_thread(void **state)
{
    (void)state;
    const struct scree_team team = {4};
    static struct outer_call outer_call;
    outer_call = (struct outer_call){.team = &team};
    scree_team_run(&team, 8, 1, run_nested, &outer_call);
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(outer_call.on_other_threads[i], 0);
        for (int k = 0; k < ITEMS; ++k)
            assert_int_equal(outer_call.visits[i][k], 1);
    }
}

static void *call_repeatedly(void *errors)
{
    for (int i = 0; i < 200; ++i) {
        struct record record;
        run_team(&record, 2 + i % 3, ITEMS, 1 + (size_t)i % 5);
        if (!each_item_done_once(&record))
            atomic_fetch_add((atomic_int *)errors, 1);
    }
    return NULL;
}

static void threads_of_a_program_may_call_at_the_same_time(void **state)
{
    (void)state;
    pthread_t caller[3];
    atomic_int errors = 0;
    for (int c = 0; c < 3; ++c)
        assert_int_equal(pthread_create(&caller[c], NULL, call_repeatedly, &errors), 0);
    for (int c = 0; c < 3; ++c)
        assert_int_equal(pthread_join(caller[c], NULL), 0);
    assert_int_equal(errors, 0);
}

// exit status of a child process that uses a team and then forks again
static int status_of_child(int generations)
{
    const pid_t child = fork();
    if (child == 0) {
        struct record record;
        bool correct = true;
        for (int i = 0; i < 5; ++i) {
            run_team(&record, 4, ITEMS, 1);
            correct &= each_item_done_once(&record);
        }
        correct &= generations == 0 || status_of_child(generations - 1) == 0;
        correct &= scree_team_stop();
        _exit(correct ? 0 : 1);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return status;
}

static void a_child_process_has_its_own_threads(void **state)
{
    (void)state;
#if defined(UNDER_THREAD_SANITIZER)
    // the thread sanitizer allows no threads in a child of a threaded process
    skip();
#endif
    struct record record;
    run_team(&record, 4, ITEMS, 1);
    assert_int_equal(status_of_child(1), 0);
    // the parent keeps its threads
    run_team(&record, 4, ITEMS, 1);
    assert_true(each_item_done_once(&record));
    // children can be created while another thread makes calls
    pthread_t caller;
    atomic_int errors = 0;
    assert_int_equal(pthread_create(&caller, NULL, call_repeatedly, &errors), 0);
    for (int i = 0; i < 20; ++i)
        assert_int_equal(status_of_child(0), 0);
    assert_int_equal(pthread_join(caller, NULL), 0);
    assert_int_equal(errors, 0);
}

// --- floating-point mode

// operands that the compiler cannot fold
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

static void check_arithmetic(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    for (size_t i = first; i < last; ++i)
        ((bool *)context)[i] = keeps_subnormal_numbers() && rounds_to_nearest();
}

// sets a floating-point mode that a caller may use
static void change_floating_point_mode(void)
{
    fesetround(FE_UPWARD);
#if defined(__SSE2__)
    // flush-to-zero and denormals-are-zero
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
}

static void restore_floating_point_mode(void)
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

// an emulator may ignore the floating-point mode: then nothing can be tested
static void assert_mode_restored(struct arithmetic before, struct arithmetic after)
{
    if (before.rounds_to_nearest)
        skip();
    assert_false(after.rounds_to_nearest);
    assert_int_equal(after.keeps_subnormal_numbers, before.keeps_subnormal_numbers);
}

static void threads_use_the_default_floating_point_mode_and_the_mode_of_the_caller_is_restored(void **state)
{
    (void)state;
    static const int threads[] = {1, 4};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t) {
        const struct scree_team team = {threads[t]};
        bool correct[ITEMS] = {false};
        change_floating_point_mode();
        const struct arithmetic before = arithmetic_now();
        scree_team_run(&team, ITEMS, 1, check_arithmetic, correct);
        const struct arithmetic after = arithmetic_now();
        restore_floating_point_mode();
        assert_mode_restored(before, after);
        for (int i = 0; i < ITEMS; ++i)
            assert_true(correct[i]);
    }
}

static void the_floating_point_mode_can_be_set_and_restored_without_a_team(void **state)
{
    (void)state;
    change_floating_point_mode();
    const struct arithmetic before = arithmetic_now();
    const struct scree_team_float saved = scree_team_float_enter();
    const bool inside = keeps_subnormal_numbers() && rounds_to_nearest();
    scree_team_float_leave(saved);
    const struct arithmetic after = arithmetic_now();
    restore_floating_point_mode();
    assert_true(inside);
    assert_mode_restored(before, after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        // this test is first, because processors are counted only once
        cmocka_unit_test(a_team_size_of_zero_means_all_processors_of_the_process),
        cmocka_unit_test(every_item_is_done_once_in_pieces_of_whole_multiples_of_the_grain),
        cmocka_unit_test(a_grain_of_zero_items_means_one),
        cmocka_unit_test(the_division_depends_on_count_grain_and_team_only),
        cmocka_unit_test(a_stopped_thread_delays_only_its_own_piece),
        cmocka_unit_test(short_calls_start_no_threads_and_long_calls_do),
        cmocka_unit_test(the_work_is_done_if_threads_cannot_start),
        cmocka_unit_test(threads_can_be_ended_outside_calls_only),
        cmocka_unit_test(signals_are_not_delivered_to_team_threads),
        cmocka_unit_test(a_nested_team_works_on_the_calling_thread),
        cmocka_unit_test(threads_of_a_program_may_call_at_the_same_time),
        cmocka_unit_test(a_child_process_has_its_own_threads),
        cmocka_unit_test(threads_use_the_default_floating_point_mode_and_the_mode_of_the_caller_is_restored),
        cmocka_unit_test(the_floating_point_mode_can_be_set_and_restored_without_a_team),
    };
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
