// The linear law with stiffnesses from a modulus and the radii, as in the deformability method of PFC: a
// contact is a rod of modulus E from centre to centre with the radius of the smaller grain,
//
//     k_n = E A / L, k_t = k_n / ratio, A = pi r^2 (disks 2 r t), r = min(R_1, R_2), L = R_1 + R_2,
//
// and r = L = R at a wall. So the modulus of a packing is proportional to E and independent of grain size.
//
// The input of a law contains R* = R_1 R_2 / L and the difference of the arms D = R_1 - R_2, which does not
// depend on the overlap; L solves L^2 - 4 R* L = D^2. The arm of a wall is 0.

#include "law/linear.h"
#include "law/prepare.h"
#include "math/real.h"

#include <scree/kernel.h>

static const double default_ratio = 3.5;

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *parameter = pair->parameter;
    const bool flat = pair->dimension == 2;
    const double modulus = parameter[SCREE_LINEAR_PARAMETER_MODULUS],
                 thickness = parameter[SCREE_LINEAR_PARAMETER_THICKNESS];
    const double ratio =
        parameter[SCREE_LINEAR_PARAMETER_RATIO] > 0 ? parameter[SCREE_LINEAR_PARAMETER_RATIO] : default_ratio;
    const char *message = scree_linear_check(parameter, pair->dimension);
    if (!message)
        message = scree_linear_prepare(pair, 1, 1 / ratio, constants);
    constants[SCREE_LINEAR_NORMAL] = flat ? 2 * modulus * thickness : SCREE_PI * modulus;
    constants[SCREE_LINEAR_TANGENTIAL] = 1 / ratio;
    constants[SCREE_LINEAR_SPHERES] = flat ? 0 : 1;
    constants[SCREE_LINEAR_DISKS] = flat ? 1 : 0;
    return message;
}

SCREE_FN struct scree_law_reply scree_linear_modulus_force(const SCREE_REAL *constants,
                                                           const struct scree_law_contact *c,
                                                           const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL difference = c->arm[0] - c->arm[1], absolute = difference > 0 ? difference : -difference;
    const SCREE_REAL radius_sum =
        2 * c->radius + scree_law_root(4 * c->radius * c->radius + difference * difference);
    // an arm of 0 is a wall, or a pair that overlaps by more than twice its effective radius
    const SCREE_REAL shallow = c->overlap > 2 * c->radius ? 0 : 1, wall = c->arm[1] == 0 ? shallow : 0;
    const SCREE_REAL length = wall > 0 ? c->radius : radius_sum;
    const SCREE_REAL smaller_radius = wall > 0 ? c->radius : (SCREE_REAL)0.5 * (radius_sum - absolute);
    const SCREE_REAL area =
        smaller_radius * (constants[SCREE_LINEAR_SPHERES] * smaller_radius + constants[SCREE_LINEAR_DISKS]);
    const SCREE_REAL stiffness = constants[SCREE_LINEAR_NORMAL] * area / length;
    return scree_linear_reply(constants, c, before, after, stiffness,
                              constants[SCREE_LINEAR_TANGENTIAL] * stiffness,
                              scree_law_root(stiffness * c->mass));
}

#define SCREE_KERNEL_FORCE scree_linear_modulus_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_linear_modulus = {
    .version = SCREE_LAW_VERSION,
    .name = "linear",
    .about = "Linear springs and dashpots with friction, with stiffnesses from a modulus.",
    .parameters = scree_linear_parameters,
    .values = scree_linear_values,
    .dimensions = 1 << 2 | 1 << 3,
    .depends_on_velocity = true,
    .prepare = prepare,
    .range = scree_law_zero_range,
    .powers = scree_law_linear_powers,
    .force = scree_linear_modulus_force,
    .kernel = SCREE_KERNEL_TABLE,
};
