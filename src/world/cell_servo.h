// Internals of the servo of a cell: its row, of which a cell has one at most.
//
// Invariant: while the cell has cell vectors and a servo, the controlled entries of its velocity gradient
// become those of the servo in the step after its update, linearly in time; other entries are constant or
// given by a function (world/cell.h).

#ifndef SCREE_WORLD_CELL_SERVO_H
#define SCREE_WORLD_CELL_SERVO_H

#include "world/world.h"

// Null without a servo.
static inline struct scree_cell_servo *scree_world_cell_servo(const struct scree_world *world)
{
    struct scree_cell_servo *servo =
        (struct scree_cell_servo *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_SERVO);
    return servo && servo->controlled != 0 ? servo : NULL;
}

static inline bool scree_cell_servo_is_due(const struct scree_world *world, uint64_t step)
{
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    return servo && step % servo->every == 0;
}

// Fails if a stress is wanted along an axis that is not periodic, and no wall of the cell could give it.
SCREE_NODISCARD scree_status scree_cell_servo_check_walls(const struct scree_world *world);

// Sets the targets to those of the function of the servo at a time, if it has one.
SCREE_NODISCARD scree_status scree_cell_servo_set_targets(struct scree_world *world, double time);

// Where a scene has the function of the present servo, for messages; the text must live as long as the servo.
void scree_cell_servo_set_place(struct scree_world *world, const char *place);

// Replaces the controlled entries of the velocity gradient in the middle of the coming step and at its end by
// those of the servo; `gradient` is the present one.
void scree_cell_servo_apply(const struct scree_world *world, const double gradient[9], double coming[9],
                            double end[9]);

// Fails if the function that gives the targets has not been set since the checkpoint.
SCREE_NODISCARD scree_status scree_cell_servo_check_targets(const struct scree_world *world);

// Removes the function that gives the targets.
void scree_cell_servo_end_targets(struct scree_world *world);

#endif
