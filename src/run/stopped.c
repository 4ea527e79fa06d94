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

// file names to try; size of a name, and maximum length of the scene's name in it
enum { MOST = 10000, NAME_SIZE = 256, LONGEST = 200 };

// A candidate file for the state.
struct place {
    char name[NAME_SIZE];
    char *path;
    int file;      // locked until the file is replaced; -1 if this run must not use the name
    bool reserved; // the file is empty and was created by this run
};

// Makes the name SCENE.stopped.chk, or SCENE.stopped-N.chk for N > 1.
static scree_status choose(const struct scree_host *host, int number, struct place *place)
{
    const char *stem = strrchr(host->reading->name, '/');
    stem = stem ? stem + 1 : host->reading->name;
    // drop only the last extension: run.a.yaml and run.b.yaml are different scenes
    const char *dot = strrchr(stem, '.');
    const size_t length = dot > stem ? (size_t)(dot - stem) : strlen(stem),
                 most = scree_utf8_fit(stem, LONGEST);
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%d", number);
    *place = (struct place){.file = -1};
    snprintf(place->name, sizeof place->name, "%.*s.stopped%s.chk", (int)(length < most ? length : most),
             stem, suffix);
    const size_t size = strlen(host->folder) + 1 + strlen(place->name) + 1;
    SCREE_TRY(scree_memory_new(size, 1, (void **)&place->path));
    snprintf(place->path, size, "%s/%s", host->folder, place->name);
    return SCREE_OK;
}

static bool is_free(const char *path, const char *suffix)
{
    char whole[NAME_SIZE + 4096];
    struct stat facts;
    const int length = snprintf(whole, sizeof whole, "%s%s", path, suffix);
    return length < (int)sizeof whole && lstat(whole, &facts) != 0 && errno == ENOENT;
}

// Creates and locks an empty file if the name is free, so that no other run uses it.
static scree_status reserve(struct place *place)
{
    if (!is_free(place->path, "") || !is_free(place->path, SCREE_CHECKPOINT_PREVIOUS) ||
        !is_free(place->path, SCREE_PART))
        return SCREE_OK;
    place->file = open(place->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (place->file < 0)
        return errno == EEXIST ? SCREE_OK
                               : scree_status_fail(SCREE_ERROR_IO, "cannot create '%s': %s", place->path,
                                                   strerror(errno));
    place->reserved = scree_lock_file(place->file, place->path) == SCREE_OK;
    if (place->reserved)
        return SCREE_OK;
    // another run with permission to overwrite has taken it
    close(place->file);
    place->file = -1;
    return SCREE_OK;
}

// Returns true if the existing file is the checkpoint from which this run was restarted: same name and
// digest.
static bool is_own_checkpoint(const struct scree_stopped_previous *previous, const struct place *place)
{
    struct scree_checkpoint_facts facts;
    return previous && strcmp(previous->record, place->name) == 0 &&
           scree_checkpoint_info(place->path, &facts) == SCREE_OK &&
           facts.digest.low == previous->digest->low && facts.digest.high == previous->digest->high;
}

// Opens and locks the existing file if this run may replace it. Another run may have replaced the file before
// the lock was taken, so it is checked after locking.
static void take_over(const struct scree_host *host, const struct scree_stopped_previous *previous,
                      int number, struct place *place)
{
    struct stat locked, current;
    const int file = open(place->path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    const bool mine = fstat(file, &locked) == 0 && S_ISREG(locked.st_mode) &&
                      scree_lock_file(file, place->path) == SCREE_OK && lstat(place->path, &current) == 0 &&
                      current.st_dev == locked.st_dev && current.st_ino == locked.st_ino &&
                      ((host->def->force && number == 1) || is_own_checkpoint(previous, place));
    if (mine)
        place->file = file;
    else
        close(file);
}

// Closes the file; deletes a reserved file if writing has failed.
static void release(struct place *place, scree_status status)
{
    if (place->reserved && status != SCREE_OK)
        (void)unlink(place->path);
    if (place->file >= 0)
        close(place->file);
    scree_memory_free(place->path);
}

// Writes the state to one of the names if this run may use it.
static scree_status try_place(struct scree_host *host, const struct scree_stopped_previous *previous,
                              int number, bool *written)
{
    struct place place;
    SCREE_TRY(choose(host, number, &place));
    scree_status status = SCREE_OK;
    take_over(host, previous, number, &place);
    if (place.file < 0)
        status = reserve(&place);
    *written = place.file >= 0 && status == SCREE_OK;
    if (*written)
        status = scree_save_write(host, place.name, host->def->force);
    // report the file only after it has been written
    if (*written && status == SCREE_OK)
        status = scree_writer_wait(host->writer);
    if (*written && status == SCREE_OK && host->def->result)
        host->def->result(host->def->user, "checkpoint", place.path);
    release(&place, status);
    return status;
}

scree_status scree_stopped_write(struct scree_host *host, const struct scree_stopped_previous *previous)
{
    bool written = false;
    SCREE_TRY(scree_path_make_folder(host->folder));
    for (int number = 1; number <= MOST && !written; ++number)
        SCREE_TRY(try_place(host, previous, number, &written));
    return written ? SCREE_OK
                   : scree_status_fail(SCREE_ERROR_LIMIT,
                                       "there are already %d checkpoints of interrupted runs of this scene, "
                                       "which are not overwritten: move some to another folder",
                                       (int)MOST);
}
