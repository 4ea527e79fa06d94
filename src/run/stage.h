// Stages: the pieces of a run, what each changes, and when it is over.

#ifndef SCREE_RUN_STAGE_H
#define SCREE_RUN_STAGE_H

#include "language/measurement.h"

struct scree_engine;
struct scree_host;
struct scree_insert_delete;

struct scree_stage {
    // set before the first begins
    struct scree_host *host; // has the number of the stage, and when it began
    struct scree_engine *engine;
    const struct scree_insert_delete *insert_delete;

    // these follow from the scene
    size_t count;       // of stages
    double end;         // s, infinite where it counts steps
    uint64_t last_step; // UINT64_MAX where it goes by time
    bool may_stop;      // earlier, by a comparison
    struct scree_comparison stop;
    // of the stages after it: how long they take, without those that one which ends at a time takes in
    double rest_until, rest_time, rest_steps; // s, s, steps; the first is 0 for none
};

// When a stage ends; false after a diagnostic.
struct scree_scene_stage;
bool scree_stage_read(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_scene_stage *ends);

// Begins stage `number`, from 1: changes what it changes, and reads when it ends.
SCREE_NODISCARD scree_status scree_stage_begin(struct scree_stage *stage, size_t number);

// Goes on in stage `number`, which began at a time (s) and a step number: changes what no checkpoint keeps,
// of this stage and all before it.
SCREE_NODISCARD scree_status scree_stage_resume(struct scree_stage *stage, size_t number, double time,
                                                uint64_t first_step);

// Lowers the time (s) and the step number to which a run may go on in one piece.
void scree_stage_limit(const struct scree_stage *stage, double *time, uint64_t *step);

// Whether it is over: its end has come, or what stops it is so.
SCREE_NODISCARD scree_status scree_stage_is_over(const struct scree_stage *stage, bool *over);

// How far it and the whole run are, from 0 to 1, and how many steps the run has left at the present time
// step; `over` says that the stage is, be it before its end.
SCREE_NODISCARD scree_status scree_stage_share(const struct scree_stage *stage, bool over, double *share,
                                               double *whole, double *steps);

#endif
