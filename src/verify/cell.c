// A periodic cell that deforms: crystals against their lattices of springs, contacts in a packing against all
// pairs and images, and short runs of the flows in flow.c.

#include "cell.h"

#include "verify.h"

const struct scree_verify_case scree_verify_cell[] = {
    {"crystals", "stress and stiffness of crystals against lattices of springs", scree_cell_crystals, NULL},
    {"shear", "contacts of a packing that is sheared to a strain of 100", scree_cell_long_shear, NULL},
    {"granular-gas", "a granular gas in uniform shear against Enskog's equation", scree_cell_gas, NULL},
    {"jamming", "solid fraction and contacts of packings at jamming", scree_cell_jamming, NULL},
    {"dense-flow", "friction and solid fraction of disks in simple shear", scree_cell_flow, NULL},
    {0},
};
