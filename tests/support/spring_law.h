// A small contact law written as a user would write one: a linear spring with a dashpot and Coulomb friction.
// Its number type is whatever SCREE_REAL is, which is what the tests of the interface are about.

#ifndef SCREE_TESTS_SPRING_LAW_H
#define SCREE_TESTS_SPRING_LAW_H

#include "support/spring_force.h"

static const struct scree_law_parameter spring_parameters[] = {
    {"stiffness", "N/m", 1e-9, 1e30, true, 0, "Stiffness along and across the normal.", NULL},
    {"damping", "N s/m", 0, 1e30, false, 0, "Dashpot along the normal.", NULL},
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {0},
};

static const struct scree_law_value spring_values[] = {
    {"spring", "m", 3, "How far the contact is sheared."},
    {0},
};

static inline const char *spring_prepare(const struct scree_law_pair *pair, double *constants)
{
    for (int k = 0; k <= SPRING_FRICTION; ++k)
        constants[k] = pair->parameter[k];
    return pair->dimension == 3 ? NULL : "the spring is for spheres";
}

static inline double spring_reach(const double *p, double radius)
{
    (void)p, (void)radius;
    return 0;
}

// All of the law but its version and the loops that may be made of its force.
#define SPRING_LAW                                                                                           \
    .name = "spring", .about = "A spring, a dashpot and friction.", .parameters = spring_parameters,         \
    .values = spring_values, .dimensions = 1 << 3, .damps = true, .prepare = spring_prepare,                 \
    .range = spring_reach, .force = spring_force

static const struct scree_contact_law spring_law = {.version = SCREE_LAW_VERSION, SPRING_LAW};

#endif
