// A look at one contact: what the batch loops make of it, in scalar C, with nothing advancing. Who wants to
// know a force, an energy or a stiffness between two evaluations asks here.
//
// What always holds: sides, signs and nearest images are those of the loops, velocities are on-step as the
// loops predict them, and a look changes nothing.

#ifndef SCREE_CONTACT_EVALUATE_ONE_H
#define SCREE_CONTACT_EVALUATE_ONE_H

#include "contact/interaction.h"

// The classes of pairs of materials, found when they are asked for.
struct scree_evaluator_pairs {
    struct scree_law_class class[16];
    bool known[16];
};

// Who looks. `pairs` serves where there are no `classes`; a pair of which no rule tells how it touches does
// not.
struct scree_evaluator {
    const struct scree_world *world;
    const struct scree_law_classes *classes;
    struct scree_evaluator_pairs *pairs;
    double step; // s, that dashpots are to be told for; 0: they are not
};

// What is seen; forces and couples are on the first side, of lower id, or the grain at a wall.
struct scree_evaluated {
    const struct scree_law_class *class;
    struct scree_law_vector normal; // unit, from the second side to the first
    struct scree_law_vector point;  // in the middle of the overlap, or on the wall; near the first side
    struct scree_law_vector force;  // all of it, N
    struct scree_law_vector couple; // besides that of the force about the centre, N m
    double overlap;                 // m
    double arm[2];                  // from each centre to the point, m; 0 at a wall
    double radius, mass;            // effective
    double stored;                  // J
    double stiffness[2];            // along the normal and across it, N/m
    double dashpot;                 // that dashpots would take in a step like this moment, J
    double sliding;                 // power that is lost to slipping by dashpots that slip, W
    double feed;                    // power that the motion of the wall feeds in, W
};

// Looks at two grains, `low` of the lower id; `history` is of `stride` values. False where there is no
// contact, and then nothing is written.
bool scree_evaluate_one_pair(const struct scree_evaluator *evaluator, const struct scree_grain *low,
                             const struct scree_grain *high, const double *history, size_t stride,
                             struct scree_evaluated *evaluated);

// Looks at a grain and a feature of a wall, likewise.
bool scree_evaluate_one_wall(const struct scree_evaluator *evaluator, const struct scree_grain *grain,
                             const struct scree_wall *wall, unsigned feature, const double *history,
                             size_t stride, struct scree_evaluated *evaluated);

// Looks at a candidate, or at one with a wall, wherever its sides lie by now.
bool scree_evaluate_one_contact(const struct scree_evaluator *evaluator, size_t candidate,
                                struct scree_evaluated *evaluated);
bool scree_evaluate_one_wall_contact(const struct scree_evaluator *evaluator, size_t candidate,
                                     struct scree_evaluated *evaluated);

// The grain that lay in a slot when the contacts were last searched, or the wall of a candidate with a wall;
// null where it is gone.
struct scree_grain *scree_evaluate_one_grain(const struct scree_world *world, uint32_t listed);
struct scree_wall *scree_evaluate_one_wall_of(const struct scree_world *world, size_t candidate);

// Power that the motion of a wall feeds into a contact of such a force.
double scree_evaluate_one_wall_power(const struct scree_wall *wall, const struct scree_evaluated *evaluated);

// What looks at contacts of a class have in common; their step is 0.
void scree_evaluate_one_fill_rule(const struct scree_evaluator *evaluator,
                                  const struct scree_law_class *class, bool wall,
                                  struct scree_kernel_rule *rule);

// Values that a contact of a class keeps; those of its law come first.
size_t scree_evaluate_one_history(const struct scree_law_class *class);

#endif
