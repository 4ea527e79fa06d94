// Helpers of the tests of mass properties: random numbers and rotations, comparison within bounds, refusals.

#ifndef SCREE_TESTS_UNIT_MASS_H
#define SCREE_TESTS_UNIT_MASS_H

#include "math/quat.h"
#include "support/splitmix.h"
#include "support/starve.h"

#include <scree/shape.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static inline double draw(uint64_t *seed, double low, double high)
{
    return low + (high - low) * 0.5 * (1 + splitmix_signed(seed));
}

static inline struct scree_quat draw_rotation(uint64_t *seed, int dimension)
{
    const double x = dimension == 2 ? 0 : splitmix_signed(seed),
                 y = dimension == 2 ? 0 : splitmix_signed(seed);
    return scree_quat_normalise(scree_quat_make(splitmix_signed(seed), x, y, splitmix_signed(seed)));
}

// The difference of an exact result from a reference must be below the stated bounds, which must be below
// `limit`: `size` is the length over which the body extends, `slack` the round-off of the reference over that
// of one double.
static inline void assert_equal_within(const struct scree_shape_mass *mass,
                                       const struct scree_shape_values *reference, double size, double slack,
                                       double limit)
{
    const double eps = slack * 0x1p-53;
    assert_true(fabs(mass->value.volume - reference->volume) <=
                mass->error.volume + eps * fabs(reference->volume));
    assert_true(mass->error.volume <= limit * reference->volume);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(mass->value.centre[k] - reference->centre[k]) <= mass->error.centre[k] + eps * size);
        assert_true(mass->error.centre[k] <= limit * size);
    }
    for (int k = 0; k < 6; ++k) {
        assert_true(fabs(mass->value.inertia[k] - reference->inertia[k]) <=
                    mass->error.inertia[k] + eps * size * size);
        assert_true(mass->error.inertia[k] <= limit * size * size);
    }
}

static inline struct scree_shape_values rotated(const struct scree_shape_values *values,
                                                struct scree_quat rotation)
{
    const struct scree_mat3 r = scree_quat_to_matrix(rotation);
    const double *i = values->inertia;
    const struct scree_mat3 tensor =
        scree_mat3_from_rows(scree_vec3_make(i[0], i[5], i[4]), scree_vec3_make(i[5], i[1], i[3]),
                             scree_vec3_make(i[4], i[3], i[2]));
    const struct scree_mat3 t = scree_mat3_rotate(r, tensor);
    struct scree_shape_values out = {.volume = values->volume,
                                     .inertia = {t.xx, t.yy, t.zz, t.yz, t.zx, t.xy}};
    scree_vec3_store(scree_quat_rotate(rotation, scree_vec3_load(values->centre)), out.centre);
    return out;
}

static inline void assert_refused(scree_status status, const char *message)
{
    assert_int_equal(status, SCREE_ERROR_ARGUMENT);
    if (!strstr(scree_status_message(), message))
        fail_msg("'%s' does not contain '%s'", scree_status_message(), message);
}

#endif
