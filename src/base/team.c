// Threads by OpenMP, whichever runtime the compiler brings; without one, a team of one.

#include "base/team.h"

#include <stdatomic.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#if defined(_OPENMP)
#include <omp.h>
#else
static int omp_get_num_procs(void)
{
    return 1;
}
static int omp_in_parallel(void)
{
    return 0;
}
static int omp_get_thread_num(void)
{
    return 0;
}
static int omp_get_num_threads(void)
{
    return 1;
}
#endif

struct cut {
    size_t count, grain, units, ranges;
};

// the items before range r: units are dealt evenly, the first ranges take one more
static size_t cut_at(const struct cut *cut, size_t range)
{
    if (range == cut->ranges)
        return cut->count;
    const size_t each = cut->units / cut->ranges, extra = cut->units % cut->ranges;
    return cut->grain * (range * each + (range < extra ? range : extra));
}

// ranges are taken in turn, so that the cut is the same when the runtime grants fewer threads than asked for
static void work_turns(const struct cut *cut, size_t first, size_t stride, scree_team_work *work,
                       void *context)
{
    const struct scree_team_float saved = scree_team_float_enter();
    for (size_t range = first; range < cut->ranges; range += stride)
        work(context, cut_at(cut, range), cut_at(cut, range + 1), (int)range);
    scree_team_float_leave(saved);
}

void scree_team_run(const struct scree_team *team, size_t count, size_t grain, scree_team_work *work,
                    void *context)
{
    if (count == 0)
        return;
    struct cut cut = {.count = count, .grain = grain > 0 ? grain : 1};
    cut.units = count / cut.grain + (count % cut.grain != 0);
    const size_t size = omp_in_parallel() ? 1 : (size_t)scree_team_size(team);
    cut.ranges = size < cut.units ? size : cut.units;
    if (cut.ranges == 1) {
        work_turns(&cut, 0, 1, work, context);
        return;
    }
    // the whole team, even when some of it finds nothing to do: a runtime that is asked for fewer threads
    // lets the others go, and starts new ones at the next call
#if defined(_OPENMP)
#pragma omp parallel num_threads((int)size) default(none) shared(cut, work, context)
#endif
    work_turns(&cut, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads(), work, context);
}

int scree_team_size(const struct scree_team *team)
{
    static _Atomic int processors;
    if (team->threads > 0)
        return team->threads;
    int known = atomic_load(&processors);
    if (known == 0) {
        known = omp_get_num_procs();
        atomic_store(&processors, known);
    }
    return known;
}

#if defined(__SSE2__)

// nearest even, subnormal numbers kept, no exception traps: the setting a program starts with
enum { CONTROL_DEFAULT = 0x1F80 };

struct scree_team_float scree_team_float_enter(void)
{
    const struct scree_team_float saved = {.control = _mm_getcsr()};
    _mm_setcsr(CONTROL_DEFAULT);
    return saved;
}

void scree_team_float_leave(struct scree_team_float saved)
{
    _mm_setcsr(saved.control);
}

#else

struct scree_team_float scree_team_float_enter(void)
{
    struct scree_team_float saved;
    fegetenv(&saved.environment);
    fesetenv(FE_DFL_ENV);
    return saved;
}

void scree_team_float_leave(struct scree_team_float saved)
{
    fesetenv(&saved.environment);
}

#endif
