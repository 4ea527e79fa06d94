// A small dense bed of grains between walls, for tests of forces and of the energy ledger.
//
// Invariants: beds with the same description are equal bit for bit.

#ifndef SCREE_TESTS_SUPPORT_BED_H
#define SCREE_TESTS_SUPPORT_BED_H

#include "support/worlds.h"

// Description of a bed; zero or null means without.
struct scree_bed {
    int dimension; // 0 means 3
    const char *law;
    struct scree_interaction_value values[8]; // up to the first without a name
    bool overlapping;                         // grains overlap at the start
    bool periodic;                            // along x; there are no walls there
    bool plate;                               // a moving and rotating plate at the bottom
    bool fixed;                               // the velocity of one grain is fixed, that of another in part
    bool loads;                               // constant loads on all grains
    int carried; // 0: grains are simple bodies; 1 or 2: each body carries so many balls, 1 at its centre or 2
                 // overlapping ones beside it
    double gravity; // along y in two dimensions, else z, m/s^2
    double step;    // s
    int threads;    // 0 means 1
};

// Creates the world and its soft engine. Grains have ids 1, 2, ...; the walls are six planes, or one box, and
// the plate comes last.
void scree_bed_build(const struct scree_bed *bed, struct scree_world **world);
void scree_bed_engine(const struct scree_bed *bed, struct scree_world *world, struct scree_engine **engine);

#endif
