// What the engines of hard bodies, `event` and `stochastic`, have in common in scenes.
#ifndef SCREE_BUILD_ENGINE_HARD_H
#define SCREE_BUILD_ENGINE_HARD_H

#include "build/engine.h"

// Reports what the engine with this key cannot use of a scene.
void scree_build_hard_check_scene(struct scree_reading *reading, enum scree_key_id key);

// Reads the step, which has this key in the settings.
void scree_build_hard_read_step(struct scree_reading *reading, const struct scree_node *settings,
                                enum scree_key_id key, struct scree_build_engine_step *step);

// Reports a contact law without a rule of collisions.
void scree_build_hard_check_contacts(struct scree_reading *reading, const struct scree_world *world,
                                     const struct scree_node *contacts, double step);

// Alarms: those that these engines have; a limit of overlaps only if the scene gives one.
struct scree_alarms scree_build_hard_alarms(const struct scree_build_engine_request *request);

// Reports the status of the creation of an engine, with a step that is given or 0; or, and destroys it, that
// it has no automatic step or width of cells.
scree_status scree_build_hard_finish(const struct scree_build_engine_request *request, double step,
                                     scree_status status, struct scree_engine **engine);

#endif
