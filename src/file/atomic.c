// Atomic write, and reading of whole files, see atomic.h.

#include "file/atomic.h"

#include "base/memory.h"
#include "file/guard.h"
#include "file/part.h"
#include "file/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// largest size of one read or write call
static const size_t max_chunk = (size_t)1 << 30;

static scree_status fail(const char *action, const char *path)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s '%s': %s%s", action, path, strerror(errno),
                             scree_guard_hint());
}

// --- writing

static bool write_piece(int file, const struct scree_atomic_piece *piece)
{
    const char *data = (const char *)piece->data;
    for (size_t done = 0; done < piece->size;) {
        const size_t left = piece->size - done;
        const ssize_t written = write(file, data + done, left < max_chunk ? left : max_chunk);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            errno = written == 0 ? ENOSPC : errno;
            return false;
        }
    }
    return true;
}

static bool write_all(int file, const struct scree_atomic_piece *piece, size_t count, bool durable)
{
    struct scree_guard guard;
    scree_guard_begin(&guard);
    bool good = true;
    for (size_t k = 0; k < count && good; ++k)
        good = write_piece(file, &piece[k]);
    good = good && (!durable || fsync(file) == 0);
    scree_guard_end(&guard);
    return good;
}

// Flushes the folder, which writes the new name to disk.
static scree_status flush_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = 0;
    const char *folder = slash ? path : ".";
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return fail("open the folder", folder);
    // some file systems cannot flush folders
    const bool good = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
    const scree_status status = good ? SCREE_OK : fail("flush the folder", folder);
    close(file);
    return status;
}

// Keeps the file at `path` also as `previous`, by a hard link. On file systems without hard links the
// file is renamed, and `path` is missing until the new file is in place.
static bool keep_previous(const char *path, const char *previous)
{
    if (link(path, previous) == 0 || errno == ENOENT)
        return true;
    if (errno == EEXIST && unlink(previous) == 0 && link(path, previous) == 0)
        return true;
    return rename(path, previous) == 0;
}

// Fails for a folder, pipe, socket or device, which must not be replaced. A symbolic link is replaced.
static scree_status check_replaceable(const char *path)
{
    struct stat facts;
    if (lstat(path, &facts) != 0 || S_ISREG(facts.st_mode) || S_ISLNK(facts.st_mode))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_IO, "cannot replace '%s': %s", path,
                             scree_path_describe(facts.st_mode));
}

static scree_status write_part(int file, const char *part, const char *path, const char *previous,
                               const struct scree_atomic_piece *piece, size_t count, bool durable)
{
    const bool written = write_all(file, piece, count, durable) && scree_part_is_written(file);
    scree_status status = written ? SCREE_OK : fail("write", path);
    if (status == SCREE_OK)
        status = check_replaceable(path);
    if (status == SCREE_OK && previous && !keep_previous(path, previous))
        status = fail("keep the previous file as", previous);
    if (status == SCREE_OK && rename(part, path) != 0)
        status = fail("replace", path);
    if (status != SCREE_OK)
        (void)unlink(part);
    // last, because closing the file ends its lock
    (void)close(file);
    return status;
}

scree_status scree_atomic_write(const char *path, const char *previous,
                                const struct scree_atomic_piece *piece, size_t count, bool durable)
{
    char *part;
    int file;
    SCREE_TRY(check_replaceable(path));
    SCREE_TRY(scree_part_open(path, &part, &file));
    scree_status status = write_part(file, part, path, previous, piece, count, durable);
    if (status == SCREE_OK && durable)
        status = flush_folder(part);
    scree_memory_free(part);
    return status;
}

// --- checking

// Fails if the path is too long, or names an immutable file or something that is not a file.
static scree_status check_path(const char *path)
{
    struct stat facts;
    if (lstat(path, &facts) != 0)
        return errno == ENOENT ? SCREE_OK : fail("write", path);
    // a read-only file (EACCES) can be replaced, an immutable one (EPERM) cannot
    if (S_ISREG(facts.st_mode) && access(path, W_OK) != 0 && errno == EPERM)
        return fail("replace", path);
    return S_ISREG(facts.st_mode) || S_ISLNK(facts.st_mode)
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_IO, "cannot write '%s': %s", path,
                                   scree_path_describe(facts.st_mode));
}

scree_status scree_atomic_check(const char *path, const char *previous)
{
    char *part;
    SCREE_TRY(scree_path_check_writable(path));
    SCREE_TRY(check_path(path));
    SCREE_TRY(previous ? check_path(previous) : SCREE_OK);
    SCREE_TRY(scree_path_concat(path, SCREE_PART, "", &part));
    const scree_status status = check_path(part);
    scree_memory_free(part);
    return status;
}

// --- reading

static scree_status read_all(int file, const char *path, size_t limit, void **data, size_t *size)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return fail("read", path);
    if (!S_ISREG(facts.st_mode))
        return scree_status_fail(SCREE_ERROR_IO, "cannot read '%s': it is not a regular file", path);
    if ((uintmax_t)facts.st_size > limit)
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' is too large: it has %ju bytes, the limit is %zu",
                                 path, (uintmax_t)facts.st_size, limit);
    const size_t length = (size_t)facts.st_size;
    SCREE_TRY(scree_memory_new(length, 1, data));
    while (*size < length) {
        const size_t left = length - *size;
        const ssize_t count = read(file, (char *)*data + *size, left < max_chunk ? left : max_chunk);
        if (count > 0)
            *size += (size_t)count;
        else if (count == 0)
            return scree_status_fail(SCREE_ERROR_IO, "cannot read '%s': it was truncated while reading",
                                     path);
        else if (errno != EINTR)
            return fail("read", path);
    }
    return SCREE_OK;
}

scree_status scree_atomic_read(const char *path, size_t limit, void **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    // do not block on a pipe
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return fail("open", path);
    const scree_status status = read_all(file, path, limit, data, size);
    close(file);
    if (status != SCREE_OK) {
        scree_memory_free(*data);
        *data = NULL;
        *size = 0;
    }
    return status;
}
