// Evaluating the world's loads, at point 45 and wherever else a law of motion wants them.

#ifndef SCREE_ENGINE_LOADS_H
#define SCREE_ENGINE_LOADS_H

#include "engine/mover.h"

enum scree_loads_when {
    SCREE_LOADS_AHEAD, // with predicted on-step motion, for all bodies
    SCREE_LOADS_NOW,   // with the on-step motion there is, for bodies whose force is outdated
    SCREE_LOADS_MIDDLE // in the middle of the step under way, for all bodies
};

// Adds what the loads give, in order of registration, to `push`: a row for each body.
SCREE_NODISCARD scree_status scree_loads_add(const struct scree_mover *mover, enum scree_loads_when when,
                                             double time, struct scree_push *push);

#endif
