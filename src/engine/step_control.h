// The tempo: which time step the soft engine takes, and when that is decided.
//
// What always holds: a step that is chosen is chosen in a world in step, at step numbers divisible by
// SCREE_CRITICAL_STEP_EVERY and where something was edited, and kept in a row of the engine in between: it is
// a function of the state, and restarts, other runs and whoever looks on do not show in it. One that is given
// is checked at steps of its own and after edits, unless these change motion alone and make no body faster
// than what has been checked.

#ifndef SCREE_ENGINE_STEP_CONTROL_H
#define SCREE_ENGINE_STEP_CONTROL_H

#include "engine/critical_step.h"

struct scree_soft;
struct scree_soft_def;
struct scree_limit;

struct scree_step_control {
    struct scree_critical_step critical;
    uint32_t column; // of the step chosen, among those of the engine; UINT32_MAX for none
    bool automatic;
    bool due;          // a step that was given has not been checked
    uint64_t measured; // one more than the step number of the last measurement
};

SCREE_NODISCARD scree_status scree_step_control_begin(struct scree_soft *soft,
                                                      const struct scree_soft_def *def);
void scree_step_control_end(struct scree_soft *soft);

// Takes a step from now on; 0 chooses.
SCREE_NODISCARD scree_status scree_step_control_set(struct scree_soft *soft, double step);

// The safety factor of what is chosen; 0 is the usual one.
SCREE_NODISCARD scree_status scree_step_control_set_safety(struct scree_soft *soft, double safety);

// Before the first step of a run: refuses a step that is too long.
SCREE_NODISCARD scree_status scree_step_control_start(struct scree_soft *soft);

// Whether the next step begins with a choice.
bool scree_step_control_is_due(const struct scree_soft *soft);

// At the points of a step: the choice, and where edits are still to be seen.
SCREE_NODISCARD scree_status scree_step_control_choose(struct scree_soft *soft);
SCREE_NODISCARD scree_status scree_step_control_note(struct scree_soft *soft);

// What the next step will be, outside a run.
SCREE_NODISCARD scree_status scree_step_control_foresee(struct scree_soft *soft, double *step);

// What bounds the step, outside a run.
SCREE_NODISCARD scree_status scree_step_control_explain(struct scree_soft *soft, struct scree_limit *limit);

// What would bound it at rest and apart, outside a run.
SCREE_NODISCARD scree_status scree_step_control_ceiling(struct scree_soft *soft, double *stable);

#endif
