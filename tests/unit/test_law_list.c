// All built-in contact laws: complete tables, parameters refused with a reason, and a force that is a pure
// function. Reference: the Coulomb limit, difference quotients of the force, and closed forms.

#include "law/law.h"
#include "law/prepare.h"
#include "support/impact.h"

#include <scree/resistance.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double glass[2][2] = {{70e9, 70e9}, {0.25, 0.25}};

// parameters for every law; a law gets those that it has
static const struct scree_impact_value common_values[] = {{"friction", 0.4},
                                                          {"stiffness", 1e6},
                                                          {"restitution", 0.7},
                                                          {"cohesion", 1e7},
                                                          {"work-of-adhesion", 100},
                                                          {"dissipation-time", 1e-6},
                                                          {"tangential-restitution", 0.5},
                                                          {"speed", 1},
                                                          {"exponent", 0.75},
                                                          {NULL, 0}};

static bool has(const struct scree_contact_law *law, const char *name)
{
    for (const struct scree_law_parameter *p = law->parameters; p->name; ++p)
        if (strcmp(p->name, name) == 0)
            return true;
    return false;
}

static void prepare_with_common_values(const struct scree_contact_law *law, double *constants)
{
    struct scree_impact_value values[sizeof common_values / sizeof common_values[0]] = {{NULL, 0}};
    size_t count = 0;
    for (const struct scree_impact_value *v = common_values; v->name; ++v)
        // these laws compute stiffness from material properties
        if (has(law, v->name) && !(law->properties && strcmp(v->name, "stiffness") == 0))
            values[count++] = *v;
    assert_null(scree_impact_prepare(law, values, glass, 3, constants));
}

static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (double)(*state >> 11) * 0x1p-53 * 2 - 1;
}

static unsigned history_of(const struct scree_contact_law *law)
{
    unsigned width = 0;
    for (const struct scree_law_value *v = law->values; v->name; ++v)
        width += v->width;
    return width;
}

// a live contact of a grain of 5 mm in a random state, with a history
static struct scree_law_contact random_contact(const struct scree_contact_law *law, uint64_t *seed,
                                               double before[SCREE_LAW_HISTORY])
{
    struct scree_law_contact c = {.overlap = 1e-5 * (1.01 + random_number(seed)),
                                  .normal = {0, 0, 1},
                                  .arm = {0.01, 0.01},
                                  .radius = 0.005,
                                  .mass = 1e-3,
                                  .mass_tangential = 2e-3 / 7,
                                  .normal_velocity = random_number(seed),
                                  .tangential_velocity = {random_number(seed), random_number(seed), 0},
                                  .step = 1e-7};
    c.tangential_displacement = scree_law_scale(c.step, c.tangential_velocity);
    const unsigned history = history_of(law);
    for (unsigned k = 0; k < SCREE_LAW_HISTORY; ++k)
        before[k] = k < history && k != 2 ? 1e-6 * random_number(seed) : 0;
    // the fourth value is a radius or an overlap
    if (history > 3)
        before[3] = strcmp(law->name, "plastic") == 0 ? 1e-5 * (1 + random_number(seed))
                                                      : 2e-4 * (1.01 + random_number(seed));
    return c;
}

