// Neighbour lists of the event engine. A body has a list of all bodies that it can touch while neither has
// moved farther than half of the margin from its place. When it gets that far, its place becomes one ahead of
// it in its flight, at most by 0.9 of what it may be away from there. Only its own list is built again, and
// the lists of the bodies that it came near or left are mended: lists are symmetric. So in a dilute gas,
// where bodies fly farther than the margin between collisions, they cross the region of their list instead of
// leaving it from its middle, and lists are built half as often.
//
// Invariants: j is in the list of i as often as i in that of j, at most once;
// two bodies whose places are nearer than the sum of their radii plus the margin are in each other's lists.

#ifndef SCREE_EVENT_LISTS_H
#define SCREE_EVENT_LISTS_H

#include "base/array.h"
#include "contact/interaction.h"
#include "event/grid.h"
#include "event/predict.h"
#include "world/world.h"

// What the engine keeps of a body besides its flight: one cache line.
struct scree_event_body {
    uint32_t place[3];
    uint32_t cell;
    uint32_t start, count, room; // its list, in `neighbour`
    uint32_t next;               // what happens next, see event.h
    uint16_t material;
    uint16_t moves; // 0: fixed in place
    uint64_t id;
    double lightness, turning; // inverse mass and inverse moment of inertia; 0 for what is fixed
} __attribute__((aligned(64)));

struct scree_event_lists {
    size_t bodies;
    struct scree_event_grids grids;
    double margin;
    double range;  // how far a body may get from its place, m; infinite if nothing asks
    double lead;   // how far a new place is ahead of a body, m
    double strain; // how much cell vectors may be strained before all lists are built again
    struct scree_event_body *body;
    const struct scree_law_classes *classes;
    double alone;   // the margin of bodies that need no neighbours, m; 0: they do
    bool some_pass; // some materials pass through each other: their pairs are left out
    // rows of all bodies, each with room for a multiple of 8; the room after a list has the body itself
    SCREE_ARRAY(uint32_t) neighbour;
    SCREE_ARRAY(uint32_t) found; // neighbours of the body at hand
};

// Fails if the periodic cell is too narrow for its bodies.
SCREE_NODISCARD scree_status scree_event_lists_check(const struct scree_world *world);

// Chooses cells and the margin for all bodies at the positions of their records, and builds all lists. The
// classes and the cell vectors, null without, stay where they are.
SCREE_NODISCARD scree_status scree_event_lists_make(struct scree_event_lists *lists,
                                                    const struct scree_world *world,
                                                    const struct scree_law_classes *classes,
                                                    const struct scree_event_skew *skew);

// Builds the list of a body again, with a new place.
SCREE_NODISCARD scree_status scree_event_lists_rebuild(struct scree_event_lists *lists, uint32_t body,
                                                       const double place[3], double radius);

// Fetches the cells around a body into the caches.
void scree_event_lists_prefetch(const struct scree_event_lists *lists, uint32_t body, double radius);

void scree_event_lists_free(struct scree_event_lists *lists);

// Bytes of all arrays.
size_t scree_event_lists_memory(const struct scree_event_lists *lists);

// The position of a body relative to its place, to the nearest image.
static inline void scree_event_lists_displacement(const struct scree_event_lists *lists, uint32_t body,
                                                  const double position[3], double displacement[3])
{
    const struct scree_event_grids *grids = &lists->grids;
    for (int k = 0; k < 3; ++k) {
        const double place = grids->lower[k] + (double)lists->body[body].place[k] * grids->step[k];
        // a period has 2^32 steps
        displacement[k] =
            scree_event_nearest(position[k] - place, grids->period[k], 0x1p-32 * grids->inverse_step[k]);
    }
}

#endif
