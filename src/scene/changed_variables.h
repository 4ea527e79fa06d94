// What other values of variables do not change in a run that goes on from a checkpoint: what was read when
// the run began, or when a stage began that is past.

#ifndef SCREE_SCENE_CHANGED_VARIABLES_H
#define SCREE_SCENE_CHANGED_VARIABLES_H

#include "language/reading.h"

#include <scree/scene.h>

// Warns, for each variable from outside, of where it counts no more. `then` is the scene as it was, read from
// the same text as the scene `now`; `stage`, from 1, is the one that the run goes on in.
void scree_changed_variables_warn(struct scree_reading *now, struct scree_reading *then, size_t stage,
                                  scree_text_function *warn, void *user);

#endif
