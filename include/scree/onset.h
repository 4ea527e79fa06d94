// Onset: corrects the steps in which contacts begin and end.
//
// Kick-drift-kick integrates forces by the trapezoidal rule. If a force f = c t^p begins at t = 0, a part s
// of a step h before its first sample, the rule errs by c h^(p+1) zeta(-p, s) (Hurwitz zeta function; Navot,
// J. Math. and Phys. 40, 271, 1961): of order 1 for the dashpot of a linear law (p = 0), of order 1.25 for
// that of Hertz (p = 1/4). A weight of the first sample removes this error:
//     weight = 1 - zeta(-p, s) / s^p = -zeta(-p, 1 + s) / s^p,
// which is 1/2 + s for p = 0. A force c s^p that ends a part s of a step after its last sample leaves the
// same error; it is removed by the force -zeta(-p, s) c h^p in the step after the end. Elastic forces have p
// >= 1; they are accurate to order 2 without correction too, but their errors would depend on s.
//
// The distance changes in a step at the mid-step velocity, so states at both ends of the step tell whether
// the contact began or ended in it, and s. No memory is needed.
#ifndef SCREE_ONSET_H
#define SCREE_ONSET_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Correction of a contact in one step; all zero but `share` = 1 if it neither begins nor ends. */
struct scree_kernel_onset {
    SCREE_REAL share;         /**< part of the step in which the surfaces touch */
    SCREE_REAL spring_extra;  /**< weight of the elastic force - 1 */
    SCREE_REAL dashpot_extra; /**< weight of the dashpot forces - 1 */
    SCREE_REAL parted;        /**< 1 if the contact ends, else 0 */
};

/** x^power for the powers 0, 1/4, 1/2, 1 and 3/2. */
SCREE_FN SCREE_REAL scree_kernel_power(SCREE_REAL x, SCREE_REAL power)
{
    const SCREE_REAL root = scree_law_root(x), whole = power < 1 ? 1 : x,
                     rest = power < 1 ? power : power - 1;
    const SCREE_REAL part = rest == (SCREE_REAL)0.25 ? scree_law_root(root) : root;
    return rest == 0 ? whole : whole * part;
}

/** -zeta(-p, a) for a > 0, by three terms of the series and the Euler-Maclaurin formula for the rest; the
 * relative error is below 1e-6, and 0 but for rounding if p is 0 or 1. */
SCREE_FN SCREE_REAL scree_kernel_minus_zeta(SCREE_REAL p, SCREE_REAL a)
{
    const SCREE_REAL x = a + 3, power = scree_kernel_power(x, p);
    const SCREE_REAL third = p * (1 - p) * (2 - p) / (SCREE_REAL)720;
    const SCREE_REAL rest = power * (x / (p + 1) - (SCREE_REAL)0.5 + p / (12 * x) - third / (x * x * x));
    const SCREE_REAL sum =
        scree_kernel_power(a, p) + scree_kernel_power(a + 1, p) + scree_kernel_power(a + 2, p);
    return rest - sum;
}

/** Weight - 1 of a force with the power `p` in the step in which a contact begins, or ends, with that share.
 */
SCREE_FN SCREE_REAL scree_kernel_onset_extra(SCREE_REAL p, SCREE_REAL share, SCREE_REAL parted)
{
    return scree_kernel_minus_zeta(p, 1 + share - parted) / scree_kernel_power(share, p) - 1;
}

/** The correction of a contact whose overlap was `before` at the start of the step and is `now`; one of them
 * is positive, the other is not. */
SCREE_FN struct scree_kernel_onset scree_kernel_onset_of(struct scree_law_powers powers, SCREE_REAL before,
                                                         SCREE_REAL now)
{
    struct scree_kernel_onset onset;
    onset.parted = now > 0 ? (SCREE_REAL)0 : (SCREE_REAL)1;
    onset.share = now > 0 ? now / (now - before) : before / (before - now);
    onset.spring_extra = scree_kernel_onset_extra((SCREE_REAL)powers.elastic, onset.share, onset.parted);
    onset.dashpot_extra = scree_kernel_onset_extra((SCREE_REAL)powers.dashpot, onset.share, onset.parted);
    return onset;
}

#ifdef __cplusplus
}
#endif
#endif
