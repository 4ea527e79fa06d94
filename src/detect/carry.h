// What contacts remember, taken from the lists of the last search to those of the next.

#ifndef SCREE_DETECT_CARRY_H
#define SCREE_DETECT_CARRY_H

#include "detect/rows.h"

// Where the candidates of each tile's grains begin, and how many there are.
struct scree_carry_ranges {
    size_t *inside; // [tiles + 1], as in the lists
    size_t *across; // [tiles + 1] the first one across tiles that a tile's grains own
    size_t longest, real;
};

struct scree_carry {
    uint32_t *from;    // [candidates] 1 + the old candidate of the same two grains, if that was live
    size_t *before;    // [blocks + 1] live ones before each block of SCREE_CARRY_BLOCK candidates
    size_t candidates; // 0 when nothing was live
    double *saved;     // histories of the live ones, one behind the other
    size_t width;      // doubles kept of each
};

enum { SCREE_CARRY_BLOCK = 8192 };

// The candidate that an entry of a grain's row stands for.
static inline size_t scree_carry_candidate(const struct scree_contacts *contacts, size_t grain,
                                           uint32_t entry)
{
    const size_t base = entry & 2 ? contacts->inside[grain / SCREE_CONTACTS_TILE] : 0;
    return base + (entry >> 2);
}

// Finds what is to be carried, merging rows that are sorted alike.
SCREE_NODISCARD scree_status scree_carry_match(struct scree_carry *carry, const struct scree_contacts *old,
                                               const struct scree_candidates_input *input,
                                               const struct scree_rows *rows,
                                               const struct scree_carry_ranges *ranges);

// Takes histories out of the old lists, so that their room can be used again.
SCREE_NODISCARD scree_status scree_carry_save(struct scree_carry *carry, const struct scree_contacts *old,
                                              const struct scree_team *team);

// Writes life and history of all candidates of `contacts`, from what was saved, or from other lists, `old`.
void scree_carry_write(const struct scree_carry *carry, const struct scree_contacts *old,
                       struct scree_contacts *contacts, const struct scree_team *team);

void scree_carry_free(struct scree_carry *carry);

#endif
