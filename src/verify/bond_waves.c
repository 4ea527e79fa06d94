// Frequencies of plane waves in a periodic fcc lattice of bonded spheres.
//
// Lattice theory. A bond along the vector b = d n joins the sides at its middle, with the stiffnesses K = kn
// n n
// + ks (1 - n n) of displacements and R = kt n n + kb (1 - n n) of rotations. A plane wave with displacements
// U exp(i q.x) and rotations i W exp(i q.x) deforms the bond by (2 s U - c W x b) and 2 s W, up to a phase
// factor, where s = sin(q.b / 2) and c = cos(q.b / 2). So the energy of a grain is the real quadratic form of
// (U, W) that is the sum over half of its bonds of
//
//     (2 s U - c W x b) K (2 s U - c W x b) / 2 + 4 s^2 W R W / 2
//
// and the squares of the six frequencies are the eigenvalues of its matrix for the masses m, J. The real
// parts, U cos(q.x) and -W sin(q.x), are a standing wave.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

static const double pi = SCREE_BONDED_PI, root2 = 1.41421356237309504880;
static const double density = 1000, diameter = 1;

struct bonds {
    struct scree_bond_def def;
    double stiffness[4]; // kn, ks in N/m, kt, kb in N m
};

// a contact bond, and a parallel bond of a section of 0.4 m radius
static struct bonds make_bonds(enum scree_bond_kind kind)
{
    static const double normal = 1e6, shear = 4e5, section = 0.4;
    if (kind == SCREE_BOND_CONTACT)
        return (struct bonds){.def = {.kind = SCREE_BOND_CONTACT,
                                      .normal_stiffness = normal,
                                      .shear_stiffness = shear,
                                      .touching = SCREE_BOND_TOUCHING_EXCLUDED},
                              .stiffness = {normal, shear}};
    const double area = pi * section * section, moment = 0.25 * area * section * section;
    return (struct bonds){.def = {.kind = SCREE_BOND_PARALLEL,
                                  .normal_stiffness = normal,
                                  .shear_stiffness = shear,
                                  .radius = section,
                                  .touching = SCREE_BOND_TOUCHING_EXCLUDED},
                          .stiffness = {normal * area, shear * area, 2 * shear * moment, normal * moment}};
}

// --- the sites of lattices

struct lattice {
    uint64_t count;
    double period[3], site[SCREE_BONDED_MOST][3];
};

// Axes x, y, z in units of the edge of the cube, orthogonal, and the number of periods along each.
struct axes {
    const char *name;
    double axis[3][3]; // primitive periods along x, y and z
    int periods[3];
};

// All points of the fcc lattice in the cell of the given axes; `lattice` receives them in these axes.
static void fill_fcc(const struct axes *axes, struct lattice *lattice)
{
    const double edge = root2 * diameter;
    double unit[3][3], length[3];
    lattice->count = 0;
    for (int k = 0; k < 3; ++k) {
        length[k] = scree_algebra_norm(axes->axis[k], 3);
        lattice->period[k] = axes->periods[k] * length[k] * edge;
        for (int i = 0; i < 3; ++i)
            unit[k][i] = axes->axis[k][i] / length[k];
    }
    enum { REACH = 40 }; // half edges
    for (int x = -REACH; x <= REACH; ++x)
        for (int y = -REACH; y <= REACH; ++y)
            for (int z = -REACH; z <= REACH; ++z) {
                const double point[3] = {0.5 * x * edge, 0.5 * y * edge, 0.5 * z * edge};
                double *site = lattice->site[lattice->count];
                bool inside = (x + y + z) % 2 == 0;
                // a tenth of the diameter away from the faces of the cell
                for (int k = 0; k < 3; ++k) {
                    site[k] = scree_algebra_dot(unit[k], point, 3) + 0.1 * diameter;
                    inside = inside && site[k] >= 0 && site[k] < lattice->period[k] - 1e-6;
                }
                lattice->count += inside && lattice->count < SCREE_BONDED_MOST - 1;
            }
}

// --- waves

