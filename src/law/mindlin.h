// Mindlin: the force of Hertz and Mindlin between elastic spheres, shared by several laws.
//
// Normal: F = 4/3 E* a d - c_n v_n with the contact radius a = sqrt(R* d) (Hertz 1882). c_n is proportional
// to sqrt(a m*), which makes the restitution independent of velocity (Tsuji, Tanaka, Ishida, Powder Technol.
// 71, 239, 1992), or to a m* (viscoelastic). Tangential: friction.h with k = 8 G* a (Mindlin 1949) and c_t of
// the same damping ratio. EQUATIONS 7. The enumerations define the order of constants and history values.

#ifndef SCREE_LAW_MINDLIN_H
#define SCREE_LAW_MINDLIN_H

#include "law/friction.h"

enum scree_mindlin_constant {
    SCREE_MINDLIN_NORMAL,                     // 4/3 E*, Pa
    SCREE_MINDLIN_TANGENTIAL,                 // 8 G*, Pa
    SCREE_MINDLIN_DAMPING_ROOT,               // normal damping coefficient / sqrt(a m*)
    SCREE_MINDLIN_DAMPING_ROOT_TANGENTIAL,    // tangential damping coefficient / sqrt(a m*)
    SCREE_MINDLIN_DAMPING_VISCOUS,            // normal damping coefficient / (a m*), 1/(m s)
    SCREE_MINDLIN_DAMPING_VISCOUS_TANGENTIAL, // tangential damping coefficient / (a m*), 1/(m s)
    SCREE_MINDLIN_FRICTION,
    SCREE_MINDLIN_ATTRACTION,     // 1: dashpots may attract, else 0
    SCREE_MINDLIN_ABSOLUTE_LIMIT, // 1: Coulomb limit by the absolute normal force, else 0
    SCREE_MINDLIN_CONSTANTS
};

// The history: the tangential spring, m, and the contact radius of its stiffness, m.
enum { SCREE_MINDLIN_SPRING = 0, SCREE_MINDLIN_RADIUS = 3 };

SCREE_FN struct scree_law_reply scree_mindlin_force(const SCREE_REAL *constants,
                                                    const struct scree_law_contact *c,
                                                    const SCREE_REAL *before, SCREE_REAL *after, bool secant)
{
    // with an absolute Coulomb limit a contact is live without force in its last step, in which the spring
    // slides to zero
    const SCREE_REAL overlap = c->overlap > 0 ? c->overlap : 0, old = before[SCREE_MINDLIN_RADIUS];
    const SCREE_REAL ends = c->step > 0 && old > 0 ? constants[SCREE_MINDLIN_ABSOLUTE_LIMIT] : 0;
    const SCREE_REAL radius = scree_law_root(c->radius * overlap);
    const SCREE_REAL root = scree_law_root(radius * c->mass), viscous = radius * c->mass;
    const SCREE_REAL elastic = (1 + c->spring_extra) * (constants[SCREE_MINDLIN_NORMAL] * radius * overlap);
    const SCREE_REAL damping =
        constants[SCREE_MINDLIN_DAMPING_ROOT] * root + constants[SCREE_MINDLIN_DAMPING_VISCOUS] * viscous;
    const SCREE_REAL dashpot = damping * c->normal_velocity;
    const SCREE_REAL trial = elastic - dashpot, corrected = trial - c->dashpot_extra * dashpot;
    const SCREE_REAL normal = trial > 0 ? corrected : constants[SCREE_MINDLIN_ATTRACTION] * corrected;
    const SCREE_REAL limit_normal = normal > 0 ? normal : -constants[SCREE_MINDLIN_ABSOLUTE_LIMIT] * normal;

    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const SCREE_REAL tangential_damping =
        constants[SCREE_MINDLIN_DAMPING_ROOT_TANGENTIAL] * (root * (1 + c->tangential_extra)) +
        constants[SCREE_MINDLIN_DAMPING_VISCOUS_TANGENTIAL] * viscous;
    const struct scree_friction_spring tangential = {
        constants[SCREE_MINDLIN_TANGENTIAL], (1 + c->dashpot_extra) * tangential_damping,
        (1 - c->parted) * (constants[SCREE_MINDLIN_FRICTION] * limit_normal)};
    const struct scree_friction friction =
        scree_friction_varying(tangential, c, spring, old, radius > 0 ? radius : old, secant);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;
    after[SCREE_MINDLIN_RADIUS] = radius;

    struct scree_law_reply reply;
    reply.live = c->overlap > 0 ? (SCREE_REAL)1 : ends;
    reply.normal = normal;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = (SCREE_REAL)0.4 * elastic * overlap + friction.stored;
    reply.friction = friction.lost;
    reply.sliding = friction.sliding;
    reply.dashpot = c->step * (elastic - normal) * c->normal_velocity + friction.dashpot;
    reply.internal = friction.internal;
    reply.stiffness[0] = (SCREE_REAL)1.5 * constants[SCREE_MINDLIN_NORMAL] * radius;
    reply.stiffness[1] = constants[SCREE_MINDLIN_TANGENTIAL] * radius;
    return reply;
}

// The parameters of hertz-mindlin, which are also the first parameters of the laws based on it.
enum scree_mindlin_parameter {
    SCREE_MINDLIN_PARAMETER_FRICTION,
    SCREE_MINDLIN_PARAMETER_RESTITUTION,
    SCREE_MINDLIN_PARAMETER_DAMPING,
    SCREE_MINDLIN_PARAMETER_DAMPING_TANGENTIAL,
    SCREE_MINDLIN_PARAMETER_STIFFNESS,
    SCREE_MINDLIN_PARAMETER_STIFFNESS_TANGENTIAL,
    SCREE_MINDLIN_PARAMETER_DASHPOTS,
    SCREE_MINDLIN_PARAMETER_TENSION,
    SCREE_MINDLIN_PARAMETER_LIMIT,
    SCREE_MINDLIN_PARAMETERS
};

// History values of hertz-mindlin and of the laws based on it.
extern const struct scree_law_value scree_mindlin_values[];

// Elastic 3/2; dashpots 1/4 or 1/2, because they are proportional to the root of the contact radius, or to
// it.
struct scree_law_powers scree_mindlin_powers(const double *constants);

// Computes the constants; returns null or a message.
const char *scree_mindlin_prepare(const struct scree_law_pair *pair, double *constants);

#endif
