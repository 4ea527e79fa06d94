// Evaluates one contact like the batch loops, but in scalar C and without advancing it: computes force,
// energy and stiffness between steps.
//
// Invariants: sides, signs and nearest images are those of the batch loops, velocities are on-step as
// predicted there, and nothing is changed.

#ifndef SCREE_CONTACT_EVALUATE_ONE_H
#define SCREE_CONTACT_EVALUATE_ONE_H

#include "contact/outside.h"

// Cache of the classes of material pairs.
struct scree_evaluator_pairs {
    struct scree_law_class class[16];
    bool known[16];
};

// Context of an evaluation. `pairs` is used if `classes` is null; a pair of materials without a rule does not
// touch.
struct scree_evaluator {
    const struct scree_world *world;
    const struct scree_law_classes *classes;
    struct scree_evaluator_pairs *pairs;
    double step; // s, for the dashpot loss; 0: not computed
};

// State of a contact; forces and couples act on the first side, of lower id, or the grain at a wall.
struct scree_evaluated {
    const struct scree_law_class *class;
    struct scree_law_vector normal; // unit, from the second side to the first
    struct scree_law_vector
        point; // middle of the overlap, or on the wall; at periodic faces near the first side
    struct scree_law_vector force;    // normal and tangential, N
    struct scree_law_vector couple;   // rolling and twisting couple, without the moment of the force, N m
    double overlap;                   // m
    double arm[2];                    // from each centre to the point, m; 0 at a wall
    double radius, mass;              // effective
    double stored;                    // elastic energy, J
    double stiffness[2];              // normal, tangential, N/m
    double dashpot;                   // dashpot loss of a step at the current velocities, J
    double sliding;                   // power lost to friction by sliding dashpots, W
    double wall_power;                // power of the moving wall, W
    bool outside;                     // of a contact from outside:
    struct scree_law_vector lever[2]; // from the grains of both sides to the point
    double depth;                     // largest overlap that has a meaning, m
};

// Evaluates two grains, `low` of the lower id; `history` has `stride` values. Returns false, and writes
// nothing, if there is no contact.
bool scree_evaluate_one_pair(const struct scree_evaluator *evaluator, const struct scree_grain *low,
                             const struct scree_grain *high, const double *history, size_t stride,
                             struct scree_evaluated *evaluated);

// Evaluates a grain and a feature of a wall; as above.
bool scree_evaluate_one_wall(const struct scree_evaluator *evaluator, const struct scree_grain *grain,
                             const struct scree_wall *wall, unsigned feature, const double *history,
                             size_t stride, struct scree_evaluated *evaluated);

// Evaluates a candidate between grains, or with a wall; finds its sides even if slots changed.
bool scree_evaluate_one_contact(const struct scree_evaluator *evaluator, size_t candidate,
                                struct scree_evaluated *evaluated);
bool scree_evaluate_one_wall_contact(const struct scree_evaluator *evaluator, size_t candidate,
                                     struct scree_evaluated *evaluated);

// Finds the touches of a pair from outside; false if a side was removed.
bool scree_evaluate_one_find_outside(const struct scree_evaluator *evaluator, size_t pair,
                                     struct scree_outside_pair *found);

// Evaluates one of these touches; false if it was no contact at the last evaluation of all.
bool scree_evaluate_one_outside(const struct scree_evaluator *evaluator, size_t pair,
                                const struct scree_outside_pair *found, size_t touch,
                                struct scree_evaluated *evaluated);

// Evaluates the contact of a number (world/contacts.h).
bool scree_evaluate_one_outside_contact(const struct scree_evaluator *evaluator, size_t number,
                                        struct scree_evaluated *evaluated);

// The grain that had a slot at the last search of contacts, or the wall of a candidate; null if removed.
struct scree_grain *scree_evaluate_one_grain(const struct scree_world *world, uint32_t listed);
struct scree_wall *scree_evaluate_one_wall_of(const struct scree_world *world, size_t candidate);

// Power of a moving wall at a contact with this force, W.
double scree_evaluate_one_wall_power(const struct scree_world *world, const struct scree_wall *wall,
                                     const struct scree_evaluated *evaluated);

// Fills the constants of all contacts of a class, with a step of 0.
void scree_evaluate_one_fill_rule(const struct scree_evaluator *evaluator,
                                  const struct scree_law_class *class, bool wall,
                                  struct scree_kernel_rule *rule);

// Number of history values of a class; values of the law come first.
size_t scree_evaluate_one_history_length(const struct scree_law_class *class);

// Fills the cell for contacts of images, if it has cell vectors; returns false otherwise.
bool scree_evaluate_one_cell(const struct scree_world *world, struct scree_kernel_cell *cell);

#endif
