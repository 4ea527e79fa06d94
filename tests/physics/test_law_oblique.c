// Oblique impacts with a fixed normal and lever arms equal to the radius: final velocity of the contact point
// and duration. The laws are the linear one, for contacts that end with the overlap and with the force, and
// the secant spring of Hertz and Mindlin. The reference is an independent integration with events
// (tests/data/oblique_impact.csv, accuracy 1e-8).

#include "law/law.h"
#include "math/real.h"
#include "support/impact.h"
#include "support/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum variant { LINEAR, LINEAR_UNTIL_FORCE_ENDS, SECANT };

// Young's modulus and Poisson's ratio of both sides, by set, as in the head of the table
static const struct {
    const char *set;
    double property[2][2];
} sets[] = {
    {"alumina_on_glass_Kharaz01", {{380e9, 70e9}, {0.23, 0.25}}},
    {"soda_lime_glass_pair_Foerster94", {{71e9, 71e9}, {0.22, 0.22}}},
    {"cellulose_acetate_pair_Foerster94", {{3.2e9, 3.2e9}, {0.28, 0.28}}},
};

static const double (*find_properties(const char *set))[2]
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; ++s)
        if (strcmp(sets[s].set, set) == 0)
            return sets[s].property;
    fail_msg("the table of materials has no set '%s'", set);
    return NULL;
}

static void prepare(const struct scree_table *table, size_t row, enum variant variant,
                    struct scree_impact *impact)
{
    const double density = scree_table_number(table, row, "rho"),
                 radius = scree_table_number(table, row, "R");
    const double reduction = strcmp(scree_table_word(table, row, "kind"), "pair") == 0 ? 0.5 : 1;
    impact->radius = reduction * radius;
    impact->mass = reduction * 4.0 / 3 * SCREE_PI * density * radius * radius * radius;
    impact->mass_tangential = 2.0 / 7 * impact->mass;
    impact->normal_velocity = scree_table_number(table, row, "vn");
    impact->tangential_velocity.x = scree_table_number(table, row, "vt");
    impact->law = variant == SECANT ? &scree_law_hertz_mindlin_secant : &scree_law_linear;
    const struct scree_impact_value values[] = {{"friction", scree_table_number(table, row, "mu")},
                                                {"restitution", scree_table_number(table, row, "e")},
                                                {"dashpots", 1}, // none across the normal
                                                {variant == SECANT ? NULL : "stiffness", 1e6},
                                                {NULL, 0}};
    assert_null(scree_impact_prepare(
        impact->law, values, find_properties(scree_table_word(table, row, "set")), 3, impact->constants));
}

// the largest of the relative errors of both velocities and of the duration
static double max_relative_error(const struct scree_table *table, size_t row, enum variant variant,
                                 double steps)
{
    static const char *const names[][3] = {{"lin_vn_delta", "lin_vt_delta", "lin_tc_delta"},
                                           {"lin_vn_F", "lin_vt_F", "lin_tc_F"},
                                           {"hertz_vn", "hertz_vt", "hertz_tc"}};
    double expected[3];
    for (int k = 0; k < 3; ++k)
        expected[k] = scree_table_number(table, row, names[variant][k]);
    struct scree_impact impact = {.step = expected[2] / steps};
    prepare(table, row, variant, &impact);
    impact.overlap = -1e-9 * impact.normal_velocity * expected[2];
    scree_impact_run(&impact, variant == LINEAR_UNTIL_FORCE_ENDS);
    const double speed = scree_table_number(table, row, "V");
    const double normal = fabs(impact.normal_velocity - expected[0]) / speed;
    const double tangential = fabs(impact.tangential_velocity.x - expected[1]) / speed;
    const double duration = fabs(impact.time / expected[2] - 1);
    return normal > tangential ? (normal > duration ? normal : duration)
                               : (tangential > duration ? tangential : duration);
}

// From 250 to 4,000 steps per impact, the root mean square error of all rows decreases with order `expected`;
// at 1,000 steps the worst row is within `max_error`.
static void assert_impacts(enum variant variant, double expected, double tolerance, double max_error)
{
    struct scree_table *table = scree_table_read("oblique_impact.csv");
    assert_int_equal(table->rows, 36);
    double square_sum[2] = {0, 0};
    for (size_t row = 0; row < table->rows; ++row) {
        for (int k = 0; k < 2; ++k) {
            const double error = max_relative_error(table, row, variant, k == 0 ? 250 : 4000);
            square_sum[k] += error * error;
        }
        const double error = max_relative_error(table, row, variant, 1000);
        if (!(error < max_error))
            fail_msg("row %zu: error %g, allowed %g", row, error, max_error);
    }
    const double order = log2(square_sum[0] / square_sum[1]) / 2 / 4;
    if (!(fabs(order - expected) < tolerance))
        fail_msg("order %g, expected %g", order, expected);
    scree_table_free(table);
}

// Order 2. Errors depend on the instants of slip and stick within a step, so the mean order over four
// halvings may differ by 0.3. With w h = pi / 1000 the error of order 2 is below (pi / 1000)^2 / 3.
static void linear_impacts_until_the_overlap_ends_match_the_reference_at_order_2(void **state)
{
    (void)state;
    assert_impacts(LINEAR, 2, 0.3, 3.3e-6);
}

static void linear_impacts_until_the_force_ends_match_the_reference_at_order_2(void **state)
{
    (void)state;
    assert_impacts(LINEAR_UNTIL_FORCE_ENDS, 2, 0.3, 3.3e-6);
}

// Order 5/4, as head-on: the dashpot varies with the fourth root of the overlap.
static void secant_impacts_match_the_reference_at_order_5_over_4(void **state)
{
    (void)state;
    assert_impacts(SECANT, 1.25, 0.1, 3e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_impacts_until_the_overlap_ends_match_the_reference_at_order_2),
        cmocka_unit_test(linear_impacts_until_the_force_ends_match_the_reference_at_order_2),
        cmocka_unit_test(secant_impacts_match_the_reference_at_order_5_over_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
