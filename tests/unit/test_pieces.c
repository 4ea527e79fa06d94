// Division of contact loops into pieces (contact/pieces.h): every candidate pair is summed in a row of its
// grain, no two pieces share a row, and exactly the blocks to which several pieces add are shared. Checked
// by counting, for several orders of grains and teams of one to eight threads.

#include "base/memory.h"
#include "contact/pieces.h"
#include "detect/candidates.h"
#include "support/splitmix.h"
#include "support/worlds.h"

#include <stdlib.h>

static const struct scree_bond_lists no_bonds;

// ten tiles, the last one not full
enum { GRAINS = 9 * SCREE_CONTACTS_TILE + 300, THREADS = 8 };

enum order { SORTED, RANDOM, PERIODIC, UNEVEN, ORDERS };

struct bed {
    struct scree_grain grain[GRAINS];
    uint64_t id[GRAINS];
    struct scree_contacts contacts;
    struct scree_pieces pieces;
    uint64_t random;
};

static struct bed bed;

static double random_unit(void)
{
    return (double)(splitmix_next(&bed.random) >> 11) * 0x1p-53;
}

static int by_x(const void *a, const void *b)
{
    const struct scree_grain *left = a, *right = b;
    return (left->position[0] > right->position[0]) - (left->position[0] < right->position[0]);
}

// A long box of grains of radius 1/2, of whose neighbours a third overlap; ids in no order.
static void build_bed(enum order order)
{
    static const uint8_t class_of[2 * 2];
    const struct scree_team team = {1};
    const double side[3] = {GRAINS / 50.0, 7, 7};
    memset(&bed, 0, sizeof bed);
    bed.random = 11 + (uint64_t)order;
    for (size_t i = 0; i < GRAINS; ++i) {
        bed.grain[i].radius = 0.5;
        bed.grain[i].material = 1;
        for (int k = 0; k < 3; ++k)
            bed.grain[i].position[k] = side[k] * random_unit();
        bed.id[i] = 1 + (7919 * i) % GRAINS;
    }
    if (order != RANDOM)
        qsort(bed.grain, GRAINS, sizeof bed.grain[0], by_x);
    // one grain that overlaps all others
    if (order == UNEVEN) {
        struct scree_grain *large = &bed.grain[5 * SCREE_CONTACTS_TILE + 17];
        large->radius = side[0];
        large->position[0] = 0.5 * side[0];
    }
    struct scree_candidates_input input = {.grain = bed.grain,
                                           .id = bed.id,
                                           .count = GRAINS,
                                           .margin = 0.05,
                                           .max_displacement = 0.025,
                                           .class_of = class_of,
                                           .materials = 2,
                                           .classes = 1,
                                           .dimension = 3,
                                           .team = &team};
    for (int k = 0; k < 3; ++k)
        input.period[k] = order == PERIODIC && k == 0 ? side[0] : INFINITE;
    assert_ok(scree_candidates_build(&bed.contacts, &input));
    assert_int_equal(bed.contacts.tiles, 10);
    assert_true(bed.contacts.pair_count > GRAINS);
}

static void free_bed(void)
{
    scree_pieces_free(&bed.pieces);
    scree_contacts_free(&bed.contacts);
}

static size_t piece_of(size_t grain)
{
    size_t piece = 0;
    while (grain / SCREE_CONTACTS_TILE >= bed.pieces.tile[piece + 1])
        ++piece;
    return piece;
}

static void assert_pieces_cover_all_tiles(void)
{
    const struct scree_pieces *pieces = &bed.pieces;
    assert_int_equal(pieces->tile[0], 0);
    assert_int_equal(pieces->tile[pieces->count], bed.contacts.tiles);
    for (size_t p = 0; p < pieces->count; ++p)
        assert_true(pieces->tile[p] < pieces->tile[p + 1]);
}

// The rows of a piece to which the forces on the two grains of a candidate are added.
static void sum_rows(size_t piece, size_t candidate, uint32_t row[2])
{
    const struct scree_pieces *pieces = &bed.pieces;
    const struct scree_pair pair = bed.contacts.pair[candidate];
    const uint32_t lower = pair.low < pair.high ? pair.low : pair.high, higher = pair.low + pair.high - lower;
    row[0] = lower;
    row[1] = pieces->sum_index ? pieces->sum_index[candidate] : higher;
    assert_int_equal(piece_of(lower), piece);
    if (piece_of(higher) == piece) {
        assert_int_equal(row[1], higher);
    } else {
        assert_true(row[1] >= GRAINS + pieces->row_first[piece] &&
                    row[1] < GRAINS + pieces->row_first[piece + 1]);
        assert_int_equal(pieces->grain_of[row[1] - GRAINS], higher);
    }
    for (int side = 0; side < 2; ++side)
        assert_int_equal(scree_pieces_row_of(pieces, piece, side ? higher : lower), row[side]);
}

