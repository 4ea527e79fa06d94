// Merges the files that a scene includes into its tree.
//
// Invariants: an included file is merged after the file that names it. Maps are merged key by key; lists are
// appended, the including file's items first; any other key that both files have is reported at both places.
// All files are in the folder of the scene or below it, and each is read once. The size limits of one scene
// file apply to all files together.

#ifndef SCREE_LANGUAGE_INCLUDE_H
#define SCREE_LANGUAGE_INCLUDE_H

#include "language/reading.h"

// Replaces the root by the merged one, without `include`. Mistakes become diagnostics; fails only if memory
// runs out. `bytes` is the length of the scene's own file.
SCREE_NODISCARD scree_status scree_include(struct scree_reading *reading, size_t bytes);

#endif
