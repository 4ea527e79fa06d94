// Stress and stiffness of crystals of spheres and disks in a cell that deforms.
//
// Each grain is a centre of symmetry, so a homogeneous deformation leaves it in equilibrium. With bonds b = l
// n to half of the z neighbours of a grain, the normal force N(2 r - l), and the volume V of a grain, the
// stress is
//     s_ij = -1/V sum N l n_i n_j.
// A further deformation 1 + L changes b to b + L b, V to V (1 + tr L), and without rotation against the mean
// motion, which turns grains by half the curl of L, moves the two sides of a contact by E b, the symmetric
// part of L times b. With the stiffnesses kn = N' and kt of a normal and a tangential spring, which is not
// stretched before,
//     ds_ij/dL_kl = - s_ij d_kl + 1/V sum { (kn l^2 + N l - kt l^2) n_i n_j n_k n_l
//                     - N l (d_ik n_j n_l + d_jk n_i n_l) + kt l^2 (d_ik n_l + d_il n_k) n_j / 2 }.
// In cubic, square and hexagonal crystals under isotropic pre-strain the sums are m d_ij of n_i n_j, q of
// n_x^4, p of n_x^2 n_y^2, and 0 of other products of four, except in the hexagonal crystal, in which they
// have the same form because it is isotropic: q = 3 p. So there are three different components,
//     ds_xx/dL_xx = q A + m (K - B),  ds_xx/dL_yy = p A + m B,  ds_xy/dL_xy = ds_xy/dL_yx = p A + m (K/2 - B)
// with A = (kn l^2 + N l - kt l^2) / V, B = N l / V, K = kt l^2 / V. Terms with B are those of the
// pre-stress. Laws: linear springs, N = kn d; Hertz and Mindlin, N = 4/3 E* a d, kn = 2 E* a, kt = 8 G* a,
// with the overlap d and a^2 = r d / 2.
//
// Half differences of opposite strains e, in one step after one at rest, have errors of order e^2, relatively
// (e l/d)^2 for Hertz, and of about 1e-15 / e by round-off of positions. The spring of Mindlin has the mean
// stiffness of a step in loading and the last one in unloading, so that with it errors are of order e,
// relatively e l/d / 8. With e = 1e-7 and d = l / 50 they are below 1e-6.

#include "algebra.h"
#include "cell.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

#define ROOT2 1.41421356237309504880
#define ROOT3 1.73205080756887729353

enum { SIDE = 5 };

static const double length = 0.7, density = 900, young = 1e7, poisson = 0.25, spring = 1e5, tangent = 6e4;
static const double step = 1e-4, small_strain = 1e-7, tolerance = 1e-6;

struct crystal {
    const char *name;
    int dimension, bonds;
    double primitive[3][3];   // vectors of the lattice, in distances of neighbours
    double bond[6][3], scale; // directions of half of the bonds, times `scale`
    double volume, q, p, m;   // volume of a grain, in distances of neighbours; sums above
};

static const struct crystal crystals[] = {
    {"square", 2, 2, {{1, 0, 0}, {0, 1, 0}, {0}}, {{1, 0, 0}, {0, 1, 0}}, 1, 1, 1, 0, 1},
    {"hexagonal",
     2,
     3,
     {{1, 0, 0}, {0.5, 0.5 * ROOT3, 0}, {0}},
     {{2, 0, 0}, {1, ROOT3, 0}, {-1, ROOT3, 0}},
     0.5,
     0.5 * ROOT3,
     9.0 / 8,
     3.0 / 8,
     1.5},
    {"simple cubic",
     3,
     3,
     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
     1,
     1,
     1,
     0,
     1},
    {"fcc",
     3,
     6,
     {{0.5 * ROOT2, 0.5 * ROOT2, 0}, {0, 0.5 * ROOT2, 0.5 * ROOT2}, {0.5 * ROOT2, 0, 0.5 * ROOT2}},
     {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {1, -1, 0}, {0, 1, -1}, {-1, 0, 1}},
     0.5 * ROOT2,
     0.5 * ROOT2,
     1,
     0.5,
     2},
    {"bcc",
     3,
     4,
     {{1 / ROOT3, 1 / ROOT3, 1 / ROOT3},
      {-1 / ROOT3, 1 / ROOT3, 1 / ROOT3},
      {-1 / ROOT3, -1 / ROOT3, 1 / ROOT3}},
     {{1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}},
     1 / ROOT3,
     4 / (3 * ROOT3),
     4.0 / 9,
     4.0 / 9,
     4.0 / 3},
};

