// Prepare: what laws make of parameters and properties once for each pair of materials.

#ifndef SCREE_LAW_PREPARE_H
#define SCREE_LAW_PREPARE_H

#include <scree/law.h>

#include <float.h>
#include <math.h>

// the value of a parameter that was not given
#define SCREE_LAW_NOT_GIVEN ((double)NAN)
// the top of a range that has none
#define SCREE_LAW_ANY 1e150

// The choices that several laws share, in the order of the words.
enum { SCREE_LAW_TENSION_ALLOWED, SCREE_LAW_TENSION_CUT };
enum { SCREE_LAW_CAP_PRESSING, SCREE_LAW_CAP_ABSOLUTE };
enum { SCREE_LAW_DASHPOTS_BOTH, SCREE_LAW_DASHPOTS_NORMAL };
extern const char *const scree_law_tension[];
extern const char *const scree_law_limit_choices[];
extern const char *const scree_law_dashpots[];

// The properties of elastic bodies: young, poisson.
extern const char *const scree_law_elastic[];

// Effective moduli of two elastic bodies, 1/E* = sum (1 - nu^2) / E and 1/G* = sum (2 - nu) / G.
struct scree_law_moduli {
    double normal, shear;
};

// Tangential effective mass over effective mass, 1 / (1 + m R^2 / I): of solid balls, or of disks.
static inline double scree_law_tangential_share(int dimension)
{
    return dimension == 2 ? 1.0 / 3 : 2.0 / 7;
}

static inline bool scree_law_given(double parameter)
{
    return parameter == parameter;
}

// Mixes the properties of scree_law_elastic; an infinite modulus is a truly rigid body. Returns null or what
// is wrong.
const char *scree_law_mix(const struct scree_law_pair *pair, struct scree_law_moduli *moduli);

// Share of critical damping that gives a coefficient of restitution, of a linear contact or one of Hertz's
// alike: where attraction is allowed until the overlap is gone, e = exp(-pi z / sqrt(1 - z^2)); where it is
// cut, e = exp(-2 z acos z / sqrt(1 - z^2)). Returns null or what is wrong.
const char *scree_law_damping(double restitution, double tension, double *ratio);

// The reach of a law whose contacts end as the overlap does.
double scree_law_touch(const double *constants, double radius);

#endif
