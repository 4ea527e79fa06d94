// Measurements by name, see column.h.

#include "measure/column.h"

#include "base/suggestion.h"
#include "measure/bond.h"
#include "measure/tally.h"
#include "world/cell.h"
#include "world/world.h"

#include <scree/body.h>
#include <scree/cell.h>
#include <scree/contact.h>
#include <scree/energy.h>
#include <scree/field.h>
#include <scree/flux_surface.h>
#include <scree/measure.h>
#include <scree/wall.h>
#include <scree/world.h>

#include <math.h>
#include <string.h>

enum kind {
    STATE,
    CONTACTS,
    COLLISIONS,
    COLLISION_MEANS,
    COLLISION_PRESSURE,
    IMPULSES,
    ENERGY,
    CELL,
    MOMENTUM,
    ANGULAR,
    UNBALANCED,
    FORCE_RATIO,
    INERTIAL,
    DEEPEST,
    WALL_POWER,
    LOAD,
    WEAR,
    PASSED,
    INSERT_DELETE,
    MOTION,
    SOLID,
    TOUCHING,
    STRESS,
    COUPLE_STRESS,
    KINETIC_STRESS,
    KURTOSIS,
    FABRIC,
    DIAMETER,
    SPEED,
    OVERLAP,
    FORCE,
    MIXING,
    PLACE,
    WALL_PLACE,
    SAMPLE,
    FLOW,
    BONDS,
    FRAGMENTS,
    BOND_ENERGY
};

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "all columns have the size of a double");

// The result of a measurement; a column is a member of it.
union result {
    double number, tensor[9];
    struct {
        double time, steps, step, bodies, walls;
    } state;
    struct {
        struct scree_energy ledger;
        double kinetic, error;
    } energy;
    struct {
        struct scree_cell_state state;
        double strain_volume;
    } cell;
    struct scree_momentum momentum;
    struct scree_collisions collisions;
    struct scree_measure_collision_means collision_means;
    struct scree_cell_course course;
    struct {
        double force[3], moment[3];
    } load;
    struct scree_wall_wear wear;
    struct {
        double mass, bodies;
    } passed;
    struct {
        uint64_t bodies[2];
        double mass[2];
    } insert_delete;
    struct scree_measure_mean_motion motion;
    struct {
        double share, porosity, void_ratio;
    } solid;
    struct scree_measure_coordination_numbers touching;
    struct {
        double tensor[9], pressure, deviator;
    } stress;
    struct scree_measure_mean_position place;
    struct scree_measure_wall_position wall_place;
    struct scree_measure_sample sample;
    struct scree_flux_surface_flow flow;
    struct scree_bond_counts bonds;
    struct scree_bond_pieces fragments;
    struct scree_bond_energies bond_energy;
};

#define INSIDE SCREE_COLUMN_INSIDE
#define OF SCREE_COLUMN_OF
#define THROUGH SCREE_COLUMN_THROUGH
#define PERCENTILE SCREE_COLUMN_PERCENTILE
#define BY_MASS SCREE_COLUMN_BY_MASS
#define MEMBERS SCREE_COLUMN_MEMBERS
#define GRID SCREE_COLUMN_GRID
#define SINCE SCREE_COLUMN_SINCE
#define FACES SCREE_COLUMN_FACES
#define OVER SCREE_COLUMN_OVER
#define ABOUT SCREE_COLUMN_ABOUT
#define WORN SCREE_COLUMN_WEAR
#define TRIED SCREE_COLUMN_TRIED
#define COLUMN(name, unit, flat, kind, member, arguments, about)                                             \
    {name,                                                                                                   \
     unit,                                                                                                   \
     flat,                                                                                                   \
     about,                                                                                                  \
     kind,                                                                                                   \
     offsetof(union result, member),                                                                         \
     _Generic(((union result *)0)->member, double                                                            \
              : false, default                                                                               \
              : true),                                                                                       \
     arguments},
const struct scree_column_row scree_column_rows[] = {
#include "measure/column.def"
    {0}};
#undef COLUMN

#define COLUMN(name, unit, flat, kind, member, arguments, about) name,
const char *const scree_column_names[] = {
#include "measure/column.def"
    NULL};
