// Checkpoints of runs that were interrupted, see save.h.

#include "base/memory.h"
#include "file/lock.h"
#include "file/part.h"
#include "file/path.h"
#include "run/host.h"
#include "run/save.h"
#include "text/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// maximum number of file names to try; size of a name; maximum length of the scene's name in it
enum { MAX_NAMES = 10000, NAME_SIZE = 256, MAX_STEM = 200 };

// A file in which the state could be stored.
struct candidate {
    char name[NAME_SIZE];
    char *path;
    int file;      // locked until the file is replaced; -1 if this run must not use the name
    bool reserved; // the file is empty and was created by this run
};

// Makes the name SCENE.stopped.chk, or SCENE.stopped-N.chk for N > 1.
static scree_status make_name(const struct scree_host *host, int number, struct candidate *candidate)
{
    const char *stem = strrchr(host->reading->name, '/');
    stem = stem ? stem + 1 : host->reading->name;
    // drop only the last extension: run.a.yaml and run.b.yaml are different scenes
    const char *dot = strrchr(stem, '.');
    const size_t length = dot > stem ? (size_t)(dot - stem) : strlen(stem),
                 max = scree_utf8_fit(stem, MAX_STEM);
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%d", number);
    *candidate = (struct candidate){.file = -1};
    snprintf(candidate->name, sizeof candidate->name, "%.*s.stopped%s.chk",
             (int)(length < max ? length : max), stem, suffix);
    const size_t size = strlen(host->folder) + 1 + strlen(candidate->name) + 1;
    SCREE_TRY(scree_memory_new(size, 1, (void **)&candidate->path));
    snprintf(candidate->path, size, "%s/%s", host->folder, candidate->name);
    return SCREE_OK;
}

static bool is_free(const char *path, const char *suffix)
{
    char full[NAME_SIZE + 4096];
    struct stat info;
    const int length = snprintf(full, sizeof full, "%s%s", path, suffix);
    return length < (int)sizeof full && lstat(full, &info) != 0 && errno == ENOENT;
}

// Creates and locks an empty file if the name is free, so that no other run uses it.
static scree_status reserve(struct candidate *candidate)
{
    if (!is_free(candidate->path, "") || !is_free(candidate->path, SCREE_CHECKPOINT_PREVIOUS) ||
        !is_free(candidate->path, SCREE_PART))
        return SCREE_OK;
    candidate->file = open(candidate->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (candidate->file < 0)
        return errno == EEXIST ? SCREE_OK
                               : scree_status_fail(SCREE_ERROR_IO, "cannot create '%s': %s", candidate->path,
                                                   strerror(errno));
    candidate->reserved = scree_lock_file(candidate->file, candidate->path) == SCREE_OK;
    if (candidate->reserved)
        return SCREE_OK;
    // another run, which may overwrite results, has locked it
    close(candidate->file);
    candidate->file = -1;
    return SCREE_OK;
}

// Returns true if the existing file is the checkpoint from which this run was restarted: same name and
// digest.
static bool is_own_checkpoint(const struct scree_stopped_previous *previous,
                              const struct candidate *candidate)
{
    struct scree_checkpoint_facts facts;
    return previous && strcmp(previous->record, candidate->name) == 0 &&
           scree_checkpoint_info(candidate->path, &facts) == SCREE_OK &&
           facts.digest.low == previous->digest->low && facts.digest.high == previous->digest->high;
}

// Opens and locks the existing file if this run may replace it. Another run may have replaced the file before
// the lock was taken, so it is checked after locking.
static void take_over(const struct scree_host *host, const struct scree_stopped_previous *previous,
                      int number, struct candidate *candidate)
{
    struct stat locked, current;
    const int file = open(candidate->path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    const bool may_replace = fstat(file, &locked) == 0 && S_ISREG(locked.st_mode) &&
                             scree_lock_file(file, candidate->path) == SCREE_OK &&
                             lstat(candidate->path, &current) == 0 && current.st_dev == locked.st_dev &&
                             current.st_ino == locked.st_ino &&
                             ((host->def->force && number == 1) || is_own_checkpoint(previous, candidate));
    if (may_replace)
        candidate->file = file;
    else
        close(file);
}

// Closes the file; deletes a reserved file if writing has failed.
static void release(struct candidate *candidate, scree_status status)
{
    if (candidate->reserved && status != SCREE_OK)
        (void)unlink(candidate->path);
    if (candidate->file >= 0)
        close(candidate->file);
    scree_memory_free(candidate->path);
}

// Writes the state to the file name of this number if the run may use it.
static scree_status try_candidate(struct scree_host *host, const struct scree_stopped_previous *previous,
                                  int number, bool *written)
{
    struct candidate candidate;
    SCREE_TRY(make_name(host, number, &candidate));
    scree_status status = SCREE_OK;
    take_over(host, previous, number, &candidate);
    if (candidate.file < 0)
        status = reserve(&candidate);
    *written = candidate.file >= 0 && status == SCREE_OK;
    if (*written)
        status = scree_save_write(host, candidate.name, host->def->force);
    // report the file only after it has been written
    if (*written && status == SCREE_OK)
        status = scree_writer_wait(host->writer);
    if (*written && status == SCREE_OK && host->def->result)
        host->def->result(host->def->user, "checkpoint", candidate.path);
    release(&candidate, status);
    return status;
}

scree_status scree_stopped_write(struct scree_host *host, const struct scree_stopped_previous *previous)
{
    bool written = false;
    SCREE_TRY(scree_path_make_folder(host->folder));
    for (int number = 1; number <= MAX_NAMES && !written; ++number)
        SCREE_TRY(try_candidate(host, previous, number, &written));
    return written ? SCREE_OK
                   : scree_status_fail(SCREE_ERROR_LIMIT,
                                       "there are already %d checkpoints of interrupted runs of this scene, "
                                       "which are not overwritten: move some to another folder",
                                       (int)MAX_NAMES);
}
