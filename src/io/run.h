// Running a scene that has been built, see scree/scene.h.

#ifndef SCREE_IO_RUN_H
#define SCREE_IO_RUN_H

#include "io/reading.h"

#include <scree/scene.h>

SCREE_NODISCARD scree_status scree_run(struct scree_reading *reading, struct scree_world *world,
                                       struct scree_engine *engine, const struct scree_run_def *def);

#endif
