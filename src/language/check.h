// Checks a scene against the table of keys; every mistake is reported at its place.

#ifndef SCREE_LANGUAGE_CHECK_H
#define SCREE_LANGUAGE_CHECK_H

#include "language/reading.h"

// Merges the included files into the root and removes the key `include`. An included file is merged after the
// file that names it. Maps are merged key by key; lists are appended, the including file's items first; any
// other key that both files have is reported at both places. All files must be in the folder of the scene or
// below it, and are read once. The size limit of a scene file applies to all files together; `bytes` is the
// length of the scene's own file. Mistakes become diagnostics; fails only if memory runs out.
SCREE_NODISCARD scree_status scree_include(struct scree_reading *reading, size_t bytes);

// Declares the variables and checks all keys. Fails only if memory runs out.
SCREE_NODISCARD scree_status scree_check(struct scree_reading *reading);

enum { SCREE_PATH_CONFLICT_RECORDS = 100 }; // maximum number of records of a scene

// Reports records of a list that write the same file, that write a file which the scene reads, or that need
// a folder which another record writes as a file. Derived file names are included. Checks the first
// SCREE_PATH_CONFLICT_RECORDS records. The scene must have no other mistakes.
SCREE_NODISCARD scree_status scree_path_conflict_check(struct scree_reading *reading,
                                                       const struct scree_node *list);

// Reports an unknown key that is another program's name for a key of this section, or else of another one.
// Returns false, without a diagnostic, if the key is no such name.
bool scree_equivalent_report(struct scree_reading *reading, const struct scree_node *map,
                             const struct scree_node *name, enum scree_section section);

#endif
