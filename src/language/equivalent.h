// What keys of scenes are called in other programs.

#ifndef SCREE_LANGUAGE_EQUIVALENT_H
#define SCREE_LANGUAGE_EQUIVALENT_H

#include "language/reading.h"

enum { SCREE_PEERS = 3 }; // programs

struct scree_equivalent {
    const char *section, *key;       // the section's name, or empty for all that have the key
    const char *called[SCREE_PEERS]; // empty where the program has no such thing
};

extern const struct scree_equivalent scree_equivalent_rows[]; // closed by one without a key
extern const char *const scree_equivalent_programs[SCREE_PEERS];

// Complains of a key of a map that its section does not have, where it is another program's word for a key
// that the section, or else another one, has; false, and nothing is said, where it is not.
bool scree_equivalent_tell(struct scree_reading *reading, const struct scree_node *map,
                           const struct scree_node *name, enum scree_section section);

#endif
