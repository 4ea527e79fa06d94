// Paths that a scene names: beside the scene, and never outside of its folder. A link on the way, which could
// lead out, is refused; the folder itself may be reached by one.

#ifndef SCREE_FILE_PATH_H
#define SCREE_FILE_PATH_H

#include "base/status.h"

#include <stdbool.h>

// Whether a name stays inside of a folder: it is not absolute, has no "..", and is not empty. Else a failure
// that says why.
SCREE_NODISCARD scree_status scree_path_check(const char *name);

// The folder of a path, "." where it has none; freed by scree_memory_free.
SCREE_NODISCARD scree_status scree_path_folder(const char *path, char **folder);

// A name in a folder; freed likewise.
SCREE_NODISCARD scree_status scree_path_join(const char *folder, const char *name, char **path);

// The same, for a file to be written later: what would keep it, or folders on the way to it, from being made
// where they are missing is a failure. Changes nothing on disk.
SCREE_NODISCARD scree_status scree_path_inspect(const char *folder, const char *name, char **path);

// Makes the folders on the way to a file where they are missing.
SCREE_NODISCARD scree_status scree_path_make_way(const char *path);

// Both at once.
SCREE_NODISCARD scree_status scree_path_make(const char *folder, const char *name, char **path);

// Whether names in a folder, which ends before the last slash of `path`, can be made and taken away; true
// where there is no such folder yet. Else a failure.
SCREE_NODISCARD scree_status scree_path_may_change(const char *path);

// The failure that something is there already and was not to be written over.
SCREE_NODISCARD scree_status scree_path_taken(const char *path);

// Whether two paths lead to one file or folder that is there.
bool scree_path_is_same(const char *one, const char *other);

// Whether a folder is there or can be made; changes nothing.
SCREE_NODISCARD scree_status scree_path_look_folder(const char *folder);

// Makes a folder and those above it where they are missing.
SCREE_NODISCARD scree_status scree_path_make_folder(const char *folder);

#endif
