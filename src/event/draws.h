// Collisions that are drawn at random, for the stochastic engine, see include/scree/stochastic.h.
//
// In a cell of volume V with N bodies, of which each represents W, each pair collides at the rate
//
//     W chi sigma |g| / V,
//
// with the relative velocity g, the cross section sigma = pi (R1 + R2)^2, in two dimensions 2 (R1 + R2), and
// the pair correlation chi (correlation.h) for the bodies of the cell other than the two: so that its mean is
// unbiased for few bodies too. The point of contact is uniform over the cross section.
//
// Partners in the cell: times between collisions are exponential with the rate of the fastest pair that may
// exist, and a pair that is chosen at random collides with the probability of its own rate over that one
// (M. S. Ivanov and S. V. Rogazinskii, Sov. J. Numer. Anal. Math. Modelling 3, 453, 1988). That is exact for
// the bodies of a cell, for any step.
//
// Fictitious partners: the radius, mass and spin are those of another body of the cell; the velocity is
// normally distributed about the mean velocity, with the covariances T/m for the means T of m u_j u_k of the
// fluctuations u. N bodies, whose own mean is taken, fluctuate by a factor (1 - 1/N) less than those of
// the gas, and so do the partners; with the density (N (N - 1))^(1/2) / V the mean rate of collisions is
// right for any N. The step is divided so that no body collides more often than with a probability of about
// 1/4 in a part. Afterwards the bodies of the cell together give back to their partners what they have
// received: without that momentum and energy of a gas would change at random without limit.
//
// Invariants: draws are functions of the seed, the number of the step and the cell; bodies of a cell are in
// order of ids. So neither rows nor restarts have an influence.
#ifndef SCREE_EVENT_DRAWS_H
#define SCREE_EVENT_DRAWS_H

#include "base/array.h"
#include "math/vec3.h"

#include <scree/stochastic.h>

struct scree_event;

// A body in its cell, now, in the image within the periodic cell.
struct scree_event_occupant {
    struct scree_vec3 position, velocity;
    double radius, mass;
    uint32_t body;
};

struct scree_event_draws {
    bool present; // the engine is a stochastic one
    struct scree_stochastic_def def;
    double time;                                       // of the draws of this step, or -infinite
    size_t bodies;                                     // that are round
    double mean_radius;                                // of them
    SCREE_ARRAY(uint8_t) used;                         // materials by number: whether bodies have them
    SCREE_ARRAY(uint32_t) rank;                        // of each body in the order of ids
    SCREE_ARRAY(uint64_t) code;                        // of its cell
    SCREE_ARRAY(uint32_t) order;                       // of bodies by cells
    SCREE_ARRAY(uint64_t) key;                         // of the bodies of one cell: rank and number
    SCREE_ARRAY(struct scree_event_occupant) occupant; // and they themselves
};

// A collision to be executed: bodies, the lower id first, or a body and the one like which its fictitious
// partner is; the displacement and the velocity of the first from the second, of a fictitious partner the
// place of the first instead; and the normal towards the first.
struct scree_event_drawn {
    uint32_t body[2];
    struct scree_vec3 apart, relative, normal;
};

// Fails if the engine cannot be used for this world.
SCREE_NODISCARD scree_status scree_event_draws_check(const struct scree_event *event);

// Counts and measures the bodies of the world, and lists their materials.
SCREE_NODISCARD scree_status scree_event_draws_measure(struct scree_event *event);

// Makes room for the bodies of the world, whose rows do not change any more.
SCREE_NODISCARD scree_status scree_event_draws_prepare(struct scree_event *event);

// Draws the collisions of a step of this length and executes them now: all of them, or none if it fails.
SCREE_NODISCARD scree_status scree_event_draw_collisions(struct scree_event *event, double step);

// Bytes of all arrays.
size_t scree_event_draws_memory(const struct scree_event_draws *draws);

void scree_event_draws_free(struct scree_event_draws *draws);

#endif
