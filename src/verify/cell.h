// Cases of cells that deform, see cell.c and flow.c.

#ifndef SCREE_VERIFY_CELL_H
#define SCREE_VERIFY_CELL_H

#include "trial.h"

SCREE_NODISCARD scree_status scree_cell_crystals(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_long_shear(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_gas(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_long_gas(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_jamming(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_long_jamming(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_flow(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_long_disks(struct scree_trial *trial);
SCREE_NODISCARD scree_status scree_cell_long_spheres(struct scree_trial *trial);

#endif
