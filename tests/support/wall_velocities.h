// Velocities of a wall at a contact, written from docs/theory/walls.md, for the references of tests.

#ifndef SCREE_TESTS_SUPPORT_WALL_VELOCITIES_H
#define SCREE_TESTS_SUPPORT_WALL_VELOCITIES_H

#include "math/vec3.h"
#include "world/records.h"

// Velocities of the wall: at the contact point in the middle of the step, which `half_point` is in the
// present position of the wall, and the change to that at `point` at the end of the step. Not inlined: gcc 12
// may skip the rounding to float where the caller uses the numbers as doubles again.
static __attribute__((noinline)) void wall_velocities(const struct scree_wall *wall, double h,
                                                      struct scree_vec3 point, struct scree_vec3 half_point,
                                                      struct scree_kernel_wall *out)
{
    const struct scree_vec3 pivot = scree_vec3_load(wall->pivot), spin = scree_vec3_load(wall->spin);
    const struct scree_vec3 arm = scree_vec3_sub(half_point, pivot);
    const struct scree_vec3 earlier = scree_vec3_add_scaled(arm, -0.5 * h, scree_vec3_cross(spin, arm));
    const struct scree_vec3 turn = scree_vec3_cross(spin, earlier);
    const struct scree_vec3 now = scree_vec3_cross(scree_vec3_add(spin, scree_vec3_load(wall->spin_change)),
                                                   scree_vec3_sub(point, pivot));
    double change[3];
    scree_vec3_store(scree_vec3_add(scree_vec3_load(wall->velocity), turn), out->velocity);
    scree_vec3_store(scree_vec3_add(scree_vec3_load(wall->velocity_change), scree_vec3_sub(now, turn)),
                     change);
    for (int k = 0; k < 3; ++k)
        out->change[k] = (float)change[k];
}

#endif
