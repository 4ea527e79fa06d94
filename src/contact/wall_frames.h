// Contacts of grains with one feature of a wall, eight at a time: finds the grains in range, and computes the
// geometry and motion of their contacts. The loop for the shape is chosen once per list.

#ifndef SCREE_CONTACT_WALL_FRAMES_H
#define SCREE_CONTACT_WALL_FRAMES_H

#include "math/vec3.h"
#include "world/records.h"

#include <stddef.h>

// Velocity of the matter of a wall at a contact in the middle of the last step, and its change to the end.
struct scree_wall_pace {
    struct scree_vec3 half, change;
};

// `point` is the contact point, and `half_point` that at mid-step, brought into the present position of the
// wall. The displacement of a rotating wall with the arm on-step would be of order 1 only.
SCREE_KERNEL_INLINE struct scree_wall_pace scree_wall_pace_at(const struct scree_wall *wall, double h,
                                                              struct scree_vec3 point,
                                                              struct scree_vec3 half_point)
{
    const struct scree_vec3 pivot = scree_vec3_load(wall->pivot), spin = scree_vec3_load(wall->spin);
    const struct scree_vec3 arm = scree_vec3_sub(point, pivot), moved = scree_vec3_sub(half_point, pivot);
    const struct scree_vec3 half_arm = scree_vec3_add_scaled(moved, -0.5 * h, scree_vec3_cross(spin, moved));
    const struct scree_vec3 half_turn = scree_vec3_cross(spin, half_arm);
    const struct scree_vec3 turn =
        scree_vec3_cross(scree_vec3_add(spin, scree_vec3_load(wall->spin_change)), arm);
    return (struct scree_wall_pace){
        scree_vec3_add(scree_vec3_load(wall->velocity), half_turn),
        scree_vec3_add(scree_vec3_load(wall->velocity_change), scree_vec3_sub(turn, half_turn))};
}

// A list of grains and a feature of a wall.
struct scree_wall_frames_job {
    const struct scree_wall *wall;
    unsigned feature;
    const struct scree_grain *grain;
    const uint32_t *slot; // padded to a multiple of 8 by repeating one
    size_t count;         // a multiple of 8
};

// Sets one bit per grain, eight bits in a byte, if the gap is less than (radius + `range`) (1 + 1e-12).
void scree_wall_frames_filter(const struct scree_wall_frames_job *job, double range, uint8_t *bits);

// Writes the geometry of each contact, at t and at t - h/2, relative to the moving wall, to out[record].
void scree_wall_frames_make(const struct scree_wall_frames_job *job, double h, struct scree_kernel_wall *out,
                            const uint32_t *record);

#endif
