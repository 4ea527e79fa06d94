// Numbers and vectors of a scene that may depend on time: a number, an expression of the time `t`, or a table
// of times and values, each.
//
// Invariants: a number or vector that has been read needs neither the scene nor any file any more. Its value
// is a function of time alone, of equal bits on every machine. Between the rows of a table values are linear;
// before the first and after the last row they are constant.

#ifndef SCREE_LANGUAGE_RATES_H
#define SCREE_LANGUAGE_RATES_H

#include "language/reading.h"

struct scree_rate_row {
    double time, value; // s, and in the unit of the key
};

struct scree_rate {
    double number; // constant, if there is neither a text nor a table
    char *text;    // expression; null for none
    SCREE_ARRAY(struct scree_rate_row) row;
};

struct scree_rates {
    struct scree_rate component[3];
};

// Reads a node as the value of a key, a number or a vector; returns false after a diagnostic or a lack of
// memory. Free it in any case.
bool scree_rates_one_read(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, struct scree_rate *rate);
bool scree_rates_read(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, struct scree_rates *rates);

void scree_rates_one_free(struct scree_rate *rate);
void scree_rates_free(struct scree_rates *rates);

bool scree_rates_one_is_constant(const struct scree_rate *rate);
bool scree_rates_are_constant(const struct scree_rates *rates);

// The number or the vector at a time, s; NaN where an expression has no finite value.
double scree_rates_one_at(const struct scree_rate *rate, double time);
void scree_rates_at(const struct scree_rates *rates, double time, double vector[3]);

#endif
