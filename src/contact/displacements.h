// Displacements of grains since the last search, which tell how much of the skin is used; and the larger
// margins of grains that are faster than most.
//
// The sum of the largest speeds in each step bounds all displacements, but a grain that rattles in a cage of
// others is many times faster than they are, and most grains vibrate about a place. So fast grains get an
// extra margin at grains and walls, and once the bound is used up, the displacements themselves are measured.

#ifndef SCREE_CONTACT_DISPLACEMENTS_H
#define SCREE_CONTACT_DISPLACEMENTS_H

#include "base/team.h"
#include "world/world.h"

struct scree_displacements {
    // by grain, m: the position at the last search, from the corner of a cell with cell vectors; the extra
    float (*start)[3];
    float *extra;
    size_t count, start_capacity, extra_capacity;
    double largest_extra; // m
    double rounding;      // largest error of `start`, m
    double vectors[9];    // of the cell at the last search
};

void scree_displacements_free(struct scree_displacements *displacements);

// At a search: stores the positions of all grains, and chooses extras of at most `largest` m for the grains
// that would use up the skin first.
SCREE_NODISCARD scree_status scree_displacements_begin(struct scree_displacements *displacements,
                                                       const struct scree_world *world, double skin,
                                                       double largest);

// The lists have no extras and displacements stay unknown until the next search.
void scree_displacements_forget(struct scree_displacements *displacements);

// Largest displacement of a grain since the search beyond its extra, relative to the mean motion in a cell
// that deforms, m; infinite if it is unknown.
double scree_displacements_largest(const struct scree_displacements *displacements,
                                   const struct scree_world *world, const struct scree_team *team);

#endif
