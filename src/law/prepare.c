// Constants of laws, see prepare.h: effective moduli, and the damping ratio from restitution (EQUATIONS 7).

#include "law/prepare.h"

#include "math/elementary.h"

const char *const scree_law_tension_choices[] = {"allowed", "cut", NULL};
const char *const scree_law_limit_choices[] = {"pressing", "absolute", NULL};
const char *const scree_law_dashpot_choices[] = {"both", "normal", NULL};
const char *const scree_law_elastic_properties[] = {"young", "poisson", NULL};

const char *scree_law_effective_moduli(const struct scree_law_pair *pair, struct scree_law_moduli *moduli)
{
    double normal = 0, shear = 0;
    for (int side = 0; side < 2; ++side) {
        const double young = pair->property[0][side], poisson = pair->property[1][side];
        if (!(young > 0))
            return "'young' must be given for both materials, and positive";
        // a rigid body has no compliance, so poisson is not needed
        if (young > DBL_MAX)
            continue;
        if (!(poisson > -1 && poisson <= 0.5))
            return "'poisson' must be given for both materials, above -1 and at most 0.5";
        normal += (1 - poisson * poisson) / young;
        shear += (2 - poisson) * 2 * (1 + poisson) / young;
    }
    if (!(normal > 0))
        return "both materials are rigid; give one of them a finite 'young'";
    moduli->normal = 1 / normal;
    moduli->shear = 1 / shear;
    return NULL;
}

// acos(z) / sqrt(1 - z^2) for z < 1, acosh(z) / sqrt(z^2 - 1) for z > 1
static double acos_ratio(double z)
{
    const double t = 1 - z;
    if (fabs(t) < 0.02) {
        // sum of n! t^n / (2n + 1)!!; each term is less than t / 2 times the previous one
        double sum = 0, term = 1;
        for (int n = 1; n <= 10; ++n) {
            sum += term;
            term *= t * n / (2 * n + 1);
        }
        return sum;
    }
    const double root = sqrt(fabs(t) * (1 + z));
    return (z < 1 ? scree_acos(z) : scree_log(z + root)) / root;
}

// solves 2 z acos_ratio(z) = logarithm, whose left side increases with z, by bisection to full precision
static double damping_ratio_without_tension(double logarithm)
{
    double low = 0, high = 1;
    while (2 * high * acos_ratio(high) < logarithm)
        high *= 2;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            return middle;
        if (2 * middle * acos_ratio(middle) < logarithm)
            low = middle;
        else
            high = middle;
    }
}

const char *scree_law_damping_ratio(double restitution, double tension, double *ratio)
{
    if (!(restitution >= 0 && restitution <= 1))
        return "'restitution' must be from 0 to 1";
    const double logarithm = -scree_log(restitution);
    if (tension == SCREE_LAW_TENSION_CUT) {
        // for large damping ratios z the restitution is about 1 / (4 z^2): 0 would need an infinite z
        if (restitution < 1e-6)
            return "'restitution' must be at least 1e-6 with 'tension' \"cut\"";
        *ratio = damping_ratio_without_tension(logarithm);
    } else {
        *ratio = restitution > 0 ? logarithm / sqrt(SCREE_PI * SCREE_PI + logarithm * logarithm) : 1;
    }
    return NULL;
}

double scree_law_zero_range(const double *constants, double radius)
{
    (void)constants, (void)radius;
    return 0;
}

struct scree_law_powers scree_law_linear_powers(const double *constants)
{
    (void)constants;
    return (struct scree_law_powers){1, 0};
}
