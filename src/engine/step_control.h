// Step control: the time step of the soft engine, and when it is chosen or checked.
//
// Invariant: an automatic step is chosen with on-step velocities, at step numbers divisible by
// SCREE_CRITICAL_STEP_EVERY and after edits, and stored in a field of the engine. So it is a function of the
// state alone: restarts, the division into runs, and callbacks do not change it. A given step is checked at
// step numbers divisible by SCREE_CRITICAL_STEP_CHECK_EVERY and after edits, except for edits that only
// change motion and keep velocities in the range of the last check.

#ifndef SCREE_ENGINE_STEP_CONTROL_H
#define SCREE_ENGINE_STEP_CONTROL_H

#include "engine/critical_step.h"

struct scree_soft;
struct scree_soft_def;
struct scree_limit;

struct scree_step_control {
    struct scree_critical_step critical;
    uint32_t column; // of the field "chosen_step" of the engine; UINT32_MAX for none
    bool automatic;
    bool due;          // a given step must be checked
    uint64_t measured; // 1 + the step number of the last measurement
};

SCREE_NODISCARD scree_status scree_step_control_begin(struct scree_soft *soft,
                                                      const struct scree_soft_def *def);
void scree_step_control_end(struct scree_soft *soft);

// Sets the time step; 0: automatic.
SCREE_NODISCARD scree_status scree_step_control_set(struct scree_soft *soft, double step);

// Sets the safety factor of an automatic step; 0: the default.
SCREE_NODISCARD scree_status scree_step_control_set_safety(struct scree_soft *soft, double safety);

// Call before the first step of a run: a given step above the critical step is an error.
SCREE_NODISCARD scree_status scree_step_control_start(struct scree_soft *soft);

// Returns true if the step is chosen or checked, or alarms are checked, at the start of the next step.
bool scree_step_control_is_due(const struct scree_soft *soft);

// At points of a step: choose chooses or checks the step; note_edits requires a new choice if there were
// edits.
SCREE_NODISCARD scree_status scree_step_control_choose(struct scree_soft *soft);
SCREE_NODISCARD scree_status scree_step_control_note_edits(struct scree_soft *soft);

// Returns the time step of the next step, outside a run.
SCREE_NODISCARD scree_status scree_step_control_predict(struct scree_soft *soft, double *step);

// Returns the critical time step and its cause, outside a run.
SCREE_NODISCARD scree_status scree_step_control_explain(struct scree_soft *soft, struct scree_limit *limit);

// Returns the critical step of the same bodies at rest and without contacts, outside a run.
SCREE_NODISCARD scree_status scree_step_control_at_rest(struct scree_soft *soft, double *stable);

// Returns what limits the step in an expected state, outside a run. `stable` and `step` get the critical step
// and the step of the engine.
SCREE_NODISCARD scree_status scree_step_control_foresee(struct scree_soft *soft,
                                                        const struct scree_critical_step_expected *expected,
                                                        struct scree_critical_step_limit *limit,
                                                        double *step);

#endif