static void every_law_is_a_complete_table(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct scree_contact_law *law; (law = scree_law_at(count)); ++count) {
        assert_int_equal(law->version, SCREE_LAW_VERSION);
        assert_true(law->name[0] && law->about[0] && law->prepare && (law->force || law->collision));
        assert_true(law->dimensions == (1U << 2 | 1U << 3) || law->dimensions == 1U << 3);
        for (size_t other = 0; other < count; ++other)
            assert_string_not_equal(law->name, scree_law_at(other)->name);
        size_t parameters = 0;
        for (const struct scree_law_parameter *p = law->parameters; p->name; ++p, ++parameters) {
            assert_true(p->unit && p->about[0] && p->least <= p->most);
            assert_true(p->required || p->fallback != p->fallback ||
                        (p->least <= p->fallback && p->fallback <= p->most));
            for (size_t c = 0; p->choices && c <= (size_t)p->most; ++c)
                assert_non_null(p->choices[c]);
            assert_true(!p->choices || !p->choices[(size_t)p->most + 1]);
        }
        assert_true(parameters > 0 && parameters <= SCREE_LAW_PARAMETERS);
        if (!law->force)
            continue;
        assert_true(law->range && history_of(law) <= SCREE_LAW_HISTORY);
        for (size_t v = 1; law->values[0].name && law->values[v].name; ++v)
            assert_true(law->values[v].width <= law->values[v - 1].width);
        for (int s = 0; s < SCREE_KERNEL_SETS; ++s)
            for (int e = 0; e < SCREE_KERNEL_EXTRAS; ++e)
                for (int p = 0; p < SCREE_KERNEL_LOOPS; ++p)
                    assert_non_null(law->kernel[s][e][p]);
    }
    assert_int_equal(count, 10);
}

static void constants_stay_within_their_array(void **state)
{
    (void)state;
    for (size_t l = 0; scree_law_at(l); ++l) {
        double constants[SCREE_LAW_CONSTANTS + 8];
        for (int k = 0; k < SCREE_LAW_CONSTANTS + 8; ++k)
            constants[k] = -77;
        prepare_with_common_values(scree_law_at(l), constants);
        for (int k = SCREE_LAW_CONSTANTS; k < SCREE_LAW_CONSTANTS + 8; ++k)
            assert_true(constants[k] == -77);
    }
}

static void evaluation_changes_no_input_and_with_step_0_dissipates_nothing(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t l = 0; scree_law_with_force_at(l); ++l) {
        const struct scree_contact_law *law = scree_law_with_force_at(l);
        double constants[SCREE_LAW_CONSTANTS], before[SCREE_LAW_HISTORY], copy[SCREE_LAW_HISTORY];
        double once[SCREE_LAW_HISTORY] = {0}, twice[SCREE_LAW_HISTORY] = {0};
        prepare_with_common_values(law, constants);
        for (int trial = 0; trial < 200; ++trial) {
            struct scree_law_contact c = random_contact(law, &seed, before);
            memcpy(copy, before, sizeof copy);
            const struct scree_law_reply a = law->force(constants, &c, before, once);
            const struct scree_law_reply b = law->force(constants, &c, before, twice);
            assert_memory_equal(copy, before, sizeof copy);
            assert_memory_equal(once, twice, sizeof once);
            assert_true(a.live == 1 && a.normal == b.normal && a.force.x == b.force.x);
            c.step = 0;
            c.tangential_displacement = (struct scree_law_vector){0, 0, 0};
            const struct scree_law_reply again = law->force(constants, &c, before, once);
            assert_true(again.friction == 0 && again.dashpot == 0 && again.internal == 0);
            // the history changes, if the law has one
            assert_true(history_of(law) == 0 || memcmp(twice, before, sizeof twice) != 0);
        }
    }
}

