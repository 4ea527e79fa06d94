// The private side of the soft engine.

#ifndef SCREE_ENGINE_SOFT_H
#define SCREE_ENGINE_SOFT_H

#include "contact/collider.h"
#include "engine/alarm.h"
#include "engine/engine.h"
#include "engine/forces.h"
#include "engine/profile.h"
#include "engine/step_control.h"

#include <scree/soft.h>

struct scree_soft {
    struct scree_engine *engine;
    struct scree_world *world;
    struct scree_mover mover;
    struct scree_collider collider;
    struct scree_forces forces;
    double step;   // of the next move
    double safety; // safety factor of an automatic step
    struct scree_step_control control;
    struct scree_alarm_watch watch;
    struct scree_profile_watch profile;
    double until;        // end time of the current run
    uint64_t steps_left; // in the current run, after the present step
    bool state_only;     // forces are evaluated outside of a step: contact history does not advance
    bool overlaps_due;   // overlaps of an edited state have not been checked
    bool moved_ahead;    // fused: bodies have already been moved, as point 10 of the next step would do
    bool carried_moved;  // and so have carried grains, as point 30 would do
    SCREE_ARRAY(struct scree_force_moment) set_aside; // forces applied between steps, for the next step
    SCREE_ARRAY(struct scree_force_moment) mid_step;  // loads at mid-step, if the scheme needs them
};

// Arguments of scree_soft_create_with.
struct scree_soft_choice {
    const struct scree_soft_def *def;
    const struct scree_motion_scheme *translation, *rotation;
};

// Create and destroy the engine, for its table of functions; see engine.h.
SCREE_NODISCARD scree_status scree_soft_def_begin(void *self, struct scree_engine *engine,
                                                  struct scree_world *world, const void *choice);
void scree_soft_def_end(void *self, struct scree_world *world);

// As scree_soft_create, with integration schemes that need not be in motion.def; null: the scheme that
// `def` names.
SCREE_NODISCARD scree_status scree_soft_create_with(struct scree_world *world,
                                                    const struct scree_soft_def *def,
                                                    const struct scree_motion_scheme *translation,
                                                    const struct scree_motion_scheme *rotation,
                                                    struct scree_engine **engine);

#endif
