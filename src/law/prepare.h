// Prepare: helpers that compute the constants of a law from its parameters and material properties.

#ifndef SCREE_LAW_PREPARE_H
#define SCREE_LAW_PREPARE_H

#include <scree/law.h>

#include <float.h>
#include <math.h>

// default value of a parameter, for laws that test whether it was given
#define SCREE_LAW_NOT_GIVEN ((double)NAN)
// upper end of an unlimited range
#define SCREE_LAW_ANY 1e150

// Choices shared by several laws, and their words in the same order.
enum { SCREE_LAW_TENSION_ALLOWED, SCREE_LAW_TENSION_CUT };
enum { SCREE_LAW_LIMIT_PRESSING, SCREE_LAW_LIMIT_ABSOLUTE };
enum { SCREE_LAW_DASHPOTS_BOTH, SCREE_LAW_DASHPOTS_NORMAL };
extern const char *const scree_law_tension_choices[];
extern const char *const scree_law_limit_choices[];
extern const char *const scree_law_dashpot_choices[];

// Names of the properties of elastic materials: young, poisson.
extern const char *const scree_law_elastic_properties[];

// Effective moduli of two elastic bodies, 1/E* = sum (1 - nu^2) / E and 1/G* = sum (2 - nu) / G.
struct scree_law_moduli {
    double normal, shear;
};

// Tangential effective mass / effective mass, 1 / (1 + m R^2 / I), of solid spheres or disks.
static inline double scree_law_tangential_share(int dimension)
{
    return dimension == 2 ? 1.0 / 3 : 2.0 / 7;
}

static inline bool scree_law_is_given(double parameter)
{
    return parameter == parameter;
}

// Computes the effective moduli from the properties of scree_law_elastic_properties; an infinite "young" is a
// rigid material. Returns null or a message.
const char *scree_law_effective_moduli(const struct scree_law_pair *pair, struct scree_law_moduli *moduli);

// Damping ratio z of linear and of Hertzian contacts for a coefficient of restitution e: with tension
// allowed e = exp(-pi z / sqrt(1 - z^2)), with tension cut e = exp(-2 z acos z / sqrt(1 - z^2)). Returns null
// or a message.
const char *scree_law_damping_ratio(double restitution, double tension, double *ratio);

// Returns 0, the interaction range of laws whose contacts end with the overlap.
double scree_law_zero_range(const double *constants, double radius);

// The powers 1 and 0, of laws with an elastic force proportional to the overlap and a constant dashpot, or
// none.
struct scree_law_powers scree_law_linear_powers(const double *constants);

#endif