// Springs are above the Coulomb limit, as after unloading, and previous overlaps are random.
static void evaluation_with_step_0_reproduces_the_reply_bit_for_bit(void **state)
{
    (void)state;
    const double resistance[SCREE_RESISTANCE_CONSTANTS] = {0.1, 0.2, 0.1, 0.2, 0.25};
    uint64_t seed = 5;
    for (size_t l = 0; scree_law_with_force_at(l); ++l) {
        const struct scree_contact_law *law = scree_law_with_force_at(l);
        const unsigned own = history_of(law);
        double constants[SCREE_LAW_CONSTANTS], history[3][SCREE_LAW_HISTORY + SCREE_RESISTANCE_HISTORY];
        prepare_with_common_values(law, constants);
        int above_limit = 0;
        for (int trial = 0; trial < 1000; ++trial) {
            struct scree_law_contact c = random_contact(law, &seed, history[0]);
            c.step = 0;
            c.tangential_displacement = (struct scree_law_vector){0, 0, 0};
            for (unsigned k = 0; k < own + SCREE_RESISTANCE_HISTORY; ++k)
                history[0][k] = k < own ? history[0][k] * (k < 2 ? 100 : 1) : random_number(&seed);
            struct scree_law_reply reply[2];
            const struct scree_law_rolling rolling = {.roll_rate = {random_number(&seed), 1, 0},
                                                      .twist_rate = 1};
            for (int again = 0; again < 2; ++again) {
                reply[again] = law->force(constants, &c, history[again], history[again + 1]);
                scree_law_resist(resistance, &c, &rolling, history[again] + own, history[again + 1] + own,
                                 &reply[again]);
            }
            assert_true(reply[0].live == 1 && reply[1].live == 1);
            // all except losses, which are zero of either sign
            assert_memory_equal(&reply[0], &reply[1], offsetof(struct scree_law_reply, friction));
            assert_memory_equal(reply[0].stiffness, reply[1].stiffness, sizeof reply[0].stiffness);
            above_limit +=
                scree_law_dot(reply[0].force, reply[0].force) > 0.15 * reply[0].normal * reply[0].normal;
        }
        assert_true(above_limit > 100 || !has(law, "friction"));
    }
}

static void friction_stays_below_the_coulomb_limit(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t l = 0; scree_law_with_force_at(l); ++l) {
        const struct scree_contact_law *law = scree_law_with_force_at(l);
        double constants[SCREE_LAW_CONSTANTS], before[SCREE_LAW_HISTORY], after[SCREE_LAW_HISTORY];
        prepare_with_common_values(law, constants);
        int slipping = 0, sticking = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            struct scree_law_contact c = random_contact(law, &seed, before);
            const struct scree_law_reply reply = law->force(constants, &c, before, after);
            double limit_force = reply.normal > 0 ? reply.normal : 0;
            // the limit includes attraction that is compensated by repulsion; twice the pull-off force for
            // jkr
            if (strcmp(law->name, "linear-cohesion") == 0)
                limit_force = fmax(0, reply.normal + 1e7 * 3.141592653589793 * c.radius * c.overlap);
            if (strcmp(law->name, "jkr") == 0)
                limit_force = fmax(0, reply.normal + 3 * 3.141592653589793 * 100 * c.radius);
            const double size = sqrt(scree_law_dot(reply.force, reply.force));
            // about ten roundings
            assert_true(size <= 0.4 * limit_force * (1 + 1e-14) + 1e-14);
            slipping += size > 0 && size >= 0.4 * limit_force * (1 - 1e-14);
            sticking += size > 0 && size < 0.4 * limit_force * (1 - 1e-6);
            assert_true(reply.dashpot >= 0);
        }
        if (has(law, "friction"))
            assert_true(slipping > 20 && sticking > 20);
    }
}

static void with_absolute_limits_there_is_friction_under_attraction(void **state)
{
    (void)state;
    const struct scree_contact_law *const laws[] = {&scree_law_linear, &scree_law_hertz_mindlin};
    for (int l = 0; l < 2; ++l)
        for (int absolute = 0; absolute < 2; ++absolute) {
            const struct scree_impact_value values[] = {{"friction", 0.4},
                                                        {"stiffness", 1e6},
                                                        {"restitution", 0.2},
                                                        {"coulomb-limit", absolute},
                                                        {NULL, 0}};
            double constants[SCREE_LAW_CONSTANTS], after[SCREE_LAW_HISTORY];
            const double before[SCREE_LAW_HISTORY] = {10, 0, 0, 1e-4};
            const struct scree_law_contact c = {
                .overlap = 1e-6, .radius = 0.005, .mass = 1e-3, .normal_velocity = 10};
            assert_null(scree_impact_prepare(laws[l], values, NULL, 3, constants));
            const struct scree_law_reply reply = laws[l]->force(constants, &c, before, after);
            assert_true(reply.normal < 0);
            assert_true(fabs(reply.force.x - (absolute ? 0.4 * reply.normal : 0)) <= -1e-14 * reply.normal);
        }
}

