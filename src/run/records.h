// The records of a run.
//
// Invariants: existing results are not overwritten unless the definition of the run allows it. After a
// restart a record is first cut back to its position at the checkpoint. A run that is refused changes nothing
// on disk: all records are checked before the first one is started. Only errors that cannot be predicted,
// such as a full disk, can occur after that. Records do not change the world.

#ifndef SCREE_RUN_RECORDS_H
#define SCREE_RUN_RECORDS_H

#include "run/record.h"

struct scree_schedule;

// Checks the records of the scene, in its order, and schedules them. `marks` are those of the checkpoint of a
// restart, or null; records beyond `count` are new.
SCREE_NODISCARD scree_status scree_records_check(struct scree_records *records, struct scree_host *host,
                                                 struct scree_schedule *schedule, const uint64_t *marks,
                                                 size_t count);

// Starts all records.
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
