// Adhesive and plastic contact laws against closed forms: JKR as functions of the contact radius, cohesion as
// proportional to the contact area, the plastic law of Walton and Braun by its two stiffnesses.

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

static struct scree_impact make_jkr(double restitution, double friction, double work)
{
    const struct scree_impact_value values[] = {
        {"friction", friction}, {"restitution", restitution}, {"work-of-adhesion", work}, {NULL, 0}};
    struct scree_impact impact = {
        .law = &scree_law_jkr, .radius = radius, .mass = 1e-3, .mass_tangential = 2e-3 / 7};
    assert_null(scree_impact_prepare(impact.law, values, glass, 3, impact.constants));
    return impact;
}

// overlap and force as functions of the contact radius (Johnson, Kendall and Roberts)
static double jkr_overlap(double a)
{
    return a * a / radius - sqrt(2 * pi * adhesion * a / young);
}

static double jkr_force(double a)
{
    return 4 * young * a * a * a / (3 * radius) - sqrt(8 * pi * adhesion * young * a * a * a);
}

static double separation_radius(void)
{
    return cbrt(pi * adhesion * radius * radius / (8 * young));
}

static struct scree_law_reply evaluate(struct scree_impact *impact, double overlap)
{
    impact->overlap = overlap;
    scree_impact_evaluate(impact);
    return impact->reply;
}

static void jkr_overlap_and_force_follow_from_the_contact_radius(void **state)
{
    (void)state;
    struct scree_impact impact = make_jkr(1, 0.3, adhesion);
    const double pull_off = 1.5 * pi * adhesion * radius, min_radius = separation_radius();
    assert_true(evaluate(&impact, 1e-6).live > 0);
    for (double y = 1.001; y < 100; y *= 1.01) {
        const double a = min_radius * y * y;
        const struct scree_law_reply reply = evaluate(&impact, jkr_overlap(a));
        assert_true(reply.live > 0);
        // near separation the contact radius varies with the square root of the overlap, which multiplies
        // round-off by 1 / (y - 1); elsewhere the error is round-off of the force
        const double scale = pull_off / (y - 1) + fabs(jkr_force(a)) * 4;
        assert_true(fabs(reply.normal - jkr_force(a)) < 1e-14 * scale * 10);
        assert_true(fabs(impact.history[3] - a) < 1e-13 * a / (y - 1) * 10 + 1e-13 * a);
    }
}

static void the_pull_off_force_of_jkr_is_three_halves_pi_w_r(void **state)
{
    (void)state;
    struct scree_impact impact = make_jkr(1, 0.3, adhesion);
    const double separation = 3 / radius * pow(pi * adhesion * radius * radius / (8 * young), 2.0 / 3);
    const double range = scree_law_jkr.range(impact.constants, radius);
    assert_true(fabs(range - separation) < 1e-14 * separation);
    // no force before first touch
    assert_true(evaluate(&impact, -0.5 * separation).live == 0 && evaluate(&impact, 0).live == 0);
    // the force at first touch is 8/9 of the pull-off force
    const struct scree_law_reply touch = evaluate(&impact, 1e-12 * separation);
    assert_true(touch.live > 0);
    assert_true(fabs(touch.normal + 4.0 / 3 * pi * adhesion * radius) < 1e-11 * pi * adhesion * radius);
    double min_force = 0;
    for (double fraction = 0; fraction < 1; fraction += 1e-4) {
        const double force = evaluate(&impact, -fraction * separation).normal;
        min_force = force < min_force ? force : min_force;
    }
    // at the minimum the slope is zero: an error of 1e-4 in the distance changes the force by 1e-8 only
    assert_true(fabs(min_force / (-1.5 * pi * adhesion * radius) - 1) < 1e-7);
    // the contact ends at separation, and does not begin again before the next touch
    assert_true(evaluate(&impact, -(1 - 1e-9) * separation).live > 0);
    assert_true(fabs(impact.reply.normal / (-5.0 / 6 * pi * adhesion * radius) - 1) < 1e-3);
    assert_true(evaluate(&impact, -(1 + 1e-9) * separation).live == 0 && impact.history[3] == 0);
    assert_true(evaluate(&impact, -0.5 * separation).live == 0);
}

// The energy that an elastic loading cycle dissipates between first touch and separation: the integral of the
// force over the overlap by Simpson's rule in y, where the contact radius is y^2 times that at separation.
static double cycle_loss(void)
{
    const double min_radius = separation_radius(), last_y = cbrt(4);
    const int intervals = 2000;
    double sum = 0;
    for (int k = 0; k <= intervals; ++k) {
        const double y = 1 + (last_y - 1) * k / intervals, a = min_radius * y * y;
        const double rate = 2 * a / radius - 0.5 * sqrt(2 * pi * adhesion / (young * a));
        const double weight = k == 0 || k == intervals ? 1 : (k % 2 ? 4 : 2);
        sum += weight * jkr_force(a) * rate * 2 * min_radius * y;
    }
    return -sum * (last_y - 1) / intervals / 3;
}

// effective radii from 1 nm to 1 km
static void the_attraction_at_first_touch_is_proportional_to_the_radius(void **state)
{
    (void)state;
    for (double size = 1e-9; size < 1e3; size *= 1.7) {
        struct scree_impact impact = make_jkr(1, 0.3, adhesion);
        impact.radius = size;
        const double attraction = 4.0 / 3 * pi * adhesion * size;
        const double separation = scree_law_jkr.range(impact.constants, size);
        assert_true(fabs(evaluate(&impact, 1e-15 * separation).normal + attraction) < 1e-14 * attraction);
    }
}

