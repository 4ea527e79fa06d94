// Records: what is kept of a run, each of a kind that a table of functions describes.
//
// What always holds: results that are there already stay, unless the run may write over them; a record that
// goes on after a restart is first cut back to where it was when the checkpoint was written. A run that is
// refused changes nothing on disk: all records are looked at first, and whatever can be refused is refused
// then; only when nothing is left that may refuse does the first of them begin. What cannot be known before,
// as a disk that is full, may still fail as they begin. Nothing that a record does shows in the world.

#ifndef SCREE_RUN_RECORD_H
#define SCREE_RUN_RECORD_H

#include "base/array.h"
#include "language/key.h"
#include "text/tree.h"

#include <scree/scene.h>

#include <stdint.h>

struct scree_run;

// Is told of a file: its kind, as "table", and its path.
typedef void scree_record_told(void *user, const char *kind, const char *path);

// A kind of record. Its functions get its own state, which is zero before the first.
struct scree_record_kind {
    enum scree_key_id key; // of the section `record`, under which its file stands
    size_t size;           // of its state
    bool saves;            // it is what a restart begins from, and comes after all others

    // Reads what `map` says of it and looks at its files in run->folder, changing nothing on disk. `mark` is
    // null for a new one; else where it is cut back to. Whatever can be known to fail as it begins and goes
    // on is refused; mistakes of the scene are complained of.
    scree_status (*look)(void *self, struct scree_run *run, const struct scree_node *map,
                         const uint64_t *mark);
    // Makes its files, or cuts them back. Nothing else of it is called before, but for the last two.
    scree_status (*begin)(void *self);
    // Keeps the world as it is, in step.
    scree_status (*take)(void *self, struct scree_run *run);
    // How far it has come, in a number of its own (bytes, frames); what it has kept so far is in files once
    // those jobs of the writer are done that are waiting now.
    scree_status (*mark)(void *self, uint64_t *mark);
    // Tells the files to be opened by whoever looks at the results, one call for each; the writer is idle.
    void (*tell)(const void *self, scree_record_told *tell, void *user);
    // Closes it; what could not be written is a failure. Also after a look or a beginning that failed.
    scree_status (*close)(void *self);
};

struct scree_record {
    const struct scree_record_kind *kind;
    void *self;
    bool *during;   // for each stage, from 1, whether it is kept there; null for all
    uint64_t taken; // one more than the step number at which it was last taken
};

struct scree_records {
    SCREE_ARRAY(struct scree_record *) list;
};

// Looks at the records of the scene, in the order in which they stand there; `marks` are those of the
// checkpoint that the run goes on from, or null. What the scene has more than these is new.
SCREE_NODISCARD scree_status scree_record_look_all(struct scree_run *run, const uint64_t *marks,
                                                   size_t count);

// Begins them.
SCREE_NODISCARD scree_status scree_record_begin_all(struct scree_run *run);

// Takes those of the kinds that save, unless they were taken at this step.
SCREE_NODISCARD scree_status scree_record_save_all(struct scree_run *run);

// Whether there is one of those kinds.
bool scree_record_saves(const struct scree_run *run);

// Marks of all, `run->records.list.count` of them.
SCREE_NODISCARD scree_status scree_record_mark_all(struct scree_run *run, uint64_t *marks);

void scree_record_tell_all(const struct scree_run *run, scree_record_told *tell, void *user);

// Closes and frees all; the first failure is returned.
SCREE_NODISCARD scree_status scree_record_close_all(struct scree_run *run);

#endif
