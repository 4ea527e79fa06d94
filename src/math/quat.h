// Rotations as unit quaternions, from body axes to world axes: Hamilton product, scalar first.
//
// A rotation vector t in world axes changes q to exp(t) q, one in body axes to q exp(t). q and -q are the
// same rotation. Products of unit quaternions lose unit length by round-off only; normalise after every
// update of stored state.
#ifndef SCREE_MATH_QUAT_H
#define SCREE_MATH_QUAT_H

#include "math/mat3.h"
#include "math/trigonometry.h"

struct scree_quat {
    double w, x, y, z;
};

SCREE_FN struct scree_quat scree_quat_make(double w, double x, double y, double z)
{
    struct scree_quat q = {w, x, y, z};
    return q;
}

// conversion from and to the arrays of four doubles in records
SCREE_FN struct scree_quat scree_quat_load(const double *q)
{
    return scree_quat_make(q[0], q[1], q[2], q[3]);
}

SCREE_FN void scree_quat_store(struct scree_quat q, double *out)
{
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}

SCREE_FN struct scree_vec3 scree_quat_vector(struct scree_quat q)
{
    return scree_vec3_make(q.x, q.y, q.z);
}

SCREE_FN struct scree_quat scree_quat_product(struct scree_quat p, struct scree_quat q)
{
    return scree_quat_make(
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w);
}

SCREE_FN struct scree_quat scree_quat_conjugate(struct scree_quat q)
{
    return scree_quat_make(q.w, -q.x, -q.y, -q.z);
}

SCREE_FN struct scree_quat scree_quat_scale(struct scree_quat q, double s)
{
    return scree_quat_make(q.w * s, q.x * s, q.y * s, q.z * s);
}

// p + s q
SCREE_FN struct scree_quat scree_quat_add_scaled(struct scree_quat p, double s, struct scree_quat q)
{
    return scree_quat_make(p.w + s * q.w, p.x + s * q.x, p.y + s * q.y, p.z + s * q.z);
}

SCREE_FN double scree_quat_norm_squared(struct scree_quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

SCREE_FN struct scree_quat scree_quat_normalise(struct scree_quat q)
{
    return scree_quat_scale(q, 1.0 / sqrt(scree_quat_norm_squared(q)));
}

// q v q*: body to world
SCREE_FN struct scree_vec3 scree_quat_rotate(struct scree_quat q, struct scree_vec3 v)
{
    struct scree_vec3 u = scree_quat_vector(q);
    struct scree_vec3 t = scree_vec3_scale(scree_vec3_cross(u, v), 2.0);
    return scree_vec3_add(scree_vec3_add_scaled(v, q.w, t), scree_vec3_cross(u, t));
}

// q* v q: world to body
SCREE_FN struct scree_vec3 scree_quat_rotate_inverse(struct scree_quat q, struct scree_vec3 v)
{
    return scree_quat_rotate(scree_quat_conjugate(q), v);
}

// rotation matrix: its columns are the body axes in world axes
SCREE_FN struct scree_mat3 scree_quat_to_matrix(struct scree_quat q)
{
    struct scree_mat3 m = {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z),
                           2.0 * (q.x * q.z + q.w * q.y),       2.0 * (q.x * q.y + q.w * q.z),
                           1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x),
                           2.0 * (q.x * q.z - q.w * q.y),       2.0 * (q.y * q.z + q.w * q.x),
                           1.0 - 2.0 * (q.x * q.x + q.y * q.y)};
    return m;
}

// from a rotation matrix (Shepperd, J. Guidance and Control 1, 223, 1978): the component of largest magnitude
// is computed from the diagonal and used as the divisor, so nothing cancels
SCREE_FN struct scree_quat scree_quat_from_matrix(struct scree_mat3 m)
{
    struct scree_quat q;
    double trace = scree_mat3_trace(m);
    if (trace >= m.xx && trace >= m.yy && trace >= m.zz) {
        q = scree_quat_make(1.0 + trace, m.zy - m.yz, m.xz - m.zx, m.yx - m.xy);
    } else if (m.xx >= m.yy && m.xx >= m.zz) {
        q = scree_quat_make(m.zy - m.yz, 1.0 + m.xx - m.yy - m.zz, m.xy + m.yx, m.xz + m.zx);
    } else if (m.yy >= m.zz) {
        q = scree_quat_make(m.xz - m.zx, m.xy + m.yx, 1.0 + m.yy - m.zz - m.xx, m.yz + m.zy);
    } else {
        q = scree_quat_make(m.yx - m.xy, m.xz + m.zx, m.yz + m.zy, 1.0 + m.zz - m.xx - m.yy);
    }
    return scree_quat_normalise(q);
}

// exp of a rotation vector of length at most pi/2: cos(|t|/2) and sin(|t|/2) / |t| are polynomials in t^2,
// without root, division or branch, so loops over it vectorise
SCREE_FN struct scree_quat scree_quat_exp_small(struct scree_vec3 t)
{
    double z = 0.25 * scree_vec3_norm_squared(t);
    double c = 1.0 - z * (0.5 - z * scree_trigonometry_cos_series(z));
    double s = 0.5 + 0.5 * (z * scree_trigonometry_sin_series(z));
    return scree_quat_make(c, s * t.x, s * t.y, s * t.z);
}

// exp of any rotation vector
SCREE_FN struct scree_quat scree_quat_exp(struct scree_vec3 t)
{
    double square = scree_vec3_norm_squared(t);
    if (square <= SCREE_HALF_PI * SCREE_HALF_PI) {
        return scree_quat_exp_small(t);
    }
    double angle = sqrt(square);
    struct scree_sincos half = scree_sincos(0.5 * angle);
    double s = half.sin / angle;
    return scree_quat_make(half.cos, s * t.x, s * t.y, s * t.z);
}

#endif
