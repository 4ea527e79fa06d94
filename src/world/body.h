// Bodies from inside: the kinetics of one body, which the ledger, the setters and the validator share.

#ifndef SCREE_WORLD_BODY_H
#define SCREE_WORLD_BODY_H

#include "math/quat.h"
#include "world/world.h"

// Angular momentum of a general rigid body that turns with `spin`: L = R (J o (R^T w)).
static inline struct scree_vec3 scree_body_momentum(const struct scree_rotor *rotor, struct scree_vec3 spin)
{
    const struct scree_quat q = scree_quat_load(rotor->orientation);
    return scree_quat_rotate(
        q, scree_vec3_multiply(scree_quat_rotate_inverse(q, spin), scree_vec3_load(rotor->inertia)));
}

// Angular velocity of a general rigid body of momentum `momentum`: w = R ((R^T L) / J).
static inline struct scree_vec3 scree_body_spin(struct scree_quat q, const double *inertia,
                                                struct scree_vec3 momentum)
{
    return scree_quat_rotate(
        q, scree_vec3_divide(scree_quat_rotate_inverse(q, momentum), scree_vec3_load(inertia)));
}

// Place and motion of a body as they lie there.
void scree_body_copy_motion(const struct scree_world *world, scree_slot slot, struct scree_on_step *out);

// Kinetic and potential energy of a body moving as `motion` says.
struct scree_body_energy {
    double translation, rotation, gravity;
};
struct scree_body_energy scree_body_energy(const struct scree_world *world, scree_slot slot,
                                           const struct scree_on_step *motion);

// Kinetic and potential energy of all bodies as they lie there, summed order-free.
double scree_body_energy_of_all(const struct scree_world *world);

#endif
