// Elastic constants of lattices of bonded spheres and disks.
//
// Grains at x are displaced to (1 + strain) x without rotation. Where each grain is a centre of symmetry, and
// no strain can turn grains (fcc, hexagonal), this is equilibrium, so that no relaxation and no periodic cell
// that deforms is needed. The stress is the sum of f b / 2 over the bonds of an inner grain, with f the force
// on it and b the vector to its neighbour, over the volume of a grain. A bond has the stiffnesses kn and ks
// of displacements at its middle; sums of n n and n n n n over the 12 bonds of length d of fcc (volume d^3 /
// sqrt 2) and the 6 bonds of the hexagonal lattice (area sqrt(3) d^2 / 2) give
//
//     fcc        C11 = sqrt 2 (kn + ks) / d     C12 = (kn - ks) / (sqrt 2 d)     C44 = (kn + ks) / (sqrt 2 d)
//     hexagonal  C11 = sqrt 3 (3 kn + ks) / 4   C12 = sqrt 3 (kn - ks) / 4       C44 = sqrt 3 (kn + ks) / 4
//
// the latter per thickness, with C44 the shear modulus in the plane. Grains turned by a small angle t against
// the lattice cause the stresses s_xy = -s_yx = 2 sqrt 2 ks t / d (fcc) and sqrt 3 ks t (hexagonal), and no
// stress if the lattice turns with them.
//
// Half differences of opposite strains of 1e-5 have relative errors of 1e-10 by large displacements, and of
// about 1e-16 / 1e-5 by round-off: together far below the tolerance of 1e-6 for all.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

static const double root2 = 1.41421356237309504880, root3 = 1.73205080756887729353;
static const double density = 1000, diameter = 1.25, strain = 1e-5, tolerance = 1e-6;

// The grains within two diameters, in a plane or in space; the first one is at the origin.
static scree_status begin(struct scree_trial *trial, int dimension, const struct scree_bond_def *bond,
                          uint64_t *count)
{
    static const double none[3] = {0, 0, 0};
    const int reach = 4;
    *count = 1;
    SCREE_TRY(scree_bonded_begin(trial, dimension, density));
    SCREE_TRY(scree_trial_add_round(trial, 0.5 * diameter, none, SCREE_FIX_ALL));
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = dimension == 2 ? 0 : -reach; z <= (dimension == 2 ? 0 : reach); ++z) {
                double point[3] = {x / root2, y / root2, z / root2};
                if (dimension == 2) {
                    point[0] = x + 0.5 * y;
                    point[1] = 0.5 * root3 * y;
                }
                const double distance = scree_algebra_norm(point, 3);
                if (distance < 0.5 || distance > 2.01 || (dimension == 3 && (x + y + z) % 2 != 0))
                    continue;
                for (int k = 0; k < 3; ++k)
                    point[k] *= diameter;
                SCREE_TRY(scree_trial_add_round(trial, 0.5 * diameter, point, SCREE_FIX_ALL));
                ++*count;
            }
    return scree_bonded_join_near(trial, bond, *count, 1.01 * diameter, none);
}

// A homogeneous deformation: the displacement gradient, and the rotation of grains about z.
struct deformation {
    double gradient[3][3], turn;
};

static scree_status deform(struct scree_trial *trial, const struct deformation *deformation, uint64_t count)
{
    for (uint64_t b = 0; b < count; ++b) {
        const scree_body_id id = {b + 1};
        struct scree_body_state state;
        double moved[3];
        SCREE_TRY(scree_body_get(trial->world, id, &state));
        for (int k = 0; k < 3; ++k)
            moved[k] = state.position[k] + scree_algebra_dot(deformation->gradient[k], state.position, 3);
        const double half = 0.5 * deformation->turn, turned[4] = {cos(half), 0, 0, sin(half)};
        SCREE_TRY(scree_body_set_position(trial->world, id, moved));
        SCREE_TRY(scree_body_set_orientation(trial->world, id, turned));
    }
    return SCREE_OK;
}

// Sums f b of all bonds (`all`), and half of those of the first grain over its volume (`stress`).
static scree_status sum_bonds(struct scree_trial *trial, double volume, double stress[3][3], double all[3][3])
{
    static scree_bond_id list[1024];
    size_t count;
    SCREE_TRY(scree_bond_list(trial->world, list, sizeof list / sizeof list[0], &count));
    memset(stress, 0, 9 * sizeof(double));
    memset(all, 0, 9 * sizeof(double));
    for (size_t n = 0; n < count; ++n) {
        struct scree_bond_state bond;
        SCREE_TRY(scree_bond_get(trial->world, list[n], &bond));
        const bool inner = bond.side[0].body.value == 1 || bond.side[1].body.value == 1;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double term = bond.force[i] * (bond.end[1][j] - bond.end[0][j]);
                all[i][j] += term;
                stress[i][j] += inner ? 0.5 * term / volume : 0;
            }
    }
    return SCREE_OK;
}

// The forces of the engine: the sum of f x over all grains is minus that of f b over the bonds, and nothing
// acts on the inner grain.
static scree_status compare_forces(struct scree_trial *trial, uint64_t count, double all[3][3],
                                   double *difference)
{
    double sum[3][3] = {{0}}, scale = 0;
    *difference = 0;
    for (uint64_t b = 0; b < count; ++b) {
        struct scree_body_state state;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){b + 1}, &state));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum[i][j] += state.force[i] * state.position[j];
        if (b == 0)
            *difference =
                diameter * (scree_algebra_norm(state.force, 3) + scree_algebra_norm(state.moment, 3));
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            *difference = scree_report_larger(*difference, fabs(sum[i][j] + all[i][j]));
            scale = fmax(scale, fabs(all[i][j]));
        }
    *difference /= scale;
    return SCREE_OK;
}

