// What stages change of walls and bodies, by groups.
//
// What always holds: members are changed in order of their ids, so that what is booked on the way is a
// function of the state. A status tells of memory only, as in build.h.

#ifndef SCREE_RUN_CHANGE_H
#define SCREE_RUN_CHANGE_H

#include "language/reading.h"

struct scree_world;

SCREE_NODISCARD scree_status scree_change_walls(struct scree_reading *reading, struct scree_world *world,
                                                const struct scree_node *list);

// What is taken out is counted in a row of the traffic.
SCREE_NODISCARD scree_status scree_change_bodies(struct scree_reading *reading, struct scree_world *world,
                                                 const struct scree_node *list, size_t row);

#endif
