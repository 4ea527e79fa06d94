// A dilute granular gas in uniform shear, in the stochastic engine, against the steady solution of Enskog's
// equation by a simulation of its own (enskog.h), at a solid fraction of 0.001.
//
// The engine lacks the transport of momentum over the distance of two centres. Viscosity and pressure are
// therefore smaller by 16/5 f and 4 f of their kinetic parts, 0.4 %; cells of the width D add 16/(45 pi)
// (D/l)^2 of the viscosity at the mean free path l (F. J. Alexander, A. L. Garcia, B. J. Alder, Phys. Fluids
// 10, 1540 (1998)); and N spheres lack one partner. Fictitious partners fluctuate less by 1/N of the N
// bodies in a cell. Since heating equals cooling, n T^(3/2) is proportional
// to the shear stress, so errors of temperatures are at most those of the viscosity, and those of stresses
// 3/2 of them.

#include "shear_gas.h"
#include "stochastic.h"
#include "verify.h"

#include <math.h>

enum { SIDE = 10, CROWD = 20 };

static const double pi = 3.14159265358979323846, fraction = 0.001;

static scree_status compare(struct scree_trial *trial, double restitution, scree_stochastic_partner partner)
{
    const double density = 6 * fraction / pi, path = 1 / (sqrt(2) * pi * density),
                 width = cbrt(CROWD / density), count = SIDE * SIDE * SIDE,
                 few = partner == SCREE_STOCHASTIC_FICTITIOUS ? 1.0 / CROWD : 0,
                 model = 4 * fraction + 16 / (45 * pi) * width * width / (path * path) + 2 / count + few;
    const struct scree_stochastic_def def = {.cell = width, .seed = 1, .partner = partner};
    const struct scree_shear_gas gas = {
        .fraction = fraction, .restitution = restitution, .side = SIDE, .strain = 100, .stochastic = &def};
    const struct scree_enskog_state expected = scree_enskog_solve(fraction, restitution, 60);
    struct scree_enskog_state state;
    SCREE_TRY(scree_shear_gas_measure(trial, &gas, &state, NULL));
    for (int k = 0; k < SCREE_ENSKOG_NUMBERS; ++k) {
        const bool ratio = k >= SCREE_ENSKOG_FIRST;
        const double unit = expected.value[ratio ? SCREE_ENSKOG_FIRST : k],
                     noise = hypot(expected.error[k], state.error[k]);
        scree_report_near(trial, expected.value[k], state.value[k],
                          4 * noise + (ratio ? 4 : 1.5) * model * unit, "e = %g: %s (+- %.2g)", restitution,
                          scree_enskog_names[k], noise);
    }
    return SCREE_OK;
}

scree_status scree_stochastic_shear(struct scree_trial *trial)
{
    SCREE_TRY(compare(trial, 0.9, SCREE_STOCHASTIC_BODY));
    SCREE_TRY(compare(trial, 0.7, SCREE_STOCHASTIC_BODY));
    return compare(trial, 0.7, SCREE_STOCHASTIC_FICTITIOUS);
}
