// Adhesive elastic spheres after Johnson, Kendall and Roberts (Proc. R. Soc. A 324, 301, 1971; EQUATIONS 7):
// d = a^2 / R* - sqrt(2 pi w a / E*), F = 4 E* a^3 / (3 R*) - sqrt(8 pi w E* a^3), w = work of adhesion.
//
// A contact begins at overlap 0 and ends under tension at d = -3 a_s^2 / R*, where the contact radius is a_s
// = (pi w R*^2 / (8 E*))^(1/3). With y = sqrt(a / a_s) the law is
//     y^4 - 4 y = R* d / a_s^2,  F = 4/3 E* a_s^3 / R* (y^6 - 6 y^3),
// with the energy 16/3 E* a_s^5 / R*^2 (y^10 / 10 - y^7 + 3/2 y^4) minus its value at separation. So the loss
// of a cycle of contact and separation is internal dissipation at the beginning of the contact. The force
// jumps at the beginning and at the end; the work in the step of a jump is internal dissipation too.
//
// Friction: friction.h with k_t = 8 G* a and the Coulomb limit mu (F + 2 F_pull-off) (Thornton, J. Phys. D
// 24, 1942, 1991), F_pull-off = 3/2 pi w R*. Dashpots as in mindlin.h, with the contact radius a of this law.

#include "law/friction.h"
#include "law/law.h"
#include "law/prepare.h"
#include "math/elementary.h"

#include <scree/kernel.h>

// constants: 4/3 E*, 8 G*, a_s / R*^(2/3), F_pull-off / R*, damping coefficients / sqrt(a m*), friction
enum { NORMAL, TANGENTIAL, ADHESION, PULL_OFF, DAMPING_ROOT, DAMPING_ROOT_TANGENTIAL, FRICTION };

enum { PARAMETER_FRICTION, PARAMETER_RESTITUTION, PARAMETER_WORK, PARAMETER_DASHPOTS };

enum { RADIUS = 3 };

// energy at separation, y = 1, in the unit of scree_jkr_reduced_energy
static const SCREE_REAL separation = (SCREE_REAL)0.6;

static const struct scree_law_parameter parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"restitution", "", 0, 1, true, 0, "Coefficient of restitution without adhesion.", NULL},
    {"work-of-adhesion", "J/m^2", 1e-150, SCREE_LAW_ANY, true, 0,
     "Work of adhesion: energy per unit area to separate the two surfaces.", NULL},
    {"dashpots", "", 0, 1, false, SCREE_LAW_DASHPOTS_BOTH, "Directions of the dashpots given by restitution.",
     scree_law_dashpot_choices},
    {0},
};

