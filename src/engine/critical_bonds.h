// Stiffness and dashpots of bonds at their bodies, for the critical time step.
//
// The energy of the springs of a bond is at most the sum over both bodies of
//     (translation) max(2 k_x, 4 k_s) |v|^2 / 2   and   (rotation) (2 k + 4 k_s arm^2) |w|^2 / 2,
// because (a + b)^2 <= 2 a^2 + 2 b^2, where k is the larger stiffness of twist and bending; with a side that
// cannot move it is half of that. So sums over the bonds of each body bound the frequencies of any structure.
// The elongation of a bond with the pebble of a clump rotates the clump too, and counts like shear.

#ifndef SCREE_ENGINE_CRITICAL_BONDS_H
#define SCREE_ENGINE_CRITICAL_BONDS_H

#include "engine/step_inputs.h"

// The larger one of translation, in N/m and N s/m, and of rotation times mass / inertia.
struct scree_critical_bonds_parts {
    double spring, dashpot;
};

// Of one side of a bond; zero for a body that cannot move, and for a wall.
struct scree_critical_bonds_parts scree_critical_bonds_of(const struct scree_step_inputs *inputs,
                                                          const struct scree_bond_entry *entry, int side);

// Calls a function for all bonds.
typedef void scree_critical_bonds_visit(void *context, const struct scree_bond_entry *entry);
void scree_critical_bonds_each(const struct scree_collider *collider, scree_critical_bonds_visit *visit,
                               void *context);

#endif
