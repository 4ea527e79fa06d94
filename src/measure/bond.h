// Numbers of bonds and fragments, and the energies of bonds.

#ifndef SCREE_MEASURE_BOND_H
#define SCREE_MEASURE_BOND_H

#include "base/status.h"

#include <scree/bond.h>

struct scree_bond_counts {
    double live, broken, by_mode[SCREE_BOND_MODES];
};

struct scree_bond_pieces {
    double fragments;
    double largest; // mass of the largest fragment over that of all bodies; 0 without bodies
};

struct scree_bond_energies {
    double elastic;  // of all live bonds, J
    double released; // by all bonds that have broken
    double damage;   // lost to damage, by live and broken bonds
};

void scree_bond_measure_counts(const struct scree_world *world, struct scree_bond_counts *counts);
SCREE_NODISCARD scree_status scree_bond_measure_pieces(const struct scree_world *world,
                                                       struct scree_bond_pieces *pieces);

// Sums in order of ids and of events, so that the result does not depend on slots.
SCREE_NODISCARD scree_status scree_bond_measure_energies(const struct scree_world *world,
                                                         struct scree_bond_energies *energies);

#endif
