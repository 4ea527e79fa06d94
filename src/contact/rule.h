// A rule as the user states it, held against the tables of its law.

#ifndef SCREE_CONTACT_RULE_H
#define SCREE_CONTACT_RULE_H

#include "world/world.h"

#include <scree/interaction.h>

// Name of a material, or what stands for any.
const char *scree_rule_material(const struct scree_world *world, uint64_t material);

// Whether materials touch by it.
bool scree_rule_touches(const struct scree_rule *rule);

// Fills in the law and the parameters of a rule; on failure it is as before.
SCREE_NODISCARD scree_status scree_rule_read(const struct scree_world *world,
                                             const struct scree_interaction_def *def,
                                             struct scree_rule *rule);

#endif
