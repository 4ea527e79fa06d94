// Definitions of bonds, see bond_def.h. Tables say which numbers each kind takes and needs, and its name and
// properties; the mechanics of all kinds is the same.

#include "contact/bond_def.h"

#include "math/real.h"
#include "math/trigonometry.h"

#include <math.h>
#include <stddef.h>

// Sets of kinds, for worlds of three and of two dimensions.
enum {
    CONTACT = 1 << SCREE_BOND_CONTACT,
    PARALLEL = 1 << SCREE_BOND_PARALLEL,
    EULER = 1 << SCREE_BOND_EULER,
    TIMOSHENKO = 1 << SCREE_BOND_TIMOSHENKO,
    BEAMS = EULER | TIMOSHENKO,
    SECTIONS = PARALLEL | BEAMS, // transmit moments
    ALL = CONTACT | SECTIONS
};

static const struct {
    const char *name;
    bool touches; // the sides can be in contact too, unless the definition says otherwise
} kinds[SCREE_BOND_KINDS] = {
    [SCREE_BOND_CONTACT] = {"contact bond", false},
    [SCREE_BOND_PARALLEL] = {"parallel bond", true},
    [SCREE_BOND_EULER] = {"Euler beam", false},
    [SCREE_BOND_TIMOSHENKO] = {"Timoshenko beam", false},
};

#define NUMBER(member, words, ...)                                                                           \
    {                                                                                                        \
        words, offsetof(struct scree_bond_def, member), __VA_ARGS__                                          \
    }
// Kinds that take a number, and that need it: in three dimensions, then in two. Names are words, which are
// right for callers and for scenes.
static const struct number {
    const char *name;
    size_t offset;
    unsigned taken[2], needed[2];
} numbers[] = {
    NUMBER(radius, "radius", {SECTIONS, SECTIONS}, {SECTIONS, SECTIONS}),
    NUMBER(thickness, "thickness", {0, SECTIONS}, {0, SECTIONS}),
    NUMBER(normal_stiffness, "normal stiffness", {CONTACT | PARALLEL, CONTACT | PARALLEL},
           {CONTACT, CONTACT}),
    NUMBER(shear_stiffness, "shear stiffness", {CONTACT | PARALLEL, CONTACT | PARALLEL}, {CONTACT, CONTACT}),
    NUMBER(young, "Young's modulus", {SECTIONS, SECTIONS}, {BEAMS, BEAMS}),
    NUMBER(stiffness_ratio, "stiffness ratio", {PARALLEL, PARALLEL}, {0, 0}),
    NUMBER(shear_modulus, "shear modulus", {BEAMS, TIMOSHENKO}, {BEAMS, TIMOSHENKO}),
    NUMBER(shear_factor, "shear factor", {TIMOSHENKO, TIMOSHENKO}, {TIMOSHENKO, TIMOSHENKO}),
    NUMBER(damping_ratio, "damping ratio", {ALL, ALL}, {0, 0}),
    NUMBER(tensile_strength, "tensile strength", {ALL, ALL}, {0, 0}),
    NUMBER(shear_strength, "shear strength", {ALL, ALL}, {0, 0}),
    NUMBER(friction_angle, "friction angle", {ALL, ALL}, {0, 0}),
    NUMBER(bending_strength, "bending strength", {SECTIONS, SECTIONS}, {0, 0}),
    NUMBER(torsion_strength, "torsion strength", {SECTIONS, 0}, {0, 0}),
    NUMBER(moment_factor, "moment factor", {SECTIONS, SECTIONS}, {0, 0}),
    NUMBER(softening, "softening", {ALL, ALL}, {0, 0}),
};
#undef NUMBER

static double value_of(const struct scree_bond_def *def, const struct number *number)
{
    return *(const double *)(const void *)((const char *)def + number->offset);
}

static scree_status refuse(const struct scree_bond_def *def, const char *what)
{
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "%s: %s", kinds[def->kind].name, what);
}

