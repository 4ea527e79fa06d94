// A small dense bed of grains between walls, for tests of contacts, forces and energies.
//
// Invariants: beds with the same description are equal bit for bit.

#ifndef SCREE_TESTS_SUPPORT_BED_H
#define SCREE_TESTS_SUPPORT_BED_H

#include "support/worlds.h"

// Description of a bed. A member that is zero or null leaves its part out.
struct scree_bed {
    int dimension; // 0 means 3
    const char *law;
    struct scree_interaction_value values[8]; // of the law, ended by a null name
    bool overlapping;                         // grains overlap at the start
    bool periodic;                            // along x, without walls there
    bool plate;                               // a moving and rotating plate at the bottom
    bool fixed;                               // one grain is fixed, another one in some degrees of freedom
    bool loads;                               // constant loads on all grains
    int carried;    // carried grains per body: 0, 1 at its centre, or 2 that overlap, left and right of it
    double gravity; // along y in two dimensions, else z, m/s^2
    double step;    // s
    int threads;    // 0 means 1
};

// Creates the world and its soft engine. Grains have ids 1, 2, ... Walls are one box, or planes if the bed
// is periodic; the plate is the last wall.
void scree_bed_build(const struct scree_bed *bed, struct scree_world **world);
void scree_bed_engine(const struct scree_bed *bed, struct scree_world *world, struct scree_engine **engine);

#endif
