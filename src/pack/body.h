// Bodies placed by a filling or an insertion: spheres, disks, or clumps and polyhedra with random
// orientations.
//
// Invariants: the size of a body is the radius of the sphere (disk) of equal volume (area). A random
// orientation depends on the seed and the number of the body only, not on where there is space, so that the
// placed bodies have the distribution that was asked for.

#ifndef SCREE_PACK_BODY_H
#define SCREE_PACK_BODY_H

#include "base/random.h"
#include "convex/convex.h"
#include "pack/cells.h"

// How clumps are rotated at random, after the given orientation: not at all, by a uniform angle about the z
// axis, such that all orientations are equally likely (in two dimensions the same as about z), or such that
// an axis of the shape is spread about the direction that the given orientation gives it.
enum scree_pack_rotation { SCREE_PACK_NOT_ROTATED, SCREE_PACK_ABOUT_Z, SCREE_PACK_ALL, SCREE_PACK_SPREAD };

// A pebble of a clump of equal radius 1: its centre from the centre of mass.
struct scree_pack_pebble {
    double offset[3], radius;
};

struct scree_pack_shape {
    const struct scree_pack_pebble *pebble;
    size_t pebbles;
    // for an equal radius of 1: distance of the farthest point, and radii of pebbles
    double reach, largest, smallest;
    double shared;   // fraction of the sum of the volumes of the pebbles that several of them contain
    double given[4]; // orientation before the random rotation
    enum scree_pack_rotation rotation;
    // of SCREE_PACK_SPREAD: the axis, of unit length, its deviation in radians, at most 100, and whether the
    // shape is also rotated about the axis, by a uniform angle; in two dimensions only the deviation
    double axis[3], deviation;
    bool turns;
    // of a polyhedron, whose only pebble is the sphere around it: the core for the equal radius
    // `core_radius`, along the axes that `core_axes` turns to those of the shape; null for a clump
    const struct scree_convex *core;
    double core_radius, rounding; // rounding for this radius
    double core_axes[4];
};

struct scree_pack_body {
    double position[3], orientation[4], radius;
};

typedef SCREE_ARRAY(struct scree_pack_body) scree_pack_bodies;

// `shape` is null for spheres and disks: they have one pebble and no orientation.
static inline size_t scree_pack_pebbles(const struct scree_pack_shape *shape)
{
    return shape ? shape->pebbles : 1;
}
static inline double scree_pack_reach(const struct scree_pack_shape *shape)
{
    return shape ? shape->reach : 1;
}

static inline double scree_pack_largest(const struct scree_pack_shape *shape)
{
    return shape ? shape->largest : 1;
}
static inline double scree_pack_smallest(const struct scree_pack_shape *shape)
{
    return shape ? shape->smallest : 1;
}

// Draws the orientation of body number `number`. With a deviation s, the angle in two dimensions has a normal
// distribution with standard deviation s, and an axis in three dimensions has the distribution of von Mises
// and Fisher with the concentration k = 1 / s^2: its probability per solid angle at an angle t from the mean
// direction is proportional to exp(k cos t) (R. Fisher, "Dispersion on a sphere", Proc. R. Soc. A 217, 295,
// 1953). For small s, each of two perpendicular components of the deviation is normal with deviation s.
void scree_pack_draw_orientation(const struct scree_pack_shape *shape, int dimension,
                                 struct scree_random_key key, uint64_t number, double orientation[4]);

// The grain of one pebble of a body.
struct scree_fill_grain scree_pack_grain(const struct scree_pack_shape *shape,
                                         const struct scree_pack_body *body, size_t pebble);

// The polyhedron of a body, for any position; null if it is none. Free with scree_memory_free.
SCREE_NODISCARD scree_status scree_pack_solid_of_body(const struct scree_pack_shape *shape,
                                                      const struct scree_pack_body *body,
                                                      struct scree_pack_solid **solid);

#endif
