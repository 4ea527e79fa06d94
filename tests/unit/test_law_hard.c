// Laws of collisions: their coefficients, their rules in a world, and which engine takes them.

#include "contact/interaction.h"
#include "law/law.h"
#include "support/impact.h"
#include "support/worlds.h"

// --- coefficients

// Prepares a law with these values and no friction.
static void prepare(const struct scree_contact_law *law, const struct scree_impact_value *values,
                    const double (*property)[2], double *constants)
{
    assert_null(scree_impact_prepare(law, values, property, 3, constants));
}

static struct scree_law_coefficients at_speed(const struct scree_contact_law *law, const double *constants,
                                              double speed)
{
    return law->collision(constants,
                          &(struct scree_law_impact){.speed = speed, .radius = 0.01, .mass = 0.02});
}

static void the_law_hard_gives_its_parameters(void **state)
{
    (void)state;
    double constants[SCREE_LAW_CONSTANTS];
    prepare(&scree_law_hard,
            (struct scree_impact_value[]){
                {"restitution", 0.9}, {"friction", 0.3}, {"tangential-restitution", 0.4}, {NULL, 0}},
            NULL, constants);
    const struct scree_law_coefficients c = at_speed(&scree_law_hard, constants, 2);
    assert_true(c.restitution == 0.9 && c.friction == 0.3 && c.tangential == 0.4);
}

static void friction_needs_a_tangential_restitution(void **state)
{
    (void)state;
    double constants[SCREE_LAW_CONSTANTS];
    const struct scree_impact_value rough[] = {{"restitution", 1}, {"friction", 0.1}, {NULL, 0}},
                                    smooth[] = {{"restitution", 1}, {"friction", 0}, {NULL, 0}};
    const char *message = scree_impact_prepare(&scree_law_hard, rough, NULL, 3, constants);
    assert_true(message && strstr(message, "'friction' above 0 needs 'tangential-restitution'"));
    prepare(&scree_law_hard, smooth, NULL, constants);
    assert_true(at_speed(&scree_law_hard, constants, 1).friction == 0);
}

// 1 - (1 - 0.7) (v / 2)^{3/4}: at 1/8 m/s the power is exactly 1/8, at 2 m/s it is 1.
static void a_power_law_falls_to_a_constant(void **state)
{
    (void)state;
    double constants[SCREE_LAW_CONSTANTS], before = 1;
    prepare(&scree_law_hard_power,
            (struct scree_impact_value[]){
                {"restitution", 0.7}, {"speed", 2}, {"exponent", 0.75}, {"friction", 0}, {NULL, 0}},
            NULL, constants);
    assert_true(fabs(at_speed(&scree_law_hard_power, constants, 0.125).restitution - 0.9625) < 1e-15);
    assert_true(fabs(at_speed(&scree_law_hard_power, constants, 2).restitution - 0.7) < 1e-15);
    assert_true(at_speed(&scree_law_hard_power, constants, 1e300).restitution ==
                at_speed(&scree_law_hard_power, constants, 2).restitution);
    for (double speed = 1e-300; speed < 1e300; speed *= 1.5) {
        const double e = at_speed(&scree_law_hard_power, constants, speed).restitution;
        assert_true(e <= before && e >= 0.7 - 1e-15);
        before = e;
    }
}

// A contact of the force law in the variables u = sqrt(overlap), v = rate of the overlap and s with dt = 2 u
// ds, in which both derivatives are polynomials: du/ds = v, dv/ds = -2 u k (u^3 + 3/2 A u v), k = rho / m*.
struct motion {
    double u, v;
};

static struct motion advance(struct motion m, double k, double time, double step)
{
    struct motion slope[4], sum = m;
    static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, at[] = {0, 0.5, 0.5, 1};
    for (int stage = 0; stage < 4; ++stage) {
        struct motion here = m;
        if (stage > 0) {
            here.u += at[stage] * step * slope[stage - 1].u;
            here.v += at[stage] * step * slope[stage - 1].v;
        }
        slope[stage].u = here.v;
        slope[stage].v = -2 * here.u * k * (here.u * here.u * here.u + 1.5 * time * here.u * here.v);
        sum.u += weight[stage] * step * slope[stage].u;
        sum.v += weight[stage] * step * slope[stage].v;
    }
    return sum;
}

