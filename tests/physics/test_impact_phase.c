// Impacts that begin anywhere within a step: the errors of restitution, averaged over phases, are of order 2
// (include/scree/onset.h). Restitutions are closed forms; oblique impacts are compared with an integration by
// the method of Runge and Kutta that begins at the first touch.

#include "math/real.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PHASES = 64, HALVINGS = 4 };

// A ball of 1 m and 1 kg and a resting floor, or (`pair`) a second ball of equal mass.
struct impact {
    const char *name, *law, *tension;
    double stiffness, restitution, friction;
    bool pair;
    double slip;     // tangential velocity at the beginning, m/s
    double duration; // about that of the contact, s
    double coarsest; // step, s
};

static const double speed = 1.0, radius = 1.0, mass = 1.0;

// Final velocities of the first ball relative to the second or the floor.
struct outcome {
    double normal, tangential;
};

static struct outcome run(const struct impact *impact, double step, double phase)
{
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    scree_material_id material;
    const double density = mass / (4.0 / 3 * SCREE_PI * radius * radius * radius);
    assert_ok(scree_material_add(world, &(struct scree_material_def){"ball", density}, &material));
    struct scree_interaction_value values[4] = {{"stiffness", impact->stiffness, NULL},
                                                {"restitution", impact->restitution, NULL}};
    size_t count = 2;
    if (impact->friction >= 0)
        values[count++] = (struct scree_interaction_value){"friction", impact->friction, NULL};
    if (impact->tension)
        values[count++] = (struct scree_interaction_value){"tension", 0, impact->tension};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = impact->law, .values = values, .count = count}));
    // the first touch is at a part `phase` of the third step
    struct scree_sphere_def ball = {.radius = radius,
                                    .material = material,
                                    .position = {0, 0, radius + speed * step * (2 + phase)},
                                    .velocity = {impact->slip, 0, -speed}};
    scree_body_id id[2];
    assert_ok(scree_body_add_sphere(world, &ball, &id[0]));
    if (impact->pair) {
        ball.position[2] = -radius;
        ball.velocity[0] = ball.velocity[2] = 0;
        assert_ok(scree_body_add_sphere(world, &ball, &id[1]));
    } else {
        scree_wall_id wall;
        const struct scree_wall_def floor = {
            .shape = SCREE_WALL_PLANE, .material = material, .plane = {.normal = {0, 0, 1}}};
        assert_ok(scree_wall_add(world, &floor, &wall));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = step, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 6 + (uint64_t)(impact->duration / step)));
    struct scree_body_state a, b = {0};
    assert_ok(scree_body_get(world, id[0], &a));
    if (impact->pair)
        assert_ok(scree_body_get(world, id[1], &b));
    assert_int_equal(scree_contact_count(world), 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return (struct outcome){a.velocity[2] - b.velocity[2], a.velocity[0] - b.velocity[0]};
}

static void measure(const struct impact *impact, struct outcome expected, double error[2][HALVINGS + 1])
{
    for (int k = 0; k <= HALVINGS; ++k) {
        error[0][k] = error[1][k] = 0;
        for (int p = 0; p < PHASES; ++p) {
            // no phase is special, neither here nor at the end of the contact
            const struct outcome got = run(impact, ldexp(impact->coarsest, -k), (p + 0.37) / PHASES);
            if (getenv("PH") && k == 3)
                printf("%d %.3e %.3e\n", p, got.normal - expected.normal,
                       got.tangential - expected.tangential);
            error[0][k] += pow(got.normal - expected.normal, 2) / PHASES;
            error[1][k] += pow(got.tangential - expected.tangential, 2) / PHASES;
        }
        error[0][k] = sqrt(error[0][k]);
        error[1][k] = sqrt(error[1][k]);
    }
    for (int c = 0; c < 2; ++c) {
        printf("%-40s %s", impact->name, c ? "slip  " : "normal");
        for (int k = 0; k <= HALVINGS; ++k)
            printf(" %.2e", error[c][k]);
        for (int k = 0; k < HALVINGS; ++k)
            printf(" %.2f", log2(error[c][k] / error[c][k + 1]));
        printf("\n");
    }
}

static void restitution_is_of_order_2(void **state)
{
    (void)state;
    // omega h = 0.2 at first; mass 1 at the floor, 1/2 in a pair
    static const struct impact impacts[] = {
        {"linear 0.9", "linear", "allowed", 1e4, 0.9, 0.3, false, 0, 0.04, 0.002},
        {"linear 0.5", "linear", "allowed", 1e4, 0.5, 0.3, false, 0, 0.04, 0.002},
        {"linear 0.5, pair", "linear", "allowed", 1e4, 0.5, 0.3, true, 0, 0.04, 0.002},
        {"linear 0.5, cut", "linear", "cut", 1e4, 0.5, 0.3, false, 0, 0.04, 0.002},
        {"hertz 0.5", "hertz", "allowed", 1e6, 0.5, -1, false, 0, 0.03, 0.001},
        {"hertz 0.5, pair", "hertz", "allowed", 1e6, 0.5, -1, true, 0, 0.03, 0.001},
        {"hertz 0.5, cut", "hertz", "cut", 1e6, 0.5, -1, false, 0, 0.03, 0.001},
        {"hertz-mindlin 0.5", "hertz-mindlin", "allowed", 1e6, 0.5, 0.3, false, 0, 0.03, 0.001},
        {"hertz-mindlin 0.5 slip", "hertz-mindlin", "allowed", 1e6, 0.5, 0.3, false, 0.2, 0.03, 0.001},
        {"linear 0.5 slip", "linear", "allowed", 1e4, 0.5, 0.3, false, 0.2, 0.04, 0.002},
        {"linear 0.5 slip cut", "linear", "cut", 1e4, 0.5, 0.3, false, 0.2, 0.04, 0.002},
        {"linear 0.5 much slip", "linear", "allowed", 1e4, 0.5, 0.1, false, 2, 0.04, 0.002},
        {"plastic 0.5", "plastic", NULL, 1e4, 0.5, 0.3, false, 0.2, 0.04, 0.002},
        {"elastic", "linear", "allowed", 1e4, 1, 0.3, false, 0, 0.04, 0.002},
    };
    for (size_t n = 0; n < sizeof impacts / sizeof impacts[0]; ++n) {
        double error[2][HALVINGS + 1];
        struct outcome expected = {impacts[n].restitution * speed, 0};
        if (impacts[n].slip != 0)
            expected = run(&impacts[n], impacts[n].coarsest / 1000, 0.5);
        measure(&impacts[n], expected, error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(restitution_is_of_order_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
