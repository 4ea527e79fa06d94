// Rolling and twisting resistance: springs, dashpots and limits by their formulas, and energy.

#include "law/law.h"
#include "support/impact.h"

#include <scree/resistance.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A contact with a linear law of k_t = 2e5 N/m, or one of Hertz and Mindlin: 5 mm, 1 g.
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

// the reply of the law with the resistance added
static struct scree_law_reply resist(const struct scree_impact *law, const double constants[5],
                                     const struct scree_law_contact *contact,
                                     const struct scree_law_rolling *turning, double history[4])
{
    double own[SCREE_LAW_HISTORY] = {0}, left[SCREE_LAW_HISTORY], after[SCREE_RESISTANCE_HISTORY];
    struct scree_law_reply reply = law->law->force(law->constants, contact, own, left);
    reply.stored = reply.friction = reply.sliding = reply.dashpot = 0;
    scree_law_resist(constants, contact, turning, history, after, &reply);
    memcpy(history, after, sizeof after);
    return reply;
}

static void springs_and_dashpots_follow_their_formulas(void **state)
{
    (void)state;
    const struct scree_impact law = linear_contact();
    const double constants[5] = {10, 0.3, 10, 0.2}; // limits that are not reached
    double history[4] = {0};
    const struct scree_law_rolling turning = {
        .roll_rate = {0.3, -0.2, 0}, .roll_angle = {2e-6, 1e-6, 0}, .twist_rate = 0.7, .twist_angle = 3e-5};
    const struct scree_law_reply reply = resist(&law, constants, &resting, &turning, history);
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

// Spring and dashpot together reach the limit, in steps and in evaluations with step 0 between them, which
// change nothing.
static void couples_stop_at_their_limits(void **state)
{
    (void)state;
    const struct scree_impact law = linear_contact();
    const double constants[5] = {0.02, 0.3, 0.04, 0.3}, pressing = 1e6 * 1e-5;
    const double most = 0.02 * 0.005 * pressing, twisting = 2.0 / 3 * 0.04 * sqrt(0.005 * 1e-5) * pressing;
    double history[4] = {0};
    struct scree_law_contact contact = resting, evaluated = resting;
    contact.step = 1e-3;
    evaluated.step = 0;
    const struct scree_law_rolling turning = {
        .roll_rate = {3, 4, 0}, .roll_angle = {3e-3, 4e-3, 0}, .twist_rate = -1000, .twist_angle = -1};
    const struct scree_law_rolling still = {.roll_rate = {3, 4, 0}, .twist_rate = -1000};
    for (int k = 0; k < 200; ++k) {
        double kept[4];
        memcpy(kept, history, sizeof kept);
        const bool steps = k % 2 == 0;
        const struct scree_law_reply reply =
            resist(&law, constants, steps ? &contact : &evaluated, steps ? &turning : &still, history);
        assert_true(fabs(reply.couple.x + 0.6 * most) < 1e-14 * most);
        assert_true(fabs(reply.couple.y + 0.8 * most) < 1e-14 * most);
        assert_true(fabs(reply.couple.z - twisting) < 1e-14 * twisting);
        // further rotation is dissipated at the limit; the first steps load the springs as well
        const double power = most * 5e-3 + twisting * 1;
        const double dissipated = reply.friction + (steps ? contact.step : 0) * reply.sliding;
        assert_true(reply.friction >= 0 && reply.sliding >= 0 && reply.dashpot == 0);
        if (!steps)
            assert_true(dissipated == 0 && memcmp(kept, history, sizeof kept) == 0);
        else if (k > 40)
            assert_true(fabs(dissipated - power) < 1e-13 * power);
    }
}

static void without_normal_force_or_stiffness_there_is_no_resistance(void **state)
{
    (void)state;
    const double constants[5] = {0.1, 0.3, 0.1, 0.3};
    const struct scree_law_rolling turning = {
        .roll_rate = {3, 4, 0}, .roll_angle = {1e-3, 0, 0}, .twist_rate = 1, .twist_angle = 1};
    struct scree_impact law = linear_contact();
    struct scree_law_contact separating = resting;
    separating.overlap = -1e-6;
    double history[4] = {0};
    struct scree_law_reply reply = resist(&law, constants, &separating, &turning, history);
    assert_true(reply.couple.x == 0 && reply.couple.y == 0 && reply.couple.z == 0);
    const struct scree_impact_value values[] = {{"stiffness", 5e10}, {"restitution", 1}, {NULL, 0}};
    law.law = &scree_law_hertz;
    assert_null(scree_impact_prepare(law.law, values, NULL, 3, law.constants));
    memset(history, 0, sizeof history);
    reply = resist(&law, constants, &resting, &turning, history);
    assert_true(reply.couple.x == 0 && reply.couple.y == 0 && reply.couple.z == 0);
    assert_true(reply.stored == 0 && reply.friction == 0 && reply.dashpot == 0);
}

// A closed path in overlap and the three angles, and the energy of the couples on it: the minimum of work
// minus stored energy, and the error of the accounts.
struct balance {
    double least, relocated, stored;
};

static double place(int axis, double s, int seed, double *rate)
{
    double sum = 0;
    *rate = 0;
    for (int k = 1; k <= 3; ++k) {
        const double turn = 6.283185307179586 * k, shift = 1.7 * seed + 2.9 * axis + 4.1 * k * axis * seed;
        sum += sin(turn * s + shift) / k;
        *rate += turn * cos(turn * s + shift) / k;
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
    double history[4] = {0}, from[4] = {0}, to[4], rate[4], work = 0, accounts = 0, first = 0;
    struct scree_law_reply before = {0};
    struct scree_law_contact contact = resting;
    for (int k = 0; k <= 3 * steps; ++k) {
        for (int axis = 0; axis < 4; ++axis) {
            to[axis] = place(axis, (double)(k % steps) / steps, seed, &rate[axis]);
            rate[axis] /= period;
        }
        contact.overlap = to[3];
        contact.normal_velocity = -rate[3];
        contact.step = k > 0 ? period / steps : 0;
        const double moved = k > 0 ? 1 : 0;
        if (k == 0)
            memcpy(from, to, sizeof from);
        const struct scree_law_rolling turning = {.roll_rate = {rate[0], rate[1], 0},
                                                  .roll_angle = {to[0] - from[0], to[1] - from[1], 0},
                                                  .twist_rate = rate[2],
                                                  .twist_angle = to[2] - from[2]};
        if (k == 0) {
            // half of the dashpot dissipation in a step belongs to the path before it
            struct scree_law_contact moving = contact;
            double none[4] = {0};
            moving.step = period / steps;
            first = scree_impact_dashpot_loss(resist(law, constants, &moving, &turning, none), moving.step);
        }
        const struct scree_law_reply reply = resist(law, constants, &contact, &turning, history);
        const struct scree_law_vector turned = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        work -= moved * 0.5 * scree_law_dot(scree_law_add(reply.couple, before.couple), turned);
        accounts += reply.friction + scree_impact_dashpot_loss(reply, contact.step);
        before = reply;
        memcpy(from, to, sizeof from);
        const double ahead = scree_impact_dashpot_loss(reply, contact.step);
        const double taken = work - reply.stored, pending = moved * 0.5 * (first - ahead);
        const double relocated = fabs(taken - accounts - pending);
        balance.least = fmin(balance.least, taken);
        balance.relocated = fmax(balance.relocated, relocated);
        balance.stored = fmax(balance.stored, reply.stored);
    }
    return balance;
}

// The accounts close with order 2, also when the stiffness depends on the overlap with a given power.
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
                if (!(fine.relocated < step * step * fine.stored && fine.least > -0.1 * step * fine.stored))
                    fail_msg("path %d created %g, accounts wrong by %g", seed, -fine.least / fine.stored,
                             fine.relocated / fine.stored);
                if (!(fabs(log2(coarse.relocated / fine.relocated) / 2 - 2) < 0.2))
                    fail_msg("path %d: accounts wrong by %g, then %g", seed, coarse.relocated,
                             fine.relocated);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_and_dashpots_follow_their_formulas),
        cmocka_unit_test(couples_stop_at_their_limits),
        cmocka_unit_test(without_normal_force_or_stiffness_there_is_no_resistance),
        cmocka_unit_test(resistance_creates_no_energy_on_a_closed_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
