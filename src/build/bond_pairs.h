// Finds the pairs of sides that bonds connect: grains of bodies, and grains and walls.
//
// Invariants: the pairs are sorted by the ids and parts of their first, then of their second side, and do not
// depend on slots. The first side of a pair of bodies has the lower id. Grains of one body are no pair.

#ifndef SCREE_BUILD_BOND_PAIRS_H
#define SCREE_BUILD_BOND_PAIRS_H

#include "base/array.h"
#include "world/world.h"

#include <scree/bond.h>

// Which sides can be bonded. Zero members accept everything.
struct scree_bond_pairs_filter {
    scree_material_id material[2]; // of the two sides, in any order
    uint64_t groups[2];            // masks: of bodies, one for each side in any order; of walls see below
    bool to_walls;                 // between a body, which is in group 0, and a wall
    uint64_t walls;                // mask of the groups of walls
};

struct scree_bond_pair {
    struct scree_bond_side side[2]; // of a pair with a wall only the first
    scree_wall_id wall;
    unsigned feature;
    double gap;    // distance of the surfaces, m; negative if they overlap
    double radius; // the smaller radius, m
};

typedef SCREE_ARRAY(struct scree_bond_pair) scree_bond_pair_list;

// Whether a filter accepts the sides of a bond, which exist.
bool scree_bond_pairs_accept(const struct scree_world *world, const struct scree_bond_pairs_filter *filter,
                             const struct scree_bond_side side[2], scree_wall_id wall);

// Finds all pairs with a gap of at most `gap` plus `factor` times the smaller radius. `list` is empty before,
// and must be freed also after a failure.
SCREE_NODISCARD scree_status scree_bond_pairs_find(struct scree_world *world,
                                                   const struct scree_bond_pairs_filter *filter, double gap,
                                                   double factor, scree_bond_pair_list *list);

// Finds the smallest gap of all pairs that a filter accepts, m; infinite if there is none.
SCREE_NODISCARD scree_status scree_bond_pairs_smallest(struct scree_world *world,
                                                       const struct scree_bond_pairs_filter *filter,
                                                       double *gap);

// Finds the nearest grains of two bodies that a filter accepts by their materials. `part`: of each body the
// only grain to take, 0 for any. Among equal distances those of the lowest parts are taken.
SCREE_NODISCARD scree_status scree_bond_pairs_of(struct scree_world *world,
                                                 const struct scree_bond_pairs_filter *filter,
                                                 const scree_body_id body[2], const uint64_t part[2],
                                                 struct scree_bond_pair *pair);

#endif
