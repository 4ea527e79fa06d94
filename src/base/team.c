// A pool of POSIX threads that claim pieces of work, see team.h.
//
// A call is opened, threads join it, and it is closed when no piece is left; all threads have left when the
// call returns. A call does not change while a thread is in it, so only joining needs synchronisation: the
// number of members and the open flag are one atomic word.
//
// Each thread has a share of its own, an equal part of consecutive pieces, and claims from it first, because
// its data may still be in the thread's caches from the last step. Then it claims from the shares of others.

#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define NO_PIECE SIZE_MAX

// most pieces per thread: many, to take over the work of a preempted thread, but with little overhead
enum { PIECES = 64 };

// number of shares allocated; in larger teams several threads use the same share
enum { SHARES = 256 };

// in ns
static const uint64_t min_shared_time = 20000;    // shorter calls end before a thread has woken up
static const uint64_t worker_spin_time = 50000;   // a thread spins this long for the next call
static const uint64_t caller_spin_time = 20000;   // the caller spins this long for the last pieces
static const uint64_t max_short_time = 500000;    // shorter calls end before the scheduler runs again
static const uint64_t min_lost_wait = 200000;     // a longer wait at the end means a thread was preempted
static const uint64_t min_assessed_time = 100000; // in longer calls the gain by sharing is assessed
static const uint64_t no_spin_time = 500000000;   // after a preemption no thread spins for this long
static const uint64_t max_join_wait = 200000;     // if all calls are shared, longest wait for threads to join
static const uint64_t retry_delay = 1000000000;   // delay before starting threads again after a failure

// after a call that did not gain from sharing, the caller works alone for this many times the time lost
enum { MIN_ALONE_FACTOR = 2, MAX_ALONE_FACTOR = 32 };

// sharing did not gain if it took more than this fraction of the time of the caller alone
static const double wasted_ratio = 0.85;

struct call {
    size_t count, grain, units, pieces;
    scree_team_work *work;
    void *context;
    int size;
};

struct share {
    _Alignas(64) atomic_size_t next;
    size_t end;
};

// statistics of a kind of work, identified by its function
struct kind {
    scree_team_work *work;
    double item, item_alone; // ns per item, 0 if unknown; the second from calls done by the caller alone
    uint64_t alone;          // ns of work still to be done by the caller alone
    // the factor in use, and of the last call without gain: when it was, and the time lost, ns
    uint64_t alone_factor, wasted_at, wasted;
};
enum { KINDS = 64 };

// A thread of the pool, allocated on the stack of that thread.
struct worker {
    pthread_t thread;
    pthread_cond_t wake;
    int number;
    bool asleep, must_end;
    struct worker *next;
};

static const unsigned OPEN = 1u << 31;

static struct {
    atomic_flag in_use;               // a call is using the threads
    _Alignas(64) atomic_uint members; // threads in the call, and OPEN while more may join
    atomic_uint number;               // serial number of the call
    struct call call;
    size_t shares;
    struct share share[SHARES];

    pthread_mutex_t lock;   // protects the members up to the next comment line
    pthread_cond_t changed; // a thread has left a closed call, or was added to the list
    struct worker *worker;
    int listed;
    atomic_bool caller_waits; // the caller waits for the last thread to leave
    atomic_int asleep;