// Restitution of the force law 4/3 E* sqrt(R) (d^{3/2} + 3/2 A sqrt(d) d'), integrated until the force
// vanishes. The method of Runge and Kutta with 4,000 steps of s per contact, whose error is below 1e-11.
static double integrated_restitution(double stiffness, double time, double radius, double mass, double speed)
{
    const double k = stiffness * sqrt(radius) / mass;
    // sqrt of the largest overlap without damping, divided by the speed, is the scale of s
    const double depth = pow(1.25 * speed * speed / k, 0.4), step = sqrt(depth) / speed / 1000;
    struct motion m = {0, speed}, next = advance(m, k, time, step);
    while (next.v > 0 || next.u * next.u + 1.5 * time * next.v > 0) {
        m = next;
        next = advance(m, k, time, step);
    }
    double low = 0, high = step;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (low + high);
        next = advance(m, k, time, middle);
        if (next.v > 0 || next.u * next.u + 1.5 * time * next.v > 0)
            low = middle;
        else
            high = middle;
    }
    return -next.v / speed;
}

static void viscoelastic_restitution_is_that_of_the_force_law(void **state)
{
    (void)state;
    // steel balls of 1 cm to rubber-like ones, and w from 0.03 to 8
    static const double times[] = {1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    const double young = 2e9, poisson = 0.25, property[2][2] = {{young, young}, {poisson, poisson}};
    const double stiffness = 4.0 / 3 * young / (2 * (1 - poisson * poisson));
    double constants[SCREE_LAW_CONSTANTS], lowest = 1, highest = 0;
    for (size_t t = 0; t < sizeof times / sizeof times[0]; ++t) {
        double before = 1;
        prepare(&scree_law_hard_viscoelastic,
                (struct scree_impact_value[]){{"dissipation-time", times[t]}, {"friction", 0}, {NULL, 0}},
                property, constants);
        for (double speed = 1e-3; speed < 50; speed *= 3) {
            const double e = at_speed(&scree_law_hard_viscoelastic, constants, speed).restitution;
            const double exact = integrated_restitution(stiffness, times[t], 0.01, 0.02, speed);
            // the relative error of 1 / e - 1 is at most 1.5e-6, that of the integral adds 1e-11
            if (exact > 1e-4)
                assert_true(fabs(e - exact) <= 1.6e-6 * exact * (1 - exact) + 1e-11);
            assert_true(e < before && e > 0);
            before = e;
            lowest = e < lowest ? e : lowest;
            highest = e > highest ? e : highest;
        }
    }
    assert_true(lowest < 0.01 && highest > 0.999);
}

// 1 - e = 1.15345 w^2 for slow collisions, proportional to v^{1/5}; within 0 and 1 at any speed.
static void slow_viscoelastic_collisions_are_nearly_elastic(void **state)
{
    (void)state;
    double constants[SCREE_LAW_CONSTANTS], before = 1;
    prepare(&scree_law_hard_viscoelastic,
            (struct scree_impact_value[]){
                {"dissipation-time", 1e-6}, {"stiffness", 1e9}, {"friction", 0}, {NULL, 0}},
            (const double[2][2]){{NOT_A_NUMBER, NOT_A_NUMBER}, {NOT_A_NUMBER, NOT_A_NUMBER}}, constants);
    for (int k = -300; k <= 300; ++k) {
        const double e = at_speed(&scree_law_hard_viscoelastic, constants, pow(10, k)).restitution;
        assert_true(e > 0 && e <= before);
        before = e;
    }
    const double speed = 1e-20;
    const double w = sqrt(1.5e-6 * pow(1e9 * sqrt(0.01) / 0.02, 0.4) * pow(speed, 0.2));
    const double e = at_speed(&scree_law_hard_viscoelastic, constants, speed).restitution;
    // the next term is of order w relative to the first
    assert_true(fabs((1 - e) / (1.1534488580952886 * w * w) - 1) < w + 1e-16 / (1 - e));
}

// --- rules

enum { GLASS = 1, STEEL, WOOD };

static scree_status add_rule(struct scree_world *world, uint64_t a, uint64_t b, const char *law,
                             double restitution, const char *other, double number)
{
    const struct scree_interaction_value values[] = {
        {"restitution", restitution, NULL}, {"friction", 0, NULL}, {other, number, NULL}};
    return scree_interaction_add(world,
                                 &(struct scree_interaction_def){{{a}, {b}}, law, values, other ? 3 : 2});
}

static struct scree_world *make_world(void)
{
    static const char *const names[] = {"glass", "steel", "wood"};
    struct scree_world *world = scree_test_empty_world();
    scree_material_id id;
    scree_body_id body;
    for (unsigned m = 0; m < 3; ++m)
        assert_ok(scree_material_add(world, &(struct scree_material_def){names[m], 1000}, &id));
    for (unsigned m = GLASS; m <= STEEL; ++m)
        assert_ok(scree_body_add_sphere(
            world, &(struct scree_sphere_def){.radius = 1, .material = {m}, .position = {1.9 * m}}, &body));
    return world;
}

static double restitution_between(const struct scree_law_classes *classes, uint16_t a, uint16_t b)
{
    const uint8_t number = scree_law_class_of(classes, a, b);
    if (number == SCREE_CONTACTS_NO_CLASS)
        return -1;
    const struct scree_law_class *class = &classes->class[number];
    return at_speed(class->law, class->constants, 1).restitution;
}

static void each_pair_of_materials_has_its_collision(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    assert_ok(add_rule(world, GLASS, STEEL, "hard", 0.5, NULL, 0));
    assert_ok(add_rule(world, GLASS, GLASS, "hard", 0.75, NULL, 0));
    assert_ok(scree_interaction_add(world, &(struct scree_interaction_def){{{0}, {0}}, "none", NULL, 0}));
    assert_int_equal(world->collision_laws, 2);
    assert_int_equal(world->contact_laws, 0);
    assert_ok(scree_interaction_resolve_collisions(world, &classes));
    assert_true(restitution_between(&classes, GLASS, GLASS) == 0.75);
    assert_true(restitution_between(&classes, GLASS, STEEL) == 0.5);
    assert_true(restitution_between(&classes, STEEL, GLASS) == 0.5);
    assert_true(restitution_between(&classes, STEEL, STEEL) == -1);
    // no forces: no classes, for the same world
    assert_ok(scree_interaction_resolve(world, &classes));
    assert_int_equal(classes.count, 0);
    scree_interaction_free(&classes);
    // counted again when the rules come from a file
    assert_ok(scree_interaction_restore(world));
    assert_int_equal(world->collision_laws, 2);
    assert_ok(scree_interaction_clear(world));
    assert_int_equal(world->collision_laws, 0);
    scree_world_destroy(world);
}

static void a_law_of_forces_has_no_collision_to_resolve(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    assert_ok(add_rule(world, GLASS, GLASS, "hard", 0.5, NULL, 0));
    assert_ok(add_rule(world, 0, STEEL, "linear", 0.5, "stiffness", 1e5));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "'linear' between 'any material' and 'steel' has a force",
                   scree_interaction_resolve_collisions(world, &classes));
    assert_int_equal(classes.count, 0);
    scree_world_destroy(world);
}

