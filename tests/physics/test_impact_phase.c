// Impacts that begin anywhere within a step: the root mean square error of restitution is of order 2, and the
// energy of an elastic impact is conserved to order 4 (include/scree/onset.h). The reference is the
// prescribed restitution, for which the laws compute their dashpots in closed form.

#include "math/real.h"
#include "support/order.h"
#include "support/worlds.h"

#include <math.h>

enum { PHASES = 32 };

static const double radius = 1, mass = 1, speed = 1; // m, kg, m/s

// A ball that falls on a resting floor, or on a second ball of equal mass.
struct impact {
    const char *name, *law, *tension;
    double stiffness, restitution;
    double duration; // of the run, longer than the contact, s
    bool pair;
};

static void add_law(struct scree_world *world, const struct impact *impact)
{
    struct scree_interaction_value values[4] = {{"stiffness", impact->stiffness, NULL},
                                                {"restitution", impact->restitution, NULL},
                                                {"tension", 0, impact->tension},
                                                {"friction", 0.3, NULL}};
    // hertz has no friction
    const struct scree_interaction_def def = {
        .law = impact->law, .values = values, .count = strcmp(impact->law, "linear") == 0 ? 4 : 3};
    assert_ok(scree_interaction_add(world, &def));
}

// The rebound speed. First touch is in the third step, after the fraction `phase` of it.
static double rebound(const struct impact *impact, double step, double phase)
{
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_body_id id[2];
    scree_wall_id wall;
    struct scree_body_state ball_state, target_state = {0};
    const double density = mass / (4.0 / 3 * SCREE_PI * radius * radius * radius);
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"ball", density}, &material));
    add_law(world, impact);
    struct scree_sphere_def ball = {.radius = radius,
                                    .material = material,
                                    .position = {0, 0, radius + speed * step * (2 + phase)},
                                    .velocity = {0, 0, -speed}};
    const struct scree_sphere_def target = {
        .radius = radius, .material = material, .position = {0, 0, -radius}};
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = material, .plane = {.normal = {0, 0, 1}}};
    assert_ok(scree_body_add_sphere(world, &ball, &id[0]));
    if (impact->pair)
        assert_ok(scree_body_add_sphere(world, &target, &id[1]));
    else
        assert_ok(scree_wall_add(world, &floor, &wall));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = step, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 6 + (uint64_t)(impact->duration / step)));
    assert_ok(scree_body_get(world, id[0], &ball_state));
    if (impact->pair)
        assert_ok(scree_body_get(world, id[1], &target_state));
    assert_int_equal(scree_contact_count(world), 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return ball_state.velocity[2] - target_state.velocity[2];
}

// Root mean square over phases. With the offset of 0.37 no contact begins or ends exactly at a step.
static double error_of_restitution(void *context, size_t steps)
{
    const struct impact *impact = context;
    double sum = 0;
    for (int p = 0; p < PHASES; ++p) {
        const double error = rebound(impact, impact->duration / (double)steps, (p + 0.37) / PHASES) -
                             impact->restitution * speed;
        sum += error * error / PHASES;
    }
    return sqrt(sum);
}

// The angular frequency w of the linear contact is 100 rad/s for the floor and 141 rad/s for the pair: w h =
// 0.2 and 0.28 at the largest step.
static void the_error_of_restitution_over_all_phases_has_order_2(void **state)
{
    (void)state;
    struct impact impacts[] = {
        {"linear, 0.9", "linear", "allowed", 1e4, 0.9, 0.04, false},
        {"linear, 0.5", "linear", "allowed", 1e4, 0.5, 0.04, false},
        {"linear, 0.5, without attraction", "linear", "cut", 1e4, 0.5, 0.04, false},
        {"linear, 0.5, two balls", "linear", "allowed", 1e4, 0.5, 0.04, true},
        {"hertz, 0.5", "hertz", "allowed", 1e6, 0.5, 0.04, false},
        {"hertz, 0.5, without attraction", "hertz", "cut", 1e6, 0.5, 0.04, false},
        {"hertz, 0.5, two balls", "hertz", "allowed", 1e6, 0.5, 0.04, true},
    };
    for (size_t n = 0; n < sizeof impacts / sizeof impacts[0]; ++n) {
        const struct scree_order measured = scree_order_measure(error_of_restitution, &impacts[n], 20);
        print_message("%-32s %.2e %.2e %.2e %.2e %.2e\n", impacts[n].name, measured.error[0],
                      measured.error[1], measured.error[2], measured.error[3], measured.error[4]);
        scree_order_assert(&measured, 2, impacts[n].name);
    }
}

// A time-reversible scheme conserves the energy of a symmetric impact to a higher order. Its error also
// depends on the phase at the end of the contact, so the order is averaged over four halvings.
static void elastic_impacts_conserve_energy_to_order_3_5_or_more(void **state)
{
    (void)state;
    struct impact impact = {"elastic", "linear", "allowed", 1e4, 1, 0.04, false};
    const double coarse = error_of_restitution(&impact, 20), fine = error_of_restitution(&impact, 320);
    assert_true(log2(coarse / fine) / 4 > 3.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_of_restitution_over_all_phases_has_order_2),
        cmocka_unit_test(elastic_impacts_conserve_energy_to_order_3_5_or_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
