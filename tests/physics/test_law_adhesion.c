// Adhesive and plastic contacts against closed forms: JKR by the contact radius, cohesion by the contact
// area, Walton and Braun by the stiffnesses.

#include "law/law.h"
#include "support/impact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const double pi = 3.141592653589793238;
static const double glass[2][2] = {{70e9, 70e9}, {0.25, 0.25}};

// the contact of the tests: E* of glass on glass, effective radius 5 mm
static const double radius = 0.005, adhesion = 50, young = 70e9 / (2 * 0.9375);

static struct scree_impact jkr(double restitution, double friction, double work)
{
    const struct scree_impact_value values[] = {
        {"friction", friction}, {"restitution", restitution}, {"work-of-adhesion", work}, {NULL, 0}};
    struct scree_impact impact = {
        .law = &scree_law_jkr, .radius = radius, .mass = 1e-3, .mass_tangential = 2e-3 / 7};
    assert_null(scree_impact_prepare(impact.law, values, glass, 3, impact.constants));
    return impact;
}

// overlap and force as functions of the contact radius (Johnson, Kendall and Roberts)
static double overlap_of(double a)
{
    return a * a / radius - sqrt(2 * pi * adhesion * a / young);
}

static double force_of(double a)
{
    return 4 * young * a * a * a / (3 * radius) - sqrt(8 * pi * adhesion * young * a * a * a);
}

static double least_radius(void)
{
    return cbrt(pi * adhesion * radius * radius / (8 * young));
}

static struct scree_law_reply evaluate(struct scree_impact *impact, double overlap)
{
    impact->overlap = overlap;
    scree_impact_evaluate(impact);
    return impact->reply;
}

static void jkr_follows_the_curve_of_its_radius(void **state)
{
    (void)state;
    struct scree_impact impact = jkr(1, 0.3, adhesion);
    const double pull_off = 1.5 * pi * adhesion * radius, least = least_radius();
    assert_true(evaluate(&impact, 1e-6).live > 0);
    for (double y = 1.001; y < 100; y *= 1.01) {
        const double a = least * y * y;
        const struct scree_law_reply reply = evaluate(&impact, overlap_of(a));
        assert_true(reply.live > 0);
        // near separation the contact radius varies with the square root of the overlap, so round-off in the
        // overlap, eps / (y - 1) of its scale, limits the accuracy of the force; elsewhere the magnitude of
        // the force does
        const double scale = pull_off / (y - 1) + fabs(force_of(a)) * 4;
        assert_true(fabs(reply.normal - force_of(a)) < 1e-14 * scale * 10);
        assert_true(fabs(impact.history[3] - a) < 1e-13 * a / (y - 1) * 10 + 1e-13 * a);
    }
}

static void jkr_pulls_off_at_three_halves_pi_w_r(void **state)
{
    (void)state;
    struct scree_impact impact = jkr(1, 0.3, adhesion);
    const double separation = 3 / radius * pow(pi * adhesion * radius * radius / (8 * young), 2.0 / 3);
    const double range = scree_law_jkr.range(impact.constants, radius);
    assert_true(fabs(range - separation) < 1e-14 * separation);
    // no force before first touch
    assert_true(evaluate(&impact, -0.5 * separation).live == 0 && evaluate(&impact, 0).live == 0);
    // the force at first touch is 8/9 of the pull-off force
    const struct scree_law_reply touch = evaluate(&impact, 1e-12 * separation);
    assert_true(touch.live > 0);
    assert_true(fabs(touch.normal + 4.0 / 3 * pi * adhesion * radius) < 1e-11 * pi * adhesion * radius);
    double least = 0;
    for (double share = 0; share < 1; share += 1e-4) {
        const double force = evaluate(&impact, -share * separation).normal;
        least = force < least ? force : least;
    }
    // near the minimum the force is flat: a distance of 1e-4 changes it by the square of that
    assert_true(fabs(least / (-1.5 * pi * adhesion * radius) - 1) < 1e-7);
    // the contact lives until separation, ends there, and does not return until the next touch
    assert_true(evaluate(&impact, -(1 - 1e-9) * separation).live > 0);
    assert_true(fabs(impact.reply.normal / (-5.0 / 6 * pi * adhesion * radius) - 1) < 1e-3);
    assert_true(evaluate(&impact, -(1 + 1e-9) * separation).live == 0 && impact.history[3] == 0);
    assert_true(evaluate(&impact, -0.5 * separation).live == 0);
}

