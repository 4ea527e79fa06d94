// Contacts of grains with one feature of a wall, eight at a time: finds the grains in range, and computes the
// geometry and motion of their contacts. The loop for the shape is chosen once per list.

#ifndef SCREE_CONTACT_WALL_FRAMES_H
#define SCREE_CONTACT_WALL_FRAMES_H

#include "world/records.h"

#include <stddef.h>

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
