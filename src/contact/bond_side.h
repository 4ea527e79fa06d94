// The sides of a bond: position, orientation and on-step motion of a grain or of the point of a wall, and the
// state of one bond between them.

#ifndef SCREE_CONTACT_BOND_SIDE_H
#define SCREE_CONTACT_BOND_SIDE_H

#include "contact/bond_law.h"
#include "contact/images.h"
#include "world/bond.h"
#include "world/grain.h"
#include "world/wall.h"

struct scree_bond_end {
    struct scree_vec3 centre; // of the grain, or the point of the wall
    struct scree_quat orientation;
    struct scree_bond_motion motion;
};

// A grain, whose record is up to date.
static inline struct scree_bond_end scree_bond_side_of_grain(const struct scree_grain *grain,
                                                             const struct scree_rotor *rotors)
{
    struct scree_bond_end end;
    end.centre = scree_vec3_load(grain->position);
    end.orientation = scree_quat_load(rotors[grain->owner].orientation);
    end.motion.velocity = scree_vec3_make(grain->velocity[0] + (double)grain->half_kick[0],
                                          grain->velocity[1] + (double)grain->half_kick[1],
                                          grain->velocity[2] + (double)grain->half_kick[2]);
    end.motion.spin = scree_vec3_make(grain->spin[0] + (double)grain->half_twist[0],
                                      grain->spin[1] + (double)grain->half_twist[1],
                                      grain->spin[2] + (double)grain->half_twist[2]);
    return end;
}

// A point of a wall, as a rigid body: motion of the surface along itself does not count.
struct scree_bond_end scree_bond_side_of_wall(const struct scree_wall *wall,
                                              const struct scree_bond_anchor *anchor);

// Vector from the first centre to the second, in the nearest image. In a cell with cell vectors the second
// side gets the velocity of that image.
static inline struct scree_vec3 scree_bond_side_between(const struct scree_bond_end *first,
                                                        struct scree_bond_end *second,
                                                        const struct scree_images *images)
{
    const struct scree_vec3 d = scree_vec3_sub(second->centre, first->centre);
    if (!images->cell)
        return scree_images_nearest(images, d, NULL);
    struct scree_images_motion image;
    const struct scree_vec3 between =
        scree_vec3_negate(scree_images_nearest(images, scree_vec3_negate(d), &image));
    second->motion.velocity = scree_vec3_add(second->motion.velocity, image.full);
    return between;
}

// The state of a bond, with damage: loads and energies are multiplied by 1 - damage.
struct scree_bond_one {
    uint64_t id;
    struct scree_grain *side[2]; // null for the wall
    struct scree_wall *wall;     // null between bodies
    struct scree_bond_end end[2];
    struct scree_vec3 between;
    struct scree_bond_elastic elastic; // undamaged
    struct scree_bond_rates rates;     // undamaged
    double kept;                       // 1 - damage
};

// Evaluates the bond in a row for the present state. Returns false if a side does not exist.
bool scree_bond_side_evaluate(const struct scree_world *world, uint32_t row, struct scree_bond_one *one);

// Evaluates velocities again for another motion of the wall, whose position is the same.
void scree_bond_side_move_wall(const struct scree_world *world, uint32_t row, const struct scree_wall *moved,
                               struct scree_bond_one *one);

// Power of the moving wall on the bond, W.
double scree_bond_side_wall_power(const struct scree_bond_one *one);

#endif
