// Linear springs and dashpots with friction: F = k_n d - c_n v_n, and friction.h in the tangential direction
// (Cundall, Strack, Geotechnique 29, 47, 1979; restitution by EQUATIONS 7). This file is the law with given
// stiffnesses; linear_modulus.c is the law with a modulus.
//
// The damping coefficient is c = c_0 + c_1 sqrt(m*) + c_2 m*, of which two terms are zero; a coefficient of
// restitution gives c_1.
//
// With coulomb-limit "absolute" the tangential spring may be loaded when the contact ends. Then the contact
// is live without force for one more step, in which the spring slides to zero.

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
     scree_law_dashpot_choices},
    {"tension", "", 0, 1, false, SCREE_LAW_TENSION_ALLOWED,
     "Whether dashpots may make the normal force attractive during the overlap.", scree_law_tension_choices},
    {"coulomb-limit", "", 0, 1, false, SCREE_LAW_LIMIT_PRESSING,
     "Coulomb limit: friction times the repulsive normal force, or times its absolute value.",
     scree_law_limit_choices},
    {"modulus", "Pa", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Modulus of a rod between the centres with the radius of the smaller grain; use instead of stiffness.",
     NULL},
    {"stiffness-ratio", "", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Normal stiffness / tangential stiffness, with modulus; default: 7/2.", NULL},
    {"thickness", "m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Thickness of the disks, with modulus in two dimensions.", NULL},
    {0},
};

const struct scree_law_value scree_linear_values[] = {{"spring", "m", 3, "Tangential spring."}, {0}};

// checks that exactly one of three parameters gives the damping, and sets its constants
static const char *dashpots(const double *parameter, double *constants)
{
    const double restitution = parameter[SCREE_LINEAR_PARAMETER_RESTITUTION],
                 constant = parameter[SCREE_LINEAR_PARAMETER_DAMPING];
    const double mass = parameter[SCREE_LINEAR_PARAMETER_DAMPING_MASS];
    if (scree_law_is_given(restitution) + scree_law_is_given(constant) + scree_law_is_given(mass) != 1)
        return "give exactly one of 'restitution', 'damping' and 'damping-mass'";
    if (scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_DAMPING_TANGENTIAL]) &&
        !scree_law_is_given(constant))
        return "'damping-tangential' requires 'damping'";
    if (scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_DAMPING_MASS_TANGENTIAL]) &&
        !scree_law_is_given(mass))
        return "'damping-mass-tangential' requires 'damping-mass'";
    if (scree_law_is_given(constant)) {
        constants[SCREE_LINEAR_DAMPING] = constant;
        constants[SCREE_LINEAR_DAMPING_TANGENTIAL] =
            scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_DAMPING_TANGENTIAL])
                ? parameter[SCREE_LINEAR_PARAMETER_DAMPING_TANGENTIAL]
                : constant;
    } else if (scree_law_is_given(mass)) {
        constants[SCREE_LINEAR_DAMPING_MASS] = mass;
        constants[SCREE_LINEAR_DAMPING_MASS_TANGENTIAL] =
            scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_DAMPING_MASS_TANGENTIAL])
                ? parameter[SCREE_LINEAR_PARAMETER_DAMPING_MASS_TANGENTIAL]
                : mass;
    }
    return NULL;
}

const char *scree_linear_check(const double *parameter, int dimension)
{
    const bool flat = dimension == 2;
    const double modulus = parameter[SCREE_LINEAR_PARAMETER_MODULUS],
                 thickness = parameter[SCREE_LINEAR_PARAMETER_THICKNESS];
    const bool normal = scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_STIFFNESS]);
    const bool tangential = scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_STIFFNESS_TANGENTIAL]);
    if (!(modulus > 0) && !normal)
        return "give either 'stiffness' or 'modulus'";
    if (!(modulus > 0) && (parameter[SCREE_LINEAR_PARAMETER_RATIO] > 0 || thickness > 0))
        return "'stiffness-ratio' and 'thickness' require 'modulus'";
    if (modulus > 0 && (normal || tangential))
        return "give either 'modulus', optionally with 'stiffness-ratio', or stiffnesses, not both";
    if (modulus > 0 && flat && !(thickness > 0))
        return "in two dimensions 'modulus' requires the 'thickness' of the disks";
    return !flat && thickness > 0
               ? "'thickness' is allowed in two dimensions only: it is the thickness of disks"
               : NULL;
}

