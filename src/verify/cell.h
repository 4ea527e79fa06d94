// Cases of cells that deform, see cell.c.

#ifndef SCREE_VERIFY_CELL_H
#define SCREE_VERIFY_CELL_H

#include "trial.h"

SCREE_NODISCARD scree_status scree_cell_crystals(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_long_shear(struct scree_trial *trial);

#endif
