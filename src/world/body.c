// Bodies: insertion, state and removal, see include/scree/body.h.
//
// Every change of a body is an edit (edit.h).

#include "world/body.h"

#include "base/sum.h"
#include "world/bond.h"
#include "world/cell.h"
#include "world/check.h"
#include "world/clump.h"
#include "world/damping.h"
#include "world/edit.h"
#include "world/grain.h"
#include "world/rotor.h"
#include "world/wall_body.h"

#include <math.h>
#include <string.h>

static struct scree_entity *bodies_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BODY);
}

static scree_status find(const struct scree_world *world, scree_body_id id, scree_slot *slot)
{
    return scree_entity_find(bodies_of(world), id.value, slot);
}

// Fails inside the function of a load, which must not change bodies.
static scree_status find_to_change(const struct scree_world *world, scree_body_id id, scree_slot *slot)
{
    SCREE_TRY(scree_world_check_not_in_load(world));
    return find(world, id, slot);
}

void scree_body_predict(const struct scree_world *world, scree_slot slot, struct scree_on_step *out)
{
    if (world->pending_step)
        world->pending_step->on_step(world->pending_step->self, slot.index, 1, out);
    else
        scree_body_copy_motion(world, slot, out);
}

double scree_body_energy_of(const struct scree_world *world, scree_slot slot)
{
    struct scree_on_step motion;
    scree_body_predict(world, slot, &motion);
    const struct scree_body_energy energy = scree_body_energy(world, slot, &motion);
    return energy.translation + energy.rotation + energy.gravity;
}

void scree_body_sum_energies(const struct scree_world *world, struct scree_sum *sum)
{
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i)
        scree_sum_add(sum, scree_body_energy_of(world, (scree_slot){i}));
}

struct scree_body_mean scree_body_mean(const struct scree_world *world)
{
    struct scree_sum diameter = {0}, mass = {0}, volume = {0};
    size_t count = 0;
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const double r = grain->radius;
        if (!(r > 0))
            continue;
        ++count;
        scree_sum_add(&diameter, 2 * r);
        scree_sum_add(&mass, grain->mass);
        scree_sum_add(&volume, world->dimension == 3 ? SCREE_PI * 4 / 3 * r * r * r : SCREE_PI * r * r);
    }
    const double v = scree_sum_value(&volume);
    return (struct scree_body_mean){count > 0 ? scree_sum_value(&diameter) / (double)count : 0,
                                    v > 0 ? scree_sum_value(&mass) / v : 0};
}

// Adds the row of a body and begins the edit; the caller fills in position and motion and ends the edit.
static scree_status insert(struct scree_world *world, uint16_t kind, scree_slot *slot, scree_body_id *id)
{
    SCREE_TRY(scree_world_check_not_in_load(world));
    if (kind == SCREE_KIND_RIGID || kind == SCREE_KIND_POLAR || world->tracks_spheres)
        SCREE_TRY(scree_entity_require(bodies_of(world), SCREE_BODY_ROTOR));
    scree_edit_finish_fields(world);
    SCREE_TRY(scree_entity_insert(bodies_of(world), slot, &id->value));
    scree_edit_body(world, SCREE_EDIT_INSERTION, *slot);
    struct scree_grain *grain = &scree_world_grains(world)[slot->index];
    grain->kind = kind;
    grain->owner = slot->index;
    if (kind == SCREE_KIND_RIGID || kind == SCREE_KIND_POLAR || world->tracks_spheres) {
        grain->flags |= SCREE_FLAG_ROTATES;
        scree_world_rotors(world)[slot->index].orientation[0] = 1;
    }
    if (world->dimension == 2)
        grain->flags |= SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y;
    world->carried_stale = true;
    return SCREE_OK;
}

static scree_status check_motion(const struct scree_world *world, const double *position,
                                 const double *velocity, const double *spin, unsigned fixed)
{
    SCREE_TRY(scree_check_numbers("position", position, 3));
    SCREE_TRY(scree_check_numbers("velocity", velocity, 3));
    SCREE_TRY(scree_check_numbers("spin", spin, 3));
    SCREE_TRY(scree_cell_check(world, position));
    if (fixed & ~(unsigned)SCREE_FIX_ALL)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "fixed degrees of freedom must be a combination of SCREE_FIX_...; got %#x",
                                 fixed);
    if (world->dimension == 2 && (position[2] != 0 || velocity[2] != 0 || spin[0] != 0 || spin[1] != 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "in two dimensions a body must stay in the plane z = 0 and rotate about z only");
    return SCREE_OK;
}

