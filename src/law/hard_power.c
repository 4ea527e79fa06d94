// Hard bodies whose restitution falls with a power of the closing speed v up to a speed v_0, and is constant
// above it:
//
//     e = 1 - (1 - e_0) (v / v_0)^p for v < v_0, else e_0
//
// (Bizon, Shattuck, Swift, McCormick, Swinney, Phys. Rev. Lett. 80, 57 (1998), with p = 3/4, who find with it
// the patterns of a vibrated layer). Slow collisions are nearly elastic, so groups of bodies do not collapse.

#include "law/hard.h"
#include "law/prepare.h"
#include "math/elementary.h"

enum { LOSS = SCREE_HARD_SHARED, INVERSE_SPEED, EXPONENT };
enum { PARAMETER_RESTITUTION, PARAMETER_SPEED, PARAMETER_EXPONENT, PARAMETER_SHARED };

static const struct scree_law_parameter parameters[] = {
    {"restitution", "", 0, 1, true, 0, "Coefficient of normal restitution at 'speed' and above.", NULL},
    {"speed", "m/s", 1e-150, SCREE_LAW_ANY, true, 0,
     "Closing speed below which the restitution rises to 1: e = 1 - (1 - restitution) (v / speed)^exponent.",
     NULL},
    {"exponent", "", 1e-3, 1e3, true, 0,
     "Exponent of the closing speed; 3/4 gives the patterns of vibrated layers, 1/5 is that of viscoelastic "
     "spheres at low speed.",
     NULL},
#include "law/hard.def"
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    constants[LOSS] = 1 - pair->parameter[PARAMETER_RESTITUTION];
    constants[INVERSE_SPEED] = 1 / pair->parameter[PARAMETER_SPEED];
    constants[EXPONENT] = pair->parameter[PARAMETER_EXPONENT];
    return scree_hard_prepare(pair->parameter + PARAMETER_SHARED, constants);
}

static struct scree_law_coefficients collision(const double *constants, const struct scree_law_impact *impact)
{
    const double ratio = impact->speed * constants[INVERSE_SPEED];
    const double share = ratio < 1 ? scree_pow(ratio, constants[EXPONENT]) : 1;
    return scree_hard_coefficients(constants, 1 - constants[LOSS] * share);
}

const struct scree_contact_law scree_law_hard_power = {
    .version = SCREE_LAW_VERSION,
    .name = "hard-power",
    .about = "For the event engine: restitution falls with a power of the closing speed to a constant (Bizon "
             "and others).",
    .parameters = parameters,
    .dimensions = 1 << 2 | 1 << 3,
    .prepare = prepare,
    .collision = collision,
};