// A loaded spring has a last step when its contact ends, in which all its energy is dissipated; an evaluation
// with step 0 is not such a step.
static void at_the_end_of_a_contact_the_energy_of_its_spring_becomes_friction(void **state)
{
    (void)state;
    static const struct {
        const struct scree_contact_law *law;
        double overlap;
        struct scree_impact_value values[5];
    } cases[] = {
        {&scree_law_linear,
         -1e-9,
         {{"friction", 1}, {"stiffness", 1e6}, {"damping", 5}, {"coulomb-limit", 1}}},
        {&scree_law_hertz_mindlin, -1e-9, {{"friction", 1}, {"restitution", 0.5}, {"coulomb-limit", 1}}},
        {&scree_law_hertz_mindlin_secant,
         -1e-9,
         {{"friction", 1}, {"restitution", 0.5}, {"coulomb-limit", 1}}},
        {&scree_law_linear_cohesion,
         -1e-9,
         {{"friction", 1}, {"restitution", 0.5}, {"coulomb-limit", 1}, {"cohesion", 1e7}}},
        {&scree_law_jkr, -1e-3, {{"friction", 1}, {"restitution", 0.5}, {"work-of-adhesion", 1}}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        double constants[SCREE_LAW_CONSTANTS], after[SCREE_LAW_HISTORY] = {0};
        const double spring = 3e-6, radius = 2e-4;
        const double before[SCREE_LAW_HISTORY] = {0, spring, 0, radius};
        struct scree_law_contact c = {.overlap = cases[k].overlap,
                                      .normal = {0, 0, 1},
                                      .radius = 0.005,
                                      .mass = 1e-3,
                                      .normal_velocity = 1,
                                      .tangential_velocity = {0, 1, 0},
                                      .step = 1e-7};
        assert_null(scree_impact_prepare(cases[k].law, cases[k].values, glass, 3, constants));
        const struct scree_law_reply reply = cases[k].law->force(constants, &c, before, after);
        // k_t = 2/7 k, or 8 G* a with G* = G / (2 (2 - nu))
        const double stiffness = cases[k].law == &scree_law_linear ? 2e6 / 7 : 4 * 70e9 / 2.5 / 1.75 * radius;
        const double stored = 0.5 * stiffness * spring * spring;
        assert_true(reply.live == 1 && reply.normal == 0 && reply.force.y == 0 && reply.stored == 0);
        assert_true(fabs(reply.friction - stored) < 1e-14 * stored && reply.dashpot == 0);
        assert_true(after[0] == 0 && after[1] == 0 && after[2] == 0);
        assert_true(cases[k].law->force(constants, &c, after, after + 4).live == 0);
        c.step = 0;
        assert_true(cases[k].law->force(constants, &c, before, after).live == 0);
    }
}

// Adhesion reduces the stiffness; the reply is at least the slope, and equals it without adhesion.
static void the_stiffness_is_the_slope_of_the_force(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t l = 0; scree_law_with_force_at(l); ++l) {
        const struct scree_contact_law *law = scree_law_with_force_at(l);
        double constants[SCREE_LAW_CONSTANTS], before[SCREE_LAW_HISTORY], after[SCREE_LAW_HISTORY];
        prepare_with_common_values(law, constants);
        for (int trial = 0; trial < 100; ++trial) {
            struct scree_law_contact c = random_contact(law, &seed, before);
            c.overlap = 1e-5 * (1.2 + random_number(&seed));
            c.normal_velocity = 0;
            c.tangential_velocity = c.tangential_displacement = (struct scree_law_vector){0, 0, 0};
            memset(before, 0, sizeof before);
            // for a plastic contact the stiffness of unloading
            before[3] = strcmp(law->name, "plastic") == 0 ? 1.5 * c.overlap : 1e-4;
            const struct scree_law_reply reply = law->force(constants, &c, before, after);
            const double overlap = c.overlap, distance = 1e-5 * overlap;
            c.overlap = overlap + distance;
            const double more = law->force(constants, &c, before, after).normal;
            c.overlap = overlap - distance;
            const double slope = (more - law->force(constants, &c, before, after).normal) / (2 * distance);
            // the difference quotient has errors of (distance / overlap)^2 and of round-off over distance
            const double tolerance = 1e-9 * reply.stiffness[0];
            if (strcmp(law->name, "jkr") == 0)
                assert_true(slope < reply.stiffness[0] + tolerance);
            else if (reply.normal > 0)
                assert_true(fabs(slope - reply.stiffness[0]) < tolerance);
            // tangential: a small slide from zero, far below the limit
            c.overlap = overlap;
            law->force(constants, &c, before, after);
            memset(before, 0, sizeof before);
            before[3] = after[3];
            c.tangential_displacement.x = 1e-12;
            const double tangential_slope =
                -law->force(constants, &c, before, after).force.x / c.tangential_displacement.x;
            if (reply.normal > 0)
                assert_true(fabs(tangential_slope - reply.stiffness[1]) <= 1e-9 * reply.stiffness[1]);
        }
    }
}

