// Beams made of bonded spheres: deflections of a cantilever, and frequencies of a free beam.
//
// A chain along x. Beam bonds are exact for loads at the nodes, whatever the lengths of the elements:
//
//     axial force N      u = N L / (E A)
//     force P            w = P L^3 / (3 E I) + P L / (kGA),  slope P L^2 / (2 E I)
//     bending moment M   w = M L^2 / (2 E I),                slope M L / (E I)
//     torque T           angle T L / (G J)
//
// A parallel bond is a hinge at its middle, so that the integral of the curvature becomes a sum by the
// midpoint rule: for equal spheres w = P L^3 / (3 E I) (1 - 1 / (4 N^2)) + P L / (ks d A), with N bonds.
//
// Deflections are 1e-5 L. Large-displacement terms are of second order, 1e-10. Viscous damping at the lowest
// frequency reduces the distance from equilibrium by exp(-40).

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

static const double pi = SCREE_BONDED_PI, density = 1000, young = 1e7, shear_modulus = 4e6, factor = 0.9;

enum { NODES = 64 };

struct beam {
    int dimension;
    struct scree_bond_def bond;
    uint64_t nodes; // number of spheres; the first one is fixed in a cantilever
    double position[NODES], radius[NODES];
};

// Stiffnesses of a section: E A, E I, G J, and k G A, which is infinite for an Euler beam.
struct section {
    double axial, bending, torsion, shear;
};

static double mass_of(const struct beam *beam, double radius)
{
    return density * pi * radius * radius * (beam->dimension == 2 ? 1 : 4 * radius / 3);
}

// Moment of inertia over mass and radius squared.
static double roundness_of(const struct beam *beam)
{
    return beam->dimension == 2 ? 0.5 : 0.4;
}

static struct section section_of(const struct beam *beam)
{
    const struct scree_bond_def *bond = &beam->bond;
    const bool flat = beam->dimension == 2;
    const double area = flat ? 2 * bond->radius * bond->thickness : pi * bond->radius * bond->radius;
    const double inertia = area * bond->radius * bond->radius / (flat ? 3 : 4);
    const bool parallel = bond->kind == SCREE_BOND_PARALLEL;
    const double shear = parallel ? bond->young / bond->stiffness_ratio : bond->shear_modulus;
    return (struct section){.axial = bond->young * area,
                            .bending = bond->young * inertia,
                            .torsion = 2 * shear * inertia,
                            .shear = parallel                              ? shear * area
                                     : bond->kind == SCREE_BOND_TIMOSHENKO ? bond->shear_factor * shear * area
                                                                           : (double)INFINITY};
}

static scree_status begin(struct scree_trial *trial, const struct beam *beam, unsigned first_fixed)
{
    SCREE_TRY(scree_bonded_begin(trial, beam->dimension, density));
    for (uint64_t n = 0; n < beam->nodes; ++n)
        SCREE_TRY(scree_trial_add_round(trial, beam->radius[n], (const double[3]){beam->position[n], 0, 0},
                                        n == 0 ? first_fixed : 0));
    for (uint64_t n = 1; n < beam->nodes; ++n) {
        scree_bond_id id;
        SCREE_TRY(scree_bonded_join(trial, &beam->bond, n - 1, n, &id));
    }
    return SCREE_OK;
}

// A tenth of the shortest period, or less: twice the springs of the stiffest element move a sphere and turn
// it, also by their lever arm.
static double step_of(const struct beam *beam)
{
    const struct section section = section_of(beam);
    double rate = 0;
    for (uint64_t n = 1; n < beam->nodes; ++n) {
        const double length = beam->position[n] - beam->position[n - 1];
        const double radius = fmin(beam->radius[n], beam->radius[n - 1]);
        const double mass = mass_of(beam, radius), inertia = roundness_of(beam) * mass * radius * radius;
        const double beam_shear = 12 * section.bending / (length * length * length),
                     shear = beam->bond.kind == SCREE_BOND_PARALLEL ? section.shear / length : beam_shear;
        rate = fmax(rate, 4 * fmax(section.axial / length, shear) / mass);
        rate =
            fmax(rate, 4 * (fmax(section.bending, section.torsion) / length + shear * length * length / 4) /
                           inertia);
    }
    return 0.6 / sqrt(rate);
}

