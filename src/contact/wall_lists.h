// Candidate contacts between grains and features of walls, searched together with those between grains.

#ifndef SCREE_CONTACT_WALL_LISTS_H
#define SCREE_CONTACT_WALL_LISTS_H

#include "base/team.h"
#include "contact/interaction.h"
#include "detect/candidates.h"
#include "world/world.h"

// Lists the grains closer than `margin` to each feature of each wall, without excluded pairs; existing
// contacts keep their history. The lists are unchanged on failure.
SCREE_NODISCARD scree_status scree_wall_lists_build(struct scree_world *world,
                                                    const struct scree_law_classes *classes, size_t stride,
                                                    const struct scree_exclusions *excluded, double margin,
                                                    const struct scree_team *team);

#endif
