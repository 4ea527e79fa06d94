// Servo control of walls in a step.

#ifndef SCREE_ENGINE_SERVO_H
#define SCREE_ENGINE_SERVO_H

#include "engine/soft.h"

// Sets the wall velocities of the servos that act in this step, from the forces of the step.
SCREE_NODISCARD scree_status scree_servo_act(struct scree_soft *soft);

#endif
