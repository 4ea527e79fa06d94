// Algebra of a periodic cell with any cell vectors, and its homogeneous deformation (EQUATIONS 5).
//
// The columns of the matrix H are the cell vectors. In two dimensions its last row and column are those of
// the unit matrix, and the velocity gradient D is 0 there. Reducing a lattice and moving a cell depend on
// their arguments only. Any set of cell vectors of the same lattice describes the same world.
//
// Along an open axis of the world the cell is not periodic; `open` has a bit for each. The cell vector of
// that axis, in the same column, only completes the cell: bodies are never moved by it, and the others have
// no component along open axes. In two dimensions z is not open.

#ifndef SCREE_WORLD_LATTICE_H
#define SCREE_WORLD_LATTICE_H

#include "math/mat3.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Matrices of records are stored by rows.
SCREE_FN struct scree_mat3 scree_lattice_load(const double *m)
{
    return scree_mat3_from_rows(scree_vec3_load(m), scree_vec3_load(m + 3), scree_vec3_load(m + 6));
}

SCREE_FN void scree_lattice_store(struct scree_mat3 m, double *to)
{
    scree_vec3_store(scree_mat3_row_x(m), to);
    scree_vec3_store(scree_mat3_row_y(m), to + 3);
    scree_vec3_store(scree_mat3_row_z(m), to + 6);
}

static inline bool scree_lattice_is_open(unsigned open, int k)
{
    return open >> k & 1;
}

// The cell vectors with those of open axes perpendicular to all others: a prism with the same images.
struct scree_mat3 scree_lattice_upright(struct scree_mat3 vectors, unsigned open);

// The matrix that takes a displacement to its numbers of periods, 0 along open axes.
struct scree_mat3 scree_lattice_inverse(struct scree_mat3 vectors, unsigned open);

// Widths of a cell: distances of opposite faces; infinite along open axes.
SCREE_FN struct scree_vec3 scree_lattice_widths(struct scree_mat3 inverse)
{
    return scree_vec3_make(1 / sqrt(scree_vec3_norm_squared(scree_mat3_row_x(inverse))),
                           1 / sqrt(scree_vec3_norm_squared(scree_mat3_row_y(inverse))),
                           1 / sqrt(scree_vec3_norm_squared(scree_mat3_row_z(inverse))));
}

// Size of a velocity gradient: its Frobenius norm, not below |D x| / |x| for any x.
SCREE_FN double scree_lattice_norm(struct scree_mat3 d)
{
    return sqrt(scree_vec3_norm_squared(scree_mat3_row_x(d)) + scree_vec3_norm_squared(scree_mat3_row_y(d)) +
                scree_vec3_norm_squared(scree_mat3_row_z(d)));
}

// (1 - h/2 D)^-1, which takes displacements by a velocity fluctuation to the end of a step.
SCREE_FN struct scree_mat3 scree_lattice_forward(struct scree_mat3 d, double h)
{
    return scree_mat3_inverse(scree_mat3_add_scaled(scree_mat3_identity(), -0.5 * h, d));
}

// The rate of the affine motion in a step, (1 - h/2 D)^-1 D: positions and cell vectors move by h times the
// rate times themselves. This is Cayley's map: x' = (1 - h/2 D)^-1 (1 + h/2 D) x.
SCREE_FN struct scree_mat3 scree_lattice_rate(struct scree_mat3 d, double h)
{
    return scree_mat3_product(scree_lattice_forward(d, h), d);
}

// Half the curl of the velocity.
SCREE_FN struct scree_vec3 scree_lattice_spin(struct scree_mat3 d)
{
    return scree_vec3_make(0.5 * (d.zy - d.yz), 0.5 * (d.xz - d.zx), 0.5 * (d.yx - d.xy));
}

// A product of a matrix by one of small integers.
SCREE_FN struct scree_mat3 scree_lattice_change(struct scree_mat3 vectors, const int64_t (*change)[3])
{
    double m[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[i][j] = (double)change[i][j];
    const struct scree_mat3 right = {m[0][0], m[0][1], m[0][2], m[1][0], m[1][1],
                                     m[1][2], m[2][0], m[2][1], m[2][2]};
    return scree_mat3_product(vectors, right);
}

// Finds shorter vectors of a lattice: `change` has integers and the determinant 1, and H times `change` has
// them. Returns false, with the unit matrix, unless the square of some vector becomes smaller by a tenth: a
// long cell is reduced once, and round-off cannot undo it. The vectors of open axes become shorter too, but
// do not shorten others, so that bodies stay where they are.
bool scree_lattice_reduce(struct scree_mat3 vectors, int dimension, unsigned open, int64_t change[3][3]);

// The inverse of a matrix of integers of determinant 1.
void scree_lattice_inverse_change(const int64_t change[3][3], int64_t inverse[3][3]);

// Upper bound of the rate of change of a distance by the velocity gradient, relative to the distance.
double scree_lattice_stretching(struct scree_mat3 d);

// Logarithmic strain ln(F F^T) / 2.
struct scree_mat3 scree_lattice_hencky(struct scree_mat3 deformation);

#endif
