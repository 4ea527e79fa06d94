// Who of a list of grains is near one grain: eight distances at a time, for each set of instructions.
//
// What always holds: two grains are near each other from both sides, to the last bit, because a difference
// and its opposite are rounded alike; the sets of instructions agree.

#ifndef SCREE_DETECT_MEET_H
#define SCREE_DETECT_MEET_H

#include "detect/grid.h"

// Grains that lie around a few others, copied together.
struct scree_meet_list {
    double *x, *y, *z, *reach;
    uint64_t *tag;
    size_t count, capacity; // filled up to a multiple of 8 with grains that are near nothing
    double period[3];       // infinite where no face of the cell is in reach
    bool wraps;
};

// A box of places around which to search.
struct scree_meet_box {
    double low[3], high[3], reach; // the largest in it
};

// Begins an empty list; adds copies of the grains of a level that may be near to something in the box; fills
// up the list.
void scree_meet_begin(struct scree_meet_list *list);
SCREE_NODISCARD scree_status scree_meet_gather(struct scree_meet_list *list, const struct scree_grid *grid,
                                               const struct scree_grid_level *level,
                                               const struct scree_meet_box *box);
void scree_meet_end(struct scree_meet_list *list);
void scree_meet_free(struct scree_meet_list *list);

// Writes the tags of those near the grain at `place`, but for itself, in order of the list, and returns how
// many they are. `tag` has room for one more than are in the list.
typedef size_t scree_meet_search(const struct scree_meet_list *list, const struct scree_grid *grid,
                                 uint32_t place, uint64_t *tag);

// Writes up to 16 different tags in ascending order. There are 16 behind `from`, whatever they are.
typedef void scree_meet_sort(const uint64_t *from, size_t count, uint64_t *to);

// Where a grain stands in a row of up to 16; there are 16 entries, whatever they are.
typedef uint32_t scree_meet_position(const uint32_t *row, uint32_t count, uint32_t grain);

// Turns tags into entries of the row of grain `own`, and counts the candidates that it owns, those with
// grains in higher slots: across its tile's rim and inside. Whole batches of 8 are read and written, whatever
// they are.
typedef void scree_meet_entries(uint64_t own, const uint64_t *tag, size_t count, uint32_t *row,
                                uint32_t owned[2]);

// The same for up to 16 tags in any order: the entries are in ascending order of the tags. There are 16 tags,
// and one entry behind the row is written, whatever they are.
typedef scree_meet_entries scree_meet_row;

struct scree_meet_set {
    scree_meet_search *search, *search_wrapping;
    scree_meet_sort *sort;
    scree_meet_entries *entries;
    scree_meet_row *row;
    scree_meet_position *position;
};
enum { SCREE_MEET_SORT = 16, SCREE_MEET_TILE = 10 /* bits of a slot in its tile */ };
extern const struct scree_meet_set scree_meet_sets[SCREE_KERNEL_SETS];

#endif
