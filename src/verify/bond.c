// Bonds: stiffness, vibrations, waves, strength, energy and momentum of bonded spheres.
//
// The cases are in the files bond_<subject>.c, with their closed forms and tolerances.

#include "bond.h"

#include "verify.h"

#include <scree/bond.h>

static const enum scree_bond_kind contact = SCREE_BOND_CONTACT, parallel = SCREE_BOND_PARALLEL,
                                  euler = SCREE_BOND_EULER, timoshenko = SCREE_BOND_TIMOSHENKO;

const struct scree_verify_case scree_verify_bond[] = {
    {"euler-cantilever", "deflections of a clamped chain of Euler beams", scree_bond_beam_cantilever, &euler},
    {"timoshenko-cantilever", "deflections of a clamped chain of Timoshenko beams",
     scree_bond_beam_cantilever, &timoshenko},
    {"flat-euler-cantilever", "deflections of a clamped chain of disks and Euler beams",
     scree_bond_beam_flat_cantilever, &euler},
    {"flat-timoshenko-cantilever", "deflections of a clamped chain of disks and Timoshenko beams",
     scree_bond_beam_flat_cantilever, &timoshenko},
    {"parallel-cantilever", "deflections of a clamped chain of parallel bonds, and their order",
     scree_bond_beam_parallel, NULL},
    {"euler-frequencies", "vibrations of a free beam of 40 spheres bonded by Euler beams",
     scree_bond_vibration_frequencies, &euler},
    {"timoshenko-frequencies", "the same with Timoshenko beams", scree_bond_vibration_frequencies,
     &timoshenko},
    {"bar-wave", "the speed of extensional waves along a bar", scree_bond_vibration_bar_wave, NULL},
    {"contact-waves", "waves in a periodic fcc lattice with contact bonds", scree_bond_waves_fcc, &contact},
    {"parallel-waves", "waves in a periodic fcc lattice with parallel bonds", scree_bond_waves_fcc,
     &parallel},
    {"constants", "elastic constants of hexagonal and fcc lattices", scree_bond_elastic_constants, NULL},
    {"strength", "strengths of one bond", scree_bond_strength_one, NULL},
    {"flat-strength", "strengths of one bond between disks", scree_bond_strength_flat, NULL},
    {"softening", "fracture energy of one bond", scree_bond_strength_softening, NULL},
    {"momenta", "clusters keep momentum and angular momentum", scree_bond_cluster_momenta, NULL},
    {"ledger", "the energy ledger of clusters that break", scree_bond_cluster_ledger, NULL},
    {"rotating", "the energy of a rotating cluster", scree_bond_cluster_rotating, NULL},
    {"frame", "energy and forces of a deformed cluster turned as a whole", scree_bond_cluster_frame, NULL},
    {"clump", "stiff bonds tend to a rigid clump", scree_bond_clump_limit, NULL},
    {"cylinder", "the modulus of a cylinder of a lattice under compression", scree_bond_cylinder_modulus,
     NULL},
    {"crush", "a cylinder that breaks under compression, and its energy", scree_bond_cylinder_crush, NULL},
    {0},
};