static void effective_moduli_are_those_of_two_bodies(void **state)
{
    (void)state;
    struct scree_law_moduli m;
    const double unequal[2][2] = {{200e9, 3e9}, {0.3, 0.45}};
    struct scree_law_pair pair = {.property = unequal, .dimension = 3};
    assert_null(scree_law_effective_moduli(&pair, &m));
    assert_true(fabs(1 / m.normal - (0.91 / 200e9 + 0.7975 / 3e9)) < 1e-14 / m.normal);
    // G = E / (2 (1 + nu))
    assert_true(fabs(1 / m.shear - (1.7 * 2.6 / 200e9 + 1.55 * 2.9 / 3e9)) < 1e-14 / m.shear);
    // a rigid side has no compliance, whatever its Poisson's ratio
    const double wall[2][2] = {{(double)INFINITY, 3e9}, {(double)NAN, 0.45}};
    pair.property = wall;
    assert_null(scree_law_effective_moduli(&pair, &m));
    assert_true(fabs(m.normal - 3e9 / 0.7975) < 1e-14 * m.normal);
    const double rigid[2][2] = {{(double)INFINITY, (double)INFINITY}, {0.3, 0.3}};
    pair.property = rigid;
    assert_non_null(strstr(scree_law_effective_moduli(&pair, &m), "rigid"));
    const double unknown[2][2] = {{70e9, (double)NAN}, {0.3, 0.3}};
    pair.property = unknown;
    assert_non_null(strstr(scree_law_effective_moduli(&pair, &m), "young"));
    const double invalid[2][2] = {{70e9, 70e9}, {0.3, 0.6}};
    pair.property = invalid;
    assert_non_null(strstr(scree_law_effective_moduli(&pair, &m), "poisson"));
}

// Missing or contradicting parameters, and a word of the message.
static const struct {
    const struct scree_contact_law *law;
    const char *word;
    struct scree_impact_value values[5];
} refusals[] = {
    {&scree_law_linear, "one of", {{"friction", 0}, {"stiffness", 1}}},
    {&scree_law_linear, "one of", {{"friction", 0}, {"stiffness", 1}, {"restitution", 1}, {"damping", 1}}},
    {&scree_law_linear,
     "requires",
     {{"friction", 0}, {"stiffness", 1}, {"restitution", 1}, {"damping-tangential", 1}}},
    {&scree_law_linear,
     "requires",
     {{"friction", 0}, {"stiffness", 1}, {"damping", 1}, {"damping-mass-tangential", 1}}},
    {&scree_law_linear,
     "at least 1e-6",
     {{"friction", 0}, {"stiffness", 1}, {"restitution", 0}, {"tension", 1}}},
    {&scree_law_hertz, "one of", {{NULL, 0}}},
    {&scree_law_hertz, "one of", {{"restitution", 1}, {"damping", 1}}},
    {&scree_law_hertz, "at least 1e-6", {{"restitution", 0}, {"tension", 1}}},
    {&scree_law_hertz_mindlin, "give", {{"friction", 0}}},
    {&scree_law_hertz_mindlin, "not both", {{"friction", 0}, {"restitution", 1}, {"damping-normal", 1}}},
    {&scree_law_hertz_mindlin, "requires", {{"friction", 0}, {"restitution", 1}, {"damping-tangential", 1}}},
    {&scree_law_hertz_mindlin,
     "requires",
     {{"friction", 0}, {"restitution", 1}, {"stiffness-tangential", 1}}},
    {&scree_law_plastic, "one of", {{"friction", 0}, {"stiffness", 1}}},
    {&scree_law_plastic, "at least", {{"friction", 0}, {"stiffness", 2}, {"stiffness-unloading", 1}}},
};

