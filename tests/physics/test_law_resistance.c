// Rolling and twisting resistance of a single contact: couples and dissipation against the formulas of
// docs/theory/contact-laws.md, and the energy balance on closed paths.

#include "law/law.h"
#include "support/impact.h"

#include <scree/resistance.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Effective radius 5 mm, effective mass 1 g.
static const struct scree_law_contact resting = {
    .overlap = 1e-5, .normal = {0, 0, 1}, .radius = 0.005, .mass = 1e-3, .step = 1e-6};
enum { ROLLING_FRICTION, ROLLING_DAMPING, TWISTING_FRICTION, TWISTING_DAMPING };

static struct scree_impact linear_contact(void)
{
    const struct scree_impact_value values[] = {
        {"friction", 0.5}, {"stiffness", 1e6}, {"stiffness-tangential", 2e5}, {"restitution", 1}, {NULL, 0}};
    struct scree_impact impact = {.law = &scree_law_linear};
    assert_null(scree_impact_prepare(impact.law, values, NULL, 3, impact.constants));
    return impact;
}

static struct scree_impact hertzian_contact(void)
{
    const struct scree_impact_value values[] = {{"friction", 0.5},
                                                {"stiffness", 5e10},
                                                {"stiffness-tangential", 6e10},
                                                {"restitution", 1},
                                                {NULL, 0}};
    struct scree_impact impact = {.law = &scree_law_hertz_mindlin};
    assert_null(scree_impact_prepare(impact.law, values, NULL, 3, impact.constants));
    return impact;
}

// The reply of the law and of the resistance together; energies are those of the resistance alone.
static struct scree_law_reply resist(const struct scree_impact *law, const double constants[5],
                                     const struct scree_law_contact *contact,
                                     const struct scree_law_rolling *rotation, double history[4])
{
    double law_before[SCREE_LAW_HISTORY] = {0}, law_after[SCREE_LAW_HISTORY], after[SCREE_RESISTANCE_HISTORY];
    struct scree_law_reply reply = law->law->force(law->constants, contact, law_before, law_after);
    reply.stored = reply.friction = reply.sliding = reply.dashpot = 0;
    scree_law_resist(constants, contact, rotation, history, after, &reply);
    memcpy(history, after, sizeof after);
    return reply;
}

static void springs_and_dashpots_follow_their_formulas(void **state)
{
    (void)state;
    const struct scree_impact law = linear_contact();
    const double constants[5] = {10, 0.3, 10, 0.2}; // limits that are not reached
    double history[4] = {0};
    const struct scree_law_rolling rotation = {
        .roll_rate = {0.3, -0.2, 0}, .roll_angle = {2e-6, 1e-6, 0}, .twist_rate = 0.7, .twist_angle = 3e-5};
    const struct scree_law_reply reply = resist(&law, constants, &resting, &rotation, history);
    // k_r = k_t R^2, c_r = 2 eta sqrt(k_r m R^2); twisting the same with k = k_t a^2 / 2, a^2 = R d
    const double k = 2e5 * 25e-6, c = 2 * 0.3 * sqrt(k * 1e-3 * 25e-6);
    const double twist = 0.5 * 2e5 * 0.005 * 1e-5, d = 2 * 0.2 * sqrt(twist * 1e-3 * 25e-6);
    assert_true(fabs(reply.couple.x + k * 2e-6 + c * 0.3) < 1e-14 * (k * 2e-6 + c * 0.3));
    assert_true(fabs(reply.couple.y + k * 1e-6 - c * 0.2) < 1e-14 * (k * 1e-6 + c * 0.2));
    assert_true(fabs(reply.couple.z + twist * 3e-5 + d * 0.7) < 1e-14 * (twist * 3e-5 + d * 0.7));
    const double stored = 0.5 * (k * 5e-12 + twist * 9e-10), dashpot = 1e-6 * (c * 0.13 + d * 0.49);
    assert_true(fabs(reply.stored - stored) < 1e-14 * stored);
    assert_true(fabs(reply.dashpot - dashpot) < 1e-14 * dashpot);
    assert_true(reply.friction == 0);
}

