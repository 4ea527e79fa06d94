// Linear springs and dashpots with friction: F = k_n d - c_n v_n, and friction.h in the tangential direction
// (Cundall, Strack, Geotechnique 29, 47, 1979; restitution by EQUATIONS 7). This file is the law with given
// stiffnesses; linear_modulus.c is the law with a modulus.
//
// The damping coefficient is c = c_0 + c_1 sqrt(m*) + c_2 m*, of which two terms are zero; a coefficient of
// restitution gives c_1.
//
// With coulomb-limit "absolute" the tangential spring may be loaded when the contact ends: then the contact
// is live without force for one more step, in which the spring slides completely.

#include "law/linear.h"

#include "law/prepare.h"

#include <scree/kernel.h>

const struct scree_law_parameter scree_linear_parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"stiffness", "N/m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN, "Normal stiffness.", NULL},
    {"stiffness-tangential", "N/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Tangential stiffness; default: 2/7 of the normal stiffness.", NULL},
    {"restitution", "", 0, 1, false, SCREE_LAW_NOT_GIVEN,
     "Coefficient of restitution, independent of velocity.", NULL},
    {"damping", "N s/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Normal damping coefficient; use instead of restitution.", NULL},
    {"damping-tangential", "N s/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Tangential damping coefficient, with damping; default: the same as damping.", NULL},
    {"damping-mass", "1/s", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Normal damping coefficient divided by the effective mass m*; use instead of restitution.", NULL},
    {"damping-mass-tangential", "1/s", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Tangential damping coefficient divided by m*, with damping-mass; default: the same as damping-mass.",
     NULL},
    {"dashpots", "", 0, 1, false, SCREE_LAW_DASHPOTS_BOTH, "Directions of the dashpots given by restitution.",
     scree_law_dashpots},
    {"tension", "", 0, 1, false, SCREE_LAW_TENSION_ALLOWED,
     "Whether dashpots may make the normal force attractive during the overlap.", scree_law_tension},
    {"coulomb-limit", "", 0, 1, false, SCREE_LAW_LIMIT_PRESSING,
     "Coulomb limit: friction times the repulsive normal force, or times its absolute value.",
     scree_law_limit_choices},
    {"modulus", "Pa", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Modulus of a rod between the centres with the radius of the smaller side; use instead of stiffness.",
     NULL},
    {"stiffness-ratio", "", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Normal stiffness / tangential stiffness, with modulus; default: 7/2.", NULL},
    {"thickness", "m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Thickness of the disks, with modulus in two dimensions.", NULL},
    {0},
};

const struct scree_law_value scree_linear_values[] = {{"spring", "m", 3, "Tangential spring."}, {0}};

// checks that damping is given by exactly one of three parameters, and sets its constants
static const char *dashpots(const double *given, double *constants)
{
    const double restitution = given[SCREE_LINEAR_GIVEN_RESTITUTION],
                 constant = given[SCREE_LINEAR_GIVEN_DAMPING];
    const double mass = given[SCREE_LINEAR_GIVEN_DAMPING_MASS];
    if (scree_law_given(restitution) + scree_law_given(constant) + scree_law_given(mass) != 1)
        return "give exactly one of 'restitution', 'damping' and 'damping-mass'";
    if (scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_SHEAR]) && !scree_law_given(constant))
        return "'damping-tangential' requires 'damping'";
    if (scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_MASS_SHEAR]) && !scree_law_given(mass))
        return "'damping-mass-tangential' requires 'damping-mass'";
    if (scree_law_given(constant)) {
        constants[SCREE_LINEAR_DAMPING] = constant;
        constants[SCREE_LINEAR_DAMPING_SHEAR] = scree_law_given(given[SCREE_LINEAR_GIVEN_DAMPING_SHEAR])
                                                    ? given[SCREE_LINEAR_GIVEN_DAMPING_SHEAR]
                                                    : constant;
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
        return "give either 'stiffness' or 'modulus'";
    if (!(modulus > 0) && (given[SCREE_LINEAR_GIVEN_RATIO] > 0 || thickness > 0))
        return "'stiffness-ratio' and 'thickness' require 'modulus'";
    if (modulus > 0 && (normal || shear))
        return "give either 'modulus', optionally with 'stiffness-ratio', or stiffnesses, not both";
    if (modulus > 0 && flat && !(thickness > 0))
        return "in two dimensions 'modulus' requires the 'thickness' of the disks";
    return !flat && thickness > 0
               ? "'thickness' is allowed in two dimensions only: it is the thickness of disks"
               : NULL;
}

// Checks the combination of parameters when a rule is added. Parameters from MODULUS on were added to the law
// later: they are 0 if not given, so that rules without them are stored as before.
const char *scree_linear_resolve(double *given, int dimension)
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
    constants[SCREE_LINEAR_ATTRACTION] = 1 - given[SCREE_LINEAR_GIVEN_TENSION];
    constants[SCREE_LINEAR_ABSOLUTE] = given[SCREE_LINEAR_GIVEN_LIMIT];
    const char *wrong = dashpots(given, constants);
    if (wrong || !scree_law_given(given[SCREE_LINEAR_GIVEN_RESTITUTION]))
        return wrong;
    double ratio;
    wrong =
        scree_law_damping(given[SCREE_LINEAR_GIVEN_RESTITUTION], given[SCREE_LINEAR_GIVEN_TENSION], &ratio);
    if (wrong)
        return wrong;
    // c_n = 2 z sqrt(k_n m*); c_t = 2 z sqrt(k_t m_t), with m_t proportional to m*: one root for both
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
                 tangential = given[SCREE_LINEAR_GIVEN_STIFFNESS_SHEAR];
    const double shear = scree_law_given(tangential) ? tangential : 2.0 / 7 * normal;
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
#define SCREE_KERNEL_HAS_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_linear = {
    .version = SCREE_LAW_VERSION,
    .name = "linear",
    .about = "Linear springs and dashpots with friction (Cundall and Strack).",
    .parameters = scree_linear_parameters,
    .values = scree_linear_values,
    .dimensions = 1 << 2 | 1 << 3,
    .depends_on_velocity = true,
    .prepare = prepare,
    .range = scree_law_touch,
    .force = scree_linear_force,
    .kernel = SCREE_KERNEL_TABLE,
};