#undef COLUMN

size_t scree_column_find(const char *name)
{
    size_t c = 0;
    while (scree_column_rows[c].name && strcmp(scree_column_rows[c].name, name) != 0)
        ++c;
    return c;
}

bool scree_column_needs_forces(const struct scree_column_row *row)
{
    static const bool needs[BOND_ENERGY + 1] = {
        [CONTACTS] = true,   [UNBALANCED] = true, [FORCE_RATIO] = true,   [INERTIAL] = true,
        [DEEPEST] = true,    [WALL_POWER] = true, [LOAD] = true,          [WEAR] = true,
        [TOUCHING] = true,   [STRESS] = true,     [COUPLE_STRESS] = true, [FABRIC] = true,
        [OVERLAP] = true,    [FORCE] = true,      [BONDS] = true,         [FRAGMENTS] = true,
        [BOND_ENERGY] = true};
    return needs[row->kind];
}

bool scree_column_needs_collisions(const struct scree_column_row *row)
{
    return row->kind == COLLISIONS || row->kind == COLLISION_MEANS || row->kind == COLLISION_PRESSURE ||
           row->kind == IMPULSES;
}

const char *scree_column_arguments(const struct scree_column_row *row)
{
    return row->arguments & GRID         ? "a group of bodies and a grid"
           : row->arguments & FACES      ? "a group of walls with opposite faces"
           : row->arguments & WORN       ? "a group of walls with a mesh"
           : row->arguments & OF         ? "a group of walls"
           : row->arguments & THROUGH    ? "a surface"
           : row->arguments & OVER       ? "a window of time"
           : row->arguments & PERCENTILE ? "a percentile"
           : row->arguments & MEMBERS    ? "a region, a group of bodies"
           : row->arguments & INSIDE     ? "a region"
                                         : NULL;
}

scree_status scree_column_by_name(const char *name, struct scree_measurement *measurement)
{
    struct scree_suggestion known = {.wanted = name};
    memset(measurement, 0, sizeof *measurement);
    measurement->row = scree_column_find(name);
    const struct scree_column_row *row = &scree_column_rows[measurement->row];
    if (row->name && !(row->arguments & (SCREE_COLUMN_REQUIRED | SCREE_COLUMN_OVER)))
        return SCREE_OK;
    if (row->name)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the column '%s' needs %s, which only a scene can give", name,
                                 scree_column_arguments(row));
    for (const char *const *other = scree_column_names; *other; ++other)
        scree_suggestion_add(&known, *other);
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no column '%.60s'%s", name,
                             scree_suggestion_hint(&known, ""));
}

// --- measurements

static scree_status measure_state(struct scree_world *world, union result *out)
{
    struct scree_view view;
    SCREE_TRY(scree_field_view(world, "engine.step", &view));
    out->state.time = scree_world_time(world);
    out->state.steps = (double)scree_world_steps(world);
    out->state.step = *(const double *)view.base;
    out->state.bodies = (double)scree_body_count(world);
    out->state.walls = (double)scree_wall_count(world);
    return SCREE_OK;
}

static scree_status measure_collision_pressure(const struct scree_world *world,
                                               const struct scree_flux_surface_window *window,
                                               union result *out)
{
    struct scree_measure_collision_means means;
    double volume;
    SCREE_TRY(scree_measure_volume(world, NULL, &volume));
    SCREE_TRY(scree_measure_collisions(world, window, &means));
    out->number = means.virial / (scree_world_dimension(world) * volume);
    return SCREE_OK;
}

static scree_status measure_cell(const struct scree_world *world, union result *out)
{
    SCREE_TRY(scree_cell_get_state(world, &out->cell.state));
    const double *strain = out->cell.state.strain;
    out->cell.strain_volume = strain[0] + strain[4] + strain[8];
    return SCREE_OK;
}

static scree_status measure_impulses(const struct scree_world *world, union result *out)
{
    const struct scree_cell_course *course = scree_world_cell_course(world);
    if (!scree_world_lattice(world))
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "components of the stress of collisions are counted in cells with cell vectors "
            "only, also those at rest: give the world a `cell` or `deform`, or use "
            "'collision-virial', for the pressure");
    out->course = course ? *course : (struct scree_cell_course){0};
    return SCREE_OK;
}