// Counts candidates per row, then adds the rows of a grain: each grain must get the number of its
// candidates.
static void assert_candidates_are_summed_once(void)
{
    const struct scree_pieces *pieces = &bed.pieces;
    struct scree_contacts *contacts = &bed.contacts;
    uint32_t *count = calloc(GRAINS + pieces->rows, sizeof *count);
    bool *shared = calloc(GRAINS, 1);
    assert_true(count && shared);
    for (size_t p = 0; p < pieces->count; ++p)
        for (size_t c = scree_contacts_first(contacts, pieces->tile[p], 0);
             c < scree_contacts_first(contacts, pieces->tile[p + 1], 0); ++c) {
            uint32_t row[2];
            if (contacts->pair[c].low == contacts->pair[c].high)
                continue;
            sum_rows(p, c, row);
            ++count[row[0]];
            ++count[row[1]];
            if (row[1] >= GRAINS)
                shared[pieces->grain_of[row[1] - GRAINS] / SCREE_SUMS_BLOCK] = true;
        }
    size_t merged = 0;
    for (size_t b = 0; b * SCREE_SUMS_BLOCK < GRAINS; ++b) {
        assert_true(scree_pieces_block_is_shared(pieces, b) == shared[b]);
        for (size_t r = shared[b] ? pieces->block_first[b] : 0; shared[b] && r < pieces->block_first[b + 1];
             ++r, ++merged) {
            const struct scree_pieces_row row = pieces->row[r];
            assert_int_equal(row.grain / SCREE_SUMS_BLOCK, b);
            assert_int_equal(row.grain, pieces->grain_of[row.row - GRAINS]);
            // every row is needed, and none occurs twice
            assert_true(count[row.row] > 0);
            count[row.grain] += count[row.row];
            count[row.row] = 0;
        }
    }
    assert_int_equal(merged, pieces->rows);
    assert_int_equal(scree_contacts_index(contacts), SCREE_OK);
    for (size_t i = 0; i < GRAINS; ++i)
        assert_int_equal(count[i], contacts->row_first[i + 1] - contacts->row_first[i]);
    free(shared);
    free(count);
}

// A piece has one row per grain, and none for grains that it never adds to.
static void assert_one_row_per_grain(void)
{
    const struct scree_pieces *pieces = &bed.pieces;
    size_t rows = 0;
    for (size_t p = 0; p < pieces->count; ++p)
        for (uint32_t i = 0; i < GRAINS; ++i) {
            const uint32_t row = scree_pieces_row_of(pieces, p, i);
            if (piece_of(i) == p)
                assert_int_equal(row, i);
            else
                rows += row != UINT32_MAX;
        }
    assert_int_equal(rows, pieces->rows);
}

static void every_candidate_is_summed_in_the_row_of_its_grain(void **state)
{
    (void)state;
    for (enum order order = 0; order < ORDERS; ++order) {
        size_t max_pieces = 0;
        build_bed(order);
        for (int threads = 1; threads <= THREADS; ++threads) {
            assert_ok(scree_pieces_cut(&bed.pieces, &bed.contacts, &no_bonds, &(struct scree_team){threads}));
            assert_true(bed.pieces.count >= (size_t)threads && (threads > 1 || bed.pieces.count == 1));
            max_pieces = bed.pieces.count > max_pieces ? bed.pieces.count : max_pieces;
            assert_true((bed.pieces.rows > 0) == (threads > 1));
            assert_pieces_cover_all_tiles();
            assert_candidates_are_summed_once();
            assert_one_row_per_grain();
        }
        assert_true(max_pieces >= 8);
        free_bed();
    }
}

// One tile cannot be divided: no piece has rows for grains of another.
static void one_tile_is_one_piece(void **state)
{
    (void)state;
    build_bed(SORTED);
    bed.contacts.tiles = 1;
    assert_ok(scree_pieces_cut(&bed.pieces, &bed.contacts, &no_bonds, &(struct scree_team){4}));
    assert_int_equal(bed.pieces.count, 1);
    assert_null(bed.pieces.sum_index);
    assert_false(scree_pieces_block_is_shared(&bed.pieces, 0));
    assert_int_equal(scree_pieces_row_of(&bed.pieces, 0, 17), 17);
    free_bed();
}

static void a_failed_allocation_leaves_no_pieces_and_no_memory(void **state)
{
    (void)state;
    build_bed(SORTED);
    const size_t before = scree_memory_live();
    uint64_t failures = 0;
    for (uint64_t nth = 1;; ++nth, ++failures) {
        scree_memory_fail_at(nth);
        const scree_status status =
            scree_pieces_cut(&bed.pieces, &bed.contacts, &no_bonds, &(struct scree_team){4});
        scree_memory_fail_at(0);
        if (status == SCREE_OK)
            break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_int_equal(scree_memory_live(), before);
        assert_int_equal(bed.pieces.count, 0);
    }
    assert_true(failures >= 8);
    free_bed();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_candidate_is_summed_in_the_row_of_its_grain),
        cmocka_unit_test(one_tile_is_one_piece),
        cmocka_unit_test(a_failed_allocation_leaves_no_pieces_and_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
