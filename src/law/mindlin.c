// Constants of the laws based on Hertz and Mindlin, see mindlin.h.

#include "law/mindlin.h"

#include "law/prepare.h"

const struct scree_law_value scree_mindlin_values[] = {
    {"spring", "m", 3, "Tangential spring."},
    {"contact-radius", "m", 1, "Contact radius of the spring stiffness."},
    {0},
};

static const char *stiffness(const struct scree_law_pair *pair, double *constants)
{
    const double normal = pair->parameter[SCREE_MINDLIN_GIVEN_STIFFNESS];
    const double shear = pair->parameter[SCREE_MINDLIN_GIVEN_STIFFNESS_SHEAR];
    struct scree_law_moduli moduli;
    if (scree_law_given(normal)) {
        constants[SCREE_MINDLIN_NORMAL] = normal;
        constants[SCREE_MINDLIN_SHEAR] = scree_law_given(shear) ? shear : 2.0 / 7 * normal;
        return NULL;
    }
    if (scree_law_given(shear))
        return "'stiffness-tangential' requires 'stiffness'; give neither to use 'young' and 'poisson'";
    const char *wrong = scree_law_mix(pair, &moduli);
    if (wrong)
        return wrong;
    constants[SCREE_MINDLIN_NORMAL] = 4.0 / 3 * moduli.normal;
    constants[SCREE_MINDLIN_SHEAR] = 8 * moduli.shear;
    return NULL;
}

static const char *dashpots(const struct scree_law_pair *pair, double *constants)
{
    const double *given = pair->parameter;
    const double restitution = given[SCREE_MINDLIN_GIVEN_RESTITUTION];
    const double normal = given[SCREE_MINDLIN_GIVEN_DAMPING];
    const double shear = given[SCREE_MINDLIN_GIVEN_DAMPING_SHEAR];
    if (scree_law_given(normal)) {
        if (scree_law_given(restitution))
            return "give either 'restitution' or 'damping-normal', not both";
        constants[SCREE_MINDLIN_VISCOUS] = normal;
        constants[SCREE_MINDLIN_VISCOUS_SHEAR] = scree_law_given(shear) ? shear : normal;
        return NULL;
    }
    if (scree_law_given(shear))
        return "'damping-tangential' requires 'damping-normal'";
    if (!scree_law_given(restitution))
        return "give either 'restitution' or 'damping-normal'";
    double ratio;
    const char *wrong = scree_law_damping(restitution, given[SCREE_MINDLIN_GIVEN_TENSION], &ratio);
    if (wrong)
        return wrong;
    // c_n = 2 sqrt(5/6) z sqrt(S_n m*) with the tangent stiffness S_n = 2 E* a; c_t = 2 z sqrt(k_t m_t) with
    // m_t proportional to m*: one root for both
    constants[SCREE_MINDLIN_ROOT] = ratio * sqrt(5 * constants[SCREE_MINDLIN_NORMAL]);
    if (given[SCREE_MINDLIN_GIVEN_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH)
        constants[SCREE_MINDLIN_ROOT_SHEAR] =
            2 * ratio * sqrt(scree_law_tangential_share(pair->dimension) * constants[SCREE_MINDLIN_SHEAR]);
    return NULL;
}

const char *scree_mindlin_prepare(const struct scree_law_pair *pair, double *constants)
{
    for (int k = 0; k < SCREE_MINDLIN_CONSTANTS; ++k)
        constants[k] = 0;
    constants[SCREE_MINDLIN_FRICTION] = pair->parameter[SCREE_MINDLIN_GIVEN_FRICTION];
    constants[SCREE_MINDLIN_ATTRACTION] = 1 - pair->parameter[SCREE_MINDLIN_GIVEN_TENSION];
    constants[SCREE_MINDLIN_ABSOLUTE] = pair->parameter[SCREE_MINDLIN_GIVEN_LIMIT];
    const char *wrong = stiffness(pair, constants);
    return wrong ? wrong : dashpots(pair, constants);
}
