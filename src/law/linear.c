// Linear springs and dashpots with friction: F = k_n d - c_n v_n, and friction.h across the normal (Cundall,
// Strack, Geotechnique 29, 47, 1979; restitution by EQUATIONS 7). This is the law with stiffnesses that are
// given; with a modulus in their place it goes on in linear_modulus.c.
//
// A dashpot is a coefficient by itself, or goes with sqrt(m*), which is what a restitution asks for, or with
// m*: c = c_0 + c_1 sqrt(m*) + c_2 m*, of which two are zero.
//
// Where attraction bears friction a spring may be loaded as its contact ends: the step that ends it is a live
// one, of no force, in which the spring slips all its way.

#include "law/linear.h"

#include "law/prepare.h"

#include <scree/kernel.h>

const struct scree_law_parameter scree_linear_parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"stiffness", "N/m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN, "Stiffness along the normal.",
     NULL},
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
     "What bears friction: a normal force that presses, or its absolute value.", scree_law_limit_choices},
    {"modulus", "Pa", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Instead of stiffness: that of a rod between the centres, as thick as the smaller side.", NULL},
    {"stiffness-ratio", "", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "With modulus: stiffness along the normal over that across it; 7/2 if left out.", NULL},
    {"thickness", "m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "With modulus, in two dimensions: that of the disks.", NULL},
    {0},
};

const struct scree_law_value scree_linear_values[] = {{"spring", "m", 3, "Tangential spring."}, {0}};

// exactly one of three ways to say how much is damped
static const char *dashpots(const double *given, double *constants)
{
    const double restitution = given[SCREE_LINEAR_GIVEN_RESTITUTION],
                 plain = given[SCREE_LINEAR_GIVEN_DAMPING];
    const double mass = given[SCREE_LINEAR_GIVEN_DAMPING_MASS];
    if (scree_law_given(restitution) + scree_law_given(plain) + scree_law_given(mass) != 1)
        return "give one of 'restitution', 'damping' and 'damping-mass'";
    if (scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_SHEAR]) && !scree_law_given(plain))
        return "'damping-tangential' goes with 'damping'";
    if (scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_MASS_SHEAR]) && !scree_law_given(mass))
        return "'damping-mass-tangential' goes with 'damping-mass'";
    if (scree_law_given(plain)) {
        constants[SCREE_LINEAR_PLAIN] = plain;
        constants[SCREE_LINEAR_PLAIN_SHEAR] = scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_SHEAR])
                                                  ? given[SCREE_LINEAR_GIVEN_DAMPING_SHEAR]
                                                  : plain;
    } else if (scree_law_given(mass)) {
        constants[SCREE_LINEAR_MASS] = mass;
        constants[SCREE_LINEAR_MASS_SHEAR] = scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_MASS_SHEAR])
                                                 ? given[SCREE_LINEAR_GIVEN_DAMPING_MASS_SHEAR]
                                                 : mass;
    }
    return NULL;
}

const char *scree_linear_check(const double *given, int dimension)
{
    const bool flat = dimension == 2;
    const double modulus = given[SCREE_LINEAR_GIVEN_MODULUS], thickness = given[SCREE_LINEAR_GIVEN_THICKNESS];
    const bool normal = scree_law_given(given[SCREE_LINEAR_GIVEN_STIFFNESS]);
    const bool shear = scree_law_given(given[SCREE_LINEAR_GIVEN_STIFFNESS_SHEAR]);
    if (!(modulus > 0) && !normal)
        return "give one of 'stiffness' and 'modulus'";
    if (!(modulus > 0) && (given[SCREE_LINEAR_GIVEN_RATIO] > 0 || thickness > 0))
        return "'stiffness-ratio' and 'thickness' go with 'modulus'";
    if (modulus > 0 && (normal || shear))
        return "give either 'modulus', and 'stiffness-ratio' if you like, or stiffnesses, not both";
    if (modulus > 0 && flat && !(thickness > 0))
        return "in two dimensions 'modulus' needs the 'thickness' of the disks";
    return !flat && thickness > 0 ? "'thickness' is that of disks, in two dimensions" : NULL;
}

// One parameter or another is required, which a rule can tell before anything touches. Parameters that came
// to the law later are 0 where they are not given, so that rules without them are stored as before.
const char *scree_linear_settle(double *given, int dimension)
{
    for (int p = SCREE_LINEAR_GIVEN_MODULUS; p <= SCREE_LINEAR_GIVEN_THICKNESS; ++p)
        given[p] = given[p] > 0 ? given[p] : 0;
    return scree_linear_check(given, dimension);
}

const struct scree_contact_law *scree_linear_variant(const double *given)
{
    return given[SCREE_LINEAR_GIVEN_MODULUS] > 0 ? &scree_law_linear_modulus : &scree_law_linear;
}

const char *scree_linear_prepare(const struct scree_law_pair *pair, double unit, double unit_shear,
                                 double *constants)
{
    const double *given = pair->parameter;
    for (int k = 0; k < SCREE_LINEAR_CONSTANTS; ++k)
        constants[k] = 0;
    constants[SCREE_LINEAR_FRICTION] = given[SCREE_LINEAR_GIVEN_FRICTION];
    constants[SCREE_LINEAR_PULL] = 1 - given[SCREE_LINEAR_GIVEN_TENSION];
    constants[SCREE_LINEAR_ABSOLUTE] = given[SCREE_LINEAR_GIVEN_CAP];
    const char *wrong = dashpots(given, constants);
    if (wrong || !scree_law_given(given[SCREE_LINEAR_GIVEN_RESTITUTION]))
        return wrong;
    double ratio;
    wrong =
        scree_law_damping(given[SCREE_LINEAR_GIVEN_RESTITUTION], given[SCREE_LINEAR_GIVEN_TENSION], &ratio);
    if (wrong)
        return wrong;
    // c_n = 2 z sqrt(k_n m*); c_t = 2 z sqrt(k_t m_t), with m_t a share of m*, so that one root serves both
    const double share = scree_law_tangential_share(pair->dimension);
    constants[SCREE_LINEAR_ROOT] = 2 * ratio * sqrt(unit);
    if (given[SCREE_LINEAR_GIVEN_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH)
        constants[SCREE_LINEAR_ROOT_SHEAR] = 2 * ratio * sqrt(share * unit_shear);
    return NULL;
}

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *given = pair->parameter;
    const double normal = given[SCREE_LINEAR_GIVEN_STIFFNESS],
                 across = given[SCREE_LINEAR_GIVEN_STIFFNESS_SHEAR];
    const double shear = scree_law_given(across) ? across : 2.0 / 7 * normal;
    const char *wrong = scree_linear_check(given, pair->dimension);
    if (!wrong)
        wrong = scree_linear_prepare(pair, normal, shear, constants);
    constants[SCREE_LINEAR_NORMAL] = normal;
    constants[SCREE_LINEAR_SHEAR] = shear;
    return wrong;
}

SCREE_FN struct scree_law_reply scree_linear_force(const SCREE_REAL *constants,
                                                   const struct scree_law_contact *c,
                                                   const SCREE_REAL *before, SCREE_REAL *after)
{
    return scree_linear_reply(constants, c, before, after, constants[SCREE_LINEAR_NORMAL],
                              constants[SCREE_LINEAR_SHEAR], scree_law_root(c->mass));
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
    .parameters = scree_linear_parameters,
    .values = scree_linear_values,
    .dimensions = 1 << 2 | 1 << 3,
    .damps = true,
    .prepare = prepare,
    .range = scree_law_touch,
    .force = scree_linear_force,
    .kernel = SCREE_KERNEL_TABLE,
};
