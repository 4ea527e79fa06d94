// Builds the lists of candidate pairs (world/contacts.h) that are valid until the next search, and carries
// over the contact histories.
//
// Invariants: candidates are exactly the pairs whose surfaces are closer than the margin (to
// round-off), for any grain sizes, extents and number of threads; the lists are bitwise independent of
// threads. A contact that is in the old and the new lists stays live, and keeps its history as far as it
// belongs to its law. A failed call leaves the lists unchanged.

#ifndef SCREE_DETECT_CANDIDATES_H
#define SCREE_DETECT_CANDIDATES_H

#include "base/status.h"
#include "base/team.h"
#include "world/contacts.h"

// Partners of each grain that it cannot touch: those of slot i are other[first[i]] to other[first[i + 1] -
// 1]. Both sides of a pair of grains list each other. A feature of a wall is a partner with a number above
// all slots. Empty if `first` is null.
struct scree_exclusions {
    uint32_t *first;
    uint64_t *other;
};

static inline uint64_t scree_exclusions_wall(uint32_t wall, uint32_t feature)
{
    return UINT64_C(1) << 63 | (uint64_t)wall << 32 | feature;
}

static inline bool scree_exclusions_contain(const struct scree_exclusions *exclusions, uint32_t slot,
                                            uint64_t other)
{
    const uint32_t *first = exclusions->first;
    bool found = false;
    for (uint32_t k = first ? first[slot] : 0; first && k < first[slot + 1]; ++k)
        found = found || exclusions->other[k] == other;
    return found;
}

// Coordinates u of the search in a cell with cell vectors: distances from the faces through its corner. Along
// them it is a box whose periods are the widths of the cell, and no difference is larger than the distance.
struct scree_candidates_skew {
    double corner[3];
    double to[9], from[9]; // matrices by rows: u = to (x - corner), and back
    // the mean motion may move a grain past the faces by this factor times its distance from the origin of
    // the open axes, before the next search; infinite periods are those of open axes
    double slide, origin[3];
};

struct scree_candidates_input {
    // faster in Morton order, correct in any order; grains without radius or material, or with a position
    // that is NaN or beyond 1e150 m, have no candidates
    const struct scree_grain *grain;
    const uint64_t *id; // of their bodies: grains of one body are never paired
    // ids of carried grains, 0 for a body's own grain; null: there are no carried grains
    const uint64_t *carried;
    size_t count; // at most SCREE_CANDIDATES_GRAINS
    struct scree_exclusions excluded;
    double lower[3], period[3];               // the cell; period is infinite if not periodic
    const struct scree_candidates_skew *skew; // null: along the axes of the world
    double margin;                            // pairs whose surfaces are closer than this are candidates, m
    const float *extra;                       // by slot: what both grains add to that margin, m; null: 0
    double min_touching_per_grain; // a tile has rows if it has at least this many touching pairs per grain
    double crowd_overlap; // crowds with a larger overlap / smaller radius are refused, see crowd.h; infinite:
                          // only those with too many pairs; 0: none
    double max_displacement; // largest displacement of a grain before the next search, without its extra, m
    const uint8_t *class_of; // [materials * materials]: class of a pair, or SCREE_CONTACTS_NO_CLASS if it
                             // does not interact; symmetric
    size_t materials;
    size_t shaped;  // what is added to the material of grains with SCREE_FLAG_SHAPED: they have rows of their
                    // own in the table
    size_t classes; // with one class contacts->class_of stays null
    const struct scree_contacts_layout *layout; // [classes] history layouts; null: all are the same
    size_t stride;                              // doubles in a history
    int dimension;                              // 2: z is ignored
    const struct scree_team *team;
};

static inline uint16_t scree_candidates_material(const struct scree_candidates_input *input, size_t slot)
{
    const struct scree_grain *grain = &input->grain[slot];
    return (uint16_t)(grain->material + (grain->flags & SCREE_FLAG_SHAPED ? input->shaped : 0));
}

// a slot and two flags fit in 32 bits
#define SCREE_CANDIDATES_GRAINS ((size_t)1 << 30)

// Replaces the lists. Fails if the periodic cell is so narrow that a pair could interact with two images.
SCREE_NODISCARD scree_status scree_candidates_build(struct scree_contacts *contacts,
                                                    const struct scree_candidates_input *input);

// Renumbers slots: new_slot[i] is the new slot of the grain in slot i, UINT32_MAX if it was removed. `count`
// is at least contacts->grains; further grains have no candidates. All candidates then are in the range
// ACROSS of the first tile, in the same order: the lists are valid, but slow to evaluate until the next
// build.
SCREE_NODISCARD scree_status scree_candidates_renumber(struct scree_contacts *contacts,
                                                       const uint32_t *new_slot, size_t count);

// Empties the lists, except for contacts with walls.
void scree_candidates_free(struct scree_contacts *contacts);

#endif
