// Evaluates contacts from outside, tile by tile: finds the contacts of each pair, matches them with those of
// the last evaluation, runs the kernels over batches of them, and adds forces to the sums of the sides.
//
// Invariants: a contact keeps its history as long as its feature touches. With `measure_only` nothing but
// measured forces changes.

#ifndef SCREE_CONTACT_OUTSIDE_EVALUATE_H
#define SCREE_CONTACT_OUTSIDE_EVALUATE_H

#include "contact/collider.h"

// Allocates the batch of a thread if there are pairs.
SCREE_NODISCARD scree_status scree_outside_evaluate_prepare(struct scree_collider_scratch *scratch,
                                                            size_t pairs);

// Evaluates the pairs of a tile; returns the number of contacts.
size_t scree_outside_evaluate_tile(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                                   size_t tile);

#endif
