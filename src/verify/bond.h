// The cases of the family "bond", see bond.c.

#ifndef SCREE_VERIFY_BOND_H
#define SCREE_VERIFY_BOND_H

#include "trial.h"

// bond_beam.c; the data of the first two is an enum scree_bond_kind
scree_status scree_bond_beam_cantilever(struct scree_trial *trial);
scree_status scree_bond_beam_flat_cantilever(struct scree_trial *trial);
scree_status scree_bond_beam_parallel(struct scree_trial *trial);

// bond_vibration.c; the data of the first is an enum scree_bond_kind
scree_status scree_bond_vibration_frequencies(struct scree_trial *trial);
scree_status scree_bond_vibration_bar_wave(struct scree_trial *trial);

// bond_waves.c; the data is an enum scree_bond_kind
scree_status scree_bond_waves_fcc(struct scree_trial *trial);

// bond_elastic.c
scree_status scree_bond_elastic_constants(struct scree_trial *trial);

// bond_strength.c
scree_status scree_bond_strength_one(struct scree_trial *trial);
scree_status scree_bond_strength_flat(struct scree_trial *trial);
scree_status scree_bond_strength_softening(struct scree_trial *trial);

// bond_cluster.c
scree_status scree_bond_cluster_momenta(struct scree_trial *trial);
scree_status scree_bond_cluster_ledger(struct scree_trial *trial);
scree_status scree_bond_cluster_rotating(struct scree_trial *trial);
scree_status scree_bond_cluster_frame(struct scree_trial *trial);

// bond_clump.c
scree_status scree_bond_clump_limit(struct scree_trial *trial);

// bond_cylinder.c
scree_status scree_bond_cylinder_modulus(struct scree_trial *trial);
scree_status scree_bond_cylinder_crush(struct scree_trial *trial);

#endif
