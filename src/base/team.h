// A team of threads that shares out a range of items, and the arithmetic they all work in.
//
// What always holds: a range is cut into pieces by (count, grain, size of the team) alone, so the same call
// cuts the same way each time. Which thread does which piece is up to the moment: pieces are claimed, the
// calling thread claims as well, and a thread that the system has stopped holds up no piece but the one it is
// at. Work writes per item, or into scratch space whose sum has no order, so its results do not depend on who
// did what, nor on the number of threads. Every thread computes in round-to-nearest with subnormal numbers,
// whatever the caller had set, and the caller's setting is back when the call returns.
//
// The threads belong to the process: they start when there is work that is worth them, wait for the next, and
// end with the process. One call at a time has them; another thread's call meanwhile does all of its work
// itself. After a fork the child starts threads of its own. A program must not fork inside work and go on
// with it in the child.

#ifndef SCREE_BASE_TEAM_H
#define SCREE_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#if !defined(__SSE2__)
#include <fenv.h>
#endif

struct scree_team {
    int threads; // 0: as many as there are processors
};

// Does the items first, ..., last - 1. `thread` is below scree_team_size, and at any moment no two threads
// have the same, so it can index scratch space: what a call leaves there is of all pieces that the thread
// did, none or several, in any order.
typedef void scree_team_work(void *context, size_t first, size_t last, int thread);

// Returns when all items are done. Every piece but the last ends at a multiple of grain (0 counts as 1); none
// is empty. Called from work that several threads share, it does all of it on the calling thread, in order.
// Where the system refuses threads, those that are there do the work.
void scree_team_run(const struct scree_team *team, size_t count, size_t grain, scree_team_work *work,
                    void *context);

// The number of threads, at least 1. The number of processors is asked for once in the life of a program.
int scree_team_size(const struct scree_team *team);

// When others than the caller work. Where it is worth while: not at calls that are done before a thread would
// have woken, and not for a while after the system kept stopping them. Always: every call that has two pieces
// waits, 0.2 ms at most, until others have come; so that tests of small worlds share their work. This
// is what builds with assertions begin with. Not while a call is under way.
enum scree_team_sharing { SCREE_TEAM_WORTH_WHILE, SCREE_TEAM_ALWAYS };
void scree_team_share(enum scree_team_sharing sharing);

// Ends the threads that wait for work; the next call that is worth it starts new ones. False, and nothing is
// done, while a call is under way. The end of the process does the same by itself.
bool scree_team_stop(void);

// Threads that are there, beside those that call.
int scree_team_waiting(void);

// Fault injection: from the nth thread to be started on (1 is the next), the system refuses. 0 calls it off.
void scree_team_refuse_from(int nth);

// The floating-point setting of a thread: enter gives it the one all of Scree computes in and returns what it
// had, leave puts that back. An API function that computes wraps itself in the two.
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
