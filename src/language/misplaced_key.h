// Suggests the right place of a key that is given in a section without such a key: in a section within this
// one, or in one around it.

#ifndef SCREE_LANGUAGE_MISPLACED_KEY_H
#define SCREE_LANGUAGE_MISPLACED_KEY_H

#include "language/reading.h"

// Reports a misplaced key with its likely place. Returns false, without a diagnostic, if there is none.
bool scree_misplaced_key_report(struct scree_reading *reading, const struct scree_node *map,
                                const struct scree_node *name, enum scree_section section);

#endif
