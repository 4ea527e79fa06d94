// Carried grains in a cell with cell vectors, see pebbles.h.

#include "world/pebbles.h"

void scree_pebbles_enter(const struct scree_pebbles_flow *flow, struct scree_grain *grain)
{
    struct scree_image image = {{0}};
    (void)scree_cell_enter(&flow->cell, grain, &image,
                           flow->middle && !(grain->flags & SCREE_FLAG_MOVE_ON_STEP));
}

static struct scree_vec3 nearest(const struct scree_cell_lattice *cell, struct scree_vec3 difference)
{
    const struct scree_vec3 s = scree_mat3_apply(cell->inverse, difference);
    const struct scree_vec3 n =
        scree_vec3_make(scree_kernel_nearest_integer(s.x), scree_kernel_nearest_integer(s.y),
                        scree_kernel_nearest_integer(s.z));
    return scree_vec3_sub(difference, scree_mat3_apply(cell->vectors, n));
}

struct scree_pebbles_motion scree_pebbles_motion_of(const struct scree_pebbles_flow *flow,
                                                    struct scree_vec3 place, struct scree_vec3 before,
                                                    struct scree_vec3 velocity, bool middle)
{
    const struct scree_cell_lattice *cell = &flow->cell;
    const struct scree_vec3 now = scree_vec3_sub(place, cell->corner),
                            moved = scree_mat3_apply(flow->moved, scree_vec3_sub(before, cell->corner)),
                            displacement = nearest(cell, scree_vec3_sub(now, moved));
    // the velocity of the mean motion is that of the cell vectors, by way of the place in the cell
    const struct scree_vec3 mean = scree_mat3_apply(flow->middle && middle ? cell->half : cell->full,
                                                    scree_mat3_apply(cell->inverse, now));
    return (struct scree_pebbles_motion){scree_vec3_norm_squared(displacement),
                                         scree_vec3_norm_squared(scree_vec3_sub(velocity, mean))};
}
