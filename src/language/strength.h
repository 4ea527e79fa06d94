// Strengths of bonds: a number, or a random number with a given distribution.
//
// Invariant: a draw is a function of the key and of the two numbers that identify the bond only.

#ifndef SCREE_LANGUAGE_STRENGTH_H
#define SCREE_LANGUAGE_STRENGTH_H

#include "base/random.h"
#include "language/reading.h"

enum scree_strength_kind {
    SCREE_STRENGTH_EQUAL,   // value
    SCREE_STRENGTH_UNIFORM, // from, to
    SCREE_STRENGTH_NORMAL,  // mean, deviation; only values above 0
    SCREE_STRENGTH_WEIBULL  // scale, shape
};

struct scree_strength {
    enum scree_strength_kind kind;
    double parameter[2];
};

// Reads a strength; 0 if the key is not given. Returns false after a diagnostic.
bool scree_strength_read(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_strength *strength);

// Draws a strength. `draw` counts the draws of the same key and numbers.
double scree_strength_draw(const struct scree_strength *strength, struct scree_random_key key, uint64_t first,
                           uint64_t second, uint64_t draw);

#endif
