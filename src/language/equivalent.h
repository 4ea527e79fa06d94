// Names of the keys of scenes in other programs.

#ifndef SCREE_LANGUAGE_EQUIVALENT_H
#define SCREE_LANGUAGE_EQUIVALENT_H

#include "language/reading.h"

enum { SCREE_EQUIVALENT_PROGRAMS = 3 }; // programs

struct scree_equivalent {
    const char *section, *key;                     // name of the section; empty for all sections with the key
    const char *called[SCREE_EQUIVALENT_PROGRAMS]; // empty if the program has no equivalent
};

extern const struct scree_equivalent scree_equivalent_rows[]; // the last row has a null key
extern const char *const scree_equivalent_programs[SCREE_EQUIVALENT_PROGRAMS];

// Reports an unknown key that is another program's name for a key, of this section or else of another one.
// Returns false, without a diagnostic, if it is not.
bool scree_equivalent_report(struct scree_reading *reading, const struct scree_node *map,
                             const struct scree_node *name, enum scree_section section);

#endif
