// What a stage changes of the world and its engine as it begins.
//
// What always holds: members of a group are changed in order of their ids, so that what is booked on the way
// is a function of the state. A status tells of memory only, as in build.h.

#ifndef SCREE_RUN_CHANGE_H
#define SCREE_RUN_CHANGE_H

#include "language/reading.h"

struct scree_engine;
struct scree_world;

struct scree_change {
    struct scree_reading *reading;
    struct scree_world *world;
    struct scree_engine *engine;
    size_t row; // of the tally, where bodies that are taken out are counted
};

// Changes what a stage says but for the bodies that it takes out of places; mistakes are complained about.
SCREE_NODISCARD scree_status scree_change(const struct scree_change *change, const struct scree_node *map);

#endif
