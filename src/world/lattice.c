// Reduction of lattices, and logarithmic strain; see lattice.h.
//
// A vector is shortened by another one (Gauss), or by sums and differences of the two others, until none
// becomes shorter by the margin. Without the margin the result would be reduced in the sense of Minkowski
// (Semaev, CaLC 2001, for three dimensions).

#include "world/lattice.h"

#include "math/eigen.h"
#include "math/elementary.h"

// largest ratio of squares of a vector after and before it is shortened
#define SHORTER 0.9

// The columns of a matrix, and of the change from the first one.
struct basis {
    struct scree_vec3 vector[3];
    int64_t change[3][3];
};

static double square(struct scree_vec3 v)
{
    return scree_vec3_norm_squared(v);
}

// Adds multiples of two vectors to a third, if that makes it shorter by the margin.
static bool shorten(struct basis *basis, int k, int i, double times_i, int j, double times_j)
{
    const struct scree_vec3 shorter = scree_vec3_add_scaled(
        scree_vec3_add_scaled(basis->vector[k], times_i, basis->vector[i]), times_j, basis->vector[j]);
    if (!(square(shorter) <= SHORTER * square(basis->vector[k])))
        return false;
    basis->vector[k] = shorter;
    for (int row = 0; row < 3; ++row)
        basis->change[row][k] +=
            (int64_t)times_i * basis->change[row][i] + (int64_t)times_j * basis->change[row][j];
    return true;
}

static double nearest_multiple(struct scree_vec3 of, struct scree_vec3 by)
{
    return floor(scree_vec3_dot(of, by) / square(by) + 0.5);
}

static bool shorten_any(struct basis *basis, int dimension, unsigned open)
{
    for (int k = 0; k < dimension; ++k)
        for (int i = 0; i < dimension; ++i)
            if (i != k && !scree_lattice_is_open(open, i) &&
                shorten(basis, k, i, -nearest_multiple(basis->vector[k], basis->vector[i]), i, 0))
                return true;
    for (int k = 0; k < 3 && dimension == 3; ++k)
        for (int sign = 0; sign < 4; ++sign)
            if (!(open & ~(1u << k)) &&
                shorten(basis, k, (k + 1) % 3, sign & 1 ? 1 : -1, (k + 2) % 3, sign & 2 ? 1 : -1))
                return true;
    return false;
}

struct scree_mat3 scree_lattice_upright(struct scree_mat3 vectors, unsigned open)
{
    double m[9];
    scree_lattice_store(vectors, m);
    for (int k = 0; k < 9; ++k)
        if (scree_lattice_is_open(open, k % 3) && !scree_lattice_is_open(open, k / 3))
            m[k] = 0;
    return scree_lattice_load(m);
}

struct scree_mat3 scree_lattice_inverse(struct scree_mat3 vectors, unsigned open)
{
    if (open == 0)
        return scree_mat3_inverse(vectors);
    double m[9];
    scree_lattice_store(scree_mat3_inverse(scree_lattice_upright(vectors, open)), m);
    for (int k = 0; k < 9; ++k)
        if (scree_lattice_is_open(open, k / 3) || scree_lattice_is_open(open, k % 3))
            m[k] = 0;
    return scree_lattice_load(m);
}

bool scree_lattice_reduce(struct scree_mat3 vectors, int dimension, unsigned open, int64_t change[3][3])
{
    const struct scree_mat3 columns = scree_mat3_transpose(vectors);
    struct basis basis = {
        .vector = {scree_mat3_row_x(columns), scree_mat3_row_y(columns), scree_mat3_row_z(columns)},
        .change = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    bool reduced = false;
    // each change makes a square smaller by a tenth, so there are few
    while (shorten_any(&basis, dimension, open))
        reduced = true;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            change[i][j] = basis.change[i][j];
    return reduced;
}

void scree_lattice_inverse_change(const int64_t change[3][3], int64_t inverse[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][j] = change[a][c] * change[b][d] - change[a][d] * change[b][c];
        }
}

struct scree_mat3 scree_lattice_hencky(struct scree_mat3 deformation)
{
    const struct scree_eigen stretch =
        scree_eigen_symmetric(scree_mat3_product(deformation, scree_mat3_transpose(deformation)));
    const struct scree_vec3 strain =
        scree_vec3_make(0.5 * scree_log(stretch.values.x), 0.5 * scree_log(stretch.values.y),
                        0.5 * scree_log(stretch.values.z));
    return scree_mat3_rotate(stretch.vectors, scree_mat3_diagonal(strain));
}

double scree_lattice_stretching(struct scree_mat3 d)
{
    const struct scree_vec3 rate =
        scree_eigen_symmetric(scree_mat3_scale(scree_mat3_add_scaled(d, 1, scree_mat3_transpose(d)), 0.5))
            .values;
    double largest = fabs(rate.x) > fabs(rate.y) ? fabs(rate.x) : fabs(rate.y);
    largest = fabs(rate.z) > largest ? fabs(rate.z) : largest;
    // with the round-off of eigenvalues
    return largest * (1 + 1e-12);
}
