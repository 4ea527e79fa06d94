// Properties of the integration schemes used by the cases: order of accuracy and initial offset.

#ifndef SCREE_VERIFY_SCHEMES_H
#define SCREE_VERIFY_SCHEMES_H

#include <scree/scree.h>

// Tolerance of an order of accuracy measured over four halvings of the step, see rotation.c.
#define SCREE_SCHEMES_ORDER_TOLERANCE 0.15

// Upper bound of the error of run `last`, extrapolated with the order p from an earlier run, whose step is
// larger by 2^(last - run). The coarsest steps are chosen such that errors are C h^p (1 + D h) with D h of at
// least -0.4. So the bound is the error of the earlier run times 2^(-p (last - run)), times
// (1 - 0.4 / 2^last) / (1 - 0.4 / 2^run).
double scree_schemes_error_bound(const double *errors, int run, int last, int order);

// The lowest of these bounds from `count` - 1 coarser runs. It checks the last halving to a few percent.
double scree_schemes_lowest_bound(const double *errors, int count, int order);

// The order of accuracy of a scheme of translation, or of a scheme of rotation for a free asymmetric body; an
// error for an unknown scheme.
SCREE_NODISCARD scree_status scree_schemes_order(const char *scheme, int *order);

// Returns the number of half-steps by which the velocities that move the positions are ahead of the
// positions, under a constant force.
int scree_schemes_lead(const char *translation);

// Returns scheme number `index` of those that rotate any rigid body, not only spheres; null after the last.
const char *scree_schemes_rotation(size_t index);

#endif
