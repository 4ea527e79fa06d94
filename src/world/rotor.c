// Reading inertia and orientation of a general rigid body, see rotor.h.

#include "world/rotor.h"

#include "math/eigen.h"
#include "math/quat.h"
#include "world/check.h"

#include <string.h>

// Moments of inertia of a real body satisfy the triangle inequality, here up to round-off.
static scree_status check_inertia(const double *inertia)
{
    for (int k = 0; k < 3; ++k)
        SCREE_TRY(scree_check_positive("moment of inertia", inertia[k]));
    for (int k = 0; k < 3; ++k) {
        const double others = inertia[(k + 1) % 3] + inertia[(k + 2) % 3];
        if (inertia[k] > others * (1 + 1e-12))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the moments of inertia %g, %g, %g are not possible: each must be at "
                                     "most the sum of the other two",
                                     inertia[0], inertia[1], inertia[2]);
    }
    return SCREE_OK;
}

static scree_status diagonalise(const struct scree_rigid_def *def, struct scree_rotor *rotor)
{
    const double *t = def->tensor;
    SCREE_TRY(scree_check_numbers("inertia tensor", t, 6));
    const struct scree_mat3 tensor =
        scree_mat3_from_rows(scree_vec3_make(t[0], t[5], t[4]), scree_vec3_make(t[5], t[1], t[3]),
                             scree_vec3_make(t[4], t[3], t[2]));
    const struct scree_eigen eigen = scree_eigen_symmetric(tensor);
    scree_vec3_store(eigen.values, rotor->inertia);
    scree_quat_store(scree_quat_normalise(scree_quat_from_matrix(eigen.vectors)), rotor->orientation);
    return SCREE_OK;
}

scree_status scree_rotor_orientation(const double *from, double *to)
{
    SCREE_TRY(scree_check_numbers("orientation", from, 4));
    const struct scree_quat q = scree_quat_load(from);
    const double square = scree_quat_norm_squared(q);
    if (!(square > 1e-200 && square < 1e200))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "an orientation must be a unit quaternion, scalar first; got (%g, %g, %g, %g)", from[0], from[1],
            from[2], from[3]);
    // a quaternion that is normalised to round-off is copied exactly
    scree_quat_store(fabs(square - 1) < 1e-15 ? q : scree_quat_normalise(q), to);
    return SCREE_OK;
}

static bool is_given(const double *v, int count)
{
    for (int k = 0; k < count; ++k)
        if (v[k] != 0)
            return true;
    return false;
}

scree_status scree_rotor_read(const struct scree_world *world, const struct scree_rigid_def *def,
                              struct scree_rotor *rotor)
{
    const bool inertia = is_given(def->inertia, 3), tensor = is_given(def->tensor, 6),
               oriented = is_given(def->orientation, 4);
    rotor->orientation[0] = 1;
    if (world->dimension == 2) {
        if (inertia || tensor || def->orientation[1] != 0 || def->orientation[2] != 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "in two dimensions a rigid body has only a polar moment of inertia, and "
                                     "its orientation is a rotation about z");
        if (oriented)
            SCREE_TRY(scree_rotor_orientation(def->orientation, rotor->orientation));
        rotor->inertia[2] = def->polar;
        return scree_check_positive("polar moment of inertia", def->polar);
    }
    if (inertia == tensor || def->polar != 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a rigid body needs either its principal moments of inertia or its "
                                 "inertia tensor, not both, and no polar moment");
    if (tensor && oriented)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "an inertia tensor in world axes determines the orientation: give no orientation");
    if (tensor)
        SCREE_TRY(diagonalise(def, rotor));
    else
        memcpy(rotor->inertia, def->inertia, sizeof rotor->inertia);
    if (oriented)
        SCREE_TRY(scree_rotor_orientation(def->orientation, rotor->orientation));
    return check_inertia(rotor->inertia);
}