static void contradictions_are_refused_with_a_reason(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; ++r) {
        double constants[SCREE_LAW_CONSTANTS];
        const char *message = scree_impact_prepare(refusals[r].law, refusals[r].values, glass, 3, constants);
        if (!message || !strstr(message, refusals[r].word))
            fail_msg("refusal %zu: %s", r, message ? message : "none");
    }
}

// Coefficients in place of material properties: F = a (kn d - m gn vn), T = a (kt x + m gt vt).
static void explicit_coefficients_are_used_unchanged(void **state)
{
    (void)state;
    const struct scree_impact_value values[] = {{"friction", 0.3},
                                                {"stiffness", 73260.073},
                                                {"stiffness-tangential", 90497.738},
                                                {"damping-normal", 1000},
                                                {"damping-tangential", 500},
                                                {"coulomb-limit", SCREE_LAW_LIMIT_ABSOLUTE},
                                                {NULL, 0}};
    const struct scree_law_contact c = {.overlap = 0.01,
                                        .radius = 0.25,
                                        .mass = 0.26,
                                        .normal_velocity = -0.5,
                                        .tangential_velocity = {0.02, 0, 0},
                                        .tangential_displacement = {1e-4, 0, 0},
                                        .step = 5e-3};
    double constants[SCREE_LAW_CONSTANTS], after[SCREE_LAW_HISTORY];
    const double before[SCREE_LAW_HISTORY] = {0, 2e-4, 0, 0.05}; // a = sqrt(0.25 * 0.01)
    assert_null(scree_impact_prepare(&scree_law_hertz_mindlin, values, NULL, 3, constants));
    const struct scree_law_reply reply = scree_law_hertz_mindlin.force(constants, &c, before, after);
    assert_true(fabs(reply.normal - 0.05 * (732.60073 + 0.26 * 1000 * 0.5)) < 1e-12 * 50);
    assert_true(fabs(reply.force.x + 0.05 * (9.0497738 + 0.26 * 500 * 0.02)) < 1e-12);
    assert_true(fabs(reply.force.y + 0.05 * 90497.738 * 2e-4) < 1e-12);
    assert_true(fabs(reply.dashpot - 5e-3 * 0.05 * 0.26 * (1000 * 0.25 + 500 * 4e-4)) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_is_a_complete_table),
        cmocka_unit_test(constants_stay_within_their_array),
        cmocka_unit_test(evaluation_changes_no_input_and_with_step_0_dissipates_nothing),
        cmocka_unit_test(evaluation_with_step_0_reproduces_the_reply_bit_for_bit),
        cmocka_unit_test(friction_stays_below_the_coulomb_limit),
        cmocka_unit_test(with_absolute_limits_there_is_friction_under_attraction),
        cmocka_unit_test(at_the_end_of_a_contact_the_energy_of_its_spring_becomes_friction),
        cmocka_unit_test(the_stiffness_is_the_slope_of_the_force),
        cmocka_unit_test(effective_moduli_are_those_of_two_bodies),
        cmocka_unit_test(contradictions_are_refused_with_a_reason),
        cmocka_unit_test(explicit_coefficients_are_used_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
