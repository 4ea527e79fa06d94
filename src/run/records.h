// The records of a run: its outputs. A table of functions describes each kind; each kind has its own source
// file.
//
// Invariants: existing results are not overwritten unless the definition of the run allows it. After a
// restart a record is first truncated to its position at the checkpoint. A run that is refused changes
// nothing on disk: all records are checked before the first one is started. Only errors that cannot be
// predicted, such as a full disk, can occur after that. All paths of a run are locked (lock.h) before its
// first record is started, until its last one is closed. Records do not change the world.

#ifndef SCREE_RUN_RECORDS_H
#define SCREE_RUN_RECORDS_H

#include "base/array.h"
#include "language/key.h"
#include "text/tree.h"

#include <scree/run.h>

#include <stdint.h>

struct scree_host;
struct scree_schedule;

// The mark of a record that has no position in the checkpoint and starts new files.
#define SCREE_RECORDS_NO_MARK UINT64_MAX

// Visits a file of a record: its kind, as "table", and its path.
typedef void scree_record_visit(void *user, const char *kind, const char *path);

// A kind of record. The functions get its state, `self`, which is zero at first.
struct scree_record_kind {
    enum scree_key_id key; // the key of the section `record` that names its file
    size_t size;           // of its state
    bool is_checkpoint;    // taken after all others
    uint64_t steps;        // interval of a record that gives none

    // Reads the entry `map` of the scene and checks its files in host->folder, without changing anything on
    // disk. `mark` is null for a new record, else the position to which it will be truncated. Anything that
    // is known to fail later is refused here; errors of the scene become diagnostics.
    scree_status (*check)(void *self, struct scree_host *host, const struct scree_node *map,
                          const uint64_t *mark);
    // Locks the files that `check` has not locked, and checks again that they do not exist yet, without
    // changing any results; null if `check` locks all files.
    scree_status (*lock)(void *self);
    // Creates its files, or truncates them. Only `check`, `lock`, `list_files` and `close` can be called
    // before.
    scree_status (*begin)(void *self);
    // Records the current state of the world, between two steps.
    scree_status (*take)(void *self, struct scree_host *host);
    // Gives its position, in its own unit (bytes, frames). The files are complete up to this position as soon
    // as the jobs that are in the queue of the writer now are done.
    scree_status (*mark)(void *self, uint64_t *mark);
    // Calls `visit` for each result file that a user would open; the writer is idle.
    void (*list_files)(const void *self, scree_record_visit *visit, void *user);
    // Closes it; fails if something could not be written. Also called after `check` or `begin` has failed.
    scree_status (*close)(void *self);
};

struct scree_record {
    const struct scree_record_kind *kind;
    void *self;
    bool *in_stage;      // for each stage, from 1, whether it is taken there; null for all stages
    uint64_t last_taken; // step number at which it was last taken, plus one; 0 for never
};

struct scree_records {
    SCREE_ARRAY(struct scree_record *) list;
};

extern const struct scree_record_kind scree_distribution_kind, scree_dump_kind, scree_events_kind,
    scree_frames_kind, scree_save_kind, scree_table_kind, scree_track_kind;

// Checks the records of the scene, in its order, and schedules them. `marks` are those of the checkpoint of a
// restart, or null; records from index `count` on are new.
SCREE_NODISCARD scree_status scree_records_check(struct scree_records *records, struct scree_host *host,
                                                 struct scree_schedule *schedule, const uint64_t *marks,
                                                 size_t count);

SCREE_NODISCARD scree_status scree_records_begin(struct scree_records *records);

// Takes the checkpoint records, unless they were already taken in this step.
SCREE_NODISCARD scree_status scree_records_save(struct scree_records *records, struct scree_host *host);

// Returns true if there is a checkpoint record.
bool scree_records_can_save(const struct scree_records *records);

// Calls `visit` for the result files of all records.
void scree_records_list_files(const struct scree_records *records, scree_record_visit *visit, void *user);

// Closes and frees all records; returns the first failure.
SCREE_NODISCARD scree_status scree_records_close(struct scree_records *records);

#endif
