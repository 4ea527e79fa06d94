// Contact lists: candidate pairs of grains, and their contact histories.
//
// Grains are grouped in tiles of SCREE_CONTACTS_TILE consecutive slots. A candidate belongs to the tile of
// its owner, the grain in the lower slot, so a loop over the tiles in ascending order has finished a grain
// when it has finished the grain's tile. The candidates of a tile are contiguous: first the pairs that
// touched when the lists were built, as groups of rows side by side (scree_kernel_job), then lists of the
// others: pairs inside the tile, and pairs across tiles, together with those that may wrap at a periodic face
// before the next search.
//
// A candidate is live if it was within the interaction range at the last evaluation, so that its law was
// evaluated.
//
// Invariants: the side of lower id is `low`; the history of a candidate that is not live is zero; lists are
// sorted by owner; every range of candidates begins at a multiple of 8, and rows and lists are padded with
// self-pairs (low == high), which are never live.

#ifndef SCREE_WORLD_CONTACTS_H
#define SCREE_WORLD_CONTACTS_H

#include "world/contact_key.h"
#include "world/records.h"

#include <scree/kernel.h>
#include <scree/resistance.h>

// most history values of a contact
enum { SCREE_CONTACTS_HISTORY = SCREE_LAW_HISTORY + SCREE_RESISTANCE_HISTORY };
static_assert(SCREE_CONTACTS_HISTORY % 4 == 0, "loops move histories by four values");

enum {
    SCREE_CONTACTS_TILE =
        1024, // grains; records, sums and histories of a tile fill half of a second-level cache
    SCREE_CONTACTS_NO_CLASS = 255,
    SCREE_CONTACTS_CROWDED = 1 << 12 // a slot with at least this many candidates is crowded
};

// Values of the virtual wall of a contact with a rough wall, which follow its history in rows.
enum { SCREE_CONTACTS_ROUGH = 6 };

// History layout of a class. Values beyond the layout are 0.
struct scree_contacts_layout {
    const struct scree_contact_law *law;
    size_t own;   // number of values of the law, which come first
    bool resists; // followed by the values of rolling and twisting resistance
    bool outside; // of contacts from outside: followed by their normal
    bool rough;   // of contacts with rough walls, as rows: followed by their virtual wall
};

// Number of history values of a layout.
static inline size_t scree_contacts_layout_length(const struct scree_contacts_layout *layout)
{
    return layout->own + (layout->resists ? SCREE_RESISTANCE_HISTORY : 0) + (layout->outside ? 3 : 0) +
           (layout->rough ? SCREE_CONTACTS_ROUGH : 0);
}

// Number of history values, out of `all`, that a contact keeps when its class changes from `old` to `now`:
// values of another law are dropped.
static inline size_t scree_contacts_valid_history(const struct scree_contacts_layout *old,
                                                  const struct scree_contacts_layout *now, size_t all)
{
    if (old->law != now->law)
        return 0;
    return old->resists == now->resists || all < now->own ? all : now->own;
}

// Contacts with walls, sorted by slot of the grain, then wall and feature.
struct scree_wall_contacts {
    size_t count;
    size_t *first;           // [tiles + 1]
    struct scree_pair *pair; // slot of the grain, slot of the wall
    uint32_t *feature;       // feature of the wall
    uint32_t *order;         // contacts of each tile in order of wall and feature; null until needed
    size_t slots;            // number of walls when the lists were built
    uint64_t *id;            // [slots]: their ids
    uint8_t *class_of;       // class
    struct scree_contacts_layout *layout; // by class
    size_t layouts;
    uint8_t *live;   // one byte each: within range at the last evaluation
    size_t stride;   // doubles in a history
    double *history; // [count * stride]
    // [SCREE_CONTACTS_ROUGH * count]: virtual walls (contact/rough_contacts.h); null if no wall is rough
    double *rough;
    double *force; // [3 * count]: force on the grain at the last evaluation of those in range
    bool unsorted; // slots have changed since (UINT32_MAX: removed), so tiles are not valid
};

// The virtual wall of a contact; null if it has none.
static inline double *scree_contacts_rough(const struct scree_wall_contacts *walls, size_t contact)
{
    return walls->rough ? walls->rough + SCREE_CONTACTS_ROUGH * contact : NULL;
}

// Contacts from outside: those of polyhedra with other bodies and with walls, whose geometry is computed by
// queries of pairs (contact/outside.h). A pair has up to SCREE_OUTSIDE_MOST contacts at a time. Contact n of
// pair p is number SCREE_OUTSIDE_MOST p + n; the live ones of a pair come first, in any order.
//
// The history of a contact is that of its law and of resistance, and the normal at the last evaluation.
enum { SCREE_OUTSIDE_MOST = 64, SCREE_OUTSIDE_STRIDE = 20 };
static_assert(SCREE_CONTACTS_HISTORY + 3 <= SCREE_OUTSIDE_STRIDE, "histories fit");

