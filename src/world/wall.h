// Internals of walls: rows, motion and bounds on their speed.
//
// The motion of a wall is computed from an anchor, its pivot and orientation at the last change of motion:
// pivot = anchor_pivot + elapsed * velocity, orientation = exp(elapsed * spin) anchor_orientation. Only the
// elapsed time accumulates round-off, which is compensated.
//
// Invariants: reference, axes, pivot and orientation are those at the elapsed time; the axes are a
// right-handed orthonormal frame to a few roundings, and those of a wall that never rotated are exactly as
// given.

#ifndef SCREE_WORLD_WALL_H
#define SCREE_WORLD_WALL_H

#include "math/vec3.h"
#include "world/world.h"

#include <scree/wall.h>

static inline size_t scree_wall_rows(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_WALL)->count;
}

static inline struct scree_wall *scree_wall_row(const struct scree_world *world, size_t slot)
{
    return (struct scree_wall *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_WALL) + slot;
}

// Velocity of the wall, as a rigid body, at a point.
static inline struct scree_vec3 scree_wall_velocity(const struct scree_wall *wall, struct scree_vec3 point)
{
    const struct scree_vec3 arm = scree_vec3_sub(point, scree_vec3_load(wall->pivot));
    return scree_vec3_add(scree_vec3_load(wall->velocity),
                          scree_vec3_cross(scree_vec3_load(wall->spin), arm));
}

// Sets velocity and spin from the current position on; does not outdate forces and contact lists.
void scree_wall_set_motion(struct scree_world *world, size_t slot, const double *velocity,
                           const double *spin);

// Moves all walls by one step of `h` s.
void scree_wall_advance(struct scree_world *world, double h);

// Moves a point with the wall, by the wall's motion in the last step of `h` s.
struct scree_vec3 scree_wall_move_point(const struct scree_wall *wall, double h, struct scree_vec3 point);

// Computes the derived members: reference, axes, slope, pivot and orientation.
void scree_wall_update(struct scree_wall *wall);

// Upper bound on the current speed of the wall's surface inside a box, m/s: the smaller of the largest speed
// of rigid motion within the box and the largest speed of any point of the wall. Infinite if neither is
// bounded.
double scree_wall_speed(const struct scree_wall *wall, const double lower[3], const double upper[3]);

// Upper bound on the current rate of change of the distance between the wall and any fixed point in the box,
// m/s. Motion that maps the surface onto itself does not count: rotation of a surface of revolution about its
// axis, sliding of a plane along itself.
double scree_wall_approach(const struct scree_wall *wall, const double lower[3], const double upper[3]);

// Validates the row of a wall. Returns null, or a message that says what is wrong.
const char *scree_wall_fault(const struct scree_wall *wall);

#endif
