// The servo of a cell in a step.

#ifndef SCREE_ENGINE_CELL_SERVO_H
#define SCREE_ENGINE_CELL_SERVO_H

#include "engine/soft.h"

// Sets the rates of the servo of the cell, if it acts in this step, from the forces of the step.
SCREE_NODISCARD scree_status scree_cell_servo_act(struct scree_soft *soft);

#endif
