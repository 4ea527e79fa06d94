// Mindlin: the force of Hertz and Mindlin between elastic spheres, for the laws that build on it.
//
// Normal: F = 4/3 E* a d - c_n v_n with the contact radius a = sqrt(R* d) (Hertz 1882); c_n goes with sqrt(a
// m*), which makes restitution independent of velocity (Tsuji, Tanaka, Ishida, Powder Technol. 71, 239,
// 1992), or with a m*, which is viscoelastic. Tangential: friction.h with k = 8 G* a (Mindlin 1949) and c_t
// in the same ratio. EQUATIONS 7. Constants and history are laid out by the enumerations.

#ifndef SCREE_LAW_MINDLIN_H
#define SCREE_LAW_MINDLIN_H

#include "law/friction.h"

enum scree_mindlin_constant {
    SCREE_MINDLIN_NORMAL,        // 4/3 E*, Pa
    SCREE_MINDLIN_SHEAR,         // 8 G*, Pa
    SCREE_MINDLIN_ROOT,          // dashpot along the normal over sqrt(a m*)
    SCREE_MINDLIN_ROOT_SHEAR,    // and across it
    SCREE_MINDLIN_VISCOUS,       // dashpot along the normal over a m*, 1/(m s)
    SCREE_MINDLIN_VISCOUS_SHEAR, // and across it
    SCREE_MINDLIN_FRICTION,
    SCREE_MINDLIN_PULL,     // 0: no attraction, else 1
    SCREE_MINDLIN_ABSOLUTE, // 1: attraction bears friction too
    SCREE_MINDLIN_CONSTANTS
};

// The history: the tangential spring, m, and the contact radius that its stiffness belongs to, m.
enum { SCREE_MINDLIN_SPRING = 0, SCREE_MINDLIN_RADIUS = 3 };

SCREE_FN struct scree_law_reply scree_mindlin_force(const SCREE_REAL *constants,
                                                    const struct scree_law_contact *c,
                                                    const SCREE_REAL *before, SCREE_REAL *after, bool secant)
{
    // where attraction bears friction, the step that ends a contact is a live one, of no force, in which the
    // spring slips all its way
    const SCREE_REAL overlap = c->overlap > 0 ? c->overlap : 0, old = before[SCREE_MINDLIN_RADIUS];
    const SCREE_REAL ends = c->step > 0 && old > 0 ? constants[SCREE_MINDLIN_ABSOLUTE] : 0;
    const SCREE_REAL radius = scree_law_root(c->radius * overlap);
    const SCREE_REAL root = scree_law_root(radius * c->mass), viscous = radius * c->mass;
    const SCREE_REAL elastic = constants[SCREE_MINDLIN_NORMAL] * radius * overlap;
    const SCREE_REAL damping =
        constants[SCREE_MINDLIN_ROOT] * root + constants[SCREE_MINDLIN_VISCOUS] * viscous;
    const SCREE_REAL plain = elastic - damping * c->approach;
    const SCREE_REAL normal = plain > 0 ? plain : constants[SCREE_MINDLIN_PULL] * plain;
    const SCREE_REAL bearing = normal > 0 ? normal : -constants[SCREE_MINDLIN_ABSOLUTE] * normal;

    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const struct scree_friction_spring hold = {constants[SCREE_MINDLIN_SHEAR],
                                               constants[SCREE_MINDLIN_ROOT_SHEAR] * root +
                                                   constants[SCREE_MINDLIN_VISCOUS_SHEAR] * viscous,
                                               constants[SCREE_MINDLIN_FRICTION] * bearing};
    const struct scree_friction friction =
        scree_friction_varying(hold, c, spring, old, radius > 0 ? radius : old, secant);
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
    reply.dashpot = c->step * (elastic - normal) * c->approach + friction.dashpot;
    reply.internal = friction.internal;
    reply.stiffness[0] = (SCREE_REAL)1.5 * constants[SCREE_MINDLIN_NORMAL] * radius;
    reply.stiffness[1] = constants[SCREE_MINDLIN_SHEAR] * radius;
    return reply;
}

