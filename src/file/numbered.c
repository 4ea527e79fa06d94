// Numbered files, see numbered.h.

#include "file/numbered.h"

#include "file/part.h"
#include "file/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Returns whether the ending of a name is that of a temporary file (part.h).
static bool is_part(const char *ending)
{
    const size_t length = strlen(SCREE_PART);
    return strncmp(ending, SCREE_PART, length) == 0 &&
           ending[length + strspn(ending + length, "0123456789")] == 0;
}

bool scree_numbered_read(const char *name, const char *prefix, const char *ending, uint64_t *number)
{
    const size_t prefix_length = strlen(prefix), ending_length = strlen(ending);
    size_t digits = 0;
    *number = 0;
    if (strncmp(name, prefix, prefix_length) != 0)
        return false;
    for (name += prefix_length; name[digits] >= '0' && name[digits] <= '9'; ++digits) {
        if (digits == 18)
            return false;
        *number = 10 * *number + (uint64_t)(name[digits] - '0');
    }
    const char *rest = name + digits;
    return digits >= SCREE_NUMBERED_DIGITS && (digits == SCREE_NUMBERED_DIGITS || name[0] != '0') &&
           strncmp(rest, ending, ending_length) == 0 &&
           (!rest[ending_length] || is_part(rest + ending_length));
}

static scree_status fail(const char *action, const char *folder)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s '%s': %s", action, folder, strerror(errno));
}

// The task for each file.
enum task { FIND, CHECK, CLEAR };

// Returns the reason why a file cannot be deleted, null for none. For an immutable file access fails with
// EPERM; a read-only one (EACCES) can be deleted.
static const char *why_not_deletable(int folder, const char *name)
{
    struct stat facts;
    if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || S_ISLNK(facts.st_mode))
        return NULL;
    if (!S_ISREG(facts.st_mode))
        return scree_path_describe(facts.st_mode);
    return faccessat(folder, name, W_OK, 0) != 0 && errno == EPERM ? strerror(EPERM) : NULL;
}

static scree_status visit(int folder, const char *path, const char *name, enum task task)
{
    if (task == CLEAR)
        return unlinkat(folder, name, 0) == 0 || errno == ENOENT ? SCREE_OK
                                                                 : fail("delete old files in", path);
    const char *why = task == CHECK ? why_not_deletable(folder, name) : NULL;
    return why ? scree_status_fail(SCREE_ERROR_IO, "cannot replace '%s' in '%s': %s", name, path, why)
               : SCREE_OK;
}

static scree_status walk(const char *path, const char *prefix, const char *ending, uint64_t first,
                         enum task task, bool *found)
{
    *found = false;
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT && task != CLEAR ? SCREE_OK : fail("open the folder", path);
    scree_status status = SCREE_OK;
    for (const struct dirent *entry; status == SCREE_OK && (entry = readdir(folder));) {
        uint64_t number;
        if (!scree_numbered_read(entry->d_name, prefix, ending, &number) || number < first)
            continue;
        *found = true;
        status = visit(dirfd(folder), path, entry->d_name, task);
    }
    closedir(folder);
    return status;
}

scree_status scree_numbered_any(const char *folder, const char *prefix, const char *ending, uint64_t first,
                                bool *found)
{
    return walk(folder, prefix, ending, first, FIND, found);
}

scree_status scree_numbered_check(const char *folder, const char *prefix, const char *ending, uint64_t first)
{
    bool found;
    if (access(folder, W_OK | X_OK) != 0 && errno != ENOENT)
        return fail("write to the folder", folder);
    return walk(folder, prefix, ending, first, CHECK, &found);
}

scree_status scree_numbered_clear(const char *folder, const char *prefix, const char *ending, uint64_t first)
{
    bool found;
    return walk(folder, prefix, ending, first, CLEAR, &found);
}
