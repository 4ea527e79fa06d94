// Temporary files, see part.h.

#include "file/part.h"

#include "base/memory.h"
#include "file/guard.h"
#include "file/lock.h"
#include "file/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// largest number in a name
enum { MAX_NUMBER = 99 };

// Returns whether a living process may write the file: it is locked, or that cannot be found out.
static bool is_in_use(const char *name)
{
    struct stat facts;
    if (lstat(name, &facts) != 0 || !S_ISREG(facts.st_mode))
        return false;
    const int file = open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return errno != ENOENT;
    const bool in_use = scree_lock_try(file) != SCREE_LOCK_TAKEN;
    // delete it while it is locked, so that its name cannot belong to another file
    if (!in_use && scree_lock_is_at(file, name))
        (void)unlink(name);
    close(file);
    return in_use;
}

// Removes the file of a killed process, or a link, pipe or socket of that name.
static void remove_stale(const char *name)
{
    struct stat facts;
    if (!is_in_use(name) && lstat(name, &facts) == 0 && !S_ISREG(facts.st_mode))
        (void)unlink(name);
}

// Creates a file that does not exist and locks it; -1 if another process has taken it.
static int create(const char *name)
{
    const int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    // another process may have deleted it as stale before it was locked
    if (scree_lock_try(file) != SCREE_LOCK_BUSY && scree_lock_is_at(file, name))
        return file;
    close(file);
    errno = EEXIST;
    return -1;
}

scree_status scree_part_open(const char *path, char **name, int *file)
{
    const size_t size = strlen(path) + sizeof SCREE_PART + 12;
    SCREE_TRY(scree_memory_new(size, 1, (void **)name));
    snprintf(*name, size, "%s%s", path, SCREE_PART);
    remove_stale(*name);
    *file = create(*name);
    for (int k = 2; *file < 0 && errno == EEXIST && k <= MAX_NUMBER; ++k) {
        snprintf(*name, size, "%s%s%d", path, SCREE_PART, k);
        *file = create(*name);
    }
    if (*file >= 0)
        return SCREE_OK;
    const scree_status status = scree_status_fail(SCREE_ERROR_IO, "cannot create '%s': %s%s", *name,
                                                  strerror(errno), scree_guard_hint());
    scree_memory_free(*name);
    *name = NULL;
    return status;
}

bool scree_part_is_written(int file)
{
    // closing a descriptor reports late failures, as on NFS; the lock ends only with the last descriptor
    const int other = fcntl(file, F_DUPFD_CLOEXEC, 0);
    return other >= 0 && close(other) == 0;
}
