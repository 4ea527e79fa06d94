// Measuring the order of accuracy of an integrator: its error at n, 2n, 4n, 8n and 16n steps.
//
// An error C h^p + O(h^(p+1)) gives log2 of the ratio of two successive errors p + O(h). Tests assert the
// last two of the four ratios, where the O(h) is smallest, to a tenth: orders are whole numbers, and a wrong
// one is off by one.

#ifndef SCREE_SUPPORT_ORDER_H
#define SCREE_SUPPORT_ORDER_H

#include <stddef.h>

enum { SCREE_ORDER_HALVINGS = 4 };

struct scree_order {
    double error[SCREE_ORDER_HALVINGS + 1];
    double order[SCREE_ORDER_HALVINGS];
};

// The error of a run of so many steps.
typedef double scree_order_error(void *context, size_t steps);

struct scree_order scree_order_measure(scree_order_error *error, void *context, size_t steps);

// Fails the test that calls it, showing the errors, unless the order is the expected one to within a tenth.
void scree_order_assert(const struct scree_order *measured, double expected, const char *what);

// Measures and asserts.
void scree_order_is(scree_order_error *error, void *context, size_t steps, double expected, const char *what);

#endif
