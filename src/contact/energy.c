// The energy ledger and the momenta, see include/scree/energy.h. Sums and totals are exact and rounded once,
// so they do not depend on the order of bodies, slots and edits, or on threads.

#include "base/sum.h"
#include "contact/ledger.h"
#include "contact/walk.h"
#include "world/body.h"
#include "world/bond.h"
#include "world/cell.h"
#include "world/edit.h"
#include "world/grain.h"

#include <scree/body.h>
#include <scree/energy.h>

#include <float.h>
#include <math.h>

enum {
    TRANSLATION,
    ROTATION,
    GRAVITY,
    WORK,
    LOSS,
    FRICTION,
    DASHPOT,
    INTERNAL,
    ELASTIC,
    RELEASED,
    ENERGY_INPUT,
    MEAN_POWER,
    ENERGIES
};

// Columns per body; the last is the dashpot loss entered ahead.
enum {
    BODY_COLUMNS = INTERNAL + 2,
    AHEAD = BODY_COLUMNS - 1,
    CAPACITY = 4 * SCREE_WALK_BLOCK,
    PREFETCH = 24
};
struct columns {
    double value[BODY_COLUMNS][CAPACITY];
    size_t count;
    bool losses;
    struct scree_sum *sums;
};

static void add_columns(struct columns *columns)
{
    for (int k = 0; k < (columns->losses ? BODY_COLUMNS : FRICTION); ++k)
        scree_sum_add_all(&columns->sums[k == AHEAD ? DASHPOT : k], columns->value[k], columns->count);
    columns->count = 0;
}

static inline void write_body(const struct scree_world *world, size_t slot,
                              const struct scree_on_step *motion, double (*value)[CAPACITY], size_t at)
{
    const struct scree_body_energy energy = scree_body_energy(world, (scree_slot){(uint32_t)slot}, motion);
    value[TRANSLATION][at] = energy.translation;
    value[ROTATION][at] = energy.rotation;
    value[GRAVITY][at] = energy.gravity;
    value[WORK][at] = motion->work;
    value[LOSS][at] = motion->loss;
}

static void write_losses(const struct scree_world *world, size_t first, size_t count, struct columns *columns)
{
    const struct scree_losses *losses = scree_world_losses(world);
    columns->losses = losses != NULL;
    for (size_t i = 0, at = columns->count; i < count && losses; ++i, ++at) {
        columns->value[FRICTION][at] = losses[first + i].friction;
        columns->value[DASHPOT][at] = losses[first + i].dashpot;
        columns->value[INTERNAL][at] = losses[first + i].internal;
        columns->value[AHEAD][at] = -0.5 * losses[first + i].ahead;
    }
    columns->count += count;
    if (columns->count > CAPACITY - SCREE_WALK_BLOCK)
        add_columns(columns);
}

static void add_energies(const struct scree_world *world, size_t first, size_t count,
                         const struct scree_on_step *motion, void *user)
{
    struct columns *columns = (struct columns *)user;
    for (size_t i = 0; i < count; ++i)
        write_body(world, first + i, &motion[i], columns->value, columns->count + i);
    for (size_t i = 0; i < count && scree_world_lattice(world); ++i)
        scree_sum_add(&columns->sums[MEAN_POWER], motion[i].mean_power);
    write_losses(world, first, count, columns);
}

// Between steps the stored velocities of round bodies are on-step, so they are read without a copy.
static void write_round(const struct scree_world *world, size_t first, size_t count,
                        double (*restrict value)[CAPACITY], size_t at)
{
    const struct scree_grain *grain = scree_world_grains(world) + first;
    const struct scree_wrench *wrench = scree_world_wrenches(world) + first;
    const struct scree_vec3 gravity = scree_vec3_load(scree_world_clock(world)->gravity);
    const bool images = scree_world_images(world) != NULL;
    const size_t left = scree_world_bodies(world) - first;
    for (size_t i = 0; i < count; ++i, ++at) {
        const size_t next = i + PREFETCH < left ? i + PREFETCH : i;
        __builtin_prefetch(&grain[next].position);
        __builtin_prefetch(&grain[next].spin);
        __builtin_prefetch(&wrench[next]);
        const struct scree_vec3 velocity = scree_body_fluctuation(world, &grain[i], grain[i].velocity),
                                spin = scree_body_spin_fluctuation(world, grain[i].spin);
        const struct scree_vec3 position =
            images ? scree_cell_unwrapped(world, (scree_slot){(uint32_t)(first + i)})
                   : scree_vec3_load(grain[i].position);
        const struct scree_vec3 momentum = scree_vec3_scale(spin, scree_grain_inertia(&grain[i], NULL));
        value[TRANSLATION][at] = 0.5 * grain[i].mass * scree_vec3_norm_squared(velocity);
        value[ROTATION][at] = 0.5 * scree_vec3_dot(momentum, spin);
        value[GRAVITY][at] = -grain[i].mass * scree_vec3_dot(gravity, position);
        value[WORK][at] = wrench[i].work;
        value[LOSS][at] = wrench[i].loss;
    }
}

