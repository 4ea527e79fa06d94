// Locks on files and folders, see lock.h.

#include "file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

scree_status scree_lock_file(int file, const char *path)
{
    // file systems without locks, as on some shared disks: go on without
    if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_IO, "'%s' is being written by another run: wait for it, or write the results elsewhere",
        path);
}

scree_status scree_lock_folder(const char *path, int *folder)
{
    *folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0)
        return scree_status_fail(SCREE_ERROR_IO, "cannot open the folder '%s': %s", path, strerror(errno));
    const scree_status status = scree_lock_file(*folder, path);
    if (status == SCREE_OK)
        return SCREE_OK;
    close(*folder);
    *folder = -1;
    return status;
}
