// The stages of a run: their changes and their ends.

#ifndef SCREE_RUN_STAGE_H
#define SCREE_RUN_STAGE_H

#include "language/columns.h"

struct scree_engine;
struct scree_host;
struct scree_insert_delete;
struct scree_world;

// --- changes of the world and the engine at the start of a stage
//
// Members of a group are changed in order of their ids, so that the entries in the energy ledger depend only
// on the state. A status reports only memory errors, as in build.h; others are diagnostics.

struct scree_change {
    struct scree_reading *reading;
    struct scree_world *world;
    struct scree_engine *engine;
    size_t row;   // of the tally, which counts deleted bodies
    size_t stage; // its number
};

// Applies the changes of a stage, except for its key `remove`; errors become diagnostics.
SCREE_NODISCARD scree_status scree_change(const struct scree_change *change, const struct scree_node *map);

// --- one stage

struct scree_stage {
    // set before the first stage
    struct scree_host *host; // has the number and the start of the stage
    struct scree_engine *engine;
    const struct scree_insert_delete *insert_delete;

    // set from the scene
    size_t count;       // number of stages
    double end;         // s; infinite if the stage has a number of steps
    uint64_t last_step; // UINT64_MAX if the stage ends at a time
    bool may_stop;      // has a stop condition
    struct scree_comparison stop;
    struct scree_columns stop_columns;
    // Duration of the following stages: the last absolute end time among them (0 for none), and the times and
    // steps of the stages after that end.
    double rest_until, rest_time, rest_steps;
};

// Reads when a stage ends; returns false after a diagnostic.
struct scree_scene_stage;
bool scree_stage_read(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_scene_stage *end_of_stage);

// Checks before the first stage, for all stages, that one time step still increases the time at the end of
// the stage despite rounding; otherwise fails after a diagnostic. For an automatic step, assumes the step of
// the present state.
SCREE_NODISCARD scree_status scree_stage_check_steps(struct scree_host *host, struct scree_engine *engine);

// Starts stage `number`, from 1: applies its changes, and reads when it ends.
SCREE_NODISCARD scree_status scree_stage_begin(struct scree_stage *stage, size_t number);

// Continues stage `number`, which started at a time (s) and a step number. Its changes are not applied again:
// the world of the checkpoint has them.
SCREE_NODISCARD scree_status scree_stage_resume(struct scree_stage *stage, size_t number, double time,
                                                uint64_t first_step);

// Lowers the time (s) and the step number up to which the engine may run without interruption.
void scree_stage_limit(const struct scree_stage *stage, double *time, uint64_t *step);

// Sets `over` if the stage has reached its end or its stop condition is met.
SCREE_NODISCARD scree_status scree_stage_is_over(const struct scree_stage *stage, bool *over);

// Warns of servos that move at their largest speed when the stage is over.
void scree_stage_warn_of_servos(const struct scree_stage *stage);

// Computes the progress of the stage and of the whole run, from 0 to 1, and the remaining steps of the
// run with a time step, s; 0 for the current one. `over`: the stage has ended, possibly before its end time.
SCREE_NODISCARD scree_status scree_stage_progress(const struct scree_stage *stage, bool over, double step,
                                                  double *share, double *run_share, double *steps);

#endif
