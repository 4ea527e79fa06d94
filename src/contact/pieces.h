// Pieces: groups of consecutive tiles, which threads process in parallel without writing to the same sums.
//
// A candidate or a bond belongs to the tile of its grain in the lower slot (contacts.h), so a piece adds to
// its own grains and to grains of later pieces. For each grain of a later piece it has an extra row of sums,
// after the rows of the grains. Blocks of bodies that other pieces add to are finished after all pieces, when
// the extra rows are merged; all other blocks are finished with their tile.
//
// Invariants: results are bitwise independent of the number of pieces.

#ifndef SCREE_CONTACT_PIECES_H
#define SCREE_CONTACT_PIECES_H

#include "base/team.h"
#include "contact/bond_lists.h"
#include "contact/sums.h"

// An extra row, and its grain.
struct scree_pieces_row {
    uint32_t grain, row;
};

struct scree_pieces {
    size_t count;
    size_t *tile;        // [count + 1] first tile of each piece
    uint32_t *sum_index; // by candidate, see scree_kernel_job; null if there is one piece
    uint32_t *outside;   // by pair from outside, the same; of two grains only
    size_t grains, rows; // `rows`: extra rows
    uint32_t *grain_of;  // [rows] grain of each extra row
    // extra rows sorted by the block of their grain, and the first of each block
    size_t *block_first;
    struct scree_pieces_row *row;
    size_t *row_first; // [count + 1] first extra row of each piece
};

// Divides new lists into pieces for a team, and numbers the sums of bonds. Empty on failure.
SCREE_NODISCARD scree_status scree_pieces_cut(struct scree_pieces *pieces,
                                              const struct scree_contacts *contacts,
                                              const struct scree_bond_lists *bonds,
                                              const struct scree_team *team);
void scree_pieces_free(struct scree_pieces *pieces);

// Returns true if other pieces add to a block of bodies.
static inline bool scree_pieces_block_is_shared(const struct scree_pieces *pieces, size_t block)
{
    return pieces->rows > 0 && pieces->block_first[block] < pieces->block_first[block + 1];
}

// The row in which a piece sums a grain, UINT32_MAX if there is none.
uint32_t scree_pieces_row_of(const struct scree_pieces *pieces, size_t piece, uint32_t grain);

#endif
