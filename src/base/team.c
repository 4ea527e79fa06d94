// A pool of POSIX threads that claim pieces of work, see team.h.
//
// A call opens, threads join it, and it is closed when no piece is left to claim; what joined has left when
// the call returns. Nothing of a call changes while a thread is in it, so that only joining needs care, and
// what counts the members and says whether more may come is one word.
//
// Each thread has a share of its own, a run of neighbouring pieces as large as the others', and claims from
// it first: what it touched in the last step is in its caches in the next. Then it claims from the others'.

// the processors that a process may use are no part of POSIX
#define _GNU_SOURCE

#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define NO_PIECE SIZE_MAX

// pieces for each thread at most: small ones to claim from one who is stopped, large ones to work in peace
enum { PIECES = 64 };

// shares lie here once for all; in larger teams several threads have one
enum { SHARES = 256 };

// in ns
static const uint64_t worth = 20000;              // a shorter call is done before a thread has woken
static const uint64_t worker_spin = 50000;        // a thread waits awake so long for the next call,
static const uint64_t caller_spin = 20000;        // and so long the caller for the last pieces
static const uint64_t lost_least = 200000;        // nobody works so long: the system has stopped somebody
static const uint64_t crowded_least = 500000000;  // after that nobody waits awake so long
static const uint64_t joined_most = 200000;       // where all calls are shared, one waits so long for others
static const uint64_t refused_least = 1000000000; // no thread is asked for so long after one was refused

// how many times as long as was lost the caller works alone then, at first and if it happens again and again
enum { LEAST_REST = 2, MOST_REST = 32 };

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

// what a kind of work costs, by the function that does it
struct cost {
    scree_team_work *work;
    double item; // ns, 0 while unknown
};
enum { COSTS = 64 };

// A thread of the pool; it lies on that thread's own stack.
struct worker {
    pthread_t thread;
    pthread_cond_t wake;
    int number;
    bool asleep, ends;
    struct worker *next;
};

static const unsigned OPEN = 1u << 31;

static struct {
    atomic_flag taken;                // by the one call that has the threads
    _Alignas(64) atomic_uint members; // of the call, and OPEN while more may join
    atomic_uint number;               // of the call
    struct call call;
    size_t shares;
    struct share share[SHARES];

    pthread_mutex_t lock;   // of what follows, up to the next remark
    pthread_cond_t changed; // a thread has left a call that is closed, or has come to the list
    struct worker *worker;
    int listed;
    atomic_bool waits; // the caller does, for the last to leave
    atomic_int asleep;

    // of the one who has taken the threads
    struct cost cost[COSTS];
    uint64_t alone_until, lost_at, rest, refused_until;
    atomic_int started;
    bool knows_fork;
    atomic_bool crowded; // threads were stopped a while ago
} pool = {.taken = ATOMIC_FLAG_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

#ifdef NDEBUG
static atomic_int sharing = SCREE_TEAM_WORTH_WHILE;
#else
static atomic_int sharing = SCREE_TEAM_ALWAYS;
#endif

static int refuse_from;

// the thread is in work that is shared
static _Thread_local bool inside;

static uint64_t clock_of(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

static bool always(void)
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

// the items before a piece: units are dealt evenly, the first pieces take one more
static size_t cut_at(const struct call *call, size_t piece)
{
    if (piece == call->pieces)
        return call->count;
    const size_t each = call->units / call->pieces, extra = call->units % call->pieces;
    return call->grain * (piece * each + (piece < extra ? piece : extra));
}

static void do_piece(const struct call *call, size_t piece, int thread)
{
    call->work(call->context, cut_at(call, piece), cut_at(call, piece + 1), thread);
}

static void do_alone(const struct call *call)
{
    const bool was = inside;
    inside = was || call->pieces > 1;
    for (size_t piece = 0; piece < call->pieces; ++piece)
        do_piece(call, piece, 0);
    inside = was;
}

static void lay_shares(const struct call *call)
{
    pool.shares = (size_t)call->size < call->pieces ? (size_t)call->size : call->pieces;
    if (pool.shares > SHARES)
        pool.shares = SHARES;
    for (size_t s = 0; s < pool.shares; ++s) {
        atomic_store_explicit(&pool.share[s].next, call->pieces * s / pool.shares, memory_order_relaxed);
        pool.share[s].end = call->pieces * (s + 1) / pool.shares;
    }
}

// One's own share first, then those after it. `passed` are those in which nothing was left.
static size_t claim(int thread, size_t *passed)
{
    for (; *passed < pool.shares; ++*passed) {
        struct share *share = &pool.share[((size_t)thread + *passed) % pool.shares];
        // a look before, so that claims do not run away from the end
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
    // the last to leave a call that is closed
    if (atomic_fetch_sub(&pool.members, 1) != 1 || !atomic_load(&pool.waits))
        return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
}

static void work_in(int thread)
{
    size_t passed = 0;
    for (size_t piece; (piece = claim(thread, &passed)) != NO_PIECE;)
        do_piece(&pool.call, piece, thread);
}

static bool spin_until_call(unsigned seen, uint64_t most)
{
    for (uint64_t begun = now(); now() - begun < most;)
        for (int turn = 0; turn < 32; ++turn, pause_shortly())
            if (atomic_load_explicit(&pool.number, memory_order_relaxed) != seen)
                return true;
    return false;
}

// Waits for a call after number `seen`; false when the thread is to end.
static bool wait_for_call(struct worker *self, unsigned seen)
{
    // many tests run side by side
    const bool spins = !atomic_load(&pool.crowded) && !always();
    if (spin_until_call(seen, spins ? worker_spin : 0))
        return true;
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.asleep, 1);
    self->asleep = atomic_load(&pool.number) == seen;
    while (self->asleep && !self->ends)
        pthread_cond_wait(&self->wake, &pool.lock);
    atomic_fetch_sub(&pool.asleep, 1);
    const bool ends = self->ends;
    pthread_mutex_unlock(&pool.lock);
    return !ends;
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
    unsigned seen = 0;
    do {
        const unsigned number = atomic_load(&pool.number);
        if (number == seen)
            continue;
        seen = number;
        if (!join())
            continue;
        // it may be a later call than the one looked at; while one is in it, it stays
        seen = atomic_load(&pool.number);
        if (self.number < pool.call.size)
            work_in(self.number);
        leave();
    } while (wait_for_call(&self, seen));
    pthread_cond_destroy(&self.wake);
    return NULL;
}

// --- starting and ending them

static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&pool.lock);
}

