// Lists of bonds by tile, like the lists of contacts (world/contacts.h): a bond belongs to the tile of its
// grain in the lower slot. Rebuilt with the contact lists; bonds that break are taken out one by one.
//
// Invariant: the bonds of a tile are those between grains, then those with walls, each sorted by the lower
// slot, then by id, so that results do not depend on rows.

#ifndef SCREE_CONTACT_BOND_LISTS_H
#define SCREE_CONTACT_BOND_LISTS_H

#include "base/array.h"
#include "detect/candidates.h"
#include "world/bond.h"

struct scree_bond_entry {
    uint32_t row;
    uint32_t slot[2]; // of the grains; UINT32_MAX for a wall
    uint32_t sum[2];  // rows of their sums, see pieces.h
};

// What the kernel reads of the bonds between grains of a tile, see bond_batches.h.
struct scree_bond_tile {
    size_t first; // batch
    bool filled;  // false after a change
    bool damped;  // some bond has dashpots
    bool carried; // some grain is not its body's own
    bool shared;  // some sum is not that of the slot
    bool uniform; // all batches have the elasticity of the first
};

struct scree_bond_lists {
    struct scree_bond_entry *entry;
    struct scree_bond_batch *batch;
    struct scree_bond_elasticity *elasticity; // by batch
    uint32_t *reach;                          // by batch: highest slot of its grains
    struct scree_bond_tile *tile;             // [tiles]
    size_t *first;                            // [tiles + 1]
    size_t *count;                            // [tiles] number of bonds, not more than at the last build
    size_t *walls;                            // [tiles] number of those with walls
    uint32_t *broke;                          // [tiles] number of bonds that broke in the last evaluation
    size_t tiles;
    size_t live;                  // number of bonds in the lists
    SCREE_ARRAY(uint64_t) broken; // ids of bonds that have broken and still have a row, ascending
};

// Builds the lists for the slots of the contact lists, and sorts the rows of bonds alike. Empty on failure.
SCREE_NODISCARD scree_status scree_bond_lists_build(struct scree_bond_lists *lists,
                                                    struct scree_world *world);
// Lists the sides that cannot be in contact because of live bonds, for the present slots. Empty on failure.
SCREE_NODISCARD scree_status scree_bond_lists_exclude(const struct scree_world *world,
                                                      struct scree_exclusions *exclusions);

void scree_bond_lists_free(struct scree_bond_lists *lists);

// Takes the bond of a row out of the lists and removes its row.
void scree_bond_lists_remove(struct scree_bond_lists *lists, struct scree_world *world, uint32_t row);

// The higher slot of a bond, which is that of the grain for a bond with a wall.
static inline int scree_bond_lists_higher(const struct scree_bond_entry *entry)
{
    return entry->slot[1] != UINT32_MAX && entry->slot[1] > entry->slot[0] ? 1 : 0;
}

static inline uint32_t scree_bond_lists_owner(const struct scree_bond_entry *entry)
{
    return entry->slot[1] < entry->slot[0] ? entry->slot[1] : entry->slot[0];
}

#endif
