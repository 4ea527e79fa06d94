// The files of a scene's records: two records in one file would be neither, and what the scene is read from
// is no place for one.

#ifndef SCREE_LANGUAGE_PATH_CONFLICT_H
#define SCREE_LANGUAGE_PATH_CONFLICT_H

#include "language/reading.h"

enum { SCREE_CLAIM_RECORDS = 100 }; // in a scene

// Complains of records, of a list in a scene in which nothing else is wrong, that write what another writes
// or what the scene reads, by their own name or by one that is made of it, or that need a folder where
// another writes a file; of no more than the first SCREE_CLAIM_RECORDS.
SCREE_NODISCARD scree_status scree_path_conflict_check(struct scree_reading *reading,
                                                       const struct scree_node *list);

#endif