struct scree_outside_contacts {
    size_t pairs;
    size_t *first;                        // [tiles + 1]: pairs of each tile
    struct scree_pair *pair;              // slots of two grains, or slot of a grain and of a wall
    uint64_t *wall;                       // id of the wall, 0 for two grains
    uint8_t *class_of;                    // class, by pair
    struct scree_contacts_layout *layout; // by class
    size_t layouts;
    uint8_t *live;     // number of live contacts, by pair
    double *axis;      // [3 * pairs] direction that speeds up the next query; not part of the state
    size_t stride;     // doubles in a history, a multiple of 4
    uint32_t *feature; // by contact: which features of the two sides touch
    double *history;   // by contact
    double *force;     // [3] by contact: on the first side at the last evaluation
    bool unsorted;     // slots have changed since (UINT32_MAX: removed), so tiles are not valid
};

struct scree_contacts {
    size_t grains, tiles;
    size_t candidates;                    // including padding, a multiple of 8
    size_t pair_count;                    // candidates without padding
    size_t history_capacity;              // candidates for which histories are allocated
    size_t *first;                        // [SCREE_CONTACTS_RANGES * tiles + 1], see scree_contacts_range
    size_t *group;                        // [tiles + 1]: first group of rows of each tile
    uint8_t *depth;                       // by group: length of its longest row
    struct scree_pair *pair;              // [candidates]
    uint8_t *class_of;                    // [candidates]: class of each; null if there is only one
    struct scree_contacts_layout *layout; // by class; null if all histories have the same layout
    size_t layouts;
    size_t stride;             // doubles in a history, a multiple of 4; 0 if no law has a history
    double *history;           // [history_capacity * stride]
    uint8_t *live;             // [candidates / 8]: one bit each: within range at the last evaluation
    double *tangential_factor; // [grains]: see scree_kernel_job; null without carried grains
    uint32_t *row_first;       // [grains + 1]: null until scree_contacts_index
    uint32_t *row;             // [row_first[grains]]: candidates of each slot
    uint32_t *by_id;           // [grains]: slots by ascending body id; null until scree_contacts_find
    uint32_t *crowded;         // slots with SCREE_CONTACTS_CROWDED candidates or more
    size_t crowded_count;      // number of crowded slots
    uint64_t *id;              // [grains]: id of the body of each slot when the lists were built
    uint64_t *carried; // [grains]: ids of carried grains, 0 for bodies' own; null without carried grains
    uint32_t
        *part; // [grains]: number of the grain within its body, 0 for its own; null without carried grains
    struct scree_wall_contacts walls;
    struct scree_outside_contacts outside;
};

// Ranges of the candidates of a tile.
enum scree_contacts_range {
    SCREE_CONTACTS_ROWS,
    SCREE_CONTACTS_INSIDE,
    SCREE_CONTACTS_ACROSS,
    SCREE_CONTACTS_RANGES
};

// First candidate of a range; the range ends where the next one begins.
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

// Key of a contact with a wall; its grain must not have been removed.
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

// Key of a pair from outside, whose sides must not have been removed, without a feature.
static inline struct scree_contact_key
scree_contacts_outside_pair_key(const struct scree_contacts *contacts,
                                const struct scree_outside_contacts *outside, size_t pair)
{
    const struct scree_pair slots = outside->pair[pair];
    const uint64_t wall = outside->wall[pair];
    return (struct scree_contact_key){.low = contacts->id[slots.low],
                                      .high = wall > 0 ? wall : contacts->id[slots.high],
                                      .low_part = scree_contacts_part(contacts, slots.low),
                                      .high_part = wall > 0 ? 0 : scree_contacts_part(contacts, slots.high),
                                      .kind = wall > 0 ? SCREE_CONTACT_OF_SHAPE_AND_WALL
                                                       : SCREE_CONTACT_OF_SHAPES};
}

// Key of its contact n.
static inline struct scree_contact_key scree_contacts_outside_key(const struct scree_contacts *contacts,
                                                                  size_t pair, size_t n)
{
    struct scree_contact_key key = scree_contacts_outside_pair_key(contacts, &contacts->outside, pair);
    key.feature = contacts->outside.feature[SCREE_OUTSIDE_MOST * pair + n];
    return key;
}

static inline bool scree_contacts_is_live(const struct scree_contacts *contacts, size_t candidate)
{
    return contacts->live[candidate / 8] >> (candidate % 8) & 1;
}

// Returns whether the law must end a contact that has left the interaction range. If the energy of the
// contact is out of the ledger because a side was edited (`flags` of both sides), its history is cleared
// instead.
static inline bool scree_contacts_must_end(double *history, size_t stride, uint32_t flags)
{
    const bool out = flags & SCREE_FLAG_OUT_OF_LEDGER;
    for (size_t k = 0; k < stride && out; ++k)
        history[k] = 0;
    return !out;
}

// Builds the index of candidates by slot, valid until the next search. Only edits of bodies need it.
SCREE_NODISCARD scree_status scree_contacts_index(struct scree_contacts *contacts);

// Slot of a body when the lists were built, which may belong to another body now; SIZE_MAX if it is not in
// the lists.
size_t scree_contacts_find(struct scree_contacts *contacts, uint64_t id);

// Index in `by_id`, which must exist, of the first grain with an id, or where it would be.
size_t scree_contacts_first_of(const struct scree_contacts *contacts, uint64_t id);

// Frees the contacts from outside.
void scree_contacts_free_outside(struct scree_outside_contacts *outside);

// Frees all contact lists.
void scree_contacts_free(struct scree_contacts *contacts);

#endif
