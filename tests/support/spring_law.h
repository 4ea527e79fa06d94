// A small contact law as a user would write it: a linear spring with a dashpot and Coulomb friction. Its
// number type is SCREE_REAL, so tests can use it in float and in double.

#ifndef SCREE_TESTS_SPRING_LAW_H
#define SCREE_TESTS_SPRING_LAW_H

#include "support/spring_force.h"

static const struct scree_law_parameter spring_parameters[] = {
    {"stiffness", "N/m", 1e-9, 1e30, true, 0, "Stiffness along and perpendicular to the normal.", NULL},
    {"damping", "N s/m", 0, 1e30, false, 0, "Dashpot along the normal.", NULL},
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {0},
};

static const struct scree_law_value spring_values[] = {
    {"spring", "m", 3, "Tangential displacement of the contact."},
    {0},
};

static inline const char *spring_prepare(const struct scree_law_pair *pair, double *constants)
{
    for (int k = 0; k <= SPRING_FRICTION; ++k)
        constants[k] = pair->parameter[k];
    return pair->dimension == 3 ? NULL : "the spring is for spheres";
}

static inline double spring_range(const double *p, double radius)
{
    (void)p, (void)radius;
    return 0;
}

// All members of the law except its version and the batch loops.
#define SPRING_LAW                                                                                           \
    .name = "spring", .about = "A spring, a dashpot and friction.", .parameters = spring_parameters,         \
    .values = spring_values, .dimensions = 1 << 3, .depends_on_velocity = true, .prepare = spring_prepare,   \
    .range = spring_range, .force = spring_force

static const struct scree_contact_law spring_law = {.version = SCREE_LAW_VERSION, SPRING_LAW};

#endif
