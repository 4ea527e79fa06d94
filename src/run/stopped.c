// Checkpoints of runs that were ended, see stopped.h.

#include "run/stopped.h"

#include "base/memory.h"
#include "file/atomic.h"
#include "file/lock.h"
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

// names that are tried; bytes of a name, and those of them that the scene's name may have
enum { MOST = 10000, ROOM = 256, LONGEST = 200 };

// A name, and its file while the state is written.
struct place {
    char name[ROOM];
    char *path;
    int file;      // held until it is replaced; -1 where the name is not this run's to take
    bool reserved; // the file is empty and of this run
};

static scree_status choose(const struct scree_host *host, int number, struct place *place)
{
    const char *stem = strrchr(host->reading->name, '/');
    stem = stem ? stem + 1 : host->reading->name;
    // without its last ending: run.a.yaml and run.b.yaml are two
    const char *dot = strrchr(stem, '.');
    const size_t length = dot > stem ? (size_t)(dot - stem) : strlen(stem),
                 most = scree_utf8_fit(stem, LONGEST);
    char behind[16] = "";
    if (number > 1)
        snprintf(behind, sizeof behind, "-%d", number);
    *place = (struct place){.file = -1};
    snprintf(place->name, sizeof place->name, "%.*s.stopped%s.chk", (int)(length < most ? length : most),
             stem, behind);
    const size_t room = strlen(host->folder) + 1 + strlen(place->name) + 1;
    SCREE_TRY(scree_memory_new(room, 1, (void **)&place->path));
    snprintf(place->path, room, "%s/%s", host->folder, place->name);
    return SCREE_OK;
}

static bool is_free(const char *path, const char *behind)
{
    char whole[ROOM + 4096];
    struct stat facts;
    const int length = snprintf(whole, sizeof whole, "%s%s", path, behind);
    return length < (int)sizeof whole && lstat(whole, &facts) != 0 && errno == ENOENT;
}

// Makes an empty file, where nothing is, for no other run to choose it.
static scree_status reserve(struct place *place)
{
    if (!is_free(place->path, "") || !is_free(place->path, SCREE_CHECKPOINT_PREVIOUS) ||
        !is_free(place->path, SCREE_KEEP_PART))
        return SCREE_OK;
    place->file = open(place->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (place->file < 0)
        return errno == EEXIST
                   ? SCREE_OK
                   : scree_status_fail(SCREE_ERROR_IO, "cannot make '%s': %s", place->path, strerror(errno));
    place->reserved = scree_lock_file(place->file, place->path) == SCREE_OK;
    if (place->reserved)
        return SCREE_OK;
    // a run that may write over it was faster
    close(place->file);
    place->file = -1;
    return SCREE_OK;
}

// Whether what is there is the state that the run began with, under the name that it knew.
static bool is_gone_on_from(const struct scree_stopped_former *previous, const struct place *place)
{
    struct scree_checkpoint_facts facts;
    return previous && strcmp(previous->record, place->name) == 0 &&
           scree_checkpoint_info(place->path, &facts) == SCREE_OK &&
           facts.digest.low == previous->digest->low && facts.digest.high == previous->digest->high;
}

// Holds what is there if the run may replace it. Whoever else holds it replaces it by another file: what is
// looked at is looked at once it is held.
static void take_over(const struct scree_host *host, const struct scree_stopped_former *previous, int number,
                      struct place *place)
{
    struct stat held, there;
    const int file = open(place->path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    const bool mine = fstat(file, &held) == 0 && S_ISREG(held.st_mode) &&
                      scree_lock_file(file, place->path) == SCREE_OK && lstat(place->path, &there) == 0 &&
                      there.st_dev == held.st_dev && there.st_ino == held.st_ino &&
                      ((host->def->force && number == 1) || is_gone_on_from(previous, place));
    if (mine)
        place->file = file;
    else
        close(file);
}

static void leave(struct place *place, scree_status status)
{
    if (place->reserved && status != SCREE_OK)
        (void)unlink(place->path);
    if (place->file >= 0)
        close(place->file);
    scree_memory_free(place->path);
}

// Writes to one of the names, unless that is not the run's to take.
static scree_status try_place(struct scree_host *host, const struct scree_stopped_former *previous,
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
    // nothing is told of before it is there
    if (*written && status == SCREE_OK)
        status = scree_writer_wait(host->writer);
    if (*written && status == SCREE_OK && host->def->result)
        host->def->result(host->def->user, "checkpoint", place.path);
    leave(&place, status);
    return status;
}

scree_status scree_stopped_write(struct scree_host *host, const struct scree_stopped_former *previous)
{
    bool written = false;
    SCREE_TRY(scree_path_make_folder(host->folder));
    for (int number = 1; number <= MOST && !written; ++number)
        SCREE_TRY(try_place(host, previous, number, &written));
    return written ? SCREE_OK
                   : scree_status_fail(SCREE_ERROR_LIMIT,
                                       "there are %d states of runs of this scene already, and none of them "
                                       "is written over: move some away",
                                       (int)MOST);
}
