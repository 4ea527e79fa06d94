// Evaluating bonds: forces, tile by tile. Bonds whose strength is exceeded are marked as broken, see
// bond_break.h.

#ifndef SCREE_CONTACT_BOND_EVALUATE_H
#define SCREE_CONTACT_BOND_EVALUATE_H

#include "contact/collider.h"

// Adds the forces of the bonds of a tile to the sums of its grains.
void scree_bond_evaluate_tile(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                              size_t tile);

#endif
