// Insertion and deletion of bodies during a run.
//
// Invariants: both happen between two steps, at step numbers divisible by 64 or at the first step that is not
// before a given time, and depend only on the world and the scene. Counts of each insertion and removal are
// stored in rows of the world (measure/tally.h), so a restart continues them. Energies are entered in the
// ledger as energy input.

#ifndef SCREE_RUN_INSERT_DELETE_H
#define SCREE_RUN_INSERT_DELETE_H

#include "run/insert.h"
#include "run/remove.h"

struct scree_schedule;
struct scree_host;
struct scree_world;

enum { SCREE_INSERT_DELETE_EVERY = 64 };

struct scree_insert_delete {
    struct scree_insert **insert; // one for each entry of the scene
    struct scree_remove **remove; // likewise, then that of bodies outside of the world's box
    size_t inserts, removes;
    size_t stages; // row of the tally for removals by stages
};

// Reads all entries to report errors before a run, and discards them; creates the groups that only insertions
// name.
SCREE_NODISCARD scree_status scree_insert_delete_check(struct scree_reading *reading,
                                                       struct scree_world *world);

// Computes how many bodies all insertions should have inserted by a time.
SCREE_NODISCARD scree_status scree_insert_delete_expected(struct scree_reading *reading,
                                                          struct scree_world *world, double time,
                                                          double *bodies);

// Returns true if a stage removes bodies at its start, by a region or by groups.
bool scree_insert_delete_stage_removes(struct scree_reading *reading, const struct scree_node *stage);

// Returns true if the scene removes bodies outside of the world's box.
bool scree_insert_delete_deletes_outside(struct scree_reading *reading);

// Reads the insertions and removals of the scene and schedules them; `restarted` after a restart.
SCREE_NODISCARD scree_status scree_insert_delete_open(struct scree_insert_delete *insert_delete,
                                                      struct scree_host *host,
                                                      struct scree_schedule *schedule, bool restarted);
void scree_insert_delete_close(struct scree_insert_delete *insert_delete);

// Removes the bodies that the key `remove` of a stage lists.
SCREE_NODISCARD scree_status scree_insert_delete_clear(const struct scree_insert_delete *insert_delete,
                                                       struct scree_host *host,
                                                       const struct scree_node *list);

#endif
