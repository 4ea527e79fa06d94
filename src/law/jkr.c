// Adhesive elastic spheres after Johnson, Kendall and Roberts (Proc. R. Soc. A 324, 301, 1971; EQUATIONS 7):
// d = a^2 / R* - sqrt(2 pi w a / E*), F = 4 E* a^3 / (3 R*) - sqrt(8 pi w E* a^3), with the work of adhesion
// w.
//
// A contact begins as the overlap passes 0 and lives, pulled out, to d = -3 a_s^2 / R*, where its radius a_s
// is (pi w R*^2 / (8 E*))^(1/3). In y = sqrt(a / a_s) the law is
//     y^4 - 4 y = R* d / a_s^2,  F = 4/3 E* a_s^3 / R* (y^6 - 6 y^3),
// whose energy is 16/3 E* a_s^5 / R*^2 (y^10 / 10 - y^7 + 3/2 y^4). The zero of the stored energy is at the
// point of separation, so that all of what a cycle of touching and separating loses is booked at first touch.
// Both ends are jumps of the force: there the work that the step has done on them goes to the same account.
//
// Friction: friction.h with k_t = 8 G* a, borne by F + 2 F_pull-off (Thornton, J. Phys. D 24, 1942, 1991),
// with F_pull-off = 3/2 pi w R*. Dashpots as in mindlin.h, with a of this law.

#include "law/friction.h"
#include "law/law.h"
#include "law/prepare.h"
#include "math/elementary.h"

#include <scree/kernel.h>

enum { NORMAL, SHEAR, ADHESION, PULL_OFF, ROOT, ROOT_SHEAR, FRICTION };

enum { GIVEN_FRICTION, GIVEN_RESTITUTION, GIVEN_WORK, GIVEN_DASHPOTS };

enum { RADIUS = 3 };

// energy at separation, y = 1
static const SCREE_REAL separation = (SCREE_REAL)0.6;

static const struct scree_law_parameter parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"restitution", "", 0, 1, true, 0,
     "Coefficient of restitution that the dashpots would give without adhesion.", NULL},
    {"work-of-adhesion", "J/m^2", 1e-150, SCREE_LAW_ANY, true, 0,
     "Energy that it takes to part a unit of area of the two surfaces.", NULL},
    {"dashpots", "", 0, 1, false, SCREE_LAW_DASHPOTS_BOTH, "The directions that restitution damps.",
     scree_law_dashpots},
    {0},
};

