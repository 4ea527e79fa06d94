// Laws of collisions in a gas of the event engine: the mean energy that a collision loses, at the temperature
// of the gas, is that of kinetic theory. This depends on the closing speed, the effective radius and the
// effective mass that the engine gives to a law.

#include "support/worlds.h"

#include <scree/event.h>

static const double pi = 3.14159265358979323846;

enum { SIDE = 10, BODIES = SIDE * SIDE * SIDE };

static const double radius = 0.5, density = 6 / 3.14159265358979323846; // so that the mass is 1

struct gas {
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t collisions;
    double loss,
        temperature; // energy lost by these collisions, and the mean temperature, (2/3) energy per body
};

static struct gas make(const char *law, const struct scree_interaction_value *values, size_t count)
{
    struct gas gas = {0};
    scree_material_id material;
    scree_body_id id;
    uint64_t seed = 3;
    const double side = cbrt(BODIES * pi / 6 / 0.1);
    assert_ok(scree_world_create(NULL, &gas.world));
    assert_ok(scree_material_add(gas.world, &(struct scree_material_def){"m", density}, &material));
    assert_ok(
        scree_interaction_add(gas.world, &(struct scree_interaction_def){{{0}, {0}}, law, values, count}));
    assert_ok(scree_cell_set(
        gas.world, &(struct scree_cell_def){.upper = {side, side, side}, .periodic = {true, true, true}}));
    for (int b = 0; b < BODIES; ++b) {
        const int at[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        struct scree_sphere_def def = {.radius = radius, .material = material};
        for (int k = 0; k < 3; ++k) {
            def.position[k] = (at[k] + 0.5) * side / SIDE;
            def.velocity[k] = sqrt(3) * splitmix_signed(&seed);
        }
        assert_ok(scree_body_add_sphere(gas.world, &def, &id));
    }
    assert_ok(scree_event_create(gas.world, &(struct scree_event_def){.step = 1}, &gas.engine));
    return gas;
}

// Lets the velocities become those of Maxwell, in 25 collisions per body, then measures for 50. The momentum
// of the gas is that of its random velocities: its energy is about 1e-3 of the whole.
static void measure(struct gas *gas)
{
    struct scree_energy from, to;
    struct scree_event_counts first, last = {0};
    while (last.pairs < 25 * BODIES / 2) {
        assert_ok(scree_engine_run(gas->engine, 1));
        assert_ok(scree_event_get_counts(gas->engine, &last));
    }
    first = last;
    assert_ok(scree_energy_get(gas->world, &from));
    while (last.pairs < first.pairs + 50 * BODIES / 2) {
        assert_ok(scree_engine_run(gas->engine, 1));
        assert_ok(scree_event_get_counts(gas->engine, &last));
    }
    assert_ok(scree_energy_get(gas->world, &to));
    gas->collisions = last.pairs - first.pairs;
    gas->loss = to.dashpot - from.dashpot;
    gas->temperature = (from.translation + to.translation) / 3 / BODIES;
    // what the collisions lose is what the bodies lose, to round-off of 10^5 collisions
    assert_true(fabs(from.translation - to.translation - gas->loss) < 1e-11 * from.translation);
    // the mean temperature is that of all collisions within 1e-4
    assert_true(to.translation > 0.95 * from.translation);
    scree_engine_destroy(gas->engine);
    scree_world_destroy(gas->world);
}

// Among collisions the square of the closing speed v is exponentially distributed with the mean 4 T / m, so
// <v^n> = (4 T / m)^(n/2) Gamma(1 + n/2).
static double moment(double temperature, double power)
{
    return pow(4 * temperature, 0.5 * power) * tgamma(1 + 0.5 * power);
}

// The losses of single collisions have a standard deviation of about 1.3 of their mean: in 25,000 collisions
// the error of the mean is 0.8 % (one standard deviation), and 5 of them are allowed. A speed, radius or mass
// that is wrong by a factor 2 changes the results by 15 % or more.
static void assert_loss(const struct gas *gas, double expected)
{
    const double got = gas->loss / (double)gas->collisions;
    if (!(fabs(got / expected - 1) < 0.04))
        fail_msg("a collision loses %g, expected %g", got, expected);
}

// e = 1 - C1 w^2 + 3/5 C1^2 w^4 with w^2 = k v^(1/5), k = 3/2 A (rho / m*)^(2/5), rho = stiffness sqrt(R*).
static void viscoelastic_spheres_lose_the_energy_of_kinetic_theory(void **state)
{
    (void)state;
    const double time = 1e-6, stiffness = 1e6, c1 = pow(0.8, 0.4) * tgamma(0.6) * tgamma(1.5) / tgamma(2.1);
    const struct scree_interaction_value values[] = {
        {"dissipation-time", time, NULL}, {"stiffness", stiffness, NULL}, {"friction", 0, NULL}};
    struct gas gas = make("hard-viscoelastic", values, 3);
    measure(&gas);
    const double a = c1 * 1.5 * time * pow(stiffness * sqrt(radius / 2) / 0.5, 0.4);
    // 1/2 m* <(1 - e^2) v^2> with 1 - e^2 = 2 a v^0.2 - 2.2 a^2 v^0.4
    assert_loss(&gas,
                0.25 * (2 * a * moment(gas.temperature, 2.2) - 2.2 * a * a * moment(gas.temperature, 2.4)));
}

static void a_power_law_loses_the_energy_of_kinetic_theory(void **state)
{
    (void)state;
    const struct scree_interaction_value values[] = {
        {"restitution", 0.9, NULL}, {"speed", 3000, NULL}, {"exponent", 0.75, NULL}, {"friction", 0, NULL}};
    struct gas gas = make("hard-power", values, 4);
    measure(&gas);
    const double a = 0.1 * pow(3000, -0.75);
    assert_loss(&gas, 0.25 * (2 * a * moment(gas.temperature, 2.75) - a * a * moment(gas.temperature, 3.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscoelastic_spheres_lose_the_energy_of_kinetic_theory),
        cmocka_unit_test(a_power_law_loses_the_energy_of_kinetic_theory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
