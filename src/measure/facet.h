// Loads and wear of the facets of meshes.

#ifndef SCREE_MEASURE_FACET_H
#define SCREE_MEASURE_FACET_H

#include "world/world.h"

#include <scree/measure.h>

// Fills an array of the facets of a mesh, the wall in a slot.
SCREE_NODISCARD scree_status scree_facet_measure(const struct scree_world *world, size_t slot,
                                                 struct scree_wall_facet *facet);

#endif