// The parameters of hertz-mindlin, which the laws that build on it begin with.
enum scree_mindlin_parameter {
    SCREE_MINDLIN_GIVEN_FRICTION,
    SCREE_MINDLIN_GIVEN_RESTITUTION,
    SCREE_MINDLIN_GIVEN_DAMPING,
    SCREE_MINDLIN_GIVEN_DAMPING_SHEAR,
    SCREE_MINDLIN_GIVEN_STIFFNESS,
    SCREE_MINDLIN_GIVEN_STIFFNESS_SHEAR,
    SCREE_MINDLIN_GIVEN_DASHPOTS,
    SCREE_MINDLIN_GIVEN_TENSION,
    SCREE_MINDLIN_GIVEN_CAP,
    SCREE_MINDLIN_GIVEN
};

// The rows of those parameters and of the history, to be put into a law's tables.
#define SCREE_MINDLIN_PARAMETERS                                                                             \
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},                                     \
        {"restitution",                                                                                      \
         "",                                                                                                 \
         0,                                                                                                  \
         1,                                                                                                  \
         false,                                                                                              \
         SCREE_LAW_NOT_GIVEN,                                                                                \
         "Coefficient of restitution, which the dashpots make independent of velocity.",                     \
         NULL},                                                                                              \
        {"damping-normal",                                                                                   \
         "1/(m s)",                                                                                          \
         0,                                                                                                  \
         SCREE_LAW_ANY,                                                                                      \
         false,                                                                                              \
         SCREE_LAW_NOT_GIVEN,                                                                                \
         "Instead of restitution: a dashpot of this times a m*, along the normal.",                          \
         NULL},                                                                                              \
        {"damping-tangential",                                                                               \
         "1/(m s)",                                                                                          \
         0,                                                                                                  \
         SCREE_LAW_ANY,                                                                                      \
         false,                                                                                              \
         SCREE_LAW_NOT_GIVEN,                                                                                \
         "And across it; the same if left out.",                                                             \
         NULL},                                                                                              \
        {"stiffness",                                                                                        \
         "Pa",                                                                                               \
         1e-150,                                                                                             \
         SCREE_LAW_ANY,                                                                                      \
         false,                                                                                              \
         SCREE_LAW_NOT_GIVEN,                                                                                \
         "Instead of young and poisson: 4/3 E*, force over a times overlap.",                                \
         NULL},                                                                                              \
        {"stiffness-tangential",                                                                             \
         "Pa",                                                                                               \
         0,                                                                                                  \
         SCREE_LAW_ANY,                                                                                      \
         false,                                                                                              \
         SCREE_LAW_NOT_GIVEN,                                                                                \
         "With stiffness: 8 G*, tangential stiffness over a; 2/7 of it if left out.",                        \
         NULL},                                                                                              \
        {"dashpots",                                                                                         \
         "",                                                                                                 \
         0,                                                                                                  \
         1,                                                                                                  \
         false,                                                                                              \
         SCREE_LAW_DASHPOTS_BOTH,                                                                            \
         "The directions that restitution damps.",                                                           \
         scree_law_dashpots},                                                                                \
        {"tension",                                                                                          \
         "",                                                                                                 \
         0,                                                                                                  \
         1,                                                                                                  \
         false,                                                                                              \
         SCREE_LAW_TENSION_ALLOWED,                                                                          \
         "Whether dashpots may pull, until the overlap is gone.",                                            \
         scree_law_tension},                                                                                 \
    {                                                                                                        \
        "cap", "", 0, 1, false, SCREE_LAW_CAP_PRESSING,                                                      \
            "What bears friction: a normal force that presses, or its absolute value.",                      \
            scree_law_limit_choices                                                                          \
    }

#define SCREE_MINDLIN_VALUES                                                                                 \
    {"spring", "m", 3, "Tangential spring."},                                                                \
    {                                                                                                        \
        "contact-radius", "m", 1, "Contact radius that the stiffness of the spring belongs to."              \
    }

// Fills the constants from parameters in that order; returns null or what is wrong.
const char *scree_mindlin_prepare(const struct scree_law_pair *pair, double *constants);

#endif
