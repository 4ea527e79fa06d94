// A rule as the user states it, held against the tables of its law.

#ifndef SCREE_LAW_RULE_H
#define SCREE_LAW_RULE_H

#include "world/world.h"

#include <scree/interaction.h>

// Resistance to rolling and twisting, which every law takes; in the order of a rule's last parameters.
extern const struct scree_law_parameter scree_rule_resistances[SCREE_RULE_RESISTANCES];

// Fills in the law and the parameters of a rule; on failure it is as before.
SCREE_NODISCARD scree_status scree_rule_read(const struct scree_world *world,
                                             const struct scree_interaction_def *def,
                                             struct scree_rule *rule);

#endif
