// The parameters of contact laws as keys of a scene: those of one law, and those common to all laws.
// Used to check, build and print scenes.

#ifndef SCREE_LANGUAGE_LAW_KEYS_H
#define SCREE_LANGUAGE_LAW_KEYS_H

#include "base/suggestion.h"
#include "language/reading.h"

#include <scree/interaction.h>

// Returns the law of a contact; null for `none`. For an unknown law reports it, sets `wrong` and returns
// null.
const struct scree_contact_law *scree_law_keys_law(struct scree_reading *reading,
                                                   const struct scree_node *contact, bool *wrong);

// Returns parameter `index`, null past the last: first the parameters of the law, which may be null, then
// those common to all laws.
const struct scree_law_parameter *scree_law_keys_at(const struct scree_contact_law *law, size_t index);

// Finds a parameter by name; null if there is none. Adds the other names it compares to `known`, if not null.
const struct scree_law_parameter *scree_law_keys_find(const struct scree_contact_law *law, const char *name,
                                                      struct scree_suggestion *known);

// Reads the value of a parameter; returns false after a diagnostic.
bool scree_law_keys_read(struct scree_values *values, const struct scree_node *node,
                         const struct scree_law_parameter *parameter, struct scree_interaction_value *value);

#endif
