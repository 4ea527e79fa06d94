// Number of threads of a team, see team.h.

// sched_getaffinity is not part of POSIX
#define _GNU_SOURCE

#include "base/team.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static int count_processors(void)
{
#if defined(CPU_COUNT)
    // processors that this process may use; fails if there are more than fit into the set
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
