// A record: something that is kept of a run, of a kind that a table of functions describes. Each kind has a
// file of its own; records.h has those of a run.

#ifndef SCREE_RUN_RECORD_H
#define SCREE_RUN_RECORD_H

#include "base/array.h"
#include "language/key.h"
#include "text/tree.h"

#include <scree/run.h>

#include <stdint.h>

struct scree_host;

// Is told of a file: its kind, as "table", and its path.
typedef void scree_record_told(void *user, const char *kind, const char *path);

// A kind of record. Its functions get its own state, which is zero before the first.
struct scree_record_kind {
    enum scree_key_id key; // of the section `record`, under which its file stands
    size_t size;           // of its state
    bool saves;            // it is what a restart begins from, and comes after all others

    // Reads what `map` says of it and looks at its files in host->folder, changing nothing on disk. `mark` is
    // null for a new one; else where it is cut back to. Whatever can be known to fail as it begins and goes
    // on is refused; mistakes of the scene are complained of.
    scree_status (*check)(void *self, struct scree_host *host, const struct scree_node *map,
                          const uint64_t *mark);
    // Makes its files, or cuts them back. Nothing else of it is called before, but for the last two.
    scree_status (*begin)(void *self);
    // Keeps the world as it is, in step.
    scree_status (*take)(void *self, struct scree_host *host);
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

extern const struct scree_record_kind scree_dump_kind, scree_frames_kind, scree_save_kind, scree_table_kind,
    scree_track_kind;

#endif