// An elastic loading cycle loses the energy between first touch and separation, a constant of the law: the
// integral of F over the overlap by Simpson's rule in y, a = a_s y^2.
static double loss_of_a_cycle(void)
{
    const double least = least_radius(), last = cbrt(4);
    const int intervals = 2000;
    double sum = 0;
    for (int k = 0; k <= intervals; ++k) {
        const double y = 1 + (last - 1) * k / intervals, a = least * y * y;
        const double rate = 2 * a / radius - 0.5 * sqrt(2 * pi * adhesion / (young * a));
        const double weight = k == 0 || k == intervals ? 1 : (k % 2 ? 4 : 2);
        sum += weight * force_of(a) * rate * 2 * least * y;
    }
    return -sum * (last - 1) / intervals / 3;
}

// for radii from 1 nm to 1 km
static void the_attraction_at_first_touch_is_proportional_to_the_radius(void **state)
{
    (void)state;
    for (double size = 1e-9; size < 1e3; size *= 1.7) {
        struct scree_impact impact = jkr(1, 0.3, adhesion);
        impact.radius = size;
        const double attraction = 4.0 / 3 * pi * adhesion * size;
        const double separation = scree_law_jkr.range(impact.constants, size);
        assert_true(fabs(evaluate(&impact, 1e-15 * separation).normal + attraction) < 1e-14 * attraction);
    }
}

static void jkr_loses_the_energy_between_touch_and_separation(void **state)
{
    (void)state;
    struct scree_impact impact = jkr(1, 0, adhesion);
    const double loss = loss_of_a_cycle(), speed = 0.05;
    assert_true(loss > 0.05 * 0.5 * impact.mass * speed * speed);
    impact.normal_velocity = -speed;
    impact.step = 1e-9;
    impact.overlap = -0.3 * impact.step;
    bool was_live = false;
    while (scree_impact_step(&impact) || !was_live)
        was_live = was_live || impact.reply.live > 0;
    // the force jumps within a step at both ends, by less than the pull-off force: the energy is wrong by
    // less than twice this force times the distance in a step, 3e-4 of the loss
    assert_true(fabs(impact.internal / loss - 1) < 1e-3);
    const double left = 0.5 * impact.mass * (speed * speed - impact.normal_velocity * impact.normal_velocity);
    assert_true(fabs(left - loss) < 2 * 1.5 * pi * adhesion * radius * speed * impact.step);
}

static void jkr_without_adhesion_is_hertz(void **state)
{
    (void)state;
    struct scree_impact impact = jkr(1, 0.3, 1e-12);
    for (double overlap = 1e-7; overlap < 1e-3; overlap *= 3) {
        const double a = sqrt(radius * overlap), force = 4.0 / 3 * young * a * overlap;
        const struct scree_law_reply reply = evaluate(&impact, overlap);
        // the attraction is of the order of the square root of w
        assert_true(fabs(reply.normal / force - 1) < 1e-4 * pow(1e-7 / overlap, 0.75));
    }
}

static void cohesion_is_proportional_to_the_contact_area(void **state)
{
    (void)state;
    const struct scree_impact_value values[] = {
        {"friction", 0.3}, {"restitution", 0.5}, {"cohesion", 2e7}, {NULL, 0}};
    struct scree_law_contact c = {
        .radius = radius, .mass = 1e-3, .tangential_displacement = {1e-3, 0, 0}, .step = 1e-6};
    double cohesive[SCREE_LAW_CONSTANTS], plain[SCREE_LAW_CONSTANTS], after[SCREE_LAW_HISTORY];
    const double before[SCREE_LAW_HISTORY] = {0};
    struct scree_impact_value bare[] = {values[0], values[1], {NULL, 0}};
    assert_null(scree_impact_prepare(&scree_law_linear_cohesion, values, glass, 3, cohesive));
    assert_null(scree_impact_prepare(&scree_law_hertz_mindlin, bare, glass, 3, plain));
    assert_true(scree_law_linear_cohesion.range(cohesive, radius) == 0);
    for (c.overlap = 1e-9; c.overlap < 1e-4; c.overlap *= 2) {
        const struct scree_law_reply with = scree_law_linear_cohesion.force(cohesive, &c, before, after);
        const struct scree_law_reply without = scree_law_hertz_mindlin.force(plain, &c, before, after);
        const double attraction = 2e7 * pi * radius * c.overlap;
        assert_true(fabs(with.normal - (without.normal - attraction)) <
                    1e-13 * (without.normal + attraction));
        const double stored = without.stored - 0.5 * attraction * c.overlap;
        assert_true(fabs(with.stored - stored) < 1e-13 * (without.stored + attraction * c.overlap));
        // the Coulomb limit uses the repulsive part only, without the attraction
        assert_true(with.force.x == without.force.x && with.force.x < 0);
        assert_true(fabs(with.force.x + 0.3 * (with.normal + attraction)) <
                    1e-13 * (without.normal + attraction));
    }
}

