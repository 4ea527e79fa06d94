// The soft engine from inside.

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
    double safety; // of a step that is chosen, over what the contacts bear
    struct scree_step_control control;
    struct scree_alarm_watch watch;
    struct scree_profile_watch profile;
    double until;        // of the run under way
    uint64_t steps_left; // of it, after the present one
    bool looking;        // forces are evaluated for a state, not for a step: contacts do not advance
    bool looked;         // contacts are those of a state that no step has been taken from
    bool ahead;          // bodies have moved already as point 10 of the next step will have it
    SCREE_ARRAY(struct scree_force_moment) held;   // pushes that wait for the next step
    SCREE_ARRAY(struct scree_force_moment) middle; // forces at mid-step, for laws of motion that ask for them
};

// What a soft engine is made from: laws of motion that are null are those that `def` names.
struct scree_soft_choice {
    const struct scree_soft_def *def;
    const struct scree_motion_law *translation, *rotation;
};

// The beginning and the end of its table; see engine.h.
SCREE_NODISCARD scree_status scree_soft_def_begin(void *self, struct scree_engine *engine,
                                                  struct scree_world *world, const void *choice);
void scree_soft_def_end(void *self, struct scree_world *world);

// As scree_soft_create, with laws of motion that are in no list. Null takes those that `def` names.
SCREE_NODISCARD scree_status scree_soft_create_with(struct scree_world *world,
                                                    const struct scree_soft_def *def,
                                                    const struct scree_motion_law *translation,
                                                    const struct scree_motion_law *rotation,
                                                    struct scree_engine **engine);

#endif
