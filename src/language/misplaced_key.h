// Where a key goes that stands in a section which does not have it: into what stands beside it, or beside
// what it stands in.

#ifndef SCREE_LANGUAGE_MISPLACED_KEY_H
#define SCREE_LANGUAGE_MISPLACED_KEY_H

#include "language/reading.h"

// Complains of a key of a map that its section does not have, where another place is likely meant; false, and
// nothing is said, where none is known.
bool scree_misplaced_key_tell(struct scree_reading *reading, const struct scree_node *map,
                              const struct scree_node *name, enum scree_section section);

#endif
