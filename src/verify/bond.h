// The cases of the family "bond", see bond.c.

#ifndef SCREE_VERIFY_BOND_H
#define SCREE_VERIFY_BOND_H

#include "trial.h"

// bond_beam.c; the data of the first two is an enum scree_bond_kind
scree_status scree_bond_cantilever(struct scree_trial *trial);
scree_status scree_bond_flat_cantilever(struct scree_trial *trial);
scree_status scree_bond_parallel_cantilever(struct scree_trial *trial);

// bond_vibration.c; the data of the first is an enum scree_bond_kind
scree_status scree_bond_frequencies(struct scree_trial *trial);
scree_status scree_bond_bar_wave(struct scree_trial *trial);

// bond_waves.c; the data is an enum scree_bond_kind
scree_status scree_bond_waves(struct scree_trial *trial);

// bond_elastic.c
scree_status scree_bond_constants(struct scree_trial *trial);

// bond_strength.c
scree_status scree_bond_strengths_of_one(struct scree_trial *trial);
scree_status scree_bond_softening(struct scree_trial *trial);

// bond_cluster.c
scree_status scree_bond_momenta(struct scree_trial *trial);
scree_status scree_bond_ledger(struct scree_trial *trial);
scree_status scree_bond_rotating(struct scree_trial *trial);
scree_status scree_bond_frame(struct scree_trial *trial);

// bond_clump.c
scree_status scree_bond_clump(struct scree_trial *trial);

// bond_cylinder.c
scree_status scree_bond_cylinder(struct scree_trial *trial);
scree_status scree_bond_crush(struct scree_trial *trial);

#endif