static scree_status check_number(const struct scree_bond_def *def, const struct number *number, int flat)
{
    const double value = value_of(def, number);
    const unsigned kind = 1u << def->kind;
    if (value == 0 && (number->needed[flat] & kind))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "%s: the %s is missing", kinds[def->kind].name,
                                 number->name);
    if (value == 0)
        return SCREE_OK;
    if (!(number->taken[flat] & kind))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "%s: the %s has no meaning for this kind%s",
                                 kinds[def->kind].name, number->name, flat ? " in two dimensions" : "");
    if (!(value >= 1e-150 && value <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "%s: the %s must be positive, from 1e-150 to 1e150; got %g",
                                 kinds[def->kind].name, number->name, value);
    return SCREE_OK;
}

// A parallel bond is given by two stiffnesses, or by a modulus and their ratio.
static scree_status check_parallel(const struct scree_bond_def *def)
{
    const bool by_stiffness = def->normal_stiffness > 0 && def->shear_stiffness > 0;
    const bool by_modulus = def->young > 0 && def->stiffness_ratio > 0;
    const bool mixed = (def->normal_stiffness > 0 || def->shear_stiffness > 0) &&
                       (def->young > 0 || def->stiffness_ratio > 0);
    if (!mixed && (by_stiffness || by_modulus))
        return SCREE_OK;
    return refuse(def,
                  "give either a normal and a shear stiffness, or Young's modulus and a stiffness ratio");
}

bool scree_bond_def_breaks(const struct scree_bond_def *def)
{
    return def->tensile_strength > 0 || def->shear_strength > 0 || def->bending_strength > 0 ||
           def->torsion_strength > 0;
}

static scree_status check_strengths(const struct scree_bond_def *def)
{
    const bool stressed = def->tensile_strength > 0 || def->shear_strength > 0;
    const bool factor = def->moment_factor > 0 || def->ignores_moments;
    if (def->friction_angle > 0 && !(def->shear_strength > 0))
        return refuse(def, "a friction angle needs a shear strength, the cohesion");
    if (def->friction_angle >= 0.5 * SCREE_PI)
        return refuse(def, "the friction angle must be below pi / 2");
    if (def->moment_factor > 1 || (def->moment_factor > 0 && def->ignores_moments))
        return refuse(
            def,
            "the moment factor must be from 0 to 1; a factor of 0 ignores moments, and excludes any other");
    if (stressed && def->kind != SCREE_BOND_CONTACT && !factor)
        return refuse(def,
                      "a tensile or shear strength needs a moment factor, from 0 (moments are ignored) to 1");
    if (factor && (!stressed || def->kind == SCREE_BOND_CONTACT))
        return refuse(def, "a moment factor belongs to a tensile or shear strength of a "
                           "bond that transmits moments");
    if (def->softening > 0 && !(def->softening > 1))
        return refuse(def, "the softening must be above 1");
    if (def->softening > 0 && !scree_bond_def_breaks(def))
        return refuse(def, "softening needs a strength");
    return SCREE_OK;
}

scree_status scree_bond_def_check(const struct scree_bond_def *def, int dimension)
{
    if (def->kind < SCREE_BOND_CONTACT || def->kind >= SCREE_BOND_KINDS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the kind of a bond must be one of enum scree_bond_kind; got %d",
                                 (int)def->kind);
    if (def->touching < SCREE_BOND_TOUCHING_BY_KIND || def->touching > SCREE_BOND_TOUCHING_EXCLUDED)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'touching' of a bond must be one of enum scree_bond_touching; got %d",
                                 (int)def->touching);
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; ++n)
        SCREE_TRY(check_number(def, &numbers[n], dimension == 2));
    if (def->kind == SCREE_BOND_PARALLEL)
        SCREE_TRY(check_parallel(def));
    return check_strengths(def);
}

