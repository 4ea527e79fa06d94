// Pieces, see pieces.h.

#include "contact/pieces.h"

#include "base/memory.h"

#include <string.h>

// pieces per thread, for load balance; least number of tiles of a piece
enum { PER_THREAD = 4, MIN_TILES = 4 };

struct division {
    const struct scree_contacts *contacts;
    const struct scree_bond_lists *bonds;
    struct scree_pieces *pieces;
    uint32_t *row_of; // [threads][grains]: 1 + extra row of a grain in the current piece, or 0; pages that no
                      // piece writes take no memory
    size_t *rows;     // by piece
};

// Pairs from outside of a piece: those from one tile to another.
static size_t first_outside(const struct division *division, size_t tile)
{
    return division->contacts->outside.pairs > 0 ? division->contacts->outside.first[tile] : 0;
}

static size_t end_of(const struct division *division, size_t piece)
{
    const size_t end = division->pieces->tile[piece + 1] * SCREE_CONTACTS_TILE;
    return end < division->contacts->grains ? end : division->contacts->grains;
}

static uint32_t higher_of(struct scree_pair pair)
{
    return pair.low > pair.high ? pair.low : pair.high;
}

// Bonds of a piece: the entries from one tile to another. There are none without lists.
static size_t first_bond(const struct division *division, size_t tile)
{
    return division->bonds->live > 0 ? division->bonds->first[tile] : 0;
}

// The row of a grain of a piece that ends at `end`; numbered if it is new.
static uint32_t number_row(const struct division *division, uint32_t grain, size_t end, uint32_t *row_of,
                           uint32_t *rows)
{
    if (grain < end)
        return grain;
    if (row_of[grain] == 0)
        row_of[grain] = ++*rows;
    return (uint32_t)division->contacts->grains + row_of[grain] - 1;
}

// Numbers the extra rows of a piece from the number of grains on, in each piece. Clears `row_of` again.
static void number_rows_of_piece(const struct division *division, size_t piece, uint32_t *row_of)
{
    const struct scree_contacts *contacts = division->contacts;
    const size_t *tile = division->pieces->tile, end = end_of(division, piece);
    const size_t first = scree_contacts_first(contacts, tile[piece], 0),
                 last = scree_contacts_first(contacts, tile[piece + 1], 0);
    uint32_t *sum_index = division->pieces->sum_index, rows = 0;
    for (size_t c = first; c < last; ++c) {
        const uint32_t higher = higher_of(contacts->pair[c]);
        sum_index[c] = number_row(division, higher, end, row_of, &rows);
    }
    const size_t first_of_bonds = first_bond(division, tile[piece]),
                 last_of_bonds = first_bond(division, tile[piece + 1]);
    for (size_t b = first_of_bonds; b < last_of_bonds; ++b) {
        struct scree_bond_entry *bond = &division->bonds->entry[b];
        const int higher = scree_bond_lists_higher(bond);
        bond->sum[higher] = number_row(division, bond->slot[higher], end, row_of, &rows);
    }
    const struct scree_outside_contacts *outside = &contacts->outside;
    const size_t first_of_outside = first_outside(division, tile[piece]),
                 last_of_outside = first_outside(division, tile[piece + 1]);
    for (size_t p = first_of_outside; p < last_of_outside; ++p)
        if (outside->wall[p] == 0)
            division->pieces->outside[p] =
                number_row(division, higher_of(outside->pair[p]), end, row_of, &rows);
    for (size_t p = first_of_outside; p < last_of_outside; ++p)
        if (outside->wall[p] == 0 && division->pieces->outside[p] >= contacts->grains)
            row_of[higher_of(outside->pair[p])] = 0;
    for (size_t c = first; c < last; ++c)
        if (sum_index[c] >= contacts->grains)
            row_of[higher_of(contacts->pair[c])] = 0;
    for (size_t b = first_of_bonds; b < last_of_bonds; ++b) {
        const struct scree_bond_entry *bond = &division->bonds->entry[b];
        const int higher = scree_bond_lists_higher(bond);
        if (bond->sum[higher] >= contacts->grains)
            row_of[bond->slot[higher]] = 0;
    }
    division->rows[piece] = rows;
}