static const struct scree_law_value values[] = {
    {"spring", "m", 3, "Tangential spring."},
    {"contact-radius", "m", 1, "Contact radius, 0 before the first contact."},
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *parameter = pair->parameter;
    struct scree_law_moduli moduli;
    double ratio;
    const char *message = scree_law_effective_moduli(pair, &moduli);
    if (!message)
        message =
            scree_law_damping_ratio(parameter[PARAMETER_RESTITUTION], SCREE_LAW_TENSION_ALLOWED, &ratio);
    if (message)
        return message;
    const double pi_work = SCREE_PI * parameter[PARAMETER_WORK];
    constants[NORMAL] = 4.0 / 3 * moduli.normal;
    constants[TANGENTIAL] = 8 * moduli.shear;
    constants[ADHESION] = scree_cbrt(pi_work / (8 * moduli.normal));
    constants[PULL_OFF] = 1.5 * pi_work;
    constants[DAMPING_ROOT] = ratio * sqrt(5 * constants[NORMAL]);
    const double tangential_root =
        2 * ratio * sqrt(scree_law_tangential_share(pair->dimension) * constants[TANGENTIAL]);
    constants[DAMPING_ROOT_TANGENTIAL] =
        parameter[PARAMETER_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH ? tangential_root : 0;
    constants[FRICTION] = parameter[PARAMETER_FRICTION];
    return NULL;
}

static double range(const double *constants, double radius)
{
    return 3 * constants[ADHESION] * constants[ADHESION] * scree_cbrt(radius);
}

// One Halley step for the cube root of x.
SCREE_FN double scree_jkr_halley(double root, double x)
{
    const double cube = root * root * root;
    return root * ((cube + 2 * x) / (2 * cube + x));
}

// Cube root of a positive number without branches: one third of its bits, as an integer, is a guess with an
// error of 5 %; three steps reach full precision. A loop would prevent vectorisation.
SCREE_FN SCREE_REAL scree_jkr_cube_root(SCREE_REAL number)
{
    const double x = (double)number;
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    // 5/16 (1 + 2^-4) (1 + 2^-8) ... = 1/3
    bits = (bits >> 2) + (bits >> 4);
    bits += bits >> 4;
    bits += bits >> 8;
    bits += bits >> 16;
    bits += bits >> 32;
    bits += (uint64_t)715094163 << 32;
    double guess;
    __builtin_memcpy(&guess, &bits, sizeof guess);
    return (SCREE_REAL)scree_jkr_halley(scree_jkr_halley(scree_jkr_halley(guess, x), x), x);
}

// One Newton step for u^4 + 4 u^3 + 6 u^2 = square.
SCREE_FN SCREE_REAL scree_jkr_newton(SCREE_REAL u, SCREE_REAL square)
{
    const SCREE_REAL slope = 4 * u * (u * (u + 3) + 3);
    const SCREE_REAL value = u * u * (u * (u + 4) + 6) - square;
    return u - value / (slope > 0 ? slope : 1);
}

// y for `depth` = 1 + overlap / gap at separation: y = 1 + u solves u^4 + 4 u^3 + 6 u^2 = 3 depth. The
// relative error of the guess is 0.033; four steps reach full precision.
SCREE_FN SCREE_REAL scree_jkr_size(SCREE_REAL depth)
{
    const SCREE_REAL square = 3 * (depth > 0 ? depth : 0);
    const SCREE_REAL root6 = (SCREE_REAL)2.449489742783178098;
    const SCREE_REAL guess = (SCREE_REAL)0.5 * (scree_law_root(6 + 4 * scree_law_root(square)) - root6);
    const SCREE_REAL refined = scree_jkr_newton(scree_jkr_newton(guess, square), square);
    return 1 + scree_jkr_newton(scree_jkr_newton(refined, square), square);
}

// dimensionless force and energy
SCREE_FN SCREE_REAL scree_jkr_reduced_force(SCREE_REAL y)
{
    const SCREE_REAL cube = y * y * y;
    return cube * (cube - 6);
}

SCREE_FN SCREE_REAL scree_jkr_reduced_energy(SCREE_REAL y)
{
    const SCREE_REAL cube = y * y * y;
    return y * cube * (cube * ((SCREE_REAL)0.1 * cube - 1) + (SCREE_REAL)1.5) - separation;
}

SCREE_FN struct scree_law_reply scree_jkr_force(const SCREE_REAL *constants,
                                                const struct scree_law_contact *c, const SCREE_REAL *before,
                                                SCREE_REAL *after)
{
    const SCREE_REAL cube = scree_jkr_cube_root(c->radius);
    const SCREE_REAL separation_radius = constants[ADHESION] * cube * cube, old = before[RADIUS];
    const SCREE_REAL unit =
        constants[NORMAL] * separation_radius * separation_radius * separation_radius / c->radius;
    const SCREE_REAL energy = 4 * unit * separation_radius * separation_radius / c->radius;
    const SCREE_REAL depth = 1 + c->overlap * c->radius / (3 * separation_radius * separation_radius);
    const SCREE_REAL existed = old > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    // in its last step a contact is live without force, so that its energy is entered in the ledger; not in
    // an evaluation with step 0
    const SCREE_REAL tension = depth > 0 ? existed : 0, exists = c->overlap > 0 ? (SCREE_REAL)1 : tension;
    const SCREE_REAL moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0,
                     jumps = moving * (1 - existed * exists);

    const SCREE_REAL y = scree_jkr_size(depth), radius = exists * separation_radius * y * y;
    const SCREE_REAL y_old = scree_law_root(old / separation_radius);
    const SCREE_REAL root = exists * scree_law_root(radius * c->mass);
    const SCREE_REAL elastic = exists * unit * scree_jkr_reduced_force(y),
                     stored = exists * energy * scree_jkr_reduced_energy(y);
    const SCREE_REAL elastic_old = existed * unit * scree_jkr_reduced_force(y_old);
    const SCREE_REAL stored_old = existed * energy * scree_jkr_reduced_energy(y_old);
    const SCREE_REAL viscous = constants[DAMPING_ROOT] * root * c->normal_velocity;
    const SCREE_REAL limit_normal = elastic - viscous + 2 * constants[PULL_OFF] * c->radius;

    // in the last step the spring slides completely, with its last stiffness
    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const struct scree_friction_spring tangential = {
        constants[TANGENTIAL], constants[DAMPING_ROOT_TANGENTIAL] * (root * (1 + c->tangential_extra)),
        exists * constants[FRICTION] * (limit_normal > 0 ? limit_normal : 0)};
    const struct scree_friction friction =
        scree_friction_varying(tangential, c, spring, old, exists > 0 ? radius : old, false);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;
    after[RADIUS] = radius;

    struct scree_law_reply reply;
    const SCREE_REAL work = (SCREE_REAL)-0.5 * c->step * c->normal_velocity * (elastic + elastic_old);
    reply.live = exists > 0 ? 1 : moving * existed;
    reply.normal = elastic - viscous;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = stored + friction.stored;
    reply.friction = friction.lost;
    reply.sliding = friction.sliding;
    reply.dashpot = c->step * viscous * c->normal_velocity + friction.dashpot;
    reply.internal = jumps * (work + stored_old - stored);
    // an upper bound of the tangent stiffness, whose exact value tends to minus infinity at separation
    reply.stiffness[0] = (SCREE_REAL)1.5 * constants[NORMAL] * radius;
    reply.stiffness[1] = constants[TANGENTIAL] * radius;
    return reply;
}

#define SCREE_KERNEL_FORCE scree_jkr_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 1
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_jkr = {
    .version = SCREE_LAW_VERSION,
    .name = "jkr",
    .about = "Adhesive elastic spheres with friction (Johnson, Kendall and Roberts).",
    .parameters = parameters,
    .properties = scree_law_elastic_properties,
    .values = values,
    .dimensions = 1 << 3,
    .couple_or_internal = true,
    .depends_on_velocity = true,
    .prepare = prepare,
    .range = range,
    .force = scree_jkr_force,
    .kernel = SCREE_KERNEL_TABLE,
};
