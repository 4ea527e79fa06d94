// Summing on each body what its contacts gave, in the order of its row: by ascending id of the other side,
// then walls.
//
// What always holds: a sum starts at +0 and runs over candidates; those that do not touch add exact zeros, so
// neither skin nor tiling nor threads show in the bits.

#ifndef SCREE_ENGINE_GATHER_H
#define SCREE_ENGINE_GATHER_H

#include "world/contacts.h"

// Push records by where they are: across tiles, inside the tile at hand.
struct scree_gather {
    const struct scree_contacts *contacts;
    const struct scree_grain *grain;
    const double *push[2];
    size_t width; // doubles in a record
    struct scree_losses *loss;
    struct scree_wrench *wrench;
};

// Writes force and moment of the grains [first, last), and adds to their losses.
void scree_gather_contacts(const struct scree_gather *gather, size_t first, size_t last);

// Adds one more record, of a wall, to grain `i`.
void scree_gather_add(const struct scree_gather *gather, size_t i, const double *push);

#endif
