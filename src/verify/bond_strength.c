// Strength of one bond between two spheres with prescribed motion.
//
// The second sphere moves along the bond (x) or across it (y); both turn in opposite directions about the
// bond or about z, so that turning moves the middles of both sides equally. Then every deformation grows in
// proportion to time, and so do forces F, moments M and stresses, with the stiffnesses of scree/bond.h. The
// bond breaks in the first step in which a stress exceeds its strength:
//
//     tension    F_n / A + beta |M_b| R / I                            > tensile strength
//     shear      |F_s| / A + beta |M_t| R / J + tan(phi) F_n / A       > shear strength
//     bending    |M_b| R / I > bending strength,   torsion  |M_t| R / J > torsion strength
//
// with M_b of a beam at its end, increased by F_s L / 2. Strengths are chosen so that this is step 1001 and
// lies in the middle of an increment. Rotations by an angle t about z stretch a bond by about L t^2 / 8: at
// the deformations of 1e-7 here this is less than 1e-7 of the stress. Positions are rounded to 1e-16: 1e-9 of
// the deformation.
//
// Disks have the same tests without torsion, with the section of a rectangle: A = 2 R t, I = 2 R^3 t / 3.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

static const double pi = SCREE_BONDED_PI, length = 1.2, section = 0.4, thickness = 0.7, young = 1e7,
                    ratio = 2.5, shear_modulus = 4e6, factor = 0.9, step = 1e-4, tolerance = 1e-6;
enum { BREAKING = 1001 };

// A test: rates of deformation, and what is given of the bond.
struct pull {
    const char *name;
    enum scree_bond_kind kind;
    enum scree_bond_mode mode;
    double along, across, twist, bend; // m/s, rad/s
    double beta, friction_angle;
};

static const struct pull pulls[] = {
    {"contact bond, tension", SCREE_BOND_CONTACT, SCREE_BOND_TENSION, 1e-6, 0, 0, 0, 0, 0},
    {"contact bond, shear", SCREE_BOND_CONTACT, SCREE_BOND_SHEAR, 0, 1e-6, 0, 0, 0, 0},
    {"contact bond, shear under compression", SCREE_BOND_CONTACT, SCREE_BOND_SHEAR, -2e-7, 1e-6, 0, 0, 0,
     0.6},
    {"parallel bond, tension", SCREE_BOND_PARALLEL, SCREE_BOND_TENSION, 1e-6, 0, 0, 0, 0, 0},
    {"parallel bond, shear", SCREE_BOND_PARALLEL, SCREE_BOND_SHEAR, 0, 1e-6, 0, 0, 0, 0},
    {"parallel bond, bending", SCREE_BOND_PARALLEL, SCREE_BOND_BENDING, 0, 0, 0, 1e-6, 0, 0},
    {"parallel bond, torsion", SCREE_BOND_PARALLEL, SCREE_BOND_TORSION, 0, 0, 1e-6, 0, 0, 0},
    {"parallel bond, tension with bending", SCREE_BOND_PARALLEL, SCREE_BOND_TENSION, 2e-7, 0, 0, 1e-6, 0.7,
     0},
    {"parallel bond, tension by bending", SCREE_BOND_PARALLEL, SCREE_BOND_TENSION, 0, 0, 0, -1e-6, 0.5, 0},
    {"parallel bond, shear with torsion", SCREE_BOND_PARALLEL, SCREE_BOND_SHEAR, 0, 3e-7, 1e-6, 0, 0.7, 0},
    {"parallel bond, shear under compression", SCREE_BOND_PARALLEL, SCREE_BOND_SHEAR, -2e-7, -1e-6, 0, 0, 0,
     0.6},
    {"parallel bond, shear under tension", SCREE_BOND_PARALLEL, SCREE_BOND_SHEAR, 2e-7, 1e-6, 0, 0, 0, 0.6},
    {"Euler beam, tension", SCREE_BOND_EULER, SCREE_BOND_TENSION, 1e-6, 0, 0, 0, 0, 0},
    {"Euler beam, shear", SCREE_BOND_EULER, SCREE_BOND_SHEAR, 0, 1e-6, 0, 0, 0, 0},
    {"Euler beam, bending by shear", SCREE_BOND_EULER, SCREE_BOND_BENDING, 0, 1e-6, 0, 4e-7, 0, 0},
    {"Euler beam, torsion", SCREE_BOND_EULER, SCREE_BOND_TORSION, 0, 0, -1e-6, 0, 0, 0},
    {"Timoshenko beam, shear", SCREE_BOND_TIMOSHENKO, SCREE_BOND_SHEAR, 0, 1e-6, 0, 0, 0, 0},
    {"Timoshenko beam, bending", SCREE_BOND_TIMOSHENKO, SCREE_BOND_BENDING, 0, 0, 0, 1e-6, 0, 0},
};

