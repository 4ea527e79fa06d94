// Hard spheres with the restitution of viscoelastic ones (Kuwabara, Kono, Jpn. J. Appl. Phys. 26, 1230
// (1987); Brilliantov, Spahn, Hertzsch, Poeschel, Phys. Rev. E 53, 5382 (1996)): the contact force
//
//     F = rho (d^{3/2} + 3/2 A sqrt(d) d'),   rho = 4/3 E* sqrt(R*),   never attractive,
//
// with a dissipation time A of the materials. In units of the collision the restitution e depends on one
// number, w^2 = 3/2 A (rho / m*)^{2/5} v^{1/5} (Ramirez, Poeschel, Brilliantov, Schwager, Phys. Rev. E 60,
// 4465 (1999)): e = 1 - 1.15345 w^2 + ..., if the contact ends when the force vanishes, before the overlap
// does (Schwager, Poeschel, Phys. Rev. E 78, 051304 (2008)). The Pade approximation of their series (Mueller,
// Poeschel, Phys. Rev. E 84, 021302 (2011)) is up to 0.0085 too large, near e = 0.2. Here e = 1 / (1 + w^2
// f(w)) with a rational f, fitted to numerical integrations of the law for w up to 21, e down to 5e-5: its
// relative error is 1.5e-6, so those of e and 1 - e are too. The first coefficient is exact. All coefficients
// are positive, so that 0 < e <= 1 for any speed.

#include "law/hard.h"
#include "law/prepare.h"
#include "math/elementary.h"

// 4/3 E*, and 3/2 A
enum { STIFFNESS = SCREE_HARD_SHARED, TIME };
enum { PARAMETER_TIME, PARAMETER_STIFFNESS, PARAMETER_SHARED };

static const struct scree_law_parameter parameters[] = {
    {"dissipation-time", "s", 0, SCREE_LAW_ANY, true, 0,
     "Dissipation time A of the force 4/3 E* sqrt(R*) (d^(3/2) + 3/2 A sqrt(d) d') with the overlap d.",
     NULL},
    {"stiffness", "Pa", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Contact stiffness 4/3 E*: F = stiffness sqrt(R* overlap) overlap. Use instead of young and poisson.",
     NULL},
#include "law/hard.def"
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    constants[TIME] = 1.5 * pair->parameter[PARAMETER_TIME];
    constants[STIFFNESS] = pair->parameter[PARAMETER_STIFFNESS];
    if (!scree_law_is_given(constants[STIFFNESS])) {
        struct scree_law_moduli moduli;
        const char *message = scree_law_effective_moduli(pair, &moduli);
        if (message)
            return message;
        constants[STIFFNESS] = 4.0 / 3 * moduli.normal;
    }
    return scree_hard_prepare(pair->parameter + PARAMETER_SHARED, constants);
}

// (4/5)^{2/5} B(3/5, 3/2) + ..., by powers of w
static const double top[] = {1.1534488580952886,  1.2113858941228146,  1.202610664583939,
                             0.5296557115169938,  0.25074614676110185, 0.033287415342525155,
                             0.000623348237154645};
static const double bottom[] = {1,
                                1.0501530605367482,
                                0.5823939360847485,
                                0.20041060772618266,
                                0.014970658476099187,
                                0.00011258279402368323,
                                0};

static struct scree_law_coefficients collision(const double *constants, const struct scree_law_impact *impact)
{
    const double rate = constants[STIFFNESS] * sqrt(impact->radius * impact->speed) / impact->mass;
    const double square = constants[TIME] * scree_pow(rate, 0.4), w = sqrt(square);
    double above = 0, below = 0;
    for (int k = sizeof top / sizeof top[0] - 1; k >= 0; --k) {
        above = above * w + top[k];
        below = below * w + bottom[k];
    }
    return scree_hard_coefficients(constants, below / (below + square * above));
}

const struct scree_contact_law scree_law_hard_viscoelastic = {
    .version = SCREE_LAW_VERSION,
    .name = "hard-viscoelastic",
    .about = "For the event engine: restitution of viscoelastic spheres, falling with the closing speed "
             "(Kuwabara and Kono; Ramirez and others).",
    .parameters = parameters,
    .properties = scree_law_elastic_properties,
    .dimensions = 1 << 3,
    .prepare = prepare,
    .collision = collision,
};
