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
    const double normal = pair->parameter[SCREE_MINDLIN_PARAMETER_STIFFNESS];
    const double tangential = pair->parameter[SCREE_MINDLIN_PARAMETER_STIFFNESS_TANGENTIAL];
    struct scree_law_moduli moduli;
    if (scree_law_is_given(normal)) {
        constants[SCREE_MINDLIN_NORMAL] = normal;
        constants[SCREE_MINDLIN_TANGENTIAL] = scree_law_is_given(tangential) ? tangential : 2.0 / 7 * normal;
        return NULL;
    }
    if (scree_law_is_given(tangential))
        return "'stiffness-tangential' requires 'stiffness'; give neither to use 'young' and 'poisson'";
    const char *message = scree_law_effective_moduli(pair, &moduli);
    if (message)
        return message;
    constants[SCREE_MINDLIN_NORMAL] = 4.0 / 3 * moduli.normal;
    constants[SCREE_MINDLIN_TANGENTIAL] = 8 * moduli.shear;
    return NULL;
}

static const char *dashpots(const struct scree_law_pair *pair, double *constants)
{
    const double *parameter = pair->parameter;
    const double restitution = parameter[SCREE_MINDLIN_PARAMETER_RESTITUTION];
    const double normal = parameter[SCREE_MINDLIN_PARAMETER_DAMPING];
    const double tangential = parameter[SCREE_MINDLIN_PARAMETER_DAMPING_TANGENTIAL];
    if (scree_law_is_given(normal)) {
        if (scree_law_is_given(restitution))
            return "give either 'restitution' or 'damping-normal', not both";
        constants[SCREE_MINDLIN_DAMPING_VISCOUS] = normal;
        constants[SCREE_MINDLIN_DAMPING_VISCOUS_TANGENTIAL] =
            scree_law_is_given(tangential) ? tangential : normal;
        return NULL;
    }
    if (scree_law_is_given(tangential))
        return "'damping-tangential' requires 'damping-normal'";
    if (!scree_law_is_given(restitution))
        return "give either 'restitution' or 'damping-normal'";
    double ratio;
    const char *message =
        scree_law_damping_ratio(restitution, parameter[SCREE_MINDLIN_PARAMETER_TENSION], &ratio);
    if (message)
        return message;
    // c_n = 2 sqrt(5/6) z sqrt(S_n m*) with the tangent stiffness S_n = 2 E* a, and c_t = 2 z sqrt(k_t m_t);
    // m_t is proportional to m*, so both need sqrt(a m*) only
    constants[SCREE_MINDLIN_DAMPING_ROOT] = ratio * sqrt(5 * constants[SCREE_MINDLIN_NORMAL]);
    if (parameter[SCREE_MINDLIN_PARAMETER_DASHPOTS] == SCREE_LAW_DASHPOTS_BOTH)
        constants[SCREE_MINDLIN_DAMPING_ROOT_TANGENTIAL] =
            2 * ratio *
            sqrt(scree_law_tangential_share(pair->dimension) * constants[SCREE_MINDLIN_TANGENTIAL]);
    return NULL;
}

const char *scree_mindlin_prepare(const struct scree_law_pair *pair, double *constants)
{
    for (int k = 0; k < SCREE_MINDLIN_CONSTANTS; ++k)
        constants[k] = 0;
    constants[SCREE_MINDLIN_FRICTION] = pair->parameter[SCREE_MINDLIN_PARAMETER_FRICTION];
    constants[SCREE_MINDLIN_ATTRACTION] = 1 - pair->parameter[SCREE_MINDLIN_PARAMETER_TENSION];
    constants[SCREE_MINDLIN_ABSOLUTE_LIMIT] = pair->parameter[SCREE_MINDLIN_PARAMETER_LIMIT];
    const char *message = stiffness(pair, constants);
    return message ? message : dashpots(pair, constants);
}

struct scree_law_powers scree_mindlin_powers(const double *constants)
{
    return (struct scree_law_powers){1.5, constants[SCREE_MINDLIN_DAMPING_VISCOUS] > 0 ? 0.5 : 0.25};
}
