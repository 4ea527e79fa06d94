// What carried grains get goes to their bodies.
//
// What always holds: a body with carried grains is complete when the contacts of all of them are, so its
// block of bodies waits until all tiles are done. What its grains got is added to what it got itself in order
// of their parts, whoever summed it. All grains of a body have one quantum, chosen from the largest bound of
// any.

#ifndef SCREE_CONTACT_CARRIED_H
#define SCREE_CONTACT_CARRIED_H

#include "contact/sums.h"
#include "world/grain.h"

struct scree_carried {
    struct scree_grain_owners owners; // empty while nothing is carried
    uint8_t *block;                   // by SCREE_SUMS_BLOCK bodies: whether some of them carry grains
    double *work;                     // by row: what moving walls did to a grain in this evaluation
};

// Gets ready for the grains that are carried now, which have been placed; a failure leaves none.
SCREE_NODISCARD scree_status scree_carried_make(struct scree_carried *carried,
                                                const struct scree_world *world);
void scree_carried_free(struct scree_carried *carried);

// Whether a block of bodies has some that carry grains.
static inline bool scree_carried_waits(const struct scree_carried *carried, size_t block)
{
    return carried->block && carried->block[block];
}

// Adds what the grains of the bodies [first, last) got to force and moment of these, `wrench` being that of
// `first`, to their losses and their work, and empties the sums of the grains.
void scree_carried_return(const struct scree_carried *carried, struct scree_sums *sums,
                          struct scree_world *world, size_t first, size_t last, struct scree_wrench *wrench,
                          enum scree_sums_taking taking);

// Chooses the quanta of the bodies [first, last) that carry grains, and of these: see scree_sums_choose.
// `unknown_only`: of those that have none.
void scree_carried_choose(const struct scree_carried *carried, const struct scree_sums *sums,
                          struct scree_world *world, size_t first, size_t last, double step,
                          bool unknown_only);

#endif
