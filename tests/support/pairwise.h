// Reference for the contact engine: the forces, moments and dissipation of each body, computed one contact
// at a time. Every pair of bodies, and every body with every wall, is checked; there are no neighbour
// lists, tiles or vector registers.
//
// Shared with the engine: the geometry of one contact (the scalar functions of scree/kernel.h, the surfaces
// of walls) and the contact law. Independent of it: which pairs are in contact, the contact histories (they
// begin empty and are never read from the engine), how a contact is divided between its two sides, and the
// sums, which use base/sum and do not depend on order.

#ifndef SCREE_TESTS_SUPPORT_PAIRWISE_H
#define SCREE_TESTS_SUPPORT_PAIRWISE_H

#include "contact/interaction.h"

// Sums over the contacts of a body: components of force and moment, its share of the dissipation, and the
// work of moving walls.
enum {
    SCREE_PAIRWISE_FORCE,
    SCREE_PAIRWISE_MOMENT = 3,
    SCREE_PAIRWISE_FRICTION = 6,
    SCREE_PAIRWISE_DASHPOT,
    SCREE_PAIRWISE_INTERNAL,
    SCREE_PAIRWISE_WORK,
    SCREE_PAIRWISE_VALUES
};

enum { SCREE_PAIRWISE_MATERIALS = 4, SCREE_PAIRWISE_SHAPES = 8 };

// The largest number of history values of a law, with rolling and twisting resistance.
enum { SCREE_PAIRWISE_HISTORY = SCREE_LAW_HISTORY + SCREE_RESISTANCE_HISTORY };

// A live contact. At a wall, `high` is the id of the wall times 2^32 plus the feature.
struct scree_pairwise_contact {
    uint64_t low, high;
    size_t first, second; // indices of the bodies in order of id; `second` is unused at walls
    double history[SCREE_PAIRWISE_HISTORY];
};

// Contacts in ascending order of (low, high).
struct scree_pairwise_list {
    struct scree_pairwise_contact *contact;
    size_t count, capacity;
};

// The term of one contact for one body. `next` is 1 + the index of the next term of this body, or 0.
struct scree_pairwise_term {
    double value[SCREE_PAIRWISE_VALUES];
    size_t next;
};

// Counters over all evaluations, by which a test checks that all kinds of contacts occurred.
struct scree_pairwise_counts {
    size_t begun, kept, ended;          // contacts
    size_t out_of_range;                // contacts with a last force at a gap larger than the range
    size_t same_tile, two_tiles;        // both sides in one tile, or in two
    size_t periodic;                    // through a face of the cell
    size_t one_fixed, both_fixed;       // one side fixed in all its translation, or both
    size_t large_ratio;                 // radii that differ by a factor of 20 or more
    size_t single;                      // bodies with one contact
    size_t most_contacts;               // contacts of one body
    size_t wall[SCREE_PAIRWISE_SHAPES]; // by shape
    size_t moving, at_rest;             // contacts with walls, by the motion of the wall
};

// The contacts of a world. Bodies have indices in ascending order of id.
struct scree_pairwise {
    const struct scree_world *world;
    struct scree_law_class class[SCREE_PAIRWISE_MATERIALS][SCREE_PAIRWISE_MATERIALS];
    double step;
    size_t bodies, body_capacity;
    uint64_t *id;
    size_t *slot;
    struct scree_grain *grain; // copied when contacts were evaluated
    size_t *first_term;        // by body: 1 + the index of its first term, or 0
    struct scree_pairwise_term *term;
    size_t terms, term_capacity;
    struct scree_pairwise_list grains, walls;         // live
    struct scree_pairwise_list old_grains, old_walls; // live before
    struct scree_pairwise_counts counts;
};

// A sum over the terms of a body, including the previous value.
struct scree_pairwise_total {
    double exact;     // the exact sum, rounded once
    double size;      // sum of the magnitudes of all terms
    size_t live;      // number of live contacts of the body
    double quantum;   // the engine rounds each term to its multiples; 0: it does not round
    bool accumulates; // the previous value is not zero
};

// Begins without contacts. The contact rules of the world must not change until the end.
void scree_pairwise_begin(struct scree_pairwise *pairwise, const struct scree_world *world);
void scree_pairwise_end(struct scree_pairwise *pairwise);

// Evaluates all contacts at the present positions; call it just before the engine does. Histories advance by
// `step` seconds.
void scree_pairwise_evaluate(struct scree_pairwise *pairwise, double step);

// Adds a value over the contacts of a body to `before`. Call it after the engine's evaluation.
struct scree_pairwise_total scree_pairwise_sum(const struct scree_pairwise *pairwise, size_t body, int value,
                                               double before);

// Largest difference between the engine's sum and the exact sum.
double scree_pairwise_tolerance(const struct scree_pairwise_total *total);

// Fails the test unless the engine has the same contact histories, bit for bit.
void scree_pairwise_assert_histories(const struct scree_pairwise *pairwise, const char *what);

#endif
