// Properties of the integration schemes, see schemes.h.

#include "schemes.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    int order;
    int lead;
} schemes[] = {
    {"velocity-verlet", 2, 0},
    {"leapfrog", 2, 0},
    {"central-difference", 2, 0},
    {"euler", 1, -1},
    {"euler-semi-implicit", 1, 1},
    {"splitting", 2, 0},
    {"buss2", 2, 0},
    {"buss2-literal", 2, 0},
    {"buss3", 3, 0},
    {"rk4", 4, 0},
    {"fincham", 2, 0},
    {"pcdm", 2, 0},
    {"pcdm-leapfrog", 2, 0},
};

enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

double scree_schemes_error_bound(const double *errors, int run, int last, int order)
{
    return ldexp(errors[run], order * (run - last)) * (1 - 0.4 * ldexp(1, -last)) /
           (1 - 0.4 * ldexp(1, -run));
}

double scree_schemes_lowest_bound(const double *errors, int count, int order)
{
    double lowest = (double)INFINITY;
    for (int r = 0; r < count - 1; ++r)
        lowest = fmin(lowest, scree_schemes_error_bound(errors, r, count - 1, order));
    return lowest;
}

static size_t find(const char *name)
{
    size_t l = 0;
    while (l < SCHEMES && strcmp(schemes[l].name, name) != 0)
        ++l;
    return l;
}

scree_status scree_schemes_order(const char *scheme, int *order)
{
    const size_t l = find(scheme);
    if (l == SCHEMES)
        return scree_status_fail(SCREE_ERROR_MISSING, "the order of the scheme '%s' is not listed", scheme);
    *order = schemes[l].order;
    return SCREE_OK;
}

int scree_schemes_lead(const char *translation)
{
    const size_t l = find(translation);
    return l < SCHEMES ? schemes[l].lead : 0;
}

const char *scree_schemes_rotation(size_t index)
{
    const char *name;
    for (size_t l = 0; (name = scree_motion_name(SCREE_ROTATION, l)); ++l)
        if (strcmp(name, "spherical") != 0 && index-- == 0)
            return name;
    return NULL;
}