    // used only by the call that has taken the threads
    struct kind kind[KINDS];
    uint64_t preempted_at, refused_until;
    atomic_int started;
    bool has_fork_handlers;
    atomic_bool preempted; // threads were preempted recently
} pool = {.in_use = ATOMIC_FLAG_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

#ifdef NDEBUG
static atomic_int sharing = SCREE_TEAM_WORTH_WHILE;
#else
static atomic_int sharing = SCREE_TEAM_ALWAYS;
#endif

static int refuse_from;

// this thread is inside parallel work
static _Thread_local bool inside;

static uint64_t now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool shares_every_call(void)
{
    return atomic_load(&sharing) == SCREE_TEAM_ALWAYS;
}

static void pause_shortly(void)
{
#if defined(__SSE2__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// --- pieces

// first item of a piece: units are divided evenly, the first pieces get one more
static size_t piece_begin(const struct call *call, size_t piece)
{
    if (piece == call->pieces)
        return call->count;
    const size_t each = call->units / call->pieces, extra = call->units % call->pieces;
    return call->grain * (piece * each + (piece < extra ? piece : extra));
}

static void run_piece(const struct call *call, size_t piece, int thread)
{
    call->work(call->context, piece_begin(call, piece), piece_begin(call, piece + 1), thread);
}

static void run_alone(const struct call *call)
{
    const bool was_inside = inside;
    inside = was_inside || call->pieces > 1;
    for (size_t piece = 0; piece < call->pieces; ++piece)
        run_piece(call, piece, 0);
    inside = was_inside;
}

static void set_shares(const struct call *call)
{
    pool.shares = (size_t)call->size < call->pieces ? (size_t)call->size : call->pieces;
    if (pool.shares > SHARES)
        pool.shares = SHARES;
    for (size_t s = 0; s < pool.shares; ++s) {
        atomic_store_explicit(&pool.share[s].next, call->pieces * s / pool.shares, memory_order_relaxed);
        pool.share[s].end = call->pieces * (s + 1) / pool.shares;
    }
}

// Claims a piece from the thread's own share, then from the following ones. `exhausted` is the number of
// shares without a piece left.
static size_t claim(int thread, size_t *exhausted)
{
    for (; *exhausted < pool.shares; ++*exhausted) {
        struct share *share = &pool.share[((size_t)thread + *exhausted) % pool.shares];
        // check first, so that the counter does not grow without bound
        if (atomic_load_explicit(&share->next, memory_order_relaxed) >= share->end)
            continue;
        const size_t piece = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
        if (piece < share->end)
            return piece;
    }
    return NO_PIECE;
}

// --- threads of the pool

static bool join(void)
{
    unsigned members = atomic_load(&pool.members);
    while (members & OPEN)
        if (atomic_compare_exchange_weak(&pool.members, &members, members + 1))
            return true;
    return false;
}

static void leave(void)
{
    // only the last thread to leave a closed call wakes the caller
    if (atomic_fetch_sub(&pool.members, 1) != 1 || !atomic_load(&pool.caller_waits))
        return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

static void work_in(int thread)
{
    size_t exhausted = 0;
    for (size_t piece; (piece = claim(thread, &exhausted)) != NO_PIECE;)
        run_piece(&pool.call, piece, thread);
}

static bool spin_until_call(unsigned last_number, uint64_t limit)
{
    for (uint64_t start_time = now(); now() - start_time < limit;)
        for (int turn = 0; turn < 32; ++turn, pause_shortly())
            if (atomic_load_explicit(&pool.number, memory_order_relaxed) != last_number)
                return true;
    return false;
}

// Waits for a call after number `last_number`. Returns false if the thread is to end.
static bool wait_for_call(struct worker *self, unsigned last_number)
{
    // no spinning in tests, many of which run at the same time
    const bool spins = !atomic_load(&pool.preempted) && !shares_every_call();
    if (spin_until_call(last_number, spins ? worker_spin_time : 0))
        return true;
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.asleep, 1);
    self->asleep = atomic_load(&pool.number) == last_number;
    while (self->asleep && !self->must_end)
        pthread_cond_wait(&self->wake, &pool.lock);
    atomic_fetch_sub(&pool.asleep, 1);
    const bool must_end = self->must_end;
    pthread_mutex_unlock(&pool.lock);
    return !must_end;
}

static void *serve(void *argument)
{
    struct worker self = {
        .thread = pthread_self(), .wake = PTHREAD_COND_INITIALIZER, .number = (int)(intptr_t)argument};
    inside = true;
    (void)scree_team_float_enter();
    pthread_mutex_lock(&pool.lock);
    self.next = pool.worker;
    pool.worker = &self;
    ++pool.listed;
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
    unsigned last_number = 0;
    do {
        const unsigned number = atomic_load(&pool.number);
        if (number == last_number)
            continue;
        last_number = number;
        if (!join())
            continue;
        // the call joined may be a later one; it stays open while this thread is in it
        last_number = atomic_load(&pool.number);
        if (self.number < pool.call.size)
            work_in(self.number);
        leave();
    } while (wait_for_call(&self, last_number));
    pthread_cond_destroy(&self.wake);
    return NULL;
}

// --- starting and ending threads

static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&pool.lock);
}

// The child process has only the thread that forked.
static void in_child(void)
{
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.worker = NULL;
    pool.listed = 0;
    atomic_store(&pool.started, 0);
    atomic_store(&pool.asleep, 0);
    atomic_store(&pool.caller_waits, false);
    atomic_store(&pool.members, 0);
    atomic_flag_clear(&pool.in_use);
}

static bool start_one(void)
{
    if (refuse_from > 0 && --refuse_from == 0) {
        refuse_from = 1;
        return false;
    }
    // block all signals: they are delivered to the threads of the program
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool starts = pthread_create(&thread, NULL, serve, (void *)(intptr_t)(pool.started + 1)) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pool.started += starts;
    return starts;
}

static void start(int wanted)
{
    // otherwise a child process would wait for threads that do not exist there
    if (!pool.has_fork_handlers && pthread_atfork(before_fork, after_fork, in_child) != 0)
        return;
    pool.has_fork_handlers = true;
    if (now() < pool.refused_until)
        return;
    for (; wanted > 0; --wanted)
        if (!start_one()) {
            pool.refused_until = now() + retry_delay;
            return;
        }
}

