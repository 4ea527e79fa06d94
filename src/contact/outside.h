// Contacts from outside: their geometry from queries of pairs, and the records from which kernels compute
// their forces. A pair is a polyhedron and another grain or a wall.
//
// Invariants: the first side is that of lower id, or the body at a wall; results do not depend on slots. A
// contact exists as long as its overlap is positive.

#ifndef SCREE_CONTACT_OUTSIDE_H
#define SCREE_CONTACT_OUTSIDE_H

#include "contact/images.h"
#include "contact/interaction.h"
#include "math/mat3.h"
#include "world/wall_body.h"

#include <scree/kernel.h>

// A side of a pair: a body, or a wall, which has neither mass nor spin of its own, but may move with a body.
struct scree_outside_side {
    const struct scree_grain *grain; // null for a wall
    const struct scree_shape *shape; // null for a sphere or a wall
    const struct scree_wall *wall;   // null for a body
    struct scree_mat3 axes;          // of the shape
    // set only if the pair touches: inverse mass, and inverse inertia tensor of the body in world axes; of a
    // carried grain its offset from the centre of mass of the body; number of tangential directions
    double inverse_mass;
    struct scree_mat3 mobility;
    struct scree_vec3 offset;
    double tangents;
};

// A touch: geometry of a contact.
struct scree_outside_touch {
    struct scree_vec3 normal; // unit, from the second side to the first
    struct scree_vec3 arm[2]; // to the contact point, from the positions of the grains of both sides
    double overlap, weight;   // weight: see struct scree_kernel_outside
    uint32_t feature;
};

struct scree_outside_pair {
    struct scree_outside_side side[2];
    struct scree_vec3 between; // from the position of the second side to that of the first; 0 at a wall
    struct scree_images_motion image;   // of the second side, whose nearest image touches
    struct scree_wall_mobility carrier; // body that the wall moves with; all zero without one
    double radius;                      // effective radius of curvature, 0 if it is not defined
    double depth;                       // largest overlap that has a meaning, which the alarm compares with
    size_t count;                       // of touches
    size_t left_out;                    // touches beyond the room
    bool crowded; // more facets near a corner than are searched: contacts are incomplete
    bool at_rim;  // edges or faces may touch a rim, which has no contacts with them
    struct scree_outside_touch touch[SCREE_OUTSIDE_MOST];
};

// Finds the touches of two grains at their nearest images. `axis` as in convex/pair.h.
void scree_outside_find(const struct scree_world *world, const struct scree_grain *first,
                        const struct scree_grain *second, const struct scree_images *images, double *axis,
                        struct scree_outside_pair *pair);

// Finds the touches of a polyhedron and a wall, with the body where it is, or at any position.
void scree_outside_find_wall(const struct scree_world *world, const struct scree_grain *first,
                             const struct scree_wall *wall, struct scree_outside_pair *pair);
void scree_outside_find_wall_at(const struct scree_world *world, const struct scree_grain *first,
                                const double position[3], const struct scree_wall *wall,
                                struct scree_outside_pair *pair);

// From the centre of mass of the body of a side to the contact point.
static inline struct scree_vec3 scree_outside_arm(const struct scree_outside_pair *pair,
                                                  const struct scree_outside_touch *touch, int side)
{
    return scree_vec3_add(touch->arm[side], pair->side[side].offset);
}

// The name of the length `depth` of a pair, for messages.
const char *scree_outside_depth_name(const struct scree_outside_pair *pair);

// Fills the record of a touch. `before` is the normal at the last evaluation, 0 for a new contact; velocities
// are at the levels of the grains, mid-step ones those of a step of `h` s.
void scree_outside_record(const struct scree_world *world, const struct scree_outside_pair *pair,
                          const struct scree_outside_touch *touch, const double before[3], double h,
                          struct scree_kernel_outside *record);

// Returns null, or a message why a wall has no contacts with polyhedra in a world of this dimension.
const char *scree_outside_wall_fault(const struct scree_wall *wall, int dimension);

#endif
