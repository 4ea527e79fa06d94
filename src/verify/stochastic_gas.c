// Homogeneous gases in the stochastic engine: rates of collisions, cooling, and relaxation.
//
// In a homogeneous gas the engine has no error of the step or of the width of cells, but for correlations of
// the N bodies of a cell: they meet the same few partners again, and fluctuate less about the mean of the
// cell than about that of the gas, by a factor 1 - 1/N, as fictitious partners do. These are normally
// distributed, which the bodies of a cooling gas nearly are, and those of two streams are not.

#include "event.h"
#include "gas_sample.h"
#include "hard_gas.h"
#include "stochastic.h"
#include "verify.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// The width of cells with so many bodies.
static double width_for(int dimension, double fraction, double bodies)
{
    return pow(bodies * (dimension == 2 ? pi / 4 : pi / 6) / fraction, 1.0 / dimension);
}

// --- rates

enum { CROWD = 40 }; // bodies in a cell of fictitious partners
enum { GASES = 6, MELT = 10, COUNTED = 20 };

static scree_status measure_rate(struct scree_trial *trial, const struct scree_hard_gas *gas,
                                 struct scree_gas_sample *rate)
{
    struct scree_hard_gas_state first, last;
    SCREE_TRY(scree_hard_gas_begin(trial, gas));
    SCREE_TRY(scree_hard_gas_collide(trial, gas, MELT));
    SCREE_TRY(scree_hard_gas_get(trial, gas, &first));
    SCREE_TRY(scree_hard_gas_collide(trial, gas, COUNTED));
    SCREE_TRY(scree_hard_gas_get(trial, gas, &last));
    scree_gas_sample_add(rate, 2 * (double)(last.collisions - first.collisions) /
                                   ((double)scree_hard_gas_count(gas) * (last.time - first.time)));
    return SCREE_OK;
}

struct engine {
    const char *name;
    bool stochastic;
    scree_stochastic_partner partner;
    double bodies; // in a cell
    double model;  // relative error of the rate times the number of bodies in a cell
};

static scree_status compare_rates(struct scree_trial *trial, int dimension, double fraction)
{
    static const struct engine engines[] = {
        {"event engine", false, SCREE_STOCHASTIC_BODY, 1, 0.002},
        {"bodies as partners", true, SCREE_STOCHASTIC_BODY, 10, 0},
        {"fictitious partners", true, SCREE_STOCHASTIC_FICTITIOUS, CROWD, 0.15},
    };
    for (size_t k = 0; k < sizeof engines / sizeof engines[0]; ++k) {
        struct scree_gas_sample rate = {0, 0, 0};
        struct scree_stochastic_def def = {.partner = engines[k].partner};
        struct scree_hard_gas gas = {.dimension = dimension,
                                     .side = dimension == 2 ? 46 : 13,
                                     .fraction = fraction,
                                     .restitution = 1,
                                     .stochastic = engines[k].stochastic ? &def : NULL};
        const double expected =
            scree_hard_gas_rate(dimension, scree_hard_gas_pressure(dimension, fraction), 1);
        def.cell = width_for(dimension, fraction, engines[k].bodies);
        gas.step = 0.2 / expected;
        for (gas.seed = 1; gas.seed <= GASES; ++gas.seed)
            SCREE_TRY(measure_rate(trial, &gas, &rate));
        const double error = scree_gas_sample_error(&rate);
        scree_report_near(trial, expected, scree_gas_sample_mean(&rate),
                          4 * error + engines[k].model / engines[k].bodies * expected,
                          "%s of %g: rate, %s (+- %.1g)", dimension == 2 ? "disks" : "spheres", fraction,
                          engines[k].name, error);
    }
    return SCREE_OK;
}

scree_status scree_stochastic_rate(struct scree_trial *trial)
{
    SCREE_TRY(compare_rates(trial, 3, 0.01));
    SCREE_TRY(compare_rates(trial, 3, 0.1));
    SCREE_TRY(compare_rates(trial, 2, 0.02));
    return compare_rates(trial, 2, 0.1);
}

// --- cooling

scree_status scree_stochastic_haff(struct scree_trial *trial)
{
    struct scree_stochastic_def def = {.cell = width_for(3, 0.05, CROWD)};
    struct scree_hard_gas gas = {
        .dimension = 3, .side = 13, .fraction = 0.05, .restitution = 0.9, .step = 0.4, .stochastic = &def};
    // a collision takes (1 - e^2)/2 of the square of the relative velocity, and the same two meet again with
    // a chance of 1/N in each of their next few collisions, until others have made them strangers
    const double again = 2 * (1 - gas.restitution * gas.restitution) / CROWD;
    SCREE_TRY(scree_event_haff_of(trial, &gas, 6, again));
    def.partner = SCREE_STOCHASTIC_FICTITIOUS;
    // relative velocities are smaller by 1/N, and the coefficient a2 is that of normal partners
    return scree_event_haff_of(trial, &gas, 3, 1.0 / CROWD);
}

