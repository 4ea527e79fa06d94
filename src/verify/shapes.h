// Shapes of clumps for the cases: spheres that do not overlap, so that mass and moments of inertia are sums
// in closed form.

#ifndef SCREE_VERIFY_SHAPES_H
#define SCREE_VERIFY_SHAPES_H

#include "trial.h"

enum { SCREE_SHAPES_PEBBLES = 8 };

// A clump at rest at the origin; without a material and without the address of its pebbles.
struct scree_shapes_clump {
    struct scree_pebble pebble[SCREE_SHAPES_PEBBLES];
    struct scree_clump_def def;
};

// Makes a clump of spheres, given by centre and radius, whose products of inertia are zero. `overlap_volume`
// is the volume that two of them share, for moments of inertia that do not matter; 0 for spheres apart.
void scree_shapes_make(const double (*sphere)[4], size_t count, double density, double overlap_volume,
                       struct scree_shapes_clump *clump);

// Two spheres of radius 0.5 with centres at a distance along x.
void scree_shapes_dimer(double distance, double density, struct scree_shapes_clump *clump);

// Three spheres along x, and one beside the middle one: moments of inertia 1.15, 3.15 and 2.4 times the mass
// of a sphere.
void scree_shapes_tee(double density, struct scree_shapes_clump *clump);

// Adds a clump of the material of the trial, with the place and the motion of `at`.
SCREE_NODISCARD scree_status scree_shapes_add(struct scree_trial *trial,
                                              const struct scree_shapes_clump *clump,
                                              const struct scree_rigid_def *at);

// A random orientation, uniform over rotations.
void scree_shapes_orientation(uint64_t seed, uint64_t item, double orientation[4]);

#endif