bool scree_team_stop(void)
{
    if (atomic_flag_test_and_set(&pool.in_use))
        return false;
    pthread_mutex_lock(&pool.lock);
    while (pool.listed < pool.started)
        pthread_cond_wait(&pool.changed, &pool.lock);
    while (pool.worker) {
        struct worker *worker = pool.worker;
        const pthread_t thread = worker->thread;
        pool.worker = worker->next;
        worker->must_end = true;
        pthread_cond_signal(&worker->wake);
        pthread_mutex_unlock(&pool.lock);
        // the worker struct is on the stack of that thread, and is invalid after this
        pthread_join(thread, NULL);
        pthread_mutex_lock(&pool.lock);
    }
    pool.listed = 0;
    atomic_store(&pool.started, 0);
    pthread_mutex_unlock(&pool.lock);
    pool.refused_until = 0;
    memset(pool.kind, 0, sizeof pool.kind);
    atomic_flag_clear(&pool.in_use);
    return true;
}

// for unloading of the library, and for tools that report leaked threads
__attribute__((destructor)) static void stop_at_end(void)
{
    (void)scree_team_stop();
}

int scree_team_started(void)
{
    return atomic_load(&pool.started);
}

void scree_team_refuse_from(int nth)
{
    refuse_from = nth;
}

void scree_team_set_sharing(enum scree_team_sharing wanted)
{
    atomic_store(&sharing, (int)wanted);
}

// --- a call

// Wakes up to `wanted` sleeping threads. Returns how many more are wanted.
static int wake(int wanted, int size)
{
    pthread_mutex_lock(&pool.lock);
    for (struct worker *worker = pool.worker; worker && wanted > 0; worker = worker->next)
        if (worker->asleep && worker->number < size) {
            worker->asleep = false;
            pthread_cond_signal(&worker->wake);
            --wanted;
        }
    pthread_mutex_unlock(&pool.lock);
    return wanted;
}

// Wakes or starts up to `wanted` threads.
static void request_threads(int wanted, int size)
{
    if (wanted > 0 && atomic_load(&pool.asleep) > 0)
        wanted = wake(wanted, size);
    const int missing = size - 1 - pool.started;
    if (wanted > 0 && missing > 0)
        start(wanted < missing ? wanted : missing);
}

// For SCREE_TEAM_ALWAYS: waits until other threads have joined.
static void wait_until_joined(int wanted)
{
    wanted = wanted < pool.started ? wanted : pool.started;
    for (const uint64_t start_time = now(); now() - start_time < max_join_wait;) {
        if ((int)(atomic_load(&pool.members) & ~OPEN) >= wanted)
            return;
        sched_yield();
    }
}

static struct kind *kind_of(scree_team_work *work)
{
    struct kind *kind = &pool.kind[((uintptr_t)work >> 4) % KINDS];
    if (kind->work != work)
        *kind = (struct kind){.work = work};
    return kind;
}

static void update_item_time(struct kind *kind, double time, size_t items)
{
    if (items == 0)
        return;
    const double item = time / (double)items;
    // limit outliers: a thread may have been preempted
    const double limited = kind->item > 0 && item > 2 * kind->item ? 2 * kind->item : item;
    kind->item = kind->item > 0 ? 0.75 * kind->item + 0.25 * limited : limited;
}

// The caller's own work; other threads are woken as soon as the rest seems long enough.
static void work_and_wake(const struct call *call, struct kind *kind)
{
    const uint64_t start_time = now();
    size_t exhausted = 0, items = 0, pieces = 0;
    double remaining_time = kind->item * (double)call->count;
    bool requested = false;
    for (size_t piece; (piece = claim(0, &exhausted)) != NO_PIECE;) {
        const size_t left = call->pieces - pieces;
        if (!requested && left > 1 && remaining_time > (double)min_shared_time) {
            const double useful = remaining_time / (double)min_shared_time;
            const size_t others = left - 1 < (size_t)call->size - 1 ? left - 1 : (size_t)call->size - 1;
            request_threads(useful < (double)others ? (int)useful : (int)others, call->size);
            requested = true;
        }
        run_piece(call, piece, 0);
        items += piece_begin(call, piece + 1) - piece_begin(call, piece);
        ++pieces;
        if (!requested)
            remaining_time = (double)(now() - start_time) / (double)pieces * (double)(call->pieces - pieces);
    }
    update_item_time(kind, (double)(now() - start_time), items);
}

static void work_with_all(const struct call *call)
{
    const size_t others = call->pieces < (size_t)call->size ? call->pieces - 1 : (size_t)call->size - 1;
    request_threads((int)others, call->size);
    wait_until_joined((int)others);
    work_in(0);
}