// Spring and dashpot together exceed the limit, in steps and in evaluations with step 0 between them, which
// change no history.
static void couples_keep_their_limits_and_dissipate_further_rotation(void **state)
{
    (void)state;
    const struct scree_impact law = linear_contact();
    const double constants[5] = {0.02, 0.3, 0.04, 0.3}, normal_force = 1e6 * 1e-5;
    const double rolling_limit = 0.02 * 0.005 * normal_force,
                 twisting_limit = 2.0 / 3 * 0.04 * sqrt(0.005 * 1e-5) * normal_force;
    double history[4] = {0};
    struct scree_law_contact contact = resting, evaluated = resting;
    contact.step = 1e-3;
    evaluated.step = 0;
    const struct scree_law_rolling rotation = {
        .roll_rate = {3, 4, 0}, .roll_angle = {3e-3, 4e-3, 0}, .twist_rate = -1000, .twist_angle = -1};
    const struct scree_law_rolling no_angle = {.roll_rate = {3, 4, 0}, .twist_rate = -1000};
    for (int k = 0; k < 200; ++k) {
        double history_before[4];
        memcpy(history_before, history, sizeof history_before);
        const bool steps = k % 2 == 0;
        const struct scree_law_reply reply =
            resist(&law, constants, steps ? &contact : &evaluated, steps ? &rotation : &no_angle, history);
        assert_true(fabs(reply.couple.x + 0.6 * rolling_limit) < 1e-14 * rolling_limit);
        assert_true(fabs(reply.couple.y + 0.8 * rolling_limit) < 1e-14 * rolling_limit);
        assert_true(fabs(reply.couple.z - twisting_limit) < 1e-14 * twisting_limit);
        // the dissipation is the limit times the angle, when the springs are fully loaded (after 40 steps)
        const double expected = rolling_limit * 5e-3 + twisting_limit * 1;
        const double dissipated = reply.friction + (steps ? contact.step : 0) * reply.sliding;
        assert_true(reply.friction >= 0 && reply.sliding >= 0 && reply.dashpot == 0);
        if (!steps)
            assert_true(dissipated == 0 && memcmp(history_before, history, sizeof history_before) == 0);
        else if (k > 40)
            assert_true(fabs(dissipated - expected) < 1e-13 * expected);
    }
}

static void without_normal_force_or_stiffness_there_is_no_resistance(void **state)
{
    (void)state;
    const double constants[5] = {0.1, 0.3, 0.1, 0.3};
    const struct scree_law_rolling rotation = {
        .roll_rate = {3, 4, 0}, .roll_angle = {1e-3, 0, 0}, .twist_rate = 1, .twist_angle = 1};
    struct scree_impact law = linear_contact();
    struct scree_law_contact separating = resting;
    separating.overlap = -1e-6;
    double history[4] = {0};
    struct scree_law_reply reply = resist(&law, constants, &separating, &rotation, history);
    assert_true(reply.couple.x == 0 && reply.couple.y == 0 && reply.couple.z == 0);
    const struct scree_impact_value values[] = {{"stiffness", 5e10}, {"restitution", 1}, {NULL, 0}};
    law.law = &scree_law_hertz;
    assert_null(scree_impact_prepare(law.law, values, NULL, 3, law.constants));
    memset(history, 0, sizeof history);
    reply = resist(&law, constants, &resting, &rotation, history);
    assert_true(reply.couple.x == 0 && reply.couple.y == 0 && reply.couple.z == 0);
    assert_true(reply.stored == 0 && reply.friction == 0 && reply.dashpot == 0);
}

// Energy of the couples on a closed path of overlap and three angles: the minimum of work minus stored energy
// (negative if energy was created), the largest difference of this from the dissipation, and the largest
// stored energy.
struct balance {
    double min_absorbed, account_error, stored;
};

static double path_position(int axis, double s, int seed, double *rate)
{
    double sum = 0;
    *rate = 0;
    for (int k = 1; k <= 3; ++k) {
        const double frequency = 6.283185307179586 * k,
                     phase = 1.7 * seed + 2.9 * axis + 4.1 * k * axis * seed;
        sum += sin(frequency * s + phase) / k;
        *rate += frequency * cos(frequency * s + phase) / k;
    }
    const double size = axis == 3 ? 4e-6 : (axis == 2 ? 2e-2 : 2e-4);
    *rate *= size;
    return size * sum + (axis == 3 ? 1e-5 : 0);
}

