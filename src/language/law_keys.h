// The keys that a contact law brings into a scene: the parameters of its own table, and those that every law
// takes. Checking, building and printing ask here.

#ifndef SCREE_LANGUAGE_LAW_KEYS_H
#define SCREE_LANGUAGE_LAW_KEYS_H

#include "base/suggestion.h"
#include "language/reading.h"

#include <scree/interaction.h>

// The law of a contact; null for none, and where the scene names one that there is not, which is complained
// of and leaves `wrong` true.
const struct scree_contact_law *scree_law_keys_law(struct scree_reading *reading,
                                                   const struct scree_node *contact, bool *wrong);

// Parameter number `index` of what stands under a law, which may be null: first its own; null past the last.
const struct scree_law_parameter *scree_law_keys_at(const struct scree_contact_law *law, size_t index);

// The parameter of a name, or null; names that it might have been are added to `known`, unless that is null.
const struct scree_law_parameter *scree_law_keys_find(const struct scree_contact_law *law, const char *name,
                                                      struct scree_suggestion *known);

// Reads what stands at a node as that parameter; complains of what is wrong and returns false.
bool scree_law_keys_read(struct scree_values *values, const struct scree_node *node,
                         const struct scree_law_parameter *parameter, struct scree_interaction_value *value);

#endif
