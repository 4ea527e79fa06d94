// Reads the definition of a bond: checks it, and computes its springs and strengths.

#ifndef SCREE_CONTACT_BOND_DEF_H
#define SCREE_CONTACT_BOND_DEF_H

#include "base/status.h"
#include "world/records.h"

#include <scree/bond.h>

// Geometry and mass of a new bond.
struct scree_bond_def_place {
    double length;    // L: distance of the centres, or of the centre from the wall
    double radius[2]; // of the grains; 0 for the wall
    double mass;      // effective, for damping; 0: no side can move
};

// Checks the numbers of a definition for a world of this dimension.
SCREE_NODISCARD scree_status scree_bond_def_check(const struct scree_bond_def *def, int dimension);

// Returns whether the bond can break.
bool scree_bond_def_breaks(const struct scree_bond_def *def);

// Fills stiffnesses, arms and damping of a checked definition, and the strengths.
void scree_bond_def_springs(const struct scree_bond_def *def, int dimension,
                            const struct scree_bond_def_place *place, struct scree_bond_spring *spring);
void scree_bond_def_strengths(const struct scree_bond_def *def, int dimension,
                              const struct scree_bond_def_place *place, struct scree_bond_strength *strength);

// Returns whether the sides can be in contact while the bond lives.
bool scree_bond_def_touches(const struct scree_bond_def *def);

#endif
