// The order of the rows of bodies and carried grains. Rows along a Morton curve: what is near in space is
// near in memory. No result depends on the order.

#ifndef SCREE_CONTACT_GRAIN_ORDER_H
#define SCREE_CONTACT_GRAIN_ORDER_H

#include "base/team.h"
#include "world/world.h"

// Sorts bodies along a Morton curve through cells of this size, and carried grains by the slots of their
// bodies. `team` may be null.
SCREE_NODISCARD scree_status scree_grain_order(struct scree_world *world, double size_of_cell,
                                               const struct scree_team *team);

#endif