// Of all threads the child has the one that forked.
static void in_child(void)
{
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.worker = NULL;
    pool.listed = 0;
    atomic_store(&pool.started, 0);
    atomic_store(&pool.asleep, 0);
    atomic_store(&pool.waits, false);
    atomic_store(&pool.members, 0);
    atomic_flag_clear(&pool.taken);
}

static bool start_one(void)
{
    if (refuse_from > 0 && --refuse_from == 0) {
        refuse_from = 1;
        return false;
    }
    // signals are for the threads of the program
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
    // without this a child would wait for threads that it has not
    if (!pool.knows_fork && pthread_atfork(before_fork, after_fork, in_child) != 0)
        return;
    pool.knows_fork = true;
    if (now() < pool.refused_until)
        return;
    for (; wanted > 0; --wanted)
        if (!start_one()) {
            pool.refused_until = now() + refused_least;
            return;
        }
}

bool scree_team_stop(void)
{
    if (atomic_flag_test_and_set(&pool.taken))
        return false;
    pthread_mutex_lock(&pool.lock);
    while (pool.listed < pool.started)
        pthread_cond_wait(&pool.changed, &pool.lock);
    while (pool.worker) {
        struct worker *worker = pool.worker;
        const pthread_t thread = worker->thread;
        pool.worker = worker->next;
        worker->ends = true;
        pthread_cond_signal(&worker->wake);
        pthread_mutex_unlock(&pool.lock);
        // its stack is gone after this, and with it what is listed
        pthread_join(thread, NULL);
        pthread_mutex_lock(&pool.lock);
    }
    pool.listed = 0;
    atomic_store(&pool.started, 0);
    pthread_mutex_unlock(&pool.lock);
    pool.alone_until = pool.refused_until = 0;
    atomic_flag_clear(&pool.taken);
    return true;
}

// where the library is unloaded, and where something looks for threads that were left behind
__attribute__((destructor)) static void stop_at_end(void)
{
    (void)scree_team_stop();
}

int scree_team_waiting(void)
{
    return atomic_load(&pool.started);
}

void scree_team_refuse_from(int nth)
{
    refuse_from = nth;
}

void scree_team_share(enum scree_team_sharing wanted)
{
    atomic_store(&sharing, (int)wanted);
}

// --- a call

// Wakes so many of those who sleep, and returns how many more are wanted.
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

// Calls for so many of those who are not awake.
static void call_for(int wanted, int size)
{
    if (wanted > 0 && atomic_load(&pool.asleep) > 0)
        wanted = wake(wanted, size);
    const int missing = size - 1 - pool.started;
    if (wanted > 0 && missing > 0)
        start(wanted < missing ? wanted : missing);
}

// Tests of small worlds want work that is shared indeed.
static void wait_until_joined(int wanted)
{
    wanted = wanted < pool.started ? wanted : pool.started;
    for (const uint64_t begun = now(); now() - begun < joined_most;) {
        if ((int)(atomic_load(&pool.members) & ~OPEN) >= wanted)
            return;
        sched_yield();
    }
}

static struct cost *cost_of(scree_team_work *work)
{
    struct cost *cost = &pool.cost[((uintptr_t)work >> 4) % COSTS];
    if (cost->work != work)
        *cost = (struct cost){.work = work};
    return cost;
}

