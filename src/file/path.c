// Paths that a scene names, see path.h.

#include "file/path.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// bytes of a path, and of a name of a file to be written: behind it there may come as much as
// "-contacts.hdf.series.part"
enum { LONGEST = 1024, LONGEST_NAME = 255 - 25 };

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

// --- files to be written

static scree_status refuse(const char *what, const char *path)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

static scree_status may_change(const char *folder)
{
    return access(folder, W_OK | X_OK) == 0 ? SCREE_OK : refuse("write in the folder", folder);
}

// Looks at the folder that ends at `end`; `there` is whether there is one, `last` the length of the last one
// that there is.
static scree_status look_at_folder(char *path, char *end, size_t *last, bool *there)
{
    struct stat about;
    *end = 0;
    *there = stat(path, &about) == 0;
    scree_status status = SCREE_OK;
    if (*there && !S_ISDIR(about.st_mode))
        status = scree_status_fail(SCREE_ERROR_IO, "'%s' is no folder", path);
    else if (!*there && (errno != ENOENT || lstat(path, &about) == 0))
        status = refuse("look into the folder", path);
    *last = *there ? (size_t)(end - path) : *last;
    *end = '/';
    return status;
}

// Whether what is missing can be made in the last folder that there is.
static scree_status look_on_the_way(char *path)
{
    struct stat about;
    size_t last = path[0] == '/';
    bool there = true;
    for (char *slash = path; there && (slash = strchr(slash + 1, '/'));)
        SCREE_TRY(look_at_folder(path, slash, &last, &there));
    if (there && lstat(path, &about) == 0)
        return SCREE_OK;
    if (there && errno != ENOENT)
        return refuse("look at", path);
    const char kept = path[last];
    path[last] = 0;
    const scree_status status = may_change(last == 0 ? "." : path);
    path[last] = kept;
    return status;
}

// Where folders are still to be made the system does not tell of names that it has no room for.
static scree_status refuse_long_names(const char *name)
{
    for (const char *part = name; *part; part += strcspn(part, "/"), part += *part == '/')
        if (strcspn(part, "/") > LONGEST_NAME)
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "a name has at most %d characters; got '%.*s'",
                                     (int)LONGEST_NAME, (int)strcspn(part, "/"), part);
    return SCREE_OK;
}

scree_status scree_path_inspect(const char *folder, const char *name, char **path)
{
    *path = NULL;
    SCREE_TRY(refuse_long_names(name));
    SCREE_TRY(scree_path_join(folder, name, path));
    const scree_status status = look_on_the_way(*path);
    if (status != SCREE_OK) {
        scree_memory_free(*path);
        *path = NULL;
    }
    return status;
}

scree_status scree_path_make_way(const char *path)
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
    const scree_status status = scree_path_make_way(*path);
    if (status != SCREE_OK) {
        scree_memory_free(*path);
        *path = NULL;
    }
    return status;
}

scree_status scree_path_may_change(const char *path)
{
    struct stat about;
    char *folder;
    SCREE_TRY(scree_path_folder(path, &folder));
    const scree_status status = stat(folder, &about) != 0 && errno == ENOENT ? SCREE_OK : may_change(folder);
    scree_memory_free(folder);
    return status;
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

scree_status scree_path_look_folder(const char *folder)
{
    char *inside;
    if (!folder[0])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'' is no name of a folder");
    const size_t room = strlen(folder) + sizeof "/0";
    SCREE_TRY(scree_memory_new(room, 1, (void **)&inside));
    snprintf(inside, room, "%s/0", folder);
    const scree_status status = look_on_the_way(inside);
    scree_memory_free(inside);
    return status;
}

bool scree_path_is_same(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}
