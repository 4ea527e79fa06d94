// Contacts: which grains may touch, and what each of these candidates remembers.
//
// Grains lie in tiles of SCREE_CONTACTS_TILE consecutive slots. A candidate belongs to the tile of its grain
// in the lower slot, so that one walk over the tiles in ascending order is done with a grain when it is done
// with the grain's tile. Those of a tile lie together: first the pairs that touched when the lists were made,
// as groups of rows side by side (scree_kernel_job), then lists of others: pairs inside the tile, and those
// across tiles, with those of which a side may wrap at a periodic face before the next search.
//
// What always holds: the side of lower id is `low`; a candidate that is not near has a history of zeros;
// lists run by ascending owners, those in the lower slot; every range of candidates begins at a multiple of
// 8, and rows and lists are filled up with pairs of a slot with itself, which never live.

#ifndef SCREE_WORLD_CONTACTS_H
#define SCREE_WORLD_CONTACTS_H

#include "world/contact_key.h"
#include "world/records.h"

#include <scree/kernel.h>
#include <scree/resistance.h>

// values that a contact can keep
enum { SCREE_CONTACTS_HISTORY = SCREE_LAW_HISTORY + SCREE_RESISTANCE_HISTORY };
static_assert(SCREE_CONTACTS_HISTORY % 4 == 0, "loops move histories by four values");

enum {
    SCREE_CONTACTS_TILE =
        1024, // grains; a tile's records, sums and histories fill half of a second-level cache
    SCREE_CONTACTS_NO_CLASS = 255,
    SCREE_CONTACTS_CROWD = 1 << 12
};

// What the histories of a class are of. Values that a contact does not have are 0.
struct scree_contacts_layout {
    const struct scree_contact_law *law;
    size_t own;   // values of the law, which come first
    bool resists; // others follow, of resistance to turning
};

// How many of `all` values a contact keeps whose class was `old` and is `now`: what another law left is
// foreign.
static inline size_t scree_contacts_kept(const struct scree_contacts_layout *old,
                                         const struct scree_contacts_layout *now, size_t all)
{
    if (old->law != now->law)
        return 0;
    return old->resists == now->resists || all < now->own ? all : now->own;
}

// Contacts with walls, by slot of the grain, then wall and feature.
struct scree_wall_contacts {
    size_t count;
    size_t *first;           // [tiles + 1]
    struct scree_pair *pair; // slot of the grain, slot of the wall
    uint32_t *feature;       // of the wall
    uint32_t *order; // those of a tile, numbered from its first, by wall and feature; null until it is asked
    size_t slots;    // walls there were when the lists were made
    uint64_t *id;    // [slots]: which
    uint8_t *class_of;                    // class
    struct scree_contacts_layout *layout; // by class
    size_t layouts;
    uint8_t *live;   // one byte each: was near, so that a law was asked
    size_t stride;   // doubles in a history
    double *history; // [count * stride]
    bool loose;      // grains have got other slots since, UINT32_MAX those that are gone: tiles do not hold
};

struct scree_contacts {
    size_t grains, tiles;
    size_t candidates;                    // room that all ranges take, a multiple of 8
    size_t real;                          // candidates, without what fills up ranges
    size_t room;                          // candidates that the histories have room for
    size_t *first;                        // [SCREE_CONTACTS_RANGES * tiles + 1], see scree_contacts_range
    size_t *group;                        // [tiles + 1]: first group of rows of each tile
    uint8_t *depth;                       // by group: pairs of its longest row
    struct scree_pair *pair;              // [candidates]
    uint8_t *class_of;                    // [candidates]: class of each; null while there is but one
    struct scree_contacts_layout *layout; // by class; null where all histories are alike
    size_t layouts;
    size_t stride;             // doubles in a history, a multiple of 4; 0 where no law remembers
    double *history;           // [room * stride]
    uint8_t *live;             // [candidates / 8]: one bit each: was near, so that a law was asked
    double *tangential_factor; // [grains]: see scree_kernel_job; null while none were carried
    uint32_t *row_first;       // [grains + 1] null until scree_contacts_index
    uint32_t *row;             // [row_first[grains]]: candidates of each slot
    uint32_t *by_id;           // [grains]: by ascending id; null until scree_contacts_find
    uint32_t *crowded;         // slots with SCREE_CONTACTS_CROWD candidates or more
    size_t crowds;             // how many
    uint64_t *id;      // [grains]: bodies that lay in the slots when the lists were made, or whose grains did
    uint64_t *carried; // [grains]: ids of carried grains, 0 for bodies' own; null while none were carried
    uint32_t *part;    // [grains]: which grains of their bodies, 0 for their own; null likewise
    struct scree_wall_contacts walls;
};

