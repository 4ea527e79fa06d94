// The records of a run.
//
// What always holds: results that are there already stay, unless the run may write over them; a record that
// goes on after a restart is first cut back to where it was when the checkpoint was written. A run that is
// refused changes nothing on disk: all records are looked at first, and whatever can be refused is refused
// then; only when nothing is left that may refuse does the first of them begin. What cannot be known before,
// as a disk that is full, may still fail as they begin. Nothing that a record does shows in the world.

#ifndef SCREE_RUN_RECORDS_H
#define SCREE_RUN_RECORDS_H

#include "run/record.h"

struct scree_schedule;

// Looks at the records of the scene, in the order in which they stand there, and puts them on the schedule;
// `marks` are those of the checkpoint that the run goes on from, or null. What the scene has more than these
// is new.
SCREE_NODISCARD scree_status scree_records_look(struct scree_records *records, struct scree_host *host,
                                                struct scree_schedule *schedule, const uint64_t *marks,
                                                size_t count);

// Begins them.
SCREE_NODISCARD scree_status scree_records_begin(struct scree_records *records);

// Takes those of the kinds that save, unless they were taken at this step.
SCREE_NODISCARD scree_status scree_records_save(struct scree_records *records, struct scree_host *host);

// Whether there is one of those kinds.
bool scree_records_can_save(const struct scree_records *records);

void scree_records_tell(const struct scree_records *records, scree_record_told *tell, void *user);

// Closes and frees all; the first failure is returned.
SCREE_NODISCARD scree_status scree_records_close(struct scree_records *records);

#endif