// The decisive stress over t, without friction in its strength, and the energy over t^2.
struct rates {
    double stress, energy;
};

static double area_of(const struct pull *pull, bool flat)
{
    if (pull->kind == SCREE_BOND_CONTACT)
        return 1;
    return flat ? 2 * section * thickness : pi * section * section;
}

static struct rates rates_of(const struct pull *pull, bool flat)
{
    const bool contact = pull->kind == SCREE_BOND_CONTACT, parallel = pull->kind == SCREE_BOND_PARALLEL;
    const double area = area_of(pull, flat), inertia = area * section * section / (flat ? 3 : 4);
    const double modulus = parallel ? young / ratio : shear_modulus;
    double normal = young * area / length, shear = 12 * young * inertia / (length * length * length),
           twist = 2 * modulus * inertia / length, bend = young * inertia / length;
    if (pull->kind == SCREE_BOND_TIMOSHENKO)
        shear = 1 / (1 / shear + length / (factor * modulus * area));
    if (parallel || contact)
        shear = normal / ratio;
    if (contact)
        twist = bend = 0;
    const double force = normal * pull->along, side = shear * fabs(pull->across);
    const double moment = fabs(bend * pull->bend) + (parallel || contact ? 0 : 0.5 * length * side);
    const double torque = fabs(twist * pull->twist);
    const double bending = contact ? 0 : moment * section / inertia,
                 torsion = contact ? 0 : torque * section / (2 * inertia);
    const double stress[SCREE_BOND_MODES] = {
        force / area + pull->beta * bending,
        side / area + pull->beta * torsion + tan(pull->friction_angle) * force / area, bending, torsion};
    return (struct rates){
        .stress = stress[pull->mode],
        .energy = 0.5 * (normal * pull->along * pull->along + shear * pull->across * pull->across +
                         twist * pull->twist * pull->twist + bend * pull->bend * pull->bend)};
}

static struct scree_bond_def make_bond(const struct pull *pull, bool flat, double strength)
{
    struct scree_bond_def bond = {.kind = pull->kind, .friction_angle = pull->friction_angle};
    double *const strengths[SCREE_BOND_MODES] = {&bond.tensile_strength, &bond.shear_strength,
                                                 &bond.bending_strength, &bond.torsion_strength};
    *strengths[pull->mode] = strength;
    if (pull->kind == SCREE_BOND_CONTACT) {
        bond.normal_stiffness = young / length;
        bond.shear_stiffness = bond.normal_stiffness / ratio;
        return bond;
    }
    bond.radius = section;
    bond.young = young;
    bond.stiffness_ratio = pull->kind == SCREE_BOND_PARALLEL ? ratio : 0;
    bond.thickness = flat ? thickness : 0;
    const bool shears = pull->kind == SCREE_BOND_TIMOSHENKO || (pull->kind == SCREE_BOND_EULER && !flat);
    bond.shear_modulus = shears ? shear_modulus : 0;
    bond.shear_factor = pull->kind == SCREE_BOND_TIMOSHENKO ? factor : 0;
    bond.moment_factor = pull->beta;
    bond.ignores_moments =
        pull->beta == 0 && (pull->mode == SCREE_BOND_TENSION || pull->mode == SCREE_BOND_SHEAR);
    return bond;
}

