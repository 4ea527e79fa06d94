// Vectors of three doubles, passed by value. In two dimensions z is 0.
#ifndef SCREE_MATH_VEC3_H
#define SCREE_MATH_VEC3_H

#include "math/real.h"

struct scree_vec3 {
    double x, y, z;
};

SCREE_FN struct scree_vec3 scree_vec3_make(double x, double y, double z)
{
    struct scree_vec3 v = {x, y, z};
    return v;
}

// conversion from and to the arrays of three doubles in records
SCREE_FN struct scree_vec3 scree_vec3_load(const double *v)
{
    return scree_vec3_make(v[0], v[1], v[2]);
}

SCREE_FN void scree_vec3_store(struct scree_vec3 a, double *v)
{
    v[0] = a.x;
    v[1] = a.y;
    v[2] = a.z;
}

SCREE_FN struct scree_vec3 scree_vec3_zero(void)
{
    return scree_vec3_make(0.0, 0.0, 0.0);
}

SCREE_FN struct scree_vec3 scree_vec3_add(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

SCREE_FN struct scree_vec3 scree_vec3_sub(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

SCREE_FN struct scree_vec3 scree_vec3_negate(struct scree_vec3 a)
{
    return scree_vec3_make(-a.x, -a.y, -a.z);
}

SCREE_FN struct scree_vec3 scree_vec3_scale(struct scree_vec3 a, double s)
{
    return scree_vec3_make(a.x * s, a.y * s, a.z * s);
}

// a + s b
SCREE_FN struct scree_vec3 scree_vec3_add_scaled(struct scree_vec3 a, double s, struct scree_vec3 b)
{
    return scree_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// componentwise, like scree_vec3_divide
SCREE_FN struct scree_vec3 scree_vec3_multiply(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

SCREE_FN struct scree_vec3 scree_vec3_divide(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(a.x / b.x, a.y / b.y, a.z / b.z);
}

SCREE_FN double scree_vec3_dot(struct scree_vec3 a, struct scree_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SCREE_FN struct scree_vec3 scree_vec3_cross(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

SCREE_FN double scree_vec3_norm_squared(struct scree_vec3 a)
{
    return scree_vec3_dot(a, a);
}

// valid for lengths between 1e-150 and 1e150: the squares may overflow or underflow
SCREE_FN double scree_vec3_norm(struct scree_vec3 a)
{
    return sqrt(scree_vec3_dot(a, a));
}

// the zero vector stays zero
SCREE_FN struct scree_vec3 scree_vec3_normalise(struct scree_vec3 a)
{
    double length = scree_vec3_norm(a);
    return scree_vec3_scale(a, length > 0.0 ? 1.0 / length : 0.0);
}

// a unit vector x perpendicular to the unit vector n; (x, n cross x, n) is a right-handed frame. without root
// and branch: the first axis of the frame that the shortest rotation from e_z (or -e_z) to n gives
SCREE_FN struct scree_vec3 scree_vec3_perpendicular(struct scree_vec3 n)
{
    double sign = copysign(1.0, n.z);
    double a = -1.0 / (sign + n.z);
    return scree_vec3_make(1.0 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x);
}

#endif