static scree_status density_of(const struct scree_world *world, scree_material_id id, double *density)
{
    *density = 0;
    if (id.value == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a sphere or a disk needs a material: its density gives the mass");
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_MATERIAL), id.value, &slot));
    *density = ((const struct scree_material *)scree_world_column(world, SCREE_ENTITY_MATERIAL,
                                                                  SCREE_MATERIAL_MATERIAL))[slot.index]
                   .density;
    return SCREE_OK;
}

static void fill_motion(struct scree_grain *grain, const double *position, const double *velocity,
                        const double *spin, unsigned fixed)
{
    memcpy(grain->position, position, sizeof grain->position);
    memcpy(grain->velocity, velocity, sizeof grain->velocity);
    memcpy(grain->spin, spin, sizeof grain->spin);
    grain->flags |= fixed;
}

static void finish_insertion(struct scree_world *world, scree_slot slot, unsigned fixed)
{
    world->has_fixed = world->has_fixed || fixed != 0;
    scree_cell_wrap(world, slot);
    scree_edit_end(world);
}

// Adds a sphere or a disk: a body that is its own grain, with moment of inertia `inertia_factor` m r^2.
static scree_status add_round(struct scree_world *world, uint16_t kind, double volume, double inertia_factor,
                              const struct scree_sphere_def *def, scree_body_id *id)
{
    double density;
    SCREE_TRY(check_motion(world, def->position, def->velocity, def->spin, def->fixed));
    SCREE_TRY(scree_cell_check_resolution(world, def->position, def->radius));
    SCREE_TRY(density_of(world, def->material, &density));
    const double mass = density * volume, inertia = inertia_factor * mass * def->radius * def->radius;
    if (!(mass >= 1e-150 && mass <= 1e150 && inertia >= 1e-150 && inertia <= 1e150))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a body of radius %g m and density %g kg/m^3 has the mass %g kg and the moment "
            "of inertia %g kg m^2; both must be from 1e-150 to 1e150",
            def->radius, density, mass, inertia);
    scree_slot slot;
    SCREE_TRY(insert(world, kind, &slot, id));
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    grain->radius = def->radius;
    grain->mass = mass;
    grain->material = (uint16_t)def->material.value;
    fill_motion(grain, def->position, def->velocity, def->spin, def->fixed);
    finish_insertion(world, slot, def->fixed);
    return SCREE_OK;
}

scree_status scree_body_add_sphere(struct scree_world *world, const struct scree_sphere_def *def,
                                   scree_body_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (world->dimension != 3)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "spheres need a world of three dimensions; this one has two: use disks");
    SCREE_TRY(scree_check_positive("radius", def->radius));
    const double volume = 4.0 / 3.0 * SCREE_PI * def->radius * def->radius * def->radius;
    return add_round(world, SCREE_KIND_SPHERE, volume, 0.4, def, id);
}

scree_status scree_body_add_disk(struct scree_world *world, const struct scree_disk_def *def,
                                 scree_body_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (world->dimension != 2)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "disks need a world of two dimensions; this one has three: use spheres");
    SCREE_TRY(scree_check_positive("radius", def->radius));
    SCREE_TRY(scree_check_positive("thickness", def->thickness));
    const double volume = SCREE_PI * def->radius * def->radius * def->thickness;
    const struct scree_sphere_def round = {.radius = def->radius,
                                           .material = def->material,
                                           .position = {def->position[0], def->position[1]},
                                           .velocity = {def->velocity[0], def->velocity[1]},
                                           .spin = {0, 0, def->spin},
                                           .fixed = def->fixed};
    return add_round(world, SCREE_KIND_DISK, volume, 0.5, &round, id);
}

