// Head-on impacts with the linear and the Hertzian laws: restitution and duration, for contacts that end with
// the overlap (attraction allowed) and with the force (attraction cut off). References: an independent
// integration (tests/data/normal_impact.csv) and closed forms.

#include "law/law.h"
#include "law/prepare.h"
#include "math/real.h"
#include "support/impact.h"
#include "support/order.h"
#include "support/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

// An impact and its expected result.
struct trial {
    const struct scree_contact_law *law;
    double constants[SCREE_LAW_CONSTANTS];
    double mass, speed, duration, max_overlap, restitution;
    bool tension_cut;
};

// Reads a row of the table; `e_F` is the restitution of the dashpot for `e_target` with tension cut off. The
// `stiffness` of the Hertzian laws is that for an effective radius of 1.
static struct trial read_trial(const struct scree_table *table, size_t row,
                               const struct scree_contact_law *law, bool tension_cut)
{
    struct trial t = {.law = law,
                      .mass = scree_table_number(table, row, "m"),
                      .speed = scree_table_number(table, row, "v0"),
                      .duration = scree_table_number(table, row, tension_cut ? "tc_F" : "tc_delta"),
                      .max_overlap = scree_table_number(table, row, "dmax"),
                      .restitution = tension_cut ? scree_table_number(table, row, "e_F")
                                                 : scree_table_number(table, row, "e_target"),
                      .tension_cut = tension_cut};
    const double target = t.restitution < 1 ? t.restitution : 1;
    const struct scree_impact_value values[] = {{"stiffness", scree_table_number(table, row, "k")},
                                                {"restitution", target},
                                                {"tension", tension_cut ? 1 : 0},
                                                {law == &scree_law_hertz ? NULL : "friction", 0.3},
                                                {NULL, 0}};
    assert_null(scree_impact_prepare(law, values, NULL, 3, t.constants));
    return t;
}

static struct scree_impact run_impact(const struct trial *t, size_t steps)
{
    // the force at an overlap of 0 is zero, so the start is at a tiny overlap
    struct scree_impact impact = {.law = t->law,
                                  .radius = 1,
                                  .mass = t->mass,
                                  .mass_tangential = 2.0 / 7 * t->mass,
                                  .overlap = 1e-10 * t->max_overlap,
                                  .normal_velocity = -t->speed,
                                  .step = t->duration / (double)steps};
    for (size_t k = 0; k < sizeof impact.constants / sizeof impact.constants[0]; ++k)
        impact.constants[k] = t->constants[k];
    scree_impact_run(&impact, t->tension_cut);
    return impact;
}

static double restitution_error(void *context, size_t steps)
{
    const struct trial *t = context;
    const struct scree_impact impact = run_impact(t, steps);
    return fabs(impact.normal_velocity / t->speed - t->restitution);
}

static double duration_error(void *context, size_t steps)
{
    const struct trial *t = context;
    const struct scree_impact impact = run_impact(t, steps);
    return fabs(impact.time / t->duration - 1);
}

// an undamped row has e = 1 up to the accuracy of the reference
static bool is_damped(const struct trial *t)
{
    return t->restitution < 0.999;
}

static bool is_linear(const struct scree_table *table, size_t row)
{
    return scree_table_number(table, row, "p") == 1;
}

static void linear_impacts_match_the_reference_at_order_2(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("normal_impact.csv");
    for (size_t row = 0; row < table->rows; ++row)
        for (int tension_cut = 0; tension_cut < 2 && is_linear(table, row); ++tension_cut) {
            struct trial t = read_trial(table, row, &scree_law_linear, tension_cut == 1);
            // without damping the order is higher, and force and overlap end together
            if (is_damped(&t)) {
                scree_order_check(restitution_error, &t, 125, 2, "restitution of a linear impact");
                scree_order_check(duration_error, &t, 125, 2, "duration of a linear impact");
            }
            // errors of order 2 are C (h / t_c)^2; with w h <= pi h / t_c, C stays below pi^2 / 3
            assert_true(restitution_error(&t, 1000) < 3.3e-6);
            assert_true(duration_error(&t, 1000) < (is_damped(&t) ? 3.3e-6 : 1e-3));
        }
    scree_table_free(table);
}

// The dashpot is proportional to d^(1/4), so to t^(1/4) after first touch: the trapezoidal rule has an error
// of order 5/4. Without dashpot the force is proportional to t^(3/2), and the order is 5/2.
static void assert_hertz_impacts(const struct scree_contact_law *law)
{
    struct scree_table *table = scree_table_read("normal_impact.csv");
    for (size_t row = 0; row < table->rows; ++row)
        for (int tension_cut = 0; tension_cut < 2 && !is_linear(table, row); ++tension_cut) {
            struct trial t = read_trial(table, row, law, tension_cut == 1);
            scree_order_check(restitution_error, &t, 500, is_damped(&t) ? 1.25 : 2.5,
                              "restitution of a Hertzian impact");
            const double steps = 1000, power_of_step = pow(steps, is_damped(&t) ? -1.25 : -2);
            assert_true(restitution_error(&t, (size_t)steps) < 0.6 * power_of_step);
            if (!tension_cut)
                assert_true(duration_error(&t, (size_t)steps) < 0.6 * power_of_step);
        }
    scree_table_free(table);
}

static void hertz_impacts_match_the_reference(void **state)
{
    (void)state;
    assert_hertz_impacts(&scree_law_hertz);
}