// Shifts these numbers by the extra rows of the pieces before.
static void shift_rows_of_piece(const struct division *division, size_t piece)
{
    const struct scree_contacts *contacts = division->contacts;
    struct scree_pieces *pieces = division->pieces;
    const size_t *tile = pieces->tile;
    const size_t last = scree_contacts_first(contacts, tile[piece + 1], 0);
    for (size_t c = scree_contacts_first(contacts, tile[piece], 0); c < last; ++c) {
        if (pieces->sum_index[c] < contacts->grains)
            continue;
        pieces->sum_index[c] += (uint32_t)pieces->row_first[piece];
        pieces->grain_of[pieces->sum_index[c] - contacts->grains] = higher_of(contacts->pair[c]);
    }
    const size_t last_of_bonds = first_bond(division, tile[piece + 1]);
    for (size_t b = first_bond(division, tile[piece]); b < last_of_bonds; ++b) {
        struct scree_bond_entry *bond = &division->bonds->entry[b];
        const int higher = scree_bond_lists_higher(bond);
        if (bond->sum[higher] < contacts->grains)
            continue;
        bond->sum[higher] += (uint32_t)pieces->row_first[piece];
        pieces->grain_of[bond->sum[higher] - contacts->grains] = bond->slot[higher];
    }
    const struct scree_outside_contacts *outside = &contacts->outside;
    const size_t last_of_outside = first_outside(division, tile[piece + 1]);
    for (size_t p = first_outside(division, tile[piece]); p < last_of_outside; ++p) {
        if (outside->wall[p] > 0 || pieces->outside[p] < contacts->grains)
            continue;
        pieces->outside[p] += (uint32_t)pieces->row_first[piece];
        pieces->grain_of[pieces->outside[p] - contacts->grains] = higher_of(outside->pair[p]);
    }
}

static void number_rows_of_pieces(void *context, size_t first, size_t last, int thread)
{
    const struct division *division = (const struct division *)context;
    uint32_t *row_of = division->row_of + (size_t)thread * division->contacts->grains;
    for (size_t p = first; p < last; ++p)
        number_rows_of_piece(division, p, row_of);
}

static void shift_rows(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    for (size_t p = first; p < last; ++p)
        shift_rows_of_piece((const struct division *)context, p);
}

static scree_status sort_rows(struct scree_pieces *pieces)
{
    const size_t blocks = (pieces->grains + SCREE_SUMS_BLOCK - 1) / SCREE_SUMS_BLOCK;
    SCREE_TRY(scree_memory_new(pieces->rows, sizeof *pieces->row, (void **)&pieces->row));
    SCREE_TRY(scree_memory_new(blocks + 2, sizeof *pieces->block_first, (void **)&pieces->block_first));
    size_t *next = pieces->block_first + 1;
    for (size_t r = 0; r < pieces->rows; ++r)
        ++next[pieces->grain_of[r] / SCREE_SUMS_BLOCK + 1];
    for (size_t b = 0; b < blocks; ++b)
        next[b + 1] += next[b];
    for (size_t r = 0; r < pieces->rows; ++r)
        pieces->row[next[pieces->grain_of[r] / SCREE_SUMS_BLOCK]++] =
            (struct scree_pieces_row){pieces->grain_of[r], (uint32_t)(pieces->grains + r)};
    return SCREE_OK;
}