static void a_jkr_impact_dissipates_the_energy_between_touch_and_separation(void **state)
{
    (void)state;
    struct scree_impact impact = make_jkr(1, 0, adhesion);
    const double loss = cycle_loss(), speed = 0.05;
    assert_true(loss > 0.05 * 0.5 * impact.mass * speed * speed);
    impact.normal_velocity = -speed;
    impact.step = 1e-9;
    impact.overlap = -0.3 * impact.step;
    bool was_live = false;
    while (scree_impact_step(&impact) || !was_live)
        was_live = was_live || impact.reply.live > 0;
    // at both ends of the contact the force changes suddenly within a step, by less than the pull-off force:
    // the error is less than twice this force times the displacement in a step, 3e-4 of the loss
    assert_true(fabs(impact.internal / loss - 1) < 1e-3);
    const double dissipated =
        0.5 * impact.mass * (speed * speed - impact.normal_velocity * impact.normal_velocity);
    assert_true(fabs(dissipated - loss) < 2 * 1.5 * pi * adhesion * radius * speed * impact.step);
}

static void jkr_with_vanishing_adhesion_is_hertz(void **state)
{
    (void)state;
    struct scree_impact impact = make_jkr(1, 0.3, 1e-12);
    for (double overlap = 1e-7; overlap < 1e-3; overlap *= 3) {
        const double a = sqrt(radius * overlap), force = 4.0 / 3 * young * a * overlap;
        const struct scree_law_reply reply = evaluate(&impact, overlap);
        // the attraction is proportional to sqrt(w)
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
    struct scree_impact_value values_without_cohesion[] = {values[0], values[1], {NULL, 0}};
    assert_null(scree_impact_prepare(&scree_law_linear_cohesion, values, glass, 3, cohesive));
    assert_null(scree_impact_prepare(&scree_law_hertz_mindlin, values_without_cohesion, glass, 3, plain));
    assert_true(scree_law_linear_cohesion.range(cohesive, radius) == 0);
    for (c.overlap = 1e-9; c.overlap < 1e-4; c.overlap *= 2) {
        const struct scree_law_reply cohesive_reply =
            scree_law_linear_cohesion.force(cohesive, &c, before, after);
        const struct scree_law_reply plain_reply = scree_law_hertz_mindlin.force(plain, &c, before, after);
        const double attraction = 2e7 * pi * radius * c.overlap;
        assert_true(fabs(cohesive_reply.normal - (plain_reply.normal - attraction)) <
                    1e-13 * (plain_reply.normal + attraction));
        const double stored = plain_reply.stored - 0.5 * attraction * c.overlap;
        assert_true(fabs(cohesive_reply.stored - stored) <
                    1e-13 * (plain_reply.stored + attraction * c.overlap));
        // the Coulomb limit uses the repulsive part only, without the attraction
        assert_true(cohesive_reply.force.x == plain_reply.force.x && cohesive_reply.force.x < 0);
        assert_true(fabs(cohesive_reply.force.x + 0.3 * (cohesive_reply.normal + attraction)) <
                    1e-13 * (plain_reply.normal + attraction));
    }
}

static struct scree_impact make_plastic(double loading, double unloading)
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
    struct scree_impact impact = make_plastic(1e5, 4e5);
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

static void plastic_restitution_is_the_root_of_the_ratio_of_stiffnesses(void **state)
{
    (void)state;
    for (double restitution = 0.2; restitution <= 1; restitution += 0.2)
        for (double speed = 0.01; speed < 20; speed *= 10) {
            struct scree_impact impact = make_plastic(1e5, 1e5 / (restitution * restitution));
            impact.normal_velocity = -speed;
            impact.step = pi * sqrt(impact.mass / 1e5) / 4000;
            impact.overlap = -0.5 * speed * impact.step;
            bool was_live = false;
            while (scree_impact_step(&impact) || !was_live)
                was_live = was_live || impact.reply.live > 0;
            // the slope of the force changes three times, with an error of at most (w h)^2 each, where w is
            // the angular frequency of the steeper line
            const double phase_angle = pi / 4000 / restitution;
            assert_true(fabs(impact.normal_velocity / speed - restitution) < 3 * phase_angle * phase_angle);
            const double dissipated = 0.5 * impact.mass * speed * speed * (1 - restitution * restitution);
            assert_true(fabs(impact.internal - dissipated) <
                        3 * phase_angle * phase_angle * 0.5 * impact.mass * speed * speed);
        }
    // a restitution of 0.5 gives the unloading stiffness 4e5
    const struct scree_impact_value values[] = {
        {"friction", 0}, {"stiffness", 1e5}, {"restitution", 0.5}, {NULL, 0}};
    struct scree_impact with_stiffness = make_plastic(1e5, 4e5);
    struct scree_impact with_restitution = with_stiffness;
    assert_null(scree_impact_prepare(with_restitution.law, values, NULL, 3, with_restitution.constants));
    (void)evaluate(&with_stiffness, 2e-4), (void)evaluate(&with_restitution, 2e-4);
    assert_true(evaluate(&with_stiffness, 1.8e-4).normal == evaluate(&with_restitution, 1.8e-4).normal &&
                with_restitution.reply.normal > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jkr_overlap_and_force_follow_from_the_contact_radius),
        cmocka_unit_test(the_pull_off_force_of_jkr_is_three_halves_pi_w_r),
        cmocka_unit_test(the_attraction_at_first_touch_is_proportional_to_the_radius),
        cmocka_unit_test(a_jkr_impact_dissipates_the_energy_between_touch_and_separation),
        cmocka_unit_test(jkr_with_vanishing_adhesion_is_hertz),
        cmocka_unit_test(cohesion_is_proportional_to_the_contact_area),
        cmocka_unit_test(plastic_contacts_unload_along_the_steeper_line),
        cmocka_unit_test(plastic_restitution_is_the_root_of_the_ratio_of_stiffnesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
