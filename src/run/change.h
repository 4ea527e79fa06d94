// Changes of the world and the engine at the start of a stage.
//
// Invariant: members of a group are changed in order of their ids, so that the entries in the energy ledger
// depend only on the state. A status reports only memory errors, as in build.h; others are diagnostics.

#ifndef SCREE_RUN_CHANGE_H
#define SCREE_RUN_CHANGE_H

#include "language/reading.h"

struct scree_engine;
struct scree_world;

struct scree_change {
    struct scree_reading *reading;
    struct scree_world *world;
    struct scree_engine *engine;
    size_t row; // of the tally, which counts deleted bodies
};

// Applies the changes of a stage, except for its key `remove`; errors become diagnostics.
SCREE_NODISCARD scree_status scree_change(const struct scree_change *change, const struct scree_node *map);

#endif
