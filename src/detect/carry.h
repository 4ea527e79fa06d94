// What contacts remember, taken from the lists of the last search to those of the next.

#ifndef SCREE_DETECT_CARRY_H
#define SCREE_DETECT_CARRY_H

#include "base/status.h"
#include "base/team.h"
#include "world/contacts.h"

// For each new candidate 1 + the old one of the same two grains, if that was live.
struct scree_carry {
    const struct scree_contacts *old;
    uint32_t *from;    // [candidates]
    uint64_t *source;  // room for one bit more than there are old candidates
    size_t candidates; // 0 when nothing was live, and nothing need be looked for
};

enum { SCREE_CARRY_STRIDE = 64 }; // at most so many values in a history

SCREE_NODISCARD scree_status scree_carry_begin(struct scree_carry *carry, const struct scree_contacts *old,
                                               size_t candidates);

// The old candidate of a pair, SIZE_MAX if there is none, wherever it may be; see scree_carry_match.
size_t scree_carry_find(const struct scree_contacts *old, const uint64_t *id, size_t next[2], bool inside,
                        struct scree_pair pair);

// Looks for the old candidate of a new one. `next` is where the old ones of the tile are expected, across
// its rim and inside it, and moves on.
static inline void scree_carry_match(const struct scree_carry *carry, const uint64_t *id, size_t next[2],
                                     bool inside, size_t candidate, struct scree_pair pair)
{
    const struct scree_contacts *old = carry->old;
    size_t from = next[inside];
    if (from < old->candidates && old->pair[from].low == pair.low && old->pair[from].high == pair.high)
        next[inside] = from + 1;
    else
        from = scree_carry_find(old, id, next, inside, pair);
    const bool live = from != SIZE_MAX && scree_contacts_is_live(old, from);
    carry->from[candidate] = live ? (uint32_t)from + 1 : 0;
}

// Writes life and history of all candidates of `contacts`, as far as the latter is of the law that they have
// now. Its life is clear, its classes are told; its histories are zero, or they
// are those of the old lists, and are moved about there. What was found is used up.
void scree_carry_write(struct scree_carry *carry, struct scree_contacts *contacts,
                       const struct scree_team *team);

void scree_carry_free(struct scree_carry *carry);

#endif
