// Forecast of the number of steps of a run, see scree_scene_foresee in scree/scene.h.

#ifndef SCREE_SCENE_FORECAST_H
#define SCREE_SCENE_FORECAST_H

#include "language/reading.h"

struct scree_engine;
struct scree_scene_forecast;
struct scree_world;

SCREE_NODISCARD scree_status scree_forecast(struct scree_reading *reading, struct scree_world *world,
                                            struct scree_engine *engine,
                                            struct scree_scene_forecast *forecast, size_t stages);

#endif
