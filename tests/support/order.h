// Measures the order of accuracy of an integrator: its error at n, 2n, 4n, 8n and 16n steps.
//
// An error C h^p + O(h^(p+1)) makes log2 of the ratio of successive errors equal to p + O(h). Tests check the
// last two of the four ratios, where O(h) is smallest, with a tolerance of 0.1: orders are whole numbers, so
// a wrong order differs by one.

#ifndef SCREE_SUPPORT_ORDER_H
#define SCREE_SUPPORT_ORDER_H

#include <stddef.h>

enum { SCREE_ORDER_HALVINGS = 4 };

struct scree_order {
    double error[SCREE_ORDER_HALVINGS + 1];
    double order[SCREE_ORDER_HALVINGS];
};

// The error of a run with this number of steps.
typedef double scree_order_error(void *context, size_t steps);

struct scree_order scree_order_measure(scree_order_error *error, void *context, size_t steps);

// Fails the test and prints the errors unless the order is `expected` with a tolerance of 0.1.
void scree_order_assert(const struct scree_order *measured, double expected, const char *what);

// Measures the order and checks it.
void scree_order_check(scree_order_error *error, void *context, size_t steps, double expected,
                       const char *what);

#endif
