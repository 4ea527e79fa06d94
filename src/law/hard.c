// Hard bodies with constant restitution (EQUATIONS 6; Walton, "Numerical simulation of inelastic, frictional
// particle-particle interactions", in Particulate Two-Phase Flow, 1993): the relative velocity at the contact
// point changes from q to q' with q'_n = -e q_n, and q'_t = -xi q_t where friction suffices, else the
// tangential impulse is mu times the normal one. The rule itself is in impulse.h.

#include "law/hard.h"

#include "law/prepare.h"

enum { RESTITUTION = SCREE_HARD_SHARED };
enum { PARAMETER_RESTITUTION, PARAMETER_SHARED };

static const struct scree_law_parameter parameters[] = {
    {"restitution", "", 0, 1, true, 0, "Coefficient of normal restitution, independent of velocity.", NULL},
#include "law/hard.def"
    {0},
};

const char *scree_hard_prepare(const double *parameter, double *constants)
{
    const double friction = parameter[SCREE_HARD_FRICTION], tangential = parameter[SCREE_HARD_TANGENTIAL];
    if (friction > 0 && !scree_law_is_given(tangential))
        return "'friction' above 0 needs 'tangential-restitution' too: from -1, smooth, over 0, the contact "
               "points stop, to 1, their velocity is reversed; measured values are 0.3 to 0.5";
    constants[SCREE_HARD_FRICTION] = friction;
    constants[SCREE_HARD_TANGENTIAL] = scree_law_is_given(tangential) ? tangential : -1;
    return NULL;
}

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    constants[RESTITUTION] = pair->parameter[PARAMETER_RESTITUTION];
    return scree_hard_prepare(pair->parameter + PARAMETER_SHARED, constants);
}

static struct scree_law_coefficients collision(const double *constants, const struct scree_law_impact *impact)
{
    (void)impact;
    return scree_hard_coefficients(constants, constants[RESTITUTION]);
}

const struct scree_contact_law scree_law_hard = {
    .version = SCREE_LAW_VERSION,
    .name = "hard",
    .about = "For the event engine: hard bodies with constant restitution (Walton).",
    .parameters = parameters,
    .dimensions = 1 << 2 | 1 << 3,
    .prepare = prepare,
    .collision = collision,
};