// Sets the rates of deformation, `sign` times those of the test.
static scree_status move(struct scree_trial *trial, const struct pull *pull, double sign)
{
    for (uint64_t b = 0; b < 2; ++b) {
        const double half = b == 0 ? -0.5 : 0.5;
        const double velocity[3] = {(double)b * sign * pull->along, (double)b * sign * pull->across, 0},
                     spin[3] = {half * sign * pull->twist, 0, half * sign * pull->bend};
        SCREE_TRY(scree_body_set_velocity(trial->world, (scree_body_id){b + 1}, velocity));
        SCREE_TRY(scree_body_set_spin(trial->world, (scree_body_id){b + 1}, spin));
    }
    return SCREE_OK;
}

static scree_status begin(struct scree_trial *trial, const struct pull *pull,
                          const struct scree_bond_def *bond, bool flat, double h, scree_bond_id *id)
{
    SCREE_TRY(scree_bonded_begin(trial, flat ? 2 : 3, 1));
    for (int b = 0; b < 2; ++b)
        SCREE_TRY(
            scree_trial_add_round(trial, 0.5 * length, (const double[3]){b * length, 0, 0}, SCREE_FIX_ALL));
    SCREE_TRY(scree_bonded_join(trial, bond, 0, 1, id));
    SCREE_TRY(move(trial, pull, 1));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = h});
}

static scree_status break_bond(struct scree_trial *trial, const struct pull *pull, bool flat)
{
    const struct rates rates = rates_of(pull, flat);
    const double breaking = (BREAKING - 0.5) * step, last = BREAKING - 1, time = BREAKING * step;
    const struct scree_bond_def bond = make_bond(pull, flat, rates.stress * breaking);
    struct scree_bond_state state;
    struct scree_bond_event event = {0};
    struct scree_energy energy;
    scree_bond_id id;
    SCREE_TRY(begin(trial, pull, &bond, flat, step, &id));
    SCREE_TRY(scree_engine_run(trial->engine, BREAKING - 1));
    SCREE_TRY(scree_bond_get(trial->world, id, &state));
    const double friction = tan(pull->friction_angle) * state.normal_force;
    const double area = area_of(pull, flat);
    // friction is part of the strength, not of the stress
    const double stress = rates.stress * last * step - friction / area,
                 strength = rates.stress * breaking - friction / area;
    scree_report_near(trial, stress / strength, state.ratio[pull->mode], tolerance,
                      "%s: stress over strength one step before", pull->name);
    SCREE_TRY(scree_engine_run(trial->engine, 3));
    const bool found = scree_bond_next_event(trial->world, 0, &event) && event.mode == pull->mode &&
                       event.bond.value == id.value && !scree_bond_exists(trial->world, id);
    scree_report_near(trial, BREAKING, found ? (double)event.step : 0, 0, "%s: step of breaking", pull->name);
    // the force still acts for half a step, in which the energy grows by h / 2 times its rate
    const double released = rates.energy * time * time * (1 + 1.0 / BREAKING);
    scree_report_near(trial, 1, event.energy / released, tolerance, "%s: energy over closed form",
                      pull->name);
    SCREE_TRY(scree_energy_get(trial->world, &energy));
    scree_report_near(trial, 1, energy.released / event.energy, 1e-12, "%s: ledger over event", pull->name);
    // work is summed by the trapezoidal rule, exact for forces proportional to time
    scree_report_at_most(trial, tolerance, fabs(energy.balance) / energy.work, "%s: balance over work",
                         pull->name);
    return SCREE_OK;
}

