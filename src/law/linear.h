// What the linear law is made from, whether its stiffnesses are given or follow from a modulus.

#ifndef SCREE_LAW_LINEAR_H
#define SCREE_LAW_LINEAR_H

#include "law/friction.h"

// Constants. Of stiffnesses that are given, NORMAL and SHEAR are these and dashpots go with sqrt(m*); else
// SHEAR is a share of what follows, dashpots go with sqrt(k_n m*), and see linear_modulus.c.
enum {
    SCREE_LINEAR_NORMAL,
    SCREE_LINEAR_SHEAR,
    SCREE_LINEAR_FRICTION,
    SCREE_LINEAR_PULL,
    SCREE_LINEAR_ABSOLUTE,
    SCREE_LINEAR_PLAIN,
    SCREE_LINEAR_ROOT,
    SCREE_LINEAR_MASS,
    SCREE_LINEAR_PLAIN_SHEAR,
    SCREE_LINEAR_ROOT_SHEAR,
    SCREE_LINEAR_MASS_SHEAR,
    SCREE_LINEAR_SOLID,
    SCREE_LINEAR_FLAT,
    SCREE_LINEAR_CONSTANTS
};

// parameters, in the order of their table
enum {
    SCREE_LINEAR_GIVEN_FRICTION,
    SCREE_LINEAR_GIVEN_STIFFNESS,
    SCREE_LINEAR_GIVEN_STIFFNESS_SHEAR,
    SCREE_LINEAR_GIVEN_RESTITUTION,
    SCREE_LINEAR_GIVEN_DAMPING,
    SCREE_LINEAR_GIVEN_DAMPING_SHEAR,
    SCREE_LINEAR_GIVEN_DAMPING_MASS,
    SCREE_LINEAR_GIVEN_DAMPING_MASS_SHEAR,
    SCREE_LINEAR_GIVEN_DASHPOTS,
    SCREE_LINEAR_GIVEN_TENSION,
    SCREE_LINEAR_GIVEN_CAP,
    // not a number, or 0 in rules, where they are not given
    SCREE_LINEAR_GIVEN_MODULUS,
    SCREE_LINEAR_GIVEN_RATIO,
    SCREE_LINEAR_GIVEN_THICKNESS
};

extern const struct scree_law_parameter scree_linear_parameters[];
extern const struct scree_law_value scree_linear_values[];

// The law whose stiffnesses follow from a modulus. It is in no list: rules name "linear", whose parameters
// tell which of the two computes.
extern const struct scree_contact_law scree_law_linear, scree_law_linear_modulus;

// The traits of "linear" (law.h).
const char *scree_linear_settle(double *given, int dimension);
const struct scree_contact_law *scree_linear_variant(const double *given);

// What is wrong with the parameters among themselves; null for nothing.
const char *scree_linear_check(const double *given, int dimension);

// What prepares both: all constants but NORMAL, SHEAR, SOLID and FLAT, for the stiffness along the normal of
// `unit` and one across it of `unit_shear`. Returns null or what is wrong.
const char *scree_linear_prepare(const struct scree_law_pair *pair, double unit, double unit_shear,
                                 double *constants);

// Springs of such stiffnesses; `root` is what the dashpots of a restitution go with.
SCREE_FN struct scree_law_reply scree_linear_reply(const SCREE_REAL *constants,
                                                   const struct scree_law_contact *c,
                                                   const SCREE_REAL *before, SCREE_REAL *after,
                                                   SCREE_REAL stiffness, SCREE_REAL shear, SCREE_REAL root)
{
    const SCREE_REAL touches = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL elastic = stiffness * touches * c->overlap;
    const SCREE_REAL damping = constants[SCREE_LINEAR_PLAIN] + constants[SCREE_LINEAR_ROOT] * root +
                               constants[SCREE_LINEAR_MASS] * c->mass;
    const SCREE_REAL plain = elastic - touches * damping * c->approach;
    const SCREE_REAL normal = plain > 0 ? plain : constants[SCREE_LINEAR_PULL] * plain;
    const SCREE_REAL bearing = normal > 0 ? normal : -constants[SCREE_LINEAR_ABSOLUTE] * normal;

    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const struct scree_friction_spring hold = {shear,
                                               constants[SCREE_LINEAR_PLAIN_SHEAR] +
                                                   constants[SCREE_LINEAR_ROOT_SHEAR] * root +
                                                   constants[SCREE_LINEAR_MASS_SHEAR] * c->mass,
                                               constants[SCREE_LINEAR_FRICTION] * bearing};
    const struct scree_friction friction = scree_friction_fixed(hold, c, spring);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;

    struct scree_law_reply reply;
    const SCREE_REAL loaded = scree_law_dot(spring, spring) > 0 ? constants[SCREE_LINEAR_ABSOLUTE] : 0;
    reply.live = touches > 0 ? 1 : moving * loaded;
    reply.normal = normal;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = (SCREE_REAL)0.5 * elastic * c->overlap + friction.stored;
    reply.friction = friction.lost;
    reply.sliding = friction.sliding;
    reply.dashpot = c->step * (elastic - normal) * c->approach + friction.dashpot;
    reply.internal = 0;
    reply.stiffness[0] = stiffness;
    reply.stiffness[1] = shear;
    return reply;
}

#endif
