// What a checkpoint takes out of a world and puts back besides the values of fields: rows with their ids,
// contacts as flat lists, and the few facts that are neither.
//
// What always holds: what is put back was taken from a world of the same kind, or a failure says what does
// not fit; then the world is only good to be destroyed. Contacts that are put back lie in lists as a search
// leaves them, though without the candidates that are not near: the next search makes those anew.

#ifndef SCREE_WORLD_STORE_H
#define SCREE_WORLD_STORE_H

#include "world/world.h"

// Facts that no row holds, as bits.
enum scree_store_facts {
    SCREE_STORE_STALE = 1,    // contacts are to be searched anew
    SCREE_STORE_OUTDATED = 2, // some forces do not hold
    SCREE_STORE_OPENED = 4,   // some contacts are out of the energy ledger
    SCREE_STORE_HOLDS = 8,    // freedoms are or were fixed
    SCREE_STORE_SPHERES = 16  // the orientation of spheres is integrated
};
unsigned scree_store_facts(const struct scree_world *world);

// Contacts that are near, of grains with each other or with walls. Slots are those of the last search, which
// the lists go by: whether bodies have others since shows in what is done about it.
struct scree_store_contacts {
    size_t grains; // at the last search
    uint64_t *id;  // [grains]: who lay where
    size_t count;
    struct scree_pair *pair; // slots
    uint64_t (*key)[2];      // ids of grain and wall, the latter with the feature; null between grains
    bool loose;              // those with walls are not in order of slots
    uint8_t *sort;           // class of each, a number below `keepers`
    size_t stride;           // doubles in a history
    double *history;         // [count * stride]
    struct scree_contacts_keeper *keeper; // null where no contact remembers
    size_t keepers;
};

// Takes those of grains, or those with walls; to be freed also after a failure.
SCREE_NODISCARD scree_status scree_store_take(const struct scree_world *world, bool walls,
                                              struct scree_store_contacts *contacts);
void scree_store_free(struct scree_store_contacts *contacts);

// Puts rows into an entity in place of those that it has: their ids in order of slots, and the newest id that
// was ever given out.
SCREE_NODISCARD scree_status scree_store_put_rows(struct scree_entity *entity, const uint64_t *ids,
                                                  size_t count, uint64_t last);

// Puts contacts between the rows that are there.
SCREE_NODISCARD scree_status scree_store_put(struct scree_world *world, bool walls,
                                             const struct scree_store_contacts *contacts);

// When all is there: follows up what derives from it, and checks the whole.
SCREE_NODISCARD scree_status scree_store_settle(struct scree_world *world, int dimension, unsigned facts);

#endif