scree_status scree_bond_strength_one(struct scree_trial *trial)
{
    for (size_t p = 0; p < sizeof pulls / sizeof pulls[0]; ++p)
        SCREE_TRY(break_bond(trial, &pulls[p], false));
    return SCREE_OK;
}

scree_status scree_bond_strength_flat(struct scree_trial *trial)
{
    for (size_t p = 0; p < sizeof pulls / sizeof pulls[0]; ++p)
        if (pulls[p].twist == 0)
            SCREE_TRY(break_bond(trial, &pulls[p], true));
    return SCREE_OK;
}

// --- softening

// The force falls linearly from the strength, at the deformation u, to zero at `softening` u. The area below
// this curve is strength times u times softening / 2. Sums by the trapezoidal rule err at the two corners
// only, by less than 1 / 4 of a square of the increment each: 1e-6 of the area at 1001 steps up to the
// strength.
static scree_status soften(struct scree_trial *trial, const struct pull *pull, double softening)
{
    const struct rates rates = rates_of(pull, false);
    const double breaking = (BREAKING - 0.5) * step, area = rates.energy * breaking * breaking * softening;
    struct scree_bond_def bond = make_bond(pull, false, rates.stress * breaking);
    struct scree_bond_state state;
    struct scree_bond_event event = {0};
    struct scree_energy energy;
    scree_bond_id id;
    bond.softening = softening;
    SCREE_TRY(begin(trial, pull, &bond, false, step, &id));
    // halfway down, in the middle of the deformations at the strength and at breaking; there and back
    const uint64_t middle = (uint64_t)(0.5 * (1 + softening) * BREAKING);
    SCREE_TRY(scree_engine_run(trial->engine, middle));
    SCREE_TRY(scree_bond_get(trial->world, id, &state));
    const double peak = (double)middle * step / breaking,
                 ratio_expected = (softening - peak) / (softening - 1);
    scree_report_near(trial, ratio_expected, state.ratio[pull->mode], tolerance * softening,
                      "%s, softening %g: stress over strength", pull->name, softening);
    scree_report_near(trial, 1 - ratio_expected / peak, state.damage, tolerance * softening,
                      "%s, softening %g: damage", pull->name, softening);
    const double stored = state.stored;
    SCREE_TRY(move(trial, pull, -1));
    SCREE_TRY(scree_engine_run(trial->engine, middle / 2));
    SCREE_TRY(scree_bond_get(trial->world, id, &state));
    const double left = 1 - (double)(middle / 2) / (double)middle;
    scree_report_near(trial, left * left, state.stored / stored, tolerance,
                      "%s, softening %g: unloaded energy", pull->name, softening);
    SCREE_TRY(move(trial, pull, 1));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(softening * BREAKING) - middle + middle / 2 + 3));
    const bool found = scree_bond_next_event(trial->world, 0, &event);
    scree_report_zero(trial, !found || event.mode != pull->mode, "%s, softening %g: not broken", pull->name,
                      softening);
    scree_report_near(trial, 1, (event.energy + event.lost) / area, 2 * tolerance,
                      "%s, softening %g: event over area", pull->name, softening);
    SCREE_TRY(scree_energy_get(trial->world, &energy));
    scree_report_near(trial, 1, energy.work / area, 2 * tolerance, "%s, softening %g: work over area",
                      pull->name, softening);
    scree_report_at_most(trial, 2 * tolerance, fabs(energy.balance) / area,
                         "%s, softening %g: balance over area", pull->name, softening);
    return SCREE_OK;
}

scree_status scree_bond_strength_softening(struct scree_trial *trial)
{
    static const int numbers[] = {0, 1, 3, 4, 5, 6, 12, 13};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; ++n)
        SCREE_TRY(soften(trial, &pulls[numbers[n]], 3));
    return soften(trial, &pulls[3], 1.5);
}
