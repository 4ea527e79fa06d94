// Checks of the rows of tiles for the tests of neighbour lists: their definition is evaluated pair by pair.

#ifndef SCREE_TEST_ROW_GROUPS_H
#define SCREE_TEST_ROW_GROUPS_H

#include "crowd.h"

enum { RANGES = SCREE_CONTACTS_RANGES, LANES = SCREE_KERNEL_WIDTH };

static uint32_t lower_slot(struct scree_pair pair)
{
    return pair.low < pair.high ? pair.low : pair.high;
}

// A tile has rows if enough of its pairs overlap per grain. Tiles with pairs at the limit of contact, or
// with grains with more neighbours than a row can contain, are not checked.
static void assert_tile_has_rows(const struct crowd *crowd, const struct scree_contacts *contacts,
                                 size_t tile)
{
    const double tolerance = 1e-13 * (crowd->side + 8);
    const size_t first_grain = tile * SCREE_CONTACTS_TILE, remaining = contacts->grains - first_grain;
    const size_t grains = remaining < SCREE_CONTACTS_TILE ? remaining : SCREE_CONTACTS_TILE;
    size_t touching = 0;
    for (size_t c = contacts->first[RANGES * tile]; c < contacts->first[RANGES * (tile + 1)]; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        bool direct;
        if (pair.low == pair.high)
            continue;
        const double gap = crowd_gap(crowd, pair.low, pair.high, &direct);
        const uint32_t owner = lower_slot(pair);
        if (fabs(gap) < tolerance || contacts->row_first[owner + 1] - contacts->row_first[owner] > 16)
            return;
        touching += gap < 0;
    }
    const bool rows = contacts->group[tile] != contacts->group[tile + 1];
    assert_int_equal(rows, touching > 0 &&
                               (double)touching >= crowd->input.min_touching_per_grain * (double)grains);
}

// Groups follow each other in the ranges of rows: each row belongs to one grain, all rows of a group have one
// class, the first row is the longest, and shorter ones are padded.
static void assert_groups_are_valid(const struct crowd *crowd, const struct scree_contacts *contacts)
{
    assert_int_equal(contacts->tiles > 0 ? contacts->group[0] : 0, 0);
    for (size_t t = 0; t < contacts->tiles; ++t) {
        size_t c = scree_contacts_first(contacts, t, SCREE_CONTACTS_ROWS);
        assert_tile_has_rows(crowd, contacts, t);
        for (size_t g = contacts->group[t]; g < contacts->group[t + 1]; c += LANES * contacts->depth[g++]) {
            assert_in_range(contacts->depth[g], 1, 16);
            for (size_t k = 0; k < LANES * (size_t)contacts->depth[g]; ++k) {
                const struct scree_pair first_pair = contacts->pair[c + k % LANES],
                                        pair = contacts->pair[c + k];
                assert_int_equal(lower_slot(pair), lower_slot(first_pair));
                assert_true(k % LANES > 0 || pair.low != pair.high);
                assert_true(k < LANES || pair.low == pair.high ||
                            contacts->pair[c + k - LANES].low != contacts->pair[c + k - LANES].high);
                if (contacts->class_of && pair.low != pair.high)
                    assert_int_equal(contacts->class_of[c + k], contacts->class_of[c]);
            }
        }
        assert_int_equal(c, scree_contacts_first(contacts, t, SCREE_CONTACTS_INSIDE));
    }
}

#endif
