// Putting the files that a scene includes into its tree.
//
// What always holds: an included file stands as if below the one that names it. Maps are put together key by
// key, lists are joined, the including file's first; what is neither and stands in both is a mistake, told at
// both places. All files lie in the folder of the scene; each is read once, and what there is in all of them
// is bounded as it is in one.

#ifndef SCREE_LANGUAGE_INCLUDE_H
#define SCREE_LANGUAGE_INCLUDE_H

#include "language/reading.h"

// Replaces the root by one that has everything and includes nothing. Mistakes are complained of; a status
// tells of memory only. `bytes` are those of the scene's own file.
SCREE_NODISCARD scree_status scree_include(struct scree_reading *reading, size_t bytes);

#endif
