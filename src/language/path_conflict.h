// Path conflicts: two records that write the same file, or a record that writes a file which the scene reads.

#ifndef SCREE_LANGUAGE_PATH_CONFLICT_H
#define SCREE_LANGUAGE_PATH_CONFLICT_H

#include "language/reading.h"

enum { SCREE_PATH_CONFLICT_RECORDS = 100 }; // most records of a scene

// Reports path conflicts of the records in a list, including files with derived names, and folders that
// another record needs as a file. Checks the first SCREE_PATH_CONFLICT_RECORDS records. The scene must
// have no other mistakes.
SCREE_NODISCARD scree_status scree_path_conflict_check(struct scree_reading *reading,
                                                       const struct scree_node *list);

#endif