enum { FREEDOMS = 6 };

// Adds the energy of a bond with the vector b, as a symmetric matrix.
static void add_bond(const double b[3], double phase, const double stiffness[4],
                     double matrix[FREEDOMS][FREEDOMS])
{
    const double s = 2 * sin(0.5 * phase), c = cos(0.5 * phase);
    // rows: displacement and rotation of the bond for each freedom
    const double move[3][FREEDOMS] = {{s, 0, 0, 0, -c * b[2], c * b[1]},
                                      {0, s, 0, c * b[2], 0, -c * b[0]},
                                      {0, 0, s, -c * b[1], c * b[0], 0}};
    for (int i = 0; i < FREEDOMS; ++i)
        for (int j = 0; j < FREEDOMS; ++j)
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) {
                    const double along = b[k] * b[l] / (diameter * diameter), across = (k == l) - along;
                    const double turn = i == 3 + k && j == 3 + l ? s * s : 0;
                    matrix[i][j] += move[k][i] * move[l][j] * (stiffness[0] * along + stiffness[1] * across) +
                                    turn * (stiffness[2] * along + stiffness[3] * across);
                }
}

// Eigenvalues and eigenvectors (columns) of a symmetric matrix by Jacobi rotations.
static void diagonalise(double matrix[FREEDOMS][FREEDOMS], double vector[FREEDOMS][FREEDOMS])
{
    for (int i = 0; i < FREEDOMS; ++i)
        for (int j = 0; j < FREEDOMS; ++j)
            vector[i][j] = i == j;
    for (int sweep = 0; sweep < 40; ++sweep)
        for (int p = 0; p < FREEDOMS; ++p)
            for (int q = p + 1; q < FREEDOMS; ++q) {
                const double angle = 0.5 * atan2(2 * matrix[p][q], matrix[q][q] - matrix[p][p]);
                const double c = cos(angle), s = sin(angle);
                for (int k = 0; k < FREEDOMS; ++k) {
                    const double a = matrix[k][p], b = matrix[k][q];
                    matrix[k][p] = c * a - s * b;
                    matrix[k][q] = s * a + c * b;
                }
                for (int k = 0; k < FREEDOMS; ++k) {
                    const double a = matrix[p][k], b = matrix[q][k], u = vector[k][p], v = vector[k][q];
                    matrix[p][k] = c * a - s * b;
                    matrix[q][k] = s * a + c * b;
                    vector[k][p] = c * u - s * v;
                    vector[k][q] = s * u + c * v;
                }
            }
}

// The frequencies and modes of waves along x with wave number q: columns of `mode` are U and W.
static void solve_waves(const struct lattice *lattice, const double stiffness[4], double q,
                        double rate[FREEDOMS], double mode[FREEDOMS][FREEDOMS])
{
    const double mass = density * pi / 6 * diameter * diameter * diameter;
    const double inertia = 0.1 * mass * diameter * diameter;
    double matrix[FREEDOMS][FREEDOMS] = {{0}};
    // half of the neighbours of the first site
    for (uint64_t n = 1; n < lattice->count; ++n) {
        double b[3];
        for (int k = 0; k < 3; ++k) {
            b[k] = lattice->site[n][k] - lattice->site[0][k];
            b[k] -= lattice->period[k] * round(b[k] / lattice->period[k]);
        }
        const double tiny = 1e-6;
        const bool half = b[0] > tiny || (b[0] > -tiny && (b[1] > tiny || (b[1] > -tiny && b[2] > 0)));
        if (half && scree_algebra_norm(b, 3) < 1.01 * diameter)
            add_bond(b, q * b[0], stiffness, matrix);
    }
    for (int i = 0; i < FREEDOMS; ++i)
        for (int j = 0; j < FREEDOMS; ++j)
            matrix[i][j] /= sqrt((i < 3 ? mass : inertia) * (j < 3 ? mass : inertia));
    diagonalise(matrix, mode);
    for (int i = 0; i < FREEDOMS; ++i) {
        rate[i] = sqrt(matrix[i][i]);
        for (int j = 0; j < FREEDOMS; ++j)
            mode[i][j] /= sqrt(i < 3 ? mass : inertia);
    }
}

