// A periodic cell that deforms: crystals against their lattices of springs, contacts in a packing against all
// pairs and images.

#include "cell.h"

#include "verify.h"

const struct scree_verify_case scree_verify_cell[] = {
    {"crystals", "stress and stiffness of crystals against lattices of springs", scree_cell_crystals, NULL},
    {"shear", "contacts of a packing that is sheared to a strain of 100", scree_cell_long_shear, NULL},
    {0},
};
