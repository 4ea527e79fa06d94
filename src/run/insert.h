// Insertion of bodies at a given rate, where there is free space.
//
// Invariants: sizes and positions are functions of the seed, the number of the body and the step number. A
// body that does not fit keeps its size and is tried again later. Bodies are inserted in order; each is tried
// at a limited number of random positions against all existing bodies. Insertion continues until no more
// bodies are due or one does not fit. So the inserted amount exceeds the due amount by at most one body, and
// falls short of it only if bodies did not fit.

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
    size_t row; // of the tally
    struct scree_sizes sizes;
    struct scree_body_template template;
    struct scree_free_region free_region; // for a flat opening, its region is the bounding box
    bool flat;                            // inserted through a flat opening, a rectangle or a disk
    bool round;                           // the opening is a disk
    double centre[3], axis[2][3], half[2];
    bool by_mass;
    double rate; // kg/s or 1/s
    double from, until, mass;
    uint64_t count, seed;
    bool warned; // of a lack of free space
};

// Reads an entry of the scene; errors become diagnostics.
SCREE_NODISCARD scree_status scree_insert_read(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, struct scree_insert *insert);

// Inserts the bodies that are due.
SCREE_NODISCARD scree_status scree_insert_act(void *self, struct scree_host *host);

// Computes how many bodies are due by a time: rate times time, divided by the mean mass of a body for a mass
// rate.
SCREE_NODISCARD scree_status scree_insert_due(const struct scree_insert *insert,
                                              const struct scree_world *world, double time, double *bodies);

#endif
