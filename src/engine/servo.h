// What servos do in a step.

#ifndef SCREE_ENGINE_SERVO_H
#define SCREE_ENGINE_SERVO_H

#include "engine/soft.h"

// Sets the velocities of the walls of those servos that act in this step, once its forces are known.
SCREE_NODISCARD scree_status scree_servo_act(struct scree_soft *soft);

#endif