// Checks the combination of parameters when a rule is added. The parameters from MODULUS on are 0 if not
// given, as in files that were written before these parameters existed.
const char *scree_linear_resolve(double *parameter, int dimension)
{
    for (int p = SCREE_LINEAR_PARAMETER_MODULUS; p <= SCREE_LINEAR_PARAMETER_THICKNESS; ++p)
        parameter[p] = parameter[p] > 0 ? parameter[p] : 0;
    return scree_linear_check(parameter, dimension);
}

const struct scree_contact_law *scree_linear_variant(const double *parameter)
{
    return parameter[SCREE_LINEAR_PARAMETER_MODULUS] > 0 ? &scree_law_linear_modulus : &scree_law_linear;
}

const char *scree_linear_prepare(const struct scree_law_pair *pair, double normal_stiffness,
                                 double tangential_stiffness, double *constants)
{
    const double *parameter = pair->parameter;
    for (int k = 0; k < SCREE_LINEAR_CONSTANTS; ++k)
        constants[k] = 0;
    constants[SCREE_LINEAR_FRICTION] = parameter[SCREE_LINEAR_PARAMETER_FRICTION];
    constants[SCREE_LINEAR_ATTRACTION] = 1 - parameter[SCREE_LINEAR_PARAMETER_TENSION];
    constants[SCREE_LINEAR_ABSOLUTE_LIMIT] = parameter[SCREE_LINEAR_PARAMETER_LIMIT];
    const char *message = dashpots(parameter, constants);
    if (message || !scree_law_is_given(parameter[SCREE_LINEAR_PARAMETER_RESTITUTION]))
        return message;
    double ratio;
    message = scree_law_damping_ratio(parameter[SCREE_LINEAR_PARAMETER_RESTITUTION],
                                      parameter[SCREE_LINEAR_PARAMETER_TENSION], &ratio);
    if (message)
        return message;
    // c_n = 2 z sqrt(k_n m*) and c_t = 2 z sqrt(k_t m_t); m_t of spheres is proportional to m*, so that both
    // need sqrt(m*) only; of other bodies see `tangential_extra` in law.h
    const double share = scree_law_tangential_share(pair->dimension);
    constants[SCREE_LINEAR_DAMPING_ROOT] = 2 * ratio * sqrt(normal_stiffness);
    if (parameter[SCREE_LINEAR_PARAMETER_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH)
        constants[SCREE_LINEAR_DAMPING_ROOT_TANGENTIAL] = 2 * ratio * sqrt(share * tangential_stiffness);
    return NULL;
}

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *parameter = pair->parameter;
    const double normal = parameter[SCREE_LINEAR_PARAMETER_STIFFNESS],
                 given_tangential = parameter[SCREE_LINEAR_PARAMETER_STIFFNESS_TANGENTIAL];
    const double tangential = scree_law_is_given(given_tangential) ? given_tangential : 2.0 / 7 * normal;
    const char *message = scree_linear_check(parameter, pair->dimension);
    if (!message)
        message = scree_linear_prepare(pair, normal, tangential, constants);
    constants[SCREE_LINEAR_NORMAL] = normal;
    constants[SCREE_LINEAR_TANGENTIAL] = tangential;
    return message;
}

SCREE_FN struct scree_law_reply scree_linear_force(const SCREE_REAL *constants,
                                                   const struct scree_law_contact *c,
                                                   const SCREE_REAL *before, SCREE_REAL *after)
{
    return scree_linear_reply(constants, c, before, after, constants[SCREE_LINEAR_NORMAL],
                              constants[SCREE_LINEAR_TANGENTIAL], scree_law_root(c->mass));
}

#define SCREE_KERNEL_FORCE scree_linear_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_linear = {
    .version = SCREE_LAW_VERSION,
    .name = "linear",
    .about = "Linear springs and dashpots with friction (Cundall and Strack).",
    .parameters = scree_linear_parameters,
    .values = scree_linear_values,
    .dimensions = 1 << 2 | 1 << 3,
    .depends_on_velocity = true,
    .outside = SCREE_LAW_OUTSIDE_VALID,
    .prepare = prepare,
    .range = scree_law_zero_range,
    .powers = scree_law_linear_powers,
    .force = scree_linear_force,
    .kernel = SCREE_KERNEL_TABLE,
};
