// Clumps of spheres that do not overlap, so that mass, centre and moments of inertia are sums in closed form.

#ifndef SCREE_TESTS_SUPPORT_CLUMPS_H
#define SCREE_TESTS_SUPPORT_CLUMPS_H

#include "support/worlds.h"

enum { SCREE_TEST_PEBBLES = 16 };

// A shape: mass, moments, pebbles and radius of equal volume of a clump at rest at the origin.
struct scree_test_clump {
    struct scree_pebble pebble[SCREE_TEST_PEBBLES];
    struct scree_clump_def def; // without a material; `pebble` is null
};

// Makes the shape of `count` solid spheres, given by centre and radius. Its axes are the principal ones.
void scree_test_clump_make(const double (*sphere)[4], size_t count, double density,
                           struct scree_test_clump *clump);

// Two spheres in contact, or apart by `gap`, along the first axis; the sum of the diameters is 2.
void scree_test_clump_dimer(double gap, double density, struct scree_test_clump *clump);

// Five spheres of radii from 0.2 to 0.35: no symmetry, and three different moments of inertia.
void scree_test_clump_irregular(double density, struct scree_test_clump *clump);

// Adds a clump of this shape, with position, orientation, velocity, spin and fixed axes of `at`.
scree_body_id scree_test_clump_add(struct scree_world *world, const struct scree_test_clump *clump,
                                   scree_material_id material, const struct scree_rigid_def *at);

#endif