// The name of a branch: by the larger part of the kinetic energy.
static const char *branch_of(double mode[FREEDOMS][FREEDOMS], int column)
{
    const double inertia = 0.1 * diameter * diameter; // over the mass
    double part[FREEDOMS], moved = 0, turned = 0;
    for (int i = 0; i < FREEDOMS; ++i) {
        part[i] = mode[i][column] * mode[i][column] * (i < 3 ? 1 : inertia);
        *(i < 3 ? &moved : &turned) += part[i];
    }
    return turned > moved ? "rotation" : part[0] > 0.5 * moved ? "P" : "S";
}

static scree_status begin_lattice(struct scree_trial *trial, const struct lattice *lattice,
                                  const struct bonds *bonds)
{
    struct scree_cell_def cell = {.periodic = {true, true, true}};
    memcpy(cell.upper, lattice->period, sizeof cell.upper);
    SCREE_TRY(scree_bonded_begin(trial, 3, density));
    SCREE_TRY(scree_cell_set(trial->world, &cell));
    for (uint64_t n = 0; n < lattice->count; ++n)
        SCREE_TRY(scree_trial_add_round(trial, 0.5 * diameter, lattice->site[n], 0));
    return scree_bonded_join_near(trial, &bonds->def, lattice->count, 1.01 * diameter, lattice->period);
}

// All six waves along one direction, one period long. Tolerance: strains of 1e-6 and less change frequencies
// by their square, and are known to 1e-10 in positions of a few diameters.
static scree_status check_waves(struct scree_trial *trial, const struct axes *axes, const struct bonds *bonds)
{
    static struct lattice lattice;
    static struct scree_bonded_motion motion[SCREE_BONDED_MOST];
    double rate[FREEDOMS], mode[FREEDOMS][FREEDOMS], fastest = 0;
    fill_fcc(axes, &lattice);
    const double q = 2 * pi / lattice.period[0], strain = 1e-6;
    solve_waves(&lattice, bonds->stiffness, q, rate, mode);
    for (int k = 0; k < FREEDOMS; ++k)
        fastest = fmax(fastest, rate[k]);
    for (int k = 0; k < FREEDOMS; ++k) {
        const char *name = branch_of(mode, k);
        // displacements of about the strain over q
        const double scale = strain / q * rate[k] * sqrt(density * pi / 6 * diameter * diameter * diameter);
        double computed;
        for (uint64_t n = 0; n < lattice.count; ++n)
            for (int i = 0; i < 3; ++i) {
                const double phase = q * lattice.site[n][0];
                motion[n].velocity[i] = scale * mode[i][k] * cos(phase);
                motion[n].spin[i] = -scale * mode[3 + i][k] * sin(phase);
            }
        SCREE_TRY(begin_lattice(trial, &lattice, bonds));
        SCREE_TRY(scree_bonded_frequency(trial, motion, lattice.count, rate[k], 0.2 / fastest, &computed));
        scree_report_near(trial, 1, computed / rate[k], 1e-8, "%s, %s, %.5g rad/s: over lattice", axes->name,
                          name, rate[k]);
    }
    return SCREE_OK;
}

scree_status scree_bond_waves_fcc(struct scree_trial *trial)
{
    static const struct axes list[] = {
        {"fcc [100]", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {6, 2, 2}},
        {"fcc [110]", {{0.5, 0.5, 0}, {-0.5, 0.5, 0}, {0, 0, 1}}, {8, 3, 2}},
        {"fcc [111]", {{1, 1, 1}, {-0.5, 0.5, 0}, {-0.5, -0.5, 1}}, {3, 3, 2}},
    };
    const struct bonds bonds = make_bonds(*(const enum scree_bond_kind *)trial->data);
    for (size_t a = 0; a < sizeof list / sizeof list[0]; ++a)
        SCREE_TRY(check_waves(trial, &list[a], &bonds));
    return SCREE_OK;
}
