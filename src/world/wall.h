// Walls from inside: rows, motion, and how fast they go.
//
// A wall moves from its anchor: the pivot is at anchor + elapsed velocity, and what was added is turned by
// exp(elapsed spin) after the anchor's orientation. Nothing gathers round-off from step to step but the
// time elapsed, and what rounding keeps from that is carried along.
//
// What always holds: place, axes, pivot and orientation are those of the elapsed time; the axes are a
// right-handed orthonormal frame to a few roundings, and those of an unturned wall are as they were given.

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

// Velocity of the wall's matter at a place.
static inline struct scree_vec3 scree_wall_velocity(const struct scree_wall *wall, struct scree_vec3 place)
{
    const struct scree_vec3 arm = scree_vec3_sub(place, scree_vec3_load(wall->pivot));
    return scree_vec3_add(scree_vec3_load(wall->velocity),
                          scree_vec3_cross(scree_vec3_load(wall->spin), arm));
}

// From here and now on it moves as these say; forces and lists of contacts are left as they are.
void scree_wall_steer(struct scree_world *world, size_t slot, const double *velocity, const double *spin);

// Moves all walls by one step of `h` s.
void scree_wall_advance(struct scree_world *world, double h);

// Where the motion of the last step, of `h` s, takes a place that was fixed in the wall.
struct scree_vec3 scree_wall_carry(const struct scree_wall *wall, double h, struct scree_vec3 place);

// Computes all that follows from what is persisted: place, axes, slope, pivot and orientation.
void scree_wall_settle(struct scree_wall *wall);

// At places fixed inside the box the wall's matter goes by no faster than this at present, m/s. That is at
// most as fast as it would move at such a place, and at most as fast as any matter of the wall does; the
// lesser counts. Infinite where neither is bounded.
double scree_wall_speed(const struct scree_wall *wall, const double lower[3], const double upper[3]);

// No distance between the wall and a place fixed inside the box changes faster than this at present, m/s: at
// most as fast as its matter, or as that would if the wall made only such motion as does not carry it into
// itself. A body of revolution that turns about its axis comes nearer to nothing, nor does a plane that
// slides along itself.
double scree_wall_approach(const struct scree_wall *wall, const double lower[3], const double upper[3]);

// Whether the row of a wall is as it must be; null, or what is wrong with it.
const char *scree_wall_fault(const struct scree_wall *wall);

#endif
