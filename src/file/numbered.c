// Files of a series, see numbered.h.

#include "file/numbered.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

bool scree_numbered_find(const char *name, const char *prefix, const char *ending, uint64_t *number)
{
    const size_t before = strlen(prefix), after = strlen(ending);
    size_t digits = 0;
    *number = 0;
    if (strncmp(name, prefix, before) != 0)
        return false;
    for (name += before; name[digits] >= '0' && name[digits] <= '9'; ++digits) {
        if (digits == 18)
            return false;
        *number = 10 * *number + (uint64_t)(name[digits] - '0');
    }
    const char *rest = name + digits;
    return digits >= SCREE_NUMBERED_DIGITS && (digits == SCREE_NUMBERED_DIGITS || name[0] != '0') &&
           strncmp(rest, ending, after) == 0 && (!rest[after] || strcmp(rest + after, ".part") == 0);
}

static scree_status fail(const char *what, const char *folder)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s '%s': %s", what, folder, strerror(errno));
}

// With `look` it only tells whether there are any.
static scree_status walk(const char *path, const char *prefix, const char *ending, uint64_t first, bool *look)
{
    DIR *folder = opendir(path);
    if (!folder)
        return fail("open the folder", path);
    scree_status status = SCREE_OK;
    for (const struct dirent *entry; status == SCREE_OK && (entry = readdir(folder));) {
        uint64_t number;
        if (!scree_numbered_find(entry->d_name, prefix, ending, &number) || number < first)
            continue;
        if (look)
            *look = true;
        else if (unlinkat(dirfd(folder), entry->d_name, 0) != 0 && errno != ENOENT)
            status = fail("take away what was in", path);
    }
    closedir(folder);
    return status;
}

scree_status scree_numbered_look(const char *folder, const char *prefix, const char *ending, uint64_t first,
                                 bool *found)
{
    *found = false;
    return walk(folder, prefix, ending, first, found);
}

scree_status scree_numbered_clear(const char *folder, const char *prefix, const char *ending, uint64_t first)
{
    return walk(folder, prefix, ending, first, NULL);
}
