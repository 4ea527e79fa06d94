// Internals of servos: their rows.

#ifndef SCREE_WORLD_SERVO_H
#define SCREE_WORLD_SERVO_H

#include "world/world.h"

#include <scree/servo.h>

static inline size_t scree_servo_rows(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_SERVO)->count;
}

static inline struct scree_servo *scree_servo_row(const struct scree_world *world, size_t slot)
{
    return (struct scree_servo *)scree_world_column(world, SCREE_ENTITY_SERVO, SCREE_SERVO_SERVO) + slot;
}

// Computes the cross-section, perpendicular to the direction, of the space between the walls that are in none
// of the groups of a mask, at present. Returns false if they do not enclose one, see servo_area.c.
bool scree_servo_area_find(const struct scree_world *world, uint64_t mask, const double *direction,
                           double *area);

// Sets `area` to that of the function of a servo; fails if it is not positive.
SCREE_NODISCARD scree_status scree_servo_area_by_function(struct scree_world *world,
                                                          const struct scree_servo *servo, double *area);

// Fails while the function of a servo has not been set.
SCREE_NODISCARD scree_status scree_servo_check_areas(const struct scree_world *world);

// Releases the functions of servos.
void scree_servo_free_areas(struct scree_world *world);

// Returns whether any servo acts in the step of that number.
static inline bool scree_servo_is_due(const struct scree_world *world, uint64_t step)
{
    for (size_t s = 0; s < scree_servo_rows(world); ++s)
        if (step % scree_servo_row(world, s)->every == 0)
            return true;
    return false;
}

#endif
