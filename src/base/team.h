// A team of threads that shares out a range of items, and the arithmetic they all work in.
//
// What always holds: the cut of a range depends only on (count, grain, size of the team), so the same call
// cuts the same way each time; every worker computes in round-to-nearest with subnormal numbers, whatever the
// caller had set, and the caller's setting is back when the call returns. Work writes per item, so its
// results do not depend on the number of threads.

#ifndef SCREE_BASE_TEAM_H
#define SCREE_BASE_TEAM_H

#include <stddef.h>

#if !defined(__SSE2__)
#include <fenv.h>
#endif

struct scree_team {
    int threads; // 0: as many as there are processors
};

// Does the items first, ..., last - 1. `thread` is below scree_team_size and no two ranges of one call share
// it, so it can index scratch space.
typedef void scree_team_work(void *context, size_t first, size_t last, int thread);

// Returns when all items are done. Every range but the last ends at a multiple of grain (0 counts as 1); no
// range is empty. Called from work that several threads share, it does all of it on the calling thread, in
// order.
void scree_team_run(const struct scree_team *team, size_t count, size_t grain, scree_team_work *work,
                    void *context);

// The number of threads, at least 1. The number of processors is asked for once in the life of a program.
int scree_team_size(const struct scree_team *team);

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
