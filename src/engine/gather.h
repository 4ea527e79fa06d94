// Summing on each body what its contacts gave, in the order of its row: by ascending id of the other side,
// then walls.
//
// What always holds: a sum starts at +0 and runs over candidates; those that do not touch add exact zeros, so
// neither skin nor tiling nor threads show in the bits. Eight bodies are summed at a time, entry by entry;
// their rows are filled up with a record of zeros, which also stands for those of candidates that are not
// near: where most are not, their own would all have to be cleared and read from memory.

#ifndef SCREE_ENGINE_GATHER_H
#define SCREE_ENGINE_GATHER_H

#include "base/status.h"
#include "world/contacts.h"

// The rows of eight bodies side by side: entry k of body l of group g is entry[8 * (first[g] + k) + l].
struct scree_gather_rows {
    uint32_t *first; // [groups + 1]
    uint32_t *entry;
    size_t groups, entries; // room
};

// Lays the rows of new lists side by side.
SCREE_NODISCARD scree_status scree_gather_lay(struct scree_gather_rows *rows,
                                              const struct scree_contacts *contacts);

// From now on these candidates count on both sides where they are near. They all lie inside one tile or all
// across tiles.
void scree_gather_mark(const struct scree_gather_rows *rows, const struct scree_contacts *contacts,
                       bool inside, const uint32_t *candidate, size_t count);

// Push records by where they are: across tiles; inside the tile at hand.
struct scree_gather {
    const struct scree_contacts *contacts;
    const struct scree_gather_rows *rows;
    const double *across, *inside;
    size_t first; // candidate inside the tile
    size_t end;   // of the bodies of the tile: another thread may be marking entries beyond
    size_t width; // doubles in a record
    bool stepped; // contacts have advanced
    struct scree_losses *loss;
    struct scree_wrench *wrench; // of the bodies from `origin` on
    size_t origin;
};

// Writes force and moment of the bodies [first, last) and adds to their losses; `first` is a multiple of 8.
void scree_gather_contacts(const struct scree_gather *gather, size_t first, size_t last);

// Adds one more record, of a wall, to body `i`.
void scree_gather_add(const struct scree_gather *gather, size_t i, const double *push);

#endif