static struct balance follow_path(const struct scree_impact *law, const double constants[5], int seed,
                                  int steps)
{
    const double period = 0.01;
    struct balance balance = {0, 0, 0};
    double history[4] = {0}, from[4] = {0}, to[4], rate[4], work = 0, accounts = 0, first_dashpot_loss = 0;
    struct scree_law_reply before = {0};
    struct scree_law_contact contact = resting;
    for (int k = 0; k <= 3 * steps; ++k) {
        for (int axis = 0; axis < 4; ++axis) {
            to[axis] = path_position(axis, (double)(k % steps) / steps, seed, &rate[axis]);
            rate[axis] /= period;
        }
        contact.overlap = to[3];
        contact.normal_velocity = -rate[3];
        contact.step = k > 0 ? period / steps : 0;
        const double after_start = k > 0 ? 1 : 0;
        if (k == 0)
            memcpy(from, to, sizeof from);
        const struct scree_law_rolling rotation = {.roll_rate = {rate[0], rate[1], 0},
                                                   .roll_angle = {to[0] - from[0], to[1] - from[1], 0},
                                                   .twist_rate = rate[2],
                                                   .twist_angle = to[2] - from[2]};
        if (k == 0) {
            // half of the dashpot dissipation of one step belongs to the time before the path
            struct scree_law_contact moving = contact;
            double none[4] = {0};
            moving.step = period / steps;
            first_dashpot_loss =
                scree_impact_dashpot_loss(resist(law, constants, &moving, &rotation, none), moving.step);
        }
        const struct scree_law_reply reply = resist(law, constants, &contact, &rotation, history);
        const struct scree_law_vector angle = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        work -= after_start * 0.5 * scree_law_dot(scree_law_add(reply.couple, before.couple), angle);
        accounts += reply.friction + scree_impact_dashpot_loss(reply, contact.step);
        before = reply;
        memcpy(from, to, sizeof from);
        const double last_dashpot_loss = scree_impact_dashpot_loss(reply, contact.step);
        const double absorbed = work - reply.stored,
                     pending = after_start * 0.5 * (first_dashpot_loss - last_dashpot_loss);
        const double account_error = fabs(absorbed - accounts - pending);
        balance.min_absorbed = fmin(balance.min_absorbed, absorbed);
        balance.account_error = fmax(balance.account_error, account_error);
        balance.stored = fmax(balance.stored, reply.stored);
    }
    return balance;
}

// The error of the energy balance has order 2, also when the stiffness depends on the overlap.
static void resistance_creates_no_energy_on_a_closed_path(void **state)
{
    (void)state;
    const struct scree_impact laws[] = {linear_contact(), hertzian_contact()};
    for (int l = 0; l < 2; ++l)
        for (int damped = 0; damped < 2; ++damped)
            for (int seed = 1; seed < 20; ++seed) {
                const double constants[5] = {0.05, 0.1 * damped, 0.2, 0.1 * damped, l == 0 ? 0 : 0.25};
                const struct balance coarse = follow_path(&laws[l], constants, seed, 1000);
                const struct balance fine = follow_path(&laws[l], constants, seed, 4000);
                // a step covers at most 6 pi / 4000 radians of the path
                const double step = 6 * 3.141592653589793 / 4000;
                if (!(fine.account_error < step * step * fine.stored &&
                      fine.min_absorbed > -0.1 * step * fine.stored))
                    fail_msg("path %d: energy created %g, energy balance wrong by %g, of the stored energy",
                             seed, -fine.min_absorbed / fine.stored, fine.account_error / fine.stored);
                if (!(fabs(log2(coarse.account_error / fine.account_error) / 2 - 2) < 0.2))
                    fail_msg("path %d: energy balance wrong by %g J, with smaller steps by %g J", seed,
                             coarse.account_error, fine.account_error);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_and_dashpots_follow_their_formulas),
        cmocka_unit_test(couples_keep_their_limits_and_dissipate_further_rotation),
        cmocka_unit_test(without_normal_force_or_stiffness_there_is_no_resistance),
        cmocka_unit_test(resistance_creates_no_energy_on_a_closed_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