// The candidates of a tile.
enum scree_contacts_range {
    SCREE_CONTACTS_ROWS,
    SCREE_CONTACTS_INSIDE,
    SCREE_CONTACTS_ACROSS,
    SCREE_CONTACTS_RANGES
};

// Where one of them begins; the next one begins where it ends.
static inline size_t scree_contacts_first(const struct scree_contacts *contacts, size_t tile, int range)
{
    return contacts->first[SCREE_CONTACTS_RANGES * tile + (size_t)range];
}

static inline uint32_t scree_contacts_part(const struct scree_contacts *contacts, uint32_t slot)
{
    return contacts->part ? contacts->part[slot] : 0;
}

static inline struct scree_contact_key scree_contacts_key(const struct scree_contacts *contacts,
                                                          size_t candidate)
{
    const struct scree_pair pair = contacts->pair[candidate];
    return (struct scree_contact_key){.low = contacts->id[pair.low],
                                      .high = contacts->id[pair.high],
                                      .low_part = scree_contacts_part(contacts, pair.low),
                                      .high_part = scree_contacts_part(contacts, pair.high)};
}

// Id of the wall of a contact.
static inline uint64_t scree_contacts_wall(const struct scree_contacts *contacts, size_t contact)
{
    return contacts->walls.id[contacts->walls.pair[contact].high];
}

// Of a contact with a wall whose grain is not gone.
static inline struct scree_contact_key scree_contacts_wall_key(const struct scree_contacts *contacts,
                                                               size_t contact)
{
    const uint32_t slot = contacts->walls.pair[contact].low;
    return (struct scree_contact_key){.low = contacts->id[slot],
                                      .high = scree_contacts_wall(contacts, contact),
                                      .low_part = scree_contacts_part(contacts, slot),
                                      .feature = contacts->walls.feature[contact],
                                      .kind = SCREE_CONTACT_OF_WALL};
}

static inline bool scree_contacts_is_live(const struct scree_contacts *contacts, size_t candidate)
{
    return contacts->live[candidate / 8] >> (candidate % 8) & 1;
}

// Whether a contact that is no longer near has something to end: what it remembers. If its energy is out of
// the ledger, since a side was edited (the flags of both), that is forgotten instead.
static inline bool scree_contacts_has_to_end(double *history, size_t stride, uint32_t flags)
{
    const bool opened = flags & SCREE_FLAG_OPENED;
    bool remembers = false;
    for (size_t k = 0; k < stride; ++k) {
        remembers = remembers || history[k] != 0;
        history[k] = opened ? 0 : history[k];
    }
    return remembers && !opened;
}

// Tells which candidates a slot has, until the next search. Only edits of bodies ask for it.
SCREE_NODISCARD scree_status scree_contacts_index(struct scree_contacts *contacts);

// The slot that a body had when the lists were made, which may be another's by now; SIZE_MAX if they do not
// know it.
size_t scree_contacts_find(struct scree_contacts *contacts, uint64_t id);

// Gives back all that a world's contacts hold.
void scree_contacts_free(struct scree_contacts *contacts);

#endif
