// Shared parts of the two variants of the linear law: stiffnesses as parameters, or from a modulus.

#ifndef SCREE_LAW_LINEAR_H
#define SCREE_LAW_LINEAR_H

#include "law/friction.h"

// Constants; those in brackets are of the variant with a modulus, see linear_modulus.c.
enum {
    SCREE_LINEAR_NORMAL,         // k_n; [2 E t for disks, pi E for spheres]
    SCREE_LINEAR_TANGENTIAL,     // k_t; [k_t / k_n]
    SCREE_LINEAR_FRICTION,       // coefficient of friction
    SCREE_LINEAR_ATTRACTION,     // 1: dashpots may attract, else 0
    SCREE_LINEAR_ABSOLUTE_LIMIT, // 1: Coulomb limit by the absolute normal force, else 0
    // damping coefficients: constant, factor of sqrt(m*) [of sqrt(k_n m*)], and factor of m*
    SCREE_LINEAR_DAMPING,
    SCREE_LINEAR_DAMPING_ROOT,
    SCREE_LINEAR_DAMPING_MASS,
    SCREE_LINEAR_DAMPING_TANGENTIAL,
    SCREE_LINEAR_DAMPING_ROOT_TANGENTIAL,
    SCREE_LINEAR_DAMPING_MASS_TANGENTIAL,
    SCREE_LINEAR_SPHERES, // [1 for spheres, else 0]
    SCREE_LINEAR_DISKS,   // [1 for disks, else 0]
    SCREE_LINEAR_CONSTANTS
};

// parameters, in the order of their table
enum {
    SCREE_LINEAR_PARAMETER_FRICTION,
    SCREE_LINEAR_PARAMETER_STIFFNESS,
    SCREE_LINEAR_PARAMETER_STIFFNESS_TANGENTIAL,
    SCREE_LINEAR_PARAMETER_RESTITUTION,
    SCREE_LINEAR_PARAMETER_DAMPING,
    SCREE_LINEAR_PARAMETER_DAMPING_TANGENTIAL,
    SCREE_LINEAR_PARAMETER_DAMPING_MASS,
    SCREE_LINEAR_PARAMETER_DAMPING_MASS_TANGENTIAL,
    SCREE_LINEAR_PARAMETER_DASHPOTS,
    SCREE_LINEAR_PARAMETER_TENSION,
    SCREE_LINEAR_PARAMETER_LIMIT,
    // if not given: NaN, or 0 in rules
    SCREE_LINEAR_PARAMETER_MODULUS,
    SCREE_LINEAR_PARAMETER_RATIO,
    SCREE_LINEAR_PARAMETER_THICKNESS
};

extern const struct scree_law_parameter scree_linear_parameters[];
extern const struct scree_law_value scree_linear_values[];

// The variant with a modulus is not in the list of laws: rules name "linear", and its parameters select the
// variant.
extern const struct scree_contact_law scree_law_linear, scree_law_linear_modulus;

// The traits of "linear" (law.h).
const char *scree_linear_resolve(double *parameter, int dimension);
const struct scree_contact_law *scree_linear_variant(const double *parameter);

// Checks the combination of parameters; returns null or a message.
const char *scree_linear_check(const double *parameter, int dimension);

// Computes all constants but NORMAL, TANGENTIAL, SPHERES and DISKS. Returns null or a message.
const char *scree_linear_prepare(const struct scree_law_pair *pair, double normal_stiffness,
                                 double tangential_stiffness, double *constants);

// The force for these stiffnesses; `root` is the factor of DAMPING_ROOT.
SCREE_FN struct scree_law_reply
scree_linear_reply(const SCREE_REAL *constants, const struct scree_law_contact *c, const SCREE_REAL *before,
                   SCREE_REAL *after, SCREE_REAL stiffness, SCREE_REAL tangential_stiffness, SCREE_REAL root)
{
    const SCREE_REAL touches = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL elastic = (1 + c->spring_extra) * (stiffness * touches * c->overlap);
    const SCREE_REAL damping = constants[SCREE_LINEAR_DAMPING] + constants[SCREE_LINEAR_DAMPING_ROOT] * root +
                               constants[SCREE_LINEAR_DAMPING_MASS] * c->mass;
    const SCREE_REAL dashpot = touches * damping * c->normal_velocity;
    const SCREE_REAL trial = elastic - dashpot, corrected = trial - c->dashpot_extra * dashpot;
    const SCREE_REAL normal = trial > 0 ? corrected : constants[SCREE_LINEAR_ATTRACTION] * corrected;
    const SCREE_REAL limit_normal = normal > 0 ? normal : -constants[SCREE_LINEAR_ABSOLUTE_LIMIT] * normal;

    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const SCREE_REAL tangential_damping =
        constants[SCREE_LINEAR_DAMPING_TANGENTIAL] +
        constants[SCREE_LINEAR_DAMPING_ROOT_TANGENTIAL] * (root * (1 + c->tangential_extra)) +
        constants[SCREE_LINEAR_DAMPING_MASS_TANGENTIAL] * c->mass;
    const struct scree_friction_spring tangential = {
        tangential_stiffness, (1 + c->dashpot_extra) * tangential_damping,
        (1 - c->parted) * (constants[SCREE_LINEAR_FRICTION] * limit_normal)};
    const struct scree_friction friction = scree_friction_fixed(tangential, c, spring);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;

    struct scree_law_reply reply;
    const SCREE_REAL loaded = scree_law_dot(spring, spring) > 0 ? constants[SCREE_LINEAR_ABSOLUTE_LIMIT] : 0;
    reply.live = touches > 0 ? 1 : moving * loaded;
    reply.normal = normal;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = (SCREE_REAL)0.5 * elastic * c->overlap + friction.stored;
    reply.friction = friction.lost;
    reply.sliding = friction.sliding;
    reply.dashpot = c->step * (elastic - normal) * c->normal_velocity + friction.dashpot;
    reply.internal = 0;
    reply.stiffness[0] = stiffness;
    reply.stiffness[1] = tangential_stiffness;
    return reply;
}

#endif
