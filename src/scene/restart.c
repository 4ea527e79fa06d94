// Finds the output folder of a restarted run, see scene.h.

#define _XOPEN_SOURCE 700 // realpath

#include "base/memory.h"
#include "file/path.h"
#include "run/save.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Returns the length of the part of `path` before `record`, the path of the checkpoint as written in the
// scene; the suffix of a previous checkpoint may follow. Returns SIZE_MAX if `path` does not end like this.
static size_t find_root(const char *path, const char *record)
{
    const size_t suffix = strlen(SCREE_CHECKPOINT_PREVIOUS), length = strlen(record);
    size_t end = strlen(path);
    if (end > suffix && strcmp(path + end - suffix, SCREE_CHECKPOINT_PREVIOUS) == 0)
        end -= suffix;
    const bool fits = end >= length && memcmp(path + end - length, record, length) == 0 &&
                      (end == length || path[end - length - 1] == '/');
    return fits ? end - length : SIZE_MAX;
}

scree_status scree_restart_find(const char *path, const char *record, char **beside)
{
    char *normalised, *name = NULL, real[PATH_MAX];
    *beside = NULL;
    SCREE_TRY(scree_memory_new(strlen(path) + 1, 1, (void **)&normalised));
    scree_status status = scree_memory_new(strlen(record) + 1, 1, (void **)&name);
    if (status == SCREE_OK) {
        scree_path_normalise(path, normalised);
        scree_path_normalise(record, name);
        const char *found = normalised;
        size_t root = find_root(normalised, name);
        if (root == SIZE_MAX && realpath(path, real)) {
            found = real;
            root = find_root(real, name);
        }
        if (root != SIZE_MAX)
            status = scree_memory_new(root + 2, 1, (void **)beside);
        if (*beside) {
            memcpy(*beside, found, root);
            (*beside)[root] = '-';
        }
    }
    scree_memory_free(name);
    scree_memory_free(normalised);
    return status;
}