static struct scree_impact plastic(double loading, double unloading)
{
    const struct scree_impact_value values[] = {
        {"friction", 0}, {"stiffness", loading}, {"stiffness-unloading", unloading}, {NULL, 0}};
    struct scree_impact impact = {
        .law = &scree_law_plastic, .radius = radius, .mass = 1e-3, .mass_tangential = 2e-3 / 7};
    assert_null(scree_impact_prepare(impact.law, values, NULL, 3, impact.constants));
    return impact;
}

static void plastic_contacts_unload_along_the_steeper_line(void **state)
{
    (void)state;
    struct scree_impact impact = plastic(1e5, 4e5);
    // overlap and force; the largest force is 12 N, and errors are a few roundings of it
    const double path[][2] = {
        {0.5e-4, 5}, {1e-4, 10}, {0.9e-4, 6},  {0.8e-4, 2}, {0.7e-4, 0}, {0.1e-4, 0},
        {0.8e-4, 2}, {1e-4, 10}, {1.2e-4, 12}, {1e-4, 4},   {0.9e-4, 0}, {0.95e-4, 2},
    };
    for (size_t k = 0; k < sizeof path / sizeof path[0]; ++k)
        assert_true(fabs(evaluate(&impact, path[k][0]).normal - path[k][1]) < 1e-13 * 12);
    // after separation the history is cleared
    assert_true(evaluate(&impact, -1e-6).live == 0);
    assert_true(fabs(evaluate(&impact, 0.5e-4).normal - 5) < 1e-14 * 12);
}

static void plastic_restitution_is_the_root_of_the_stiffnesses(void **state)
{
    (void)state;
    for (double restitution = 0.2; restitution <= 1; restitution += 0.2)
        for (double speed = 0.01; speed < 20; speed *= 10) {
            struct scree_impact impact = plastic(1e5, 1e5 / (restitution * restitution));
            impact.normal_velocity = -speed;
            impact.step = pi * sqrt(impact.mass / 1e5) / 4000;
            impact.overlap = -0.5 * speed * impact.step;
            bool was_live = false;
            while (scree_impact_step(&impact) || !was_live)
                was_live = was_live || impact.reply.live > 0;
            // three kinks, each with an error of at most (w h)^2, where w is the frequency of the steeper
            // line
            const double turn = pi / 4000 / restitution;
            assert_true(fabs(impact.normal_velocity / speed - restitution) < 3 * turn * turn);
            const double dissipated = 0.5 * impact.mass * speed * speed * (1 - restitution * restitution);
            assert_true(fabs(impact.internal - dissipated) <
                        3 * turn * turn * 0.5 * impact.mass * speed * speed);
        }
    // a restitution of 0.5 gives the unloading stiffness 4e5
    const struct scree_impact_value values[] = {
        {"friction", 0}, {"stiffness", 1e5}, {"restitution", 0.5}, {NULL, 0}};
    struct scree_impact with_restitution = plastic(1e5, 4e5);
    struct scree_impact by = with_restitution;
    assert_null(scree_impact_prepare(by.law, values, NULL, 3, by.constants));
    (void)evaluate(&with_restitution, 2e-4), (void)evaluate(&by, 2e-4);
    assert_true(evaluate(&with_restitution, 1.8e-4).normal == evaluate(&by, 1.8e-4).normal &&
                by.reply.normal > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jkr_follows_the_curve_of_its_radius),
        cmocka_unit_test(jkr_pulls_off_at_three_halves_pi_w_r),
        cmocka_unit_test(the_attraction_at_first_touch_is_proportional_to_the_radius),
        cmocka_unit_test(jkr_loses_the_energy_between_touch_and_separation),
        cmocka_unit_test(jkr_without_adhesion_is_hertz),
        cmocka_unit_test(cohesion_is_proportional_to_the_contact_area),
        cmocka_unit_test(plastic_contacts_unload_along_the_steeper_line),
        cmocka_unit_test(plastic_restitution_is_the_root_of_the_stiffnesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
