// Pieces: runs of tiles that threads work on side by side without touching the same sums.
//
// A candidate belongs to the tile of its grain in the lower slot (contacts.h), so a piece adds to grains of
// its own and of later pieces. What it adds to the latter goes to rows of its own, one for each such grain,
// beyond those of the grains. Blocks of bodies that other pieces add to are finished when all pieces are
// done, and the rows are merged then; all others as soon as their tile is.
//
// What always holds: no bit depends on how many pieces there are.

#ifndef SCREE_CONTACT_PIECES_H
#define SCREE_CONTACT_PIECES_H

#include "base/team.h"
#include "contact/sums.h"

// A row that another piece adds to, and the grain whose it is.
struct scree_pieces_row {
    uint32_t grain, row;
};

struct scree_pieces {
    size_t count;
    size_t *tile;        // [count + 1] where each begins
    uint32_t *into;      // by candidate, see scree_kernel_job; null while there is one piece
    size_t grains, rows; // rows beyond those of the grains
    uint32_t *grain_of;  // [rows]
    // rows in order of their grains' blocks, and where those of each begin
    size_t *block_first;
    struct scree_pieces_row *row;
    size_t *row_first; // [count + 1] the first row of each piece
};

// Cuts new lists into pieces for a team. A failure leaves none.
SCREE_NODISCARD scree_status scree_pieces_cut(struct scree_pieces *pieces,
                                              const struct scree_contacts *contacts,
                                              const struct scree_team *team);
void scree_pieces_free(struct scree_pieces *pieces);

// Whether a block of bodies waits for other pieces.
static inline bool scree_pieces_waits(const struct scree_pieces *pieces, size_t block)
{
    return pieces->rows > 0 && pieces->block_first[block] < pieces->block_first[block + 1];
}

// The row in which a piece sums a grain, UINT32_MAX where it never does.
uint32_t scree_pieces_row_of(const struct scree_pieces *pieces, size_t piece, uint32_t grain);

#endif
