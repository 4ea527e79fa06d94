// Tests which grains of a list are neighbours of one grain, eight distances at a time, for each instruction
// set.
//
// Invariants: the test is exactly symmetric in the two grains, because a difference and its opposite
// have the same rounding; all instruction sets give the same result.

#ifndef SCREE_DETECT_PAIR_TEST_H
#define SCREE_DETECT_PAIR_TEST_H

#include "detect/grid.h"

// Copies of the grains around a box, in contiguous columns.
struct scree_pair_test_list {
    double *x, *y, *z, *radius, *range;
    int64_t *tag;
    int64_t above;          // only larger tags are added
    size_t tested;          // number of grains tested, including those not added
    size_t count, capacity; // padded to a multiple of 8 with grains at infinity
    double period[3];       // infinite if no periodic face is in range
    bool wraps;             // some period is finite
    double from[3][3];      // takes differences of skewed coordinates to those of positions
};

// A box of positions to search around.
struct scree_pair_test_box {
    double low[3], high[3], range; // largest range of a grain in the box
};

// begin empties a list, for the coordinates of a grid; gather adds the grains of a level that may be
// neighbours of grains in the box; end pads the list.
void scree_pair_test_begin(struct scree_pair_test_list *list, const struct scree_grid *grid, int64_t above);
SCREE_NODISCARD scree_status scree_pair_test_gather(struct scree_pair_test_list *list,
                                                    const struct scree_grid *grid,
                                                    const struct scree_grid_level *level,
                                                    const struct scree_pair_test_box *box);
void scree_pair_test_end(struct scree_pair_test_list *list);
void scree_pair_test_free(struct scree_pair_test_list *list);

// The grain to test against a list.
struct scree_pair_test_grain {
    double x, y, z, radius, range;
    uint32_t tag;
    int64_t above; // only larger tags are neighbours
};

// An entry for a neighbour: 30 bits of slot and two flags, set if the pair touches and if it is inside a
// tile. In skewed coordinates a pair that may wrap never counts as touching, so that it is not in a row. A
// pair is inside a tile if both slots are in it and neither grain may wrap.
enum { SCREE_PAIR_TEST_TOUCHES = 1, SCREE_PAIR_TEST_INSIDE = 2 };

// Numbers of entries, of touching pairs, and of pairs inside a tile that do not touch.
struct scree_pair_test_count {
    size_t all, touching, inside;
};

// Writes an entry for each neighbour of a grain, in order of the list, and returns the numbers of entries.
// `entry` has space for an entry of each grain in the list.
typedef struct scree_pair_test_count scree_pair_test_search(const struct scree_pair_test_list *list,
                                                            const struct scree_pair_test_grain *one,
                                                            uint32_t *entry);

struct scree_pair_test_set {
    scree_pair_test_search *search[2][2]; // [grid has skewed coordinates][list wraps]
};
enum { SCREE_PAIR_TEST_TILE = 10 /* bits of a slot within its tile */ };
extern const struct scree_pair_test_set scree_pair_test_sets[SCREE_KERNEL_SETS];

#endif