// --- cantilever

enum load { AXIAL, FORCE, MOMENT, TORQUE, LOADS };

// Displacement and angle of the last sphere.
struct deflection {
    double displacement, angle;
};

// Of the continuum under a load that displaces the tip by about 1e-5 L; `load` receives the load.
static struct deflection continuum(const struct beam *beam, enum load kind, double *load)
{
    const struct section s = section_of(beam);
    const double length = beam->position[beam->nodes - 1] - beam->position[0], part = 1e-5;
    switch (kind) {
    case AXIAL:
        *load = part * s.axial;
        return (struct deflection){*load * length / s.axial, 0};
    case FORCE:
        *load = part * 3 * s.bending / (length * length);
        return (struct deflection){*load * length * length * length / (3 * s.bending) +
                                       *load * length / s.shear,
                                   *load * length * length / (2 * s.bending)};
    case MOMENT:
        *load = part * 2 * s.bending / length;
        return (struct deflection){*load * length * length / (2 * s.bending), *load * length / s.bending};
    default:
        *load = part * s.torsion / length;
        return (struct deflection){0, *load * length / s.torsion};
    }
}

// Lowest frequency of the motion that a load causes, or less: that of the continuum with all its mass in the
// largest spheres.
static double lowest_rate(const struct beam *beam, enum load kind)
{
    const struct section s = section_of(beam);
    const uint64_t last = beam->nodes - 1;
    const double length = beam->position[last] - beam->position[0];
    double largest = 0;
    for (uint64_t n = 0; n < beam->nodes; ++n)
        largest = fmax(largest, beam->radius[n]);
    const double mass = mass_of(beam, largest) * ((double)last + 0.5) / length;
    if (kind == AXIAL)
        return 0.5 * pi / length * sqrt(s.axial / mass);
    if (kind == TORQUE)
        return 0.5 * pi / length * sqrt(s.torsion / (roundness_of(beam) * mass * largest * largest));
    const double slender = 3 / (length * length) * sqrt(s.bending / mass);
    return slender / sqrt(1 + 3 * s.bending / (s.shear * length * length));
}

static scree_status deflect(struct scree_trial *trial, const struct beam *beam, enum load kind, double load,
                            struct deflection *deflection)
{
    const double rate = lowest_rate(beam, kind), step = step_of(beam);
    const int axis = kind == FORCE ? 1 : 0, turn = kind == TORQUE ? 0 : 2;
    struct scree_load_def end = {0};
    struct scree_body_state state;
    SCREE_TRY(begin(trial, beam, SCREE_FIX_ALL));
    end.body = trial->body;
    if (kind == AXIAL || kind == FORCE)
        end.force[axis] = load;
    else
        end.moment[turn] = load;
    SCREE_TRY(scree_trial_constant_load(trial, &end));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step, .damping.viscous = 2 * rate}));
    SCREE_TRY(scree_trial_run(trial, (uint64_t)(40 / (rate * step)), &state));
    deflection->displacement = kind == AXIAL    ? state.position[0] - beam->position[beam->nodes - 1]
                               : kind == TORQUE ? 0
                                                : state.position[1];
    deflection->angle = kind == AXIAL ? 0 : 2 * state.orientation[1 + turn];
    return SCREE_OK;
}

static const char *const load_names[LOADS] = {"axial force", "force", "moment", "torque"};

static void report_deflection(struct scree_trial *trial, const struct deflection *expected,
                              const struct deflection *computed, const char *name)
{
    static const double tolerance = 1e-8;
    if (expected->displacement != 0)
        scree_report_near(trial, 1, computed->displacement / expected->displacement, tolerance,
                          "%s: displacement over closed form", name);
    if (expected->angle != 0)
        scree_report_near(trial, 1, computed->angle / expected->angle, tolerance,
                          "%s: angle over closed form", name);
}

