// Bodies of all kinds at random places in a cell of given vectors, for tests of cells that deform.

#ifndef SCREE_TESTS_SUPPORT_CELL_BODIES_H
#define SCREE_TESTS_SUPPORT_CELL_BODIES_H

#include "support/cells.h"
#include "support/clumps.h"

// Gradients of the velocity: a simple shear of 5 / s, and one with all elements.
extern const double scree_cell_bodies_shear[9], scree_cell_bodies_general[9], scree_cell_bodies_none[9];

// Kinds of bodies. MIXED are spheres, clumps, boxes and two boxes in an L, in turn; BONDED are clumps and
// spheres in turn, each sphere with a bond to the last clump.
enum scree_cell_bodies_kind {
    SCREE_CELL_BODIES_CLUMPS,
    SCREE_CELL_BODIES_BOXES,
    SCREE_CELL_BODIES_ELLS,
    SCREE_CELL_BODIES_MIXED,
    SCREE_CELL_BODIES_BONDED
};

// Adds a linear law with friction and dashpots between bodies of a new material.
scree_material_id scree_cell_bodies_law(struct scree_world *world);

// The irregular clump of support/clumps.h, scaled so that its farthest point is about `reach` from its
// centre.
void scree_cell_bodies_clump(double reach, struct scree_test_clump *clump);

// Adds the body of this number, and returns its id.
uint64_t scree_cell_bodies_add(struct scree_world *world, enum scree_cell_bodies_kind kind, int number,
                               double reach, scree_material_id material, const struct scree_rigid_def *at);

// Adds a beam between the first pebble of a clump and a sphere.
void scree_cell_bodies_join(struct scree_world *world, uint64_t clump, uint64_t sphere, double damping_ratio);

// A random position, orientation and motion in a cell.
struct scree_rigid_def scree_cell_bodies_motion(const double vectors[9], uint64_t *seed);

#endif
