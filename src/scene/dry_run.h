// Rehearsing a scene: its stages are begun one after the other in a small world that has the materials, the
// rules, the walls and the groups of the scene, so that what a stage asks for is refused before the run
// begins and not when its time comes.

#ifndef SCREE_SCENE_DRY_RUN_H
#define SCREE_SCENE_DRY_RUN_H

#include "language/reading.h"

struct scree_world;

// Complains of what the scene's stages, and its beginning, would be refused for; `world` is as the scene
// begins. Of a run that goes on in stage `begun`, 0 for a new one, `world` is as it is then, and only what
// stages to come ask for is asked about.
SCREE_NODISCARD scree_status scree_dry_run(struct scree_reading *reading, const struct scree_world *world,
                                           size_t begun);

#endif
