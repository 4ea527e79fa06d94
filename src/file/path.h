// Paths in a scene: relative to the folder of the scene and never outside of it. Symbolic links in them are
// refused, because they could lead outside; the path of the folder itself may have links.

#ifndef SCREE_FILE_PATH_H
#define SCREE_FILE_PATH_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/stat.h>

// Checks that a name stays inside a folder: it must not be empty or absolute, and must not contain "..".
SCREE_NODISCARD scree_status scree_path_check(const char *name);

// Returns the folder of a path, "." if it has none; free it by scree_memory_free.
SCREE_NODISCARD scree_status scree_path_folder(const char *path, char **folder);

// Concatenates three texts; free the result by scree_memory_free.
SCREE_NODISCARD scree_status scree_path_concat(const char *first, const char *second, const char *third,
                                               char **path);

// Copies a path without "." and empty parts; `out` must be as large as the path.
void scree_path_normalise(const char *path, char *out);

// Joins a folder and a checked name; refuses links. Free the path by scree_memory_free.
SCREE_NODISCARD scree_status scree_path_join(const char *folder, const char *name, char **path);

// Like scree_path_join, for a file to be written later: also checks that it and its missing folders can be
// created.
SCREE_NODISCARD scree_status scree_path_inspect(const char *folder, const char *name, char **path);

// Creates the missing folders of a path.
SCREE_NODISCARD scree_status scree_path_make_parents(const char *path);

// Calls scree_path_inspect, then scree_path_make_parents.
SCREE_NODISCARD scree_status scree_path_make(const char *folder, const char *name, char **path);

// Checks that files can be created and deleted in the folder of `path`, if it exists.
SCREE_NODISCARD scree_status scree_path_check_writable(const char *path);

// Returns the error for a path that exists and may not be overwritten.
SCREE_NODISCARD scree_status scree_path_exists_error(const char *path);

// Describes a file that is not a regular one, as "it is a folder".
const char *scree_path_describe(mode_t mode);

// Returns whether two paths are the same existing file or folder.
bool scree_path_is_same(const char *one, const char *other);

// Checks that a folder exists or can be created; changes nothing.
SCREE_NODISCARD scree_status scree_path_check_folder(const char *folder);

// Creates a folder and its missing parents.
SCREE_NODISCARD scree_status scree_path_make_folder(const char *folder);

#endif
