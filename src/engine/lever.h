// Lever arms of contacts: by how much the rotation of a body raises the stiffness of a contact; part of the
// critical step (docs/theory/clumps.md).
//
// The contact point of a grain at offset d from the centre of mass is at r = d - R n. A force along a unit
// vector t moves this point as if the body had the mass m / (1 + m (r x t) A (r x t)), where A is the inverse
// of the inertia tensor. The members below are the terms m (r x t) A (r x t), multiples of the stiffness.

#ifndef SCREE_ENGINE_LEVER_H
#define SCREE_ENGINE_LEVER_H

#include "engine/step_inputs.h"
#include "math/vec3.h"

struct scree_lever {
    double normal;     // of a normal force: 0 for a sphere at the centre of mass
    double tangential; // of the tangential force of largest lever arm
    double coupling;   // largest of a force at the centre of the grain: couples translation and rotation
    double rolling;    // m over the smallest moment of inertia, 1/m^2
};

// Of a grain, upper bounds for contacts in all directions.
struct scree_lever scree_lever_bound(const struct scree_step_inputs *inputs, size_t slot);

// Of a grain, for a contact with the normal n, which points towards the grain.
struct scree_lever scree_lever_at(const struct scree_step_inputs *inputs, size_t slot,
                                  const double normal[3]);

// Of a body whose wall is touched at `arm` from its centre of mass, both in world axes; with a null normal an
// upper bound over all directions.
struct scree_lever scree_lever_of_wall(const struct scree_step_inputs *inputs, size_t body,
                                       struct scree_vec3 arm, const double *normal);

// Of a round body of this radius.
struct scree_lever scree_lever_round(int dimension, double radius);

// Stiffness of the mode of highest frequency. A single contact (`alone`) couples translation and rotation;
// with many contacts around a grain the coupling by its own radius nearly cancels. A body with a fixed
// position only rotates. The same for dashpots.
double scree_lever_mode(const struct scree_stiffness_parts *parts, const struct scree_lever *lever,
                        bool alone, bool fixed);

#endif
