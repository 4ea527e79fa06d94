// Flat walls in one plane: the seam between them.
//
// A body that touches two walls has a contact with each. Where two flat walls in one plane meet, or are
// closer than the diameter of the body's contact area, the force is wrong: a body on the first one touches
// the edge of the second too, before it is above it.

#ifndef SCREE_SHAPE_FLAT_H
#define SCREE_SHAPE_FLAT_H

#include "world/records.h"

#include <stdbool.h>

// Returns true if two walls are flat and lie in one plane, up to `step` m. `distance` receives the distance
// between them in that plane, 0 if they share an edge or overlap.
bool scree_flat_distance(const struct scree_wall *a, const struct scree_wall *b, double step,
                         double *distance);

#endif