static scree_status allocate_rows(struct division *division, const struct scree_team *team)
{
    struct scree_pieces *pieces = division->pieces;
    scree_team_run(team, pieces->count, 1, number_rows_of_pieces, division);
    for (size_t p = 0; p < pieces->count; ++p)
        pieces->row_first[p + 1] = pieces->row_first[p] + division->rows[p];
    pieces->rows = pieces->row_first[pieces->count];
    if (pieces->rows + pieces->grains >= UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "too many grains for the sums of contact forces: %zu",
                                 pieces->grains);
    SCREE_TRY(scree_memory_new(pieces->rows, sizeof *pieces->grain_of, (void **)&pieces->grain_of));
    scree_team_run(team, pieces->count, 1, shift_rows, division);
    return sort_rows(pieces);
}

static scree_status number_rows(struct division *division, const struct scree_team *team)
{
    const struct scree_contacts *contacts = division->contacts;
    struct scree_pieces *pieces = division->pieces;
    const size_t count = pieces->count, threads = (size_t)scree_team_size(team);
    SCREE_TRY(scree_memory_new(contacts->candidates, sizeof *pieces->sum_index, (void **)&pieces->sum_index));
    SCREE_TRY(scree_memory_new(contacts->outside.pairs, sizeof *pieces->outside, (void **)&pieces->outside));
    SCREE_TRY(scree_memory_new(count + 1, sizeof *pieces->row_first, (void **)&pieces->row_first));
    SCREE_TRY(scree_memory_new(count, sizeof *division->rows, (void **)&division->rows));
    SCREE_TRY(
        scree_memory_new(threads * contacts->grains, sizeof *division->row_of, (void **)&division->row_of));
    return allocate_rows(division, team);
}

static size_t pieces_for(const struct scree_team *team, size_t tiles)
{
    const size_t threads = (size_t)scree_team_size(team), most = PER_THREAD * threads;
    if (threads == 1 || tiles <= 1)
        return 1;
    const size_t wanted = tiles / MIN_TILES, least = threads < tiles ? threads : tiles;
    return wanted < least ? least : wanted < most ? wanted : most;
}

scree_status scree_pieces_cut(struct scree_pieces *pieces, const struct scree_contacts *contacts,
                              const struct scree_bond_lists *bonds, const struct scree_team *team)
{
    scree_pieces_free(pieces);
    pieces->count = pieces_for(team, contacts->tiles);
    pieces->grains = contacts->grains;
    scree_status status = scree_memory_new(pieces->count + 1, sizeof *pieces->tile, (void **)&pieces->tile);
    for (size_t p = 0; status == SCREE_OK && p <= pieces->count; ++p)
        pieces->tile[p] = contacts->tiles * p / pieces->count;
    struct division division = {.contacts = contacts, .bonds = bonds, .pieces = pieces};
    if (status == SCREE_OK && pieces->count > 1)
        status = number_rows(&division, team);
    scree_memory_free(division.rows);
    scree_memory_free(division.row_of);
    if (status != SCREE_OK)
        scree_pieces_free(pieces);
    return status;
}

void scree_pieces_free(struct scree_pieces *pieces)
{
    void *const blocks[] = {pieces->tile, pieces->sum_index, pieces->grain_of, pieces->block_first,
                            pieces->row,  pieces->row_first, pieces->outside};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *pieces = (struct scree_pieces){0};
}

uint32_t scree_pieces_row_of(const struct scree_pieces *pieces, size_t piece, uint32_t grain)
{
    const size_t tile = grain / SCREE_CONTACTS_TILE, block = grain / SCREE_SUMS_BLOCK;
    if (tile >= pieces->tile[piece] && tile < pieces->tile[piece + 1])
        return grain;
    if (pieces->rows == 0)
        return UINT32_MAX;
    const size_t first = pieces->grains + pieces->row_first[piece],
                 end = pieces->grains + pieces->row_first[piece + 1];
    for (size_t r = pieces->block_first[block]; r < pieces->block_first[block + 1]; ++r)
        if (pieces->row[r].grain == grain && pieces->row[r].row >= first && pieces->row[r].row < end)
            return pieces->row[r].row;
    return UINT32_MAX;
}
