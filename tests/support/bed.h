// Grains that touch: a dense little bed between walls, for tests that ask where energy and forces go.
//
// Invariants: a bed is a function of its description alone.

#ifndef SCREE_TESTS_SUPPORT_BED_H
#define SCREE_TESTS_SUPPORT_BED_H

#include "support/sketch.h"

// What a bed is of; zero means without.
struct scree_bed {
    int dimension; // 0 means 3
    const char *law;
    struct scree_interaction_value values[8]; // up to the first without a name
    bool crowded;                             // neighbours overlap from the start
    bool periodic;                            // along x, without walls there
    bool pressed;                             // a plate moves in from below, and turns
    bool held;                                // one grain is held at its velocity, another in part
    bool loaded;                              // constant loads on all grains
    int carried;    // bodies carry so many balls instead of being one: 1 in the middle, or 2 apart, which
                    // overlap
    double gravity; // along y in two dimensions, else z, m/s^2
    double step;    // s
    int threads;    // 0 means 1
};

// Makes the world, with grains of ids 1, 2, ... in a room of walls 1 to 6, or 1 where it is a box, and the
// plate last; and its soft engine.
void scree_bed_build(const struct scree_bed *bed, struct scree_world **world);
void scree_bed_engine(const struct scree_bed *bed, struct scree_world *world, struct scree_engine **engine);

#endif