scree_status scree_body_add_rigid(struct scree_world *world, const struct scree_rigid_def *def,
                                  scree_body_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_rotor rotor = {0};
    double density;
    SCREE_TRY(scree_check_positive("mass", def->mass));
    SCREE_TRY(check_motion(world, def->position, def->velocity, def->spin, def->fixed));
    SCREE_TRY(scree_rotor_read(world, def, &rotor));
    if (def->material.value != 0)
        SCREE_TRY(density_of(world, def->material, &density));
    const bool flat = world->dimension == 2;
    scree_slot slot;
    SCREE_TRY(insert(world, flat ? SCREE_KIND_POLAR : SCREE_KIND_RIGID, &slot, id));
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    grain->mass = def->mass;
    grain->material = (uint16_t)def->material.value;
    fill_motion(grain, def->position, def->velocity, def->spin, def->fixed);
    if (!flat)
        scree_vec3_store(scree_body_momentum(&rotor, scree_vec3_load(def->spin)), rotor.momentum);
    scree_world_rotors(world)[slot.index] = rotor;
    finish_insertion(world, slot, def->fixed);
    return SCREE_OK;
}

scree_status scree_body_remove(struct scree_world *world, scree_body_id id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(find(world, id, &slot));
    SCREE_TRY(scree_wall_body_remove_walls(world, id.value));
    scree_edit_body(world, SCREE_EDIT_REMOVAL, slot);
    if (scree_grain_carried(world) > 0)
        scree_grain_remove_carried(world, id);
    scree_bond_remove_of_body(world, slot);
    scree_entity_remove(bodies_of(world), slot);
    if (slot.index < scree_world_bodies(world))
        scree_world_grains(world)[slot.index].owner = slot.index;
    world->carried_stale = true;
    scree_edit_end(world);
    return SCREE_OK;
}

size_t scree_body_count(const struct scree_world *world)
{
    return scree_world_bodies(world);
}

bool scree_body_exists(const struct scree_world *world, scree_body_id id)
{
    return scree_pool_find(&bodies_of(world)->pool, id.value, NULL);
}

static void copy_state(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                       const scree_level level[2], struct scree_body_state *state)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    const struct scree_wrench *wrench = &scree_world_wrenches(world)[slot.index];
    *state = (struct scree_body_state){.mass = grain->mass,
                                       .radius = scree_grain_equal_radius(world, slot.index),
                                       .fixed = grain->flags & SCREE_FLAG_FREEDOMS,
                                       .material = {grain->material},
                                       .velocity_level = level[0],
                                       .spin_level = level[1]};
    memcpy(state->position, grain->position, sizeof state->position);
    memcpy(state->orientation, motion->orientation, sizeof state->orientation);
    memcpy(state->velocity, motion->velocity, sizeof state->velocity);
    memcpy(state->spin, motion->spin, sizeof state->spin);
    memcpy(state->momentum, motion->momentum, sizeof state->momentum);
    memcpy(state->force, wrench->force, sizeof state->force);
    memcpy(state->moment, wrench->moment, sizeof state->moment);
    const struct scree_rotor *rotor =
        scree_world_rotors(world) ? &scree_world_rotors(world)[slot.index] : NULL;
    for (int k = 0; k < 3; ++k)
        state->inertia[k] =
            grain->kind == SCREE_KIND_RIGID ? rotor->inertia[k] : scree_grain_inertia(grain, rotor);
}

scree_status scree_body_bounds(const struct scree_world *world, scree_body_id id, double lower[3],
                               double upper[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_entity_find(bodies_of(world), id.value, &slot));
    scree_grain_bounds(world, slot.index, lower, upper);
    return SCREE_OK;
}

scree_status scree_body_get(const struct scree_world *world, scree_body_id id, struct scree_body_state *state)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find(world, id, &slot));
    struct scree_on_step motion;
    scree_body_copy_motion(world, slot, &motion);
    // a body inserted inside the step has on-step velocities until it is moved
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    // the state of general bodies with a fixed spin is the spin, as of spheres and disks
    const bool by_momentum = grain->kind == SCREE_KIND_RIGID && !(grain->flags & SCREE_FIX_SPIN);
    const int rotation = by_momentum ? SCREE_LEVEL_OF_MOMENTUM : SCREE_LEVEL_OF_SPIN;
    const scree_level level[2] = {
        grain->flags & SCREE_FLAG_MOVE_ON_STEP ? SCREE_ON_STEP : world->level[SCREE_LEVEL_OF_VELOCITY],
        grain->flags & SCREE_FLAG_SPIN_ON_STEP ? SCREE_ON_STEP : world->level[rotation]};
    copy_state(world, slot, &motion, level, state);
    return SCREE_OK;
}

