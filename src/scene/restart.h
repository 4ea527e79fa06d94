// Where the results of a run lie that goes on from a checkpoint: beside it, as the scene has it.

#ifndef SCREE_SCENE_RESTART_H
#define SCREE_SCENE_RESTART_H

#include "base/status.h"

// A path beside which the results lie: that of the checkpoint without what its scene calls it (`record`), as
// the path stands there or as it really is. Null where the file has got another place. Freed by
// scree_memory_free.
SCREE_NODISCARD scree_status scree_restart_find(const char *path, const char *record, char **beside);

#endif