// --- the lattice of springs

struct law {
    const char *name;
    const char *law;
    struct scree_interaction_value values[4];
    size_t count;
    bool hertz, tangential;
};

static const struct law laws[] = {
    {"linear",
     "linear",
     {{"stiffness", 1e5, NULL}, {"friction", 0, NULL}, {"restitution", 1, NULL}},
     3,
     false,
     false},
    {"tangential",
     "linear",
     {{"stiffness", 1e5, NULL},
      {"stiffness-tangential", 6e4, NULL},
      {"friction", 1, NULL},
      {"restitution", 1, NULL}},
     4,
     false,
     true},
    {"Hertz", "hertz", {{"restitution", 1, NULL}}, 1, true, false},
    {"Mindlin", "hertz-mindlin", {{"friction", 1, NULL}, {"restitution", 1, NULL}}, 2, true, true},
};

// Radius of grains: neighbours at `length` overlap by a fiftieth of it.
static const double radius = 0.51 * 0.7;

struct springs {
    double force, normal, tangential; // N, kn, kt
};

static struct springs springs_of(const struct law *law, double distance)
{
    const double overlap = 2 * radius - distance, a = sqrt(0.5 * radius * overlap);
    const double plane = young / (2 * (1 - poisson * poisson)),
                 shear = young / (4 * (1 + poisson) * (2 - poisson));
    const struct springs linear = {spring * overlap, spring, tangent},
                         hertz = {4.0 / 3 * plane * a * overlap, 2 * plane * a, 8 * shear * a};
    struct springs springs = law->hertz ? hertz : linear;
    springs.tangential = law->tangential ? springs.tangential : 0;
    return springs;
}

// A crystal under a homogeneous deformation of its isotropic state, by rows.
struct state {
    const struct crystal *crystal;
    const struct law *law;
    double deformation[3][3];
};

static double determinant(const double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The stress, and its derivatives by L, from the sums over the bonds.
static void sum_bonds(const struct state *state, double stress[3][3], double stiffness[9][9])
{
    const struct crystal *crystal = state->crystal;
    const double volume = crystal->volume * pow(length, crystal->dimension) * determinant(state->deformation);
    memset(stress, 0, 9 * sizeof(double));
    memset(stiffness, 0, 81 * sizeof(double));
    for (int b = 0; b < crystal->bonds; ++b) {
        double n[3];
        for (int k = 0; k < 3; ++k)
            n[k] = length * crystal->scale * scree_algebra_dot(state->deformation[k], crystal->bond[b], 3);
        const double l = scree_algebra_norm(n, 3);
        const struct springs springs = springs_of(state->law, l);
        const double pre = springs.force * l / volume, along = springs.normal * l * l / volume,
                     across = springs.tangential * l * l / volume;
        for (int k = 0; k < 3; ++k)
            n[k] /= l;
        for (int t = 0; t < 81; ++t) {
            const int i = t / 27, j = t / 9 % 3, k = t / 3 % 3, m = t % 3;
            stiffness[3 * i + j][3 * k + m] += (along + pre - across) * n[i] * n[j] * n[k] * n[m] -
                                               pre * ((i == k) * n[j] * n[m] + (j == k) * n[i] * n[m]) +
                                               0.5 * across * ((i == k) * n[m] + (i == m) * n[k]) * n[j];
        }
        for (int t = 0; t < 9; ++t)
            stress[t / 3][t % 3] -= pre * n[t / 3] * n[t % 3];
    }
    for (int t = 0; t < 9; ++t)
        for (int k = 0; k < 3; ++k)
            stiffness[t][4 * k] -= stress[t / 3][t % 3];
}

// --- the engine

static scree_status begin(struct scree_trial *trial, const struct state *state)
{
    const struct crystal *crystal = state->crystal;
    const bool flat = crystal->dimension == 2;
    static const double corner[3] = {0, 0, 0};
    double edge[3][3] = {{0}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.dimension = crystal->dimension}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = density}, &trial->material));
    SCREE_TRY(scree_material_set(trial->world, trial->material, "young", young));
    SCREE_TRY(scree_material_set(trial->world, trial->material, "poisson", poisson));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){
                          .law = state->law->law, .values = state->law->values, .count = state->law->count}));
    for (int e = 0; e < crystal->dimension; ++e)
        for (int k = 0; k < 3; ++k)
            edge[e][k] = length * scree_algebra_dot(state->deformation[k], crystal->primitive[e], 3);
    double vectors[9];
    for (int t = 0; t < 9; ++t)
        vectors[t] = SIDE * edge[t / 3][t % 3];
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, vectors));
    for (int g = 0; g < SIDE * SIDE * (flat ? 1 : SIDE); ++g) {
        double x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = g % SIDE * edge[0][k] + g / SIDE % SIDE * edge[1][k] + g / SIDE / SIDE * edge[2][k];
        SCREE_TRY(scree_trial_add_round(trial, radius, x, 0));
    }
    return scree_trial_start(trial, &(struct scree_soft_def){.step = step});
}