static void add_on_step_round(struct scree_world *world, struct columns *columns)
{
    scree_edit_finish_fields(world);
    const size_t bodies = scree_world_bodies(world);
    for (size_t first = 0; first < bodies; first += SCREE_WALK_BLOCK) {
        const size_t count = bodies - first < SCREE_WALK_BLOCK ? bodies - first : SCREE_WALK_BLOCK;
        write_round(world, first, count, columns->value, columns->count);
        write_losses(world, first, count, columns);
    }
}

static scree_status add_bodies(struct scree_world *world, struct scree_sum *sums)
{
    struct columns columns;
    columns.count = 0;
    columns.losses = false;
    columns.sums = sums;
    // bodies that are not round have a rotor
    if (world->pending_step || scree_world_rotors(world))
        SCREE_TRY(scree_walk_blocks(world, add_energies, &columns));
    else
        add_on_step_round(world, &columns);
    add_columns(&columns);
    return SCREE_OK;
}

// Work of walls and losses of sliding dashpots are entered half a step ahead, which is subtracted here. The
// energy of contacts taken out of the ledger counts as energy input.
struct contact_energies {
    struct scree_sum *sums;
    double step;
};

static void add_contact(void *context, const struct scree_evaluated *evaluated,
                        struct scree_grain *const sides[2])
{
    const struct contact_energies *energies = (const struct contact_energies *)context;
    scree_sum_add(&energies->sums[ELASTIC], evaluated->stored);
    if (scree_ledger_is_out(sides)) {
        scree_sum_add(&energies->sums[ENERGY_INPUT], evaluated->stored);
        return;
    }
    scree_sum_add(&energies->sums[WORK], -0.5 * energies->step * evaluated->wall_power);
    scree_sum_add(&energies->sums[FRICTION], -0.5 * energies->step * evaluated->sliding);
}

// Contacts between grains, all in the ledger.
static void add_contacts(void *context, const double *stored, const double *sliding, size_t count)
{
    const struct contact_energies *energies = (const struct contact_energies *)context;
    double half_loss[SCREE_EVALUATE_ENERGIES_BATCH];
    for (size_t k = 0; k < count; ++k)
        half_loss[k] = -0.5 * energies->step * sliding[k];
    scree_sum_add_all(&energies->sums[ELASTIC], stored, count);
    scree_sum_add_all(&energies->sums[FRICTION], half_loss, count);
}

// Work of the cell until now, with the powers of the half-step before now that are not entered yet.
static double work_of_cell(const struct scree_world *world, const struct scree_sum *mean_power)
{
    return scree_world_lattice(world)->work -
           0.5 * scree_world_clock(world)->step * scree_sum_value(mean_power);
}

scree_status scree_energy_get(struct scree_world *world, struct scree_energy *energy)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_sum sums[ENERGIES] = {0};
    SCREE_TRY(add_bodies(world, sums));
    const struct scree_clock *clock = scree_world_clock(world);
    struct scree_evaluator_pairs pairs = {0};
    struct contact_energies contacts = {sums, clock->step};
    scree_ledger_visit(&(struct scree_evaluator){.world = world, .pairs = &pairs}, add_contact, add_contacts,
                       &contacts);
    const struct scree_total *totals[ENERGIES] = {
        [WORK] = &clock->removed_work,         [LOSS] = &clock->removed_loss,
        [FRICTION] = &clock->removed_friction, [DASHPOT] = &clock->removed_dashpot,
        [INTERNAL] = &clock->removed_internal, [RELEASED] = &clock->released,
        [ENERGY_INPUT] = &clock->energy_input};
    if (scree_world_lattice(world))
        scree_sum_add(&sums[WORK], work_of_cell(world, &sums[MEAN_POWER]));
    for (size_t b = 0; b < scree_bond_rows(world) && scree_bond_damages(world); ++b)
        scree_sum_add(&sums[RELEASED], scree_bond_damages(world)[b].lost);
    double value[ENERGIES];
    for (int k = 0; k < ENERGIES; ++k) {
        if (totals[k])
            scree_total_enter(totals[k], &sums[k]);
        value[k] = scree_sum_value(&sums[k]);
    }
    *energy = (struct scree_energy){.translation = value[TRANSLATION],
                                    .rotation = value[ROTATION],
                                    .gravity = value[GRAVITY],
                                    .elastic = value[ELASTIC],
                                    .work = value[WORK],
                                    .damping = value[LOSS],
                                    .friction = value[FRICTION],
                                    .dashpot = value[DASHPOT],
                                    .internal = value[INTERNAL],
                                    .released = value[RELEASED],
                                    .energy_input = value[ENERGY_INPUT]};
    energy->balance = energy->translation + energy->rotation + energy->gravity + energy->elastic -
                      energy->work + energy->damping + energy->friction + energy->dashpot + energy->internal +
                      energy->released - energy->energy_input;
    return SCREE_OK;
}

