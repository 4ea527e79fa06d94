// The periodic cell: a box with periodic boundaries along the chosen axes.
//
// A body that leaves through one periodic face enters through the opposite one: its position is always in
// [lower, upper), also inside a step. The world counts the crossed periods in "body.image", so potential
// energy, angular momentum and scree_cell_unwrapped_position are continuous across faces. Load functions
// receive positions inside the cell. Walls have no periodic images, see wall.h.
#ifndef SCREE_CELL_H
#define SCREE_CELL_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A box along the axes of the world. */
struct scree_cell_def {
    double lower[3];  /**< m; z is ignored in two dimensions */
    double upper[3];  /**< m; along an axis that is not periodic it may equal `lower`, and the bounds are used
                           only for the "outside" alarm and the volume of the cell */
    bool periodic[3]; /**< along x, y, z; not along z in two dimensions */
};

/** Sets the cell and moves all bodies into it as if they had been created at their present positions; the
 * energy change is entered in the ledger as energy input. Refused inside a step, and if a bond would be
 * longer than half of the cell or lose the image that it connects. */
SCREE_NODISCARD scree_status scree_cell_set(struct scree_world *world, const struct scree_cell_def *def);

/** Copies the cell to `def`, not null; all zero if none was set. */
void scree_cell_get(const struct scree_world *world, struct scree_cell_def *def);

/** Returns the unwrapped position of a body, m, in `position`, not null. */
SCREE_NODISCARD scree_status scree_cell_unwrapped_position(const struct scree_world *world, scree_body_id id,
                                                           double position[3]);

#ifdef __cplusplus
}
#endif
#endif
