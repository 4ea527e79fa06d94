// Vibrations of walls: functions of time of which the event engine knows the parameters.

#ifndef SCREE_WORLD_WALL_VIBRATION_H
#define SCREE_WORLD_WALL_VIBRATION_H

#include "world/world.h"

#include <scree/wall.h>

// The vibration of a wall; null if none is set.
const struct scree_wall_vibration *scree_wall_vibration_of(const struct scree_world *world, size_t slot);

// The angular frequency, rad/s; and the amplitude with its direction.
double scree_wall_vibration_rate(const struct scree_wall_vibration *vibration);
void scree_wall_vibration_amplitude(const struct scree_wall_vibration *vibration, double amplitude[3]);

#endif
