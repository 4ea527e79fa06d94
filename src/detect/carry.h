// What contacts remember, taken from the lists of the last search to those of the next.

#ifndef SCREE_DETECT_CARRY_H
#define SCREE_DETECT_CARRY_H

#include "base/status.h"
#include "base/team.h"
#include "world/contacts.h"

// What lived of a tile in the old lists, by owners: the other slot, and 1 + the candidate.
struct scree_carry_bench {
    uint32_t first[SCREE_CONTACTS_TILE + 2];
    uint64_t *entry;
};

// For each new candidate 1 + the old one of the same two grains, if that was live.
struct scree_carry {
    const struct scree_contacts *old;
    uint32_t *from;    // [candidates]
    uint64_t *source;  // room for one bit more than there are old candidates
    size_t candidates; // 0 when nothing was live, and nothing need be looked for
    size_t *first;     // where old candidates do not lie by tiles: those of each
    uint32_t *loose;
    struct scree_carry_bench *bench;
    int threads;
};

SCREE_NODISCARD scree_status scree_carry_begin(struct scree_carry *carry, const struct scree_contacts *old,
                                               size_t candidates, int threads);

// Looks at what lived of a tile, for the thread that is going to match it.
void scree_carry_look(const struct scree_carry *carry, size_t tile, int thread);

// Where among what lived of an owner, by its place in the tile, is the pair with another: what `from` is
// made of, and `next` is the one behind it; 0 if it is not there.
uint32_t scree_carry_seek(const struct scree_carry_bench *bench, uint32_t place, uint32_t other,
                          uint32_t *next);

// Looks for the old candidate of a new one. Mostly old and new lists of an owner run in the same order:
// `next` is where the old one is expected, and moves on.
static inline uint32_t scree_carry_match(const struct scree_carry_bench *bench, uint32_t place,
                                         uint32_t other, uint32_t *next)
{
    if (*next < bench->first[place + 1] && bench->entry[*next] >> 32 == other)
        return (uint32_t)bench->entry[(*next)++];
    return scree_carry_seek(bench, place, other, next);
}

// Writes life and history of all candidates of `contacts`, as far as the latter is of the law that they have
// now. Its life is clear, its classes are told; its histories are zero, or they
// are those of the old lists, and are moved about there. What was found is used up.
void scree_carry_write(struct scree_carry *carry, struct scree_contacts *contacts,
                       const struct scree_team *team);

void scree_carry_free(struct scree_carry *carry);

#endif
