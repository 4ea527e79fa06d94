// Arrays of the facets of meshes in frames of walls.

#ifndef SCREE_RUN_FRAMES_FACETS_H
#define SCREE_RUN_FRAMES_FACETS_H

#include "run/frames.h"

// A frame of walls: the wall of each cell. The cells of a mesh are adjacent, in order of its facets.
struct scree_frames_facets {
    const struct scree_frames_source *source;
    const struct scree_wall *const *wall;
    size_t cells;
    struct scree_wall_facet *facet; // [cells]: null until the first array; freed by the caller
};

// Adds the array of a quantity to the grid. In cells of other walls reals are NaN, the number of the facet is
// -1, and the number of impacts 0.
SCREE_NODISCARD scree_status scree_frames_facets_add(struct scree_frames_facets *facets,
                                                     const struct scree_frames_field *field,
                                                     struct scree_vtk_grid *grid);

#endif
