// Comparison of the simulation time with a scheduled time.
//
// The result depends on the two times only. The engine runs until a given time, and other code then checks
// schedules: both use this function, so they always agree.

#ifndef SCREE_BASE_INSTANT_H
#define SCREE_BASE_INSTANT_H

#include <stdbool.h>

// Returns whether `time` has reached `due`, up to round-off. False for `due` at infinity.
//
// A world's time is an anchor plus a number of steps times their length (world/records.h), and `due` is a
// start plus a number of intervals. Each is rounded in five or six operations, including the conversion of
// decimal input, and once more per change of the time step: a relative error of a few 1e-16. The tolerance
// here is 1.4e-14, enough for 63 changes of the step that all round the same way. After 1e9 steps it
// is 1.4e-5 of a step, so the comparison is never wrong by a whole step.
static inline bool scree_instant_has_come(double time, double due)
{
    return time >= (due > 0 ? due * (1 - 0x1p-46) : due);
}

#endif