scree_status scree_body_get_on_step(const struct scree_world *world, scree_body_id id,
                                    struct scree_body_state *state)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    struct scree_on_step motion;
    SCREE_TRY(find(world, id, &slot));
    SCREE_TRY(scree_world_on_step(world, slot.index, 1, &motion));
    const scree_level level[2] = {SCREE_ON_STEP, SCREE_ON_STEP};
    copy_state(world, slot, &motion, level, state);
    return SCREE_OK;
}

// Completes the pending half-kick of one body: it continues from on-step velocities under any scheme.
static void complete_half_kick(struct scree_world *world, scree_slot slot)
{
    struct scree_on_step motion;
    scree_body_predict(world, slot, &motion);
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    struct scree_wrench *wrench = &scree_world_wrenches(world)[slot.index];
    memcpy(grain->velocity, motion.velocity, sizeof grain->velocity);
    memcpy(grain->spin, motion.spin, sizeof grain->spin);
    memset(grain->half_kick, 0, sizeof grain->half_kick);
    memset(grain->half_twist, 0, sizeof grain->half_twist);
    if (grain->kind == SCREE_KIND_RIGID)
        memcpy(scree_world_rotors(world)[slot.index].momentum, motion.momentum, sizeof motion.momentum);
    wrench->work = motion.work;
    wrench->loss = motion.loss;
    scree_body_enter_mean_power(world, &motion);
    grain->flags |= SCREE_FLAGS_ON_STEP | SCREE_FLAG_ACCOUNTED;
    grain->flags &= ~(uint32_t)SCREE_FLAGS_HALF;
}

// Needed before a spin is set while the scheme of rotation has its state in rows of its own: the spin
// replaces that state.
static void complete_for_spin(struct scree_world *world, scree_slot slot)
{
    if (world->pending_step && world->pending_step->own_spin_state &&
        scree_world_grains(world)[slot.index].kind == SCREE_KIND_RIGID)
        complete_half_kick(world, slot);
}