static bool spin_until_left(void)
{
    for (uint64_t start_time = now(); now() - start_time < caller_spin_time;)
        for (int turn = 0; turn < 32; ++turn, pause_shortly())
            if (atomic_load_explicit(&pool.members, memory_order_relaxed) == 0)
                return true;
    return false;
}

// Waits for the last pieces. Sleeps after a short spin, so that a preempted thread can run on this processor.
static void wait_for_others(void)
{
    atomic_fetch_and(&pool.members, ~OPEN);
    if (spin_until_left() && atomic_load(&pool.members) == 0)
        return;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.caller_waits, true);
    while (atomic_load(&pool.members) != 0)
        pthread_cond_wait(&pool.changed, &pool.lock);
    atomic_store(&pool.caller_waits, false);
    pthread_mutex_unlock(&pool.lock);
}

// Returns the time that the caller waited at the end, ns.
static uint64_t share_call(const struct call *call, struct kind *kind)
{
    pool.call = *call;
    set_shares(call);
    inside = true;
    atomic_store(&pool.members, OPEN);
    atomic_fetch_add(&pool.number, 1);
    if (shares_every_call())
        work_with_all(call);
    else
        work_and_wake(call, kind);
    inside = false;
    const uint64_t start_time = now();
    wait_for_others();
    return now() - start_time;
}

// Assesses a shared call. If threads were preempted, or came too late, calls of this kind are done by the
// caller alone for a while: a piece claimed by a preempted thread cannot be taken back.
static void assess(struct kind *kind, size_t items, uint64_t start_time, uint64_t waited)
{
    const uint64_t end = now(), time = end - start_time;
    const double alone = (kind->item_alone > 0 ? kind->item_alone : kind->item) * (double)items;
    if (time < min_assessed_time || (double)time < wasted_ratio * alone)
        return;
    // in a long call without a wait the caller itself was preempted, which would have happened alone as well
    const bool is_short = alone < (double)max_short_time;
    if (!is_short && waited < min_lost_wait)
        return;
    const bool is_repeated = end - kind->wasted_at < 4 * kind->alone_factor * kind->wasted + 100000000;
    kind->alone_factor = is_repeated ? 2 * kind->alone_factor : MIN_ALONE_FACTOR;
    if (kind->alone_factor > MAX_ALONE_FACTOR)
        kind->alone_factor = MAX_ALONE_FACTOR;
    kind->wasted_at = end;
    kind->wasted = is_short ? time : waited;
    kind->alone = kind->alone_factor * kind->wasted;
    if (waited < min_lost_wait)
        return;
    pool.preempted_at = end;
    atomic_store(&pool.preempted, true);
}

static void run_alone_and_measure(const struct call *call, struct kind *kind)
{
    const uint64_t start_time = now();
    run_alone(call);
    const uint64_t time = now() - start_time;
    kind->alone -= time < kind->alone ? time : kind->alone;
    update_item_time(kind, (double)time, call->count);
    // here, time lost to preemption counts
    const double item = (double)time / (double)call->count;
    kind->item_alone = kind->item_alone > 0 ? 0.9 * kind->item_alone + 0.1 * item : item;
}

// Decides whether to share the call; the caller has taken the threads.
static void share_or_run_alone(const struct call *call)
{
    struct kind *kind = kind_of(call->work);
    const double expected = kind->item * (double)call->count;
    if (shares_every_call()) {
        (void)share_call(call, kind);
    } else if (kind->item > 0 && expected < (double)min_shared_time) {
        const uint64_t start_time = now();
        run_alone(call);
        update_item_time(kind, (double)(now() - start_time), call->count);
    } else if (kind->alone > 0) {
        run_alone_and_measure(call, kind);
    } else {
        const uint64_t start_time = now();
        if (atomic_load(&pool.preempted) && start_time - pool.preempted_at > no_spin_time)
            atomic_store(&pool.preempted, false);
        const uint64_t waited = share_call(call, kind);
        assess(kind, call->count, start_time, waited);
    }
}

void scree_team_run(const struct scree_team *team, size_t count, size_t grain, scree_team_work *work,
                    void *context)
{
    if (count == 0)
        return;
    struct call call = {.count = count,
                        .grain = grain > 0 ? grain : 1,
                        .work = work,
                        .context = context,
                        .size = scree_team_size(team)};
    call.units = count / call.grain + (count % call.grain != 0);
    const size_t max_pieces = call.size > 1 ? (size_t)call.size * PIECES : 1;
    call.pieces = call.units < max_pieces ? call.units : max_pieces;
    const struct scree_team_float saved = scree_team_float_enter();
    if (call.pieces == 1 || inside || atomic_flag_test_and_set(&pool.in_use)) {
        run_alone(&call);
    } else {
        share_or_run_alone(&call);
        atomic_flag_clear(&pool.in_use);
    }
    scree_team_float_leave(saved);
}
