// Stages: the pieces of a run, what each changes, and when it is over.

#ifndef SCREE_RUN_STAGE_H
#define SCREE_RUN_STAGE_H

#include "language/gauge.h"

struct scree_run;

struct scree_stage {
    size_t number, count; // from 1
    double start;         // s
    uint64_t first_step;

    // these follow from the scene
    double end;         // s, infinite where it counts steps
    uint64_t last_step; // UINT64_MAX where it goes by time
    bool may_stop;      // earlier, by a comparison
    struct scree_comparison stop;
    // of the stages after it: how long they take, without those that one which ends at a time takes in
    double rest_until, rest_time, rest_steps; // s, s, steps; the first is 0 for none
};

// How many the scene has.
size_t scree_stage_count(const struct scree_reading *reading);

// When a stage ends; false after a complaint.
struct scree_scene_stage;
bool scree_stage_read(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_scene_stage *ends);

// Stage `number`, from 1.
const struct scree_node *scree_stage_find(const struct scree_reading *reading, size_t number);

// Changes what a stage does but for the bodies that it takes out of places; mistakes are complained about.
// Of the run its reading, world and engine are asked for.
SCREE_NODISCARD scree_status scree_stage_change(struct scree_run *run, const struct scree_node *map);

// Begins stage `number`: changes what it changes, and reads when it ends.
SCREE_NODISCARD scree_status scree_stage_begin(struct scree_run *run, size_t number);

// Goes on in stage `number`, which began at a time (s) and a step number: changes what no checkpoint keeps,
// of this stage and all before it.
SCREE_NODISCARD scree_status scree_stage_resume(struct scree_run *run, size_t number, double start,
                                                uint64_t first_step);

// Lowers the time (s) and the step number to which a run may go on in one piece.
void scree_stage_limit(const struct scree_run *run, double *time, uint64_t *step);

// Whether it is over: its end has come, or what stops it is so.
SCREE_NODISCARD scree_status scree_stage_is_over(const struct scree_run *run, bool *over);

// How far it and the whole run are, from 0 to 1, and how many steps the run has left at the present time
// step; `over` says that the stage is, be it before its end.
SCREE_NODISCARD scree_status scree_stage_share(const struct scree_run *run, bool over, double *stage,
                                               double *whole, double *steps);

#endif
