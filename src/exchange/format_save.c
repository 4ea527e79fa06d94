// Atomic write of files of a format, see format_save.h.

#include "exchange/format_save.h"

#include "base/memory.h"
#include "file/atomic.h"
#include "file/part.h"
#include "file/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static scree_status fail(const struct scree_format_save *save)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot write to '%s': %s%s", save->path, strerror(errno),
                             scree_guard_hint());
}

scree_status scree_format_save_open(struct scree_format_save *save, bool force)
{
    if (save->source && scree_path_is_same(save->source, save->path))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is the input file '%s': write to another file, check it, and move it "
                                 "there",
                                 save->path, save->source);
    if (!force && access(save->path, F_OK) == 0)
        return scree_path_exists_error(save->path);
    SCREE_TRY(scree_path_concat(save->path, SCREE_PART, "", &save->part));
    if (save->source && scree_path_is_same(save->source, save->part))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "'%s' is the temporary name of '%s' while it is written: rename the input file", save->source,
            save->path);
    SCREE_TRY(scree_atomic_check(save->path, NULL));
    scree_memory_free(save->part);
    int file;
    SCREE_TRY(scree_part_open(save->path, &save->part, &file));
    save->output.file = fdopen(file, "w");
    if (save->output.file) {
        scree_guard_begin(&save->guard);
        return SCREE_OK;
    }
    const scree_status status = fail(save);
    (void)unlink(save->part);
    close(file);
    return status;
}

scree_status scree_format_save_close(struct scree_format_save *save, scree_status status)
{
    if (save->output.file) {
        const bool failed = fflush(save->output.file) != 0 || ferror(save->output.file) ||
                            !scree_part_is_written(fileno(save->output.file));
        if (status == SCREE_OK && failed)
            status = fail(save);
        if (status == SCREE_OK && rename(save->part, save->path) != 0)
            status = fail(save);
        if (status != SCREE_OK)
            unlink(save->part);
        // last, because closing the file ends its lock
        if (fclose(save->output.file) != 0 && status == SCREE_OK)
            status = fail(save);
        scree_guard_end(&save->guard);
    }
    scree_memory_free(save->part);
    save->part = NULL;
    save->output.file = NULL;
    return status;
}