// Half the difference of the stresses of opposite deformations; `difference` receives the largest relative
// difference between forces of the engine and those of bonds, unless it is null.
static scree_status stress_of(struct scree_trial *trial, int dimension, const struct scree_bond_def *bond,
                              const struct deformation *deformation, double stress[3][3], double *difference)
{
    const double volume =
        dimension == 2 ? 0.5 * root3 * diameter * diameter : diameter * diameter * diameter / root2;
    memset(stress, 0, 9 * sizeof(double));
    for (int sign = -1; sign <= 1; sign += 2) {
        struct deformation part = {.turn = sign * deformation->turn};
        double one[3][3], all[3][3], error;
        uint64_t count;
        for (int i = 0; i < 9; ++i)
            part.gradient[i / 3][i % 3] = sign * deformation->gradient[i / 3][i % 3];
        SCREE_TRY(begin(trial, dimension, bond, &count));
        SCREE_TRY(deform(trial, &part, count));
        SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = 1e-6}));
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(sum_bonds(trial, volume, one, all));
        for (int i = 0; i < 9; ++i)
            stress[i / 3][i % 3] += 0.5 * sign * one[i / 3][i % 3];
        if (difference) {
            SCREE_TRY(compare_forces(trial, count, all, &error));
            *difference = scree_report_larger(*difference, error);
        }
    }
    return SCREE_OK;
}

static scree_status check_lattice(struct scree_trial *trial, int dimension, const struct scree_bond_def *bond,
                                  double kn, double ks, const char *name)
{
    const bool flat = dimension == 2;
    const double c11 = flat ? root3 / 4 * (3 * kn + ks) : root2 * (kn + ks) / diameter,
                 c12 = flat ? root3 / 4 * (kn - ks) : (kn - ks) / (root2 * diameter),
                 c44 = flat ? root3 / 4 * (kn + ks) : (kn + ks) / (root2 * diameter),
                 turning = flat ? root3 * ks : 2 * root2 * ks / diameter;
    double stress[3][3], difference = 0;
    const struct deformation stretch = {.gradient = {{strain}}};
    SCREE_TRY(stress_of(trial, dimension, bond, &stretch, stress, &difference));
    scree_report_near(trial, 1, stress[0][0] / (strain * c11), tolerance, "%s: C11 over lattice", name);
    scree_report_near(trial, 1, stress[1][1] / (strain * c12), tolerance, "%s: C12 over lattice", name);
    const struct deformation shear = {.gradient = {{0, strain}, {strain}}};
    SCREE_TRY(stress_of(trial, dimension, bond, &shear, stress, &difference));
    scree_report_near(trial, 1, stress[0][1] / (2 * strain * c44), tolerance, "%s: C44 over lattice", name);
    scree_report_near(trial, 1, stress[1][0] / (2 * strain * c44), tolerance, "%s: C44 over lattice, yx",
                      name);
    // positions of two diameters are rounded to 2e-16, of deformations of 1e-5
    scree_report_at_most(trial, 1e-9, difference, "%s: forces of grains against bonds", name);
    const struct deformation turn = {.turn = strain};
    SCREE_TRY(stress_of(trial, dimension, bond, &turn, stress, NULL));
    scree_report_near(trial, 1, stress[0][1] / (strain * turning), tolerance, "%s: grains turned, xy", name);
    scree_report_near(trial, 1, -stress[1][0] / (strain * turning), tolerance, "%s: grains turned, yx", name);
    // terms of second order, of the same sign for both rotations, cancel
    const struct deformation rigid = {.gradient = {{0, -strain}, {strain}}, .turn = strain};
    SCREE_TRY(stress_of(trial, dimension, bond, &rigid, stress, NULL));
    double largest = 0;
    for (int i = 0; i < 9; ++i)
        largest = scree_report_larger(largest, fabs(stress[i / 3][i % 3]));
    scree_report_at_most(trial, tolerance, largest / (strain * c11), "%s: stress of a rigid rotation", name);
    return SCREE_OK;
}

scree_status scree_bond_elastic_constants(struct scree_trial *trial)
{
    static const double normal = 1e6, shear = 4e5, section = 0.4, pi = SCREE_BONDED_PI;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const char *lattice = dimension == 2 ? "hexagonal" : "fcc";
        char name[64];
        const struct scree_bond_def contact = {
            .kind = SCREE_BOND_CONTACT, .normal_stiffness = normal, .shear_stiffness = shear};
        snprintf(name, sizeof name, "%s, contact bonds", lattice);
        SCREE_TRY(check_lattice(trial, dimension, &contact, normal, shear, name));
        const double area = dimension == 2 ? 2 * section : pi * section * section;
        const struct scree_bond_def parallel = {.kind = SCREE_BOND_PARALLEL,
                                                .radius = section,
                                                .thickness = dimension == 2 ? 1 : 0,
                                                .normal_stiffness = normal,
                                                .shear_stiffness = shear};
        snprintf(name, sizeof name, "%s, parallel bonds", lattice);
        SCREE_TRY(check_lattice(trial, dimension, &parallel, normal * area, shear * area, name));
    }
    return SCREE_OK;
}
