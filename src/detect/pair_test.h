// Who of a list of grains is near one grain: eight distances at a time, for each set of instructions.
//
// What always holds: two grains are near each other from both sides, to the last bit, because a difference
// and its opposite are rounded alike; the sets of instructions agree.

#ifndef SCREE_DETECT_PAIR_TEST_H
#define SCREE_DETECT_PAIR_TEST_H

#include "detect/grid.h"

// Grains that lie around a few others, copied together.
struct scree_pair_test_list {
    double *x, *y, *z, *range;
    int64_t *tag;
    int64_t above;          // only those whose tags are larger
    size_t seen;            // with those that are left out
    size_t count, capacity; // filled up to a multiple of 8 with grains that are near nothing
    double period[3];       // infinite where no face of the cell is in reach
    bool wraps;
};

// A box of places around which to search.
struct scree_pair_test_box {
    double low[3], high[3], range; // the largest in it
};

// Begins an empty list; adds copies of the grains of a level that may be near to something in the box; fills
// up the list.
void scree_pair_test_begin(struct scree_pair_test_list *list, int64_t above);
SCREE_NODISCARD scree_status scree_pair_test_gather(struct scree_pair_test_list *list,
                                                    const struct scree_grid *grid,
                                                    const struct scree_grid_level *level,
                                                    const struct scree_pair_test_box *box);
void scree_pair_test_end(struct scree_pair_test_list *list);
void scree_pair_test_free(struct scree_pair_test_list *list);

// Around whom to search: the grain at a place of the grid, and whom to look for.
struct scree_pair_test_one {
    double x, y, z, range;
    double margin; // of this size is what does not touch yet; twice half of it is in the reaches
    uint32_t tag;
    int64_t above; // only those whose tags are larger
};

// An entry says who is near a grain: 30 bits of slot, whether the pair is inside a tile, and whether the two
// touch. A pair is inside a tile if both slots are, and neither may wrap.
enum { SCREE_PAIR_TEST_TOUCHES = 1, SCREE_PAIR_TEST_INSIDE = 2 };

// Of entries: how many, how many touch, and how many of those that do not are inside a tile.
struct scree_pair_test_count {
    size_t all, touching, inside;
};

// Writes entries of those near a grain, in order of the list, and returns how many they are. `entry` has
// room for as many as are in the list.
typedef struct scree_pair_test_count scree_pair_test_search(const struct scree_pair_test_list *list,
                                                            const struct scree_pair_test_one *one,
                                                            uint32_t *entry);

struct scree_pair_test_set {
    scree_pair_test_search *search, *search_wrapping;
};
enum { SCREE_PAIR_TEST_TILE = 10 /* bits of a slot in its tile */ };
extern const struct scree_pair_test_set scree_pair_test_sets[SCREE_KERNEL_SETS];

#endif
