// Neighbour lists of the event engine. A body has a list of all bodies that it can touch while neither has
// moved farther than half of the margin from its place, where it was when its list was built. When it gets
// that far, only its own list is built again, and the lists of the bodies that it came near or left are
// mended: lists are symmetric.
//
// Places are whole numbers of steps along each axis, 2^32 of which are a period of the cell, or of a fold of
// space along an axis that is not periodic: differences of them are those to the nearest image. Cells of a
// grid hold the places of eight bodies in one cache line, in 256 parts of the width of a cell, so that a
// search waits for few lines and tests eight bodies at once. In a cell with cell vectors places are fractions
// of these, and move with the cell.
//
// Invariants: a body is in exactly one cell; j is in the list of i as often as i in that of j, at most once;
// two bodies whose places are nearer than the sum of their radii plus the margin are in each other's lists.

#ifndef SCREE_ENGINE_EVENT_LISTS_H
#define SCREE_ENGINE_EVENT_LISTS_H

#include "base/array.h"
#include "contact/interaction.h"
#include "engine/event_skew.h"
#include "world/world.h"

#include <scree/kernel.h>

// What the engine keeps of a body besides its flight: one cache line.
struct scree_event_body {
    uint32_t place[3];
    uint32_t cell;
    uint32_t start, count, room; // its list, in `neighbour`
    uint32_t next;               // what happens next, see event.h
    uint16_t material;
    uint16_t moves;            // 0: fixed in place
    uint64_t id;
    double lightness, turning; // inverse mass and inverse moment of inertia; 0 for what is fixed
} __attribute__((aligned(64)));

// Eight bodies of a cell: one cache line. A word has the place along x, y and z in parts of the cell, without
// remainder, and in its highest byte the radius in parts of the largest one, rounded up; 0: no body.
enum { SCREE_EVENT_PARTS = 256 };

struct scree_event_held {
    uint32_t body[8];
    uint32_t word[8];
};

struct scree_event_lists {
    size_t bodies;
    double lower[3], step[3], inverse_step[3]; // places along an axis
    double period[3];                          // of the cell or of a fold, m
    double margin, largest;                    // m; largest radius
    double range;                              // how far a body may get from its place, m
    int dimension;
    // cell vectors, null without; and how much the cell may be strained before all lists are built again
    const struct scree_event_skew *skew;
    double strain;
    uint32_t cells[3];
    uint32_t groups;               // of eight bodies, for which a cell has room
    uint32_t *count;               // of bodies per cell
    struct scree_event_held *held; // `groups` per cell
    struct scree_event_body *body;
    const struct scree_law_classes *classes;
    bool some_pass;                  // some materials pass through each other: their pairs are left out
    SCREE_ARRAY(uint32_t) neighbour; // rows of all bodies, each with room for a multiple of 8
    SCREE_ARRAY(uint32_t) found;     // neighbours of the body at hand
};

// What a search around a place reads: along each axis, the cells next to it. Lengths are in parts of a cell.
struct scree_event_lists_probe {
    uint32_t count[3], cell[3][3];
    float at[3][3];  // the place, from the lower corner of the cell and less half a part
    float gap[3][3]; // square of the distance to the cell, m^2
    float turn[3];   // period, where cells do not distinguish images, else very large
    float length[3]; // of a part, m
    float range;     // radius plus margin and half a part, m
    float size;      // of a part of the largest radius, m
    float reach;     // square of the largest distance of a neighbour, m^2
    float vector[9]; // of a part along each cell vector, m
};

// Lists the bodies that are neighbours; returns their number.
struct scree_event_lists;
typedef size_t scree_event_lists_search(const struct scree_event_lists *lists,
                                        const struct scree_event_lists_probe *probe, uint32_t *found);
extern scree_event_lists_search *const scree_event_lists_searches[SCREE_KERNEL_SETS];
extern scree_event_lists_search *const scree_event_lists_skewed_searches[SCREE_KERNEL_SETS];

// Fails if the periodic cell is too narrow for its bodies.
SCREE_NODISCARD scree_status scree_event_lists_check(const struct scree_world *world);

// Chooses cells and the margin for all bodies at the positions of their records, and builds all lists. The
// classes and the cell vectors, null without, stay where they are.
SCREE_NODISCARD scree_status scree_event_lists_make(struct scree_event_lists *lists,
                                                    const struct scree_world *world,
                                                    const struct scree_law_classes *classes,
                                                    const struct scree_event_skew *skew);

// Builds the list of a body again, which is at a position now.
SCREE_NODISCARD scree_status scree_event_lists_rebuild(struct scree_event_lists *lists, uint32_t body,
                                                       const double position[3], double radius);

// Fetches the cells around a body into the caches.
void scree_event_lists_prefetch(const struct scree_event_lists *lists, uint32_t body);

void scree_event_lists_free(struct scree_event_lists *lists);

// Bytes of all arrays.
size_t scree_event_lists_memory(const struct scree_event_lists *lists);

// The position of a body relative to its place, to the nearest image.
static inline void scree_event_lists_displacement(const struct scree_event_lists *lists, uint32_t body,
                                                  const double position[3], double displacement[3])
{
    const double magic = 6755399441055744.0; // 1.5 * 2^52: adding and subtracting it rounds to an integer
    for (int k = 0; k < 3; ++k) {
        const double d =
            position[k] - (lists->lower[k] + (double)lists->body[body].place[k] * lists->step[k]);
        const double turns = (d / lists->period[k] + magic) - magic;
        displacement[k] = d - turns * lists->period[k];
    }
}

#endif