// The stress after a deformation by `strain` times `direction`, in one step after one at rest.
static scree_status stress_after(struct scree_trial *trial, const struct state *state,
                                 const double direction[9], double strain, double stress[9])
{
    double gradient[9];
    for (int t = 0; t < 9; ++t)
        gradient[t] = strain / step * direction[t];
    SCREE_TRY(begin(trial, state));
    SCREE_TRY(scree_engine_run(trial->engine, 1));
    SCREE_TRY(scree_cell_deform(trial->world, gradient));
    SCREE_TRY(scree_engine_run(trial->engine, 1));
    return scree_measure_stress(trial->world, NULL, stress);
}

// The derivative of the stress in a direction, by a half difference.
static scree_status derivative(struct scree_trial *trial, const struct state *state,
                               const double direction[9], double strain, double change[9])
{
    double more[9], less[9];
    SCREE_TRY(stress_after(trial, state, direction, strain, more));
    SCREE_TRY(stress_after(trial, state, direction, -strain, less));
    for (int t = 0; t < 9; ++t)
        change[t] = (more[t] - less[t]) / (2 * strain);
    return SCREE_OK;
}

// --- comparisons

// All components of the stress and of the stiffness; `measured` receives the latter.
static scree_status compare(struct scree_trial *trial, const struct state *state, const char *name,
                            double measured[9][9])
{
    double stress[3][3], stiffness[9][9], got[9], error = 0, pre_error = 0, largest = 0, pre = 0;
    static const double none[9] = {0};
    const int dimension = state->crystal->dimension;
    sum_bonds(state, stress, stiffness);
    SCREE_TRY(stress_after(trial, state, none, 0, got));
    for (int i = 0; i < dimension; ++i)
        for (int j = 0; j < dimension; ++j) {
            pre = fmax(pre, fabs(stress[i][j]));
            pre_error = scree_report_larger(pre_error, fabs(got[3 * i + j] - stress[i][j]));
        }
    for (int k = 0; k < dimension; ++k)
        for (int l = 0; l < dimension; ++l) {
            double direction[9] = {0}, change[9];
            direction[3 * k + l] = 1;
            SCREE_TRY(derivative(trial, state, direction, small_strain, change));
            for (int i = 0; i < dimension; ++i)
                for (int j = 0; j < dimension; ++j) {
                    const double expected = stiffness[3 * i + j][3 * k + l];
                    measured[3 * i + j][3 * k + l] = change[3 * i + j];
                    largest = fmax(largest, fabs(expected));
                    error = scree_report_larger(error, fabs(change[3 * i + j] - expected));
                }
        }
    // overlaps are a hundredth of positions of up to 5, which are rounded to 1e-15
    scree_report_at_most(trial, 1e-11, pre_error / pre, "%s: stress", name);
    scree_report_at_most(trial, tolerance, error / largest, "%s: stiffness", name);
    return SCREE_OK;
}

