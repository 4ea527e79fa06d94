// Shared parts of the two variants of the linear law: with given stiffnesses, and with a modulus.

#ifndef SCREE_LAW_LINEAR_H
#define SCREE_LAW_LINEAR_H

#include "law/friction.h"

// Constants. With given stiffnesses, NORMAL and SHEAR are the stiffnesses, and ROOT is multiplied by
// sqrt(m*). With a modulus, SHEAR is the ratio k_t / k_n, and ROOT is multiplied by sqrt(k_n m*), see
// linear_modulus.c.
enum {
    SCREE_LINEAR_NORMAL,
    SCREE_LINEAR_SHEAR,
    SCREE_LINEAR_FRICTION,
    SCREE_LINEAR_ATTRACTION,
    SCREE_LINEAR_ABSOLUTE,
    SCREE_LINEAR_DAMPING,
    SCREE_LINEAR_ROOT,
    SCREE_LINEAR_MASS,
    SCREE_LINEAR_DAMPING_SHEAR,
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
    SCREE_LINEAR_GIVEN_LIMIT,
    // if not given these are NaN, or 0 in rules
    SCREE_LINEAR_GIVEN_MODULUS,
    SCREE_LINEAR_GIVEN_RATIO,
    SCREE_LINEAR_GIVEN_THICKNESS
};

extern const struct scree_law_parameter scree_linear_parameters[];
extern const struct scree_law_value scree_linear_values[];

// The variant with a modulus is not in the list of laws: rules name "linear", and its parameters select the
// variant.
extern const struct scree_contact_law scree_law_linear, scree_law_linear_modulus;

// The traits of "linear" (law.h).
const char *scree_linear_resolve(double *given, int dimension);
const struct scree_contact_law *scree_linear_variant(const double *given);

// Checks the combination of parameters; returns null or a message.
const char *scree_linear_check(const double *given, int dimension);

// Computes all constants but NORMAL, SHEAR, SOLID and FLAT, for the normal stiffness `unit` and the
// tangential stiffness `unit_shear`. Returns null or a message.
const char *scree_linear_prepare(const struct scree_law_pair *pair, double unit, double unit_shear,
                                 double *constants);

// The force for given stiffnesses; `root` is the factor of the dashpots given by restitution.
SCREE_FN struct scree_law_reply scree_linear_reply(const SCREE_REAL *constants,
                                                   const struct scree_law_contact *c,
                                                   const SCREE_REAL *before, SCREE_REAL *after,
                                                   SCREE_REAL stiffness, SCREE_REAL shear, SCREE_REAL root)
{
    const SCREE_REAL touches = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL elastic = stiffness * touches * c->overlap;
    const SCREE_REAL damping = constants[SCREE_LINEAR_DAMPING] + constants[SCREE_LINEAR_ROOT] * root +
                               constants[SCREE_LINEAR_MASS] * c->mass;
    const SCREE_REAL trial = elastic - touches * damping * c->approach;
    const SCREE_REAL normal = trial > 0 ? trial : constants[SCREE_LINEAR_ATTRACTION] * trial;
    const SCREE_REAL limit_normal = normal > 0 ? normal : -constants[SCREE_LINEAR_ABSOLUTE] * normal;

    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const struct scree_friction_spring tangential = {shear,
                                                     constants[SCREE_LINEAR_DAMPING_SHEAR] +
                                                         constants[SCREE_LINEAR_ROOT_SHEAR] * root +
                                                         constants[SCREE_LINEAR_MASS_SHEAR] * c->mass,
                                                     constants[SCREE_LINEAR_FRICTION] * limit_normal};
    const struct scree_friction friction = scree_friction_fixed(tangential, c, spring);
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
