// 3 x 3 matrices of doubles, by rows, passed by value. Also used for second-order tensors: in a velocity
// gradient D, D.xy is the derivative of the x-velocity along y.
#ifndef SCREE_MATH_MAT3_H
#define SCREE_MATH_MAT3_H

#include "math/vec3.h"

struct scree_mat3 {
    double xx, xy, xz;
    double yx, yy, yz;
    double zx, zy, zz;
};

SCREE_FN struct scree_mat3 scree_mat3_from_rows(struct scree_vec3 x, struct scree_vec3 y, struct scree_vec3 z)
{
    struct scree_mat3 m = {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
    return m;
}

SCREE_FN struct scree_mat3 scree_mat3_from_columns(struct scree_vec3 x, struct scree_vec3 y,
                                                   struct scree_vec3 z)
{
    struct scree_mat3 m = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    return m;
}

SCREE_FN struct scree_mat3 scree_mat3_diagonal(struct scree_vec3 d)
{
    struct scree_mat3 m = {d.x, 0.0, 0.0, 0.0, d.y, 0.0, 0.0, 0.0, d.z};
    return m;
}

SCREE_FN struct scree_mat3 scree_mat3_identity(void)
{
    return scree_mat3_diagonal(scree_vec3_make(1.0, 1.0, 1.0));
}

SCREE_FN struct scree_vec3 scree_mat3_row_x(struct scree_mat3 a)
{
    return scree_vec3_make(a.xx, a.xy, a.xz);
}

SCREE_FN struct scree_vec3 scree_mat3_row_y(struct scree_mat3 a)
{
    return scree_vec3_make(a.yx, a.yy, a.yz);
}

SCREE_FN struct scree_vec3 scree_mat3_row_z(struct scree_mat3 a)
{
    return scree_vec3_make(a.zx, a.zy, a.zz);
}

SCREE_FN struct scree_mat3 scree_mat3_transpose(struct scree_mat3 a)
{
    struct scree_mat3 m = {a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz};
    return m;
}

// a + s b
SCREE_FN struct scree_mat3 scree_mat3_add_scaled(struct scree_mat3 a, double s, struct scree_mat3 b)
{
    struct scree_mat3 m = {a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                           a.yx + s * b.yx, a.yy + s * b.yy, a.yz + s * b.yz,
                           a.zx + s * b.zx, a.zy + s * b.zy, a.zz + s * b.zz};
    return m;
}

SCREE_FN struct scree_mat3 scree_mat3_sub(struct scree_mat3 a, struct scree_mat3 b)
{
    return scree_mat3_add_scaled(a, -1.0, b);
}

SCREE_FN struct scree_mat3 scree_mat3_scale(struct scree_mat3 a, double s)
{
    struct scree_mat3 m = {a.xx * s, a.xy * s, a.xz * s, a.yx * s, a.yy * s,
                           a.yz * s, a.zx * s, a.zy * s, a.zz * s};
    return m;
}

// a v
SCREE_FN struct scree_vec3 scree_mat3_apply(struct scree_mat3 a, struct scree_vec3 v)
{
    return scree_vec3_make(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.yx * v.x + a.yy * v.y + a.yz * v.z,
                           a.zx * v.x + a.zy * v.y + a.zz * v.z);
}

// a^T v
SCREE_FN struct scree_vec3 scree_mat3_apply_transposed(struct scree_mat3 a, struct scree_vec3 v)
{
    return scree_vec3_make(a.xx * v.x + a.yx * v.y + a.zx * v.z, a.xy * v.x + a.yy * v.y + a.zy * v.z,
                           a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

SCREE_FN struct scree_mat3 scree_mat3_product(struct scree_mat3 a, struct scree_mat3 b)
{
    return scree_mat3_from_rows(scree_mat3_apply_transposed(b, scree_mat3_row_x(a)),
                                scree_mat3_apply_transposed(b, scree_mat3_row_y(a)),
                                scree_mat3_apply_transposed(b, scree_mat3_row_z(a)));
}

SCREE_FN double scree_mat3_trace(struct scree_mat3 a)
{
    return a.xx + a.yy + a.zz;
}

// the symmetric part (a + a^T) / 2
SCREE_FN struct scree_mat3 scree_mat3_symmetric(struct scree_mat3 a)
{
    double xy = 0.5 * (a.xy + a.yx);
    double xz = 0.5 * (a.xz + a.zx);
    double yz = 0.5 * (a.yz + a.zy);
    struct scree_mat3 m = {a.xx, xy, xz, xy, a.yy, yz, xz, yz, a.zz};
    return m;
}

// transforms a tensor from body axes to world axes: r a r^T
SCREE_FN struct scree_mat3 scree_mat3_rotate(struct scree_mat3 r, struct scree_mat3 a)
{
    return scree_mat3_product(scree_mat3_product(r, a), scree_mat3_transpose(r));
}

SCREE_FN double scree_mat3_determinant(struct scree_mat3 a)
{
    return scree_vec3_dot(scree_mat3_row_x(a), scree_vec3_cross(scree_mat3_row_y(a), scree_mat3_row_z(a)));
}

// adjugate over determinant; not finite for a singular matrix, which the caller can detect by the determinant
SCREE_FN struct scree_mat3 scree_mat3_inverse(struct scree_mat3 a)
{
    struct scree_vec3 x = scree_mat3_row_x(a);
    struct scree_vec3 y = scree_mat3_row_y(a);
    struct scree_vec3 z = scree_mat3_row_z(a);
    struct scree_vec3 yz = scree_vec3_cross(y, z);
    double factor = 1.0 / scree_vec3_dot(x, yz);
    return scree_mat3_scale(scree_mat3_from_columns(yz, scree_vec3_cross(z, x), scree_vec3_cross(x, y)),
                            factor);
}

#endif