static scree_status measure_energy(struct scree_world *world, union result *out)
{
    const struct scree_energy *energy = &out->energy.ledger;
    SCREE_TRY(scree_energy_get(world, &out->energy.ledger));
    out->energy.kinetic = energy->translation + energy->rotation;
    const double scale = scree_energy_scale(energy);
    const bool significant = scale > 0 && fabs(energy->balance) > scree_energy_rounding(world, energy);
    out->energy.error = significant ? energy->balance / scale : 0;
    return SCREE_OK;
}

static scree_status measure_passed(const struct scree_world *world, scree_flux_surface_id flux_surface,
                                   union result *out)
{
    struct scree_flux_surface_crossings passed;
    SCREE_TRY(scree_flux_surface_get(world, flux_surface, &passed));
    out->passed.mass = passed.mass[0] - passed.mass[1];
    out->passed.bodies = (double)passed.bodies[0] - (double)passed.bodies[1];
    return SCREE_OK;
}

// Von Mises' q of the symmetric part of a tensor; in two dimensions the radius of Mohr's circle.
static double deviator_of(const double s[9], bool flat)
{
    const double xy = (s[1] + s[3]) / 2, xz = (s[2] + s[6]) / 2, yz = (s[5] + s[7]) / 2;
    const double a = s[0] - s[4], b = s[4] - s[8], c = s[8] - s[0];
    return flat ? sqrt(a * a / 4 + xy * xy)
                : sqrt((a * a + b * b + c * c) / 2 + 3 * (xy * xy + xz * xz + yz * yz));
}

static double pressure_of(const double s[9], bool flat)
{
    return flat ? (0 - s[0] - s[4]) / 2 : (0 - s[0] - s[4] - s[8]) / 3;
}

static scree_status measure_stress(const struct scree_world *world, const struct scree_measure_region *region,
                                   union result *out)
{
    double *s = out->stress.tensor;
    SCREE_TRY(scree_measure_stress(world, region, s));
    const bool flat = scree_world_dimension(world) == 2;
    out->stress.pressure = pressure_of(s, flat);
    out->stress.deviator = deviator_of(s, flat);
    return SCREE_OK;
}