// six elements of different lengths and spheres or disks
static struct beam uneven_beam(int dimension, enum scree_bond_kind kind)
{
    static const double length[6] = {1, 1.3, 0.9, 1.1, 1.25, 0.95},
                        radius[7] = {0.4, 0.5, 0.45, 0.35, 0.5, 0.6, 0.4};
    const bool shears = kind == SCREE_BOND_TIMOSHENKO;
    struct beam beam = {.dimension = dimension,
                        .bond = {.kind = kind,
                                 .radius = 0.45,
                                 .thickness = dimension == 2 ? 0.7 : 0,
                                 .young = young,
                                 .shear_modulus = shears || dimension == 3 ? shear_modulus : 0,
                                 .shear_factor = shears ? factor : 0},
                        .nodes = 7};
    for (int n = 0; n < 7; ++n) {
        beam.radius[n] = radius[n];
        beam.position[n] = n > 0 ? beam.position[n - 1] + length[n - 1] : 0;
    }
    return beam;
}

static scree_status check_cantilever(struct scree_trial *trial, const struct beam *beam)
{
    for (enum load kind = 0; kind < (beam->dimension == 2 ? TORQUE : LOADS); ++kind) {
        double load;
        struct deflection computed;
        const struct deflection expected = continuum(beam, kind, &load);
        SCREE_TRY(deflect(trial, beam, kind, load, &computed));
        report_deflection(trial, &expected, &computed, load_names[kind]);
    }
    return SCREE_OK;
}

scree_status scree_bond_beam_cantilever(struct scree_trial *trial)
{
    const struct beam beam = uneven_beam(3, *(const enum scree_bond_kind *)trial->data);
    return check_cantilever(trial, &beam);
}

scree_status scree_bond_beam_flat_cantilever(struct scree_trial *trial)
{
    const struct beam beam = uneven_beam(2, *(const enum scree_bond_kind *)trial->data);
    return check_cantilever(trial, &beam);
}

// parallel bonds of one section and total length between ever smaller spheres
static struct beam even_beam(uint64_t bonds)
{
    const double length = 8;
    struct beam beam = {.dimension = 3,
                        .bond = {.kind = SCREE_BOND_PARALLEL,
                                 .radius = 0.5,
                                 .young = young,
                                 .stiffness_ratio = 2.5,
                                 .touching = SCREE_BOND_TOUCHING_EXCLUDED},
                        .nodes = bonds + 1};
    for (uint64_t n = 0; n <= bonds; ++n) {
        beam.position[n] = length * (double)n / (double)bonds;
        beam.radius[n] = 0.5 * length / (double)bonds;
    }
    return beam;
}

scree_status scree_bond_beam_parallel(struct scree_trial *trial)
{
    enum { RUNS = 4, COARSEST = 2 };
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const struct beam beam = even_beam((uint64_t)COARSEST << r);
        const double bonds = COARSEST << r;
        double load;
        struct deflection computed, expected = continuum(&beam, FORCE, &load);
        const double bending = load * 512 / (3 * section_of(&beam).bending);
        SCREE_TRY(deflect(trial, &beam, FORCE, load, &computed));
        errors[r] = fabs(computed.displacement / expected.displacement - 1);
        expected.displacement -= bending / (4 * bonds * bonds);
        scree_report_near(trial, 1, computed.displacement / expected.displacement, 1e-8,
                          "force, %g bonds: displacement over sum", bonds);
    }
    // the error is exactly proportional to d^2; 1e-8 of the deflection are 2e-4 of the smallest error
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), 1e-3, "order in the size of the spheres");
    for (enum load kind = 0; kind < LOADS; ++kind) {
        const struct beam beam = even_beam(8);
        double load;
        struct deflection computed;
        const struct deflection expected = continuum(&beam, kind, &load);
        if (kind == FORCE)
            continue;
        SCREE_TRY(deflect(trial, &beam, kind, load, &computed));
        report_deflection(trial, &expected, &computed, load_names[kind]);
    }
    return SCREE_OK;
}