// The three components in closed form, relative to the first one.
static void check_closed_form(struct scree_trial *trial, const struct state *state, const char *name,
                              double measured[9][9])
{
    const struct crystal *crystal = state->crystal;
    const struct springs springs = springs_of(state->law, length);
    const double volume = crystal->volume * pow(length, crystal->dimension),
                 b = springs.force * length / volume, k = springs.tangential * length * length / volume,
                 a = springs.normal * length * length / volume + b - k;
    const double along = crystal->q * a + crystal->m * (k - b), beside = crystal->p * a + crystal->m * b,
                 shear = crystal->p * a + crystal->m * (0.5 * k - b);
    scree_report_near(trial, 1, measured[0][0] / along, tolerance, "%s: s_xx by L_xx", name);
    scree_report_near(trial, beside / along, measured[0][4] / along, tolerance, "%s: s_xx by L_yy", name);
    scree_report_near(trial, shear / along, measured[1][1] / along, tolerance, "%s: s_xy by L_xy", name);
    scree_report_near(trial, shear / along, measured[1][3] / along, tolerance, "%s: s_xy by L_yx", name);
}

// The order of the errors of half differences.
static scree_status check_order(struct scree_trial *trial, const struct state *state)
{
    enum { RUNS = 5 };
    static const double direction[9] = {0.4, -0.3, 0.2, 0.5, -0.1, 0.3, -0.2, 0.4, 0.25};
    double stress[3][3], stiffness[9][9], errors[RUNS];
    sum_bonds(state, stress, stiffness);
    for (int r = 0; r < RUNS; ++r) {
        double change[9], square = 0;
        SCREE_TRY(derivative(trial, state, direction, 4e-3 / (1 << r), change));
        for (int t = 0; t < 9; ++t) {
            const double error = change[t] - scree_algebra_dot(stiffness[t], direction, 9);
            square += error * error;
        }
        errors[r] = sqrt(square);
    }
    // overlaps change by up to a fifth, so that the order differs by log2 of 1.04 / 1.01 at first
    scree_report_near(trial, state->law->hertz && state->law->tangential ? 1 : 2,
                      scree_report_order(errors, RUNS), 0.05, "fcc, %s: order in strain", state->law->name);
    return SCREE_OK;
}

scree_status scree_cell_crystals(struct scree_trial *trial)
{
    // a rotation by about 0.5 rad times a strain of up to 0.007, in the plane and in space
    static const double flat[3][3] = {{0.877, -0.48, 0}, {0.481, 0.882, 0}, {0, 0, 1}},
                        turned[3][3] = {
                            {0.937, -0.292, 0.205}, {0.294, 0.958, 0.021}, {-0.199, 0.043, 0.985}};
    for (size_t c = 0; c < sizeof crystals / sizeof crystals[0]; ++c)
        for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l) {
            char name[80];
            double measured[9][9];
            struct state state = {&crystals[c], &laws[l], {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
            // the laws of Hertz and Mindlin are laws of spheres
            if (laws[l].hertz && crystals[c].dimension == 2)
                continue;
            snprintf(name, sizeof name, "%s, %s", crystals[c].name, laws[l].name);
            SCREE_TRY(compare(trial, &state, name, measured));
            check_closed_form(trial, &state, name, measured);
            memcpy(state.deformation, crystals[c].dimension == 2 ? flat : turned, sizeof state.deformation);
            snprintf(name, sizeof name, "%s strained, %s", crystals[c].name, laws[l].name);
            SCREE_TRY(compare(trial, &state, name, measured));
        }
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l)
        SCREE_TRY(
            check_order(trial, &(struct state){&crystals[3], &laws[l], {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}));
    return SCREE_OK;
}
