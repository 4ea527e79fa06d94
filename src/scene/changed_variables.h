// Changed variables that have no effect in a run restarted from a checkpoint: values that were read when the
// run or a past stage began.

#ifndef SCREE_SCENE_CHANGED_VARIABLES_H
#define SCREE_SCENE_CHANGED_VARIABLES_H

#include "language/reading.h"

#include <scree/scene.h>

// Warns, for each variable given by the caller, of the keys that its new value no longer affects. `then` is
// the scene with the previous variables, `now` with the new ones; `stage`, from 1, is the current stage.
void scree_changed_variables_warn(struct scree_reading *now, struct scree_reading *then, size_t stage,
                                  scree_text_function *warn, void *user);

#endif
