// Measured distributions of hard spheres at equilibrium, against statistical mechanics. Diameter, mass and
// temperature are 1, see hard_gas.h.

#include "observables.h"

#include "verify.h"

const struct scree_verify_case scree_verify_observables[] = {
    {"ideal", "radial distribution of independent points, in upright and skewed cells",
     scree_observables_ideal, NULL},
    {"contact", "radial distribution of hard spheres in touch", scree_observables_contact, NULL},
    {"velocities", "histograms of velocities against Maxwell", scree_observables_velocities, NULL},
    {"path", "mean free path and rate of collisions", scree_observables_path, NULL},
    {"diffusion", "self-diffusion against Enskog and molecular dynamics", scree_observables_diffusion, NULL},
    {"wall", "density at a hard wall against the pressure on it", scree_observables_wall, NULL},
    {0},
};