static void learn(struct cost *cost, double time, size_t items)
{
    if (items == 0)
        return;
    const double item = time / (double)items;
    // once in a while a thread is stopped at work
    const double seen = cost->item > 0 && item > 2 * cost->item ? 2 * cost->item : item;
    cost->item = cost->item > 0 ? 0.75 * cost->item + 0.25 * seen : seen;
}

// What the caller does of it; calls for others when what is left seems worth it.
static void work_and_call(const struct call *call, struct cost *cost)
{
    const uint64_t begun = now();
    size_t passed = 0, items = 0, pieces = 0;
    double ahead = cost->item * (double)call->count;
    bool called = false;
    for (size_t piece; (piece = claim(0, &passed)) != NO_PIECE;) {
        const size_t left = call->pieces - pieces;
        if (!called && left > 1 && ahead > (double)worth) {
            const double many = ahead / (double)worth;
            const size_t others = left - 1 < (size_t)call->size - 1 ? left - 1 : (size_t)call->size - 1;
            call_for(many < (double)others ? (int)many : (int)others, call->size);
            called = true;
        }
        do_piece(call, piece, 0);
        items += cut_at(call, piece + 1) - cut_at(call, piece);
        ++pieces;
        if (!called)
            ahead = (double)(now() - begun) / (double)pieces * (double)(call->pieces - pieces);
    }
    learn(cost, (double)(now() - begun), items);
}

static void work_with_all(const struct call *call)
{
    const size_t others = call->pieces < (size_t)call->size ? call->pieces - 1 : (size_t)call->size - 1;
    call_for((int)others, call->size);
    wait_until_joined((int)others);
    work_in(0);
}

// Nobody worked for that long, for the system has given the processors to others. For a multiple of it the
// caller works alone: the more often, the longer.
static void rest(uint64_t lost)
{
    const uint64_t time = now();
    const bool again = time - pool.lost_at < 4 * pool.rest * lost + 100000000;
    pool.rest = again ? 2 * pool.rest : LEAST_REST;
    if (pool.rest > MOST_REST)
        pool.rest = MOST_REST;
    pool.lost_at = time;
    pool.alone_until = time + pool.rest * lost;
    atomic_store(&pool.crowded, true);
}

static bool spin_until_left(void)
{
    for (uint64_t begun = now(); now() - begun < caller_spin;)
        for (int turn = 0; turn < 32; ++turn, pause_shortly())
            if (atomic_load_explicit(&pool.members, memory_order_relaxed) == 0)
                return true;
    return false;
}

// Waits for those who are at their last pieces. Asleep, not spinning: where one of them was stopped, the
// system lets it go on here.
static void wait_for_others(void)
{
    atomic_fetch_and(&pool.members, ~OPEN);
    if (spin_until_left() && atomic_load(&pool.members) == 0)
        return;
    const uint64_t begun = now(), worked = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.waits, true);
    while (atomic_load(&pool.members) != 0)
        pthread_cond_wait(&pool.changed, &pool.lock);
    atomic_store(&pool.waits, false);
    pthread_mutex_unlock(&pool.lock);
    const uint64_t time = now() - begun, work = clock_of(CLOCK_PROCESS_CPUTIME_ID) - worked;
    if (time > work + lost_least)
        rest(time - work);
}

static void share(const struct call *call, struct cost *cost)
{
    pool.call = *call;
    lay_shares(call);
    inside = true;
    atomic_store(&pool.members, OPEN);
    atomic_fetch_add(&pool.number, 1);
    if (always())
        work_with_all(call);
    else
        work_and_call(call, cost);
    inside = false;
    wait_for_others();
}

// The caller has taken the threads.
static void share_or_not(const struct call *call)
{
    struct cost *cost = cost_of(call->work);
    const uint64_t begun = now();
    const bool brief = cost->item > 0 && cost->item * (double)call->count < (double)worth;
    if (atomic_load_explicit(&pool.crowded, memory_order_relaxed) && begun - pool.lost_at > crowded_least)
        atomic_store(&pool.crowded, false);
    if (always() || (!brief && begun >= pool.alone_until)) {
        share(call, cost);
        return;
    }
    do_alone(call);
    learn(cost, (double)(now() - begun), call->count);
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
    const size_t most = call.size > 1 ? (size_t)call.size * PIECES : 1;
    call.pieces = call.units < most ? call.units : most;
    const struct scree_team_float saved = scree_team_float_enter();
    if (call.pieces == 1 || inside || atomic_flag_test_and_set(&pool.taken)) {
        do_alone(&call);
    } else {
        share_or_not(&call);
        atomic_flag_clear(&pool.taken);
    }
    scree_team_float_leave(saved);
}

static int count_processors(void)
{
#if defined(CPU_COUNT)
    // those that this process may use, where so many fit
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int scree_team_size(const struct scree_team *team)
{
    static _Atomic int processors;
    if (team->threads > 0)
        return team->threads;
    int known = atomic_load(&processors);
    if (known == 0) {
        known = count_processors();
        atomic_store(&processors, known);
    }
    return known;
}
