// Cooling of smooth inelastic spheres against kinetic theory: a uniform gas whose bodies meet as if they were
// independent, with the contact value of the equation of state.
//
// P. K. Haff, J. Fluid Mech. 134, 401 (1983): a collision loses (1 - e^2) T on average, so T = T0/(1 +
// t/tau)^2 with 1/tau = (1 - e^2)/6 times the rate of collisions of a body at T0. The distribution of
// velocities is not quite normal: the first Sonine coefficient a2 makes this 1 + 3 a2/16 times faster, and
// the logarithm of T falls by (1 - e^2)/3 (1 + a2/4) with each collision of a body (T. P. C. van Noije, M. H.
// Ernst, Granul. Matter 1, 57 (1998)).
//
// In a gas of finite density pairs meet again after inelastic collisions, with less closing speed. This
// vanishes with 1 - e and with the fraction; at a fraction of 0.1 it gets a tolerance of 0.2 (1 - e).

#include "event.h"
#include "gas_sample.h"
#include "verify.h"

#include <math.h>

enum { TIMES = 4, MELT = 10, EACH = 30 };

struct cooling {
    struct scree_gas_sample rate[TIMES], loss[TIMES];
};

static scree_status cool(struct scree_trial *trial, const struct scree_hard_gas *gas, struct cooling *cooling)
{
    struct scree_hard_gas_state first, state;
    const double count = (double)scree_hard_gas_count(gas);
    SCREE_TRY(scree_hard_gas_begin(trial, gas));
    SCREE_TRY(scree_hard_gas_collide(trial, gas, MELT));
    SCREE_TRY(scree_hard_gas_get(trial, gas, &first));
    const double rate = scree_hard_gas_rate(3, scree_hard_gas_pressure(3, gas->fraction), first.translation);
    for (int k = 0; k < TIMES; ++k) {
        SCREE_TRY(scree_hard_gas_collide(trial, gas, EACH));
        SCREE_TRY(scree_hard_gas_get(trial, gas, &state));
        const double ratio = first.translation / state.translation;
        scree_gas_sample_add(&cooling->rate[k], (sqrt(ratio) - 1) / (rate * (state.time - first.time)));
        scree_gas_sample_add(&cooling->loss[k],
                             log(ratio) * count / (2 * (double)(state.collisions - first.collisions)));
    }
    return SCREE_OK;
}

static void compare(struct scree_trial *trial, double expected, double model,
                    const struct scree_gas_sample *sample, const char *name, double e, int collisions)
{
    const double error = scree_gas_sample_error(sample);
    scree_report_near(trial, expected, scree_gas_sample_mean(sample), 3 * error + model * expected,
                      "e %g, %d collisions: %s (+- %.1g)", e, collisions, name, error);
}

scree_status scree_event_haff_of(struct scree_trial *trial, const struct scree_hard_gas *gas, int gases,
                                 double model)
{
    const double e = gas->restitution,
                 a2 = 16 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e)),
                 rate = (1 - e * e) / 6 * (1 + 3 * a2 / 16), loss = (1 - e * e) / 3 * (1 + a2 / 4);
    struct cooling cooling = {{{0, 0, 0}}, {{0, 0, 0}}};
    for (int g = 1; g <= gases; ++g) {
        struct scree_hard_gas another = *gas;
        another.seed = (uint64_t)g;
        SCREE_TRY(cool(trial, &another, &cooling));
    }
    for (int k = 0; k < TIMES; ++k) {
        compare(trial, rate, model, &cooling.rate[k], "rate of cooling", e, EACH * (k + 1));
        compare(trial, loss, model, &cooling.loss[k], "loss per collision", e, EACH * (k + 1));
    }
    return SCREE_OK;
}

scree_status scree_event_haff(struct scree_trial *trial)
{
    struct scree_hard_gas gas = {.dimension = 3, .side = 13, .fraction = 0.1, .step = 0.5};
    static const double restitution[] = {0.99, 0.95};
    for (int r = 0; r < 2; ++r) {
        gas.restitution = restitution[r];
        SCREE_TRY(scree_event_haff_of(trial, &gas, 6, 0.2 * (1 - gas.restitution)));
    }
    return SCREE_OK;
}
