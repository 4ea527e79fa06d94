// Internals of bodies: momentum, energy and on-step state of one body, for the ledger, the setters and the
// validator.

#ifndef SCREE_WORLD_BODY_H
#define SCREE_WORLD_BODY_H

#include "math/quat.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/world.h"

#include <string.h>

// Angular momentum of a general rigid body of angular velocity `spin`: L = R (J o (R^T w)).
static inline struct scree_vec3 scree_body_momentum_at(struct scree_quat q, const double *inertia,
                                                       struct scree_vec3 spin)
{
    return scree_quat_rotate(
        q, scree_vec3_multiply(scree_quat_rotate_inverse(q, spin), scree_vec3_load(inertia)));
}

static inline struct scree_vec3 scree_body_momentum(const struct scree_rotor *rotor, struct scree_vec3 spin)
{
    return scree_body_momentum_at(scree_quat_load(rotor->orientation), rotor->inertia, spin);
}

// Angular velocity of a general rigid body of angular momentum `momentum`: w = R ((R^T L) / J).
static inline struct scree_vec3 scree_body_spin(struct scree_quat q, const double *inertia,
                                                struct scree_vec3 momentum)
{
    return scree_quat_rotate(
        q, scree_vec3_divide(scree_quat_rotate_inverse(q, momentum), scree_vec3_load(inertia)));
}

// Adds to the spin of a body, between steps.
static inline void scree_body_add_spin(struct scree_grain *grain, struct scree_rotor *rotor,
                                       struct scree_vec3 spin)
{
    scree_vec3_store(scree_vec3_add(scree_vec3_load(grain->spin), spin), grain->spin);
    if (grain->kind == SCREE_KIND_RIGID)
        scree_vec3_store(scree_vec3_add(scree_vec3_load(rotor->momentum), scree_body_momentum(rotor, spin)),
                         rotor->momentum);
}

// Copies orientation and motion of a body as stored.
static inline void scree_body_copy_motion(const struct scree_world *world, scree_slot slot,
                                          struct scree_on_step *out)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    const struct scree_wrench *wrench = &scree_world_wrenches(world)[slot.index];
    *out = (struct scree_on_step){.orientation = {1, 0, 0, 0}, .work = wrench->work, .loss = wrench->loss};
    memcpy(out->velocity, grain->velocity, sizeof out->velocity);
    memcpy(out->spin, grain->spin, sizeof out->spin);
    const struct scree_rotor *rotor =
        scree_world_rotors(world) ? &scree_world_rotors(world)[slot.index] : NULL;
    if (grain->kind == SCREE_KIND_RIGID || (grain->flags & SCREE_FLAG_ROTATES))
        memcpy(out->orientation, rotor->orientation, sizeof out->orientation);
    if (grain->kind == SCREE_KIND_RIGID) {
        memcpy(out->momentum, rotor->momentum, sizeof out->momentum);
    } else {
        const double inertia = scree_grain_inertia(grain, rotor);
        for (int k = 0; k < 3; ++k)
            out->momentum[k] = inertia * grain->spin[k];
    }
}

// The velocity of a body without the mean motion of the cell, and its spin without the mean spin; in other
// cells the velocity and the spin.
static inline struct scree_vec3 scree_body_fluctuation(const struct scree_world *world,
                                                       const struct scree_grain *grain,
                                                       const double velocity[3])
{
    const struct scree_vec3 v = scree_vec3_load(velocity);
    return scree_world_lattice(world) ? scree_vec3_sub(v, scree_cell_mean_velocity(world, grain->position))
                                      : v;
}

static inline struct scree_vec3 scree_body_spin_fluctuation(const struct scree_world *world,
                                                            const double spin[3])
{
    const struct scree_vec3 w = scree_vec3_load(spin);
    const struct scree_lattice *lattice = scree_world_lattice(world);
    return lattice ? scree_vec3_sub(w, scree_lattice_spin(scree_lattice_load(lattice->gradient))) : w;
}

// Kinetic and potential energy of a body with the given motion; kinetic energy is that of fluctuations.
struct scree_body_energy {
    double translation, rotation, gravity;
};
static inline struct scree_body_energy scree_body_energy(const struct scree_world *world, scree_slot slot,
                                                         const struct scree_on_step *motion)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    const struct scree_vec3 gravity = scree_vec3_load(scree_world_clock(world)->gravity);
    const struct scree_vec3 velocity = scree_body_fluctuation(world, grain, motion->velocity);
    struct scree_vec3 momentum = scree_vec3_load(motion->momentum), spin = scree_vec3_load(motion->spin);
    if (scree_world_lattice(world)) {
        spin = scree_body_spin_fluctuation(world, motion->spin);
        const struct scree_rotor *rotors = scree_world_rotors(world);
        const struct scree_rotor *rotor = rotors ? &rotors[slot.index] : NULL;
        momentum = grain->kind == SCREE_KIND_RIGID
                       ? scree_body_momentum_at(scree_quat_load(motion->orientation), rotor->inertia, spin)
                       : scree_vec3_scale(spin, scree_grain_inertia(grain, rotor));
    }
    return (struct scree_body_energy){.translation = 0.5 * grain->mass * scree_vec3_norm_squared(velocity),
                                      .rotation = 0.5 * scree_vec3_dot(momentum, spin),
                                      .gravity = -grain->mass *
                                                 scree_vec3_dot(gravity, scree_cell_unwrapped(world, slot))};
}

// Mean diameter of all grains, m, and their mean density, kg/m^3; both 0 without grains that have a radius.
struct scree_body_mean {
    double diameter, density;
};
struct scree_body_mean scree_body_mean(const struct scree_world *world);

// On-step state of a body; a prediction while the forces of the step are not known yet.
void scree_body_predict(const struct scree_world *world, scree_slot slot, struct scree_on_step *out);

// Enters the work of the cell in the half-step before now through the contact forces on one body.
static inline void scree_body_enter_mean_power(struct scree_world *world, const struct scree_on_step *motion)
{
    struct scree_clock *clock = scree_world_clock(world);
    scree_total_add(&clock->removed_work, -0.5 * clock->step * motion->mean_power);
}

// Predicted kinetic plus potential energy of one body.
double scree_body_energy_of(const struct scree_world *world, scree_slot slot);

// Adds those of all bodies to a sum.
void scree_body_sum_energies(const struct scree_world *world, struct scree_sum *sum);

#endif
