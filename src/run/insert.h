// Insertions: bodies that come in at a rate, where there is room.
//
// What always holds: sizes and places follow from the seed, the number of the body and of the step; the next
// body keeps its size until it finds room. Tries are made in order, against what is there and what came in
// before, and those for one body are bounded in number; all that are due come at one look, until one finds no
// room. What has come in is at least what was due, less what found no room, and at most by a body more.

#ifndef SCREE_RUN_INSERT_H
#define SCREE_RUN_INSERT_H

#include "build/body_template.h"
#include "language/reading.h"
#include "pack/free_region.h"
#include "pack/sizes.h"

struct scree_host;
struct scree_world;

struct scree_insert {
    const struct scree_node *map;
    size_t row; // of the traffic
    struct scree_sizes sizes;
    struct scree_body_template template;
    struct scree_free_region room; // its region is what is around an opening
    bool flat;                     // through an opening: a rectangle, or a disk where it is round
    bool round;
    double centre[3], axis[2][3], half[2];
    bool by_mass;
    double rate; // kg/s or 1/s
    double from, until, mass;
    uint64_t count, seed;
    bool told; // that it has too little room
};

// Reads an entry of the scene; complains of what is wrong.
SCREE_NODISCARD scree_status scree_insert_read(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, struct scree_insert *insert);

// Lets in what is due.
SCREE_NODISCARD scree_status scree_insert_act(void *self, struct scree_host *host);

// How many bodies are due by a time: rate times time, for a mass by the mean mass of a body.
SCREE_NODISCARD scree_status scree_insert_due(const struct scree_insert *insert,
                                              const struct scree_world *world, double time, double *bodies);

#endif
