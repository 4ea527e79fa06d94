// Copies live flags and contact histories from the lists of the last search to the new lists.

#ifndef SCREE_DETECT_CARRY_H
#define SCREE_DETECT_CARRY_H

#include "base/status.h"
#include "base/team.h"
#include "world/contacts.h"

// Old live contacts of a tile by owner: the other slot, and 1 + the candidate.
struct scree_carry_scratch {
    uint32_t first[SCREE_CONTACTS_TILE + 2];
    uint64_t *entry;
};

// `from` maps each new candidate to 1 + the old candidate of the same two grains, or 0 if that was not live.
struct scree_carry {
    const struct scree_contacts *old;
    uint32_t *from;    // [candidates]
    uint64_t *source;  // bit 1 + c is set if old candidate c is carried over
    size_t candidates; // 0 if no old contact was live
    size_t *first;     // after renumbering: old live candidates sorted by tile, and the first of each
    uint32_t *sorted;
    struct scree_carry_scratch *scratch;
    int threads;
};

SCREE_NODISCARD scree_status scree_carry_begin(struct scree_carry *carry, const struct scree_contacts *old,
                                               size_t candidates, int threads);

// Indexes the old live contacts of a tile by owner, for the thread that matches them.
void scree_carry_index(const struct scree_carry *carry, size_t tile, int thread);

// Searches the old live contacts of an owner, given by its index in the tile, for the one with slot `other`.
// Returns 1 + the candidate and sets `next` to the entry after it, or returns 0.
uint32_t scree_carry_search(const struct scree_carry_scratch *scratch, uint32_t index, uint32_t other,
                            uint32_t *next);

// Finds the old candidate of a new one. Old and new lists of an owner mostly have the same order, so the
// entry `next` is tried first; `next` is advanced.
static inline uint32_t scree_carry_match(const struct scree_carry_scratch *scratch, uint32_t index,
                                         uint32_t other, uint32_t *next)
{
    if (*next < scratch->first[index + 1] && scratch->entry[*next] >> 32 == other)
        return (uint32_t)scratch->entry[(*next)++];
    return scree_carry_search(scratch, index, other, next);
}

// Writes live flags and histories of all candidates of `contacts`, as far as histories belong to the current
// law. Requires cleared live flags and known classes; histories are zero, or share memory with the old lists
// and are moved in place. Destroys `from`.
void scree_carry_write(struct scree_carry *carry, struct scree_contacts *contacts,
                       const struct scree_team *team);

void scree_carry_free(struct scree_carry *carry);

#endif
