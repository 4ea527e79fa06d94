// The nearest periodic image of the second of two sides, in a box along the axes or in a cell with cell
// vectors.

#ifndef SCREE_CONTACT_IMAGES_H
#define SCREE_CONTACT_IMAGES_H

#include "math/vec3.h"
#include "world/world.h"

#include <scree/kernel.h>

#include <stdbool.h>

struct scree_images {
    const double *period;                 // of a box, infinite along axes that are not periodic
    const struct scree_kernel_cell *cell; // with cell vectors, else null: there all periods are infinite
};

// The images of a world, and room for their data.
struct scree_images_room {
    double period[3];
    struct scree_kernel_cell cell;
};
struct scree_images scree_images_now(const struct scree_world *world, struct scree_images_room *room);

// How many periods an image is away from the side itself, and its velocities relative to it, mid-step and
// on-step.
struct scree_images_motion {
    bool moves; // false: all are zero
    double periods[3];
    struct scree_vec3 half, full;
};

static inline struct scree_vec3 scree_images_vector(struct scree_law_vector v)
{
    return scree_vec3_make(v.x, v.y, v.z);
}

// Changes the difference of positions, the first minus the second, to that from the nearest image of the
// second. `motion`, which may be null, receives the velocities of that image.
static inline struct scree_vec3 scree_images_nearest(const struct scree_images *images,
                                                     struct scree_vec3 difference,
                                                     struct scree_images_motion *motion)
{
    if (motion)
        motion->moves = false;
    if (!images->cell)
        return scree_vec3_make(scree_kernel_nearest_image(difference.x, images->period[0]),
                               scree_kernel_nearest_image(difference.y, images->period[1]),
                               scree_kernel_nearest_image(difference.z, images->period[2]));
    const struct scree_law_vector d = {difference.x, difference.y, difference.z}, zero = {0, 0, 0},
                                  n = scree_kernel_periods(images->cell, d);
    if (motion) {
        motion->moves = n.x != 0 || n.y != 0 || n.z != 0;
        motion->periods[0] = n.x, motion->periods[1] = n.y, motion->periods[2] = n.z;
        motion->half = scree_images_vector(scree_kernel_moved(zero, images->cell->half, n));
        motion->full = scree_images_vector(scree_kernel_moved(zero, images->cell->full, n));
    }
    return scree_vec3_sub(difference,
                          scree_images_vector(scree_kernel_moved(zero, images->cell->vectors, n)));
}

#endif
