// The event engine is the limit of the soft engine for stiff contacts: a granular gas in uniform shear, with
// both, see event_limit.c. Hard spheres have the restitution that impacts of soft ones have at their step.
//
// At the stiffness k spheres are compressed by the softness s = (pi T / 2 k)^(1/2) of the diameter, and count
// as hard ones of the diameter 1 - s (see cell_gas.c). Temperature and stresses are powers of it between -2
// and -5: at s = 0.04, 0.02 and 0.01 the term of second order is up to 15 s^2, and a straight line through
// such values at 4, 2 and 1 misses 0 by 5 times that at 1, 0.75 %.

#include "event.h"
#include "shear_gas.h"
#include "verify.h"

enum { STIFFNESSES = 3, MEANS = SCREE_ENSKOG_FIRST };

static scree_status compare(struct scree_trial *trial, double strain)
{
    struct scree_shear_gas gas = {
        .fraction = 0.1, .restitution = 0.9, .side = 5, .steps = 16, .strain = strain};
    const double pi = acos(-1),
                 temperature = scree_enskog_gauss(gas.fraction, gas.restitution, (double)INFINITY)
                                   .value[SCREE_ENSKOG_TEMPERATURE];
    struct scree_enskog_state hard, soft[STIFFNESSES];
    double softness[STIFFNESSES], restitution = 0;
    for (int s = 0; s < STIFFNESSES; ++s) {
        softness[s] = ldexp(0.04, -s);
        gas.stiffness = pi * temperature / (2 * softness[s] * softness[s]);
        SCREE_TRY(scree_shear_gas_restitution(trial, &gas, &restitution));
        SCREE_TRY(scree_shear_gas_measure(trial, &gas, &soft[s], NULL));
    }
    gas.stiffness = 0;
    gas.restitution = restitution;
    SCREE_TRY(scree_shear_gas_measure(trial, &gas, &hard, NULL));
    for (int m = 0; m < MEANS; ++m) {
        double value, error, means[STIFFNESSES], errors[STIFFNESSES];
        for (int s = 0; s < STIFFNESSES; ++s) {
            means[s] = soft[s].value[m];
            errors[s] = soft[s].error[m];
            scree_report_unchecked(trial, hard.value[m], means[s], "%s, softness %.2f (+- %.1g)",
                                   scree_enskog_names[m], softness[s], errors[s]);
        }
        scree_series_extrapolate(softness, means, errors, STIFFNESSES, &value, &error);
        const double both = hypot(error, hard.error[m]);
        scree_report_near(trial, hard.value[m], value, 3.5 * both + 0.0075 * hard.value[m],
                          "%s, extrapolated (+- %.1g)", scree_enskog_names[m], both);
        scree_report_at_most(trial, 0.05, both / hard.value[m], "its relative standard error");
    }
    return SCREE_OK;
}

scree_status scree_event_shear_limit(struct scree_trial *trial)
{
    return compare(trial, 160);
}

scree_status scree_event_long_shear_limit(struct scree_trial *trial)
{
    return compare(trial, 3000);
}
