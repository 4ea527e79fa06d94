// Removals: bodies whose centres are somewhere, or that are in a group, are taken out.

#ifndef SCREE_RUN_REMOVE_H
#define SCREE_RUN_REMOVE_H

#include "language/reading.h"
#include "pack/region.h"

#include <scree/types.h>

struct scree_host;
struct scree_world;

struct scree_remove {
    size_t row;    // of the traffic
    bool outside;  // of the bounds of the world, instead of a region
    bool anywhere; // in no region: those of the group, wherever they are
    struct scree_region region;
    scree_group_id group; // value 0 for all bodies
    double at;            // s, negative where it goes on
    double from, until;
};

// Reads an entry of the scene or, where it is one of a stage, of that; complains of what is wrong.
SCREE_NODISCARD scree_status scree_remove_read(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, bool stage,
                                               struct scree_remove *remove);

// Takes a body out, and counts it in a row of the traffic.
SCREE_NODISCARD scree_status scree_remove_body(struct scree_world *world, size_t row, scree_body_id id);

// Takes out what is there, in the order of ids.
SCREE_NODISCARD scree_status scree_remove_now(const struct scree_remove *remove, struct scree_world *world);

// The same, if it is time.
SCREE_NODISCARD scree_status scree_remove_act(void *self, struct scree_host *host);

#endif
