// Walls that move with bodies.
//
// Invariants: such a wall has `by_function` SCREE_WALL_BY_BODY and a row that names its body. Its pivot is
// the centre of mass. Position, velocities and their changes to the end of the step are those of the body
// whenever contacts are evaluated and between steps; they are copied, never integrated.

#ifndef SCREE_WORLD_WALL_BODY_H
#define SCREE_WORLD_WALL_BODY_H

#include "math/mat3.h"
#include "world/world.h"

#include <scree/body.h>

static inline bool scree_wall_follows(const struct scree_wall *wall)
{
    return wall->by_function == SCREE_WALL_BY_BODY;
}

// Id of the body that a wall moves with, 0 if there is none.
static inline uint64_t scree_wall_body_of(const struct scree_world *world, size_t wall)
{
    const struct scree_wall_body *rows =
        (const struct scree_wall_body *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_BODY);
    return rows ? rows[wall].body : 0;
}

// Returns true if some wall moves with this body.
bool scree_wall_body_carries(const struct scree_world *world, uint64_t body);

// How easily contacts move a body: the inverse masses of its free directions, and the inverse of its inertia
// tensor about its free axes, in world axes.
struct scree_wall_mobility {
    double inverse_mass[3];
    struct scree_mat3 inverse_inertia;
    struct scree_vec3 centre;
};
struct scree_wall_mobility scree_wall_body_mobility(const struct scree_world *world, size_t body);

// 1 / mass of a body along a normal at a point, for a contact with a grain. A grain with a fixed position
// acts like a wall: the effective mass is that of the body alone.
static inline double scree_wall_mobility_at(const struct scree_wall_mobility *mobility,
                                            struct scree_vec3 point, struct scree_vec3 normal,
                                            const struct scree_grain *grain)
{
    const double *inverse = mobility->inverse_mass;
    const struct scree_vec3 twist = scree_vec3_cross(scree_vec3_sub(point, mobility->centre), normal);
    const double along = normal.x * normal.x * inverse[0] + normal.y * normal.y * inverse[1] +
                         normal.z * normal.z * inverse[2] +
                         scree_vec3_dot(twist, scree_mat3_apply(mobility->inverse_inertia, twist));
    // kernels compute m / (1 + m x), which is 1 / along for x = along - 1 / m
    const bool fixed = (grain->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION;
    return fixed && along > 0 ? along - 1 / grain->mass : along;
}

// Brings all walls that move with bodies to the position and the motion of these.
void scree_wall_body_follow(struct scree_world *world);

// Removes the walls that move with a body, which is about to be removed.
SCREE_NODISCARD scree_status scree_wall_body_remove_walls(struct scree_world *world, uint64_t body);

// Checks restored rows.
SCREE_NODISCARD scree_status scree_wall_body_check(const struct scree_world *world);

#endif
