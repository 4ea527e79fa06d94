// Paths that a scene names, see path.h.

#include "file/path.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 1024 };

scree_status scree_path_check(const char *name)
{
    if (!name[0] || name[strlen(name) - 1] == '/')
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' is no name of a file", name);
    if (strlen(name) > LONGEST)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a path has at most %d characters", (int)LONGEST);
    if (name[0] == '/')
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is an absolute path: paths begin at the folder of the scene", name);
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "'%s' leads out of the folder of the scene: leave out '..'", name);
    return SCREE_OK;
}

scree_status scree_path_folder(const char *path, char **folder)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 1;
    SCREE_TRY(scree_memory_new(length + 1, 1, (void **)folder));
    memcpy(*folder, slash ? path : ".", length);
    return SCREE_OK;
}

// A link may lead anywhere. What is not there yet is none.
static scree_status refuse_links(char *path, size_t folder)
{
    struct stat about;
    for (char *part = path + folder + 1;;) {
        char *slash = strchr(part, '/');
        if (slash)
            *slash = 0;
        const bool link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
        const scree_status status =
            link ? scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "'%s' is a link, and what a scene names does not leave its folder: put "
                                     "there what it leads to",
                                     path)
                 : SCREE_OK;
        if (slash)
            *slash = '/';
        if (status != SCREE_OK || !slash)
            return status;
        part = slash + 1;
    }
}

scree_status scree_path_join(const char *folder, const char *name, char **path)
{
    *path = NULL;
    SCREE_TRY(scree_path_check(name));
    const size_t length = strlen(folder) + 1 + strlen(name);
    SCREE_TRY(scree_memory_new(length + 1, 1, (void **)path));
    snprintf(*path, length + 1, "%s/%s", folder, name);
    const scree_status status = refuse_links(*path, strlen(folder));
    if (status != SCREE_OK) {
        scree_memory_free(*path);
        *path = NULL;
    }
    return status;
}

scree_status scree_path_make(const char *folder, const char *name, char **path)
{
    SCREE_TRY(scree_path_join(folder, name, path));
    for (char *slash = *path + strlen(folder) + 1; (slash = strchr(slash, '/')); ++slash) {
        *slash = 0;
        if (mkdir(*path, 0777) != 0 && errno != EEXIST) {
            const scree_status status =
                scree_status_fail(SCREE_ERROR_IO, "cannot make the folder '%s': %s", *path, strerror(errno));
            scree_memory_free(*path);
            *path = NULL;
            return status;
        }
        *slash = '/';
    }
    return SCREE_OK;
}

scree_status scree_path_taken(const char *path)
{
    return scree_status_fail(SCREE_ERROR_EXISTS,
                             "'%s' is there already: take another name, another folder, or let it be written "
                             "over",
                             path);
}

scree_status scree_path_make_folder(const char *folder)
{
    if (!folder[0])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'' is no name of a folder");
    char *path;
    const size_t length = strlen(folder);
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_memory_new(length + 1, 1, (void **)&path));
    memcpy(path, folder, length);
    for (size_t at = 1; at <= length && status == SCREE_OK; ++at) {
        if (folder[at] != '/' && folder[at] != 0)
            continue;
        path[at] = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            status =
                scree_status_fail(SCREE_ERROR_IO, "cannot make the folder '%s': %s", path, strerror(errno));
        path[at] = folder[at];
    }
    scree_memory_free(path);
    return status;
}

bool scree_path_is_same(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}
