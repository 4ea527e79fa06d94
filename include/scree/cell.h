// The periodic cell: a box whose opposite faces are one, along the axes that you choose.
//
// Where the cell is periodic a body that leaves through one face comes in through the opposite one, and its
// position is always at or above the lower bound and below the upper one, inside a step too. What it has gone
// in all is kept: the world counts the periods ("body.image"), so that potential energy, angular momentum and
// scree_cell_place run on across faces. Loads are told positions inside the cell. Walls do not repeat: see
// wall.h.
#ifndef SCREE_CELL_H
#define SCREE_CELL_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A box along the axes of the world. */
struct scree_cell_def {
    double lower[3], upper[3]; /**< m; where the cell is not periodic they are kept and do nothing, and may be
                                    equal. z counts for nothing in two dimensions */
    bool periodic[3];          /**< along x, y, z; not along z in two dimensions */
};

/** Sets the cell and takes all bodies into it, as if they had been made where they are now; the energy that
 * this brings is booked as fed in. Refused inside a step. */
SCREE_NODISCARD scree_status scree_cell_set(struct scree_world *world, const struct scree_cell_def *def);

/** The cell, into `def`, not null; all zero in a world that was given none. */
void scree_cell_get(const struct scree_world *world, struct scree_cell_def *def);

/** Where a body would be if it had never been taken back into the cell, m, into `place`, not null. */
SCREE_NODISCARD scree_status scree_cell_place(const struct scree_world *world, scree_body_id id,
                                              double place[3]);

#ifdef __cplusplus
}
#endif
#endif
