// What every body gets from its contacts, computed one contact at a time: each body against every other body
// and every wall, without neighbour lists, tiles or vector registers. The reference for the contact engine.
//
// What is shared with the engine is the geometry of one contact (the scalar functions of scree/kernel.h, the
// surfaces of walls) and the contact law. Who touches whom, what a contact remembers from one step to the
// next, which side gets what and how it adds up are its own: histories begin empty and are never read from
// the engine, and the terms of a sum are added by base/sum, where no order matters.

#ifndef SCREE_TESTS_SUPPORT_PAIRWISE_H
#define SCREE_TESTS_SUPPORT_PAIRWISE_H

#include "contact/interaction.h"

// What contacts give a body: components of the force and the moment, its shares of what was lost, and the
// work that moving walls did on it.
enum {
    SCREE_PAIRWISE_FORCE,
    SCREE_PAIRWISE_MOMENT = 3,
    SCREE_PAIRWISE_FRICTION = 6,
    SCREE_PAIRWISE_DASHPOT,
    SCREE_PAIRWISE_INNER,
    SCREE_PAIRWISE_WORK,
    SCREE_PAIRWISE_VALUES
};

enum { SCREE_PAIRWISE_MATERIALS = 4, SCREE_PAIRWISE_SHAPES = 8 };

// All that one contact can remember.
enum { SCREE_PAIRWISE_HISTORY = SCREE_LAW_HISTORY + SCREE_RESISTANCE_HISTORY };

// A contact that lives; at a wall `high` is the id of the wall times 8 plus the feature.
struct scree_pairwise_contact {
    uint64_t low, high;
    size_t first, second; // the bodies in order of id, the second as far as it is one
    double history[SCREE_PAIRWISE_HISTORY];
};

// Contacts in ascending order of (low, high).
struct scree_pairwise_list {
    struct scree_pairwise_contact *contact;
    size_t count, room;
};

// What one contact gives one body; `next` is 1 + the number of the next term of this body.
struct scree_pairwise_term {
    double value[SCREE_PAIRWISE_VALUES];
    size_t next;
};

// How often something happened, over all evaluations.
struct scree_pairwise_seen {
    size_t made, kept, parted; // contacts
    size_t ended;              // of these, with a force, since their sides went farther than the law reaches
    size_t inside, across;     // both sides in one tile of slots, or in two
    size_t periodic;           // through a face of the cell
    size_t held, both_held;    // one side held in place, or both
    size_t uneven;             // radii that differ by a factor of 20 or more
    size_t alone;              // bodies with one contact
    size_t most;               // contacts of one body
    size_t wall[SCREE_PAIRWISE_SHAPES]; // by shape
    size_t moving, resting;             // of these, by the motion of the wall
};

// A world's contacts. Bodies are numbered in ascending order of id.
struct scree_pairwise {
    const struct scree_world *world;
    struct scree_law_class class[SCREE_PAIRWISE_MATERIALS][SCREE_PAIRWISE_MATERIALS];
    double step;
    size_t bodies, body_room;
    uint64_t *id;
    size_t *slot;
    struct scree_grain *grain; // as they were when contacts were evaluated
    size_t *term_of;           // 1 + the number of a body's first term
    struct scree_pairwise_term *term;
    size_t terms, term_room;
    struct scree_pairwise_list grains, walls;         // that live
    struct scree_pairwise_list old_grains, old_walls; // that lived before
    struct scree_pairwise_seen seen;
};

// A sum over the terms of a body, and what it was added to.
struct scree_pairwise_total {
    double exact;     // rounded once
    double size;      // of all terms together, without their signs
    size_t live;      // terms: contacts of the body that live
    double quantum;   // that the engine rounds each term to a multiple of; 0: it rounds none
    bool accumulates; // onto something other than zero
};

// Begins without any contact. The rules of the world stay as they are from here on.
void scree_pairwise_begin(struct scree_pairwise *pairwise, const struct scree_world *world);
void scree_pairwise_end(struct scree_pairwise *pairwise);

// Evaluates all contacts for what lies where now, as the engine is about to; they advance by `step` s.
void scree_pairwise_evaluate(struct scree_pairwise *pairwise, double step);

// Adds up a value over the contacts of a body, onto `before`; the engine has evaluated them by now.
struct scree_pairwise_total scree_pairwise_sum(const struct scree_pairwise *pairwise, size_t body, int value,
                                               double before);

// How far the engine's sum may be from the exact one.
double scree_pairwise_allowed(const struct scree_pairwise_total *total);

// Fails the test unless the engine's contacts remember the same, to the bit.
void scree_pairwise_same_histories(const struct scree_pairwise *pairwise, const char *what);

#endif