static scree_status measure(struct scree_world *world, const struct scree_measurement *measurement,
                            union result *out)
{
    const struct scree_measure_region *region = &measurement->of.region;
    const enum kind kind = (enum kind)scree_column_rows[measurement->row].kind;
    const enum scree_measure_since since =
        measurement->of.since_stage ? SCREE_MEASURE_SINCE_STAGE : SCREE_MEASURE_SINCE_RUN;
    static const enum scree_measure_quantity quantities[] = {[DIAMETER] = SCREE_MEASURE_DIAMETER,
                                                             [SPEED] = SCREE_MEASURE_SPEED,
                                                             [OVERLAP] = SCREE_MEASURE_OVERLAP,
                                                             [FORCE] = SCREE_MEASURE_FORCE};
    switch (kind) {
    case STATE:
        return measure_state(world, out);
    case CONTACTS:
        out->number = (double)scree_contact_count(world);
        break;
    case COLLISIONS:
        out->collisions =
            scree_world_collisions(world) ? *scree_world_collisions(world) : (struct scree_collisions){0};
        break;
    case COLLISION_MEANS:
        return scree_measure_collisions(world, &measurement->of.window, &out->collision_means);
    case COLLISION_PRESSURE:
        return measure_collision_pressure(world, &measurement->of.window, out);
    case IMPULSES:
        return measure_impulses(world, out);
    case ENERGY:
        return measure_energy(world, out);
    case CELL:
        return measure_cell(world, out);
    case ANGULAR:
        SCREE_TRY(scree_cell_refuse_deforming(world, "the angular momentum"));
        return scree_energy_momentum(world, &out->momentum);
    case MOMENTUM:
        return scree_energy_momentum(world, &out->momentum);
    case UNBALANCED:
        return scree_measure_unbalanced(world, &out->number);
    case FORCE_RATIO:
        return scree_measure_force_ratio(world, &out->number);
    case INERTIAL:
        return scree_measure_inertial_number(world, &out->number);
    case DEEPEST:
        return scree_measure_max_overlap(world, &out->number);
    case WALL_POWER:
        return scree_measure_wall_power(world, &out->number);
    case LOAD:
        return scree_group_load(world, measurement->of.group, measurement->of.about, out->load.force,
                                out->load.moment);
    case WEAR:
        return scree_facet_group_wear(world, measurement->of.group, &out->wear);
    case PASSED:
        return measure_passed(world, measurement->of.flux_surface, out);
    case INSERT_DELETE:
        scree_tally_sum(world, SCREE_TALLY_IN, &out->insert_delete.bodies[0], &out->insert_delete.mass[0]);
        scree_tally_sum(world, SCREE_TALLY_OUT, &out->insert_delete.bodies[1], &out->insert_delete.mass[1]);
        break;
    case MOTION:
        return scree_measure_motion(world, region, &out->motion);
    case SOLID:
        SCREE_TRY(scree_measure_solid_fraction(world, region, &out->solid.share));
        out->solid.porosity = 1 - out->solid.share;
        out->solid.void_ratio =
            out->solid.share > 0 ? (1 - out->solid.share) / out->solid.share : (double)INFINITY;
        break;
    case TOUCHING:
        return scree_measure_coordination(world, region, &out->touching);
    case STRESS:
        return measure_stress(world, region, out);
    case COUPLE_STRESS:
        return scree_measure_couple_stress(world, region, out->stress.tensor);
    case KINETIC_STRESS:
        SCREE_TRY(scree_measure_kinetic_stress(world, region, out->stress.tensor));
        out->stress.pressure = pressure_of(out->stress.tensor, scree_world_dimension(world) == 2);
        break;
    case KURTOSIS:
        return scree_measure_kurtosis(world, region, &out->number);
    case FABRIC:
        return scree_measure_fabric(world, region, out->tensor, NULL);
    case DIAMETER:
    case SPEED:
    case OVERLAP:
    case FORCE:
        return scree_measure_percentile(world, region, quantities[kind], measurement->of.by_mass,
                                        measurement->of.percentile, &out->number);
    case MIXING:
        return scree_measure_mixing(world, region, measurement->of.group, measurement->of.cells,
                                    measurement->of.by_mass, &out->number);
    case PLACE:
        return scree_measure_position(world, region, since, &out->place);
    case WALL_PLACE:
        return scree_measure_walls(world, measurement->of.group, since, &out->wall_place);
    case SAMPLE:
        return scree_measure_strain(world, measurement->of.group, since, &out->sample);
    case FLOW:
        return scree_measure_mean_flow(world, measurement->of.flux_surface, &measurement->of.window,
                                       &out->flow);
    case BONDS:
        scree_bond_measure_counts(world, &out->bonds);
        break;
    case FRAGMENTS:
        return scree_bond_measure_pieces(world, &out->fragments);
    case BOND_ENERGY:
        return scree_bond_measure_energies(world, &out->bond_energy);
    }
    return SCREE_OK;
}

scree_status scree_column_measure(struct scree_world *world, const struct scree_measurement *measurement,
                                  size_t count, double *values)
{
    union result result[SCREE_COLUMN_MEASURED];
    for (size_t c = 0; c < count; ++c) {
        const struct scree_column_row *row = &scree_column_rows[measurement[c].row];
        size_t same = 0;
        while (same < c &&
               !(scree_column_rows[measurement[same].row].kind == row->kind &&
                 memcmp(&measurement[same].of, &measurement[c].of, sizeof measurement[c].of) == 0))
            ++same;
        if (same < c)
            result[c] = result[same];
        else
            SCREE_TRY(measure(world, &measurement[c], &result[c]));
        uint64_t integer;
        memcpy(&integer, (const char *)&result[c] + row->offset, sizeof integer);
        memcpy(&values[c], &integer, sizeof integer);
        values[c] = row->is_integer ? (double)integer : values[c];
    }
    return SCREE_OK;
}
