// Grains: what collides. A sphere's or disk's grain is its body's own record; other bodies carry grains,
// which are rows of the entity "grain" and are placed by their body.
//
// What always holds: all grains lie in one array, bodies' own first and carried ones behind them, in the room
// that the bodies' column has beyond its rows. A carried grain's record follows from its row and its body's
// record; it is written before contacts are found, and holds until bodies move, come or go. A contact kernel
// reads struct scree_grain and need not know which of the two it has.

#ifndef SCREE_WORLD_GRAIN_H
#define SCREE_WORLD_GRAIN_H

#include "world/world.h"

#include <scree/law.h>

// Moment of inertia of a round body about any axis (a disk: about its own).
static inline double scree_grain_inertia(const struct scree_grain *grain, const struct scree_rotor *rotor)
{
    if (grain->kind == SCREE_KIND_POLAR)
        return rotor->inertia[2];
    const double share = grain->kind == SCREE_KIND_DISK ? 0.5 : 0.4;
    return share * grain->mass * grain->radius * grain->radius;
}

// How many grains bodies carry, and how many there are.
static inline size_t scree_grain_carried(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_GRAIN)->count;
}

static inline size_t scree_grain_count(const struct scree_world *world)
{
    return scree_world_bodies(world) + scree_grain_carried(world);
}

static inline struct scree_local_grain *scree_grain_locals(const struct scree_world *world)
{
    return (struct scree_local_grain *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_LOCAL);
}

// Adds a sphere (a disk in two dimensions) of `radius` to a body, centred at `offset` in the axes of the
// body.
SCREE_NODISCARD scree_status scree_grain_add(struct scree_world *world, scree_body_id body, double radius,
                                             const double offset[3], uint64_t *id);

// Has room for all carried grains behind those of the bodies, and knows their bodies' slots.
SCREE_NODISCARD scree_status scree_grain_settle(struct scree_world *world);

// Writes the records of carried grains from their bodies, whose spins are those in the middle of a step of
// `h` s, or on-step where it is 0. How far the farthest grain has moved since they were last written, unless
// rows have changed since, is added to the world's `carried_way` for whoever spends it.
void scree_grain_place(struct scree_world *world, double h);

// The same for one carried grain, by its row; for those who look between steps.
struct scree_grain *scree_grain_place_one(const struct scree_world *world, size_t row);

// From the centre of mass of its body to the centre of a carried grain.
void scree_grain_arm(const struct scree_world *world, size_t row, double arm[3]);

// How much more the surface of a carried grain gives way along it than its mass does: 1 + m R^2 / I for a
// ball that is its body, and for any other the mean over the directions that it can be touched from, 1 + m
// (d^2 tr A - d A d + R^2 tr A) / 3, with A the inverse of the inertia and d the offset; in the plane 1 + m
// (R^2 + d^2 / 2) / I.
double scree_grain_tangential_factor(const struct scree_world *world, size_t row);
static inline double scree_grain_round_tangential_factor(int dimension)
{
    return dimension == 2 ? 3 : 3.5;
}

// Carried grains by their bodies: those of body i are rows row[first[i]] to row[first[i + 1] - 1], in order
// of their parts. To be made anew when slots have changed.
struct scree_grain_owners {
    uint32_t *first, *row;
};
SCREE_NODISCARD scree_status scree_grain_owners_make(const struct scree_world *world,
                                                     struct scree_grain_owners *owners);
void scree_grain_owners_free(struct scree_grain_owners *owners);

// Removes the grains of a body that is about to go.
void scree_grain_remove_of(struct scree_world *world, scree_body_id body);

#endif
