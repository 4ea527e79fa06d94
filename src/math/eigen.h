// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix.
//
// Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5): slower than a closed
// formula, but accurate to round-off for equal, close and badly scaled eigenvalues, where a formula loses
// half of the digits.
#ifndef SCREE_MATH_EIGEN_H
#define SCREE_MATH_EIGEN_H

#include "math/mat3.h"

struct scree_eigen {
    // ascending
    struct scree_vec3 values;
    // unit columns in the order of the values; a proper rotation, from principal axes to those of the matrix
    struct scree_mat3 vectors;
};

// one rotation in the plane of axes p and q that makes pq zero; r is the third axis. returns 0 if pq is zero
// already or round-off: below 2^-55 of the geometric mean of pp and qq
SCREE_FN int scree_eigen_rotate(double *pp, double *qq, double *pq, double *pr, double *qr,
                                struct scree_vec3 *p, struct scree_vec3 *q)
{
    double off = *pq;
    if (off == 0.0 || off * off < 0x1p-110 * fabs(*pp * *qq)) {
        return 0;
    }
    double slope = (*qq - *pp) / (2.0 * off);
    double tangent = copysign(1.0 / (fabs(slope) + sqrt(slope * slope + 1.0)), slope);
    double cosine = 1.0 / sqrt(tangent * tangent + 1.0);
    double sine = tangent * cosine;
    *pp -= tangent * off;
    *qq += tangent * off;
    *pq = 0.0;
    double old_pr = *pr;
    *pr = cosine * old_pr - sine * *qr;
    *qr = sine * old_pr + cosine * *qr;
    struct scree_vec3 old_p = *p;
    *p = scree_vec3_add_scaled(scree_vec3_scale(old_p, cosine), -sine, *q);
    *q = scree_vec3_add_scaled(scree_vec3_scale(*q, cosine), sine, old_p);
    return 1;
}

// puts the smaller value first; the change of sign keeps the frame right-handed
SCREE_FN void scree_eigen_sort(double *a, double *b, struct scree_vec3 *p, struct scree_vec3 *q)
{
    if (*b < *a) {
        double value = *a;
        *a = *b;
        *b = value;
        struct scree_vec3 column = *p;
        *p = *q;
        *q = scree_vec3_negate(column);
    }
}

// reads the upper triangle only; elements must be below 2^1021. a NaN gives NaNs, in a bounded number of
// sweeps
SCREE_FN struct scree_eigen scree_eigen_symmetric(struct scree_mat3 a)
{
    struct scree_vec3 x = {1.0, 0.0, 0.0};
    struct scree_vec3 y = {0.0, 1.0, 0.0};
    struct scree_vec3 z = {0.0, 0.0, 1.0};

    // convergence is quadratic: five sweeps are enough for ordinary matrices, a graded one may need a few
    // more
    int changed = 1;
    for (int sweep = 0; changed && sweep < 16; ++sweep) {
        changed = scree_eigen_rotate(&a.xx, &a.yy, &a.xy, &a.xz, &a.yz, &x, &y);
        changed |= scree_eigen_rotate(&a.xx, &a.zz, &a.xz, &a.xy, &a.yz, &x, &z);
        changed |= scree_eigen_rotate(&a.yy, &a.zz, &a.yz, &a.xy, &a.xz, &y, &z);
    }

    scree_eigen_sort(&a.xx, &a.yy, &x, &y);
    scree_eigen_sort(&a.yy, &a.zz, &y, &z);
    scree_eigen_sort(&a.xx, &a.yy, &x, &y);
    struct scree_eigen result = {scree_vec3_make(a.xx, a.yy, a.zz), scree_mat3_from_columns(x, y, z)};
    return result;
}

#endif
