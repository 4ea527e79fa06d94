// The stochastic engine against kinetic theory and against the event engine in dilute gases.

#include "stochastic.h"

#include "verify.h"

const struct scree_verify_case scree_verify_stochastic[] = {
    {"rate", "rates of collisions in equilibrium", scree_stochastic_rate, NULL},
    {"haff", "cooling of smooth inelastic spheres", scree_stochastic_haff, NULL},
    {"relaxation", "two streams become a gas, as in the event engine", scree_stochastic_relaxation, NULL},
    {"shear", "a dilute granular gas in uniform shear", scree_stochastic_shear, NULL},
    {"atmosphere", "a gas under gravity above a floor", scree_stochastic_atmosphere, NULL},
    {0},
};
