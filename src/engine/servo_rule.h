// The rule of all servos, of walls and of cells: a rate from the error of a force, a moment or a stress.
//
// Between updates the rate is constant. Let K be the stiffness and C the dashpots of the contacts, u and v
// the rates before and after an update: the force changes by K v n h until the next update n steps of h
// later, and by C times the change of the rate, so
//   v = (gain (target - measured) + C u) / (K n h + C)
// corrects the fraction `gain` of the error: the rule of PFC's servo walls, extended by dashpots and by the
// number of steps between two updates. This is the rule of cells, whose rates change within the step after an
// update. Those of walls jump, and the rate at an update, which laws and accounts of energy use, is
// extrapolated from those before and after the last update, to v + (v - u) / 2:
//   v = (gain (target - measured) + C (w + u / 2)) / (K n h + 3 C / 2)
// with the extrapolated rate w of this update.
//
// A sample that yields all the time needs a steady rate, which this rule supplies with a steady error only.
// So a rule can learn it: a fraction of each correction is added to a steady rate, unless the rate is at its
// limit or the error is smaller than it was: then the sample is on its way, and would go too far. What was
// learnt too much is taken back also then: else it would keep an error that decays very slowly.

#ifndef SCREE_ENGINE_SERVO_RULE_H
#define SCREE_ENGINE_SERVO_RULE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct scree_servo_rule {
    // without a steady rate, the rate is 0 while the relative error is at most `tolerance`; with one, this
    // part of an error is not corrected
    double gain, tolerance, largest;
};

// What a rule knows at an update.
struct scree_servo_rule_state {
    double target, measured;
    double
        kept; // force of the dashpots at the rate of this update; of walls also half of that at the last rate
    double drag;   // K n h + C, or with 3 C / 2
    double learns; // fraction of a correction that the steady rate learns
};

// force / drag, limited to the largest rate; 0 without a force.
static inline double scree_servo_rule_limited(const struct scree_servo_rule *rule, double force, double drag)
{
    const double size = fabs(force), rate = size < drag * rule->largest ? size / drag : rule->largest;
    return force < 0 ? -rate : force > 0 ? rate : 0;
}

static inline bool scree_servo_rule_is_met(const struct scree_servo_rule *rule, double target,
                                           double measured)
{
    return fabs(target - measured) <= rule->tolerance * fabs(target);
}

// The steady rate of a rule, and the mean of its errors over some updates.
struct scree_servo_rule_steady {
    double rate, error;
};

// Largest fraction of a correction that a steady rate learns, and of an error that the mean error learns.
#define SCREE_SERVO_RULE_LEARNS (1.0 / 64)

// The rate until the next update; the steady rate, if not null, is included and updated.
static inline double scree_servo_rule_rate(const struct scree_servo_rule *rule,
                                           const struct scree_servo_rule_state *state,
                                           struct scree_servo_rule_steady *steady)
{
    const double band = rule->tolerance * fabs(state->target);
    double error = state->target - state->measured;
    if (!steady && scree_servo_rule_is_met(rule, state->target, state->measured))
        return 0;
    // a rate that jumped to 0 inside the band would take its dashpot stresses away, and leave the band again
    if (steady)
        error -= error > band ? band : error < -band ? -band : error;
    const double force = rule->gain * error + state->kept, drag = state->drag;
    if (!steady)
        return scree_servo_rule_limited(rule, force, drag);
    const double rate = scree_servo_rule_limited(rule, force + drag * steady->rate, drag);
    const bool lasts =
        error * steady->error > 0 && (fabs(error) >= fabs(steady->error) || error * steady->rate < 0);
    if (lasts && fabs(rate) < rule->largest)
        steady->rate += state->learns * rule->gain * error / drag;
    steady->error += state->learns * (error - steady->error);
    return rate;
}

// Stiffnesses and dashpots are measured again if a value they depend on changed by a tenth, and after this
// number of updates.
enum { SCREE_SERVO_RULE_LARGEST_AGE = 64 };

static inline bool scree_servo_rule_has_changed(double value, double reference)
{
    return !(fabs(value - reference) <= 0.1 * fabs(reference));
}

#endif
