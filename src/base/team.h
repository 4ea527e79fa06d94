// Thread team: parallel loops over a range of items, and the floating-point environment of their threads.
//
// A range is divided into pieces depending only on (count, grain, size of the team), so the same call is
// always divided in the same way. Pieces are assigned dynamically: each thread, including the caller, claims
// the next piece, and a thread that is preempted delays only the piece it is working on. Work must write per
// item, or into per-thread scratch memory that is reduced independently of order, so that results depend
// neither on the assignment nor on the number of threads. All threads compute in round-to-nearest with
// subnormal numbers; the caller's environment is restored on return.
//
// The threads belong to the process: they are started when a call is long enough to need them, wait for the
// next call, and end with the process. Only one call at a time can use them; a concurrent call from another
// thread does all of its work itself. After a fork the child starts threads of its own. A program must not
// fork inside work and continue that work in the child.

#ifndef SCREE_BASE_TEAM_H
#define SCREE_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#if !defined(__SSE2__)
#include <fenv.h>
#endif

struct scree_team {
    int threads; // 0: number of available processors
};

// Processes the items first, ..., last - 1. `thread` is below scree_team_size and unique among concurrent
// threads, so it can index scratch memory. A thread may process no piece or several, in any order.
typedef void scree_team_work(void *context, size_t first, size_t last, int thread);

// Runs `work` on all items and returns when all are done. Every piece but the last ends at a multiple of
// grain (0 counts as 1); none is empty. A nested call, from inside parallel work, runs on the calling thread
// in order. If the system cannot start threads, the existing ones do the work.
void scree_team_run(const struct scree_team *team, size_t count, size_t grain, scree_team_work *work,
                    void *context);

// Number of threads, at least 1. The number of processors is queried once per process.
int scree_team_size(const struct scree_team *team);

// When calls use several threads. WORTH_WHILE: not for calls that would end before a thread has woken up, and
// not for a while after threads were preempted. ALWAYS: every call with at least two pieces waits up to 0.2
// ms for other threads to join, so that tests of small worlds run in parallel; the default of builds with
// assertions. Must not be changed during a call.
enum scree_team_sharing { SCREE_TEAM_WORTH_WHILE, SCREE_TEAM_ALWAYS };
void scree_team_set_sharing(enum scree_team_sharing sharing);

// Ends the waiting threads; a later call starts new ones. Returns false, and does nothing, during a call.
// Done automatically at the end of the process.
bool scree_team_stop(void);

// Number of threads started, not counting callers.
int scree_team_started(void);

// Fault injection: starting the nth thread (1 is the next) and all later ones fails. 0 cancels it.
void scree_team_refuse_from(int nth);

// Floating-point environment of a thread: enter sets the one that Scree computes in and returns the old one,
// leave restores it. Every public function that computes calls both.
struct scree_team_float {
#if defined(__SSE2__)
    unsigned control;
#else
    fenv_t environment;
#endif
};
struct scree_team_float scree_team_float_enter(void);
void scree_team_float_leave(struct scree_team_float saved);

#endif
