// Runs a scene that has been built, see scree/scene.h: its stages in order, with their records.

#ifndef SCREE_RUN_RUN_H
#define SCREE_RUN_RUN_H

#include "base/status.h"

struct scree_engine;
struct scree_reading;
struct scree_run_def;
struct scree_save;
struct scree_world;

// `from` is the state of the run from a checkpoint; null for a new run.
SCREE_NODISCARD scree_status scree_run(struct scree_reading *reading, struct scree_world *world,
                                       struct scree_engine *engine, const struct scree_run_def *def,
                                       const struct scree_save *from);

// Does the checks of a run before its first step: time steps and paths of the records for a new run; whether
// the records fit the checkpoint for a restart. Changes no file and takes no locks. `engine` is that of
// `world`; it may be null for a restart.
SCREE_NODISCARD scree_status scree_run_check(struct scree_reading *reading, struct scree_world *world,
                                             struct scree_engine *engine, const struct scree_run_def *def,
                                             const struct scree_save *from);

#endif
