// Grains: what collides. A sphere's or disk's grain is its body's own record; other bodies carry grains that
// are rows of the entity "grain", placed by their body before contacts are found and returning their forces
// to it after.
//
// What always holds: a contact kernel reads struct scree_grain and need not know which of the two it has; the
// forces of a body's grains are added to it in ascending order of their ids.

#ifndef SCREE_WORLD_GRAIN_H
#define SCREE_WORLD_GRAIN_H

#include "world/world.h"

// Moment of inertia of a round body about any axis (a disk: about its own).
static inline double scree_grain_inertia(const struct scree_grain *grain, const struct scree_rotor *rotor)
{
    if (grain->kind == SCREE_KIND_POLAR)
        return rotor->inertia[2];
    const double share = grain->kind == SCREE_KIND_DISK ? 0.5 : 0.4;
    return share * grain->mass * grain->radius * grain->radius;
}

// Adds a sphere (a disk in two dimensions) of `radius` to a body, centred at `offset` in the axes of the
// body.
SCREE_NODISCARD scree_status scree_grain_add(struct scree_world *world, scree_body_id body, double radius,
                                             const double offset[3], uint64_t *id);

// Writes place and motion of the grains from their bodies, and clears their forces.
void scree_grain_place(struct scree_world *world);

// Adds the forces of the grains to what pushed their bodies, with their moments about the centre of mass.
// That column must be there.
void scree_grain_return(struct scree_world *world);

// Removes the grains of a body that is about to go.
void scree_grain_remove_of(struct scree_world *world, scree_body_id body);

#endif
