// Which grains may touch which features of which walls: found with the other candidates.

#ifndef SCREE_CONTACT_WALL_LISTS_H
#define SCREE_CONTACT_WALL_LISTS_H

#include "base/team.h"
#include "contact/interaction.h"
#include "world/world.h"

// Lists the grains nearer than `margin` to each feature of each wall; contacts that were there keep what they
// remember. On failure the lists are as before.
SCREE_NODISCARD scree_status scree_wall_lists_build(struct scree_world *world,
                                                    const struct scree_law_classes *classes, size_t stride,
                                                    double margin, const struct scree_team *team);

#endif
