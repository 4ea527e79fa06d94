// Whether an instant has come.
//
// What always holds: it depends on the two times only. An engine that is to run until an instant, and whoever
// asks afterwards whether it has come, ask here, so that they agree.

#ifndef SCREE_BASE_INSTANT_H
#define SCREE_BASE_INSTANT_H

#include <stdbool.h>

// A world's time is an anchor plus a number of steps times their length (world/records.h), and an instant is
// a start plus a number of intervals: each is rounded in five or six operations, from the reading of its
// numbers on, and once more for each change of the step. That is a few 1e-16 of the time, and what is
// compared here is allowed 1.4e-14 (63 changes of the step, should all be rounded the same way). After 1e9
// steps that is 1.4e-5 of a step, so no step is taken for another.
//
// Whether `due` is not after `time`, but for rounding; an instant at infinity never comes.
static inline bool scree_instant_has_come(double time, double due)
{
    return time >= (due > 0 ? due * (1 - 0x1p-46) : due);
}

#endif
