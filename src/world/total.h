// Totals of the energy ledger that do not depend on the order of additions.
//
// A total is an unevaluated sum of doubles, each at most half a unit in the last place of the one before
// (Shewchuk, Discrete & Computational Geometry 18, 305, 1997: grow-expansion, then compress). Four of them
// hold at least 212 bits: totals are exact as long as all that was ever added fits into as many bits below
// the largest intermediate sum, which is 63 decimal digits. Invariant: a zeroed total is 0; if the sum is
// infinite or not a number, the rest is 0.

#ifndef SCREE_WORLD_TOTAL_H
#define SCREE_WORLD_TOTAL_H

#include "base/sum.h"

#define SCREE_TOTAL_REST 3

struct scree_total {
    double value;                  // the sum, rounded
    double rest[SCREE_TOTAL_REST]; // what the rounding left, decreasing
};

void scree_total_add(struct scree_total *total, double value);

// Adds a sum `factor` times, exactly; the factor is -1, 0 or 1.
void scree_total_add_sum(struct scree_total *total, const struct scree_sum *sum, double factor);

// Adds another total.
void scree_total_add_total(struct scree_total *total, const struct scree_total *other);

// Adds a total to a sum, exactly.
void scree_total_enter(const struct scree_total *total, struct scree_sum *sum);

#endif
