// Floating-point environment of all threads, see team.h.

#include "base/team.h"

#if defined(__SSE2__)

#include <xmmintrin.h>

// round to nearest even, subnormal numbers kept, no exception traps: the default of a program
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
