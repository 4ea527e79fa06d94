// Paths in a scene, see path.h.

#include "file/path.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// longest path, and longest name of a file, which may get the suffix "-contacts.hdf.series.part99"
enum { LONGEST = 1024, LONGEST_NAME = 255 - 27 };

scree_status scree_path_check(const char *name)
{
    if (!name[0] || name[strlen(name) - 1] == '/')
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' is not a file name", name);
    if (strlen(name) > LONGEST)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a path can have at most %d characters", (int)LONGEST);
    if (name[0] == '/')
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is an absolute path: give it relative to the folder of the scene",
                                 name);
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "'%s' leads out of the folder of the scene: remove '..'", name);
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

scree_status scree_path_concat(const char *first, const char *second, const char *third, char **path)
{
    const size_t capacity = strlen(first) + strlen(second) + strlen(third) + 1;
    SCREE_TRY(scree_memory_new(capacity, 1, (void **)path));
    snprintf(*path, capacity, "%s%s%s", first, second, third);
    return SCREE_OK;
}

// Frees a path if the status is a failure; returns the status.
static scree_status free_on_failure(scree_status status, char **path)
{
    if (status != SCREE_OK) {
        scree_memory_free(*path);
        *path = NULL;
    }
    return status;
}

// Refuses symbolic links in a path after its folder; parts that do not exist yet are fine.
static scree_status refuse_links(char *path, size_t folder)
{
    struct stat facts;
    for (char *part = path + folder + 1;;) {
        char *slash = strchr(part, '/');
        if (slash)
            *slash = 0;
        const bool link = lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
        const scree_status status =
            link ? scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "'%s' is a link, but paths in a scene must stay in its folder: replace "
                                     "the link by the file or folder itself",
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
    SCREE_TRY(scree_path_concat(folder, "/", name, path));
    return free_on_failure(refuse_links(*path, strlen(folder)), path);
}

void scree_path_normalise(const char *path, char *out)
{
    size_t length = 0;
    if (path[0] == '/')
        out[length++] = '/';
    for (size_t at = 0; path[at];) {
        const size_t part = strcspn(path + at, "/");
        if (part > 0 && !(part == 1 && path[at] == '.')) {
            if (length > 0 && out[length - 1] != '/')
                out[length++] = '/';
            memcpy(out + length, path + at, part);
            length += part;
        }
        at += part + (path[at + part] == '/');
    }
    out[length] = 0;
}

// --- files to be written

static scree_status fail(const char *what, const char *path)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

static scree_status check_writable(const char *folder)
{
    return access(folder, W_OK | X_OK) == 0 ? SCREE_OK : fail("write to the folder", folder);
}

// Checks the folder that ends at `end`; sets `exists` if it exists, and then `last` to its length.
static scree_status check_folder(char *path, char *end, size_t *last, bool *exists)
{
    struct stat facts;
    *end = 0;
    *exists = stat(path, &facts) == 0;
    scree_status status = SCREE_OK;
    if (*exists && !S_ISDIR(facts.st_mode))
        status = scree_status_fail(SCREE_ERROR_IO, "'%s' is not a folder", path);
    else if (!*exists && (errno != ENOENT || lstat(path, &facts) == 0))
        status = fail("read the folder", path);
    *last = *exists ? (size_t)(end - path) : *last;
    *end = '/';
    return status;
}

// Checks that the missing parts of a path can be created in its last existing folder.
static scree_status check_creatable(char *path)
{
    struct stat facts;
    size_t last = path[0] == '/';
    bool exists = true;
    for (char *slash = path; exists && (slash = strchr(slash + 1, '/'));)
        SCREE_TRY(check_folder(path, slash, &last, &exists));
    if (exists && lstat(path, &facts) == 0)
        return SCREE_OK;
    if (exists && errno != ENOENT)
        return fail("inspect", path);
    const char saved = path[last];
    path[last] = 0;
    const scree_status status = check_writable(last == 0 ? "." : path);
    path[last] = saved;
    return status;
}

// Refuses names that are too long: the system cannot report them while the folder does not exist yet.
static scree_status refuse_long_names(const char *name)
{
    for (const char *part = name; *part; part += strcspn(part, "/"), part += *part == '/')
        if (strcspn(part, "/") > LONGEST_NAME)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a name can have at most %d characters; got '%.*s'", (int)LONGEST_NAME,
                                     (int)strcspn(part, "/"), part);
    return SCREE_OK;
}

scree_status scree_path_inspect(const char *folder, const char *name, char **path)
{
    *path = NULL;
    SCREE_TRY(refuse_long_names(name));
    SCREE_TRY(scree_path_join(folder, name, path));
    return free_on_failure(check_creatable(*path), path);
}

scree_status scree_path_make_parents(const char *path)
{
    char *folder;
    SCREE_TRY(scree_path_folder(path, &folder));
    const scree_status status = scree_path_make_folder(folder);
    scree_memory_free(folder);
    return status;
}

scree_status scree_path_make(const char *folder, const char *name, char **path)
{
    SCREE_TRY(scree_path_inspect(folder, name, path));
    return free_on_failure(scree_path_make_parents(*path), path);
}

scree_status scree_path_check_writable(const char *path)
{
    struct stat facts;
    char *folder;
    SCREE_TRY(scree_path_folder(path, &folder));
    const scree_status status =
        stat(folder, &facts) != 0 && errno == ENOENT ? SCREE_OK : check_writable(folder);
    scree_memory_free(folder);
    return status;
}

scree_status scree_path_exists_error(const char *path)
{
    return scree_status_fail(
        SCREE_ERROR_EXISTS,
        "'%s' already exists: choose another name or another folder, or allow overwriting", path);
}

scree_status scree_path_make_folder(const char *folder)
{
    if (!folder[0])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'' is not a folder name");
    char *path;
    const size_t length = strlen(folder);
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_path_concat(folder, "", "", &path));
    for (size_t at = 1; at <= length && status == SCREE_OK; ++at) {
        if (folder[at] != '/' && folder[at] != 0)
            continue;
        path[at] = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            status =
                scree_status_fail(SCREE_ERROR_IO, "cannot create the folder '%s': %s", path, strerror(errno));
        path[at] = folder[at];
    }
    scree_memory_free(path);
    return status;
}

scree_status scree_path_check_folder(const char *folder)
{
    char *inside;
    if (!folder[0])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'' is not a folder name");
    SCREE_TRY(scree_path_concat(folder, "/0", "", &inside));
    const scree_status status = check_creatable(inside);
    scree_memory_free(inside);
    return status;
}

const char *scree_path_describe(mode_t mode)
{
    return S_ISDIR(mode)    ? "it is a folder"
           : S_ISFIFO(mode) ? "it is a pipe, not a regular file"
           : S_ISSOCK(mode) ? "it is a socket, not a regular file"
           : S_ISLNK(mode)  ? "it is a link"
                            : "it is a device, not a regular file";
}

bool scree_path_is_same(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}
