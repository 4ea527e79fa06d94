// Reads a rule and checks it against the tables of its law.

#ifndef SCREE_CONTACT_RULE_H
#define SCREE_CONTACT_RULE_H

#include "world/world.h"

#include <scree/interaction.h>

// Name of a material, or "any material" for id 0.
const char *scree_rule_material(const struct scree_world *world, uint64_t material);

// Returns false for the law 'none'.
bool scree_rule_touches(const struct scree_rule *rule);

// Sets the law and the parameters of a rule, which is unchanged on failure.
SCREE_NODISCARD scree_status scree_rule_read(const struct scree_world *world,
                                             const struct scree_interaction_def *def,
                                             struct scree_rule *rule);

#endif
