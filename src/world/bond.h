// Rows of bonds, and the chains that connect all bonds of a body.
//
// Invariants: a side is a body and, for a pebble, its carried grain; the first side is always a body. A bond
// that broke in the last force evaluation keeps its row until the next one, and its energy is still elastic
// energy; it no longer counts as live. Bonds of removed bodies and walls are removed with them. The chain of
// a body descends in ids.

#ifndef SCREE_WORLD_BOND_H
#define SCREE_WORLD_BOND_H

#include "math/mat3.h"
#include "world/world.h"

static inline size_t scree_bond_rows(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BOND)->count;
}

static inline uint64_t *scree_bond_ids(const struct scree_world *world)
{
    return scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_BOND));
}

static inline struct scree_bond_sides *scree_bond_sides(const struct scree_world *world)
{
    return (struct scree_bond_sides *)scree_world_column(world, SCREE_ENTITY_BOND, SCREE_BOND_SIDES);
}

static inline struct scree_bond_spring *scree_bond_springs(const struct scree_world *world)
{
    return (struct scree_bond_spring *)scree_world_column(world, SCREE_ENTITY_BOND, SCREE_BOND_SPRING);
}

// The following columns are null until a bond needs them: one with a wall, with a strength, with softening.
static inline struct scree_bond_anchor *scree_bond_anchors(const struct scree_world *world)
{
    return (struct scree_bond_anchor *)scree_world_column(world, SCREE_ENTITY_BOND, SCREE_BOND_ANCHOR);
}

static inline struct scree_bond_strength *scree_bond_strengths(const struct scree_world *world)
{
    return (struct scree_bond_strength *)scree_world_column(world, SCREE_ENTITY_BOND, SCREE_BOND_STRENGTH);
}

static inline struct scree_bond_release *scree_bond_releases(const struct scree_world *world)
{
    return (struct scree_bond_release *)scree_world_column(world, SCREE_ENTITY_BOND, SCREE_BOND_RELEASE);
}

static inline struct scree_bond_damage *scree_bond_damages(const struct scree_world *world)
{
    return (struct scree_bond_damage *)scree_world_column(world, SCREE_ENTITY_BOND, SCREE_BOND_DAMAGE);
}

static inline struct scree_broken_bond *scree_bond_events(const struct scree_world *world)
{
    return (struct scree_broken_bond *)scree_world_column(world, SCREE_ENTITY_BROKEN_BOND,
                                                          SCREE_BROKEN_BOND_EVENT);
}

// The bond of a body with the highest id, 0 for none. next_of returns the next one of that body.
uint64_t scree_bond_last_of(const struct scree_world *world, scree_slot body);
static inline uint64_t scree_bond_next_of(const struct scree_bond_sides *sides, uint64_t body)
{
    return sides->next[sides->body[0] == body ? 0 : 1];
}

static inline bool scree_bond_row_of(const struct scree_world *world, uint64_t id, uint32_t *row)
{
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BOND)->pool, id, row);
}

// The grain of a side, with an up-to-date record; null if it does not exist. The point of a wall that a bond
// is attached to.
struct scree_grain *scree_bond_grain(const struct scree_world *world, const struct scree_bond_sides *sides,
                                     int side);
struct scree_vec3 scree_bond_wall_point(const struct scree_wall *wall,
                                        const struct scree_bond_anchor *anchor);

// Fails if a bond would be longer than half of another periodic cell, or would lose the periodic image that
// it connects.
SCREE_NODISCARD scree_status scree_bond_check_cell(const struct scree_world *world,
                                                   const struct scree_cell *cell);

// The same for a cell with other cell vectors, the columns of a matrix.
SCREE_NODISCARD scree_status scree_bond_check_vectors(const struct scree_world *world,
                                                      struct scree_mat3 vectors, unsigned open);

// Adds the bond of the highest id, whose sides are set, to the chains of its bodies. The column of chains
// must exist. relink makes all chains again, after a restart.
void scree_bond_link(struct scree_world *world, uint32_t row);
SCREE_NODISCARD scree_status scree_bond_relink(struct scree_world *world);

// Notes that the sides of an excluding bond, which is about to be removed, can be in contact from now on;
// there must be space for it.
void scree_bond_uncover(struct scree_world *world, uint32_t row);

// Removes a row; energy lost to damage is added to the total of released energy.
void scree_bond_remove_row(struct scree_world *world, uint32_t row);

// Remove the bonds of a body or a wall that is about to be removed, whose contacts are out of the ledger.
void scree_bond_remove_of_body(struct scree_world *world, scree_slot body);
void scree_bond_remove_of_wall(struct scree_world *world, uint64_t wall);

#endif
