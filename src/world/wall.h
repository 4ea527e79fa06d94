// Internals of walls: rows, motion and bounds on their speed.
//
// The motion of a wall is computed from an anchor, its pivot and orientation at the last change of motion:
// pivot = anchor_pivot + elapsed * velocity, orientation = exp(elapsed * spin) anchor_orientation. Only the
// elapsed time accumulates round-off, which is compensated. The anchor of a wall that moves by a function
// moves in each step, and its elapsed time is 0.
//
// Invariants: reference, axes, pivot and orientation are those at the elapsed time; the axes are a
// right-handed orthonormal frame to a few roundings, and those of a wall that never rotated are exactly as
// given.

#ifndef SCREE_WORLD_WALL_H
#define SCREE_WORLD_WALL_H

#include "math/vec3.h"
#include "world/world.h"

#include <scree/wall.h>

// Largest number of contacts of one grain with the wall.
static inline size_t scree_wall_features(const struct scree_wall *wall)
{
    return wall->shape == SCREE_WALL_MESH ? wall->facets : wall->features;
}

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

// Velocity and spin of the material of the surface at a contact.
struct scree_wall_touch_motion {
    struct scree_vec3 velocity, spin;
};

// Whether the surface moves along itself, or does at the end of the step.
static inline bool scree_wall_has_surface_motion(const struct scree_wall *wall)
{
    bool any = wall->by_function == SCREE_WALL_BY_CELL;
    for (int k = 0; k < 3; ++k)
        any = any || wall->surface_velocity[k] != 0 || wall->surface_spin[k] != 0 ||
              wall->surface_velocity_change[k] != 0 || wall->surface_spin_change[k] != 0;
    return any;
}

// Motion of the surface at a point with this unit normal, by its velocities in the middle of the last step of
// `h` s, at the point there, moved on with the wall; and at its end.
void scree_wall_motion_mid_step(const struct scree_world *world, const struct scree_wall *wall, double h,
                                struct scree_vec3 point, struct scree_vec3 normal,
                                struct scree_wall_touch_motion *motion);
void scree_wall_motion_on_step(const struct scree_world *world, const struct scree_wall *wall,
                               struct scree_vec3 point, struct scree_vec3 normal,
                               struct scree_wall_touch_motion *motion);

// Sets the velocity and the spin of the next step from the current position on; the present on-step ones
// stay.
void scree_wall_steer(struct scree_wall *wall, struct scree_vec3 velocity, struct scree_vec3 spin);

// Sets the motion of walls that move by functions for a step of `h` s from the present time on: that of the
// middle of the step. Walls that move with bodies follow these, which have made the step.
SCREE_NODISCARD scree_status scree_wall_motion_begin_step(struct scree_world *world, double h);

// Moves all walls by one step of `h` s, which ends at the present time.
void scree_wall_advance(struct scree_world *world, double h);

// Moves a point with the wall, by the wall's motion in the last step of `h` s.
struct scree_vec3 scree_wall_move_point(const struct scree_wall *wall, double h, struct scree_vec3 point);

// Sets the motion of walls that move by functions at the end of a step, which is the present time.
void scree_wall_motion_end_step(struct scree_world *world);

// The motion of a wall at the present time.
struct scree_wall_motion scree_wall_motion_now(const struct scree_wall *wall);

// Sets the members of a row: constant motion from now on.
void scree_wall_motion_store(struct scree_wall *wall, const struct scree_wall_motion *motion);

// Sets the motion of a wall from the present position on, as an edit; `by`: also its `by_function`.
void scree_wall_edit_motion(struct scree_world *world, size_t slot, const struct scree_wall_motion *motion);
void scree_wall_edit_motion_by(struct scree_world *world, size_t slot, const struct scree_wall_motion *motion,
                               uint64_t by);

// Whether a servo controls the wall.
bool scree_wall_is_steered(const struct scree_world *world, size_t slot);

SCREE_NODISCARD scree_status scree_wall_check_motion(const struct scree_world *world,
                                                     const struct scree_wall_motion *motion);

// Releases the function that moves a wall, if there is one.
void scree_wall_motion_end(struct scree_world *world, scree_wall_id id);

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

// Upper bound of the distance of any point of the wall from its pivot, m; infinite for an infinite wall.
double scree_wall_reach(const struct scree_wall *wall);

// Validates the row of a wall. Returns null, or a message that says what is wrong.
const char *scree_wall_fault(const struct scree_wall *wall);

#endif