static void the_soft_engine_refuses_collisions(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_engine *engine;
    const struct scree_soft_def def = {.step = 1e-5, .threads = 1};
    const char *message = "'hard' between 'glass' and 'any material' has collisions only";
    assert_ok(add_rule(world, GLASS, 0, "hard", 0.5, NULL, 0));
    assert_ok(add_rule(world, 0, 0, "linear", 0.5, "stiffness", 1e5));
    assert_refused(SCREE_ERROR_UNSUPPORTED, message, scree_soft_create(world, &def, &engine));
    assert_ok(scree_interaction_clear(world));
    assert_ok(add_rule(world, 0, 0, "linear", 0.5, "stiffness", 1e5));
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_ok(scree_engine_run(engine, 3));
    // a rule that is added between two runs, while contacts exist
    assert_ok(scree_interaction_clear(world));
    assert_ok(add_rule(world, GLASS, 0, "hard", 0.5, NULL, 0));
    assert_ok(add_rule(world, 0, 0, "linear", 0.5, "stiffness", 1e5));
    assert_refused(SCREE_ERROR_UNSUPPORTED, message, scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// The contacts of a force law have no force any more when their rule becomes one of collisions.
static void measures_see_no_contact_under_a_law_of_collisions(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    struct scree_engine *engine;
    struct scree_energy energy;
    double overlap;
    assert_ok(add_rule(world, 0, 0, "linear", 0.5, "stiffness", 1e5));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    assert_ok(scree_measure_max_overlap(world, &overlap));
    assert_true(overlap > 0.09);
    assert_ok(scree_interaction_clear(world));
    assert_ok(add_rule(world, 0, 0, "hard", 0.5, NULL, 0));
    assert_ok(scree_measure_max_overlap(world, &overlap));
    assert_true(overlap == 0);
    assert_ok(scree_energy_get(world, &energy));
    assert_true(energy.elastic == 0);
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

static void a_law_of_collisions_has_no_resistance_to_rolling(void **state)
{
    (void)state;
    struct scree_world *world = make_world();
    assert_refused(SCREE_ERROR_ARGUMENT, "has no parameter 'rolling-friction'",
                   add_rule(world, 0, 0, "hard", 0.5, "rolling-friction", 0.1));
    assert_refused(SCREE_ERROR_ARGUMENT, "has no parameter 'arms'",
                   add_rule(world, 0, 0, "hard", 0.5, "arms", 0));
    scree_world_destroy(world);
}

// --- a law of the user

static struct scree_law_coefficients own_collision(const double *constants,
                                                   const struct scree_law_impact *impact)
{
    return (struct scree_law_coefficients){.restitution = impact->speed > 1 ? constants[0] : 1};
}

static const char *own_prepare(const struct scree_law_pair *pair, double *constants)
{
    constants[0] = pair->parameter[0];
    return NULL;
}

static void a_law_of_the_user_may_have_collisions_only(void **state)
{
    (void)state;
    static const struct scree_law_parameter parameters[] = {
        {"restitution", "", 0, 1, true, 0, "Restitution above 1 m/s.", NULL},
        {"friction", "", 0, 0, true, 0, "None.", NULL},
        {0},
    };
    struct scree_contact_law law = {.version = SCREE_LAW_VERSION,
                                    .name = "own",
                                    .about = "Elastic below 1 m/s.",
                                    .parameters = parameters,
                                    .dimensions = 1 << 3,
                                    .prepare = own_prepare,
                                    .collision = own_collision};
    static const struct scree_law_value values[] = {{"spring", "m", 3, "A spring."}, {0}};
    struct scree_world *world = make_world();
    struct scree_law_classes classes = {0};
    law.values = values;
    assert_refused(SCREE_ERROR_ARGUMENT, "a collision has no history", scree_law_register(world, &law));
    law.values = NULL;
    assert_ok(scree_law_register(world, &law));
    assert_ok(add_rule(world, 0, 0, "own", 0.25, NULL, 0));
    assert_ok(scree_interaction_resolve_collisions(world, &classes));
    const struct scree_law_class *class = &classes.class[scree_law_class_of(&classes, GLASS, STEEL)];
    assert_true(at_speed(class->law, class->constants, 2).restitution == 0.25);
    assert_true(at_speed(class->law, class->constants, 0.5).restitution == 1);
    scree_interaction_free(&classes);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_hard_gives_its_parameters),
        cmocka_unit_test(friction_needs_a_tangential_restitution),
        cmocka_unit_test(a_power_law_falls_to_a_constant),
        cmocka_unit_test(viscoelastic_restitution_is_that_of_the_force_law),
        cmocka_unit_test(slow_viscoelastic_collisions_are_nearly_elastic),
        cmocka_unit_test(each_pair_of_materials_has_its_collision),
        cmocka_unit_test(a_law_of_forces_has_no_collision_to_resolve),
        cmocka_unit_test(the_soft_engine_refuses_collisions),
        cmocka_unit_test(measures_see_no_contact_under_a_law_of_collisions),
        cmocka_unit_test(a_law_of_collisions_has_no_resistance_to_rolling),
        cmocka_unit_test(a_law_of_the_user_may_have_collisions_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
