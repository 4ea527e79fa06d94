// Which grains may touch before the next search: the lists of world/contacts.h, built anew, with what the
// contacts remember carried over.
//
// What always holds: the candidates are exactly the pairs whose surfaces are nearer than the margin (to
// round-off), whatever the sizes, the extent and the number of threads, and the lists have the same bits for
// any number of threads. A contact that is in the old and in the new lists keeps its life, and its history as
// far as that is of the law it has. A call that fails leaves the lists as they were.

#ifndef SCREE_DETECT_CANDIDATES_H
#define SCREE_DETECT_CANDIDATES_H

#include "base/status.h"
#include "base/team.h"
#include "world/contacts.h"

struct scree_candidates_input {
    // in Morton order for speed, in any order for correctness; those without radius or material, and those
    // that are nowhere (NaN, beyond 1e150 m), touch nothing
    const struct scree_grain *grain;
    const uint64_t *id; // of their bodies: grains of one body never pair
    const uint64_t
        *carried; // ids of carried grains, 0 for bodies' own, of which each body has one; null: all
    size_t count; // at most SCREE_CANDIDATES_GRAINS
    double lower[3], period[3]; // the cell; a period is infinite where there is none
    double margin;              // pairs whose surfaces are nearer than this are candidates
    double rows_from;           // pairs that touch, for each grain of a tile, from which on the tile has rows
    double wander;              // how far a grain may move before the next search
    const uint8_t *class_of;    // [sorts * sorts] by the two materials: class, or SCREE_CONTACTS_NO_CLASS for
                                // pairs that do not touch; symmetric
    size_t materials;
    size_t classes;                             // when 1, contacts->sort stays null
    const struct scree_contacts_layout *layout; // [classes] what histories are of; null: all are alike
    size_t stride;                              // doubles in a history
    int dimension;                              // 2: z is not looked at
    const struct scree_team *team;
};

// a slot and two flags share 32 bits
#define SCREE_CANDIDATES_GRAINS ((size_t)1 << 30)

// Replaces the lists. A periodic cell in which a pair might meet twice is refused.
SCREE_NODISCARD scree_status scree_candidates_build(struct scree_contacts *contacts,
                                                    const struct scree_candidates_input *input);

// Grains moved to other slots: new_slot[i] is where the grain of slot i lies now, UINT32_MAX if it was
// removed. `count` is at least contacts->grains; those beyond had no candidates. All candidates then count as
// across the first tile's rim, in their former order: the lists can be used, but a walk over them is slow
// until the next build.
SCREE_NODISCARD scree_status scree_candidates_renumber(struct scree_contacts *contacts,
                                                       const uint32_t *new_slot, size_t count);

// The lists are empty after it; contacts with walls are left alone.
void scree_candidates_free(struct scree_contacts *contacts);

#endif
