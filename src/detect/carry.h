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

// Where in the old row of a grain another one is, or the row's length if it is not: `expected` is tried
// first.
size_t scree_carry_find(const struct scree_contacts *old, const uint64_t *id, uint32_t grain, uint32_t other,
                        size_t expected);

// Looks for the old candidate of a new one of `grain` and `other`. Rows run by ascending id in old and new
// lists, and mostly they are the same but for a few: `next` is where the old one is expected in the old row,
// and moves on.
static inline void scree_carry_match(const struct scree_carry *carry, const uint64_t *id, size_t *next,
                                     size_t candidate, uint32_t grain, uint32_t other)
{
    const struct scree_contacts *old = carry->old;
    if (grain >= old->grains) {
        carry->from[candidate] = 0;
        return;
    }
    const size_t length = old->row_first[grain + 1] - old->row_first[grain];
    const size_t at = scree_carry_find(old, id, grain, other, *next);
    const size_t from = at < length ? old->row[old->row_first[grain] + at] >> 1 : SIZE_MAX;
    *next = at < length ? at + 1 : *next;
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
