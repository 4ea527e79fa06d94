// Removal of the bodies whose centres are in a region, or that belong to a group.

#ifndef SCREE_RUN_REMOVE_H
#define SCREE_RUN_REMOVE_H

#include "language/reading.h"
#include "pack/region.h"

#include <scree/types.h>

struct scree_host;
struct scree_world;

struct scree_remove {
    size_t row;    // of the tally
    bool outside;  // removes bodies outside of the world's box; no region
    bool anywhere; // no region: removes the group regardless of positions
    struct scree_region region;
    scree_group_id group; // value 0 for all bodies
    double at;            // s; negative for a removal that repeats
    double from, until;   // s, of a removal that repeats
};

// Reads an entry of the scene, or of a stage if `stage`; errors become diagnostics.
SCREE_NODISCARD scree_status scree_remove_read(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, bool stage,
                                               struct scree_remove *remove);

// Removes a body, and counts it in a row of the tally.
SCREE_NODISCARD scree_status scree_remove_body(struct scree_world *world, size_t row, scree_body_id id);

// Removes all matching bodies, in the order of ids.
SCREE_NODISCARD scree_status scree_remove_now(const struct scree_remove *remove, struct scree_world *world);

// Does the same if the current time is within the period of the removal.
SCREE_NODISCARD scree_status scree_remove_act(void *self, struct scree_host *host);

#endif
