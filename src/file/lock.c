// Locks on files and folders, see lock.h.

#include "file/lock.h"

#include "base/memory.h"
#include "file/path.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// maximum number of attempts while other runs create and delete a PATH.lock
enum { ATTEMPTS = 100 };

enum scree_lock scree_lock_try(int file)
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return SCREE_LOCK_TAKEN;
    return errno == EWOULDBLOCK ? SCREE_LOCK_BUSY : SCREE_LOCK_NONE;
}

bool scree_lock_is_at(int file, const char *path)
{
    struct stat open_file, named;
    return fstat(file, &open_file) == 0 && lstat(path, &named) == 0 && open_file.st_dev == named.st_dev &&
           open_file.st_ino == named.st_ino;
}

// Finds the process that has locked a file, in a list that only Linux has; 0 if it is not known. A line of
// the list is "1: FLOCK  ADVISORY  WRITE 708 00:2c:1437 0 EOF".
static long find_owner(int file)
{
    struct stat facts;
    char line[256];
    long owner = 0;
    FILE *list = fopen("/proc/locks", "r");
    const bool known = list && fstat(file, &facts) == 0;
    while (known && owner == 0 && fgets(line, sizeof line, list)) {
        long process;
        unsigned device[2];
        uintmax_t inode;
        const char *at = strstr(line, "FLOCK");
        if (at && !strstr(line, "->") &&
            sscanf(at, "FLOCK %*s %*s %ld %x:%x:%" SCNuMAX, &process, &device[0], &device[1], &inode) == 4 &&
            device[0] == major(facts.st_dev) && device[1] == minor(facts.st_dev) &&
            inode == (uintmax_t)facts.st_ino)
            owner = process;
    }
    if (list)
        fclose(list);
    return owner > 0 ? owner : 0;
}

static scree_status fail_busy(int file, const char *path)
{
    char process[40] = "";
    const long owner = find_owner(file);
    if (owner > 0)
        snprintf(process, sizeof process, ", process %ld", owner);
    return scree_status_fail(
        SCREE_ERROR_IO,
        "'%s' is being written by another run%s: wait for its end, or write the results elsewhere", path,
        process);
}

scree_status scree_lock_file(int file, const char *path)
{
    // some shared disks have no locks: continue without a lock
    return scree_lock_try(file) == SCREE_LOCK_BUSY ? fail_busy(file, path) : SCREE_OK;
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

// --- paths

// Fails if another run has locked the regular file `name`; the message contains `path`.
static scree_status check_name(const char *name, const char *path)
{
    struct stat facts;
    if (lstat(name, &facts) != 0 || !S_ISREG(facts.st_mode))
        return SCREE_OK;
    const int file = open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return SCREE_OK;
    const scree_status status = scree_lock_file(file, path);
    close(file);
    return status;
}

scree_status scree_lock_check(const char *path)
{
    char *name;
    SCREE_TRY(check_name(path, path));
    SCREE_TRY(scree_path_concat(path, SCREE_LOCK_ENDING, "", &name));
    const scree_status status = check_name(name, path);
    scree_memory_free(name);
    return status;
}

// Fails for a file that is not the lock of a run: such a file must not be deleted.
static scree_status check_lock(int file, const char *name)
{
    struct stat facts;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_IO, "'%s' is not the empty file with which a run locks its results: move it away", name);
}

// Opens and locks PATH.lock. Sets `retry` if another run has just deleted it.
static scree_status lock_name(struct scree_lock_path *lock, const char *path, bool *retry)
{
    const int file = open(lock->name, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0666);
    *retry = false;
    if (file < 0)
        return scree_status_fail(SCREE_ERROR_IO, "cannot create '%s', which locks the results: %s",
                                 lock->name, strerror(errno));
    scree_status status = check_lock(file, lock->name);
    if (status == SCREE_OK)
        status = scree_lock_file(file, path);
    *retry = status == SCREE_OK && !scree_lock_is_at(file, lock->name);
    if (status == SCREE_OK && !*retry)
        lock->file = file;
    else
        close(file);
    return status;
}

scree_status scree_lock_path(struct scree_lock_path *lock, const char *path)
{
    bool retry = true;
    if (lock->name)
        return SCREE_OK;
    SCREE_TRY(check_name(path, path));
    SCREE_TRY(scree_path_concat(path, SCREE_LOCK_ENDING, "", &lock->name));
    scree_status status = SCREE_OK;
    for (int k = 0; k < ATTEMPTS && retry && status == SCREE_OK; ++k)
        status = lock_name(lock, path, &retry);
    if (status == SCREE_OK && retry)
        status =
            scree_status_fail(SCREE_ERROR_IO, "cannot lock '%s': other runs lock it again and again", path);
    if (status == SCREE_OK)
        return SCREE_OK;
    scree_memory_free(lock->name);
    *lock = (struct scree_lock_path){0};
    return status;
}

void scree_lock_release(struct scree_lock_path *lock)
{
    if (!lock->name)
        return;
    // while the file is locked, so that the file of another run is not deleted
    (void)unlink(lock->name);
    close(lock->file);
    scree_memory_free(lock->name);
    *lock = (struct scree_lock_path){0};
}
