// What grains meet of one feature of a wall, eight at a time: which are near, and the frames of those that
// are. The shape is chosen once for a list.

#ifndef SCREE_CONTACT_WALL_FRAMES_H
#define SCREE_CONTACT_WALL_FRAMES_H

#include "world/records.h"

#include <stddef.h>

// A list of grains before a feature of a wall.
struct scree_wall_frames_job {
    const struct scree_wall *wall;
    unsigned feature;
    const struct scree_grain *grain;
    const uint32_t *slot; // filled up to a multiple of 8 by repeating one
    size_t count;         // a multiple of 8
};

// One bit a grain, eight to a byte: set where the gap is less than the radius and `reach`, or by a hair more.
void scree_wall_frames_filter(const struct scree_wall_frames_job *job, double range, uint8_t *bits);

// What each grain meets now, and half a step of `h` ago in the frame of the wall's matter; it goes to the
// record that `record` numbers.
void scree_wall_frames_make(const struct scree_wall_frames_job *job, double h, struct scree_kernel_wall *out,
                            const uint32_t *record);

#endif
