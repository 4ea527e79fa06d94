// Rheology in a periodic cell that deforms. These cases take many minutes, so they run only by name; the
// family `cell` has short runs of them.

#include "cell.h"
#include "verify.h"

const struct scree_verify_case scree_verify_flow[] = {
    {"granular-gas", "granular gases in uniform shear against kinetic theory and hard spheres",
     scree_cell_long_gas, NULL},
    {"jamming", "solid fraction and contacts of packings at jamming", scree_cell_long_jamming, NULL},
    {"disks", "disks in simple shear, I = 0.3 to 0.001, against published curves", scree_cell_long_disks,
     NULL},
    {"spheres", "spheres without friction in simple shear, I = 0.3 to 0.001, against published curves",
     scree_cell_long_spheres, NULL},
    {0},
};