// --- relaxation

enum { INSTANTS = 4, STREAMS = 6 };

// Gives all bodies the speed of the temperature 1 along x, half of them to either side.
static scree_status make_streams(struct scree_trial *trial, uint64_t count)
{
    for (uint64_t b = 1; b <= count; ++b) {
        const double velocity[3] = {b % 2 ? sqrt(3) : -sqrt(3), 0, 0};
        SCREE_TRY(scree_body_set_velocity(trial->world, (scree_body_id){b}, velocity));
    }
    return SCREE_OK;
}

// The share of the energy along x, and the mean of the fourth power of velocities along x.
static scree_status look(struct scree_trial *trial, uint64_t count, struct scree_gas_sample *share,
                         struct scree_gas_sample *fourth)
{
    double along = 0, all = 0, power = 0;
    for (uint64_t b = 1; b <= count; ++b) {
        struct scree_body_state state;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){b}, &state));
        const double *v = state.velocity, x = v[0] * v[0];
        along += x;
        all += x + v[1] * v[1] + v[2] * v[2];
        power += x * x / (double)count;
    }
    scree_gas_sample_add(share, along / all);
    scree_gas_sample_add(fourth, power);
    return SCREE_OK;
}

static scree_status relax(struct scree_trial *trial, const struct scree_hard_gas *gas, double time,
                          struct scree_gas_sample share[INSTANTS], struct scree_gas_sample fourth[INSTANTS])
{
    const uint64_t count = scree_hard_gas_count(gas);
    SCREE_TRY(scree_hard_gas_begin(trial, gas));
    SCREE_TRY(scree_hard_gas_collide(trial, gas, MELT));
    SCREE_TRY(make_streams(trial, count));
    for (int k = 0; k < INSTANTS; ++k) {
        SCREE_TRY(scree_engine_run_until(trial->engine, scree_world_time(trial->world) + time));
        SCREE_TRY(look(trial, count, &share[k], &fourth[k]));
    }
    return SCREE_OK;
}

// At a solid fraction of 0.01 the event engine has collisions of pairs that have met before: some tenths of a
// per cent of all.
scree_status scree_stochastic_relaxation(struct scree_trial *trial)
{
    static const char *const names[] = {"bodies as partners", "fictitious partners"};
    struct scree_gas_sample share[3][INSTANTS] = {{{0, 0, 0}}}, fourth[3][INSTANTS] = {{{0, 0, 0}}};
    struct scree_stochastic_def def = {.cell = width_for(3, 0.01, CROWD)};
    struct scree_hard_gas gas = {.dimension = 3, .side = 14, .fraction = 0.01, .restitution = 1};
    const double rate = scree_hard_gas_rate(3, scree_hard_gas_pressure(3, gas.fraction), 1),
                 time = 0.5 / rate;
    gas.step = time / 4;
    for (int e = 0; e < 3; ++e) {
        gas.stochastic = e == 0 ? NULL : &def;
        def.partner = e == 1 ? SCREE_STOCHASTIC_BODY : SCREE_STOCHASTIC_FICTITIOUS;
        for (gas.seed = 1; gas.seed <= STREAMS; ++gas.seed)
            SCREE_TRY(relax(trial, &gas, time, share[e], fourth[e]));
    }
    for (int e = 1; e < 3; ++e)
        for (int k = 0; k < INSTANTS; ++k)
            for (int q = 0; q < 2; ++q) {
                const struct scree_gas_sample *expected = q == 0 ? &share[0][k] : &fourth[0][k],
                                              *got = q == 0 ? &share[e][k] : &fourth[e][k];
                // the partners of streams are normally distributed
                if (e == 2 && q == 1)
                    continue;
                const double noise = hypot(scree_gas_sample_error(expected), scree_gas_sample_error(got)),
                             mean = scree_gas_sample_mean(expected);
                scree_report_near(trial, mean, scree_gas_sample_mean(got), 4 * noise + 0.003 * mean,
                                  "%s after %g free times: %s (+- %.1g)",
                                  q == 0 ? "energy along x" : "fourth moment along x", 0.5 * (k + 1),
                                  names[e - 1], noise);
            }
    return SCREE_OK;
}