static void hertz_mindlin_impacts_match_the_reference(void **state)
{
    (void)state;
    assert_hertz_impacts(&scree_law_hertz_mindlin);
}

// Restitution of a law at speeds over four decades.
static void restitution_is_independent_of_velocity(void **state)
{
    (void)state;
    const struct scree_contact_law *const laws[] = {&scree_law_linear, &scree_law_hertz_mindlin};
    for (int l = 0; l < 2; ++l)
        for (int tension_cut = 0; tension_cut < 2; ++tension_cut) {
            const struct scree_impact_value values[] = {{"friction", 0},
                                                        {"stiffness", 1e6},
                                                        {"restitution", 0.6},
                                                        {"tension", tension_cut},
                                                        {NULL, 0}};
            double restitution_at_first_speed = 0;
            for (double speed = 1e-3; speed < 20; speed *= 10) {
                struct trial t = {
                    .law = laws[l], .mass = 0.01, .speed = speed, .tension_cut = tension_cut == 1};
                assert_null(scree_impact_prepare(laws[l], values, NULL, 3, t.constants));
                // with the same number of steps per impact, the error is the same at every speed
                t.max_overlap =
                    l == 0 ? speed * sqrt(t.mass / 1e6) : pow(1.25 * t.mass * speed * speed / 1e6, 0.4);
                t.duration = (l == 0 ? SCREE_PI : 2.94327518432470) * t.max_overlap / speed;
                const struct scree_impact impact = run_impact(&t, 2000);
                const double restitution = impact.normal_velocity / speed;
                assert_true(fabs(restitution - 0.6) < 1e-4);
                if (restitution_at_first_speed == 0)
                    restitution_at_first_speed = restitution;
                // round-off of about a thousand steps
                assert_true(fabs(restitution - restitution_at_first_speed) < 1e-11);
            }
        }
}

// This is why the laws with `restitution` use a dashpot that depends on the overlap.
static void with_a_constant_dashpot_hertzian_restitution_increases_with_velocity(void **state)
{
    (void)state;
    const struct scree_impact_value values[] = {{"stiffness", 1e6}, {"damping", 5}, {NULL, 0}};
    double restitution[2];
    for (int k = 0; k < 2; ++k) {
        struct trial t = {.law = &scree_law_hertz, .mass = 0.01, .speed = k == 0 ? 0.1 : 10};
        assert_null(scree_impact_prepare(t.law, values, NULL, 3, t.constants));
        t.max_overlap = pow(1.25 * t.mass * t.speed * t.speed / 1e6, 0.4);
        t.duration = 2.94327518432470 * t.max_overlap / t.speed;
        restitution[k] = run_impact(&t, 4000).normal_velocity / t.speed;
    }
    // the faster impact is shorter and dissipates a smaller part of its energy
    assert_true(restitution[0] > 0.05 && restitution[0] < restitution[1] - 0.1 && restitution[1] < 1);
}

// The reference is the restitution as a function of the damping ratio, in closed form by libm.
static void the_damping_ratio_gives_the_prescribed_restitution(void **state)
{
    (void)state;
    for (double e = 1e-3; e <= 1; e += 1e-3) {
        double z;
        assert_null(scree_law_damping_ratio(e, SCREE_LAW_TENSION_ALLOWED, &z));
        const double with_tension = e < 1 ? exp(-SCREE_PI * z / sqrt(1 - z * z)) : 1 - z;
        // for small e the exponent is large, which amplifies its round-off
        assert_true(fabs(with_tension - e) < 1e-13 * e / (1 - z));
        assert_null(scree_law_damping_ratio(e, SCREE_LAW_TENSION_CUT, &z));
        const double tension_cut =
            z < 1 ? exp(-2 * z * acos(z) / sqrt(1 - z * z)) : exp(-2 * z * acosh(z) / sqrt(z * z - 1));
        // the reference itself cancels near z = 1, with an error of eps / |1 - z|
        assert_true(fabs(tension_cut - e) < e * (1e-13 + 1e-15 / fabs(1 - z)));
    }
    double z;
    assert_null(scree_law_damping_ratio(exp(-2), SCREE_LAW_TENSION_CUT, &z));
    assert_true(fabs(z - 1) < 1e-15 * 10); // critical damping, exactly
    assert_null(scree_law_damping_ratio(0, SCREE_LAW_TENSION_ALLOWED, &z));
    assert_true(z == 1);
    assert_null(scree_law_damping_ratio(1, SCREE_LAW_TENSION_CUT, &z));
    assert_true(z < 1e-300);
    assert_non_null(scree_law_damping_ratio(0, SCREE_LAW_TENSION_CUT, &z));
    assert_non_null(scree_law_damping_ratio(1.01, SCREE_LAW_TENSION_ALLOWED, &z));
    assert_non_null(scree_law_damping_ratio((double)NAN, SCREE_LAW_TENSION_ALLOWED, &z));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_impacts_match_the_reference_at_order_2),
        cmocka_unit_test(hertz_impacts_match_the_reference),
        cmocka_unit_test(hertz_mindlin_impacts_match_the_reference),
        cmocka_unit_test(restitution_is_independent_of_velocity),
        cmocka_unit_test(with_a_constant_dashpot_hertzian_restitution_increases_with_velocity),
        cmocka_unit_test(the_damping_ratio_gives_the_prescribed_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
