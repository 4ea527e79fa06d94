// Forces between bodies and images of others in a cell with cell vectors: a body at x touches the image at
// x' + H n, with the cell vectors H and n periods.
//
// Their sum, of force times n, completes what sums over bodies cannot know: summed over contacts,
//   force (x - x' - H n)^T = sum over bodies of force x^T - (sum of force n^T) H^T,
// the stress of the cell and the work of its deformation (docs/theory/deforming-cell.md). The power that
// belongs to the second term, sum of force . (D H n) with the velocity gradient D, is integrated here by the
// trapezoidal rule; that of bodies is in their energy accounts.

#ifndef SCREE_CONTACT_ACROSS_H
#define SCREE_CONTACT_ACROSS_H

#include "base/sum.h"
#include "world/world.h"

#include <scree/kernel.h>

enum { SCREE_ACROSS_BLOCK = 128 };

// Sums of force times n, independent of order, by rows of the force and columns of n; and terms by column
// that are not in them yet, which are added many at a time.
struct scree_across {
    struct scree_sum sum[9];
    size_t count[3];
    double term[3][3][SCREE_ACROSS_BLOCK];
};

void scree_across_clear(struct scree_across *across);
void scree_across_merge(struct scree_across *across, struct scree_across *other);

// Adds a force on the body whose partner is moved by `periods`.
void scree_across_add(struct scree_across *across, const double force[3], const double periods[3]);

// A kernel's function for contacts across; its context is a struct scree_across.
scree_kernel_visit_across scree_across_visit;

// After all contacts: enters the sums in the cell, and their work in the last step; `step` 0: of a state.
void scree_across_enter(struct scree_across *across, struct scree_world *world, double step);

#endif