static const struct scree_law_value values[] = {
    {"spring", "m", 3, "Tangential spring."},
    {"contact-radius", "m", 1, "Contact radius, 0 of surfaces that have not touched."},
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *given = pair->parameter;
    struct scree_law_moduli moduli;
    double ratio;
    const char *wrong = scree_law_mix(pair, &moduli);
    if (!wrong)
        wrong = scree_law_damping(given[GIVEN_RESTITUTION], SCREE_LAW_TENSION_ALLOWED, &ratio);
    if (wrong)
        return wrong;
    const double work = SCREE_PI * given[GIVEN_WORK];
    constants[NORMAL] = 4.0 / 3 * moduli.normal;
    constants[SHEAR] = 8 * moduli.shear;
    constants[ADHESION] = scree_cbrt(work / (8 * moduli.normal));
    constants[PULL_OFF] = 1.5 * work;
    constants[ROOT] = ratio * sqrt(5 * constants[NORMAL]);
    const double across = 2 * ratio * sqrt(scree_law_tangential_share(pair->dimension) * constants[SHEAR]);
    constants[ROOT_SHEAR] = given[GIVEN_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH ? across : 0;
    constants[FRICTION] = given[GIVEN_FRICTION];
    return NULL;
}

static double range(const double *constants, double radius)
{
    return 3 * constants[ADHESION] * constants[ADHESION] * scree_cbrt(radius);
}

// One of Halley's steps towards the cube root of x.
SCREE_FN double scree_jkr_halley(double root, double x)
{
    const double cube = root * root * root;
    return root * ((cube + 2 * x) / (2 * cube + x));
}

// Cube root of a positive number, without a branch: a third of its bits is a guess good to 5 %, which three
// steps bring to the last place. Loops would not be vector code.
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

// One of Newton's steps towards the root of u^4 + 4 u^3 + 6 u^2 = square.
SCREE_FN SCREE_REAL scree_jkr_newton(SCREE_REAL u, SCREE_REAL square)
{
    const SCREE_REAL slope = 4 * u * (u * (u + 3) + 3);
    const SCREE_REAL value = u * u * (u * (u + 4) + 6) - square;
    return u - value / (slope > 0 ? slope : 1);
}

// y at an overlap of (depth - 1) times that of separation: with y = 1 + u it solves u^4 + 4 u^3 + 6 u^2 =
// 3 depth, from a guess good to 0.033 of u that four steps bring to the last place.
SCREE_FN SCREE_REAL scree_jkr_size(SCREE_REAL depth)
{
    const SCREE_REAL square = 3 * (depth > 0 ? depth : 0);
    const SCREE_REAL root6 = (SCREE_REAL)2.449489742783178098;
    const SCREE_REAL guess = (SCREE_REAL)0.5 * (scree_law_root(6 + 4 * scree_law_root(square)) - root6);
    const SCREE_REAL half_way = scree_jkr_newton(scree_jkr_newton(guess, square), square);
    return 1 + scree_jkr_newton(scree_jkr_newton(half_way, square), square);
}

// force and energy in their units
SCREE_FN SCREE_REAL scree_jkr_pull(SCREE_REAL y)
{
    const SCREE_REAL cube = y * y * y;
    return cube * (cube - 6);
}

SCREE_FN SCREE_REAL scree_jkr_energy(SCREE_REAL y)
{
    const SCREE_REAL cube = y * y * y;
    return y * cube * (cube * ((SCREE_REAL)0.1 * cube - 1) + (SCREE_REAL)1.5) - separation;
}

SCREE_FN struct scree_law_reply scree_jkr_force(const SCREE_REAL *constants,
                                                const struct scree_law_contact *c, const SCREE_REAL *before,
                                                SCREE_REAL *after)
{
    const SCREE_REAL cube = scree_jkr_cube_root(c->radius);
    const SCREE_REAL least = constants[ADHESION] * cube * cube, old = before[RADIUS];
    const SCREE_REAL unit = constants[NORMAL] * least * least * least / c->radius;
    const SCREE_REAL energy = 4 * unit * least * least / c->radius;
    const SCREE_REAL depth = 1 + c->overlap * c->radius / (3 * least * least);
    const SCREE_REAL touched = old > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    // the step in which a contact ends is a live one, of no force, so that its energy finds its way to the
    // books; there is no such step where the state is only looked at
    const SCREE_REAL pulled = depth > 0 ? touched : 0, holds = c->overlap > 0 ? (SCREE_REAL)1 : pulled;
    const SCREE_REAL moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0,
                     jumps = moving * (1 - touched * holds);

    const SCREE_REAL y = scree_jkr_size(depth), radius = holds * least * y * y;
    const SCREE_REAL y_old = scree_law_root(old / least);
    const SCREE_REAL root = holds * scree_law_root(radius * c->mass);
    const SCREE_REAL elastic = holds * unit * scree_jkr_pull(y),
                     stored = holds * energy * scree_jkr_energy(y);
    const SCREE_REAL elastic_old = touched * unit * scree_jkr_pull(y_old);
    const SCREE_REAL stored_old = touched * energy * scree_jkr_energy(y_old);
    const SCREE_REAL resist = constants[ROOT] * root * c->approach;
    const SCREE_REAL pressing = elastic - resist + 2 * constants[PULL_OFF] * c->radius;

    // at the end the spring slips all its way under the stiffness it had
    const struct scree_law_vector spring = {before[0], before[1], before[2]};
    const struct scree_friction_spring hold = {constants[SHEAR], constants[ROOT_SHEAR] * root,
                                               holds * constants[FRICTION] * (pressing > 0 ? pressing : 0)};
    const struct scree_friction friction =
        scree_friction_varying(hold, c, spring, old, holds > 0 ? radius : old, false);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;
    after[RADIUS] = radius;

    struct scree_law_reply reply;
    const SCREE_REAL work = (SCREE_REAL)-0.5 * c->step * c->approach * (elastic + elastic_old);
    reply.live = holds > 0 ? 1 : moving * touched;
    reply.normal = elastic - resist;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = stored + friction.stored;
    reply.friction = friction.lost;
    reply.sliding = friction.sliding;
    reply.dashpot = c->step * resist * c->approach + friction.dashpot;
    reply.internal = jumps * (work + stored_old - stored);
    // no less than the tangent, which softens without bound towards separation
    reply.stiffness[0] = (SCREE_REAL)1.5 * constants[NORMAL] * radius;
    reply.stiffness[1] = constants[SHEAR] * radius;
    return reply;
}

#define SCREE_KERNEL_FORCE scree_jkr_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_LOSES 1
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_jkr = {
    .version = SCREE_LAW_VERSION,
    .name = "jkr",
    .about = "Adhesive elastic spheres with friction, after Johnson, Kendall and Roberts.",
    .parameters = parameters,
    .properties = scree_law_elastic,
    .values = values,
    .dimensions = 1 << 3,
    .loses = true,
    .damps = true,
    .prepare = prepare,
    .range = range,
    .force = scree_jkr_force,
    .kernel = SCREE_KERNEL_TABLE,
};