double scree_energy_scale(const struct scree_energy *energy)
{
    return energy->translation + energy->rotation + energy->elastic + fabs(energy->damping) +
           fabs(energy->friction) + fabs(energy->dashpot) + fabs(energy->internal) + fabs(energy->released) +
           fabs(energy->work);
}

// The energy that a bond without load stores because its sides are at rounded positions and orientations: a
// few units in the last place of the coordinates and of the length, and of a rotation.
static double rounding_of_bond(const struct scree_world *world, uint32_t row)
{
    const double units = 4 * DBL_EPSILON;
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[row];
    const struct scree_grain *grain = scree_bond_grain(world, &scree_bond_sides(world)[row], 0);
    if (!grain)
        return 0;
    double far = spring->length;
    for (int k = 0; k < 3; ++k)
        far += fabs(grain->position[k]);
    const double *k = spring->stiffness;
    return 0.5 * units * units * ((k[0] + 2 * k[1]) * far * far + k[2] + 2 * k[3]);
}

// Kinetic energy of the mean motion of a cell that deforms: fluctuations, whose energy is counted, have the
// rounding of total velocities.
static double mean_kinetic_energy(const struct scree_world *world)
{
    struct scree_sum sum = {0};
    for (size_t i = 0; i < scree_world_bodies(world) && scree_world_lattice(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_vec3 mean = scree_cell_mean_velocity(world, grain->position);
        scree_sum_add(&sum, 0.5 * grain->mass * scree_vec3_norm_squared(mean));
    }
    return scree_sum_value(&sum);
}

double scree_energy_rounding(const struct scree_world *world, const struct scree_energy *energy)
{
    struct scree_sum bonds = {0};
    for (uint32_t row = 0; row < scree_bond_rows(world); ++row)
        scree_sum_add(&bonds, rounding_of_bond(world, row));
    return scree_sum_value(&bonds) + DBL_EPSILON * mean_kinetic_energy(world) +
           DBL_EPSILON * (double)(16 + scree_body_count(world)) *
               (fabs(energy->gravity) + fabs(energy->energy_input));
}

enum { LINEAR, ANGULAR = 3, MOMENTA = 6 };

static void add_momentum(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                         void *user)
{
    struct scree_sum *sums = (struct scree_sum *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    const struct scree_vec3 v = scree_body_fluctuation(world, grain, motion->velocity);
    double velocity[3], orbital[3];
    scree_vec3_store(v, velocity);
    scree_vec3_store(scree_vec3_cross(scree_cell_unwrapped(world, slot), v), orbital);
    for (int k = 0; k < 3; ++k) {
        scree_sum_add(&sums[LINEAR + k], grain->mass * velocity[k]);
        scree_sum_add(&sums[ANGULAR + k], grain->mass * orbital[k]);
        scree_sum_add(&sums[ANGULAR + k], motion->momentum[k]);
    }
}

scree_status scree_energy_momentum(struct scree_world *world, struct scree_momentum *momentum)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_sum sums[MOMENTA] = {0};
    SCREE_TRY(scree_walk_bodies(world, add_momentum, sums));
    for (int k = 0; k < 3; ++k) {
        momentum->linear[k] = scree_sum_value(&sums[LINEAR + k]);
        momentum->angular[k] = scree_world_lattice(world) ? (double)NAN : scree_sum_value(&sums[ANGULAR + k]);
    }
    return SCREE_OK;
}
