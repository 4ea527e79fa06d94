// Dry run of a scene: the changes of all stages are applied in a scratch world with the materials, contact
// laws, walls and groups of the scene, so that a mistake in a stage is reported before the run starts.

#ifndef SCREE_SCENE_DRY_RUN_H
#define SCREE_SCENE_DRY_RUN_H

#include "language/reading.h"

struct scree_world;

// Reports mistakes in the initial state and the stages of a scene; `world` is the initial world. For a
// restart, `begun` is the current stage, else 0, `world` is the restored world, and only later stages are
// checked.
SCREE_NODISCARD scree_status scree_dry_run(struct scree_reading *reading, const struct scree_world *world,
                                           size_t begun);

#endif
