// Neighbour lists of the event engine. A body has a list of all bodies that it can touch while neither has
// moved farther than half of the margin from its place, where it was when its list was built. When it gets
// that far, only its own list is built again, and the lists of the bodies that it came near or left are
// mended: lists are symmetric.
//
// Places are whole numbers of steps along each axis, 2^32 of which are a period of the cell, or of a fold of
// space along an axis that is not periodic: differences of them are those to the nearest image. Cells of a
// grid hold the places of their bodies side by side, so that eight of them are tested at once.
//
// Invariants: a body is in exactly one cell; j is in the list of i as often as i in that of j, at most once;
// two bodies whose places are nearer than the sum of their radii plus the margin are in each other's lists.

#ifndef SCREE_ENGINE_EVENT_LISTS_H
#define SCREE_ENGINE_EVENT_LISTS_H

#include "base/array.h"
#include "contact/interaction.h"
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
    double lightness, turning; // inverse mass and inverse moment of inertia; 0 for what is fixed
};

struct scree_event_lists {
    size_t bodies;
    double lower[3], step[3], inverse_step[3]; // places along an axis
    double period[3];                          // of the cell or of a fold, m
    float length[3];                           // of a step
    double margin;                             // m
    uint32_t cells[3];
    uint32_t room;   // bodies per cell, a multiple of 8
    uint32_t *count; // per cell
    int32_t *held;   // per cell: `room` places along x, along y, along z, radii as floats, bodies
    struct scree_event_body *body;
    const struct scree_law_classes *classes;
    bool some_pass;                  // some materials pass through each other: their pairs are left out
    SCREE_ARRAY(uint32_t) neighbour; // rows of all bodies, each with room for a multiple of 8
    SCREE_ARRAY(uint32_t) found;     // neighbours of the body at hand
};

// What a search in a cell reads.
struct scree_event_lists_probe {
    int32_t at[3];
    float length[3];
    float range; // radius plus margin
};

// Lists the bodies of one cell that are neighbours; returns their number.
typedef size_t scree_event_lists_search(const int32_t *held, uint32_t room, uint32_t count,
                                        const struct scree_event_lists_probe *probe, uint32_t *found);
extern scree_event_lists_search *const scree_event_lists_searches[SCREE_KERNEL_SETS];

// Fails if the periodic cell is too narrow for its bodies.
SCREE_NODISCARD scree_status scree_event_lists_check(const struct scree_world *world);

// Chooses cells and the margin for all bodies at the positions of their records, and builds all lists. The
// classes stay where they are.
SCREE_NODISCARD scree_status scree_event_lists_make(struct scree_event_lists *lists,
                                                    const struct scree_world *world,
                                                    const struct scree_law_classes *classes);

// Builds the list of a body again, which is at a position now.
SCREE_NODISCARD scree_status scree_event_lists_rebuild(struct scree_event_lists *lists, uint32_t body,
                                                       const double position[3], double radius);

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
