// Flat walls that meet act as one surface: rectangles and disks of one material with the same motion.
//
// A contact of a sphere is a local minimum of the distance from its centre to the surface. The point of a
// rectangle or disk that is nearest to a centre is none if it belongs to another one as well and that one has
// a point nearer to the centre: the way there leads along the surface. If both are nearest at this point, as
// at an edge that both have, the contact belongs to the wall that was added first. So a body is not pushed by
// the edge of a rectangle while it is over the next one, and a convex edge counts once. In concave edges each
// face has its contact.
//
// Points belong to a wall within SCREE_JOINED_WALLS_ROUNDING of the sizes of the walls.
//
// Invariant: which walls a sphere touches, and where histories go, depends on positions and histories alone.

#ifndef SCREE_CONTACT_JOINED_WALLS_H
#define SCREE_CONTACT_JOINED_WALLS_H

#include "world/world.h"

#define SCREE_JOINED_WALLS_ROUNDING 1e-9

// Walls that may act as one surface with each wall.
struct scree_joined_walls {
    size_t walls;    // number of walls when the lists were made, 0 if no walls are joined
    uint32_t *first; // [walls + 1]: those of wall w are other[first[w]] to other[first[w + 1] - 1]
    uint32_t *other; // slots
};

// Whether two walls can act as one surface, and are so near each other that they may meet.
bool scree_joined_walls_may(const struct scree_wall *a, const struct scree_wall *b);

// Largest distance of a point of both, m.
double scree_joined_walls_rounding(const struct scree_wall *a, const struct scree_wall *b);

// Lists the walls that may act as one surface. `joined` is empty, or has earlier lists; these stay on
// failure.
SCREE_NODISCARD scree_status scree_joined_walls_find(const struct scree_world *world,
                                                     struct scree_joined_walls *joined);
void scree_joined_walls_free(struct scree_joined_walls *joined);

static inline bool scree_joined_walls_has(const struct scree_joined_walls *joined, uint32_t wall)
{
    return wall < joined->walls && joined->first[wall] < joined->first[wall + 1];
}

// Whether a sphere with this centre has no contact with a wall, because another one has it.
bool scree_joined_walls_drop(const struct scree_joined_walls *joined, const struct scree_world *world,
                             uint32_t wall, const double centre[3]);

// The contacts of a tile, sorted by grain.
struct scree_joined_walls_job {
    const struct scree_world *world;
    const struct scree_pair *pair; // slots of grain and wall
    const uint32_t *feature;
    size_t count;
    double range; // interaction range, m
    uint8_t *live;
    double *history; // `stride` values each
    size_t stride;
};

// Moves the histories of contacts that are within range, but no longer have a contact, to new contacts of the
// same grain with joined walls.
void scree_joined_walls_hand_on(const struct scree_joined_walls *joined,
                                const struct scree_joined_walls_job *job);

#endif
