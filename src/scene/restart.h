// Finds the output folder of a run restarted from a checkpoint, from the path of the checkpoint.

#ifndef SCREE_SCENE_RESTART_H
#define SCREE_SCENE_RESTART_H

#include "base/status.h"

// Gives a path in the output folder: that of the checkpoint, as given or with symbolic links resolved,
// without the scene's name for it (`record`) at its end. Null if the checkpoint was moved. Free it by
// scree_memory_free.
SCREE_NODISCARD scree_status scree_restart_find(const char *path, const char *record, char **beside);

#endif