bool scree_bond_def_touches(const struct scree_bond_def *def)
{
    return def->touching == SCREE_BOND_TOUCHING_BY_KIND ? kinds[def->kind].touches
                                                        : def->touching == SCREE_BOND_TOUCHING_ALLOWED;
}

// Area and moments of a section: second moment of area, its polar one, and the outer radius.
struct section {
    double area, bending, polar, radius;
};

static struct section section_of(const struct scree_bond_def *def, int dimension)
{
    const double r = def->radius;
    if (def->kind == SCREE_BOND_CONTACT)
        return (struct section){.area = 1};
    // a plane bond does not twist
    if (dimension == 2)
        return (struct section){2 * r * def->thickness, 2.0 / 3 * def->thickness * (r * r * r), 0, r};
    return (struct section){SCREE_PI * r * r, 0.25 * SCREE_PI * (r * r) * (r * r),
                            0.5 * SCREE_PI * (r * r) * (r * r), r};
}

// The four stiffnesses: elongation, shear, twist and bending.
static void fill_stiffness(const struct scree_bond_def *def, const struct section *section, double length,
                           double stiffness[4])
{
    const double axial = def->young / length; // per area
    double normal = def->normal_stiffness, shear = def->shear_stiffness;
    if (def->kind == SCREE_BOND_PARALLEL && def->young > 0) {
        normal = axial;
        shear = axial / def->stiffness_ratio;
    }
    if (def->kind == SCREE_BOND_CONTACT || def->kind == SCREE_BOND_PARALLEL) {
        stiffness[0] = normal * section->area;
        stiffness[1] = shear * section->area;
        stiffness[2] = shear * section->polar;
        stiffness[3] = normal * section->bending;
        return;
    }
    const double bending = length * length * length / (12 * def->young * section->bending);
    const double sliding = def->kind == SCREE_BOND_TIMOSHENKO
                               ? length / (def->shear_factor * def->shear_modulus * section->area)
                               : 0;
    stiffness[0] = axial * section->area;
    stiffness[1] = 1 / (bending + sliding);
    stiffness[2] = def->shear_modulus * section->polar / length;
    stiffness[3] = axial * section->bending;
}

static bool is_beam(const struct scree_bond_def *def)
{
    return (BEAMS >> def->kind & 1) != 0;
}

void scree_bond_def_springs(const struct scree_bond_def *def, int dimension,
                            const struct scree_bond_def_place *place, struct scree_bond_spring *spring)
{
    const struct section section = section_of(def, dimension);
    const double shift = is_beam(def) ? 0 : 0.5 * (place->radius[0] - place->radius[1]);
    fill_stiffness(def, &section, place->length, spring->stiffness);
    spring->length = place->length;
    spring->arm[0] = 0.5 * place->length + shift;
    spring->arm[1] = 0.5 * place->length - shift;
    // 2 zeta / omega of the axial vibration
    spring->damping = place->mass > 0 ? 2 * def->damping_ratio * sqrt(place->mass / spring->stiffness[0]) : 0;
}

void scree_bond_def_strengths(const struct scree_bond_def *def, int dimension,
                              const struct scree_bond_def_place *place, struct scree_bond_strength *strength)
{
    const struct section section = section_of(def, dimension);
    const double limit[SCREE_BOND_MODES] = {def->tensile_strength, def->shear_strength, def->bending_strength,
                                            def->torsion_strength};
    const struct scree_sincos angle = scree_sincos(def->friction_angle);
    *strength = (struct scree_bond_strength){
        .section = {1 / section.area, section.bending > 0 ? section.radius / section.bending : 0,
                    section.polar > 0 ? section.radius / section.polar : 0},
        .moment_factor = def->moment_factor,
        .end = is_beam(def) ? 0.5 * place->length : 0,
        .friction = angle.sin / angle.cos,
        .softening = def->softening};
    for (int k = 0; k < SCREE_BOND_MODES; ++k)
        strength->limit[k] = limit[k];
}