scree_status scree_body_set_position(struct scree_world *world, scree_body_id id, const double position[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    const double zero[3] = {0};
    SCREE_TRY(check_motion(world, position, zero, zero, 0));
    const double radius = scree_world_grains(world)[slot.index].radius;
    SCREE_TRY(radius > 0 ? scree_cell_check_resolution(world, position, radius) : SCREE_OK);
    scree_edit_body(world, SCREE_EDIT_POSITION, slot);
    memcpy(scree_world_grains(world)[slot.index].position, position, 3 * sizeof *position);
    scree_cell_reset_images(world, slot);
    scree_cell_wrap(world, slot);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_body_set_velocity(struct scree_world *world, scree_body_id id, const double velocity[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    const double zero[3] = {0};
    SCREE_TRY(check_motion(world, zero, velocity, zero, 0));
    scree_edit_body(world, SCREE_EDIT_MOTION, slot);
    memcpy(scree_world_grains(world)[slot.index].velocity, velocity, 3 * sizeof *velocity);
    scree_edit_end(world);
    return SCREE_OK;
}

static void store_spin(struct scree_world *world, scree_slot slot, const double *spin)
{
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    memcpy(grain->spin, spin, sizeof grain->spin);
    if (grain->kind == SCREE_KIND_RIGID) {
        struct scree_rotor *rotor = &scree_world_rotors(world)[slot.index];
        scree_vec3_store(scree_body_momentum(rotor, scree_vec3_load(spin)), rotor->momentum);
    }
}

scree_status scree_body_set_spin(struct scree_world *world, scree_body_id id, const double spin[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    const double zero[3] = {0};
    SCREE_TRY(check_motion(world, zero, zero, spin, 0));
    complete_for_spin(world, slot);
    scree_edit_body(world, SCREE_EDIT_MOTION, slot);
    store_spin(world, slot, spin);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_body_set_orientation(struct scree_world *world, scree_body_id id,
                                        const double orientation[4])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!(grain->flags & SCREE_FLAG_ROTATES))
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "the orientation of body %llu is not integrated; call "
                                 "scree_world_integrate_sphere_orientation first",
                                 (unsigned long long)id.value);
    double unit[4];
    SCREE_TRY(scree_rotor_orientation(orientation, unit));
    if (world->dimension == 2 && (unit[1] != 0 || unit[2] != 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "in two dimensions a body rotates about z only");
    complete_for_spin(world, slot);
    // carried grains, walls, bonds and corners rotate with the body
    scree_edit_body(world,
                    scree_grain_carried(world) > 0 || scree_bond_last_of(world, slot) > 0 ||
                            scree_wall_body_carries(world, id.value) || (grain->flags & SCREE_FLAG_SHAPED)
                        ? SCREE_EDIT_POSITION
                        : SCREE_EDIT_ORIENTATION,
                    slot);
    memcpy(scree_world_rotors(world)[slot.index].orientation, unit, sizeof unit);
    double spin[3];
    memcpy(spin, grain->spin, sizeof spin);
    store_spin(world, slot, spin);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_body_fix(struct scree_world *world, scree_body_id id, unsigned fixed)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    const double zero[3] = {0};
    SCREE_TRY(check_motion(world, zero, zero, zero, fixed));
    world->has_fixed = world->has_fixed || fixed != 0;
    if (world->dimension == 2)
        fixed |= SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y;
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if ((grain->flags & SCREE_FLAG_FREEDOMS) == fixed)
        return SCREE_OK;
    // the fixed velocity is the on-step one, and the scheme of rotation may change
    complete_half_kick(world, slot);
    grain->flags = (grain->flags & ~(uint32_t)SCREE_FLAG_FREEDOMS) | fixed;
    scree_wall_body_follow(world);
    return SCREE_OK;
}

scree_status scree_body_set_damping(struct scree_world *world, scree_body_id id, double local, double viscous)
{
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    SCREE_TRY(scree_damping_check(&(struct scree_damping){local, viscous}));
    SCREE_TRY(scree_entity_require(bodies_of(world), SCREE_BODY_DAMPING));
    scree_edit_body(world, SCREE_EDIT_OWN_DAMPING, slot);
    scree_world_dampings(world)[slot.index] = (struct scree_damping){local, viscous};
    scree_world_grains(world)[slot.index].flags |= SCREE_FLAG_OWN_DAMPING;
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_body_unset_damping(struct scree_world *world, scree_body_id id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    if (scree_world_grains(world)[slot.index].flags & SCREE_FLAG_OWN_DAMPING) {
        scree_edit_body(world, SCREE_EDIT_DAMPING, slot);
        scree_world_dampings(world)[slot.index] = (struct scree_damping){0};
        scree_world_grains(world)[slot.index].flags &= ~(uint32_t)SCREE_FLAG_OWN_DAMPING;
        scree_edit_end(world);
    }
    return SCREE_OK;
}

scree_status scree_body_add_force(struct scree_world *world, scree_body_id id, const double force[3],
                                  const double moment[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(find_to_change(world, id, &slot));
    if (world->refuses_pending)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the integration scheme in use evaluates forces more than once per step, so "
                                 "forces cannot be added to single steps; use a load");
    if (force)
        SCREE_TRY(scree_check_numbers("force", force, 3));
    if (moment)
        SCREE_TRY(scree_check_numbers("moment", moment, 3));
    SCREE_TRY(scree_world_separate_contact_forces(world));
    SCREE_TRY(scree_entity_require(bodies_of(world), SCREE_BODY_PENDING));
    SCREE_TRY(scree_entity_require(bodies_of(world), SCREE_BODY_BEFORE_LOADS));
    struct scree_force_moment *pending = &scree_world_pending(world)[slot.index];
    world->has_pending = true;
    for (int k = 0; k < 3; ++k) {
        pending->force[k] += force ? force[k] : 0;
        pending->moment[k] += moment ? moment[k] : 0;
    }
    return SCREE_OK;
}

scree_status scree_body_add_clump(struct scree_world *world, const struct scree_clump_def *def,
                                  scree_body_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    SCREE_TRY(scree_clump_check(world, def));
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_CLUMP));
    SCREE_TRY(scree_body_add_rigid(world, &def->body, id));
    scree_slot slot;
    uint64_t first;
    SCREE_TRY(scree_entity_find(bodies, id->value, &slot));
    const scree_status status = scree_grain_add_pebbles(world, slot, def->pebble, def->pebbles, &first);
    if (status != SCREE_OK) {
        const scree_status removal = scree_body_remove(world, *id);
        return removal == SCREE_OK ? status : removal;
    }
    ((struct scree_clump *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_CLUMP))[slot.index] =
        scree_clump_of(world, def, first);
    return SCREE_OK;
}
