// The picture of `scree demo`: a page of SVG.

#ifndef SCREE_CLI_PICTURE_H
#define SCREE_CLI_PICTURE_H

#include "handle.h"

#include <stddef.h>

// One instant of the handle that is followed.
struct scree_picture_instant {
    double time;
    double orientation[4];
    double body_spin[3];
};

// One handle of the family.
struct scree_picture_member {
    double tilt;     // rad
    double expected; // time of a flip in closed form, s
    double measured; // mean over its flips, s; not a number if it made fewer than two
    size_t flips;
};

struct scree_picture {
    const struct scree_handle *handle;
    const struct scree_picture_instant *instants;
    size_t instant_count;
    double first_flip, flip; // when the followed handle first flips, and its time of a flip in closed form, s
    const struct scree_picture_member *members;
    size_t member_count;
    double step, energy_error;
};

// Writes the picture; 0, or -1 with errno set.
int scree_picture_write(const char *path, const struct scree_picture *picture);

#endif
