// Linear springs and dashpots with friction: F = k_n d - c_n v_n, and friction.h across the normal (Cundall,
// Strack, Geotechnique 29, 47, 1979; restitution by EQUATIONS 7).
//
// A dashpot is a coefficient by itself, or goes with sqrt(m*), which is what a restitution asks for, or with
// m*: c = c_0 + c_1 sqrt(m*) + c_2 m*, of which two are zero.
//
// Where attraction bears friction a spring may be loaded as its contact ends: the step that ends it is a live
// one, of no force, in which the spring slips all its way.

#include "law/friction.h"
#include "law/law.h"
#include "law/prepare.h"

#include <scree/kernel.h>

enum {
    NORMAL,
    SHEAR,
    FRICTION,
    PULL,
    ABSOLUTE,
    PLAIN,
    ROOT,
    MASS,
    PLAIN_SHEAR,
    ROOT_SHEAR,
    MASS_SHEAR,
    CONSTANTS
};

enum {
    GIVEN_FRICTION,
    GIVEN_STIFFNESS,
    GIVEN_STIFFNESS_SHEAR,
    GIVEN_RESTITUTION,
    GIVEN_DAMPING,
    GIVEN_DAMPING_SHEAR,
    GIVEN_DAMPING_MASS,
    GIVEN_DAMPING_MASS_SHEAR,
    GIVEN_DASHPOTS,
    GIVEN_TENSION,
    GIVEN_CAP
};

