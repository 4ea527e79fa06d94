// Files that grow during a run, see append.h.

#include "file/append.h"

#include "base/memory.h"
#include "file/guard.h"
#include "file/lock.h"
#include "file/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

scree_status scree_append_fail(const struct scree_append *append, const char *action)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s the %s '%s': %s%s", action, append->kind,
                             append->path, strerror(errno), scree_guard_hint());
}

static scree_status open_stream(struct scree_append *append, int file)
{
    // clears O_NONBLOCK, which was only for opening, and sets O_APPEND
    const bool good = file >= 0 && fcntl(file, F_SETFL, O_APPEND) == 0;
    append->file = good ? fdopen(file, "a") : NULL;
    if (append->file)
        return SCREE_OK;
    const scree_status status = scree_append_fail(append, "open");
    if (file >= 0)
        close(file);
    return status;
}

// Opens an existing file. O_APPEND is not set, so that an append-only file, which cannot be truncated, is
// refused here. O_NONBLOCK avoids blocking on a pipe.
static scree_status open_existing(struct scree_append *append, bool check_only)
{
    struct stat facts;
    const int file = open(append->path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    SCREE_TRY(open_stream(append, file));
    if (fstat(file, &facts) != 0)
        return scree_append_fail(append, "inspect");
    if (!S_ISREG(facts.st_mode))
        return scree_status_fail(SCREE_ERROR_IO, "cannot open the %s '%s': it is not a regular file",
                                 append->kind, append->path);
    append->size = (uint64_t)facts.st_size;
    return check_only ? SCREE_OK : scree_lock_file(file, append->path);
}

scree_status scree_append_check(struct scree_append *append, const char *kind, const char *folder,
                                const char *name, enum scree_append_mode mode, bool check_only)
{
    struct stat facts;
    *append = (struct scree_append){.kind = kind};
    SCREE_TRY(scree_path_inspect(folder, name, &append->path));
    SCREE_TRY(check_only ? SCREE_OK : scree_lock_check(append->path));
    if (lstat(append->path, &facts) != 0)
        return errno == ENOENT ? SCREE_OK : scree_append_fail(append, "inspect");
    if (mode == SCREE_APPEND_NEW)
        return scree_path_exists_error(append->path);
    // opening a device could have effects
    if (!S_ISREG(facts.st_mode))
        return scree_status_fail(SCREE_ERROR_IO, "cannot open the %s '%s': %s", append->kind, append->path,
                                 scree_path_describe(facts.st_mode));
    return open_existing(append, check_only);
}

scree_status scree_append_begin(struct scree_append *append)
{
    if (append->file)
        return ftruncate(fileno(append->file), (off_t)append->length) == 0
                   ? SCREE_OK
                   : scree_append_fail(append, "truncate");
    SCREE_TRY(scree_path_make_parents(append->path));
    const int file = open(append->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return scree_path_exists_error(append->path);
    SCREE_TRY(open_stream(append, file));
    return scree_lock_file(file, append->path);
}

scree_status scree_append_flush(struct scree_append *append)
{
    struct scree_guard guard;
    scree_guard_begin(&guard);
    const bool good = fflush(append->file) == 0 && !ferror(append->file);
    scree_guard_end(&guard);
    return good ? SCREE_OK : scree_append_fail(append, "write to");
}

scree_status scree_append_close(struct scree_append *append)
{
    struct scree_guard guard;
    // fclose writes data again that could not be written before, which may raise SIGXFSZ
    scree_guard_begin(&guard);
    const bool good = !append->file || fclose(append->file) == 0;
    scree_guard_end(&guard);
    const scree_status status = good ? SCREE_OK : scree_append_fail(append, "close");
    scree_memory_free(append->path);
    *append = (struct scree_append){0};
    return status;
}
