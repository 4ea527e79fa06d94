// A pool of POSIX threads that claim pieces of work, see team.h.
//
// A call opens, threads join it, and it is closed when no piece is left to claim; what joined has left when
// the call returns. Nothing of a call changes while a thread is in it, so that only joining needs care, and
// what counts the members and says whether more may come is one word.
//
// Each thread has a share of its own, a run of neighbouring pieces as large as the others', and claims from
// it first: what it touched in the last step is in its caches in the next. Then it claims from the others'.

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

// pieces for each thread at most: small ones to claim from one who is stopped, large ones to work in peace
enum { PIECES = 64 };

// shares lie here once for all; in larger teams several threads have one
enum { SHARES = 256 };

// in ns
static const uint64_t worth = 20000;              // a shorter call is done before a thread has woken
static const uint64_t worker_spin = 50000;        // a thread waits awake so long for the next call,
static const uint64_t caller_spin = 20000;        // and so long the caller for the last pieces
static const uint64_t short_most = 500000;        // a shorter call is over before the system looks again
static const uint64_t waited_least = 200000;      // who waits so long at the end waits for one who is stopped
static const uint64_t looked_at = 100000;         // a call from this length on is looked at: did it help?
static const uint64_t crowded_least = 500000000;  // after that nobody waits awake so long
static const uint64_t joined_most = 200000;       // where all calls are shared, one waits so long for others
static const uint64_t refused_least = 1000000000; // no thread is asked for so long after one was refused

// how many times as much as was shared in vain the caller does alone, at first and if it happens again
enum { LEAST_REST = 2, MOST_REST = 32 };

// sharing is in vain where it takes more than this share of the time alone
static const double in_vain = 0.85;

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

// what is known of a kind of work, by the function that does it
struct kind {
    scree_team_work *work;
    double item, item_alone;      // ns, 0 while unknown; the other one of all calls that the caller did alone
    uint64_t alone;               // ns of it that are not to be shared, though worth it
    uint64_t rest, vain_at, vain; // of the last that was shared in vain: times alone, when, and how long, ns
};
enum { KINDS = 64 };

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
    struct kind kind[KINDS];
    uint64_t stopped_at, refused_until;
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

static uint64_t now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
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
    pool.refused_until = 0;
    memset(pool.kind, 0, sizeof pool.kind);
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

static struct kind *kind_of(scree_team_work *work)
{
    struct kind *kind = &pool.kind[((uintptr_t)work >> 4) % KINDS];
    if (kind->work != work)
        *kind = (struct kind){.work = work};
    return kind;
}

static void learn(struct kind *kind, double time, size_t items)
{
    if (items == 0)
        return;
    const double item = time / (double)items;
    // once in a while a thread is stopped at work
    const double seen = kind->item > 0 && item > 2 * kind->item ? 2 * kind->item : item;
    kind->item = kind->item > 0 ? 0.75 * kind->item + 0.25 * seen : seen;
}

// What the caller does of it; calls for others when what is left seems worth it.
static void work_and_call(const struct call *call, struct kind *kind)
{
    const uint64_t begun = now();
    size_t passed = 0, items = 0, pieces = 0;
    double ahead = kind->item * (double)call->count;
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
    learn(kind, (double)(now() - begun), items);
}

static void work_with_all(const struct call *call)
{
    const size_t others = call->pieces < (size_t)call->size ? call->pieces - 1 : (size_t)call->size - 1;
    call_for((int)others, call->size);
    wait_until_joined((int)others);
    work_in(0);
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
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.waits, true);
    while (atomic_load(&pool.members) != 0)
        pthread_cond_wait(&pool.changed, &pool.lock);
    atomic_store(&pool.waits, false);
    pthread_mutex_unlock(&pool.lock);
}

// Returns for how long the caller waited at the end, ns.
static uint64_t share(const struct call *call, struct kind *kind)
{
    pool.call = *call;
    lay_shares(call);
    inside = true;
    atomic_store(&pool.members, OPEN);
    atomic_fetch_add(&pool.number, 1);
    if (always())
        work_with_all(call);
    else
        work_and_call(call, kind);
    inside = false;
    const uint64_t begun = now();
    wait_for_others();
    return now() - begun;
}

// A call has been shared. If others were stopped, or came too late, more of its kind is done alone for a
// while. What is claimed cannot be taken back, but it can be made rare.
static void judge(struct kind *kind, size_t items, uint64_t begun, uint64_t waited)
{
    const uint64_t end = now(), time = end - begun;
    const double alone = (kind->item_alone > 0 ? kind->item_alone : kind->item) * (double)items;
    if (time < looked_at || (double)time < in_vain * alone)
        return;
    // where the system took the caller's own processor in a long call, it would have done so alone as well
    const bool is_short = alone < (double)short_most;
    if (!is_short && waited < waited_least)
        return;
    const bool again = end - kind->vain_at < 4 * kind->rest * kind->vain + 100000000;
    kind->rest = again ? 2 * kind->rest : LEAST_REST;
    if (kind->rest > MOST_REST)
        kind->rest = MOST_REST;
    kind->vain_at = end;
    kind->vain = is_short ? time : waited;
    kind->alone = kind->rest * kind->vain;
    if (waited < waited_least)
        return;
    pool.stopped_at = end;
    atomic_store(&pool.crowded, true);
}

static void do_what_is_not_shared(const struct call *call, struct kind *kind)
{
    const uint64_t begun = now();
    do_alone(call);
    const uint64_t time = now() - begun;
    kind->alone -= time < kind->alone ? time : kind->alone;
    learn(kind, (double)time, call->count);
    // what the system takes away counts here
    const double item = (double)time / (double)call->count;
    kind->item_alone = kind->item_alone > 0 ? 0.9 * kind->item_alone + 0.1 * item : item;
}

// The caller has taken the threads.
static void share_or_not(const struct call *call)
{
    struct kind *kind = kind_of(call->work);
    const double expected = kind->item * (double)call->count;
    if (always()) {
        (void)share(call, kind);
    } else if (kind->item > 0 && expected < (double)worth) {
        const uint64_t begun = now();
        do_alone(call);
        learn(kind, (double)(now() - begun), call->count);
    } else if (kind->alone > 0) {
        do_what_is_not_shared(call, kind);
    } else {
        const uint64_t begun = now();
        if (atomic_load(&pool.crowded) && begun - pool.stopped_at > crowded_least)
            atomic_store(&pool.crowded, false);
        const uint64_t waited = share(call, kind);
        judge(kind, call->count, begun, waited);
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