static const struct scree_law_parameter parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"stiffness", "N/m", 1e-150, SCREE_LAW_ANY, true, 0, "Stiffness along the normal.", NULL},
    {"stiffness-tangential", "N/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Stiffness across the normal; 2/7 of that along it if left out.", NULL},
    {"restitution", "", 0, 1, false, SCREE_LAW_NOT_GIVEN, "Coefficient of restitution, of any velocity.",
     NULL},
    {"damping", "N s/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Instead of restitution: the dashpot along the normal.", NULL},
    {"damping-tangential", "N s/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "With damping: the dashpot across the normal; the same if left out.", NULL},
    {"damping-mass", "1/s", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Instead of restitution: the dashpot along the normal is this times m*.", NULL},
    {"damping-mass-tangential", "1/s", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "With damping-mass: the same across the normal; equal if left out.", NULL},
    {"dashpots", "", 0, 1, false, SCREE_LAW_DASHPOTS_BOTH, "The directions that restitution damps.",
     scree_law_dashpots},
    {"tension", "", 0, 1, false, SCREE_LAW_TENSION_ALLOWED,
     "Whether dashpots may pull, until the overlap is gone.", scree_law_tension},
    {"cap", "", 0, 1, false, SCREE_LAW_CAP_PRESSING,
     "What bears friction: a normal force that presses, or its absolute value.", scree_law_cap},
    {0},
};

static const struct scree_law_value values[] = {{"spring", "m", 3, "Tangential spring."}, {0}};

// exactly one of three ways to say how much is damped
static const char *dashpots(const double *given, double *constants)
{
    const double restitution = given[GIVEN_RESTITUTION], plain = given[GIVEN_DAMPING];
    const double mass = given[GIVEN_DAMPING_MASS];
    if (scree_law_given(restitution) + scree_law_given(plain) + scree_law_given(mass) != 1)
        return "give one of 'restitution', 'damping' and 'damping-mass'";
    if (scree_law_given(given[GIVEN_DAMPING_SHEAR]) && !scree_law_given(plain))
        return "'damping-tangential' goes with 'damping'";
    if (scree_law_given(given[GIVEN_DAMPING_MASS_SHEAR]) && !scree_law_given(mass))
        return "'damping-mass-tangential' goes with 'damping-mass'";
    if (scree_law_given(plain)) {
        constants[PLAIN] = plain;
        constants[PLAIN_SHEAR] =
            scree_law_given(given[GIVEN_DAMPING_SHEAR]) ? given[GIVEN_DAMPING_SHEAR] : plain;
    } else if (scree_law_given(mass)) {
        constants[MASS] = mass;
        constants[MASS_SHEAR] =
            scree_law_given(given[GIVEN_DAMPING_MASS_SHEAR]) ? given[GIVEN_DAMPING_MASS_SHEAR] : mass;
    }
    return NULL;
}

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *given = pair->parameter;
    for (int k = 0; k < CONSTANTS; ++k)
        constants[k] = 0;
    constants[NORMAL] = given[GIVEN_STIFFNESS];
    constants[SHEAR] = scree_law_given(given[GIVEN_STIFFNESS_SHEAR]) ? given[GIVEN_STIFFNESS_SHEAR]
                                                                     : 2.0 / 7 * given[GIVEN_STIFFNESS];
    constants[FRICTION] = given[GIVEN_FRICTION];
    constants[PULL] = 1 - given[GIVEN_TENSION];
    constants[ABSOLUTE] = given[GIVEN_CAP];
    const char *wrong = dashpots(given, constants);
    if (wrong || !scree_law_given(given[GIVEN_RESTITUTION]))
        return wrong;
    double ratio;
    wrong = scree_law_damping(given[GIVEN_RESTITUTION], given[GIVEN_TENSION], &ratio);
    if (wrong)
        return wrong;
    // c_n = 2 z sqrt(k_n m*); c_t = 2 z sqrt(k_t m_t), with m_t a share of m*, so that one root serves both
    const double share = scree_law_tangential_share(pair->dimension);
    constants[ROOT] = 2 * ratio * sqrt(constants[NORMAL]);
    if (given[GIVEN_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH)
        constants[ROOT_SHEAR] = 2 * ratio * sqrt(share * constants[SHEAR]);
    return NULL;
}

SCREE_FN struct scree_law_reply scree_linear_force(const SCREE_REAL *constants,
                                                   const struct scree_law_contact *c,
                                                   const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL touches = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL root = scree_law_root(c->mass), elastic = constants[NORMAL] * touches * c->overlap;
    const SCREE_REAL damping = constants[PLAIN] + constants[ROOT] * root + constants[MASS] * c->mass;
    const SCREE_REAL plain = elastic - touches * damping * c->approach;
    const SCREE_REAL normal = plain > 0 ? plain : constants[PULL] * plain;
    const SCREE_REAL bearing = normal > 0 ? normal : -constants[ABSOLUTE] * normal;

    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const struct scree_friction_hold hold = {constants[SHEAR],
                                             constants[PLAIN_SHEAR] + constants[ROOT_SHEAR] * root +
                                                 constants[MASS_SHEAR] * c->mass,
                                             constants[FRICTION] * bearing};
    const struct scree_friction friction = scree_friction_fixed(hold, c, spring);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;

    struct scree_law_reply reply;
    const SCREE_REAL loaded = scree_law_dot(spring, spring) > 0 ? constants[ABSOLUTE] : 0;
    reply.live = touches > 0 ? 1 : moving * loaded;
    reply.normal = normal;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = (SCREE_REAL)0.5 * elastic * c->overlap + friction.stored;
    reply.friction = friction.lost;
    reply.dashpot = c->step * (elastic - normal) * c->approach + friction.dashpot;
    reply.inner = 0;
    reply.stiffness[0] = constants[NORMAL];
    reply.stiffness[1] = constants[SHEAR];
    return reply;
}

#define SCREE_KERNEL_FORCE scree_linear_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_LOSES 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_linear = {
    .version = SCREE_LAW_VERSION,
    .name = "linear",
    .about = "Linear springs and dashpots with friction, after Cundall and Strack.",
    .parameters = parameters,
    .values = values,
    .dimensions = 1 << 2 | 1 << 3,
    .damps = true,
    .prepare = prepare,
    .reach = scree_law_touch,
    .force = scree_linear_force,
    .kernel = SCREE_KERNEL_TABLE,
};
